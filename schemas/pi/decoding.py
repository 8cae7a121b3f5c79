"""From a line to its struct and back, what no struct has a field for, and the JSON Schema.

Unions are open: before msgspec sees a value, every block and message with an unknown tag is wrapped in the unknown
member of its union. The wrapping follows the types, so it never reaches into open data such as arguments.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from typing import Any, Union, cast

import msgspec
from msgspec import inspect

from panscript.schemas.import_record import ImportHead, ImportPart
from panscript.schemas.pi.base import UNKNOWN_TAG
from panscript.schemas.pi.blocks import BLOCKS
from panscript.schemas.pi.entries import ENTRIES, Entry, UnknownEntry
from panscript.schemas.pi.messages import MESSAGES

__all__ = ["decode_entry", "encode_entry", "json_schema", "unknown_fields", "unknown_tags"]

# Decodes the lines in which nothing is unknown, in one go; the others take the long way.
_KNOWN_LINES: msgspec.json.Decoder[Any] = msgspec.json.Decoder(Union[tuple(ENTRIES.values())])  # noqa: UP007
_UNKNOWN_BYTES = UNKNOWN_TAG.encode()

# Tag field of an open union -> the tags that have a struct, whether or not this union may hold it.
_KNOWN_TAGS = {"type": BLOCKS, "role": MESSAGES}


def decode_entry(raw: bytes) -> Entry:
    """Decode one line of a Pi session file (header, title slot or entry; line end optional).

    A line of unknown type gives `UnknownEntry`. Raises `msgspec.DecodeError` when the line is not JSON and
    `msgspec.ValidationError`, with the path, when a known type has a wrong shape.
    """
    if _UNKNOWN_BYTES not in raw:
        with suppress(msgspec.DecodeError, RecursionError):
            return cast("Entry", _KNOWN_LINES.decode(raw))
    value = _parsed(raw)
    tag = value.get("type") if isinstance(value, dict) else None
    struct = ENTRIES.get(tag) if isinstance(tag, str) else None
    if struct is None:
        return UnknownEntry(type=tag if isinstance(tag, str) else None, raw=raw)
    return cast("Entry", msgspec.convert(_mapped(value, _type(struct), _wrapped), struct))


def encode_entry(entry: Entry) -> bytes:
    """Encode one entry as the line it stands for, without a line end; an `UnknownEntry` gives its bytes back."""
    if isinstance(entry, UnknownEntry):
        return entry.raw
    value = msgspec.to_builtins(entry)
    return msgspec.json.encode(_mapped(value, _type(type(entry)), _unwrapped))


def unknown_fields(raw: bytes) -> list[str]:
    """List the fields of one line that no struct has, as JSON paths such as `$.message.content[0].color`.

    Open data (`arguments`, `details`, `data`, ...) and blocks, messages and lines of unknown type are not searched;
    a value of a wrong shape neither. Raises `msgspec.DecodeError` when the line is not JSON.
    """
    return [path for path, tag in _unseen(raw) if tag is None]


def unknown_tags(raw: bytes) -> list[str]:
    """List the types and roles of one line that no struct has, as `path=tag`, such as `$.message.role=narrator`.

    Raises `msgspec.DecodeError` when the line is not JSON.
    """
    return [f"{path}={tag}" for path, tag in _unseen(raw) if tag is not None]


def json_schema() -> dict[str, Any]:
    """Give the JSON Schema (2020-12) of one line; `$defs` also has the two kinds of import record."""
    structs = list(ENTRIES.values())
    refs, components = msgspec.json.schema_components([*structs, ImportHead, ImportPart], ref_template="#/$defs/{name}")
    for component in components.values():
        _open(component)
    # What the structs check after their fields are read.
    components["ModelChange"]["anyOf"] = [{"required": ["provider", "modelId"]}, {"required": ["model"]}]
    components["Compaction"]["anyOf"] = [{"required": ["firstKeptEntryId"]}, {"required": ["firstKeptEntryIndex"]}]
    components["UnknownBlock"] = _other("type", BLOCKS, "A content block of a type not described here.")
    components["UnknownMessage"] = _other("role", MESSAGES, "A message with a role not described here.")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "One line of a Pi session file",
        "anyOf": [
            *refs[: len(structs)],
            {
                "description": "A line of a type not described here.",
                "not": {"type": "object", "required": ["type"], "properties": {"type": {"enum": list(ENTRIES)}}},
            },
        ],
        "$defs": components,
    }


def _parsed(raw: bytes) -> Any:
    try:
        return msgspec.json.decode(raw)
    except RecursionError:
        raise msgspec.DecodeError("JSON is nested too deeply") from None


@cache
def _type(struct: type[msgspec.Struct]) -> inspect.Type:
    return inspect.type_info(struct)


@cache
def _fields(struct: type[msgspec.Struct]) -> dict[str, inspect.Type]:
    info = cast("inspect.StructType", _type(struct))
    return {field.encode_name: field.type for field in info.fields}


def _members(union: inspect.UnionType) -> dict[str | None, inspect.StructType]:
    """The structs of a union by tag; one without a tag stands under None."""
    structs = [member for member in union.types if isinstance(member, inspect.StructType)]
    return {None if member.tag is None else str(member.tag): member for member in structs}


def _member(value: Any, union: inspect.UnionType) -> inspect.Type | None:
    """The member of `union` that `value` is meant for, or None if that does not matter or there is none."""
    if isinstance(value, list):
        return next((member for member in union.types if isinstance(member, inspect.ListType)), None)
    if not isinstance(value, dict):
        return None
    members = _members(union)
    if not members:
        return next((member for member in union.types if isinstance(member, inspect.DictType)), None)
    if None in members:
        return members[None]
    tag = value.get(next(iter(members.values())).tag_field)
    return members.get(tag) if isinstance(tag, str) else None


def _is_open(union: inspect.UnionType) -> bool:
    return UNKNOWN_TAG in _members(union)


def _mapped(value: Any, info: inspect.Type, swap: Callable[[dict[str, Any], inspect.UnionType], Any]) -> Any:
    """Copy `value` along its type, giving every object of an open union to `swap` first.

    What `swap` gives back is taken as it is when it is another object, else walked on.
    """
    match info:
        case inspect.StructType() if isinstance(value, dict):
            fields = _fields(info.cls)
            return {
                key: _mapped(item, fields[key], swap) if key in fields and isinstance(item, dict | list) else item
                for key, item in value.items()
            }
        case inspect.ListType() if isinstance(value, list):
            return [_mapped(item, info.item_type, swap) for item in value]
        case inspect.DictType() if isinstance(value, dict):
            return {key: _mapped(item, info.value_type, swap) for key, item in value.items()}
        case inspect.UnionType():
            if isinstance(value, dict) and _is_open(info):
                swapped = swap(value, info)
                if swapped is not value:
                    return swapped
            member = _member(value, info)
            return value if member is None else _mapped(value, member, swap)
    return value


def _unknown_tag(value: dict[str, Any], union: inspect.UnionType) -> tuple[str, str | None] | None:
    """Tag field and tag of an object that no struct is made for, else None."""
    tag_field = str(_members(union)[UNKNOWN_TAG].tag_field)
    tag = value.get(tag_field)
    if not isinstance(tag, str):
        return tag_field, None
    return None if tag in _KNOWN_TAGS[tag_field] else (tag_field, tag)


def _wrapped(value: dict[str, Any], union: inspect.UnionType) -> dict[str, Any]:
    unknown = _unknown_tag(value, union)
    if unknown is None:
        return value
    tag_field, name = unknown
    return {tag_field: UNKNOWN_TAG, "name": name, "value": value}


def _unwrapped(value: dict[str, Any], union: inspect.UnionType) -> dict[str, Any]:
    if value[str(_members(union)[UNKNOWN_TAG].tag_field)] != UNKNOWN_TAG:
        return value
    inner: dict[str, Any] = value["value"]
    return inner


def _unseen(raw: bytes) -> Iterator[tuple[str, str | None]]:
    """Yield (path, None) for a field no struct has, (path of the tag, tag) for a tag no struct has."""
    value = _parsed(raw)
    if not isinstance(value, dict):
        return
    tag = value.get("type")
    struct = ENTRIES.get(tag) if isinstance(tag, str) else None
    if struct is not None:
        yield from _strange(value, _type(struct), "$")
    elif isinstance(tag, str):
        yield "$.type", tag


def _strange(value: Any, info: inspect.Type, path: str) -> Iterator[tuple[str, str | None]]:
    match info:
        case inspect.StructType() if isinstance(value, dict):
            fields = _fields(info.cls)
            for key, item in value.items():
                if key in fields:
                    yield from _strange(item, fields[key], f"{path}.{key}")
                elif key != info.tag_field:
                    yield f"{path}.{key}", None
        case inspect.ListType() if isinstance(value, list):
            for number, item in enumerate(value):
                yield from _strange(item, info.item_type, f"{path}[{number}]")
        case inspect.DictType() if isinstance(value, dict):
            for key, item in value.items():
                yield from _strange(item, info.value_type, f"{path}.{key}")
        case inspect.UnionType():
            if isinstance(value, dict) and _is_open(info):
                unknown = _unknown_tag(value, info)
                if unknown is not None:
                    tag_field, tag = unknown
                    yield f"{path}.{tag_field}", tag or ""
                    return
            member = _member(value, info)
            if member is not None:
                yield from _strange(value, member, path)


def _open(schema: Any) -> None:
    """Take the discriminators out of a schema: they would send an unknown tag nowhere."""
    if isinstance(schema, dict):
        schema.pop("discriminator", None)
        for item in schema.values():
            _open(item)
    elif isinstance(schema, list):
        for item in schema:
            _open(item)


def _other(tag_field: str, known: dict[str, type[msgspec.Struct]], description: str) -> dict[str, Any]:
    return {
        "description": description,
        "type": "object",
        "not": {"required": [tag_field], "properties": {tag_field: {"enum": list(known)}}},
    }
