"""Decode rollout lines into their structs, and tell what the structs do not know.

A line is first decoded strictly. Only when that fails is it decoded again as plain objects, walked along the types, and
every object with an unknown `type` wrapped into its union's `Unknown...` struct; then what remains wrong is a wrong
shape, and is raised.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any, TypeAlias, cast

import msgspec
from msgspec import inspect

from panscript.schemas.codex.base import UNKNOWN, Unknown, Wire
from panscript.schemas.codex.events import EVENTS
from panscript.schemas.codex.items import ITEMS, Item
from panscript.schemas.codex.lines import LINES, BareHeader, BareState, EnvelopeLine, Line

__all__ = ["decode_line", "encode_line", "json_schema", "unknown_fields", "unknown_values"]

Shape: TypeAlias = Any
"""What a line may be: `EnvelopeLine`, `Item`, `BareHeader` or `BareState`."""

_MARKER = UNKNOWN.encode()


class _Head(msgspec.Struct):
    """The keys that tell which form a line has."""

    type: str | None = None
    payload: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    timestamp: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    record_type: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET


def decode_line(raw: bytes) -> Line:
    """Decode one line of a rollout, envelope or bare form, without its line end or with it.

    Unknown line kinds, items, events, blocks and variants become `Unknown...` structs. Raises
    `msgspec.DecodeError` for what is not JSON and `msgspec.ValidationError` for a known type with a wrong shape.
    """
    shape = _shape(raw)
    if _MARKER not in raw:  # a file that holds the marker itself must not pass for an object already wrapped
        try:
            return cast("Line", _decoder(shape).decode(raw))
        except msgspec.ValidationError:
            pass
    known = _Walk().visit(msgspec.json.decode(raw), _info(shape), "$")
    return cast("Line", msgspec.convert(known, type=shape))


def encode_line(line: Line) -> bytes:
    """Encode one line as JSON without a line end; defaults are left out, and what was unknown is written as it was."""
    return msgspec.json.encode(_Unwrap().visit(msgspec.to_builtins(line), _info(_shape_of(line)), "$"))


def unknown_fields(raw: bytes) -> list[str]:
    """Return the JSON paths of what no struct has, in file order.

    A field is `$.payload.key`, an unknown name is `$.payload.type=name`. Open maps (tool arguments, world state) are
    not looked into, and neither are objects of unknown types. Raises `msgspec.DecodeError` for what is not JSON.
    """
    walk = _Walk()
    walk.visit(msgspec.json.decode(raw), _info(_shape(raw)), "$")
    return walk.fields


def unknown_values(raw: bytes) -> list[str]:
    """Return `path=word` for each word that is not in the word list of its field, in file order."""
    walk = _Walk()
    walk.visit(msgspec.json.decode(raw), _info(_shape(raw)), "$")
    return walk.values


def json_schema() -> dict[str, Any]:
    """Return a JSON Schema (2020-12) of one rollout line.

    Objects with a `type` that is not known are valid where a union is open.
    """
    shapes, components = msgspec.json.schema_components([EnvelopeLine, Item, BareHeader, BareState])
    envelope, item, *bare = cast("list[dict[str, Any]]", _opened(list(shapes)))
    named = [member for member in (*envelope["anyOf"], *item["anyOf"]) if "$ref" in member]
    untyped = [{**shape, "not": {"required": ["type"]}} for shape in bare]
    schema: dict[str, Any] = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Codex rollout line",
        "anyOf": [*named, _any_but(LINES | ITEMS), *untyped],
        "$defs": {name: _opened(value) for name, value in components.items() if name not in _UNKNOWN_NAMES},
    }
    for struct in EVENTS.values():
        schema["$defs"][struct.__name__]["properties"]["type"]["enum"] = [_tag(struct), *struct.tag_aliases]
    return schema


def _shape(raw: bytes) -> Shape:
    head = msgspec.json.decode(raw, type=_Head)
    if head.type is None:
        if head.record_type is not msgspec.UNSET:
            return BareState
        return BareHeader if head.payload is msgspec.UNSET else EnvelopeLine
    enveloped = head.payload is not msgspec.UNSET or head.timestamp is not msgspec.UNSET
    if head.type in LINES or (enveloped and head.type not in ITEMS):
        return EnvelopeLine
    return Item


def _shape_of(line: Line) -> Shape:
    if isinstance(line, (BareHeader, BareState)):
        return type(line)
    return EnvelopeLine if isinstance(line, tuple(LINES.values())) else Item


@cache
def _decoder(shape: Shape) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(shape)


@cache
def _info(shape: Shape) -> inspect.Type:
    return inspect.type_info(shape)


def _tag(struct: type[Wire]) -> str:
    return cast("str", struct.__struct_config__.tag)


class _Walk:
    """Follow plain objects along their types; note what is unknown, and give it back in its `Unknown...` form."""

    def __init__(self) -> None:
        self.fields: list[str] = []
        self.values: list[str] = []

    def visit(self, node: Any, info: inspect.Type, path: str) -> Any:
        """Return `node` as `info` wants it."""
        match info:
            case inspect.Metadata():
                words = (info.extra_json_schema or {}).get("examples")
                if words and isinstance(node, str) and node not in words:
                    self.values.append(f"{path}={node}")
                return self.visit(node, info.type, path)
            case inspect.UnionType():
                return self._union(node, info, path)
            case inspect.StructType() if isinstance(node, dict):
                return self._struct(node, info, path)
            case inspect.ListType() if isinstance(node, list):
                return [self.visit(value, info.item_type, f"{path}[{index}]") for index, value in enumerate(node)]
            case inspect.DictType() if isinstance(node, dict):
                return {key: self.visit(value, info.value_type, _below(path, key)) for key, value in node.items()}
        return node

    def unknown(self, node: dict[str, Any], name: str, tag_field: str, path: str) -> Any:
        """Return what stands for an object whose name the union at `path` does not know."""
        self.fields.append(f"{path}.{tag_field}={name}")
        return {tag_field: UNKNOWN, "raw": node}

    def _union(self, node: Any, info: inspect.UnionType, path: str) -> Any:
        if isinstance(node, dict):
            structs = [member for member in info.types if isinstance(member, inspect.StructType)]
            if structs and structs[0].tag_field is not None:
                return self._tagged(node, structs, structs[0].tag_field, path)
            wanted: tuple[type[inspect.Type], ...] = (inspect.StructType, inspect.DictType)
        elif isinstance(node, list):
            wanted = (inspect.ListType,)
        else:
            wanted = (inspect.Metadata,)
        for member in info.types:
            if isinstance(member, wanted):
                return self.visit(node, member, path)
        return node

    def _tagged(self, node: dict[str, Any], structs: list[inspect.StructType], tag_field: str, path: str) -> Any:
        name = node.get(tag_field)
        if not isinstance(name, str):
            return node
        for struct in structs:
            if name == struct.tag != UNKNOWN:
                return self._struct(node, struct, path)
            if name in cast("type[Wire]", struct.cls).tag_aliases:
                return self._struct({**node, tag_field: struct.tag}, struct, path)
        return self.unknown(node, name, tag_field, path)

    def _struct(self, node: dict[str, Any], info: inspect.StructType, path: str) -> dict[str, Any]:
        known = {field.encode_name: field.type for field in info.fields}
        result: dict[str, Any] = {}
        for key, value in node.items():
            place = _below(path, key)
            if key in known:
                result[key] = self.visit(value, known[key], place)
            else:
                result[key] = value
                if key != info.tag_field:
                    self.fields.append(place)
        return result


class _Unwrap(_Walk):
    """The way back: put what was unknown in its place again."""

    def unknown(self, node: dict[str, Any], name: str, tag_field: str, path: str) -> Any:
        """Return the object as it was in the file."""
        return node["raw"] if name == UNKNOWN else super().unknown(node, name, tag_field, path)


def _below(path: str, key: str) -> str:
    return f"{path}.{key}" if key.isidentifier() else f"{path}[{msgspec.json.encode(key).decode()}]"


_UNKNOWN_NAMES = frozenset([Unknown.__name__, *(struct.__name__ for struct in Unknown.__subclasses__())])


def _opened(schema: Any) -> Any:
    """Replace the marker variant of every union by what it stands for: an object with any other `type`."""
    if isinstance(schema, list):
        return [_opened(value) for value in schema]
    if not isinstance(schema, dict):
        return schema
    opened = {key: _opened(value) for key, value in schema.items()}
    if "discriminator" in opened:
        mapping = opened["discriminator"]["mapping"]
        mapping.pop(UNKNOWN, None)
        for name, struct in EVENTS.items():
            if mapping.get(_tag(struct), "").endswith(f"/{struct.__name__}"):
                mapping[name] = mapping[_tag(struct)]
        opened["anyOf"] = [_any_but(mapping) if _is_unknown(member) else member for member in opened["anyOf"]]
    return opened


def _any_but(names: Iterable[str]) -> dict[str, Any]:
    other = {"type": "string", "not": {"enum": sorted(names)}}
    return {"type": "object", "properties": {"type": other}, "required": ["type"]}


def _is_unknown(schema: Any) -> bool:
    return isinstance(schema, dict) and schema.get("$ref", "").rpartition("/")[2] in _UNKNOWN_NAMES
