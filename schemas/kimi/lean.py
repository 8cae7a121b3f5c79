"""What reading needs of the lines of Kimi CLI and Kimi Code, decoded in one go; everything else is stepped over."""

from __future__ import annotations

import msgspec

__all__ = [
    "CliRow",
    "CodeMessage",
    "CodeRow",
    "Function",
    "LoopEvent",
    "Part",
    "Payload",
    "Result",
    "ReturnValue",
    "State",
    "ToolCall",
    "UsageCliRow",
    "UsageCodeRow",
    "UsageMessage",
    "UsagePayload",
    "WireMessage",
    "cli_decoder",
    "code_decoder",
    "state_decoder",
    "usage_cli_decoder",
    "usage_code_decoder",
]

Count = int | float | str | None
Time = str | int | float | None
_NONE = msgspec.Raw(b"")


class Url(msgspec.Struct, gc=False):
    """Where a picture or recording is: a `data:` URL, an address, or the name of a file beside the session."""

    url: str | None = None
    id: str | None = None


class Part(msgspec.Struct, gc=False):
    """A part of a message."""

    type: str | None = None
    text: str | None = None
    think: str | None = None
    encrypted: str | None = None
    image_url: Url | None = None
    audio_url: Url | None = None
    video_url: Url | None = None
    # Kimi Code's spelling
    image: Url | None = msgspec.field(default=None, name="imageUrl")
    audio: Url | None = msgspec.field(default=None, name="audioUrl")
    video: Url | None = msgspec.field(default=None, name="videoUrl")


Content = str | list[Part] | None


class Function(msgspec.Struct, gc=False):
    """What is called; the arguments are JSON as text."""

    name: str | None = None
    arguments: str | None = None


class ToolCall(msgspec.Struct, gc=False):
    """A call: Kimi CLI's with a function inside, Kimi Code's flat."""

    id: str | None = None
    function: Function | None = None
    name: str | None = None
    arguments: str | None = None


class ReturnValue(msgspec.Struct, gc=False):
    """What a tool gave back."""

    is_error: bool | None = None
    output: Content = None
    message: str | None = None
    display: msgspec.Raw = _NONE


class CliUsage(msgspec.Struct, gc=False):
    """Disjoint token counts of one response."""

    input_other: Count = None
    output: Count = None
    input_cache_read: Count = None
    input_cache_creation: Count = None
    total: Count = None


class Payload(Part):
    """What any line of a wire file carries."""

    user_input: Content = None
    id: str | None = None
    function: Function | None = None
    tool_call_id: str | None = None
    return_value: ReturnValue | None = None
    token_usage: CliUsage | None = None
    message_id: str | None = None
    parent_tool_call_id: str | None = None
    task_tool_call_id: str | None = None
    agent_id: str | None = None
    event: WireMessage | None = None


class WireMessage(msgspec.Struct, gc=False):
    """What happened."""

    type: str | None = None
    payload: Payload | None = None


class CliRow(msgspec.Struct, gc=False):
    """A line of Kimi CLI's `context.jsonl` (it has a role) or `wire.jsonl` (it has a message, or is the first)."""

    role: str | None = None
    content: Content = None
    tool_calls: list[ToolCall] | None = None
    tool_call_id: str | None = None
    type: str | None = None
    protocol_version: str | None = None
    timestamp: Time = None
    message: WireMessage | None = None


class Origin(msgspec.Struct, gc=False):
    """Who put a user message there."""

    kind: str | None = None
    trigger: str | None = None
    phase: str | None = None


class CodeMessage(msgspec.Struct, gc=False, rename="camel"):
    """A message that was put into the context as a whole."""

    role: str | None = None
    content: Content = None
    tool_calls: list[ToolCall] | None = None
    tool_call_id: str | None = None
    id: str | None = None
    provider_message_id: str | None = None
    origin: Origin | None = None
    is_error: bool | None = None
    note: str | None = None


