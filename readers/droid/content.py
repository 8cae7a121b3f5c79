"""Content blocks of Droid messages, translated; and which of them no person typed."""

from __future__ import annotations

import re

import msgspec

from panscript.readers.rawjson import clean_raw
from panscript.schemas.droid.lean import Block, Body, Inner, Row
from panscript.schemas.events import Block as Content
from panscript.schemas.events import File, Image, Text, Thinking, ToolCall

__all__ = ["block_of", "injected_by", "is_prompt", "result_content", "typed_text", "without_reminders"]

_CONTEXT = "context-"
_COMPLETION = "task-completion:"
_REMINDER = re.compile(r"<system-reminder>.*?(?:</system-reminder>\s?|\Z)", re.DOTALL)
_NO_SIGNATURE = "generic-chat-completion-api"
"""On this wire the signature only names the field that the reasoning came in."""
_EMPTY = msgspec.Raw(b"{}")


def injected_by(row: Row, body: Body) -> tuple[str, bool] | None:
    """What put a user row before the model, and whether the person was not shown it; None for what was typed."""
    name = row.id or ""
    if name.startswith(_COMPLETION):
        return "task_notification", True
    if name.startswith(_CONTEXT) and body.visibility is not None:
        return "context", True
    if body.hook_event_name:
        return "hook", body.visibility == "llm_only"
    if body.visibility == "llm_only" or body.hidden_from_user_views or body.is_user_visible is False:
        return "hidden", True
    if body.visibility == "user_only":
        return "notice", False
    return None


def is_prompt(row: Row) -> bool:
    """Whether the row may begin a branch: a prompt, or the context before one."""
    body = row.message
    if body is None or body.role != "user":
        return False
    if (row.id or "").startswith(_CONTEXT):
        return True
    return injected_by(row, body) is None and (
        isinstance(body.content, str) or any(block.type != "tool_result" for block in body.content or ())
    )


def typed_text(row: Row) -> str:
    """What a person typed in this row; empty when it was somebody else."""
    body = row.message
    if body is None or body.role != "user" or injected_by(row, body) is not None:
        return ""
    if isinstance(body.content, str):
        return without_reminders(body.content)[0]
    texts = (without_reminders(block.text)[0] for block in body.content or () if block.type == "text" and block.text)
    return "\n\n".join(text for text in texts if text.strip())


def without_reminders(text: str) -> tuple[str, list[str]]:
    """The text without the reminders that the agent put into it, and those reminders."""
    if "<system-reminder>" not in text:
        return text, []
    start = text.lstrip().startswith("<system-reminder>")
    found = [match.strip() for match in _REMINDER.findall(text)] if start or "</system-reminder>" in text else []
    return (_REMINDER.sub("", text).strip(), found) if found else (text, [])


def block_of(block: Block, unanswered: set[str]) -> Content | None:
    """A block of a message; None when its type is not known."""
    kind = block.type
    if kind == "thinking":
        signature = block.signature if block.signature_provider != _NO_SIGNATURE else None
        return Thinking(text=block.thinking or "", signature=signature)
    if kind == "redacted_thinking":
        return Thinking(signature=block.data, redacted=True)
    if kind == "tool_use":
        arguments = clean_raw(block.input) if bytes(block.input) else _EMPTY
        name = block.id or ""
        return ToolCall(id=name, name=block.name or "", arguments=arguments, answered=name not in unanswered)
    return _said(block)


def _said(block: Inner) -> Content | None:
    source = block.source
    if block.type == "text":
        return Text(text=block.text or "")
    if block.type == "image" and source is not None:
        return Image(
            media_type=source.media_type or "",
            data=source.data if source.data is not None or source.url is not None else "",
            url=source.url if source.data is None else None,
        )
    if block.type == "document" and source is not None:
        return File(media_type=source.media_type or "", name=block.title, data=source.data, url=source.url)
    return None


def result_content(block: Block) -> tuple[tuple[Content, ...], list[tuple[int, str]]]:
    """What a tool answered, and the places and types of parts that are not known."""
    if isinstance(block.content, str):
        return ((Text(text=block.content),) if block.content else ()), []
    content: list[Content] = []
    unknown: list[tuple[int, str]] = []
    for place, part in enumerate(block.content or ()):
        said = _said(part)
        if said is None:
            unknown.append((place, part.type or "(no type)"))
        elif not (isinstance(said, Text) and not said.text):
            content.append(said)
    return tuple(content), unknown
