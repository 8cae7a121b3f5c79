"""JSON Schemas that are as open as the readers: what no struct describes is valid, too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

__all__ = ["open_schema"]


def open_schema(title: str, *groups: Sequence[type[msgspec.Struct]]) -> dict[str, Any]:
    """The JSON Schema (2020-12) of a record that is one of the structs of any group.

    A group is a tagged union: an object whose tag is none of the group's is valid. A group of one struct without a tag
    is that struct. Unions inside the structs are opened the same way.
    """
    structs = [struct for group in groups for struct in group]
    refs, components = msgspec.json.schema_components(structs, ref_template="#/$defs/{name}")
    for component in components.values():
        _open(component, components)
    members = {"anyOf": list(refs)}
    for group in groups:
        tag_field = group[0].__struct_config__.tag_field
        if tag_field is not None:
            tags = [struct.__struct_config__.tag for struct in group]
            members["anyOf"].append(_other(tag_field, tags))
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": title,
        **members,
        "$defs": components,
    }


def _open(schema: Any, components: dict[str, Any]) -> None:
    """Give every union with a discriminator a member for the tags that nobody knows."""
    if isinstance(schema, dict):
        found = schema.pop("discriminator", None)
        if found is not None and "anyOf" in schema:
            schema["anyOf"].append(_other(found["propertyName"], list(found["mapping"])))
        for item in schema.values():
            _open(item, components)
    elif isinstance(schema, list):
        for item in schema:
            _open(item, components)


def _other(tag_field: str, known: list[Any]) -> dict[str, Any]:
    return {
        "description": "An object of a type not described here.",
        "type": "object",
        "not": {"required": [tag_field], "properties": {tag_field: {"enum": known}}},
    }