class Result(msgspec.Struct, gc=False, rename="camel"):
    """How a call ended."""

    output: Content = None
    is_error: bool | None = None
    note: str | None = None
    duration_ms: int | float | None = None


class LoopEvent(msgspec.Struct, gc=False, rename="camel"):
    """A piece of a model's step."""

    type: str | None = None
    uuid: str | None = None
    step_uuid: str | None = None
    part: Part | None = None
    tool_call_id: str | None = None
    name: str | None = None
    args: msgspec.Raw = _NONE
    result: Result | None = None
    finish_reason: str | None = None
    message_id: str | None = None


class CodeUsage(msgspec.Struct, gc=False, rename="camel"):
    """Disjoint token counts of one response."""

    input_other: Count = None
    output: Count = None
    input_cache_read: Count = None
    input_cache_creation: Count = None


class Disclosure(msgspec.Struct, gc=False):
    """What the model was told of its surroundings."""

    cwd: str | None = None


class CodeRow(msgspec.Struct, gc=False, rename="camel"):
    """A line of Kimi Code's `wire.jsonl`."""

    type: str | None = None
    time: Time = None
    kind: str | None = None
    protocol_version: str | None = msgspec.field(default=None, name="protocol_version")
    created_at: Time = msgspec.field(default=None, name="created_at")
    message: CodeMessage | None = None
    event: LoopEvent | None = None
    usage: CodeUsage | None = None
    usage_scope: str | None = None
    model: str | None = None
    provider: str | None = None
    model_alias: str | None = None
    system_prompt: str | None = None
    environment_disclosure: Disclosure | None = None
    summary: str | CodeMessage | None = None
    context_summary: str | None = None
    compacted_count: int | float | None = None
    kept_user_message_count: int | float | None = None
    tokens_before: int | float | None = None
    count: int | float | None = None


class Custom(msgspec.Struct, gc=False):
    """What other programs keep with a session."""

    cwd: str | None = None
    parent_session_id: str | None = None
    kind: str | None = None


class State(msgspec.Struct, gc=False):
    """`state.json` of either program, and the older `metadata.json`."""

    id: str | None = None
    custom_title: str | None = None
    title: str | None = None
    cwd: str | None = None
    work_dir: str | None = msgspec.field(default=None, name="workDir")
    created_at: Time = msgspec.field(default=None, name="createdAt")
    forked_from: str | None = msgspec.field(default=None, name="forkedFrom")
    description: str | None = None
    custom: Custom | None = None


class UsagePayload(msgspec.Struct, gc=False):
    """What counting needs of what a line of a wire file carries."""

    token_usage: CliUsage | None = None
    message_id: str | None = None
    parent_tool_call_id: str | None = None
    task_tool_call_id: str | None = None
    agent_id: str | None = None
    event: UsageMessage | None = None


class UsageMessage(msgspec.Struct, gc=False):
    """What counting needs of what happened."""

    type: str | None = None
    payload: UsagePayload | None = None


class UsageCliRow(msgspec.Struct, gc=False):
    """What counting needs of a line of Kimi CLI."""

    role: str | None = None
    type: str | None = None
    timestamp: Time = None
    message: UsageMessage | None = None


class Anything(msgspec.Struct, gc=False):
    """An object of which counting needs only that it is there."""


class UsageCodeRow(msgspec.Struct, gc=False, rename="camel"):
    """What counting needs of a line of Kimi Code."""

    type: str | None = None
    time: Time = None
    kind: str | None = None
    message: Anything | None = None
    event: Anything | None = None
    usage: CodeUsage | None = None
    usage_scope: str | None = None
    model: str | None = None


cli_decoder = msgspec.json.Decoder(CliRow)
usage_cli_decoder = msgspec.json.Decoder(UsageCliRow)
usage_code_decoder = msgspec.json.Decoder(UsageCodeRow)
code_decoder = msgspec.json.Decoder(CodeRow)
state_decoder = msgspec.json.Decoder(State)
