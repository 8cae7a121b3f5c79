"""Parts of messages and calls of both programs, translated; and which text no person typed."""

from __future__ import annotations

import re
from html import unescape

import msgspec

from panscript.readers.rawjson import clean_raw
from panscript.schemas.events import NO_RAW, Block, File, Image, Text, Thinking, ToolCall
from panscript.schemas.kimi.lean import Content, Part, ReturnValue

__all__ = ["blocks_of", "call_of", "details_of", "part_of", "returned", "shell_parts", "text_of", "without_wrapping"]

_DATA_URL = re.compile(r"data:([\w.+-]+/[\w.+-]+)?((?:;[\w.+=-]+)*);base64,(.*)", re.DOTALL)
_SYSTEM = re.compile(r"\s*<system>(.*?)</system>\s*", re.DOTALL)
_REMINDER = re.compile(r"\s*<system-reminder>.*</system-reminder>\s*", re.DOTALL)
_INPUT = re.compile(r"\s*<bash-input>(.*)</bash-input>\s*", re.DOTALL)
_STREAMS = re.compile(r"\s*<bash-stdout>(.*)</bash-stdout>\s*<bash-stderr>(.*)</bash-stderr>\s*", re.DOTALL)
_EMPTY = msgspec.Raw(b"{}")


def part_of(part: Part) -> Block | None:
    """A part of a message; None when its type is not known."""
    kind = part.type
    if kind == "text":
        return Text(text=part.text or "")
    if kind == "think":
        return Thinking(text=part.think or "", signature=part.encrypted or None)
    if kind == "image_url":
        return _image(part.image_url or part.image)
    if kind in ("audio_url", "video_url"):
        place = part.audio_url or part.audio if kind == "audio_url" else part.video_url or part.video
        return _file(place.url or "" if place is not None else "", kind.removesuffix("_url"))
    return None


def _image(place: object) -> Image:
    url = getattr(place, "url", None) or ""
    match = _DATA_URL.fullmatch(url)
    if match is not None:
        return Image(media_type=match[1] or "", data=match[3])
    if url.startswith(("http://", "https://")):
        return Image(url=url)
    # A name in the store for media that lies beside the session.
    return Image(path=url)


def _file(url: str, kind: str) -> File:
    match = _DATA_URL.fullmatch(url)
    if match is not None:
        return File(media_type=match[1] or kind, data=match[3])
    return File(media_type=kind, url=url or None)


def blocks_of(content: Content) -> tuple[list[Block], list[tuple[int, str]]]:
    """What a message holds, and the places and types of parts that are not known."""
    if isinstance(content, str):
        return [Text(text=content)] if content else [], []
    blocks: list[Block] = []
    unknown: list[tuple[int, str]] = []
    for index, part in enumerate(content or ()):
        block = part_of(part)
        if block is None:
            unknown.append((index, part.type or "(no type)"))
        elif not (isinstance(block, Text) and not block.text):
            blocks.append(block)
    return blocks, unknown


def text_of(content: Content) -> str:
    """The visible text of a message."""
    if isinstance(content, str):
        return content
    return "\n\n".join(part.text for part in content or () if part.type == "text" and part.text)


def call_of(name: str | None, tool: str | None, arguments: str | msgspec.Raw | None, unanswered: set[str]) -> ToolCall:
    """A call whose arguments are JSON, as text or as it stands."""
    answered = (name or "") not in unanswered
    if isinstance(arguments, msgspec.Raw):
        value = clean_raw(arguments) if bytes(arguments) else _EMPTY
        return ToolCall(id=name or "", name=tool or "", arguments=value, answered=answered)
    if not (arguments or "").strip():
        return ToolCall(id=name or "", name=tool or "", arguments=_EMPTY, answered=answered)
    assert arguments is not None
    try:
        msgspec.json.decode(arguments)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return ToolCall(id=name or "", name=tool or "", arguments=NO_RAW, text=arguments, answered=answered)
    return ToolCall(id=name or "", name=tool or "", arguments=clean_raw(arguments.strip().encode()), answered=answered)


def returned(value: ReturnValue) -> tuple[list[Block], list[tuple[int, str]]]:
    """What the model saw of a tool's answer: its output, else the message about it. And the places and types of
    parts that are not known."""
    blocks, unknown = blocks_of(value.output)
    if not blocks and value.message:
        blocks = [Text(text=value.message)]
    return blocks, unknown


def details_of(value: ReturnValue) -> msgspec.Raw:
    """The message and what was shown, where a tool's answer has more than its output."""
    shown = bytes(value.display)
    more = shown not in (b"", b"null", b"[]")
    if not value.message and not more:
        return NO_RAW
    display = clean_raw(value.display) if more else msgspec.Raw(b"[]")
    return msgspec.Raw(msgspec.json.encode({"message": value.message or "", "display": display}))


def shell_parts(text: str, *, is_output: bool) -> tuple[str | None, str | None]:
    """The command or the output of a command that a person ran: (command, None), (None, output)."""
    if not is_output:
        match = _INPUT.fullmatch(text)
        return unescape(match[1] if match is not None else text).strip(), None
    match = _STREAMS.fullmatch(text)
    if match is None:
        return None, unescape(text)
    return None, "\n".join(unescape(stream) for stream in match.groups() if stream)


def without_wrapping(text: str) -> tuple[str, str] | None:
    """What was put before the model in the person's place: its kind and its text. None for what was typed."""
    if _REMINDER.fullmatch(text):
        return "reminder", text.strip()
    match = _SYSTEM.fullmatch(text)
    return ("system", match[1].strip()) if match is not None else None
