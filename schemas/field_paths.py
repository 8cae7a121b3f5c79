"""Which fields of a JSON value no struct has: what an agent began to write since its schema was made."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, cast

import msgspec
from msgspec import inspect

__all__ = ["unknown_paths"]


def unknown_paths(value: Any, struct: type[msgspec.Struct]) -> list[str]:
    """JSON paths such as `$.message.parts[0].color` of fields that the struct and those inside it do not have.

    Data that is open by design (`msgspec.Raw`, dictionaries of anything) and values of a wrong shape are not searched.
    """
    return list(_strange(value, _type(struct), "$"))


@cache
def _type(struct: type[msgspec.Struct]) -> inspect.Type:
    return inspect.type_info(struct)


@cache
def _fields(struct: type[msgspec.Struct]) -> dict[str, inspect.Type]:
    info = cast("inspect.StructType", _type(struct))
    return {field.encode_name: field.type for field in info.fields}


def _strange(value: Any, info: inspect.Type, path: str) -> Iterator[str]:
    if isinstance(info, inspect.UnionType):
        wanted = inspect.ListType if isinstance(value, list) else inspect.StructType | inspect.DictType
        member = next((each for each in info.types if isinstance(each, wanted)), None)
        if member is not None:
            yield from _strange(value, member, path)
    elif isinstance(info, inspect.StructType) and isinstance(value, dict):
        fields = _fields(info.cls)
        for key, item in value.items():
            if key in fields:
                yield from _strange(item, fields[key], f"{path}.{key}")
            elif key != info.tag_field:
                yield f"{path}.{key}"
    elif isinstance(info, inspect.ListType) and isinstance(value, list):
        for number, item in enumerate(value):
            yield from _strange(item, info.item_type, f"{path}[{number}]")
    elif isinstance(info, inspect.DictType) and isinstance(value, dict):
        for key, item in value.items():
            yield from _strange(item, info.value_type, f"{path}.{key}")
