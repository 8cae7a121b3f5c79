"""Every way in which a record departs from its typed schema, with the exact place of each.

The decoder stops at the first wrong value and names only its neighbourhood. This follows the types of the structs
through the decoded record instead, and is used only for records that the decoder has refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import msgspec
from msgspec import inspect

__all__ = ["Failure", "below", "failures", "of_decoder", "type_of"]

_UNKNOWN_TAGS = frozenset({"?", "(unknown)"})
"""Tags of the members that keep a union open for names the schemas do not know."""
_PLAIN_KEY = re.compile(r"[A-Za-z_$][\w$-]*")
_LONGEST_NAME = 60


class Failure(NamedTuple):
    """One departure from the schema."""

    path: str
    code: str
    message: str


def below(path: str, key: str) -> str:
    """The JSON path of a field of the object at `path`."""
    return f"{path}.{key}" if _PLAIN_KEY.fullmatch(key) else f"{path}[{msgspec.json.encode(key).decode()}]"


@cache
def type_of(shape: Any) -> inspect.Type:
    """The type of a struct or union as `failures` wants it."""
    return inspect.type_info(shape)


def of_decoder(problem: Exception) -> Failure:
    """What the decoder said, for the rare rules that only it knows."""
    text, _, path = str(problem).partition(" - at `")
    return Failure(path.rstrip("`") or "$", "schema.wrong_value", _sentence(text))


def failures(value: Any, kind: inspect.Type, path: str = "$", *, untagged: bool = False) -> Iterator[Failure]:
    """Every failure of a decoded value. `untagged`: an object without a tag counts as one of unknown type."""
    if isinstance(kind, inspect.Metadata):
        yield from failures(value, kind.type, path, untagged=untagged)
    elif isinstance(kind, inspect.UnionType):
        yield from _union(value, kind, path, untagged)
    elif isinstance(kind, inspect.StructType):
        if isinstance(value, dict):
            yield from _struct(value, kind, path, untagged)
        else:
            yield _wrong(kind, value, path)
    elif isinstance(kind, inspect.ListType):
        if isinstance(value, list):
            for index, item in enumerate(value):
                yield from failures(item, kind.item_type, f"{path}[{index}]", untagged=untagged)
        else:
            yield _wrong(kind, value, path)
    elif isinstance(kind, inspect.DictType):
        if isinstance(value, dict):
            for key, item in value.items():
                yield from failures(item, kind.value_type, below(path, key), untagged=untagged)
        else:
            yield _wrong(kind, value, path)
    elif isinstance(kind, inspect.LiteralType):
        if not any(value == word and type(value) is type(word) for word in kind.values):
            yield _other_word(kind, value, path)
    elif not _fits(value, kind):
        yield _wrong(kind, value, path)


def _other_word(kind: inspect.LiteralType, value: Any, path: str) -> Failure:
    words = " or ".join(f"`{word}`" for word in kind.values)
    if value is not None and isinstance(value, type(kind.values[0])):
        return Failure(path, "schema.wrong_value", f"must be {words}")
    return Failure(path, "schema.wrong_type", f"must be {words}, not {_article(_json_type(value))}")


def _union(value: Any, kind: inspect.UnionType, path: str, untagged: bool) -> Iterator[Failure]:
    members = [each.type if isinstance(each, inspect.Metadata) else each for each in kind.types]
    if isinstance(value, dict):
        structs = [each for each in members if isinstance(each, inspect.StructType)]
        if structs and structs[0].tag_field is not None:
            yield from _tagged(value, structs, path, untagged)
            return
        wanted: tuple[type[inspect.Type], ...] = (inspect.StructType, inspect.DictType)
    elif isinstance(value, list):
        wanted = (inspect.ListType,)
    else:
        if all(next(failures(value, each, path), None) is not None for each in members):
            words = [each for each in members if isinstance(each, inspect.LiteralType)]
            yield _other_word(words[0], value, path) if words and isinstance(value, str) else _wrong(kind, value, path)
        return
    if any(isinstance(each, inspect.AnyType | inspect.RawType) for each in members):
        return
    member = next((each for each in members if isinstance(each, wanted)), None)
    if member is None:
        yield _wrong(kind, value, path)
    else:
        yield from failures(value, member, path, untagged=untagged)


def _tagged(value: dict[str, Any], structs: list[inspect.StructType], path: str, untagged: bool) -> Iterator[Failure]:
    field = structs[0].tag_field or ""
    is_open = any(each.tag in _UNKNOWN_TAGS for each in structs)
    tag = value.get(field)
    if not isinstance(tag, str):
        if not (is_open and untagged):
            yield _missing(path, field) if field not in value else _wrong(inspect.StrType(), tag, below(path, field))
        return
    for each in structs:
        if tag not in _UNKNOWN_TAGS and (tag == each.tag or tag in getattr(each.cls, "tag_aliases", ())):
            yield from _struct(value, each, path, untagged)
            return
    if not is_open:
        yield Failure(below(path, field), "schema.wrong_value", f"no `{tag[:_LONGEST_NAME]}` may stand here")


def _struct(value: dict[str, Any], kind: inspect.StructType, path: str, untagged: bool) -> Iterator[Failure]:
    for field in kind.fields:
        if field.encode_name in value:
            place = below(path, field.encode_name)
            yield from failures(value[field.encode_name], field.type, place, untagged=untagged)
        elif field.required:
            yield _missing(path, field.encode_name)


def _fits(value: Any, kind: inspect.Type) -> bool:
    """Whether a scalar is what the type wants. Types that the schemas do not use fit anything."""
    if isinstance(kind, inspect.StrType):
        return isinstance(value, str)
    if isinstance(kind, inspect.BoolType):
        return isinstance(value, bool)
    if isinstance(kind, inspect.IntType):
        return isinstance(value, int) and not isinstance(value, bool)
    if isinstance(kind, inspect.FloatType):
        return isinstance(value, int | float) and not isinstance(value, bool)
    if isinstance(kind, inspect.NoneType):
        return value is None
    return True


def _missing(path: str, name: str) -> Failure:
    return Failure(below(path, name), "schema.missing_field", f"the field `{name}` is missing")


def _wrong(kind: inspect.Type, value: Any, path: str) -> Failure:
    wanted = list(dict.fromkeys(_names(kind)))
    return Failure(path, "schema.wrong_type", f"must be {' or '.join(wanted)}, not {_article(_json_type(value))}")


def _names(kind: inspect.Type) -> Iterator[str]:
    if isinstance(kind, inspect.UnionType):
        for each in kind.types:
            yield from _names(each)
    elif isinstance(kind, inspect.Metadata):
        yield from _names(kind.type)
    elif isinstance(kind, inspect.LiteralType):
        yield from (f"`{word}`" for word in kind.values)
    else:
        yield _article(_KINDS.get(type(kind), "value of another type"))


_KINDS: dict[type[inspect.Type], str] = {
    inspect.StrType: "string",
    inspect.BoolType: "boolean",
    inspect.IntType: "whole number",
    inspect.FloatType: "number",
    inspect.NoneType: "null",
    inspect.StructType: "object",
    inspect.DictType: "object",
    inspect.ListType: "list",
}


def _json_type(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "whole number"
    if isinstance(value, float):
        return "number"
    if isinstance(value, str):
        return "string"
    return "list" if isinstance(value, list) else "object"


def _article(name: str) -> str:
    if name == "null":
        return name
    return f"an {name}" if name[0] in "aeiou" else f"a {name}"


def _sentence(text: str) -> str:
    return text[:1].lower() + text[1:]
