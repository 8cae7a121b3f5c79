"""What reading needs of a line of a conversation's log, of one of the history, and of an exported document."""

from __future__ import annotations

import msgspec

__all__ = [
    "Call",
    "Generator",
    "Line",
    "Prompt",
    "TrajectoryCall",
    "TrajectoryStep",
    "generator_decoder",
    "line_decoder",
    "prompt_decoder",
    "trajectory_decoder",
]

NOTHING = msgspec.Raw(b"")
Count = int | float | str | None


class Call(msgspec.Struct, gc=False):
    """A call of the model."""

    id: str | None = None
    name: str | None = None
    args: msgspec.Raw = NOTHING


class Line(msgspec.Struct, gc=False):
    """A step."""

    step_index: int | None = None
    source: str | None = None
    type: str | None = None
    status: str | None = None
    created_at: str | int | float | None = None
    content: str | None = None
    thinking: str | None = None
    tool_calls: list[Call] | None = None


class Prompt(msgspec.Struct, gc=False, rename="camel"):
    """What a person typed."""

    conversation_id: str | None = None
    display: str | None = None
    timestamp: str | int | float | None = None
    workspace: str | None = None


class TrajectoryCall(msgspec.Struct, gc=False, rename="camel"):
    """A call of the model."""

    id: str | None = None
    name: str | None = None
    arguments_json: str | None = None


class _About(msgspec.Struct, gc=False, rename="camel"):
    created_at: str | int | float | None = None
    source: str | None = None
    tool_call: TrajectoryCall | None = None


class _Input(msgspec.Struct, gc=False, rename="camel"):
    user_response: str | None = None
    query: str | None = None


class _Planner(msgspec.Struct, gc=False, rename="camel"):
    response: str | None = None
    thinking: str | None = None
    thinking_signature: str | None = None
    tool_calls: list[TrajectoryCall] | None = None


class TrajectoryStep(msgspec.Struct, gc=False, rename="camel"):
    """A step; what a tool gave stands in a member named for its kind."""

    type: str | None = None
    status: str | None = None
    metadata: _About | None = None
    user_input: _Input | None = None
    planner_response: _Planner | None = None


class _Usage(msgspec.Struct, gc=False, rename="camel"):
    input_tokens: Count = None
    output_tokens: Count = None
    response_output_tokens: Count = None
    thinking_output_tokens: Count = None
    cache_read_tokens: Count = None
    response_id: str | None = None


class _Start(msgspec.Struct, gc=False, rename="camel"):
    created_at: str | int | float | None = None


class _Chat(msgspec.Struct, gc=False, rename="camel"):
    model: str | None = None
    response_model: str | None = None
    usage: _Usage | None = None
    chat_start_metadata: _Start | None = None


class Generator(msgspec.Struct, gc=False, rename="camel"):
    """A request to a model."""

    step_indices: list[int] | None = None
    chat_model: _Chat | None = None


line_decoder = msgspec.json.Decoder(Line)
prompt_decoder = msgspec.json.Decoder(Prompt)
trajectory_decoder = msgspec.json.Decoder(TrajectoryStep)
generator_decoder = msgspec.json.Decoder(Generator)
