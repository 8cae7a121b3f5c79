"""What Copilot's messages and results hold, translated."""

from __future__ import annotations

from pathlib import PurePosixPath

import msgspec

from panscript.readers.rawjson import clean_raw
from panscript.schemas.copilot.lean import Attachment, Counts, Data, Result, ThoughtBlock, ToolRequest
from panscript.schemas.counts import count
from panscript.schemas.events import Block, File, Image, Text, Thinking, Tokens, ToolCall

__all__ = ["answered", "asked", "attached", "call_block", "thoughts", "tokens_of"]

_IN_RESULTS = frozenset({"text", "image", "terminal", "shell_exit", "audio", "resource", "resource_link"})
_PICTURES = frozenset({".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp"})


def tokens_of(usage: Counts) -> Tokens:
    """The counts in disjoint buckets: the prompt as logged holds what a cache gave and what went into one."""
    read, write = count(usage.cache_read_tokens), count(usage.cache_write_tokens)
    fresh, output = max(0, count(usage.input_tokens) - read - write), count(usage.output_tokens)
    return Tokens(
        input=fresh,
        output=output,
        reasoning=count(usage.reasoning_tokens),
        cache_read=read,
        cache_write=write,
        total=fresh + output + read + write,
    )


def asked(data: Data) -> list[Block]:
    """What a person (or the agent in their name) put before the model."""
    blocks: list[Block] = [Text(text=data.content)] if data.content else []
    blocks.extend(attached(each) for each in data.attachments or ())
    return blocks


def attached(found: Attachment) -> Block:
    """Something beside the text: a picture, a file, a selection."""
    name = found.display_name or found.path or found.file_path
    media_type = found.mime_type or ""
    path = found.path or found.file_path
    if found.data is not None:
        if media_type.startswith("image/"):
            return Image(media_type=media_type, data=found.data)
        return File(media_type=media_type, name=name, data=found.data)
    if found.text is not None:
        return File(media_type="text/plain", name=name, data=found.text)
    if path is not None and PurePosixPath(path.replace("\\", "/")).suffix.lower() in _PICTURES:
        return Image(media_type=media_type, path=path)
    return File(media_type=media_type, name=path or name)


def thoughts(data: Data) -> list[Block]:
    """The reasoning of a response."""
    known = data.reasoning_blocks
    if known is not None and known.blocks and all(_is_vendors(block) for block in known.blocks):
        return [_thought(block) for block in known.blocks]
    signature = data.encrypted_content or data.reasoning_opaque
    if data.reasoning_text or signature:
        return [Thinking(text=data.reasoning_text or "", signature=signature)]
    return []


def _is_vendors(block: ThoughtBlock) -> bool:
    return block.type == "redacted_thinking" or (block.type == "thinking" and block.thinking is not None)


def _thought(block: ThoughtBlock) -> Thinking:
    if block.type == "redacted_thinking":
        return Thinking(signature=block.data, redacted=True)
    return Thinking(text=block.thinking or "", signature=block.signature)


def call_block(request: ToolRequest, unanswered: set[str]) -> ToolCall:
    """A call; the arguments of a custom tool are free text."""
    name, raw = request.tool_call_id or "", bytes(request.arguments)
    is_answered = name not in unanswered
    if raw[:1] == b'"':
        text = _string(raw)
        return ToolCall(
            id=name, name=request.name or "", text=text, custom=request.type == "custom", answered=is_answered
        )
    arguments = clean_raw(raw if raw and raw != b"null" else b"{}")
    return ToolCall(id=name, name=request.name or "", arguments=arguments, answered=is_answered)


def _string(raw: bytes) -> str:
    try:
        found = msgspec.json.decode(bytes(clean_raw(raw)))
    except (msgspec.DecodeError, RecursionError):
        return raw.decode("utf-8", "replace")
    return found if isinstance(found, str) else ""


def answered(result: Result | None, problem: str | None) -> tuple[list[Block], list[tuple[int, str]]]:
    """What a tool gave back, or the complaint that it failed; and the places and types of parts that are not known."""
    blocks: list[Block] = []
    unknown: list[tuple[int, str]] = []
    text = result.content if result is not None and result.content else problem
    if text:
        blocks.append(Text(text=text))
    for place, part in enumerate((result.contents if result is not None else None) or ()):
        if part.type not in _IN_RESULTS:
            unknown.append((place, part.type or "(no type)"))
        if part.type == "image" and part.data is not None:
            blocks.append(Image(media_type=part.mime_type or "", data=part.data))
        elif part.text and not text:
            blocks.append(Text(text=part.text))
    return blocks, unknown
