"""Content of Codex response items, translated."""

from __future__ import annotations

import json
import re
from typing import Any

import msgspec

from panscript.readers.codex.injected import block_text
from panscript.readers.codex.outcomes import unwrap
from panscript.schemas.codex.lean import Block, Payload
from panscript.schemas.codex.texts import failed
from panscript.schemas.events import NO_RAW, File, Image, Text, Thinking, ToolCall
from panscript.schemas.events import Block as Content

__all__ = ["Output", "call", "field_text", "joined", "json_value", "output", "picture", "spoken", "thinking"]

_DATA = re.compile(r"data:([^;,]*)((?:;[^;,]*)*),")
_HALF = re.compile(rb"\\u[dD][89a-fA-F]")
_ENCRYPTED = "[Encrypted content that only its vendor can read]"
_NAMES = {
    "local_shell_call": "local_shell",
    "web_search_call": "web_search",
    "tool_search_call": "tool_search",
    "image_generation_call": "image_generation",
}


class Output(msgspec.Struct, frozen=True):
    """What a call gave back."""

    content: tuple[Content, ...] = ()
    failed: bool = False
    details: msgspec.Raw = NO_RAW
    unknown: tuple[tuple[int, str], ...] = ()
    """Places and types of blocks that are not known."""


def json_value(raw: bytes) -> msgspec.Raw | None:
    """A JSON value as one line of valid UTF-8 without unpaired surrogates; None when it is no JSON."""
    raw = raw.strip(b" \t\r\n")
    try:
        msgspec.json.decode(raw, type=msgspec.Raw)
        text = "" if raw.isascii() else raw.decode()
        if text.isascii() and _HALF.search(raw):
            msgspec.json.decode(raw)
        if b"\n" in raw or b"\r" in raw:
            raw = msgspec.json.format(raw, indent=-1)
        return msgspec.Raw(bytes(raw))
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return _repaired(raw)


def _repaired(raw: bytes) -> msgspec.Raw | None:
    """The same of JSON that holds halves of surrogate pairs or bytes that are no UTF-8; never raises."""
    try:
        value = json.loads(raw.decode("utf-8", "replace"), parse_constant=_refuse)
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        return msgspec.Raw(text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode())
    except (ValueError, RecursionError):
        return None


def _refuse(constant: str) -> Any:
    raise ValueError(constant)


def field_text(raw: bytes, name: str) -> str:
    """One field of a payload as JSON text, for values that the lean view does not hold."""
    try:
        row = json.loads(raw.strip(b"\0\xef\xbb\xbf \t\r\n").decode("utf-8", "replace"))
        payload = row.get("payload", row)
        text = json.dumps(payload.get(name), ensure_ascii=False)
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    except (ValueError, RecursionError, AttributeError):
        return ""


def joined(content: str | list[Block] | None) -> str:
    """The text blocks of a message, joined by a blank line."""
    if isinstance(content, str):
        return content
    return "\n\n".join(text for block in content or () if (text := block_text(block)))


def spoken(block: Block) -> Content | None:
    """A block that is said or shown; None for types that are not known."""
    text = block_text(block)
    if text is not None:
        return Text(text=text)
    if block.type in ("input_image", "image"):
        return picture(block.image_url, block.file_id)
    if block.type == "local_image":
        return Image(path=block.path or "")
    if block.type == "input_audio":
        return _recording(block)
    if block.type == "encrypted_content":
        return Text(text=_ENCRYPTED)
    if block.type in ("reasoning_text", "summary_text"):
        return Text(text=block.text or "")
    return None


def picture(url: str | None, file_id: str | None = None) -> Image:
    """A picture by its URL; a `data:` URL is taken apart."""
    if url is None:
        return Image(path=file_id or "")
    found = _DATA.match(url)
    if found is not None and ";base64" in found[2]:
        return Image(media_type=found[1], data=url[found.end() :])
    if url.startswith("data:") or "://" in url[:12]:
        return Image(url=url)
    return Image(path=url)


def _recording(block: Block) -> File:
    url = block.audio_url
    found = _DATA.match(url) if url is not None else None
    if url is not None and found is not None and ";base64" in found[2]:
        return File(media_type=found[1], data=url[found.end() :])
    return File(name=block.file_id, url=url)


