"""OpenClaw's session files: what they look like, how they are called.

A file is one of Pi's in all but a few names, so that some cannot be told from those: then Pi has them, unless they are
found in OpenClaw's own place or OpenClaw is named.
"""

from __future__ import annotations

from pathlib import Path

from panscript.readers.databases import is_database, only_session
from panscript.readers.finding import readable
from panscript.readers.lines import head
from panscript.readers.openclaw.index import index_of
from panscript.readers.pi.files import OPENCLAW, header_id, named
from panscript.readers.pi.files import detect as detect_pi
from panscript.schemas.errors import SourceError
from panscript.schemas.records import SessionFile, Source

__all__ = ["detect", "layout", "named_id", "resolve", "source_of"]


def detect(start: bytes) -> int:
    """How surely a file that starts like this is a session of OpenClaw: 0 not at all, 100 certainly.

    Databases are told by their tables.
    """
    sure = detect_pi(start)
    if OPENCLAW.search(start):
        return 100 if sure else 0
    return sure // 3


def resolve(path: str) -> Source:
    """The session of a file, or of a database that holds one. Raises `SourceError`s for a database."""
    if is_database(path):
        return only_session(path, "openclaw")
    try:
        start = head(path)
    except SourceError:
        start = b""
    return source_of("openclaw", path, start)


def source_of(agent_id: str, path: str, start: bytes) -> Source:
    """The session of a file that starts like this."""
    name = header_id(start) or named_id(path)
    parent = index_of(Path(path).parent).facts(name).parent
    return Source(agent=agent_id, id=name, files=(SessionFile(path),), parent=parent)


def named_id(path: str) -> str:
    """The session id as the name of a file tells it, with what was appended when it was put away."""
    stem = named(path)[0].partition(".jsonl")[0]
    return readable(stem or Path(path).name)


def layout(path: str) -> str:
    """Where the file lies below OpenClaw's `agents` folder: by its path, else its name."""
    parts = Path(path).resolve().parts
    if "agents" in parts:
        below = parts[len(parts) - parts[::-1].index("agents") :]
        if len(below) > 1:
            return "/".join(readable(part) for part in below)
    return readable(parts[-1])
