"""Pi's session files: how they are named, what their first lines look like, which other files belong to them.

A file is `<time>_<session id>.jsonl` in a folder named for the project. A fork is a file of its own that begins with
copies of its parent's entries. omp keeps a session's sub-agents in a folder named like the session's file.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec import UNSET

from panscript.readers.lines import head
from panscript.readers.tolerant import recover
from panscript.schemas import timestamps
from panscript.schemas.errors import PanscriptError
from panscript.schemas.pi.lean import CONTEXT_TYPES, STATE_TYPES, UsageEntry
from panscript.schemas.records import SessionFile, Source

__all__ = [
    "OPENCLAW",
    "Header",
    "began_at",
    "detect",
    "header_id",
    "header_of",
    "is_known",
    "is_record",
    "layout",
    "named",
    "resolve",
]

_NAME = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z_(.+)", re.DOTALL)
_CONTROLS = re.compile(r"[\x00-\x1f\x7f]")
_LONGEST_PART = 200
_ENTRY_TYPES = frozenset({"message", "custom_message", "compaction", "branch_summary", "model_change"})
_TORN = re.compile(rb'\s*\{"type":"session","version":\d')
OPENCLAW = re.compile(
    rb'"customType":\s*"(?:model-snapshot"|openclaw\.)|"(?:__openclaw|openclaw[A-Z]\w*)":|"provider":\s*"openclaw"'
)
"""Stands in lines of OpenClaw, whose files are Pi's in all else; inside of a text the quotes would be escaped."""
_LIKELY = 60


class _Line(msgspec.Struct, rename="camel"):
    """Enough of a line to know it."""

    type: str | None = None
    id: object = None
    parent_id: object = msgspec.UNSET
    version: object = None
    cwd: object = None
    timestamp: object = None
    message: msgspec.Raw = msgspec.Raw(b"")
    v: object = None
    created_at: object = None


class _Said(msgspec.Struct, rename="camel"):
    role: str | None = None
    timestamp: object = None


_decoder = msgspec.json.Decoder(_Line)
_decode_message = msgspec.json.Decoder(_Said).decode


class Header(NamedTuple):
    """What the first line says, with what the file's name says where it says nothing."""

    session_id: str
    time: int | None
    """When the session began, milliseconds since 1970 UTC."""
    found: bool
    """There is a header."""
    version: int = 1
    cwd: str | None = None
    provider: str | None = None
    model: str | None = None
    title: str | None = None
    repo: str | None = None
    """The project's folder: its root when that is said, else `cwd`."""
    parent: str | None = None
    """Session id of the file it was forked from."""
    parent_is_there: bool = False
    """That file is there, so what was copied from it is told where it is read."""
    copies: bool = False
    """Entries older than the header are copies of the parent's."""

    def is_copy(self, time: int | None) -> bool:
        """Whether an entry of this time was copied from the parent."""
        return self.copies and time is not None and self.time is not None and time < self.time


def is_record(value: dict[str, object]) -> bool:
    """Whether an object found on a damaged line carries the envelope of a line."""
    return isinstance(value.get("type"), str) and ("timestamp" in value or ("id" in value and "parentId" in value))


def is_known(row: UsageEntry) -> bool:
    """Whether the line is Pi's: of a known type, or at least in the tree."""
    return row.type in STATE_TYPES or row.type in CONTEXT_TYPES or (row.id is not None and row.parent_id is not UNSET)


def named(path: str) -> tuple[str, int | None]:
    """Session id and time as the name of a file tells them."""
    stem = Path(path).name
    for suffix in (".zst", ".jsonl"):
        stem = stem.removesuffix(suffix)
    match = _NAME.fullmatch(stem)
    if match is None:
        return stem or "session", None
    day, hour, minute, second, fraction, name = match.groups()
    return name, timestamps.parse(f"{day}T{hour}:{minute}:{second}.{fraction}Z")


def header_of(source: Source, row: UsageEntry | None) -> Header:
    """The header of a session from its first line; `row` is None when that line is no header."""
    name, time = named(source.path)
    if row is None:
        return Header(name, time, found=False)
    path = source.files[-1].path
    link = row.parent_session or row.branched_from
    parent, there = _parent(path, link) if link else (None, False)
    stated = timestamps.parse(row.timestamp)
    project = row.path if isinstance(row.path, msgspec.Struct) else None
    return Header(
        session_id=_CONTROLS.sub("", row.id or "").strip() or name,
        time=stated if stated is not None else time,
        found=True,
        version=int(row.version) if row.version is not None and 0 < row.version < 1000 else 1,
        cwd=row.cwd or None,
        provider=row.provider,
        model=row.model_id,
        title=row.title,
        repo=(project.root or project.cwd if project is not None else None) or row.cwd or None,
        parent=parent,
        parent_is_there=there,
        # Version 1 names its parent in another field; what is not there cannot be told from the session's own.
        copies=parent is not None and (there or row.parent_session is not None),
    )


def _parent(path: str, link: str) -> tuple[str | None, bool]:
    """Session id of the parent, and whether its file is there."""
    try:
        # A relative path is relative to the file; an absolute one replaces it.
        file = Path(path).resolve().parent / link
        there = file.is_file() and not file.samefile(path)
    except (OSError, ValueError):
        file, there = Path(link.replace("\0", "")), False
    found = _first_id(str(file)) if there else None
    name, time = named(link.replace("\\", "/"))
    return found or (name if time is not None else name.rsplit("_", 1)[-1]) or None, there


