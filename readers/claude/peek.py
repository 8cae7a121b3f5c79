"""The facts of a large Claude Code session from its two ends: the agent writes title rows again when it stops."""

from __future__ import annotations

import msgspec

from panscript.readers.claude.files import is_record, meta_file
from panscript.readers.claude.injected import injected_by
from panscript.readers.claude.survey import CHAIN
from panscript.readers.ends import first_lines, latest
from panscript.readers.imported import head_of
from panscript.readers.peek import Facts
from panscript.readers.tolerant import recover
from panscript.schemas import timestamps
from panscript.schemas.claude.lean import Row, row_decoder
from panscript.schemas.claude.record_names import HEAD_TYPE
from panscript.schemas.import_lean import Head
from panscript.schemas.naming import first_words
from panscript.schemas.records import Source

__all__ = ["peek"]

_TITLES = (b'"custom-title"', b'"ai-title"', b'"summary"')


def peek(source: Source) -> Facts | None:
    """The facts of a session; None when no row was understood in its ends."""
    found = _Ends(own=source.agent_id is not None)
    path = source.path
    for raw in first_lines(path):
        found.first(raw)
        if found.first_prompt is not None and found.cwd is not None:
            break
    modified = latest(path, _rows, found.time_of, found.last, _TITLES)
    if not found.understood:
        return None
    parent = (source.parent or found.session_id) if source.agent_id is not None else None
    title = found.title or found.ai_title or found.summary
    if title is None and source.agent_id is not None:
        title = meta_file(path).description
    return Facts(
        session_id=f"{parent or 'unknown'}/{source.agent_id}" if source.agent_id else found.session_id or source.id,
        parent_session_id=parent,
        title=title,
        first_prompt=found.first_prompt,
        cwd=found.cwd,
        git_branch=found.git_branch,
        version=found.version,
        created=found.created,
        modified=modified,
        imported_from=found.head.source if found.head is not None else None,
    )


class _Ends:
    def __init__(self, *, own: bool) -> None:
        self._own = own
        self.understood = False
        self.session_id: str | None = None
        self.cwd: str | None = None
        self.version: str | None = None
        self.git_branch: str | None = None
        self.first_prompt: str | None = None
        self.title: str | None = None
        self.ai_title: str | None = None
        self.summary: str | None = None
        self.created: int | None = None
        self.head: Head | None = None
        self._titled: set[str] = set()

    def first(self, raw: bytes) -> None:
        """A line from the start."""
        for row in _rows(raw):
            if row.type is None:
                continue
            self.understood = True
            self.session_id = self.session_id or row.session_id
            if row.type == HEAD_TYPE and self.head is None:
                self.head = head_of(row.data)
            if row.type not in CHAIN:
                # Titles in the last lines win over these.
                self.title = row.custom_title or self.title
                self.ai_title = row.ai_title or self.ai_title
                self.summary = row.summary or self.summary if row.type == "summary" else self.summary
            elif not row.is_sidechain or self._own:
                self._chain(row)

    def _chain(self, row: Row) -> None:
        time = self.time_of(row)
        if time is not None:
            self.created = time if self.created is None else min(self.created, time)
        self.cwd = self.cwd or row.cwd
        self.version = self.version or row.version
        self.git_branch = self.git_branch or row.git_branch
        if self.first_prompt is None and row.type == "user" and not row.is_meta and not row.is_compact_summary:
            text = _typed(row)
            if text.strip() and not injected_by(text):
                self.first_prompt = first_words(text)

    def time_of(self, row: Row) -> int | None:
        """When something was said in this session."""
        said = row.type in ("user", "assistant") and (not row.is_sidechain or self._own)
        return timestamps.parse(row.timestamp) if said else None

    def last(self, row: Row) -> None:
        """A line from the end; what is nearer the end was here before, and keeps its say."""
        self.understood = self.understood or row.type is not None
        if row.type in CHAIN:
            return
        for name, value in (("title", row.custom_title), ("ai_title", row.ai_title), ("summary", row.summary)):
            if value and name not in self._titled:
                self._titled.add(name)
                setattr(self, name, value)


def _rows(raw: bytes) -> list[Row]:
    try:
        return [row_decoder.decode(raw)]
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return recover(raw, row_decoder, is_record).rows


def _typed(row: Row) -> str:
    """The text of a user row; nothing when it answers calls."""
    content = row.message.content if row.message is not None else None
    if isinstance(content, str):
        return content
    blocks = content or []
    if any((block.type or "").endswith("tool_result") for block in blocks):
        return ""
    return "\n\n".join(block.text for block in blocks if block.type == "text" and block.text)
