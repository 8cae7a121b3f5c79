"""Files and databases of OpenClaw, made up."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import zstandard

from panscript.readers.context import Place
from panscript.readers.discovery import family
from panscript.readers.openclaw import read
from panscript.readers.openclaw.discovery import discover
from panscript.readers.options import ReadOptions
from panscript.schemas.errors import SourceError
from panscript.schemas.events import Event
from panscript.schemas.records import Record, Source
from panscript.schemas.report import FileReport

HEADER = {"type": "session", "version": 3, "id": "s1", "timestamp": "2026-05-06T08:00:00.000Z", "cwd": "/home/dev/app"}
EVENTS = """session_id TEXT NOT NULL, seq INTEGER NOT NULL, event_json TEXT, created_at INTEGER, event_zstd BLOB,
    event_utf8_bytes INTEGER, navigation_json TEXT, PRIMARY KEY (session_id, seq)"""
OLDER = "session_id TEXT NOT NULL, seq INTEGER NOT NULL, event_json TEXT, created_at INTEGER"
WINDOWS = "session_id TEXT PRIMARY KEY, session_key TEXT, created_at INTEGER, spawned_by TEXT, display_name TEXT"
NODES = """session_key TEXT PRIMARY KEY, current_session_id TEXT, entry_json TEXT, label TEXT, display_name TEXT,
    spawned_by TEXT, parent_session_key TEXT"""


def entry(name: str, parent: str | None, seconds: int = 1, kind: str = "message", **more: Any) -> dict[str, Any]:
    """Any line but the header."""
    return {
        "type": kind,
        "id": name,
        "parentId": parent,
        "timestamp": f"2026-05-06T08:00:{seconds:02}.000Z",
        **more,
    }


def user(name: str, parent: str | None, content: Any, seconds: int = 1) -> dict[str, Any]:
    return entry(name, parent, seconds, message={"role": "user", "content": content})


def answer(name: str, parent: str | None, *blocks: Any, seconds: int = 2, **more: Any) -> dict[str, Any]:
    content = [{"type": "text", "text": block} if isinstance(block, str) else block for block in blocks]
    message = {"role": "assistant", "provider": "openai", "model": "gpt-9", "content": content, **more}
    return entry(name, parent, seconds, message=message)


def call(name: str = "c1", tool: str = "exec", **arguments: Any) -> dict[str, Any]:
    return {"type": "toolCall", "id": name, "name": tool, "arguments": arguments}


def result(name: str, parent: str | None, text: str, seconds: int = 3, **more: Any) -> dict[str, Any]:
    message = {
        "role": "toolResult",
        "toolCallId": "c1",
        "toolName": "exec",
        "content": [{"type": "text", "text": text}],
        "isError": False,
        **more,
    }
    return entry(name, parent, seconds, message=message)


def write(path: Path, rows: Iterable[Mapping[str, Any] | bytes]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = (row if isinstance(row, bytes) else json.dumps(row).encode() for row in rows)
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return path


def database(
    path: Path, sessions: Mapping[str, Sequence[Any]], *, windows: Any = (), nodes: Any = (), older: bool = False
) -> Path:
    """A database with these sessions. A line that is a pair of text and True is stored compressed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path)
    connection.execute(f"CREATE TABLE transcript_events ({OLDER if older else EVENTS})")
    connection.execute(f"CREATE TABLE session_windows ({WINDOWS})")
    connection.execute(f"CREATE TABLE session_nodes ({NODES})")
    for name, rows in sessions.items():
        for number, row in enumerate(rows):
            packed = isinstance(row, tuple)
            text = row[0] if packed else row
            text = text if isinstance(text, str | bytes) else json.dumps(text)
            values: list[Any] = [name, number, None if packed else text, 1000 + number]
            if not older:
                data = text.encode() if isinstance(text, str) else text
                values += [zstandard.compress(data) if packed else None, len(data), None]
            marks = ", ".join("?" * len(values))
            connection.execute(f"INSERT INTO transcript_events VALUES ({marks})", values)
    for table, columns, rows in (("session_windows", 5, windows), ("session_nodes", 7, nodes)):
        for row in rows:
            connection.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * columns)})", row)
    connection.commit()
    connection.close()
    return path


def _raise(problem: SourceError) -> None:
    raise problem


def sources(*places: Path) -> list[Source]:
    """The sessions below folders, sub-agents included."""
    found = discover("openclaw", [Place(path, explicit=True) for path in places], _raise)
    return [member for source in found for member in family(source)]


def records(source: Source, report: FileReport | None = None, **options: bool) -> list[Record]:
    return list(read(source, report=report or FileReport(path=""), options=ReadOptions(**options)))


def said(source: Source, report: FileReport | None = None, **options: bool) -> list[Event]:
    return [event for record in records(source, report, **options) for event in record.events]
