"""Tool calls in one line, and whole."""

from __future__ import annotations

import shlex
from typing import Any

import msgspec

from panscript.cli.transcript.wording import block_name, cut, lines
from panscript.schemas.events import Block, File, Image, Text, ToolCall
from panscript.schemas.terminal import one_line, shown

__all__ = ["all_arguments", "result_text", "short_arguments"]

_TELLING = (
    "command cmd script file_path filePath path notebook_path pattern query url description prompt name subject"
).split()
"""Arguments that say most of what a call does, whoever's tool it is; the first of them stands without its name."""
_LONGEST, _LONGEST_VALUE = 160, 60
_INDENT = "  "


def short_arguments(call: ToolCall) -> str:
    """The most telling arguments on one line."""
    value = _arguments(call)
    try:
        return cut(_fields(value), _LONGEST) if isinstance(value, dict) else _value(value, _LONGEST)
    except RecursionError:
        return _value(bytes(call.arguments).decode(errors="replace"), _LONGEST)


def _fields(value: dict[str, Any]) -> str:
    said: list[str] = []
    first = next((name for name in _TELLING if value.get(name)), None)
    if first is None and len(value) == 1:
        first = next(iter(value))
    if first is not None:
        said.append(_value(value[first], _LONGEST))
    for name, each in value.items():
        if name != first and sum(map(len, said)) < _LONGEST:
            said.append(f"{_value(name, _LONGEST_VALUE)}={_value(each, _LONGEST_VALUE)}")
    return "  ".join(said)


def _value(value: object, longest: int) -> str:
    if isinstance(value, list) and value and all(isinstance(part, str) for part in value):
        value = shlex.join(value)
    text = value if isinstance(value, str) else msgspec.json.encode(_clean(value)).decode()
    return cut(one_line(text[: longest * 4]), longest)


def all_arguments(call: ToolCall) -> str:
    """Every argument on lines of its own, texts as they are."""
    try:
        return _listed(_arguments(call))
    except RecursionError:
        return lines(bytes(call.arguments).decode(errors="replace"))


def _listed(value: object) -> str:
    if not isinstance(value, dict):
        return lines(value) if isinstance(value, str) else _json(value)
    said = []
    for name, each in value.items():
        text = lines(each) if isinstance(each, str) else _json(each)
        broken = "\n" in text
        text = text.replace("\n", f"\n{_INDENT}")
        said.append(f"{one_line(name)}:{chr(10) + _INDENT if broken else ' '}{text}")
    return "\n".join(said)


def _json(value: object) -> str:
    return lines(msgspec.json.format(msgspec.json.encode(_clean(value)), indent=2).decode())


def _clean(value: object) -> object:
    """The value with every text in it safe to show: once encoded, an escape sequence would no longer be seen."""
    if isinstance(value, str):
        return shown(value)
    if isinstance(value, list):
        return [_clean(each) for each in value]
    if isinstance(value, dict):
        return {shown(name): _clean(each) for name, each in value.items()}
    return value


def _arguments(call: ToolCall) -> Any:
    if call.text is not None:
        return call.text
    raw = bytes(call.arguments)
    if not raw:
        return {}
    try:
        return msgspec.json.decode(raw)
    except (msgspec.DecodeError, RecursionError):
        return raw.decode(errors="replace")


def result_text(blocks: tuple[Block, ...]) -> str:
    """What a call gave, as text that is not yet safe to show; pictures and documents by name."""
    said = []
    for block in blocks:
        if isinstance(block, Text):
            said.append(block.text)
        elif isinstance(block, Image | File):
            said.append(block_name(block))
    return "\n".join(said)
