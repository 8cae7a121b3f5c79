"""Items of Goose's messages, translated."""

from __future__ import annotations

from typing import TypeVar

import msgspec

from panscript.readers.rawjson import clean_raw
from panscript.schemas.events import NO_RAW, Block, File, Image, Status, Text, Thinking, ToolCall
from panscript.schemas.goose.lean import CallOutcome, Content, Inner, Result, ResultOutcome

__all__ = ["STATE_TYPES", "result_blocks", "result_details", "result_status", "said"]

STATE_TYPES = frozenset(
    """
    toolConfirmationRequest actionRequired systemNotification conversationCompacted contextLengthExceeded
    summarizationRequested
    """.split()
)
"""Items by which the program and the person speak to each other; no model reads them."""

_IN_RESULTS = frozenset({"text", "image", "audio", "resource", "resource_link"})

_Value = TypeVar("_Value")


def said(item: Content, unanswered: set[str]) -> Block | None:
    """A part of a message; None when its type is none of those that are said."""
    kind = item.type
    if kind == "text":
        return Text(text=item.text or "")
    if kind == "image":
        return Image(media_type=item.mime_type or "", data=_as(item.data, str) or "")
    if kind == "thinking":
        return Thinking(text=item.thinking or "", signature=item.signature or None)
    if kind == "reasoning":
        return Thinking(text=item.text or "")
    if kind == "redactedThinking":
        return Thinking(signature=_as(item.data, str), redacted=True)
    if kind in ("toolRequest", "frontendToolRequest"):
        return _call(item.id or "", item.tool_call or CallOutcome(), unanswered)
    return None


def _call(name: str, outcome: CallOutcome, unanswered: set[str]) -> ToolCall:
    answered = name not in unanswered
    call = outcome.value
    if call is None:
        # What the model wrote is not kept, only what was wrong with it.
        return ToolCall(id=name, name="", text=_message(outcome.error), answered=answered)
    given = bytes(call.arguments)
    arguments = clean_raw(call.arguments) if given and given != b"null" else msgspec.Raw(b"{}")
    return ToolCall(id=name, name=call.name or "", arguments=arguments, answered=answered)


def result_status(outcome: ResultOutcome) -> Status:
    """How a call ended. A command that failed has the status success and says so in its result."""
    if outcome.status == "error" or (isinstance(outcome.value, Result) and outcome.value.is_error):
        return "error"
    return "ok" if outcome.status == "success" else "unknown"


def result_blocks(outcome: ResultOutcome) -> tuple[tuple[Block, ...], list[tuple[int, str]]]:
    """What the model was given as the result of a call, and the places and types of items that are not known."""
    if outcome.value is None:
        text = _message(outcome.error)
        return ((Text(text=text),) if text else ()), []
    items = outcome.value if isinstance(outcome.value, list) else outcome.value.content or []
    # Tools give the same once more for the eyes of the person.
    shown = [item for item in items if item.annotations is None or item.annotations.audience != ["user"]]
    blocks = (_inner(item) for item in shown or items)
    unknown = [(place, item.type or "(no type)") for place, item in enumerate(items) if item.type not in _IN_RESULTS]
    return tuple(block for block in blocks if block is not None), unknown


def result_details(outcome: ResultOutcome) -> msgspec.Raw:
    """The result as a tool gives it to programs, such as the output and exit status of a command."""
    value = outcome.value
    if not isinstance(value, Result) or bytes(value.structured_content) in (b"", b"null"):
        return NO_RAW
    return clean_raw(value.structured_content)


def _inner(item: Inner) -> Block | None:
    kind, media = item.type, item.mime_type or ""
    if kind == "image":
        return Image(media_type=media, data=item.data or "")
    if kind == "audio":
        return File(media_type=media, data=item.data or "")
    if kind == "resource_link":
        return File(media_type=media, name=item.name, url=item.uri or "")
    if kind == "resource" and item.resource is not None:
        found = item.resource
        data = found.text if found.text is not None else found.blob
        return File(media_type=found.mime_type or "", name=found.uri, data=data or "")
    return Text(text=item.text) if item.text else None


def _message(error: msgspec.Raw) -> str:
    """What went wrong: text, or an object that holds some."""
    raw = bytes(error)
    if not raw or raw == b"null":
        return ""
    text = _as(error, str)
    if text is None:
        found = _as(error, dict[str, object]) or {}
        text = found["message"] if isinstance(found.get("message"), str) else None  # type: ignore[assignment]
    return text if text is not None else bytes(clean_raw(error)).decode("utf-8", "replace")


def _as(raw: msgspec.Raw, kind: type[_Value]) -> _Value | None:
    try:
        return msgspec.json.decode(raw, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
