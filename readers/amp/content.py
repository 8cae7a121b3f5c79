"""Content blocks of Amp's messages, translated."""

from __future__ import annotations

from typing import Any

import msgspec

from panscript.readers.rawjson import clean_raw
from panscript.schemas.amp.lean import Block, Run
from panscript.schemas.events import NO_RAW, Image, Status, Text, Thinking, ToolCall
from panscript.schemas.events import Block as Content

__all__ = ["block_of", "exit_code", "result_of"]

_EMPTY = msgspec.Raw(b"{}")
_FAILED = frozenset({"error", "cancelled", "rejected-by-user"})


def block_of(block: Block, unanswered: set[str]) -> Content | None:
    """A block of a message; None when its type is not known."""
    kind = block.type
    if kind == "text":
        return Text(text=block.text or "")
    if kind == "thinking":
        return Thinking(text=block.thinking or "", signature=block.signature)
    if kind == "redacted_thinking":
        return Thinking(signature=block.data, redacted=True)
    if kind in ("tool_use", "server_tool_use"):
        arguments = clean_raw(block.input) if bytes(block.input) else _EMPTY
        name = block.id or ""
        return ToolCall(id=name, name=block.name or "", arguments=arguments, answered=name not in unanswered)
    if kind == "image" and block.source is not None:
        source = block.source
        return Image(
            media_type=source.mediaType or source.media_type or "",
            data=source.data if source.data is not None or source.url is not None else "",
            url=source.url if source.data is None else None,
        )
    return None


def result_of(block: Block) -> tuple[tuple[Content, ...], Status, msgspec.Raw]:
    """What a tool answered, how the call ended, and the tool's own object around the text."""
    run = block.run
    if run is None:
        text = block.output or ""
        status: Status = "error" if block.status in _FAILED else "ok" if block.status or text else "unknown"
        return _said(text), status, NO_RAW
    value = _value(run.result)
    text = _text(value)
    if value is None:
        text = _failure(run) or _text(_value(run.progress))
    if run.status == "done":
        status = "error" if exit_code(run) else "ok"
    else:
        status = "error" if run.status in _FAILED else "unknown"
    return _said(text), status, clean_raw(run.result) if isinstance(value, dict) else NO_RAW


def exit_code(run: Run) -> int | None:
    """What a command ended with."""
    value = _value(run.result)
    code = value.get("exitCode") if isinstance(value, dict) else None
    return code if type(code) is int else None


def _said(text: str) -> tuple[Content, ...]:
    return (Text(text=text),) if text else ()


def _failure(run: Run) -> str:
    error = _value(run.error)
    if isinstance(error, dict):
        error = error.get("message")
    return error if isinstance(error, str) else ""


def _text(value: Any) -> str:
    """The text in what a tool gave: the whole of it as JSON where it is no text."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        for name in ("output", "content"):
            if isinstance(value.get(name), str):
                return str(value[name])
    return msgspec.json.encode(value).decode() if value not in (None, {}, []) else ""


def _value(raw: msgspec.Raw) -> Any:
    if not bytes(raw):
        return None
    return msgspec.json.decode(clean_raw(raw))
