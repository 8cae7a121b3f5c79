"""`api_conversation_history.json`: what the model saw, an array of messages in the manner of the Anthropic API.

Before tools were called natively (autumn 2025) a call is XML in the model's text, and its result is text of the user
that begins with `[<tool> for '...'] Result:`.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

__all__ = ["ApiMessage", "Block"]


class _Named(msgspec.Struct, kw_only=True, omit_defaults=True, rename="camel"):
    """Names are in camel case."""


class _Block(msgspec.Struct, kw_only=True, omit_defaults=True, tag_field="type"):
    """A content block."""


class Text(_Block, kw_only=True, tag="text"):
    """Text; of the user it may be wrapped in `<task>`, `<feedback>`, `<user_message>`, `<answer>` or `<user_input>`."""

    text: str | UnsetType = UNSET
    reasoning_details: Any = UNSET
    call_id: str | UnsetType = UNSET


class ImageSource(msgspec.Struct, kw_only=True, omit_defaults=True):
    """The bytes of a picture."""

    type: str | UnsetType = UNSET  # base64
    media_type: str | UnsetType = UNSET
    data: str | UnsetType = UNSET


class Image(_Block, kw_only=True, tag="image", rename="camel"):
    """A picture: in a source, or in the sessions of 2026 directly."""

    source: ImageSource | UnsetType = UNSET
    data: str | UnsetType = UNSET
    media_type: str | UnsetType = UNSET


class File(_Block, kw_only=True, tag="file"):
    """A file that was attached (sessions of 2026)."""

    path: str | UnsetType = UNSET
    content: str | UnsetType = UNSET


class ToolUse(_Block, kw_only=True, tag="tool_use"):
    """A call."""

    id: str | UnsetType = UNSET
    name: str | UnsetType = UNSET
    input: Any = UNSET  # an object
    call_id: str | UnsetType = UNSET
    reasoning_details: Any = UNSET


class ToolResult(_Block, kw_only=True, tag="tool_result"):
    """The answer to a call."""

    tool_use_id: str | UnsetType = UNSET
    name: str | UnsetType = UNSET  # sessions of 2026
    content: Any = UNSET  # text, blocks, or objects {query, result, success, error}
    is_error: bool | UnsetType = UNSET
    call_id: str | UnsetType = UNSET


class Thinking(_Block, kw_only=True, tag="thinking"):
    """Reasoning of the model."""

    thinking: str | UnsetType = UNSET
    signature: str | UnsetType = UNSET
    summary: Any = UNSET
    call_id: str | UnsetType = UNSET


class RedactedThinking(_Block, kw_only=True, tag="redacted_thinking"):
    """Reasoning that the vendor withheld."""

    data: str | UnsetType = UNSET
    call_id: str | UnsetType = UNSET


Block = Text | Image | File | ToolUse | ToolResult | Thinking | RedactedThinking


class ModelInfo(_Named, kw_only=True):
    """Who answered."""

    model_id: str | UnsetType = UNSET
    provider_id: str | UnsetType = UNSET
    mode: str | UnsetType = UNSET  # plan or act
    id: str | UnsetType = UNSET  # sessions of 2026: the model
    provider: str | UnsetType = UNSET  # sessions of 2026
    family: str | UnsetType = UNSET  # sessions of 2026


class MetricTokens(msgspec.Struct, kw_only=True, omit_defaults=True):
    """Token counts of a task folder."""

    prompt: int | UnsetType = UNSET
    completion: int | UnsetType = UNSET
    cached: int | UnsetType = UNSET


class Metrics(_Named, kw_only=True):
    """What a response used."""

    tokens: MetricTokens | UnsetType = UNSET  # task folders
    cost: float | UnsetType = UNSET  # US dollars
    input_tokens: int | UnsetType = UNSET  # sessions of 2026: with what was read from a cache
    output_tokens: int | UnsetType = UNSET
    cache_read_tokens: int | UnsetType = UNSET
    cache_write_tokens: int | UnsetType = UNSET


class ApiMessage(_Named, kw_only=True):
    """A message; Roo's arrays also hold items of type `reasoning`."""

    role: str | UnsetType = UNSET  # user or assistant
    content: str | list[Block] | UnsetType = UNSET
    id: str | UnsetType = UNSET
    ts: int | float | UnsetType = UNSET  # milliseconds since 1970 UTC
    model_info: ModelInfo | UnsetType = UNSET
    metrics: Metrics | UnsetType = UNSET
    type: str | UnsetType = UNSET  # Roo: reasoning
    encrypted_content: str | UnsetType = msgspec.field(name="encrypted_content", default=UNSET)  # Roo
    summary: Any = UNSET  # Roo, of reasoning
    reasoning_content: str | UnsetType = msgspec.field(name="reasoning_content", default=UNSET)  # Roo
    reasoning_details: Any = msgspec.field(name="reasoning_details", default=UNSET)  # Roo
    is_summary: bool | UnsetType = UNSET  # Roo: stands for the messages whose condenseParent names it
    condense_id: str | UnsetType = UNSET
    condense_parent: str | UnsetType = UNSET
    is_truncation_marker: bool | UnsetType = UNSET  # Roo: messages whose truncationParent names it are hidden
    truncation_id: str | UnsetType = UNSET
    truncation_parent: str | UnsetType = UNSET
