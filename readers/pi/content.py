"""Content blocks of Pi messages, translated."""

from __future__ import annotations

import msgspec

from panscript.readers.imported import Imported
from panscript.readers.rawjson import clean_raw
from panscript.schemas.events import NO_RAW, Image, Text, Thinking, ToolCall
from panscript.schemas.events import Block as Content
from panscript.schemas.pi.lean import Block

__all__ = ["answer_block", "said_block", "said_text"]

_EMPTY = msgspec.Raw(b"{}")


def said_text(content: str | list[Block] | None) -> str:
    """The visible text of a message."""
    if isinstance(content, str):
        return content
    return "\n\n".join(block.text for block in content or () if block.type == "text" and block.text)


def said_block(block: Block) -> Content | None:
    """A block of what a person, a tool or an extension said; None when its type is not known."""
    if block.type == "text":
        return Text(text=block.text or "")
    if block.type == "image":
        if block.data is not None and not block.data.startswith("blob:"):
            return Image(media_type=block.mime_type or "", data=block.data)
        if block.url is not None:
            return Image(media_type=block.mime_type or "", url=block.url)
        # omp keeps large pictures in a store of its own and leaves their name.
        return Image(media_type=block.mime_type or "", path=block.data or "")
    return None


def answer_block(block: Block, unanswered: set[str], imported: Imported | None) -> Content | None:
    """A block of what a model said; None when its type is not known."""
    kind = block.type
    if kind == "thinking":
        signature = block.thinking_signature
        if block.redacted:
            return Thinking(text=block.thinking or "", signature=signature, redacted=True)
        return Thinking(text=block.thinking or "", signature=signature)
    if kind == "toolCall":
        return _call(block, unanswered, imported)
    if kind == "redactedThinking":
        return Thinking(signature=block.data, redacted=True)
    return said_block(block)


def _call(block: Block, unanswered: set[str], imported: Imported | None) -> ToolCall:
    name, tool = block.id or "", block.name or ""
    answered = name not in unanswered
    arguments = clean_raw(block.arguments) if bytes(block.arguments) else _EMPTY
    if imported is not None:
        text, custom = imported.text_of(name, arguments)
        name, tool = imported.original(name), imported.original(tool)
        if text is not None:
            return ToolCall(id=name, name=tool, text=text, custom=custom, answered=answered)
    elif block.arguments_error and bytes(arguments) == b"{}":
        # The model's own text stands only in the complaint about it.
        return ToolCall(id=name, name=tool, arguments=NO_RAW, text=block.arguments_error, answered=answered)
    return ToolCall(id=name, name=tool, arguments=arguments, answered=answered)
