"""The facts of a large Pi session from its two ends: header, import record and first prompt; then name and time."""

from __future__ import annotations

import msgspec

from panscript.readers.ends import first_lines, latest
from panscript.readers.imported import head_of
from panscript.readers.peek import Facts
from panscript.readers.pi.files import Header, header_of, is_record
from panscript.readers.pi.survey import begins, is_context, time_of
from panscript.readers.tolerant import recover
from panscript.schemas.import_lean import Head
from panscript.schemas.naming import first_words
from panscript.schemas.pi.lean import Entry, entry_decoder
from panscript.schemas.pi.record_names import HEAD_TYPE
from panscript.schemas.records import Source

__all__ = ["peek"]

_NAMES = (b'"session_info"', b'"title_change"')


def peek(source: Source) -> Facts | None:
    """The facts of a session; None when no entry was understood in its ends."""
    found = _Ends(source)
    for raw in first_lines(source.path):
        for row in _rows(raw):
            found.first(row)
        if found.first_prompt is not None:
            break
    modified = latest(source.path, _rows, lambda row: time_of(row) if is_context(row) else None, found.last, _NAMES)
    if not found.understood:
        return None
    header = found.header or header_of(source, None)
    head = found.head
    return Facts(
        session_id=header.session_id,
        parent_session_id=source.parent,
        title=found.slot or found.title or header.title,
        first_prompt=found.first_prompt,
        cwd=header.cwd,
        created=header.time if header.time is not None else found.created,
        modified=modified,
        imported_from=head.source if head is not None else None,
    )


class _Ends:
    def __init__(self, source: Source) -> None:
        self._source = source
        self.understood = False
        self.header: Header | None = None
        self.head: Head | None = None
        self.slot: str | None = None
        self.title: str | None = None
        self.first_prompt: str | None = None
        self.created: int | None = None
        self._named = False

    def first(self, row: Entry) -> None:
        """A line from the start."""
        self.understood = self.understood or row.type is not None
        if self.header is None:
            if begins(row):
                self.slot = row.title or None
                return
            self.header = header_of(self._source, row if row.type == "session" else None)
        if row.type == "custom" and row.custom_type == HEAD_TYPE and self.head is None:
            self._imported(row)
        elif row.type == "session_info":
            self.title = (row.name or "").strip() or None
        elif is_context(row):
            time = time_of(row)
            if time is not None:
                self.created = time if self.created is None else min(self.created, time)
            self._prompt(row)

    def _imported(self, row: Entry) -> None:
        self.head = head_of(row.data)

    def _prompt(self, row: Entry) -> None:
        message = row.message
        if message is None or message.role != "user" or message.synthetic or self.first_prompt is not None:
            return
        blocks = message.content if isinstance(message.content, list) else []
        text = message.content if isinstance(message.content, str) else "\n\n".join(b.text for b in blocks if b.text)
        self.first_prompt = first_words(text)

    def last(self, row: Entry) -> None:
        """A line from the end; what is nearer the end was here before."""
        self.understood = self.understood or row.type is not None
        if self._named:
            return
        if row.type == "session_info":
            self.title, self._named = (row.name or "").strip() or None, True
        elif row.type == "title_change" and (row.title or "").strip():
            self.title, self._named = (row.title or "").strip(), True


def _rows(raw: bytes) -> list[Entry]:
    try:
        return [entry_decoder.decode(raw)]
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return recover(raw, entry_decoder, is_record).rows
