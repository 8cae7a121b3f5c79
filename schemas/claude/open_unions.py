"""Following the types of the structs through decoded JSON: open unions, and fields no struct has."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import msgspec
from msgspec import inspect

from panscript.schemas.claude.base import UNKNOWN_TAG

__all__ = ["unknown_in", "unwrapped", "wrapped"]

_PLAIN_KEY = re.compile(r"[A-Za-z_$][\w$-]*")

# A value at a union with the tag field, and what to put in its place (the value itself to go on into it).
_Change = Callable[[dict[str, Any], str], dict[str, Any]]


def wrapped(value: Any, struct: type[msgspec.Struct]) -> Any:
    """Copy a decoded value with each member of an unknown tag put into the unknown member of its union."""

    def wrap(member: dict[str, Any], tag_field: str) -> dict[str, Any]:
        tag = member.get(tag_field)
        return {tag_field: UNKNOWN_TAG, "kind": tag, "body": member} if isinstance(tag, str) else member

    return _mapped(value, _info(struct), wrap)


def unwrapped(value: Any, struct: type[msgspec.Struct]) -> Any:
    """Undo `wrapped`, on the builtins of a struct."""

    def unwrap(member: dict[str, Any], _tag_field: str) -> dict[str, Any]:
        body = member.get("body")
        return body if isinstance(body, dict) else member

    return _mapped(value, _info(struct), unwrap)


def unknown_in(value: Any, struct: type[msgspec.Struct], path: str = "$") -> Iterator[str]:
    """Paths below `path` of the fields no struct has, and `path.type=tag` of members with an unknown tag.

    Neither open data nor what is below an unknown field or member is searched, and a value of a wrong shape is passed
    over: judging shapes is decoding.
    """
    return _unknown(value, _info(struct), path)


@cache
def _info(struct: type[msgspec.Struct]) -> inspect.Type:
    return inspect.type_info(struct)


@cache
def _fields(struct: type[msgspec.Struct]) -> dict[str, inspect.Type]:
    info = _info(struct)
    assert isinstance(info, inspect.StructType)
    return {each.encode_name: each.type for each in info.fields}


def _member(kind: inspect.Type, value: Any) -> inspect.Type | None:
    """The type that a value has where `kind` is allowed, or None when none of them fits or nothing is said of it."""
    members = kind.types if isinstance(kind, inspect.UnionType) else (kind,)
    if isinstance(value, list):
        return next((each for each in members if isinstance(each, inspect.ListType)), None)
    if not isinstance(value, dict):
        return None
    structs = [each for each in members if isinstance(each, inspect.StructType)]
    if len(structs) > 1:
        tag = value.get(structs[0].tag_field)
        other = next((each for each in structs if each.tag == UNKNOWN_TAG), None)
        return next((each for each in structs if each.tag == tag), other)
    return structs[0] if structs else next((each for each in members if isinstance(each, inspect.DictType)), None)


def _mapped(value: Any, kind: inspect.Type, change: _Change) -> Any:
    member = _member(kind, value)
    if isinstance(member, inspect.ListType):
        return [_mapped(each, member.item_type, change) for each in value]
    if isinstance(member, inspect.DictType):
        return {name: _mapped(each, member.value_type, change) for name, each in value.items()}
    if not isinstance(member, inspect.StructType):
        return value
    if member.tag == UNKNOWN_TAG:
        return change(value, member.tag_field or "")
    types = _fields(member.cls)
    return {name: _mapped(each, types[name], change) if name in types else each for name, each in value.items()}


def _unknown(value: Any, kind: inspect.Type, path: str) -> Iterator[str]:
    member = _member(kind, value)
    if isinstance(member, inspect.ListType):
        for index, each in enumerate(value):
            yield from _unknown(each, member.item_type, f"{path}[{index}]")
    elif isinstance(member, inspect.DictType):
        for name, each in value.items():
            yield from _unknown(each, member.value_type, _below(path, name))
    elif isinstance(member, inspect.StructType) and member.tag == UNKNOWN_TAG:
        yield f"{path}.{member.tag_field}={value.get(member.tag_field)}"
    elif isinstance(member, inspect.StructType):
        types = _fields(member.cls)
        for name, each in value.items():
            if name in types:
                yield from _unknown(each, types[name], _below(path, name))
            elif name != member.tag_field:
                yield _below(path, name)


def _below(path: str, name: str) -> str:
    return f"{path}.{name}" if _PLAIN_KEY.fullmatch(name) else f"{path}[{msgspec.json.encode(name).decode()}]"
