"""Content blocks of response items, by `type`.

Each place allows only some of them, and the real program drops the whole line when it meets another one; the unions
here say which. A plain `text` block belongs to reasoning only.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from panscript.schemas.codex.base import UnknownBlock, Wire, tags
from panscript.schemas.codex.vocabulary import ImageDetail

__all__ = [
    "BLOCKS",
    "AgentMessageBlock",
    "EncryptedContentBlock",
    "InputAudioBlock",
    "InputImageBlock",
    "InputTextBlock",
    "MessageBlock",
    "OutputBlock",
    "OutputTextBlock",
    "ReasoningBlock",
    "ReasoningTextBlock",
    "SummaryBlock",
    "SummaryTextBlock",
    "TextBlock",
    "ToolOutput",
]


class InputTextBlock(Wire, tag_field="type", tag="input_text"):
    """Text given to the model: of a person, of the harness or of a tool."""

    text: str


class OutputTextBlock(Wire, tag_field="type", tag="output_text"):
    """Text of the model."""

    text: str
    annotations: list[Any] | None = None  # as the API sent them; since 0.171
    logprobs: list[Any] | None = None  # as the API sent them; since 0.171


class InputImageBlock(Wire, tag_field="type", tag="input_image"):
    """An image given to the model, by URL or by id."""

    image_url: str | None = None  # a data URL nearly always
    file_id: str | None = None  # instead of the URL; since 0.15x
    detail: ImageDetail | None = None  # since 0.1xx


class InputAudioBlock(Wire, tag_field="type", tag="input_audio"):
    """Sound given to the model, by URL or by id (since 0.15x)."""

    audio_url: str | None = None  # a data URL
    file_id: str | None = None  # instead of the URL


class EncryptedContentBlock(Wire, tag_field="type", tag="encrypted_content"):
    """Content only the API can read."""

    encrypted_content: str


class SummaryTextBlock(Wire, tag_field="type", tag="summary_text"):
    """One part of a reasoning summary."""

    text: str


class ReasoningTextBlock(Wire, tag_field="type", tag="reasoning_text"):
    """Open reasoning text."""

    text: str


class TextBlock(Wire, tag_field="type", tag="text"):
    """Open reasoning text under its other name."""

    text: str


MessageBlock: TypeAlias = InputTextBlock | OutputTextBlock | InputImageBlock | InputAudioBlock | UnknownBlock
OutputBlock: TypeAlias = InputTextBlock | InputImageBlock | InputAudioBlock | EncryptedContentBlock | UnknownBlock
AgentMessageBlock: TypeAlias = InputTextBlock | EncryptedContentBlock | UnknownBlock
SummaryBlock: TypeAlias = SummaryTextBlock | UnknownBlock
ReasoningBlock: TypeAlias = ReasoningTextBlock | TextBlock | UnknownBlock

ToolOutput: TypeAlias = str | list[OutputBlock]
"""What a tool gave back: a text, or blocks. There is no error flag; see the exit status inside the text."""

BLOCKS: dict[str, type[Wire]] = (
    tags(MessageBlock) | tags(OutputBlock) | tags(AgentMessageBlock) | tags(SummaryBlock) | tags(ReasoningBlock)
)
"""Every block name with its struct."""
