"""Lines of a Pi session file as this writer writes them: every key that Pi needs, in Pi's order."""

from __future__ import annotations

from typing import Any

import msgspec

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
    version: int
    id: str
    timestamp: str
    cwd: str
    parent_session: str | None = None


class TextBlock(_Out, tag_field="type", tag="text"):
    text: str


class ThinkingBlock(_Out, tag_field="type", tag="thinking"):
    thinking: str


class ImageBlock(_Out, tag_field="type", tag="image"):
    data: str
    mime_type: str


class ToolCallBlock(_Out, tag_field="type", tag="toolCall"):
    id: str
    name: str
    arguments: msgspec.Raw


class Cost(_Out, frozen=True):
    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0
    total: int = 0


ZERO_COST = Cost()


class Usage(_Out):
    input: int
    output: int
    cache_read: int
    cache_write: int
    total_tokens: int
    cost: Cost = ZERO_COST


class User(_Out, tag_field="role", tag="user"):
    content: list[TextBlock | ImageBlock]
    timestamp: int


class Assistant(_Out, tag_field="role", tag="assistant"):
    content: list[TextBlock | ThinkingBlock | ToolCallBlock]
    api: str
    provider: str
    model: str
    usage: Usage
    stop_reason: str
    timestamp: int


class ToolResult(_Sparse, tag_field="role", tag="toolResult", kw_only=True):
    tool_call_id: str
    tool_name: str
    content: list[TextBlock | ImageBlock]
    details: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    is_error: bool
    timestamp: int
    duration_ms: int | None = None


class BashExecution(_Sparse, tag_field="role", tag="bashExecution", kw_only=True):
    command: str
    output: str
    exit_code: int | None = None
    cancelled: bool
    truncated: bool
    exclude_from_context: bool = False
    timestamp: int


class MessageEntry(_Out, tag_field="type", tag="message"):
    id: str
    parent_id: str | None
    timestamp: str
    message: User | Assistant | ToolResult | BashExecution


class CompactionEntry(_Out, tag_field="type", tag="compaction"):
    id: str
    parent_id: str | None
    timestamp: str
    summary: str
    first_kept_entry_id: str
    tokens_before: int


class CustomEntry(_Out, tag_field="type", tag="custom"):
    custom_type: str
    data: Any
    id: str
    parent_id: str | None
    timestamp: str


class CustomMessageEntry(_Out, tag_field="type", tag="custom_message"):
    custom_type: str
    content: str | list[TextBlock | ImageBlock]
    display: bool
    id: str
    parent_id: str | None
    timestamp: str


class SessionInfoEntry(_Out, tag_field="type", tag="session_info"):
    id: str
    parent_id: str | None
    timestamp: str
    name: str


_encode = msgspec.json.Encoder().encode


def line(entry: msgspec.Struct) -> bytes:
    """One line with its LF. Characters at which other programs split lines are escaped."""
    raw = _encode(entry)
    if not raw.isascii():
        if b"\xe2\x80" in raw:
            raw = raw.replace(b"\xe2\x80\xa8", b"\\u2028").replace(b"\xe2\x80\xa9", b"\\u2029")
        if b"\xc2\x85" in raw:
            raw = raw.replace(b"\xc2\x85", b"\\u0085")
    return raw + b"\n"
