"""Rows of a Droid session file, one struct a type. The first line of a file is `session_start`.

Times are ISO 8601 text in UTC with milliseconds. All fields may be absent; what older versions wrote is named.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

__all__ = [
    "BLOCKS",
    "ROWS",
    "AgentTurnOutcome",
    "Anchor",
    "CompactionState",
    "Document",
    "Image",
    "MediaSource",
    "MessageBody",
    "MessageRow",
    "RedactedThinking",
    "SessionSettings",
    "SessionStart",
    "Text",
    "Thinking",
    "TodoState",
    "ToolResult",
    "ToolUse",
]


class _Named(msgspec.Struct, kw_only=True, omit_defaults=True, rename="camel"):
    """Droid's own names are in camel case."""


class _Block(msgspec.Struct, kw_only=True, omit_defaults=True, tag_field="type"):
    """Content blocks are those of the Anthropic API, whatever the model."""


class Text(_Block, kw_only=True, tag="text"):
    """Visible text; text that is a `<system-reminder>` was put there by the agent."""

    text: str | UnsetType = UNSET


class Thinking(_Block, kw_only=True, tag="thinking", rename="camel"):
    """Reasoning of the model."""

    thinking: str | UnsetType = UNSET
    signature: str | UnsetType = UNSET  # on the chat-completions wire only the name of the field it came in
    signature_provider: str | UnsetType = UNSET  # the wire: anthropic, openai, generic-chat-completion-api
    duration_ms: int | float | UnsetType = UNSET


class RedactedThinking(_Block, kw_only=True, tag="redacted_thinking"):
    """Reasoning that the vendor withheld."""

    data: str | UnsetType = UNSET  # payload only the vendor can read


class ToolUse(_Block, kw_only=True, tag="tool_use"):
    """A call."""

    id: str | UnsetType = UNSET  # the provider's call id
    name: str | UnsetType = UNSET
    input: Any = UNSET  # arguments, an object


class MediaSource(msgspec.Struct, kw_only=True, omit_defaults=True):
    """Where the bytes of a picture or document are."""

    type: str | UnsetType = UNSET  # base64, url or text
    media_type: str | UnsetType = UNSET
    data: str | UnsetType = UNSET
    url: str | UnsetType = UNSET


class Image(_Block, kw_only=True, tag="image"):
    """A picture."""

    source: MediaSource | UnsetType = UNSET


class Document(_Block, kw_only=True, tag="document"):
    """A document."""

    source: MediaSource | UnsetType = UNSET
    title: str | UnsetType = UNSET


class ToolResult(_Block, kw_only=True, tag="tool_result"):
    """The answer to a call, in a user row."""

    tool_use_id: str | UnsetType = UNSET
    content: str | list[Text | Image | Document] | UnsetType = UNSET
    is_error: bool | UnsetType = UNSET  # true for failing commands, missing files and unknown tools alike


BLOCKS = (Text, Thinking, RedactedThinking, ToolUse, Image, Document, ToolResult)
_AnyBlock = Text | Thinking | RedactedThinking | ToolUse | Image | Document | ToolResult


class MessageBody(_Named, kw_only=True):
    """What was said, and by whom."""

    role: str | UnsetType = UNSET  # user or assistant
    content: str | list[_AnyBlock] | UnsetType = UNSET
    visibility: str | UnsetType = UNSET  # llm_only: never shown; user_only: never sent; absent: both
    is_user_visible: bool | UnsetType = UNSET
    hidden_from_user_views: bool | UnsetType = UNSET
    hook_event_name: str | UnsetType = UNSET  # a hook's notice, not a prompt
    user_message_source: str | UnsetType = UNSET
    interaction_mode: str | UnsetType = UNSET  # user rows
    model_id: str | UnsetType = UNSET  # assistant rows; a model of the person's own is custom:<Display-Name>-<index>
    reasoning_effort: str | UnsetType = UNSET  # assistant rows
    openai_message_id: str | UnsetType = UNSET  # the provider's response id on the chat-completions wire
    chat_completion_reasoning_field: str | UnsetType = UNSET  # name of the field the reasoning came in
    chat_completion_reasoning_content: str | UnsetType = UNSET  # the reasoning once more


class SessionStart(_Named, kw_only=True, tag_field="type", tag="session_start"):
    """The header."""

    id: str | UnsetType = UNSET  # session id
    title: str | UnsetType = UNSET  # of a sub-agent: `Worker: <description>`
    session_title: str | UnsetType = UNSET  # older name of the title
    is_session_title_manually_set: bool | UnsetType = UNSET
    owner: str | UnsetType = UNSET  # user name
    organization_id: str | UnsetType = UNSET
    parent: str | UnsetType = UNSET  # session this one was forked from
    forked_at_message_id: str | UnsetType = UNSET  # the last row copied from it
    calling_session_id: str | UnsetType = UNSET  # sub-agent: the session that started it
    calling_tool_use_id: str | UnsetType = UNSET  # sub-agent: the call that did
    version: int | float | UnsetType = UNSET  # 2
    cwd: str | UnsetType = UNSET
    last_cwd: str | UnsetType = UNSET
    host_id: str | UnsetType = UNSET
    session: dict[str, Any] | UnsetType = UNSET  # older: id and cwd stood one level down


class MessageRow(_Named, kw_only=True, tag_field="type", tag="message"):
    """A message."""

    id: str | UnsetType = UNSET  # `context-<prompt>` and `task-completion:<uuid>` were typed by nobody
    parent_id: str | UnsetType | None = UNSET  # the row before it in the conversation
    timestamp: str | UnsetType = UNSET
    message: MessageBody | UnsetType = UNSET
    tokens: int | float | UnsetType = UNSET  # an estimate of the row's size; nothing that was billed
    compaction_summary_id: str | UnsetType = UNSET  # the compaction it follows


class TodoState(_Named, kw_only=True, tag_field="type", tag="todo_state"):
    """The list of tasks as it is now."""

    id: str | UnsetType = UNSET
    timestamp: str | UnsetType = UNSET
    todos: Any = UNSET  # {"todos": text, one task a line} or a list of tasks
    message_index: int | float | UnsetType = UNSET


class Anchor(_Named, kw_only=True):
    """A message, by its id and its number."""

    id: str | UnsetType = UNSET
    index: int | float | UnsetType = UNSET


class CompactionState(_Named, kw_only=True, tag_field="type", tag="compaction_state"):
    """What was said up to the anchor was replaced by a summary for the model."""

    id: str | UnsetType = UNSET
    timestamp: str | UnsetType = UNSET
    summary_text: str | UnsetType = UNSET
    summary_tokens: int | float | UnsetType = UNSET
    summary_kind: str | UnsetType = UNSET  # llm_summary
    anchor_message: Anchor | UnsetType = UNSET  # the last message that the summary stands for
    removed_count: int | float | UnsetType = UNSET  # messages that it stands for


class AgentTurnOutcome(_Named, kw_only=True, tag_field="type", tag="agent_turn_outcome"):
    """A turn is over; it has neither id nor time."""

    turn_id: str | UnsetType = UNSET  # id of the prompt's row
    reason: str | UnsetType = UNSET  # completed
    result_kind: str | UnsetType = UNSET  # text


class SessionSettings(_Named, kw_only=True, tag_field="type", tag="session_settings"):
    """Settings that changed during the session."""

    id: str | UnsetType = UNSET
    timestamp: str | UnsetType = UNSET
    settings: Any = UNSET


ROWS = (SessionStart, MessageRow, TodoState, CompactionState, AgentTurnOutcome, SessionSettings)
