"""Which fields of a native record no struct describes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from msgspec import inspect

__all__ = ["unseen"]


def unseen(value: Any, structs: Sequence[type[msgspec.Struct]], path: str = "$") -> Iterator[str]:
    """JSON paths of the fields and tags that none of these structs of a tagged union describes."""
    config = structs[0].__struct_config__
    field = str(config.tag_field)
    struct = next((each for each in structs if each.__struct_config__.tag == value.get(field)), None)
    if struct is None:
        yield f"{path}.{field}={value.get(field)}"
        return
    yield from _fields({key: item for key, item in value.items() if key != field}, inspect.type_info(struct), path)


def _fields(value: Any, info: Any, path: str) -> Iterator[str]:
    if isinstance(info, inspect.UnionType):
        structs = [member for member in info.types if isinstance(member, inspect.StructType)]
        tagged = [member for member in structs if member.tag is not None]
        if isinstance(value, dict) and tagged:
            yield from unseen(value, [member.cls for member in tagged], path)
            return
        wanted = (inspect.ListType,) if isinstance(value, list) else (inspect.StructType, inspect.DictType)
        others = [member for member in info.types if isinstance(member, wanted)]
        if others:
            yield from _fields(value, others[0], path)
    elif isinstance(info, inspect.StructType) and isinstance(value, dict):
        known = {field.encode_name: field.type for field in info.fields}
        for key, item in value.items():
            if key in known:
                yield from _fields(item, known[key], f"{path}.{key}")
            else:
                yield f"{path}.{key}"
    elif isinstance(info, inspect.ListType) and isinstance(value, list):
        for number, item in enumerate(value):
            yield from _fields(item, info.item_type, f"{path}[{number}]")
    elif isinstance(info, inspect.DictType) and isinstance(value, dict):
        for key, item in value.items():
            yield from _fields(item, info.value_type, f"{path}.{key}")
