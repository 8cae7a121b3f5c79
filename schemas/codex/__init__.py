"""Everything Codex CLI writes on disk, as typed structs: rollouts of 2025 to 0.171.0 and the files beside them.

`decode_line` turns one line into its struct, `unknown_fields` tells what no struct has, `json_schema` describes a line.
By place: `lines` (envelope, bare form, payloads of the line kinds), `items` (response items) with `blocks`, `events`
with `live_events`, `turn_items`, and what these share: `messages`, `tools`, `review`, `permissions`, `usage`,
`metadata`, `realtime`, `vocabulary`. `side_files` has the other files.

The names below are imported when first used, because hundreds of structs cost a small program more than its work.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from panscript.schemas.codex.base import (
        Unknown,
        UnknownBlock,
        UnknownEvent,
        UnknownItem,
        UnknownLine,
        UnknownTurnItem,
        UnknownVariant,
        Wire,
    )
    from panscript.schemas.codex.blocks import BLOCKS
    from panscript.schemas.codex.decode import decode_line, encode_line, json_schema, unknown_fields, unknown_values
    from panscript.schemas.codex.events import EVENTS, Event
    from panscript.schemas.codex.items import ITEMS, Item
    from panscript.schemas.codex.lines import LINES, BareHeader, BareState, EnvelopeLine, Line
    from panscript.schemas.codex.side_files import HistoryEntry, RolloutDocument, SessionIndexEntry
    from panscript.schemas.codex.turn_items import TURN_ITEMS, TurnItem

__all__ = [
    "BLOCKS",
    "EVENTS",
    "ITEMS",
    "LINES",
    "TURN_ITEMS",
    "BareHeader",
    "BareState",
    "EnvelopeLine",
    "Event",
    "HistoryEntry",
    "Item",
    "Line",
    "RolloutDocument",
    "SessionIndexEntry",
    "TurnItem",
    "Unknown",
    "UnknownBlock",
    "UnknownEvent",
    "UnknownItem",
    "UnknownLine",
    "UnknownTurnItem",
    "UnknownVariant",
    "Wire",
    "decode_line",
    "encode_line",
    "json_schema",
    "unknown_fields",
    "unknown_values",
]

_HOME = {
    "Unknown": "base",
    "UnknownBlock": "base",
    "UnknownEvent": "base",
    "UnknownItem": "base",
    "UnknownLine": "base",
    "UnknownTurnItem": "base",
    "UnknownVariant": "base",
    "Wire": "base",
    "BLOCKS": "blocks",
    "decode_line": "decode",
    "encode_line": "decode",
    "json_schema": "decode",
    "unknown_fields": "decode",
    "unknown_values": "decode",
    "EVENTS": "events",
    "Event": "events",
    "ITEMS": "items",
    "Item": "items",
    "BareHeader": "lines",
    "BareState": "lines",
    "EnvelopeLine": "lines",
    "LINES": "lines",
    "Line": "lines",
    "HistoryEntry": "side_files",
    "RolloutDocument": "side_files",
    "SessionIndexEntry": "side_files",
    "TURN_ITEMS": "turn_items",
    "TurnItem": "turn_items",
}


def __getattr__(name: str) -> Any:
    """Import a public name from the module it lives in."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value
