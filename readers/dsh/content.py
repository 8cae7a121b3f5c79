"""Content blocks of the DeepSeek Harness, translated, and token counts."""

from __future__ import annotations

import msgspec

from panscript.readers.rawjson import clean_raw
from panscript.schemas.counts import count
from panscript.schemas.dsh.lean import Block, Event, Usage
from panscript.schemas.events import Block as Content
from panscript.schemas.events import Image, Text, Thinking, Tokens, ToolCall

__all__ = ["call_block", "is_rewrite", "said_block", "said_text", "tokens_of"]


def said_text(content: str | list[Block] | None) -> str:
    """The visible text of a message."""
    if isinstance(content, str):
        return content
    return "\n\n".join(block.text for block in content or () if block.type == "text" and block.text)


def said_block(block: Block, unanswered: set[str]) -> Content | None:
    """A block of a message or a result; None when its type is not known."""
    kind = block.type
    if kind == "text":
        return Text(text=block.text or "")
    if kind == "reasoning":
        return Thinking(text=block.text or "")
    if kind == "tool-call":
        return call_block(block.id, block.name, block.arguments, unanswered)
    if kind == "image":
        return _picture(block)
    return None


def call_block(name: str | None, tool: str | None, arguments: str | None, unanswered: set[str]) -> ToolCall:
    """A call; the harness keeps its arguments as the text that the model wrote."""
    text = arguments if arguments and arguments.strip() else "{}"
    answered = (name or "") not in unanswered
    try:
        msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return ToolCall(id=name or "", name=tool or "", text=text, answered=answered)
    return ToolCall(id=name or "", name=tool or "", arguments=clean_raw(text.strip().encode()), answered=answered)


def _picture(block: Block) -> Image:
    found = block.attachment
    if found is None or isinstance(found, str):
        return Image(path=found or "")
    media_type = found.media_type or found.mime_type or ""
    if found.data is not None:
        return Image(media_type=media_type, data=found.data)
    if found.url is not None:
        return Image(media_type=media_type, url=found.url)
    return Image(media_type=media_type, path=found.path or found.id or "")


def tokens_of(usage: Usage) -> Tokens:
    """The counts in disjoint buckets."""
    fresh, output = count(usage.input_tokens), count(usage.output_tokens)
    read, write = count(usage.cache_read_tokens), count(usage.cache_write_tokens)
    return Tokens(
        input=fresh,
        output=output,
        reasoning=count(usage.reasoning_tokens),
        cache_read=read,
        cache_write=write,
        total=count(usage.total_tokens) or fresh + output + read + write,
    )


def is_rewrite(row: Event) -> bool:
    """Whether the event stands in place of earlier ones, for the model only."""
    operation = row.surface_op
    return operation is not None and not isinstance(operation, str) and operation.op == "replace"
