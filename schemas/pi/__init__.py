"""Pi session files (and those of its fork omp) as typed structs: validation, JSON Schema, drift detection.

Pi 1.6.0, omp 18.3 and all older file versions (1, 2, 3). One JSON object a line: `entries` has the lines, `messages`
what a `message` line holds, `blocks` what a message holds, `usage` the token counts; `recording` finds the import
record that panscript itself leaves in such a file. Names load at first use, since readers need only a small view of a
line and should not pay for the whole schema.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from panscript.schemas.pi.blocks import BLOCKS
    from panscript.schemas.pi.decoding import decode_entry, encode_entry, json_schema, unknown_fields, unknown_tags
    from panscript.schemas.pi.entries import ENTRIES, Entry, UnknownEntry
    from panscript.schemas.pi.messages import MESSAGES
    from panscript.schemas.pi.recording import decode_import

__all__ = [
    "BLOCKS",
    "ENTRIES",
    "MESSAGES",
    "Entry",
    "UnknownEntry",
    "decode_entry",
    "decode_import",
    "encode_entry",
    "json_schema",
    "unknown_fields",
    "unknown_tags",
]

_HOMES = {
    "BLOCKS": "blocks",
    "ENTRIES": "entries",
    "MESSAGES": "messages",
    "Entry": "entries",
    "UnknownEntry": "entries",
    "decode_entry": "decoding",
    "decode_import": "recording",
    "encode_entry": "decoding",
    "json_schema": "decoding",
    "unknown_fields": "decoding",
    "unknown_tags": "decoding",
}


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{home}"), name)
