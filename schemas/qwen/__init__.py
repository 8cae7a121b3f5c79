"""Qwen Code's session files as typed structs: validation, JSON Schema, drift detection.

Versions up to 0.24; those of 2025 wrote conversation records (`panscript.schemas.recordings`). `records` has the lines,
`payloads` what state rows hold; `lean` beside them is what the reader decodes. Names load at first use.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from panscript.schemas.qwen.decoding import decode_record, json_schema, payload_of, unknown_fields
    from panscript.schemas.qwen.payloads import PAYLOADS
    from panscript.schemas.qwen.records import ChatRecord

__all__ = ["PAYLOADS", "ChatRecord", "decode_record", "json_schema", "payload_of", "unknown_fields"]

_HOMES = {
    "PAYLOADS": "payloads",
    "ChatRecord": "records",
    "decode_record": "decoding",
    "json_schema": "decoding",
    "payload_of": "decoding",
    "unknown_fields": "decoding",
}


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{home}"), name)
