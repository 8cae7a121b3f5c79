"""What reading needs of Droid's files, decoded in one go; everything else is stepped over."""

from __future__ import annotations

import msgspec

__all__ = [
    "STATE_TYPES",
    "Anchor",
    "Block",
    "Body",
    "Inner",
    "Row",
    "Settings",
    "Source",
    "Spent",
    "row_decoder",
    "settings_decoder",
]

STATE_TYPES = frozenset({"session_start", "todo_state", "agent_turn_outcome", "session_settings", "session_end"})
"""Rows of known types that are no part of the conversation."""

Number = int | float | None
Count = int | float | str | None


class Source(msgspec.Struct, gc=False):
    """The bytes of a picture or document."""

    type: str | None = None
    media_type: str | None = None
    data: str | None = None
    url: str | None = None


class Inner(msgspec.Struct, gc=False):
    """A block of a tool's result."""

    type: str | None = None
    text: str | None = None
    title: str | None = None
    source: Source | None = None


class Block(Inner):
    """Any content block of a message."""

    thinking: str | None = None
    signature: str | None = None
    signature_provider: str | None = msgspec.field(default=None, name="signatureProvider")
    data: str | None = None
    id: str | None = None
    name: str | None = None
    input: msgspec.Raw = msgspec.Raw(b"")
    tool_use_id: str | None = None
    content: str | list[Inner] | None = None
    is_error: bool | None = None


class Body(msgspec.Struct, gc=False, rename="camel"):
    """What was said."""

    role: str | None = None
    content: str | list[Block] | None = None
    visibility: str | None = None
    is_user_visible: bool | None = None
    hidden_from_user_views: bool | None = None
    hook_event_name: str | None = None
    model_id: str | None = None
    openai_message_id: str | None = None


class Anchor(msgspec.Struct, gc=False):
    """The last message that a summary stands for."""

    id: str | None = None


class Start(msgspec.Struct, gc=False):
    """The header where it stood one level down."""

    id: str | None = None
    cwd: str | None = None


class Row(msgspec.Struct, gc=False, rename="camel"):
    """Any row."""

    type: str | None = None
    id: str | None = None
    parent_id: str | None = None
    timestamp: str | int | float | None = None
    message: Body | None = None
    # session_start
    title: str | None = None
    session_title: str | None = None
    parent: str | None = None
    forked_at_message_id: str | None = None
    calling_session_id: str | None = None
    cwd: str | None = None
    session: Start | None = None
    # compaction_state
    summary_text: str | None = None
    summary_tokens: Number = None
    summary_kind: str | None = None
    anchor_message: Anchor | None = None


class Spent(msgspec.Struct, gc=False, rename="camel"):
    """Token counts."""

    input_tokens: Count = None
    output_tokens: Count = None
    cache_creation_tokens: Count = None
    cache_read_tokens: Count = None
    thinking_tokens: Count = None


class Settings(msgspec.Struct, gc=False, rename="camel"):
    """The file beside the rows."""

    model: str | None = None
    provider_lock: str | None = None
    provider_lock_timestamp: str | int | float | None = None
    token_usage: Spent | None = None
    system_prompt: str | None = None


row_decoder = msgspec.json.Decoder(Row)
settings_decoder = msgspec.json.Decoder(Settings)
