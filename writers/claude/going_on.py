"""Where a transcript of Claude Code goes on."""

from __future__ import annotations

from collections.abc import Iterable

from panscript.schemas.events import Compaction, Message, Session, Shell, ToolResult
from panscript.schemas.records import Record
from panscript.writers.options import Continuation

__all__ = ["continuation"]

_SAID = (Message, ToolResult, Compaction, Shell)


def continuation(records: Iterable[Record]) -> Continuation | None:
    """It goes on from the last row of the live branch; None when nothing in it has a name."""
    session: Session | None = None
    leaf: str | None = None
    size = 0
    for record in records:
        for event in record.events:
            if isinstance(event, Session):
                session = event
            elif isinstance(event, _SAID) and event.live and event.agent_id is None:
                # A row gives several events at times: its uuid, then a colon and a number.
                name = event.id.partition("#")[0].partition(":")[0]
                leaf = name if name not in ("line", "imported") else leaf
                if isinstance(event, Message) and event.tokens is not None:
                    size = event.tokens.total
    if session is None or leaf is None:
        return None
    root, _, agent_id = session.session_id.partition("/")
    return Continuation(session_id=root, agent_id=agent_id or None, leaf=leaf, size=size)
