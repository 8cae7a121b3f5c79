"""The facts of a large Droid session from its two ends: the header and the first prompt, then the last time."""

from __future__ import annotations

import msgspec

from panscript.readers.droid.content import typed_text
from panscript.readers.droid.files import SETTINGS, id_of, is_record, read_settings
from panscript.readers.droid.survey import is_context
from panscript.readers.ends import first_lines, latest
from panscript.readers.peek import Facts
from panscript.readers.tolerant import recover
from panscript.schemas import timestamps
from panscript.schemas.droid.lean import STATE_TYPES, Row, row_decoder
from panscript.schemas.naming import first_words
from panscript.schemas.records import Source

__all__ = ["peek"]


def peek(source: Source) -> Facts | None:
    """The facts of a session; None when no row was understood in its ends."""
    path = source.path
    if path.endswith(SETTINGS):
        _, settings = read_settings(source)
        return Facts(session_id=source.id) if settings is not None else None
    header: Row | None = None
    prompt: str | None = None
    created: int | None = None
    understood = False
    for raw in first_lines(path):
        for row in _rows(raw):
            understood = understood or row.type in STATE_TYPES or is_context(row)
            if row.type == "session_start" and header is None:
                header = row
            time = timestamps.parse(row.timestamp)
            if is_context(row) and time is not None:
                created = time if created is None else min(created, time)
            prompt = prompt or first_words(typed_text(row))
        if prompt is not None:
            break
    if not understood:
        return None
    modified = latest(
        path, _rows, lambda row: timestamps.parse(row.timestamp) if is_context(row) else None, lambda _: None, ()
    )
    inner = header.session if header is not None else None
    return Facts(
        session_id=id_of(header) or source.id,
        parent_session_id=(header.calling_session_id or None if header is not None else None) or source.parent,
        title=(header.title or header.session_title or None) if header is not None else None,
        first_prompt=prompt,
        cwd=((header.cwd if header is not None else None) or (inner.cwd if inner is not None else None)) or None,
        created=created,
        modified=modified,
    )


def _rows(raw: bytes) -> list[Row]:
    try:
        return [row_decoder.decode(raw)]
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return recover(raw, row_decoder, is_record).rows
