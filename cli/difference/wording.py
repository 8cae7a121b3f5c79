"""Items and fields in words. All of it is made of plain data, as `plain` gives it, and safe to show."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from panscript.cli.transcript.calls import short_arguments
from panscript.cli.transcript.wording import block_name, cut, token_counts
from panscript.schemas import timestamps
from panscript.schemas.events import Image, Tokens, ToolCall
from panscript.schemas.terminal import one_line, shown

__all__ = ["Saying", "field_name", "label", "part_word", "sayings", "summary", "value"]

_SUMMARY = 400
_VALUE = 48
_LABELS = {
    "said": "message",
    "command_run": "command",
    "shell": "command",
    "compacted": "compaction",
    "summarised": "summary",
    "injected": "context",
    "tool_result": "result",
}
_ROLES = {"user": "prompt", "assistant": "answer", "system": "context"}
_PARTS = {
    "written": "text",
    "text": "text",
    "thought": "thinking",
    "thinking": "thinking",
    "picture": "picture",
    "image": "picture",
    "file": "document",
    "called": "call",
    "tool_call": "call",
}
_TIMES = ("time", "logged", "created", "modified")
_TEXTS = ("command", "output", "summary", "text", "title", "name", "first_prompt")
_LISTS = ("parts", "content")


class Saying(NamedTuple):
    """One thing that an item says."""

    word: str
    """What it is: `text`, `thinking`, `call`; empty for the text of an item that has no parts."""
    text: str
    """Not yet safe to show, of any length."""


def label(item: dict[str, Any]) -> str:
    """What an item is."""
    kind = item.get("injected") or item.get("kind")
    word = _ROLES.get(item.get("role") or "", item.get("role")) or _LABELS.get(item["type"], item["type"])
    return one_line(f"context {kind}" if kind else str(word))


def sayings(item: dict[str, Any]) -> Iterator[Saying]:
    """All that an item says, in order."""
    parts = next((item[name] for name in _LISTS if _is_parts(item.get(name))), None)
    if parts is not None:
        for part in parts:
            yield Saying(part_word(part), _part(part))
        return
    for name in _TEXTS:
        if isinstance(text := item.get(name), str) and text.strip():
            yield Saying("" if name != "output" else "output", text)
    if isinstance(tokens := item.get("tokens"), dict):
        yield Saying("tokens", _tokens(tokens))


def part_word(part: dict[str, Any]) -> str:
    """What a part of a message is."""
    return _PARTS.get(part["type"]) or str(part["type"])


def _is_parts(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict)


def _part(part: dict[str, Any]) -> str:
    word = part_word(part)
    if word == "call":
        return f"{part['name']}  {_call(part)}"
    if word in ("picture", "document"):
        place = part.get("path") or part.get("name")
        image = Image(media_type=part["media_type"], data=part.get("data"), url=part.get("url"), path=place)
        return block_name(image)
    return str(part.get("text") or ("[no text]" if word == "thinking" else ""))


def _call(part: dict[str, Any]) -> str:
    arguments = part.get("arguments") if part.get("text") is None else part["text"]
    if isinstance(arguments, str):
        return short_arguments(ToolCall(id="", name="", text=arguments))
    try:
        return short_arguments(ToolCall(id="", name="", arguments=msgspec.Raw(msgspec.json.encode(arguments))))
    except (RecursionError, UnicodeError, OverflowError):
        return "…"


def summary(item: dict[str, Any], width: int) -> str:
    """What an item says on one line."""
    said = (text if word in ("", "text") else f"({word}) {text}" for word, text in sayings(item))
    return cut(one_line(" ".join(text[:_SUMMARY] for text in said)), max(width, 1))


def field_name(path: str, item: dict[str, Any]) -> str:
    """A field as people call it. `item` is the side whose places the path has."""
    first, _, rest = path.partition(".")
    place, _, rest = rest.partition(".")
    parts = item.get(first)
    if first not in _LISTS or not _is_parts(parts) or not place.isdecimal() or int(place) >= len(item[first]):
        return one_line(path.replace("_", " "))
    words = [part_word(part) for part in item[first]]
    word, number = words[int(place)], words[: int(place) + 1].count(words[int(place)])
    name = word if words.count(word) == 1 else f"{word} {number}"
    if rest in ("", "text"):
        return one_line(name)
    # Names of arguments are the tool's own.
    inside = rest.removeprefix("arguments.") if rest.startswith("arguments.") else rest.replace("_", " ")
    return one_line(f"{name}: {inside}")


def value(of: Any, path: str) -> str:
    """What stands in a field, in a few words."""
    name = path.rpartition(".")[2]
    if of is msgspec.UNSET or of is None:
        return "none"
    if name in _TIMES and isinstance(of, int):
        return _time(of)
    if isinstance(of, bool):
        return "yes" if of else "no"
    if isinstance(of, int):
        return f"{of:,}"
    if name == "tokens" and isinstance(of, dict):
        return _tokens(of)
    if isinstance(of, str):
        text = one_line(of[: 4 * _VALUE])
        return f"{cut(text, _VALUE)} ({len(of):,} characters)" if len(of) > _VALUE else text or repr(of)
    try:
        text = msgspec.json.encode(of).decode()
    except (RecursionError, UnicodeError, OverflowError):
        return "…"
    # An escape sequence is spelled out in JSON; what is shown has none of it, either.
    return cut(one_line(shown(text)), _VALUE)


def _time(milliseconds: int) -> str:
    try:
        return timestamps.iso(milliseconds)
    except (ValueError, OverflowError):
        return f"{milliseconds:,}"


def _tokens(tokens: dict[str, Any]) -> str:
    return token_counts(msgspec.convert(tokens, Tokens)) or "0"
