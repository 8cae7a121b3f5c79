"""Lines of an OpenClaw session that are its own, or hold more than Pi's of the same type."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from panscript.schemas.pi.base import Base, Number, UnknownMessage
from panscript.schemas.pi.blocks import AssistantContent, UserContent
from panscript.schemas.pi.entries import (
    BranchSummary,
    Compaction,
    Custom,
    CustomMessageEntry,
    Label,
    ModelChange,
    SessionInfo,
    ThinkingLevelChange,
)
from panscript.schemas.pi.entries import SessionHeader as PiHeader
from panscript.schemas.pi.messages import BashExecutionMessage, CompactionSummaryMessage

__all__ = [
    "LINES",
    "AssistantMessage",
    "CustomMessage",
    "MessageEntry",
    "Reset",
    "ToolResultMessage",
    "Usage",
    "UserMessage",
]

_Text = str | UnsetType | None
_Count = Number | UnsetType | None


class SessionHeader(PiHeader, kw_only=True, tag_field="type", tag="session"):
    """First line: `version` 3, 4 since the database; an imported session keeps what it had."""


class ContextUsage(Base, kw_only=True):
    """How full the model's context was after a response."""

    state: str | UnsetType = UNSET
    """`available` where it is known."""
    prompt_tokens: _Count = UNSET
    total_tokens: _Count = UNSET


class Cost(Base, kw_only=True):
    """US dollars of a response, by what was counted."""

    input: _Count = UNSET
    output: _Count = UNSET
    cache_read: _Count = UNSET
    cache_write: _Count = UNSET
    total: _Count = UNSET


class Usage(Base, kw_only=True):
    """Token counts. Of what other programs hand on the names differ: `prompt_tokens` holds what came from the cache."""

    input: _Count = UNSET
    """What neither came from a cache nor went into one."""
    output: _Count = UNSET
    cache_read: _Count = UNSET
    cache_write: _Count = UNSET
    reasoning: _Count = UNSET
    total_tokens: _Count = UNSET
    """Input, output and both of the cache."""
    cost: Cost | Number | UnsetType | None = UNSET
    context_usage: ContextUsage | UnsetType | None = UNSET
    prompt_tokens: _Count = msgspec.field(default=UNSET, name="prompt_tokens")
    completion_tokens: _Count = msgspec.field(default=UNSET, name="completion_tokens")
    input_tokens: _Count = msgspec.field(default=UNSET, name="input_tokens")
    output_tokens: _Count = msgspec.field(default=UNSET, name="output_tokens")
    cached: _Count = UNSET
    cached_input_tokens: _Count = msgspec.field(default=UNSET, name="cached_input_tokens")
    reasoning_tokens: _Count = msgspec.field(default=UNSET, name="reasoning_tokens")
    all_tokens: _Count = msgspec.field(default=UNSET, name="total_tokens")


class Marks(Base, kw_only=True):
    """What OpenClaw notes on a message."""

    run_id: _Text = UNSET
    """The run that made it."""
    sender_is_owner: bool | UnsetType = UNSET
    """A message of the user: whether the owner of the gateway sent it."""


class _MessageBase(Base, kw_only=True):
    """What all messages may have."""

    timestamp: Number | str | UnsetType = UNSET
    """Milliseconds since 1970 UTC."""
    marks: Marks | UnsetType | None = msgspec.field(default=UNSET, name="__openclaw")
    idempotency_key: _Text = UNSET
    """Keeps a message that is sent again from being taken twice; ends with the role."""


class UserMessage(_MessageBase, kw_only=True, tag_field="role", tag="user"):
    """What a person sent; what came through a chat channel may begin with when, `[Wed 2026-02-18 11:21 GMT+1] `."""

    content: str | list[UserContent]


class AssistantMessage(_MessageBase, kw_only=True, tag_field="role", tag="assistant"):
    """A response of a model, or a copy of one for a chat channel (provider `openclaw`)."""

    content: str | list[AssistantContent]
    """A call of a tool that there is not is taken out; its result stays."""
    api: _Text = UNSET
    provider: _Text = UNSET
    model: _Text = UNSET
    """`delivery-mirror` and `gateway-injected` are no models but copies."""
    usage: Usage | UnsetType | None = UNSET
    stop_reason: _Text = UNSET
    response_id: _Text = UNSET
    """The vendor's id of the response."""
    response_model: _Text = UNSET
    """The model that the vendor says it was."""
    error_message: _Text = UNSET
    openclaw_delivery_mirror: Any = UNSET
    """A copy of something delivered: `kind` is channel-final, channel-final-suppressed, message-tool-source-reply."""
    openclaw_message_tool_mirror: Any = UNSET


class ResultDetails(Base, kw_only=True):
    """The tool's own account of a call; every tool has fields of its own beside these."""

    status: Any = UNSET
    """`completed`, `error`."""
    exit_code: Number | UnsetType | None = UNSET
    duration_ms: Number | UnsetType | None = UNSET
    cwd: _Text = UNSET
    error: Any = UNSET


class ToolResultMessage(_MessageBase, kw_only=True, tag_field="role", tag="toolResult"):
    """The result of a call."""

    tool_call_id: str
    tool_name: _Text = UNSET
    content: str | list[UserContent]
    details: ResultDetails | UnsetType | None = UNSET
    """Older versions leave `isError` false where `status` is error; a command that ends with another status than 0 has
    it false in all."""
    is_error: bool | UnsetType = UNSET


class CustomMessage(_MessageBase, kw_only=True, tag_field="role", tag="custom"):
    """A message of the program; `openclaw.nested-tool.v1` is a call inside of a call, which the model does not see."""

    custom_type: _Text = UNSET
    content: str | list[UserContent] | UnsetType = UNSET
    display: bool | UnsetType = UNSET
    exclude_from_context: bool | UnsetType = UNSET
    details: Any = UNSET
    """Of a nested call `runId`, `parentToolCallId`, `toolCallId`, `toolName`, `input`, `result`."""


_Message = (
    UserMessage
    | AssistantMessage
    | ToolResultMessage
    | CustomMessage
    | BashExecutionMessage
    | CompactionSummaryMessage
    | UnknownMessage
)


class _EntryBase(Base, kw_only=True):
    """What all lines but the header have."""

    id: str | UnsetType = UNSET
    """8 hex digits, since 2026.9 a UUID."""
    parent_id: str | UnsetType | None = UNSET
    timestamp: str | Number | UnsetType = UNSET


class MessageEntry(_EntryBase, kw_only=True, tag_field="type", tag="message"):
    """A message of the conversation."""

    message: _Message
    usage: Usage | UnsetType | None = UNSET
    """Counts of the line go before those of its message, field by field."""


class Reset(_EntryBase, kw_only=True, tag_field="type", tag="reset"):
    """The conversation was begun anew: nothing before it reaches the model."""


LINES = (
    SessionHeader,
    MessageEntry,
    Reset,
    ModelChange,
    ThinkingLevelChange,
    Compaction,
    BranchSummary,
    Custom,
    CustomMessageEntry,
    Label,
    SessionInfo,
)
