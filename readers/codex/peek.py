"""The facts of a large Codex thread from its two ends; names of threads stand in an index beside the tree."""

from __future__ import annotations

import msgspec

from panscript.readers.codex.files import is_record, parent_of, title_of
from panscript.readers.codex.injected import block_text, injected_by, is_wrapper
from panscript.readers.codex.recording import HEAD, head_on
from panscript.readers.codex.survey import version_of
from panscript.readers.ends import first_lines, latest
from panscript.readers.peek import Facts
from panscript.readers.tolerant import recover
from panscript.schemas import timestamps
from panscript.schemas.codex.lean import BARE_ITEMS, Line, Payload, line_decoder
from panscript.schemas.import_lean import Head
from panscript.schemas.naming import first_words
from panscript.schemas.records import Source

__all__ = ["peek"]

_NAMES = (b'"thread_name_updated"',)
_TIME_DIGITS = 13
"""Characters at the start of an id of version 7 that are its time."""


def peek(source: Source) -> Facts | None:
    """The facts of a thread; None when no line was understood in its ends."""
    found = _Ends()
    for file in source.transcripts:
        own = file.role != "base"
        for raw in first_lines(file.path):
            if own and HEAD in raw and found.head is None:
                found.head = head_on(raw)
            for row in _rows(raw):
                found.first(row, own=own)
            if found.first_prompt is not None and (found.created is not None or not own):
                break
        if found.created is not None:
            break
    modified = latest(source.path, _rows, _time_of, found.last, _NAMES)
    if not found.understood:
        return None
    meta = found.meta or Payload()
    thread = meta.id or source.id
    return Facts(
        session_id=thread,
        parent_session_id=source.parent or parent_of(meta),
        title=title_of(source.path, thread) or found.name,
        first_prompt=found.first_prompt,
        cwd=meta.cwd or found.cwd,
        git_branch=meta.git.branch if meta.git is not None else None,
        version=version_of(meta),
        created=found.created,
        modified=modified if modified is not None or not found.bare else found.created,
        imported_from=found.head.source if found.head is not None else None,
    )


def _time_of(row: Line) -> int | None:
    """When something was said or done; the agent's own bookkeeping does not make a session newer."""
    return timestamps.parse(row.timestamp) if row.type == "response_item" or row.type in BARE_ITEMS else None


class _Ends:
    def __init__(self) -> None:
        self.understood = False
        self.meta: Payload | None = None
        self.name: str | None = None
        self.head: Head | None = None
        self.cwd: str | None = None
        self.first_prompt: str | None = None
        self.created: int | None = None
        self.bare = False
        """In the form of 2025, where only the first record has a time."""
        self._named = self._copied = False

    def first(self, row: Line, *, own: bool) -> None:
        """A line from the start; `own` is false in a file that the thread builds on."""
        payload = row.payload if isinstance(row.payload, Payload) else None
        self.understood = (
            self.understood or payload is not None or row.type in BARE_ITEMS or row.record_type is not None
        )
        self._pass_copies(row, payload)
        time = _time_of(row)
        if own and not self._copied and time is not None:
            self.created = time if self.created is None else min(self.created, time)
        if payload is None:
            if row.type is None and row.id and self.meta is None:
                self.meta, self.bare = row, True
                self.created = timestamps.parse(row.timestamp)
            elif row.type == "message":
                self._prompt(row)
        elif row.type == "session_meta":
            if own and self.meta is None:
                self.meta = payload
                self._copied = bool(payload.forked_from_id) and payload.history_base is None
        elif row.type == "turn_context":
            self.cwd = self.cwd or payload.cwd
        elif row.type == "response_item" and payload.type == "message" and not self._told_before():
            self._prompt(payload)

    def _told_before(self) -> bool:
        """Whether what is said here is the part of its parent's conversation that a sub-agent was given."""
        return self._copied and self.meta is not None and parent_of(self.meta) is not None

    def _pass_copies(self, row: Line, payload: Payload | None) -> None:
        """The copied part of a fork ends where a turn begins that is not older than the thread: ids tell their time."""
        if not self._copied or self.meta is None or payload is None:
            return
        start = self.meta.subagent_history_start_ordinal
        if start is not None:
            self._copied = row.ordinal is not None and row.ordinal < start
        elif payload.type in ("task_started", "turn_started") and payload.turn_id and self.meta.id:
            self._copied = payload.turn_id[:_TIME_DIGITS] < self.meta.id[:_TIME_DIGITS]

    def _prompt(self, message: Payload) -> None:
        if message.role != "user" or self.first_prompt is not None or not isinstance(message.content, list):
            return
        blocks = message.content
        typed = [
            text
            for place, block in enumerate(blocks)
            if (text := block_text(block)) and not is_wrapper(blocks, place) and not injected_by(message, place, text)
        ]
        self.first_prompt = first_words("\n\n".join(typed))

    def last(self, row: Line) -> None:
        """A line from the end; what is nearer the end was here before."""
        payload = row.payload if isinstance(row.payload, Payload) else None
        self.understood = self.understood or payload is not None
        if payload is not None and payload.type == "thread_name_updated" and not self._named:
            self.name, self._named = payload.thread_name, True


def _rows(raw: bytes) -> list[Line]:
    try:
        return [line_decoder.decode(raw)]
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return recover(raw, line_decoder, is_record).rows
