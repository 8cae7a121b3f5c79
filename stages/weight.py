"""About how many bytes an event holds, for stages that have to wait for a later one."""

from __future__ import annotations

from panscript.schemas.events import Block, Event, Message, Text, Thinking, ToolCall, ToolResult

__all__ = ["HELD", "weight"]

HELD = 32 << 20
"""Bytes a stage holds back at most."""
_ALONE = 200


def weight(event: Event) -> int:
    """Bytes, roughly."""
    if isinstance(event, Message | ToolResult):
        return _ALONE + sum(map(_block, event.content))
    return _ALONE


def _block(block: Block) -> int:
    if isinstance(block, Text):
        return len(block.text)
    if isinstance(block, Thinking):
        return len(block.text) + len(block.signature or "")
    if isinstance(block, ToolCall):
        return len(bytes(block.arguments)) + len(block.text or "")
    return len(block.data or "")
