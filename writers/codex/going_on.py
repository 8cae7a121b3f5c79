"""Where a thread of Codex goes on, and in which dialect."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from panscript.schemas.events import Message, Session, Usage
from panscript.schemas.records import Record
from panscript.writers.codex.dialects import BARE, LEGACY, PAGINATED
from panscript.writers.options import Continuation

__all__ = ["continuation"]


class _Payload(msgspec.Struct):
    history_mode: str | None = None


class _Line(msgspec.Struct):
    type: str | None = None
    ordinal: int | None = None
    payload: msgspec.Raw = msgspec.Raw(b"")


_decode = msgspec.json.Decoder(_Line).decode
_decode_payload = msgspec.json.Decoder(_Payload).decode
_BAD = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


def continuation(records: Iterable[Record]) -> Continuation | None:
    """It goes on after its last line."""
    session: Session | None = None
    dialect = ""
    lines = ordinal = size = 0
    for record in records:
        for event in record.events:
            if isinstance(event, Session):
                session = event
            elif isinstance(event, Message | Usage) and event.tokens is not None:
                size = event.tokens.total
        if not record.raw:
            continue
        lines = record.origin.line
        try:
            row = _decode(record.raw)
        except _BAD:
            continue
        ordinal = row.ordinal + 1 if row.ordinal is not None else ordinal
        if not dialect and record.kind != "skipped":
            dialect = _dialect(row)
    if session is None:
        return None
    return Continuation(session_id=session.session_id, lines=lines, dialect=dialect, ordinal=ordinal, size=size)


def _dialect(first: _Line) -> str:
    if not bytes(first.payload):
        return BARE
    try:
        return PAGINATED if _decode_payload(first.payload).history_mode == PAGINATED else LEGACY
    except _BAD:
        return LEGACY
