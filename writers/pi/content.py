"""What a message holds, in Pi's blocks, and how many characters Pi takes it for."""

from __future__ import annotations

from panscript.schemas.events import File, Text, Thinking
from panscript.writers.content import Answer, Said
from panscript.writers.estimate import IMAGE, length, raw_length
from panscript.writers.pi.entries import ImageBlock, TextBlock, ThinkingBlock, ToolCallBlock

__all__ = ["answer_blocks", "said_blocks"]


def said_blocks(said: Said) -> tuple[list[TextBlock | ImageBlock], int]:
    """Text and pictures."""
    out: list[TextBlock | ImageBlock] = []
    characters = 0
    for block in said:
        if isinstance(block, Text):
            out.append(TextBlock(block.text))
            characters += length(block.text)
        elif not isinstance(block, File):
            out.append(ImageBlock(block.data, block.media_type))
            characters += IMAGE
    return out, characters


def answer_blocks(answer: Answer) -> tuple[list[TextBlock | ThinkingBlock | ToolCallBlock], int]:
    """Text, thinking and calls."""
    out: list[TextBlock | ThinkingBlock | ToolCallBlock] = []
    characters = 0
    for block in answer:
        if isinstance(block, Text):
            out.append(TextBlock(block.text))
            characters += length(block.text)
        elif isinstance(block, Thinking):
            out.append(ThinkingBlock(block.text))
            characters += length(block.text)
        else:
            out.append(ToolCallBlock(block.id, block.name, block.arguments))
            characters += len(block.name) + raw_length(block.arguments)
    return out, characters
