"""Where a session of Pi goes on."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from panscript.schemas.events import Message, Session
from panscript.schemas.records import Record
from panscript.writers.options import Continuation

__all__ = ["continuation"]


class _Entry(msgspec.Struct):
    type: str | None = None
    id: str | None = None


_decode = msgspec.json.Decoder(_Entry).decode


def _decoded(line: bytes) -> _Entry | None:
    try:
        return _decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def continuation(records: Iterable[Record]) -> Continuation | None:
    """It goes on from its last entry, as Pi itself does; None where entries have no ids (version 1)."""
    session: Session | None = None
    last = b""
    size = 0
    for record in records:
        if record.raw.strip() and (record.kind != "skipped" or _decoded(record.raw) is not None):
            last = record.raw
        for event in record.events:
            if isinstance(event, Session):
                session = event
            elif isinstance(event, Message) and event.live and event.tokens is not None:
                size = event.tokens.total
    entry = _decoded(last)
    if session is None or entry is None or entry.id is None or entry.type == "session":
        return None
    return Continuation(session_id=session.session_id, leaf=entry.id, size=size)
