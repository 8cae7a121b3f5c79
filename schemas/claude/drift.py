"""What a transcript has that this schema does not: the first sign of a new version of Claude Code."""

from __future__ import annotations

import msgspec

from panscript.schemas.claude.decoding import row_struct
from panscript.schemas.claude.open_unions import unknown_in
from panscript.schemas.claude.system_rows import SYSTEM_ROWS
from panscript.schemas.claude.tool_results import shape_of

__all__ = ["unknown_fields"]


def unknown_fields(raw: bytes) -> list[str]:
    """List what no struct has in one line of a transcript, as JSON paths.

    A field is a path such as `$.message.content[0].color`; a row, system subtype, block, attachment or payload of an
    unknown name ends in that name, such as `$.message.content[0].type=hologram`; a `toolUseResult` of no known shape
    ends in its keys, except on rows of MCP tools, whose results have any shape. `$` alone is a line that is no object.
    Open data is not searched. Raises `msgspec.DecodeError` when the line is not JSON.
    """
    value = msgspec.json.decode(raw.lstrip(b"\0"))
    if not isinstance(value, dict):
        return ["$"]
    struct = row_struct(value)
    if struct is None:
        return [f"$.type={value.get('type', '')}"]
    subtype = value.get("subtype")
    if value["type"] == "system" and subtype is not None and subtype not in SYSTEM_ROWS:
        return [f"$.subtype={subtype}"]
    # The tag of a system row is its subtype; `type` is a field of it.
    found = [path for path in unknown_in(value, struct) if path != "$.type"]
    result = value.get("toolUseResult")
    if value["type"] == "user" and isinstance(result, dict):
        shape = shape_of(result)
        if shape is not None:
            found.extend(unknown_in(result, shape, "$.toolUseResult"))
        elif "mcpMeta" not in value:
            found.append(f"$.toolUseResult={{{','.join(sorted(result))}}}")
    return found
