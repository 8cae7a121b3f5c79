"""What messages of the DeepSeek Harness hold. Every field may be absent."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

__all__ = [
    "Block",
    "Chunk",
    "Flag",
    "Message",
    "Named",
    "Number",
    "Packed",
    "Range",
    "Route",
    "Text",
    "ToolFailure",
    "Usage",
]

Text = str | UnsetType | None
Number = int | float | UnsetType | None
Flag = bool | UnsetType | None


class Named(msgspec.Struct, kw_only=True, omit_defaults=True, rename="camel"):
    """The harness's names are in camel case."""


class Route(Named):
    """A model, and who serves it."""

    provider: Text = UNSET
    model: Text = UNSET


class Usage(Named):
    """What a request cost. Input excludes what a cache gave; reasoning is part of the output."""

    input_tokens: Number = UNSET
    output_tokens: Number = UNSET
    cache_read_tokens: Number = UNSET
    cache_write_tokens: Number = UNSET
    reasoning_tokens: Number = UNSET
    total_tokens: Number = UNSET


class _Block(msgspec.Struct, kw_only=True, omit_defaults=True, rename="camel", tag_field="type"):
    """A content block."""


class TextBlock(_Block, tag="text"):
    """Visible text."""

    text: Text = UNSET


class ReasoningBlock(_Block, tag="reasoning"):
    """Reasoning of the model."""

    text: Text = UNSET


class ImageBlock(_Block, tag="image"):
    """A picture."""

    attachment: Any = UNSET


class ToolCallBlock(_Block, tag="tool-call"):
    """A call that the model asked for."""

    id: Text = UNSET
    name: Text = UNSET
    arguments: Text = UNSET  # JSON, as the model wrote it


class ToolResultBlock(_Block, tag="tool-result"):
    """A result, up to format version 3."""

    tool_call_id: Text = UNSET
    content: list[Block] | UnsetType | None = UNSET
    is_error: Flag = UNSET


Block = TextBlock | ReasoningBlock | ImageBlock | ToolCallBlock | ToolResultBlock


class VendorResponse(Named):
    """What the vendor said about a response."""

    kind: Text = UNSET
    version: Number = UNSET
    api: Text = UNSET
    provider: Text = UNSET
    model: Text = UNSET
    response_id: Text = UNSET
    stop_reason: Text = UNSET


class ReplayState(Named):
    """What is needed to send a response again."""

    response: VendorResponse | UnsetType | None = UNSET
    blocks: list[dict[str, Any]] | UnsetType | None = UNSET  # by block: type, signature


class Section(Named):
    """A part of a runtime context."""

    name: Text = UNSET
    text: Text = UNSET


class Origin(Named):
    """Who a message is from: `user` was typed by a person; `model`, `tool`; others were put there by the harness."""

    kind: Text = UNSET
    provider: Text = UNSET
    model: Text = UNSET
    call_id: Text = UNSET
    replay_state: ReplayState | UnsetType | None = UNSET
    form: Text = UNSET
    sections: list[Section] | UnsetType | None = UNSET
    summary: Text = UNSET
    sender_session_id: Text = UNSET  # of a notice that a sub-agent is done
    compaction_id: Text = UNSET  # of the message that a compaction leaves


class Message(Named):
    """A message of any role."""

    id: Text = UNSET
    role: Text = UNSET  # system, user, assistant, tool
    source: Origin | UnsetType | None = UNSET
    content: list[Block] | UnsetType | None = UNSET
    tool_call_id: Text = UNSET
    is_error: Flag = UNSET  # false also for a command that ends with another code than 0


class ToolFailure(Named):
    """Why a tool failed."""

    name: Text = UNSET
    code: Text = UNSET
    message: Text = UNSET


class Range(Named):
    """From one event to another, as the model sees them."""

    start: Number = UNSET
    end: Number = UNSET


class Chunk(Named):
    """A piece of a response while it is received."""

    type: Text = UNSET  # block-start, text-delta, reasoning-delta, tool-call-delta, block-end, usage, finish
    index: Number = UNSET
    block_type: Text = UNSET
    text: Text = UNSET
    id: Text = UNSET
    name: Text = UNSET
    arguments_delta: Text = UNSET
    block: Block | UnsetType | None = UNSET
    usage: Usage | UnsetType | None = UNSET
    reason: Any = UNSET
    replay_state: ReplayState | UnsetType | None = UNSET


class Packed(Named):
    """Many pieces of one block."""

    turn: Number = UNSET
    step: Number = UNSET
    index: Number = UNSET
    dt: list[int] | UnsetType | None = UNSET  # milliseconds between them
    texts: list[str] | UnsetType | None = UNSET
    args: list[str] | UnsetType | None = UNSET  # of a call's arguments
    id: Text = UNSET
    name: Text = UNSET
