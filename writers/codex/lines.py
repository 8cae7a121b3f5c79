"""Lines of a Codex rollout as this writer writes them: the keys that Codex needs, and those it shows."""

from __future__ import annotations

from typing import Any

import msgspec

from panscript.schemas.separators import escaped

__all__ = [
    "AgentMessage",
    "AgentReasoning",
    "Called",
    "CompactionItem",
    "ContextCompacted",
    "CustomToolCall",
    "CustomToolCallOutput",
    "Duration",
    "ExecCommandEnd",
    "FunctionCall",
    "FunctionCallOutput",
    "Git",
    "Given",
    "ImageBlock",
    "IndexLine",
    "InputText",
    "Invocation",
    "Kinds",
    "McpText",
    "McpToolCallEnd",
    "MessageItem",
    "Origin",
    "OutputText",
    "Reasoning",
    "SessionMeta",
    "Spawn",
    "SubAgent",
    "SummaryText",
    "ThreadNameUpdated",
    "UserMessage",
    "compacted",
    "encoded",
    "line",
]


class _Out(msgspec.Struct, gc=False):
    """Written as it stands: no default is left out."""


class _Sparse(msgspec.Struct, omit_defaults=True, gc=False):
    """Optional keys are left out."""


class Git(_Out):
    """The repository, as far as it is known."""

    branch: str


class Spawn(_Sparse, kw_only=True):
    """Who started a sub-agent."""

    parent_thread_id: str
    depth: int
    agent_nickname: str | None = None


class SubAgent(_Out):
    """Where a sub-agent came from."""

    thread_spawn: Spawn


class Origin(_Out):
    """`source` of a sub-agent."""

    subagent: SubAgent


class SessionMeta(_Sparse, kw_only=True):
    """The first line. Without a model provider, which Codex would insist on, and without instructions."""

    id: str
    session_id: str
    timestamp: str
    cwd: str
    originator: str
    cli_version: str
    source: str | Origin
    parent_thread_id: str | None = None
    agent_nickname: str | None = None
    git: Git | None = None


class InputText(_Out, tag_field="type", tag="input_text"):
    """Text that the model is given."""

    text: str


class OutputText(_Out, tag_field="type", tag="output_text"):
    """Text that the model said."""

    text: str


class ImageBlock(_Out, tag_field="type", tag="input_image"):
    """A picture as a `data:` URL."""

    image_url: str


class SummaryText(_Out, tag_field="type", tag="summary_text"):
    """Thinking."""

    text: str


class Kinds(_Out):
    """What each block of a message is."""

    content_item_kinds: list[str]


class MessageItem(_Sparse, tag_field="type", tag="message"):
    """A message."""

    role: str
    content: list[InputText | OutputText | ImageBlock]
    internal_chat_message_metadata_passthrough: Kinds | None = None


class Reasoning(_Sparse, tag_field="type", tag="reasoning"):
    """What the model thought. An id is left out: the vendor would look for it."""

    summary: list[SummaryText]
    encrypted_content: str | None = None


class CompactionItem(_Out, tag_field="type", tag="compaction"):
    """A compaction by the vendor."""

    encrypted_content: str


class FunctionCall(_Out, tag_field="type", tag="function_call"):
    """A call with arguments as JSON text."""

    name: str
    arguments: str
    call_id: str


class CustomToolCall(_Out, tag_field="type", tag="custom_tool_call"):
    """A call with free text."""

    name: str
    input: str
    call_id: str
    status: str = "completed"


class FunctionCallOutput(_Out, tag_field="type", tag="function_call_output"):
    """What a call gave back."""

    call_id: str
    output: str | list[InputText | ImageBlock]


class CustomToolCallOutput(_Out, tag_field="type", tag="custom_tool_call_output"):
    """What a call with free text gave back."""

    call_id: str
    output: str | list[InputText | ImageBlock]


class UserMessage(_Sparse, tag_field="type", tag="user_message"):
    """Shows what the person said; without it a thread is not listed."""

    message: str
    images: list[str] | None = None


class AgentMessage(_Out, tag_field="type", tag="agent_message"):
    """Shows what the model said."""

    message: str


class AgentReasoning(_Out, tag_field="type", tag="agent_reasoning"):
    """Shows what the model thought."""

    text: str


class Invocation(_Out):
    """Which tool was called, with what."""

    server: str
    tool: str
    arguments: Any


class Duration(_Out):
    """How long it took."""

    secs: int
    nanos: int


class McpText(_Out, tag_field="type", tag="text"):
    """Text that a tool gave back."""

    text: str


class Called(_Out, rename="camel"):
    """What a tool gave back."""

    content: list[McpText]
    is_error: bool


class Given(_Out):
    """An answer, as Rust writes it."""

    ok: Called = msgspec.field(name="Ok")


class McpToolCallEnd(_Out, tag_field="type", tag="mcp_tool_call_end"):
    """Shows a call of a foreign tool: of all events that this dialect shows, this one takes any tool."""

    call_id: str
    invocation: Invocation
    duration: Duration
    result: Given


class ExecCommandEnd(_Out, tag_field="type", tag="exec_command_end"):
    """A command of the person that the model is not told of."""

    call_id: str
    command: list[str]
    aggregated_output: str
    exit_code: int
    duration: Duration
    status: str
    source: str = "user_shell"


class ContextCompacted(_Out, tag_field="type", tag="context_compacted"):
    """Shows that there was a compaction."""


class ThreadNameUpdated(_Out, tag_field="type", tag="thread_name_updated"):
    """Names the thread."""

    thread_id: str
    thread_name: str


class IndexLine(_Out):
    """Names the thread, in the index of all threads."""

    id: str
    thread_name: str
    updated_at: str


_encode = msgspec.json.Encoder().encode


def encoded(value: Any) -> bytes:
    """JSON in which characters at which other programs split lines are escaped."""
    return escaped(_encode(value))


def compacted(summary: str, history: list[bytes]) -> bytes:
    """Payload of a compaction: what the model is sent from then on in place of all before."""
    return b'{"message":%b,"replacement_history":[%b]}' % (encoded(summary), b",".join(history))


def line(stamp: str, kind: str, payload: bytes) -> bytes:
    """One line with its LF."""
    return b'{"timestamp":"%b","type":"%b","payload":%b}\n' % (stamp.encode(), kind.encode(), payload)