def _first_id(path: str) -> str | None:
    """The session id in the header of another file."""
    try:
        return header_id(head(path))
    except PanscriptError:
        return None


def header_id(start: bytes) -> str | None:
    """The session id in the header of a file that starts like this."""
    for line in start.split(b"\n")[:4]:
        facts = _line(line)
        if facts is not None and facts.type == "session":
            return _CONTROLS.sub("", facts.id).strip() if isinstance(facts.id, str) else None
    return None


def began_at(path: str, start: bytes) -> int | None:
    """When a session began, from the first bytes of its file, else by the name of it."""
    for line in start.split(b"\n", 4)[:4]:
        facts = _line(line)
        if facts is not None and facts.type == "session" and isinstance(facts.timestamp, str | int | float):
            return timestamps.parse(facts.timestamp)
    return named(path)[1]


def _line(line: bytes) -> _Line | None:
    line = line.strip(b"\0\xef\xbb\xbf \t\r")
    if not line.startswith(b"{"):
        return None
    try:
        return _decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        found = recover(line, _decoder, is_record)
        return found.rows[0] if found.rows else None


def detect(start: bytes) -> int:
    """How surely these first bytes are a Pi session: 0 not at all, 100 certainly."""
    sure = _detect(start)
    return min(sure, _LIKELY) if sure and OPENCLAW.search(start) else sure


def _detect(start: bytes) -> int:
    best = 0
    for number, line in enumerate(start.split(b"\n")[:100]):
        facts = _line(line)
        if facts is None:
            if number < 2 and _TORN.match(line.lstrip(b"\0\xef\xbb\xbf")):
                best = max(best, 60)
            continue
        if facts.type == "session" and isinstance(facts.id, str):
            if facts.created_at is not None:
                return 0  # DeepSeek Harness
            if facts.version is not None or facts.cwd is not None or facts.timestamp is not None:
                return 100
        elif facts.type == "session_start":
            return 0
        elif facts.type == "title" and facts.v is not None:
            best = max(best, 70)
        elif facts.type in _ENTRY_TYPES:
            best = max(best, _headless(facts))
            if best >= 90:
                return best
    return best


def _headless(facts: _Line) -> int:
    """How surely an entry that stands without a header is Pi's."""
    linked = isinstance(facts.id, str) and facts.parent_id is not msgspec.UNSET
    if facts.type != "message":
        return 55 if linked and facts.timestamp is not None else 0
    try:
        message = _decode_message(facts.message)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return 0
    if message.role is None:
        return 0
    # Pi's messages have a time of their own, in milliseconds.
    timed = isinstance(message.timestamp, int | float)
    return (90 if linked else 60) if timed else (55 if linked else 0)


def resolve(path: str) -> Source:
    """The session that a file belongs to, with its sub-agents where omp keeps some beside it."""
    file = Path(path)
    parent = file.parent.with_name(f"{file.parent.name}.jsonl") if file.parent.name else None
    is_child = parent is not None and parent.is_file()
    name = _first_id(path) or named(path)[0]
    return Source(
        agent="pi",
        id=name,
        files=(SessionFile(path),),
        parent=(_first_id(str(parent)) or named(str(parent))[0]) if is_child else None,
        children=tuple(_children(file, name)),
    )


def _children(file: Path, parent: str) -> list[Source]:
    folder = file.with_suffix("")
    if file.suffix != ".jsonl" or not folder.is_dir():
        return []
    found = sorted(path for path in folder.glob("*.jsonl") if path.is_file())
    names = [(path, _first_id(str(path)) or named(str(path))[0]) for path in found]
    return [
        Source(
            agent="pi",
            id=name,
            files=(SessionFile(str(path)),),
            parent=parent,
            children=tuple(_children(path, name)),
        )
        for path, name in names
    ]


def layout(path: str) -> str:
    """Where the file lies below Pi's `sessions` folder: by its path, else by the project that its header names."""
    parts = Path(path).resolve().parts
    if "sessions" in parts:
        below = parts[len(parts) - parts[::-1].index("sessions") :]
        if len(below) > 1:
            return "/".join(below)
    try:
        start = head(path)
    except PanscriptError:
        return parts[-1]
    headers = (facts for line in start.split(b"\n")[:4] if (facts := _line(line)) and facts.type == "session")
    cwd = next((facts.cwd for facts in headers if isinstance(facts.cwd, str) and facts.cwd), None)
    return f"{_folder(cwd)}/{parts[-1]}" if cwd is not None else parts[-1]


def _folder(cwd: str) -> str:
    """Pi's name for the folder of a project."""
    name = os.path.normpath(cwd) if cwd.startswith("/") else cwd
    name = name.replace("//", "/")
    name = name[1:] if name[:1] in ("/", "\\") else name
    name = _CONTROLS.sub("_", re.sub(r"[/\\:]", "-", name))
    return f"--{name.encode('utf-8', 'replace')[:_LONGEST_PART].decode('utf-8', 'ignore')}--"
