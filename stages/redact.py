"""Secrets out of every string of every event."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from operator import is_
from typing import Any

import msgspec
from msgspec.structs import replace

from panscript.schemas.events import (
    Block,
    Compaction,
    Event,
    File,
    Message,
    Meta,
    Opaque,
    Session,
    Shell,
    Summary,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
)
from panscript.schemas.report import FileReport
from panscript.stages.redaction import Redactor

__all__ = ["redact"]


def redact(
    events: Iterable[Event], redactor: Redactor | None = None, report: FileReport | None = None
) -> Iterator[Event]:
    """Replace every secret by its mark: in texts, thinking, arguments, results, titles, paths and opaque data.

    Pictures, signatures and ids are kept whole. One redactor numbers the secrets of one session.
    """
    redactor = redactor if redactor is not None else Redactor()
    try:
        for event in events:
            if isinstance(event, Message):
                blocks = _blocks(event.content, redactor)
                clean: Event = event if blocks is event.content else replace(event, content=blocks)
                for name in _NAMES:
                    text = getattr(event, name)
                    if text and (hidden := redactor.text(text)) is not text:
                        clean = replace(clean, **{name: hidden})
            elif isinstance(event, ToolResult):
                clean = _result(event, redactor)
            else:
                clean = _other(event, redactor)
            if report is not None and redactor.counts:
                report.take_redacted(redactor.counts)
            yield clean
    finally:
        # The account stands in what is written, too.
        if report is not None:
            report.rename_unknown(redactor.text)


def _blocks(blocks: tuple[Block, ...], redactor: Redactor) -> tuple[Block, ...]:
    """The same object when there is no secret in them."""
    clean = [_block(block, redactor) for block in blocks]
    return blocks if all(map(is_, clean, blocks)) else tuple(clean)


def _block(block: Block, redactor: Redactor) -> Block:
    if isinstance(block, Text):
        text = redactor.text(block.text)
        return block if text is block.text else Text(text=text)
    if isinstance(block, ToolCall):
        return _call(block, redactor)
    if isinstance(block, Thinking):
        text = redactor.text(block.text)
        # A signature covers the text it came with; with another text it is worth nothing.
        return block if text is block.text else Thinking(text=text, redacted=block.redacted)
    if isinstance(block, File):
        data = block.data
        if data and block.media_type.startswith("text/"):
            data = redactor.text(data)
        name, url = _maybe(block.name, redactor), _maybe(block.url, redactor)
        same = name is block.name and url is block.url and data is block.data
        return block if same else replace(block, name=name, url=url, data=data)
    url, path = _maybe(block.url, redactor), _maybe(block.path, redactor)
    return block if url is block.url and path is block.path else replace(block, url=url, path=path)


def _maybe(text: str | None, redactor: Redactor) -> str | None:
    return redactor.text(text) if text else text


def _call(block: ToolCall, redactor: Redactor) -> ToolCall:
    text, name = _maybe(block.text, redactor), redactor.text(block.name)
    arguments = _raw(block.arguments, redactor)
    if text is block.text and name is block.name and arguments is block.arguments:
        return block
    return replace(block, text=text, name=name, arguments=arguments)


def _raw(raw: msgspec.Raw, redactor: Redactor) -> msgspec.Raw:
    text = bytes(raw)
    if not text:
        return raw
    clean = redactor.json(text)
    return raw if clean is text else msgspec.Raw(clean)


def _result(event: ToolResult, redactor: Redactor) -> ToolResult:
    blocks, details = _blocks(event.content, redactor), _raw(event.details, redactor)
    name = _maybe(event.name, redactor)
    if blocks is event.content and details is event.details and name is event.name:
        return event
    return replace(event, content=blocks, details=details, name=name)


_NAMES = ("model", "provider", "injected")
"""What names a message's maker may hold anything."""
_FIELDS: dict[type, tuple[str, ...]] = {
    Compaction: ("summary",),
    Meta: ("cwd", "title", "git_branch", "version", "model", "provider"),
    Session: ("cwd", "title", "first_prompt", "git_branch", "version", "model", "provider"),
    Shell: ("command", "output"),
    Summary: ("text",),
}


def _other(event: Event, redactor: Redactor) -> Event:
    if isinstance(event, Opaque):
        data, name = _raw(event.data, redactor), redactor.text(event.name)
        return event if data is event.data and name is event.name else replace(event, data=data, name=name)
    changes: dict[str, Any] = {}
    for name in _FIELDS.get(type(event), ()):
        text = getattr(event, name)
        if text and (clean := redactor.text(text)) is not text:
            changes[name] = clean
    if isinstance(event, Session):
        files = tuple(replace(f, path=redactor.text(f.path)) for f in event.files)
        if files != event.files:
            changes["files"] = files
    return replace(event, **changes) if changes else event
