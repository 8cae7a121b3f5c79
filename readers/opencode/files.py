"""Files that hold a session of OpenCode, or a piece of one: what they look like, how they are called."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec

from panscript.readers.databases import is_database, only_session
from panscript.readers.document import load
from panscript.readers.finding import readable
from panscript.readers.lines import head
from panscript.readers.opencode.tree import name_of, session_files, session_of
from panscript.schemas.errors import SourceError
from panscript.schemas.naming import encodable
from panscript.schemas.opencode.lean import session_decoder
from panscript.schemas.records import SessionFile, Source

__all__ = ["detect", "is_export", "layout", "parent_of", "resolve", "source_of"]

_EXPORT = re.compile(rb'\{\s*"info"\s*:\s*\{')
_EXPORTED_ID = re.compile(rb'\{\s*"info"\s*:\s*\{[^{}\[\]]*?"id"\s*:\s*("ses_(?:[^"\\]|\\.)*")')
_SESSION = re.compile(rb'"(?:id|sessionID)"\s*:\s*"ses_')
_AROUND = b"\0\xef\xbb\xbf \t\r\n"
_MOST = 1 << 20


class _Start(msgspec.Struct):
    """What tells which file of the tree this is; of any type."""

    id: Any = None
    title: Any = None
    directory: Any = None
    role: Any = None
    type: Any = None
    session: Any = msgspec.field(name="sessionID", default=None)
    message: Any = msgspec.field(name="messageID", default=None)


_decoder = msgspec.json.Decoder(_Start)


def detect(start: bytes) -> int:
    """How surely a file that starts like this is OpenCode's: 0 not at all, 100 certainly.

    Databases are told by their tables.
    """
    if is_export(start):
        return 95
    text = start.strip(_AROUND)
    if not text.startswith(b"{") or not _SESSION.search(text):
        return 0
    try:
        found = _decoder.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        # A torn one begins with its ids.
        return 55 if _SESSION.search(text[:400]) and text[:1] == b"{" and b"\n{" not in text else 0
    if _starts(found.id, "ses_"):
        return 90 if isinstance(found.title, str) or isinstance(found.directory, str) else 0
    if _starts(found.id, "msg_"):
        return 80 if found.role in ("user", "assistant") and found.session is not None else 0
    return 80 if _starts(found.id, "prt_") and isinstance(found.type, str) and found.message is not None else 0


def _starts(value: object, prefix: str) -> bool:
    return isinstance(value, str) and value.startswith(prefix)


def is_export(start: bytes) -> bool:
    """Whether a file that starts like this is an exported session."""
    text = start.lstrip(_AROUND)
    return bool(_EXPORT.match(text)) and b'"ses_' in text


def resolve(path: str) -> Source:
    """The session of a file, with its sub-agents where it stands in a tree; of a database the one that it holds.

    Raises `SourceError`s for a database.
    """
    if is_database(path):
        return only_session(path)
    session = session_of(path)
    if session is None:
        return source_of("opencode", path)
    siblings = {str(file): parent_of(str(file)) for file in sorted(Path(session).parent.glob("ses_*.json"))}
    placed = {session}

    def source(file: str) -> Source:
        own = name_of(file)
        below = [each for each, parent in siblings.items() if parent == own and each not in placed]
        placed.update(below)
        found = source_of("opencode", file, parent_of(file))
        return msgspec.structs.replace(found, children=tuple(source(each) for each in below))

    return source(session)


def source_of(agent_id: str, path: str, parent: str | None = None) -> Source:
    """The session in a file of the tree, or in an export."""
    files = session_files(path)
    name = _exported(path) if len(files) == 1 else name_of(path)
    return Source(agent=agent_id, id=name, files=files or (SessionFile(path),), parent=parent)


def parent_of(path: str) -> str | None:
    """The session that started the one in this file of the tree as a sub-agent."""
    try:
        return session_decoder.decode(load(path, _MOST).strip(_AROUND)).parent_id or None
    except (SourceError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def _exported(path: str) -> str:
    """The id that an export states, else the name of the file."""
    try:
        stated = _EXPORTED_ID.match(head(path).lstrip(_AROUND))
        name = encodable(msgspec.json.decode(stated[1], type=str)).strip() if stated is not None else ""
    except (SourceError, msgspec.DecodeError, UnicodeDecodeError):
        name = ""
    return name or name_of(path).removeprefix("export-")


def layout(path: str) -> str:
    """Where the file lies below OpenCode's folder: in its tree, else in it."""
    parts = Path(path).resolve().parts
    for name in ("project", "storage"):
        if name in parts[:-1] and session_of(path) is not None:
            return "/".join(readable(part) for part in parts[len(parts) - 1 - parts[::-1].index(name) :])
    return readable(parts[-1])
