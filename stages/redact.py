"""Secrets out of every string of every event."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

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


def redact(events: Iterable[Event], redactor: Redactor | None = None, report: FileReport | None = None) -> Iterator[Event]:
    """Replace every secret by its mark: in texts, thinking, arguments, results, titles, paths and opaque data.

    Pictures, signatures and ids are kept whole. One redactor numbers the secrets of one session.
    """
    redactor = redactor if redactor is not None else Redactor()
    for event in events:
        kind = type(event)
        if kind is Message:
            event = _content(event, redactor)
        elif kind is ToolResult:
            event = _result(event, redactor)
        else:
            event = _other(event, redactor)
        if report is not None and redactor.counts:
            for rule, times in redactor.counts.items():
                report.redacted[rule] = report.redacted.get(rule, 0) + times
            redactor.counts.clear()
        yield event




def _content(event: Event, redactor: Redactor) -> Event:
    assert isinstance(event, Message | ToolResult)
    blocks = event.content
    for place, block in enumerate(blocks):
        clean = _block(block, redactor)
        if clean is not block:
            changed = list(blocks)
            changed[place] = clean
            for later in range(place + 1, len(changed)):
                changed[later] = _block(changed[later], redactor)
            return replace(event, content=tuple(changed))
    return event


def _block(block: Block, redactor: Redactor) -> Block:
    kind = type(block)
    if kind is Text:
        text = redactor.text(block.text)  # type: ignore[union-attr]
        return block if text is block.text else Text(text=text)  # type: ignore[union-attr]
    if isinstance(block, ToolCall):
        return _call(block, redactor)
    if isinstance(block, Thinking):
        text = redactor.text(block.text)
        # A signature covers the text it came with; with another text it is worth nothing.
        return block if text is block.text else Thinking(text=text, redacted=block.redacted)
    if isinstance(block, File):
        name = redactor.text(block.name) if block.name else block.name
        url = redactor.text(block.url) if block.url else block.url
        data = redactor.text(block.data) if block.data and block.media_type.startswith("text/") else block.data
        if name is block.name and url is block.url and data is block.data:
            return block
        return replace(block, name=name, url=url, data=data)
    url = redactor.text(block.url) if block.url else block.url  # type: ignore[union-attr]
    path = redactor.text(block.path) if block.path else block.path  # type: ignore[union-attr]
    if url is block.url and path is block.path:  # type: ignore[union-attr]
        return block
    return replace(block, url=url, path=path)


def _call(block: ToolCall, redactor: Redactor) -> ToolCall:
    text = redactor.text(block.text) if block.text else block.text
    name = redactor.text(block.name)
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


def _result(event: Event, redactor: Redactor) -> Event:
    event = _content(event, redactor)
    assert isinstance(event, ToolResult)
    details = _raw(event.details, redactor)
    return event if details is event.details else replace(event, details=details)


_FIELDS: dict[type, tuple[str, ...]] = {
    Compaction: ("summary",),
    Meta: ("cwd", "title", "git_branch"),
    Session: ("cwd", "title", "first_prompt", "git_branch"),
    Shell: ("command", "output"),
    Summary: ("text",),
}


def _other(event: Event, redactor: Redactor) -> Event:
    if isinstance(event, Opaque):
        data = _raw(event.data, redactor)
        return event if data is event.data else replace(event, data=data)
    changes: dict[str, object] = {}
    for name in _FIELDS.get(type(event), ()):
        text = getattr(event, name)
        if text and (clean := redactor.text(text)) is not text:
            changes[name] = clean
    if isinstance(event, Session):
        files = tuple(replace(f, path=redactor.text(f.path)) for f in event.files)
        if files != event.files:
            changes["files"] = files
    return replace(event, **changes) if changes else event  # type: ignore[type-var]
