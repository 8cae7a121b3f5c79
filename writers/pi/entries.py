"""Lines of a Pi session file as this writer writes them: every key that Pi needs, in Pi's order."""

from __future__ import annotations

from typing import Any

import msgspec

from panscript.schemas.separators import escaped

__all__ = [
    "ZERO_COST",
    "Assistant",
    "BashExecution",
    "CompactionEntry",
    "CustomEntry",
    "CustomMessageEntry",
    "Header",
    "ImageBlock",
    "MessageEntry",
    "SessionInfoEntry",
    "TextBlock",
    "ThinkingBlock",
    "ToolCallBlock",
    "ToolResult",
    "Usage",
    "User",
    "line",
]


class _Out(msgspec.Struct, rename="camel", gc=False):
    """Written as it stands: no default is left out."""


class _Sparse(msgspec.Struct, rename="camel", omit_defaults=True, gc=False):
    """Optional keys are left out."""


class Header(_Sparse, tag_field="type", tag="session", kw_only=True):
    """The first line."""

    version: int
    id: str
    timestamp: str
    cwd: str
    parent_session: str | None = None


class TextBlock(_Out, tag_field="type", tag="text"):
    """Text of a message."""

    text: str


class ThinkingBlock(_Out, tag_field="type", tag="thinking"):
    """Thinking, never with a signature."""

    thinking: str


class ImageBlock(_Out, tag_field="type", tag="image"):
    """A picture in base64."""

    data: str
    mime_type: str


class ToolCallBlock(_Out, tag_field="type", tag="toolCall"):
    """A call the model asked for."""

    id: str
    name: str
    arguments: msgspec.Raw


class Cost(msgspec.Struct, rename="camel", frozen=True, gc=False):
    """Dollars, always none."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0
    total: int = 0


ZERO_COST = Cost()


class Usage(_Out):
    """Zeros, and the running estimate of the context."""

    input: int
    output: int
    cache_read: int
    cache_write: int
    total_tokens: int
    cost: Cost = ZERO_COST


class User(_Out, tag_field="role", tag="user"):
    """What the person said."""

    content: list[TextBlock | ImageBlock]
    timestamp: int


class Assistant(_Out, tag_field="role", tag="assistant"):
    """What the model said."""

    content: list[TextBlock | ThinkingBlock | ToolCallBlock]
    api: str
    provider: str
    model: str
    usage: Usage
    stop_reason: str
    timestamp: int


class ToolResult(_Sparse, tag_field="role", tag="toolResult", kw_only=True):
    """The answer to a call."""

    tool_call_id: str
    tool_name: str
    content: list[TextBlock | ImageBlock]
    details: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    is_error: bool
    timestamp: int
    duration_ms: int | None = None


class BashExecution(_Sparse, tag_field="role", tag="bashExecution", kw_only=True):
    """A command of the person."""

    command: str
    output: str
    exit_code: int | None = None
    cancelled: bool
    truncated: bool
    exclude_from_context: bool = False
    timestamp: int


class MessageEntry(_Out, tag_field="type", tag="message"):
    """A message in the tree."""

    id: str
    parent_id: str | None
    timestamp: str
    message: User | Assistant | ToolResult | BashExecution


class CompactionEntry(_Out, tag_field="type", tag="compaction"):
    """A summary in place of what came before."""

    id: str
    parent_id: str | None
    timestamp: str
    summary: str
    first_kept_entry_id: str
    tokens_before: int


class CustomEntry(_Out, tag_field="type", tag="custom"):
    """Data that Pi neither shows nor sends."""

    custom_type: str
    data: Any
    id: str
    parent_id: str | None
    timestamp: str


class CustomMessageEntry(_Out, tag_field="type", tag="custom_message"):
    """A note that is shown and sent."""

    custom_type: str
    content: str | list[TextBlock | ImageBlock]
    display: bool
    id: str
    parent_id: str | None
    timestamp: str


class SessionInfoEntry(_Out, tag_field="type", tag="session_info"):
    """The name of the session."""

    id: str
    parent_id: str | None
    timestamp: str
    name: str


_encode = msgspec.json.Encoder().encode


def line(entry: msgspec.Struct) -> bytes:
    """One line with its LF. Characters at which other programs split lines are escaped."""
    return escaped(_encode(entry)) + b"\n"
