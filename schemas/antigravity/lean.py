"""What reading needs of a line of a conversation's log, and of a line of the history of prompts."""

from __future__ import annotations

import msgspec

__all__ = ["Call", "Line", "Prompt", "line_decoder", "prompt_decoder"]

NOTHING = msgspec.Raw(b"")


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


line_decoder = msgspec.json.Decoder(Line)
prompt_decoder = msgspec.json.Decoder(Prompt)
