"""Files that hold a session of Goose: what they look like, how they are called."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec

from panscript.readers.databases import is_database, only_session
from panscript.readers.finding import readable
from panscript.readers.lines import head
from panscript.schemas import timestamps
from panscript.schemas.errors import SourceError
from panscript.schemas.naming import encodable
from panscript.schemas.records import SessionFile, Source

__all__ = ["detect", "is_document", "is_record", "layout", "named", "resolve"]

_NAME = re.compile(r"(\d{4})(\d\d)(\d\d)_(\d\d)(\d\d)(\d\d)")
_DOCUMENT = re.compile(rb'\{\s*"id"\s*:')
_OWN = (b'"extension_data"', b'"conversation"')
_TORN = re.compile(rb'\{\s*"working_dir"\s*:')
_FEW = 20


class _Start(msgspec.Struct):
    """What tells whose a line is; of any type."""

    working_dir: Any = None
    description: Any = None
    name: Any = None
    message_count: Any = None
    conversation: msgspec.Raw | None = None
    role: Any = None
    created: Any = None
    content: Any = None


_decoder = msgspec.json.Decoder(_Start)


def detect(start: bytes) -> int:
    """How surely a file that starts like this is a session of Goose: 0 not at all, 100 certainly.

    Databases are told by their tables.
    """
    if is_document(start):
        return 95
    best = 0
    for line in start.split(b"\n")[:_FEW]:
        text = line.strip(b"\0\xef\xbb\xbf \t\r")
        if not text.startswith(b"{"):
            continue
        try:
            facts = _decoder.decode(text)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            best = max(best, 60 if _TORN.match(text) else 0)
            continue
        if isinstance(facts.working_dir, str) and facts.role is None:
            if isinstance(facts.description, str) or isinstance(facts.message_count, int):
                return 95
        elif _is_message(facts):
            best = max(best, 70)
    return best


def _is_message(facts: _Start) -> bool:
    items = facts.content
    if facts.role not in ("user", "assistant") or not isinstance(items, list) or not isinstance(facts.created, int):
        return False
    return all(isinstance(item, dict) and isinstance(item.get("type"), str) for item in items)


def is_document(start: bytes) -> bool:
    """Whether a file that starts like this is an exported session."""
    text = start.lstrip(b"\0\xef\xbb\xbf \t\r\n")
    return bool(_DOCUMENT.match(text)) and b'"working_dir"' in text and any(name in text for name in _OWN)


def is_record(value: dict[str, Any]) -> bool:
    """Whether an object beside damage is a whole message, or the first line of a file."""
    return "content" in value or "metadata" in value or "working_dir" in value


def named(path: str) -> tuple[str, int | None]:
    """Session id and time as the name of a file tells them."""
    name = Path(path).name
    stem = readable(name.rsplit(".", 1)[0] or name)
    match = _NAME.match(stem)
    if match is None:
        return stem, None
    year, month, day, hour, minute, second = match.groups()
    return stem, timestamps.parse(f"{year}-{month}-{day}T{hour}:{minute}:{second}Z")


def resolve(path: str) -> Source:
    """The session of a file, or of a database that holds one. Raises `SourceError`s for a database."""
    if is_database(path):
        return only_session(path, "goose")
    return Source(agent="goose", id=session_id(path), files=(SessionFile(path),))


class _Id(msgspec.Struct):
    id: str | None = None


def session_id(path: str) -> str:
    """The id that an export states, else the name of the file."""
    try:
        start = head(path)
    except SourceError:
        return named(path)[0]
    stated = re.match(rb'\s*\{\s*"id"\s*:\s*("(?:[^"\\]|\\.)*")', start.removeprefix(b"\xef\xbb\xbf"))
    if stated is None or not is_document(start):
        return named(path)[0]
    try:
        return encodable(msgspec.json.decode(stated[1], type=str)).strip() or named(path)[0]
    except (msgspec.DecodeError, UnicodeDecodeError):
        return named(path)[0]


def layout(path: str) -> str:
    """Where the file lies below Goose's `sessions` folder: in it."""
    return readable(Path(path).name)