def thinking(item: Payload) -> Thinking:
    """What the model thought, as far as it is open."""
    text = ""
    for part in (item.summary, item.content):
        if not text and isinstance(part, list):
            text = "\n\n".join(block.text for block in part if block.text)
    return Thinking(text=text, signature=item.encrypted_content)


def call(item: Payload, name: str, answered: bool) -> ToolCall:
    """A call; `name` is the id that its output names."""
    kind = item.type
    if kind == "custom_tool_call":
        return ToolCall(id=name, name=item.name or "", text=item.input or "", custom=True, answered=answered)
    tool = item.name or _NAMES.get(kind or "", "")
    if item.namespace and item.name:
        tool = f"{item.namespace}__{item.name}"
    if kind == "image_generation_call":
        said = {} if item.revised_prompt is None else {"prompt": item.revised_prompt}
        return ToolCall(id=name, name=tool, arguments=msgspec.Raw(msgspec.json.encode(said)), answered=answered)
    logged = item.action if kind in ("local_shell_call", "web_search_call") else item.arguments
    text, arguments = _arguments(bytes(logged))
    return ToolCall(id=name, name=tool, arguments=arguments, text=text, answered=answered)


def _arguments(logged: bytes) -> tuple[str | None, msgspec.Raw]:
    """Arguments as text that does not parse, or as JSON. They are logged as a JSON text inside a JSON string."""
    logged = logged.strip()
    if not logged or logged == b"null":
        return None, msgspec.Raw(b"{}")
    if not logged.startswith(b'"'):
        found = json_value(logged)
        return (None, found) if found is not None else (logged.decode("utf-8", "replace"), NO_RAW)
    try:
        text = msgspec.json.decode(logged, type=str)
    except (msgspec.DecodeError, UnicodeError):
        repaired = _repaired(logged)
        if repaired is None:
            return logged.decode("utf-8", "replace"), NO_RAW
        text = msgspec.json.decode(bytes(repaired), type=str)
    found = json_value(text.encode()) if text else None
    return (None, found) if found is not None else (text, NO_RAW)


def output(item: Payload, raw: bytes, *, foreign: bool = False) -> Output:
    """What a call gave back, as text and pictures; of the known JSON wrapper its text alone.

    `foreign`: another agent's tool gave it, and the wrapper would be its own text.
    """
    given = item.output
    if foreign:
        return _as_it_stands(given)
    if item.type == "tool_search_output":
        found = json_value(bytes(item.tools)) if bytes(item.tools) else None
        return Output((Text(text=bytes(found).decode()),) if found is not None else ())
    if isinstance(given, str):
        return _text(given)
    if isinstance(given, list):
        return _blocks(given)
    if isinstance(given, Block):
        return _object(given, raw)
    if given is None:
        return Output()
    return Output((Text(text=field_text(raw, "output")),))


def _as_it_stands(given: object) -> Output:
    if isinstance(given, str):
        return Output((Text(text=given),) if given else (), failed(given))
    content, unknown = _shown(given if isinstance(given, list) else [])
    first = content[0] if content else None
    return Output(content, isinstance(first, Text) and failed(first.text), unknown=unknown)


def _text(given: str) -> Output:
    told = unwrap(given)
    details = (json_value(given.encode("utf-8", "replace")) if told.wrapped else None) or NO_RAW
    return Output((Text(text=told.text),) if told.text else (), told.failed, details)


def _blocks(given: list[Block], bad: bool = False) -> Output:
    content, unknown = _shown(given)
    if content and isinstance(content[0], Text):
        bad = bad or unwrap(content[0].text).failed
    return Output(content, bad, unknown=unknown)


def _shown(blocks: list[Block]) -> tuple[tuple[Content, ...], tuple[tuple[int, str], ...]]:
    content: list[Content] = []
    unknown: list[tuple[int, str]] = []
    for place, block in enumerate(blocks):
        said = spoken(block)
        if said is not None:
            content.append(said)
        else:
            unknown.append((place, block.type or "(no type)"))
    return tuple(content), tuple(unknown)


def _object(given: Block, raw: bytes) -> Output:
    """An object that holds the output: `{content, success}`, one block, or something else, which stays as it is."""
    bad = given.success is False
    if isinstance(given.content, list):
        return _blocks(given.content, bad)
    if given.content is not None:
        told = _text(given.content)
        return Output(told.content, told.failed or bad, told.details)
    said = spoken(given)
    if said is not None:
        return Output((said,), bad)
    return Output((Text(text=field_text(raw, "output")),), bad)
