"""What stands in the `messages` of an Amp thread: messages by role, and their content blocks by type.

Keys that begin with `~` are notes for Amp's own developers and are no part of the format.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

__all__ = ["AssistantMessage", "InfoMessage", "Message", "Usage", "UserMessage"]


class _Named(msgspec.Struct, kw_only=True, omit_defaults=True, rename="camel"):
    """Names are in camel case."""


class _Block(msgspec.Struct, kw_only=True, omit_defaults=True, tag_field="type"):
    """A content block."""


class Text(_Block, kw_only=True, tag="text"):
    """Visible text."""

    text: str | UnsetType = UNSET
    hidden: bool | UnsetType = UNSET  # put before the model without being shown


class ImageSource(_Named, kw_only=True):
    """Where the bytes of a picture are."""

    type: str | UnsetType = UNSET  # base64 or url
    media_type: str | UnsetType = UNSET
    data: str | UnsetType = UNSET
    url: str | UnsetType = UNSET


class Image(_Block, kw_only=True, tag="image", rename="camel"):
    """A picture."""

    source: ImageSource | UnsetType = UNSET
    source_path: str | UnsetType = UNSET  # the file it was taken from


class Thinking(_Block, kw_only=True, tag="thinking"):
    """Reasoning of the model."""

    thinking: str | UnsetType = UNSET
    signature: str | UnsetType = UNSET
    provider: str | UnsetType = UNSET  # whose signature it is


class RedactedThinking(_Block, kw_only=True, tag="redacted_thinking"):
    """Reasoning that the vendor withheld."""

    data: str | UnsetType = UNSET  # payload only the vendor can read
    provider: str | UnsetType = UNSET


class ToolUse(_Block, kw_only=True, tag="tool_use"):
    """A call."""

    id: str | UnsetType = UNSET
    name: str | UnsetType = UNSET
    input: Any = UNSET  # arguments, an object
    complete: bool | UnsetType = UNSET  # false while its arguments are streamed


class ServerToolUse(_Block, kw_only=True, tag="server_tool_use"):
    """A call that the model's vendor answers itself."""

    id: str | UnsetType = UNSET
    name: str | UnsetType = UNSET
    input: Any = UNSET


class RunError(_Named, kw_only=True):
    """Why a call failed."""

    message: str | UnsetType = UNSET
    absolute_path: str | UnsetType = UNSET


class Run(_Named, kw_only=True):
    """How a call was run."""

    status: str | UnsetType = UNSET  # done, error, cancelled, rejected-by-user, in-progress, queued, blocked-on-user
    result: Any = UNSET  # an object of the tool's own, such as {output, exitCode}, or text
    error: RunError | UnsetType = UNSET
    progress: Any = UNSET  # of a sub-agent: threadID
    reason: str | UnsetType = UNSET
    track_files: list[str] | UnsetType = UNSET  # file:// URIs


class ToolResult(_Block, kw_only=True, tag="tool_result"):
    """The answer to a call, in a user message."""

    tool_use_id: str | UnsetType = msgspec.field(name="toolUseID", default=UNSET)
    run: Run | UnsetType = UNSET
    output: str | UnsetType = UNSET  # where there is no run
    status: str | UnsetType = UNSET


class ThreadSummary(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A summary of what was said before."""

    type: str | UnsetType = UNSET  # message
    summary: str | UnsetType = UNSET
    thread: str | UnsetType = UNSET  # the thread it summarises, when it is another one


class Summary(_Block, kw_only=True, tag="summary"):
    """What came before was replaced by this summary for the model."""

    summary: ThreadSummary | UnsetType = UNSET


class ManualBashInvocation(_Block, kw_only=True, tag="manual_bash_invocation", rename="camel"):
    """A command that the person ran."""

    args: dict[str, Any] | UnsetType = UNSET  # cmd
    tool_run: Run | UnsetType = UNSET
    hidden: bool | UnsetType = UNSET  # kept away from the model


_AnyBlock = (
    Text | Image | Thinking | RedactedThinking | ToolUse | ServerToolUse | ToolResult | Summary | ManualBashInvocation
)


class Usage(_Named, kw_only=True):
    """Tokens of one response; the three kinds of input are disjoint."""

    model: str | UnsetType = UNSET
    max_input_tokens: int | UnsetType = UNSET  # the model's window
    input_tokens: int | UnsetType = UNSET  # 0 where the vendor is not Anthropic
    output_tokens: int | UnsetType = UNSET
    cache_creation_input_tokens: int | UnsetType | None = UNSET  # of other vendors: all that was not cached
    cache_read_input_tokens: int | UnsetType | None = UNSET
    total_input_tokens: int | UnsetType = UNSET
    thinking_budget: int | UnsetType = UNSET
    credits: float | UnsetType = UNSET
    credits_since_last_user_message: float | UnsetType = UNSET
    timestamp: str | UnsetType = UNSET  # ISO 8601


class State(_Named, kw_only=True):
    """How a response ended."""

    type: str | UnsetType = UNSET  # complete, cancelled, error, streaming
    stop_reason: str | UnsetType = UNSET  # tool_use, end_turn


class MessageFacts(_Named, kw_only=True):
    """What stands beside a prompt."""

    sent_at: int | float | UnsetType = UNSET  # milliseconds since 1970 UTC


class _Message(_Named, kw_only=True, tag_field="role"):
    """A message."""

    message_id: int | UnsetType = UNSET  # counts up in its thread
    dtw_message_id: str | UnsetType = msgspec.field(name="dtwMessageID", default=UNSET)
    content: list[_AnyBlock] | UnsetType = UNSET
    parent_tool_use_id: str | UnsetType = UNSET


class UserMessage(_Message, kw_only=True, tag="user"):
    """A prompt, or results."""

    meta: MessageFacts | UnsetType = UNSET  # prompts only
    user_state: Any = UNSET  # open files and the like
    agent_mode: str | UnsetType = UNSET
    interrupted: bool | UnsetType = UNSET
    discovered_guidance_files: Any = UNSET
    read_at: int | float | UnsetType = UNSET


class AssistantMessage(_Message, kw_only=True, tag="assistant"):
    """A response of the model."""

    state: State | UnsetType = UNSET
    usage: Usage | UnsetType = UNSET
    cancelled: bool | UnsetType = UNSET


class InfoMessage(_Message, kw_only=True, tag="info"):
    """Said by Amp itself."""


Message = UserMessage | AssistantMessage | InfoMessage
