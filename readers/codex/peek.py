"""The facts of a large Codex thread from its two ends; names of threads stand in an index beside the tree."""

from __future__ import annotations

import msgspec

from panscript.readers.codex.files import is_record, parent_of, title_of
from panscript.readers.codex.injected import block_text, injected_by, is_wrapper
from panscript.readers.ends import first_lines, latest
from panscript.readers.peek import Facts
from panscript.readers.tolerant import recover
from panscript.schemas import timestamps
from panscript.schemas.codex.lean import BARE_ITEMS, Line, Payload, line_decoder
from panscript.schemas.records import Source

__all__ = ["peek"]

_NAMES = (b'"thread_name_updated"',)


def peek(source: Source) -> Facts | None:
    """The facts of a thread; None when no line was understood in its ends."""
    found = _Ends()
    for file in source.transcripts:
        own = file.role != "base"
        for raw in first_lines(file.path):
            for row in _rows(raw):
                found.first(row, own=own)
            if found.first_prompt is not None and (found.meta is not None or not own):
                break
        if own and found.first_prompt is not None:
            break
    modified = latest(source.path, _rows, lambda row: timestamps.parse(row.timestamp), found.last, _NAMES)
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
        version=meta.cli_version,
        created=found.created,
        modified=modified,
    )


class _Ends:
    def __init__(self) -> None:
        self.understood = False
        self.meta: Payload | None = None
        self.name: str | None = None
        self.cwd: str | None = None
        self.first_prompt: str | None = None
        self.created: int | None = None
        self._named = False

    def first(self, row: Line, *, own: bool) -> None:
        """A line from the start; `own` is false in a file that the thread builds on."""
        payload = row.payload if isinstance(row.payload, Payload) else None
        self.understood = (
            self.understood or payload is not None or row.type in BARE_ITEMS or row.record_type is not None
        )
        time = timestamps.parse(row.timestamp)
        if own and time is not None:
            self.created = time if self.created is None else min(self.created, time)
        if payload is None:
            if row.type is None and row.id and self.meta is None:
                self.meta = row
            elif row.type == "message":
                self._prompt(row)
        elif row.type == "session_meta":
            if own and self.meta is None:
                self.meta = payload
        elif row.type == "turn_context":
            self.cwd = self.cwd or payload.cwd
        elif row.type == "response_item" and payload.type == "message":
            self._prompt(payload)

    def _prompt(self, message: Payload) -> None:
        if message.role != "user" or self.first_prompt is not None or not isinstance(message.content, list):
            return
        blocks = message.content
        typed = [
            text
            for place, block in enumerate(blocks)
            if (text := block_text(block)) and not is_wrapper(blocks, place) and not injected_by(message, place, text)
        ]
        self.first_prompt = " ".join("\n\n".join(typed)[:4000].split())[:200] or None

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
