"""What Claude Code writes on disk as typed structs: validation, JSON Schema, drift detection.

Versions 1.0 to 2.1.328. A transcript is one JSON object a line: `rows` has the conversation tree, `system_rows` and
`state_rows` the rows around it, `request_log` the record of API requests, `blocks` and `usage` what a message holds,
`attachments` the context the agent injects, `tool_results` the structured results of tools, `side_files` the other
files. Names load at first use, since readers need only the small view in `lean` and should not pay for all this.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from panscript.schemas.claude.attachments import ATTACHMENTS
    from panscript.schemas.claude.blocks import BLOCKS
    from panscript.schemas.claude.decoding import ROWS, Row, UnknownRow, decode_row, encode_row
    from panscript.schemas.claude.documentation import json_schema
    from panscript.schemas.claude.drift import unknown_fields
    from panscript.schemas.claude.progress import PROGRESS
    from panscript.schemas.claude.side_files import SIDE_FILES
    from panscript.schemas.claude.system_rows import SYSTEM_ROWS
    from panscript.schemas.claude.tool_results import TOOL_RESULTS, decode_tool_result

__all__ = [
    "ATTACHMENTS",
    "BLOCKS",
    "PROGRESS",
    "ROWS",
    "SIDE_FILES",
    "SYSTEM_ROWS",
    "TOOL_RESULTS",
    "Row",
    "UnknownRow",
    "decode_row",
    "decode_tool_result",
    "encode_row",
    "json_schema",
    "unknown_fields",
]

_HOMES = {
    "ATTACHMENTS": "attachments",
    "BLOCKS": "blocks",
    "PROGRESS": "progress",
    "ROWS": "decoding",
    "SIDE_FILES": "side_files",
    "SYSTEM_ROWS": "system_rows",
    "TOOL_RESULTS": "tool_results",
    "Row": "decoding",
    "UnknownRow": "decoding",
    "decode_row": "decoding",
    "decode_tool_result": "tool_results",
    "encode_row": "decoding",
    "json_schema": "documentation",
    "unknown_fields": "drift",
}


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{home}"), name)
