"""What messages hold, as Codex' items and events."""

from __future__ import annotations

from typing import Any

import msgspec

from panscript.schemas.events import File, Text, Thinking
from panscript.writers.codex.lines import (
    Called,
    CompactionItem,
    CustomToolCall,
    Duration,
    FunctionCall,
    Given,
    ImageBlock,
    InputText,
    Invocation,
    Kinds,
    McpText,
    McpToolCallEnd,
    MessageItem,
    OutputText,
    Reasoning,
    SummaryText,
    UserMessage,
)
from panscript.writers.content import Answer, Call, Said
from panscript.writers.estimate import IMAGE, length

__all__ = ["Items", "answer_items", "call_end", "given_blocks", "said_item", "span", "user_event"]

_SHOWN = 2000
"""Characters of what a tool was called with, and of what it gave back, that the screen is given a second time."""
_Item = MessageItem | Reasoning | CompactionItem | FunctionCall | CustomToolCall
Items = list[tuple[_Item, int]]


def given_blocks(said: Said) -> tuple[list[InputText | ImageBlock], int]:
    """Text and pictures, and how many characters they count for."""
    out: list[InputText | ImageBlock] = []
    characters = 0
    for block in said:
        if isinstance(block, Text):
            out.append(InputText(block.text))
            characters += length(block.text)
        elif not isinstance(block, File):
            out.append(ImageBlock(f"data:{block.media_type};base64,{block.data}"))
            characters += IMAGE
    return out, characters


def said_item(role: str, said: Said, kinds: list[str] | None = None) -> tuple[MessageItem, int]:
    """A message, and how many characters it counts for. `kinds`: what its blocks are, if a person did not type them."""
    blocks, characters = given_blocks(said)
    if kinds is None and role == "user":
        kinds = ["user.text" if isinstance(block, InputText) else "user.image" for block in blocks]
    return MessageItem(role, [*blocks], Kinds(kinds) if kinds is not None else None), characters


def user_event(said: Said) -> UserMessage:
    """The same for the screen."""
    blocks, _ = given_blocks(said)
    text = "\n\n".join(block.text for block in blocks if isinstance(block, InputText))
    return UserMessage(text, [block.image_url for block in blocks if isinstance(block, ImageBlock)] or None)


def answer_items(answer: Answer) -> Items:
    """The items of an answer in their order, each with the characters it counts for."""
    items: Items = []
    run: list[str] = []
    for block in answer:
        if isinstance(block, Text):
            run.append(block.text)
            continue
        _close(run, items)
        if isinstance(block, Thinking):
            items.append(_thought(block))
        else:
            items.append(_call(block))
    _close(run, items)
    return items


def _close(run: list[str], items: Items) -> None:
    if run:
        blocks: list[InputText | OutputText | ImageBlock] = [OutputText(text) for text in run]
        items.append((MessageItem("assistant", blocks), sum(length(text) for text in run)))
        run.clear()


def _thought(block: Thinking) -> tuple[Reasoning | CompactionItem, int]:
    if block.redacted and block.signature is not None and not block.text:
        # That is what Codex' own compactions are read as.
        return CompactionItem(block.signature), 0
    summary = [SummaryText(block.text)] if block.text else []
    return Reasoning(summary, block.signature), length(block.text)


def _call(call: Call) -> tuple[FunctionCall | CustomToolCall, int]:
    text = call.text if call.text is not None else bytes(call.arguments).decode("utf-8", "replace")
    size = length(text) + len(call.name)
    if call.custom:
        return CustomToolCall(call.name, text, call.id), size
    return FunctionCall(call.name, text, call.id), size


def span(milliseconds: int | None) -> Duration:
    """A duration; none at all is 0."""
    seconds, rest = divmod(milliseconds or 0, 1000)
    return Duration(seconds, rest * 1_000_000)


def call_end(call: Call, said: Said, server: str, *, error: bool, took: int | None) -> McpToolCallEnd:
    """A call and the beginning of what it gave back, for the screen."""
    shown: list[McpText] = []
    left = _SHOWN
    for block in said:
        text = block.text if isinstance(block, Text) else "[Image]"
        if left <= 0:
            break
        shown.append(McpText(_cut(text, left)))
        left -= len(text)
    invocation = Invocation(server, call.name, _shown_arguments(call))
    return McpToolCallEnd(call.id, invocation, span(took), Given(ok=Called(shown, error)))


def _shown_arguments(call: Call) -> Any:
    if call.text is not None:
        return _cut(call.text, _SHOWN)
    raw = bytes(call.arguments)
    if not raw:
        return None
    return msgspec.Raw(raw) if len(raw) <= _SHOWN else _cut(raw.decode("utf-8", "replace"), _SHOWN)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]}…"
