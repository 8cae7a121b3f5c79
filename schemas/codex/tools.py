"""Tools and what they did, as events and turn items tell it: commands, file changes, MCP, dynamic tools, images."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from msgspec import Meta, field

from panscript.schemas.codex.base import UnknownBlock, UnknownVariant, Wire, tags
from panscript.schemas.codex.vocabulary import ThreadId, UnixSeconds

__all__ = [
    "DYNAMIC_OUTPUTS",
    "FILE_CHANGES",
    "PARSED_COMMANDS",
    "AddChange",
    "CallToolResult",
    "DeleteChange",
    "Duration",
    "DynamicOutput",
    "DynamicTool",
    "DynamicToolsSnapshot",
    "FileChange",
    "ImageGenerationFailure",
    "ImageGenerationInputImage",
    "InputAudioOutput",
    "InputImageOutput",
    "InputTextOutput",
    "ListFilesCommand",
    "McpAppUi",
    "McpInvocation",
    "McpResult",
    "McpToolCallError",
    "ParsedCommand",
    "ReadCommand",
    "SearchCommand",
    "UnclassifiedCommand",
    "UpdateChange",
]


class Duration(Wire):
    """A span of time, in whole seconds and the rest."""

    secs: int
    nanos: int  # 0 to 999 999 999


class ReadCommand(Wire, tag_field="type", tag="read"):
    """The command shows a file."""

    cmd: str
    name: str  # the file's name
    path: str | None = None  # since 0.5x


class ListFilesCommand(Wire, tag_field="type", tag="list_files"):
    """The command lists files."""

    cmd: str
    path: str | None = None


class SearchCommand(Wire, tag_field="type", tag="search"):
    """The command looks for text."""

    cmd: str
    path: str | None = None
    query: str | None = None


class UnclassifiedCommand(Wire, tag_field="type", tag="unknown"):
    """Any other command; `unknown` is Codex' own word for it."""

    cmd: str


ParsedCommand: TypeAlias = ReadCommand | ListFilesCommand | SearchCommand | UnclassifiedCommand | UnknownVariant
PARSED_COMMANDS: dict[str, type[Wire]] = tags(ParsedCommand)


class AddChange(Wire, tag_field="type", tag="add"):
    """A new file."""

    content: str  # all of it


class DeleteChange(Wire, tag_field="type", tag="delete"):
    """A file that is gone."""

    content: str | None = None  # all that was in it


class UpdateChange(Wire, tag_field="type", tag="update"):
    """A file that changed."""

    unified_diff: str  # hunks without a file header
    move_path: str | None = None  # its new place


FileChange: TypeAlias = AddChange | DeleteChange | UpdateChange | UnknownVariant
"""What a patch did to one file; the path is the key of the map that holds it."""

FILE_CHANGES: dict[str, type[Wire]] = tags(FileChange)


class McpInvocation(Wire):
    """Which MCP tool was called, with what."""

    server: str
    tool: str
    arguments: Any = None
    environment_id: str | None = None  # since 0.15x


class CallToolResult(Wire):
    """What an MCP tool gave back, in MCP's own words."""

    content: list[Any]  # MCP content blocks
    is_error: bool | None = field(name="isError", default=None)
    structured_content: Any = field(name="structuredContent", default=None)
    meta: Any = field(name="_meta", default=None)


class McpResult(Wire):
    """`mcp_tool_call_end.result`: one of the two keys is set."""

    ok: CallToolResult | None = field(name="Ok", default=None)
    err: str | None = field(name="Err", default=None)


class McpToolCallError(Wire):
    """Why an MCP call failed."""

    message: str


class McpAppUi(Wire, rename="camel"):
    """The user interface an MCP tool brings along."""

    preferred_model_display_mode: Annotated[str, Meta(examples=["inline", "fullscreen"])]
    resource_uri: str


class DynamicTool(Wire, rename="camel"):
    """A tool the client lends to the agent, or a named group of them."""

    name: str
    description: str
    type: Annotated[str | None, Meta(examples=["function", "namespace"])] = (
        None  # absent before about 0.14x: a function
    )
    input_schema: Any = None  # JSON Schema of the arguments; of a function
    defer_loading: bool | None = None  # not in the model's list until searched for; of a function
    namespace: str | None = None  # before groups had a `type`
    tools: list[DynamicTool] | None = None  # of a namespace


class DynamicToolsSnapshot(Wire):
    """The dynamic tools of a thread; also the payload of a `dynamic_tools_updated` line (since 0.171)."""

    thread_id: ThreadId
    tools: list[DynamicTool]


class InputTextOutput(Wire, tag_field="type", tag="inputText"):
    """Text of a dynamic tool."""

    text: str


class InputImageOutput(Wire, tag_field="type", tag="inputImage", rename="camel"):
    """An image of a dynamic tool."""

    image_url: str


class InputAudioOutput(Wire, tag_field="type", tag="inputAudio", rename="camel"):
    """Sound of a dynamic tool."""

    audio_url: str


DynamicOutput: TypeAlias = InputTextOutput | InputImageOutput | InputAudioOutput | UnknownBlock
DYNAMIC_OUTPUTS: dict[str, type[Wire]] = tags(DynamicOutput)


class ImageGenerationInputImage(Wire):
    """An image the new one is made from."""

    path: str
    sha256: str


class ImageGenerationFailure(Wire, rename="camel"):
    """Why no image was made."""

    type: Annotated[str, Meta(examples=["usageLimitExceeded"])]
    limit_id: str | None = None
    resets_at: UnixSeconds | None = None
