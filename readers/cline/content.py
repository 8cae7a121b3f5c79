"""Content blocks of Cline, Roo Code and Kilo Code, translated."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from panscript.readers.rawjson import clean_raw
from panscript.schemas.cline.lean import Block, Message
from panscript.schemas.events import NO_RAW, File, Image, Status, Text, Thinking, ToolCall
from panscript.schemas.events import Block as Content

__all__ = ["answer_in", "block_of", "picture", "reasoning_of", "result_of", "status_of_text"]

_EMPTY = msgspec.Raw(b"{}")
_ANSWERS = {"attempt_completion": "result", "plan_mode_respond": "response"}
"""Calls whose only use is to say something, and the argument that says it."""
_DATA_URL = re.compile(r"data:([^;,]*)(?:;[^,]*)?;base64,(.*)", re.DOTALL)
_FAILED = re.compile(
    r"The tool execution failed|The user denied this operation|Error(?::| executing| reading| writing)"
)


def block_of(block: Block, unanswered: set[str]) -> Content | None:
    """A block of a message; None when its type is not known."""
    kind = block.type
    if kind == "text":
        return Text(text=block.text or "")
    if kind == "thinking":
        return Thinking(text=block.thinking or "", signature=block.signature)
    if kind == "redacted_thinking":
        return Thinking(signature=block.data, redacted=True)
    if kind == "reasoning":
        return Thinking(text=block.text or _summary(block.summary), signature=block.encrypted_content)
    if kind == "tool_use":
        arguments = clean_raw(block.input) if bytes(block.input) else _EMPTY
        name = block.id or ""
        return ToolCall(id=name, name=block.name or "", arguments=arguments, answered=name not in unanswered)
    if kind == "image":
        source = block.source
        if source is None:
            return Image(media_type=block.mediaType or "", data=block.data or "")
        return Image(
            media_type=source.media_type or "",
            data=source.data if source.data is not None or source.url is not None else "",
            url=source.url if source.data is None else None,
        )
    if kind == "file":
        content = _value(block.content)
        return File(media_type="text/plain", name=block.path, data=content if isinstance(content, str) else None)
    return None


def picture(url: str) -> Image:
    """A picture that is a data URL."""
    found = _DATA_URL.fullmatch(url)
    return Image(media_type=found[1], data=found[2]) if found is not None else Image(url=url)


def reasoning_of(message: Message) -> Thinking:
    """An element of an array that is reasoning by itself."""
    return Thinking(text=_summary(message.summary), signature=message.encrypted_content)


def answer_in(call: ToolCall) -> str:
    """What a call says to the person; empty when it does something else."""
    name = _ANSWERS.get(call.name)
    if name is None:
        return ""
    try:
        said = msgspec.json.decode(call.arguments)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return ""
    text = said.get(name) if isinstance(said, dict) else None
    return text if isinstance(text, str) else ""


def status_of_text(text: str) -> Status:
    """How a call ended whose result is only a text."""
    return "error" if _FAILED.match(text) else "ok"


def result_of(block: Block) -> tuple[list[Content], Status, msgspec.Raw]:
    """What a tool answered, how the call ended, and the objects of the tool around the text.

    A step that fails inside a call says so itself, and the call does not.
    """
    value = _value(block.content)
    items = value if isinstance(value, list) else [value]
    content: list[Content] = []
    failed, objects = False, False
    for item in items:
        if isinstance(item, str):
            content.append(Text(text=item))
        elif isinstance(item, dict):
            known = _known(item)
            if known is None:
                objects = True
                failed = failed or item.get("success") is False
                known = Text(text=_told(item))
            content.append(known)
    content = [each for each in content if not isinstance(each, Text) or each.text]
    first = next((each.text for each in content if isinstance(each, Text)), "")
    if block.is_error or failed:
        status: Status = "error"
    else:
        status = "ok" if block.is_error is False or objects else status_of_text(first)
    return content, status, clean_raw(block.content) if objects else NO_RAW


def _known(item: dict[str, Any]) -> Content | None:
    if item.get("type") not in ("text", "image", "file"):
        return None
    try:
        return block_of(msgspec.convert(item, Block), set())
    except msgspec.ValidationError:
        text = item.get("text")
        return Text(text=text) if isinstance(text, str) else None


def _told(item: dict[str, Any]) -> str:
    """The text in a tool's own object; the whole of it where it has none."""
    said = [item[name] for name in ("result", "output", "error") if isinstance(item.get(name), str) and item[name]]
    if said or any(name in item for name in ("result", "output", "error")):
        return "\n".join(said)
    return msgspec.json.encode(item).decode()


def _summary(raw: msgspec.Raw) -> str:
    value = _value(raw)
    if isinstance(value, str):
        return value
    items = value if isinstance(value, list) else []
    texts = [item.get("text") if isinstance(item, dict) else item for item in items]
    return "\n\n".join(text for text in texts if isinstance(text, str) and text)


def _value(raw: msgspec.Raw) -> Any:
    return msgspec.json.decode(clean_raw(raw)) if bytes(raw) else None
