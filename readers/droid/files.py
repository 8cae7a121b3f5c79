"""Droid's session files: what they look like, and which belong together.

`<session id>.jsonl` holds the rows, `<session id>.settings.json` beside it the settings and the token counts. A
sub-agent is a session of its own in the same folder whose header names the session that started it.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import msgspec

from panscript.readers.document import load
from panscript.readers.lines import head
from panscript.readers.tolerant import recover
from panscript.schemas.droid.lean import Row, Settings, settings_decoder
from panscript.schemas.errors import PanscriptError, SourceNotFound
from panscript.schemas.records import SessionFile, Source

__all__ = [
    "ROWS",
    "SETTINGS",
    "detect",
    "header_of",
    "id_of",
    "is_record",
    "layout",
    "read_settings",
    "resolve",
    "session_files",
]

ROWS = ".jsonl"
SETTINGS = ".settings.json"
_HEADER = 1 << 14
_TORN = re.compile(rb'\s*\{"type":"session_start"')
_OWN_TYPES = frozenset({"todo_state", "agent_turn_outcome", "compaction_state"})


class _Said(msgspec.Struct, rename="camel"):
    role: str | None = None
    timestamp: object = None
    model_id: object = None
    interaction_mode: object = None
    visibility: object = None


class _Line(msgspec.Struct, rename="camel"):
    """Enough of a line, or of the settings, to know it."""

    type: object = None
    id: object = None
    uuid: object = None
    timestamp: object = None
    message: msgspec.Raw = msgspec.Raw(b"")
    token_usage: msgspec.Raw = msgspec.Raw(b"")
    provider_lock: object = None
    autonomy_level: object = None


_line_decoder = msgspec.json.Decoder(_Line)
_said_decoder = msgspec.json.Decoder(_Said)
_row_decoder = msgspec.json.Decoder(Row)


def is_record(value: dict[str, object]) -> bool:
    """Whether an object found on a damaged line carries the envelope of a row."""
    return isinstance(value.get("type"), str) and ("id" in value or "turnId" in value)


def detect(start: bytes) -> int:
    """How surely these first bytes are a Droid session, or its settings: 0 not at all, 100 certainly."""
    whole = _line(start)
    if whole is not None and whole.type is None:
        tokens = bytes(whole.token_usage)
        locked = whole.provider_lock is not None or whole.autonomy_level is not None
        return 60 if tokens.startswith(b"{") and locked else 0
    best = 0
    for number, line in enumerate(start.split(b"\n")[:100]):
        facts = _line(line)
        if facts is None:
            if number < 2 and _TORN.match(line.lstrip(b"\0\xef\xbb\xbf")):
                best = max(best, 60)
        elif facts.type == "session_start":
            # Its id may stand one level down.
            return 100
        elif isinstance(facts.type, str) and facts.type in _OWN_TYPES:
            best = max(best, 70)
        elif facts.type == "message":
            best = max(best, _headless(facts))
    return best


def _headless(facts: _Line) -> int:
    """How surely a message that stands without a header is Droid's."""
    if not isinstance(facts.id, str) or not isinstance(facts.timestamp, str) or facts.uuid is not None:
        return 0
    try:
        said = _said_decoder.decode(facts.message)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return 0
    if said.role not in ("user", "assistant") or said.timestamp is not None:
        return 0
    own = said.model_id is not None or said.interaction_mode is not None or said.visibility is not None
    return 80 if own else 57


def _line(line: bytes) -> _Line | None:
    line = line.strip(b"\0\xef\xbb\xbf \t\r\n")
    if not line.startswith(b"{"):
        return None
    try:
        return _line_decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        found = recover(line, _line_decoder, is_record) if b"\n" not in line else None
        return found.rows[0] if found is not None and found.rows else None


def header_of(start: bytes) -> Row | None:
    """The header among the first lines; None when there is none that can be read."""
    for line in start.split(b"\n")[:4]:
        try:
            row = _row_decoder.decode(line.strip(b"\0\xef\xbb\xbf \t\r"))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            continue
        if row.type == "session_start":
            return row
    return None


def id_of(header: Row | None) -> str | None:
    """The session id that a header states."""
    if header is None:
        return None
    stated = header.id or (header.session.id if header.session is not None else None)
    return "".join(letter for letter in stated or "" if letter >= " " and letter != "\x7f").strip() or None


def _header(path: Path) -> Row | None:
    try:
        return header_of(head(str(path), _HEADER))
    except PanscriptError:
        return None


def _stem(path: Path) -> Path:
    for suffix in (SETTINGS, ROWS):
        if path.name.endswith(suffix) and path.name != suffix:
            return path.with_name(path.name.removesuffix(suffix))
    return path


def session_files(rows: str) -> tuple[SessionFile, ...]:
    """The rows of a session and the settings beside them."""
    settings = Path(f"{_stem(Path(rows))}{SETTINGS}")
    return SessionFile(rows), *((SessionFile(str(settings), "side"),) if settings.is_file() else ())


def resolve(path: str) -> Source:
    """The session that a file belongs to, named by its rows or its settings, with its sub-agents."""
    file = Path(path)
    if file.name.endswith(SETTINGS):
        rows = Path(f"{_stem(file)}{ROWS}")
        if not rows.is_file():
            return Source(agent="droid", id=_stem(file).name, files=(SessionFile(path),), missing=("rows",))
        path, file = str(rows), rows
    header = _header(file)
    name = id_of(header) or _stem(file).name or "session"
    return Source(
        agent="droid",
        id=name,
        files=session_files(path),
        parent=header.calling_session_id or None if header is not None else None,
        children=tuple(_children(file, name)),
    )


class _Near(NamedTuple):
    path: Path
    id: str
    parent: str


def _children(file: Path, name: str) -> list[Source]:
    near: list[_Near] = []
    try:
        beside = sorted(path for path in file.parent.glob(f"*{ROWS}") if path.is_file() and path.name != file.name)
    except OSError:
        return []
    for path in beside:
        header = _header(path)
        if header is not None and header.calling_session_id:
            near.append(_Near(path, id_of(header) or _stem(path).name, header.calling_session_id))
    return _below(name, near, {name})


def _below(name: str, near: list[_Near], seen: set[str]) -> list[Source]:
    found = []
    for path, own, parent in near:
        if parent == name and own not in seen:
            seen.add(own)
            children = tuple(_below(own, near, seen))
            found.append(
                Source(agent="droid", id=own, files=session_files(str(path)), parent=parent, children=children)
            )
    return found


def read_settings(source: Source) -> tuple[bytes, Settings | None]:
    """The settings file of a session and what it says; no bytes where there is none, None where it says nothing."""
    path = next((file.path for file in source.files if file.path.endswith(SETTINGS)), None)
    if path is None:
        return b"", None
    try:
        data = load(path)
    except SourceNotFound:
        return b"", None
    if not data.strip(b"\0\xef\xbb\xbf \t\r\n"):
        return data, None
    try:
        return data, settings_decoder.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        rows = recover(data, settings_decoder, lambda value: "tokenUsage" in value).rows
        return data, rows[0] if rows else None


def layout(path: str) -> str:
    """Where the file lies below Droid's `sessions` folder: by its path, else by the project that its header names."""
    file = Path(path).resolve()
    parts = file.parts
    if "sessions" in parts:
        below = parts[len(parts) - parts[::-1].index("sessions") :]
        if len(below) > 1:
            return "/".join(below)
    header = _header(file)
    cwd = header.cwd if header is not None else None
    return f"{cwd.replace('/', '-')}/{file.name}" if cwd and "\0" not in cwd else file.name
