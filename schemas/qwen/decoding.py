"""From a line to its struct, what no struct has a field for, and the JSON Schema."""

from __future__ import annotations

from typing import Any

import msgspec

from panscript.schemas.field_paths import unknown_paths
from panscript.schemas.qwen.payloads import PAYLOADS
from panscript.schemas.qwen.records import ChatRecord
from panscript.schemas.recordings import Line

__all__ = ["decode_record", "json_schema", "payload_of", "unknown_fields"]

_SYSTEM = {"const": "system"}
_decoder = msgspec.json.Decoder(ChatRecord)


def decode_record(raw: bytes) -> ChatRecord:
    """Decode one line.

    Raises `msgspec.DecodeError` when it is not JSON and `msgspec.ValidationError`, with the path, when a field has a
    wrong shape.
    """
    return _decoder.decode(raw)


def payload_of(record: ChatRecord) -> msgspec.Struct | None:
    """What a state row holds, typed; None where there is nothing or it is left open. Raises as `decode_record`."""
    struct = PAYLOADS.get(record.subtype or "")
    payload = bytes(record.system_payload)
    return msgspec.json.decode(payload, type=struct) if struct is not None and payload else None


def unknown_fields(raw: bytes) -> list[str]:
    """Fields of one line that no struct has, as JSON paths. Raises `msgspec.DecodeError` when it is not JSON."""
    value = msgspec.json.decode(raw)
    found = unknown_paths(value, ChatRecord)
    if isinstance(value, dict) and (struct := PAYLOADS.get(str(value.get("subtype")))) is not None:
        inner = unknown_paths(value.get("systemPayload"), struct)
        found.extend(path.replace("$", "$.systemPayload", 1) for path in inner)
    return found


def json_schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of one line; `$defs` also has the lines of 2025."""
    structs = [ChatRecord, Line, *dict.fromkeys(PAYLOADS.values())]
    refs, components = msgspec.json.schema_components(structs, ref_template="#/$defs/{name}")
    where = dict(zip(structs, refs, strict=True))
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "One line of a Qwen Code session file",
        **refs[0],
        "allOf": [
            {
                "if": {
                    "required": ["subtype"],
                    "properties": {"type": {"const": "system"}, "subtype": {"const": name}},
                },
                "then": {"properties": {"systemPayload": where[struct]}},
            }
            for name, struct in PAYLOADS.items()
        ],
        "$defs": components,
    }
