"""The JSON Schema of a line of a transcript, with the notes of the fields as descriptions."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import pairwise
from typing import Any

import msgspec

from panscript.schemas.claude.attachments import ATTACHMENTS, UnknownAttachment
from panscript.schemas.claude.blocks import BLOCKS, UnknownBlock
from panscript.schemas.claude.decoding import ROWS
from panscript.schemas.claude.progress import PROGRESS, UnknownProgress
from panscript.schemas.claude.side_files import SIDE_FILES
from panscript.schemas.claude.system_rows import SYSTEM_ROWS, PlainSystemRow
from panscript.schemas.claude.tool_results import TOOL_RESULTS

__all__ = ["field_notes", "json_schema"]

_REF = "#/$defs/{name}"


def json_schema() -> dict[str, Any]:
    """Give the JSON Schema (2020-12) of one row.

    `$defs` has every struct, the shapes of tool results and the side files included. Unions are open as in
    `decode_row`: what has an unknown type is valid whatever its shape.
    """
    row_structs = [*ROWS.values(), *SYSTEM_ROWS.values()]
    shapes = list(dict.fromkeys(shape for each in TOOL_RESULTS.values() for shape in each))
    structs = [*row_structs, *shapes, *SIDE_FILES.values()]
    refs, components = msgspec.json.schema_components(structs, ref_template=_REF)
    for struct in _reachable(structs):
        properties = components.get(struct.__name__, {}).get("properties", {})
        names = dict(zip(struct.__struct_fields__, struct.__struct_encode_fields__, strict=True))
        for field, note in field_notes(struct).items():
            if field in names and names[field] in properties:
                properties[names[field]]["description"] = note
    for component in components.values():
        _drop_discriminators(component)
    for unknown, known in ((UnknownBlock, BLOCKS), (UnknownAttachment, ATTACHMENTS), (UnknownProgress, PROGRESS)):
        components[unknown.__name__] = _other("type", known, inspect.getdoc(unknown))
    components[PlainSystemRow.__name__]["properties"]["subtype"]["not"] = {"enum": sorted(SYSTEM_ROWS)}
    result = components["UserRow"]["properties"]["toolUseResult"]
    result["anyOf"] = [
        *refs[len(row_structs) : len(row_structs) + len(shapes)],
        {"description": "Text of a failure, or what an MCP tool gave."},
    ]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "One line of a Claude Code transcript",
        "anyOf": [*refs[: len(row_structs)], _other("type", ROWS, "A row of a type not described here.")],
        "$defs": components,
    }


@cache
def field_notes(struct: type[msgspec.Struct]) -> Mapping[str, str]:
    """The note below each field of a struct, own and inherited, by the field's name in Python.

    Empty where Python has no source to read, as in a frozen program.
    """
    notes: dict[str, str] = {}
    for base in reversed(struct.__mro__):
        for statement, following in _body(base):
            if (
                isinstance(statement, ast.AnnAssign)
                and isinstance(statement.target, ast.Name)
                and isinstance(following, ast.Expr)
                and isinstance(following.value, ast.Constant)
                and isinstance(following.value.value, str)
            ):
                notes[statement.target.id] = inspect.cleandoc(following.value.value)
    return notes


def _body(cls: type) -> Iterable[tuple[ast.stmt, ast.stmt]]:
    if not issubclass(cls, msgspec.Struct) or cls.__module__ == msgspec.Struct.__module__:
        return []
    body = _classes(cls.__module__).get(cls.__name__, [])
    return pairwise(body)


@cache
def _classes(module: str) -> dict[str, list[ast.stmt]]:
    try:
        tree = ast.parse(inspect.getsource(sys.modules[module]))
    except OSError:
        return {}
    return {node.name: node.body for node in tree.body if isinstance(node, ast.ClassDef)}


def _reachable(structs: Iterable[type[msgspec.Struct]]) -> list[type[msgspec.Struct]]:
    """The structs with all structs their fields may hold."""
    seen: dict[type[msgspec.Struct], None] = {}
    waiting: list[Any] = [msgspec.inspect.type_info(each) for each in structs]
    while waiting:
        kind = waiting.pop()
        if isinstance(kind, msgspec.inspect.StructType) and kind.cls not in seen:
            seen[kind.cls] = None
            waiting.extend(each.type for each in kind.fields)
        elif isinstance(kind, msgspec.inspect.UnionType):
            waiting.extend(kind.types)
        elif isinstance(kind, msgspec.inspect.ListType):
            waiting.append(kind.item_type)
        elif isinstance(kind, msgspec.inspect.DictType):
            waiting.append(kind.value_type)
    return list(seen)


def _other(tag_field: str, known: Iterable[str], description: str | None) -> dict[str, Any]:
    return {
        "description": description,
        "type": "object",
        "properties": {tag_field: {"type": "string", "not": {"enum": sorted(known)}}},
        "required": [tag_field],
    }


def _drop_discriminators(node: Any) -> None:
    """A discriminator knows all members; these unions are open."""
    if isinstance(node, dict):
        node.pop("discriminator", None)
        node = list(node.values())
    if isinstance(node, list):
        for each in node:
            _drop_discriminators(each)
