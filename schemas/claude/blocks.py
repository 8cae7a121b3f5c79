"""Content blocks of `message.content`, an open union told apart by `type`.

A block of an unknown type is kept as `UnknownBlock`. Result blocks of server-side tools carry a list or an error
object in `content`; they are rare in transcripts because web search runs as a request of its own.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import msgspec

from panscript.schemas.claude.base import UNKNOWN_TAG, ApiNative

__all__ = [
    "BLOCKS",
    "Block",
    "CodeExecutionToolResultBlock",
    "DocumentBlock",
    "ImageBlock",
    "McpToolResultBlock",
    "McpToolUseBlock",
    "MediaSource",
    "RedactedThinkingBlock",
    "ServerToolUseBlock",
    "TextBlock",
    "ThinkingBlock",
    "ToolReferenceBlock",
    "ToolResultBlock",
    "ToolUseBlock",
    "UnknownBlock",
    "WebFetchToolResultBlock",
    "WebSearchToolResultBlock",
]


class TextBlock(ApiNative, frozen=True, kw_only=True, tag="text"):
    """Text of the person, the model or a tool."""

    text: str
    """The text."""
    citations: list[Any] | None = None
    """Sources the API attached to the text."""


class ThinkingBlock(ApiNative, frozen=True, kw_only=True, tag="thinking"):
    """Reasoning of the model."""

    thinking: str
    """The reasoning; often empty with only a signature since about 2.1.1xx (display omitted)."""
    signature: str | None = None
    """Proof of origin, opaque; the API refuses an empty or foreign one."""


class RedactedThinkingBlock(ApiNative, frozen=True, kw_only=True, tag="redacted_thinking"):
    """Reasoning the API gave only in encrypted form."""

    data: str
    """The encrypted reasoning, opaque."""


class ToolUseBlock(ApiNative, frozen=True, kw_only=True, tag="tool_use"):
    """The model's call of a tool."""

    id: str
    """Id of the call, `toolu_...`; `[a-zA-Z0-9_-]+`."""
    name: str
    """Name of the tool; MCP tools are `mcp__<server>__<tool>`."""
    input: Any
    """Arguments, a parsed object; its keys belong to the tool."""
    caller: Any = None
    """Who made the call when it was not the model itself."""


class ServerToolUseBlock(ApiNative, frozen=True, kw_only=True, tag="server_tool_use"):
    """The model's call of a tool that runs on the API's side."""

    id: str
    """Id of the call, `srvtoolu_...`."""
    name: str
    """Name of the tool."""
    input: Any
    """Arguments, a parsed object."""
    caller: Any = None
    """Who made the call when it was not the model itself."""


class McpToolUseBlock(ApiNative, frozen=True, kw_only=True, tag="mcp_tool_use"):
    """The model's call of an MCP tool through the API's connector."""

    id: str
    """Id of the call."""
    name: str
    """Name of the tool."""
    input: Any
    """Arguments, a parsed object."""
    server_name: str | None = None
    """Name of the MCP server."""


class ToolResultBlock(ApiNative, frozen=True, kw_only=True, tag="tool_result"):
    """Result of a tool call, in a user row."""

    tool_use_id: str
    """Id of the call it answers."""
    content: str | list[Block] | None = None
    """Result as text or blocks (text, image, document, tool_reference); may be missing."""
    is_error: bool | None = None
    """True if the call failed; absent or false otherwise."""


class WebSearchToolResultBlock(ApiNative, frozen=True, kw_only=True, tag="web_search_tool_result"):
    """Result of a server-side web search."""

    tool_use_id: str
    """Id of the call it answers."""
    content: Any = None
    """List of hits, or an error object."""
    caller: Any = None
    """Who made the call when it was not the model itself."""


class WebFetchToolResultBlock(ApiNative, frozen=True, kw_only=True, tag="web_fetch_tool_result"):
    """Result of a server-side page fetch."""

    tool_use_id: str
    """Id of the call it answers."""
    content: Any = None
    """The fetched document, or an error object."""
    caller: Any = None
    """Who made the call when it was not the model itself."""


class CodeExecutionToolResultBlock(ApiNative, frozen=True, kw_only=True, tag="code_execution_tool_result"):
    """Result of server-side code execution."""

    tool_use_id: str
    """Id of the call it answers."""
    content: Any = None
    """Output of the code, or an error object."""


class McpToolResultBlock(ApiNative, frozen=True, kw_only=True, tag="mcp_tool_result"):
    """Result of an MCP tool called through the API's connector."""

    tool_use_id: str
    """Id of the call it answers."""
    content: Any = None
    """Text or a list of blocks."""
    is_error: bool | None = None
    """True if the call failed."""


class ToolReferenceBlock(ApiNative, frozen=True, kw_only=True, tag="tool_reference"):
    """A tool that ToolSearch found, inside a tool result."""

    tool_name: str | None = None
    """Name of the tool."""


class MediaSource(ApiNative, frozen=True, kw_only=True):
    """Where an image or document is; on disk nearly always inline."""

    type: str
    """`base64`, `url`, `file` or `text`."""
    media_type: str | None = None
    """MIME type of `data`."""
    data: str | None = None
    """The bytes in base64, or the text itself."""
    url: str | None = None
    """Address of a `url` source."""
    file_id: str | None = None
    """Id of a `file` source."""


class ImageBlock(ApiNative, frozen=True, kw_only=True, tag="image"):
    """An image, inline. A pasted one is followed by an injected row naming its path."""

    source: MediaSource
    """The image."""


class DocumentBlock(ApiNative, frozen=True, kw_only=True, tag="document"):
    """A document such as a PDF."""

    source: MediaSource
    """The document."""
    title: str | None = None
    """Title of the document."""
    context: str | None = None
    """What the document is about."""
    citations: Any = None
    """Settings for citing the document."""


class UnknownBlock(ApiNative, frozen=True, kw_only=True, tag=UNKNOWN_TAG):
    """A block whose type this schema does not know."""

    kind: str
    """The type as written."""
    body: dict[str, Any]
    """The whole block as written."""


Block: TypeAlias = (
    TextBlock
    | ThinkingBlock
    | RedactedThinkingBlock
    | ToolUseBlock
    | ServerToolUseBlock
    | McpToolUseBlock
    | ToolResultBlock
    | WebSearchToolResultBlock
    | WebFetchToolResultBlock
    | CodeExecutionToolResultBlock
    | McpToolResultBlock
    | ToolReferenceBlock
    | ImageBlock
    | DocumentBlock
    | UnknownBlock
)

BLOCKS: dict[str, type[msgspec.Struct]] = {
    "text": TextBlock,
    "thinking": ThinkingBlock,
    "redacted_thinking": RedactedThinkingBlock,
    "tool_use": ToolUseBlock,
    "server_tool_use": ServerToolUseBlock,
    "mcp_tool_use": McpToolUseBlock,
    "tool_result": ToolResultBlock,
    "web_search_tool_result": WebSearchToolResultBlock,
    "web_fetch_tool_result": WebFetchToolResultBlock,
    "code_execution_tool_result": CodeExecutionToolResultBlock,
    "mcp_tool_result": McpToolResultBlock,
    "tool_reference": ToolReferenceBlock,
    "image": ImageBlock,
    "document": DocumentBlock,
}
"""Content block structs by their `type`."""
