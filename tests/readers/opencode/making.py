"""Databases, trees and exports of OpenCode, made up."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from panscript.readers.context import Place
from panscript.readers.discovery import family
from panscript.readers.opencode.discovery import discover
from panscript.readers.opening import read
from panscript.readers.options import ReadOptions
from panscript.schemas.errors import SourceError
from panscript.schemas.events import Event
from panscript.schemas.records import Record, Source
from panscript.schemas.report import FileReport

SESSION = """id TEXT PRIMARY KEY, project_id TEXT, parent_id TEXT, directory TEXT, title TEXT, version TEXT,
    time_created INTEGER, time_updated INTEGER, revert TEXT, model TEXT"""
ROW = "id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, time_updated INTEGER, data TEXT"
BEGAN = 1767261600000
"""Milliseconds of 2026-01-01 10:00:00 UTC."""
TOKENS = {"input": 10, "output": 5, "reasoning": 2, "cache": {"read": 100, "write": 1}}

Said = tuple[dict[str, Any], list[dict[str, Any]]]
"""A message, and its parts."""


def text(words: str, **more: Any) -> dict[str, Any]:
    return {"type": "text", "text": words, **more}


def tool(name: str = "c1", tool: str = "bash", status: str = "completed", **state: Any) -> dict[str, Any]:
    found = {"status": status, "input": {"command": "ls"}, **state}
    return {"type": "tool", "callID": name, "tool": tool, "state": found}


def finish(**more: Any) -> dict[str, Any]:
    return {"type": "step-finish", "reason": "stop", "cost": 0.5, "tokens": TOKENS, **more}


def asked(*parts: dict[str, Any], **more: Any) -> Said:
    return {"role": "user", "agent": "build", **more}, list(parts)


def answered(*parts: dict[str, Any], **more: Any) -> Said:
    said = {"role": "assistant", "modelID": "Some-Model", "providerID": "openai", "path": {"cwd": "/w", "root": "/"}}
    return {**said, **more}, list(parts)


def database(path: Path, *sessions: tuple[dict[str, Any], Sequence[Said]], first: int = 1) -> Path:
    """Sessions with their messages, a second apart; ids of messages count from `m<first>` through all of them."""
    with sqlite3.connect(path) as db:
        db.execute(f"CREATE TABLE IF NOT EXISTS session ({SESSION})")
        db.execute(f"CREATE TABLE IF NOT EXISTS message ({ROW})")
        db.execute(f"CREATE TABLE IF NOT EXISTS part ({ROW}, message_id TEXT)")
        number = first
        for session, messages in sessions:
            found = {"id": "ses_1", "directory": "/w", "title": "a title", "version": "1.18.0", **session}
            found = {"time_created": BEGAN, "time_updated": BEGAN + 60_000, **found}
            marks = ", ".join("?" * len(found))
            db.execute(f"INSERT INTO session ({', '.join(found)}) VALUES ({marks})", tuple(found.values()))
            for place, (info, parts) in enumerate(messages):
                name, time = f"m{number}", info.pop("at", BEGAN + place * 1000)
                number += 1
                db.execute("INSERT INTO message VALUES (?, ?, ?, ?, ?)", (name, found["id"], time, time, dumped(info)))
                for order, part in enumerate(parts):
                    own = (f"{name}p{order}", found["id"], time, time, dumped(part), name)
                    db.execute("INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)", own)
    db.close()
    return path


def dumped(value: Any) -> Any:
    return value if isinstance(value, str | bytes) else json.dumps(value)


def tree(root: Path, messages: Sequence[Said], *, older: bool = False, **session: Any) -> Path:
    """A session as files; gives the file of the session."""
    base = root / ("project/app/storage/session" if older else "storage")
    name = str(session.pop("id", "ses_1"))
    file = base / ("info" if older else "session/p1") / f"{name}.json"
    put(
        file,
        {"id": name, "title": "a title", "version": "0.9", "directory": "/w", "time": {"created": BEGAN}, **session},
    )
    for number, (info, parts) in enumerate(messages, 1):
        message = f"msg_{number}"
        time = {"created": info.pop("at", BEGAN + number * 1000)}
        put(base / "message" / name / f"{message}.json", {"id": message, "sessionID": name, "time": time, **info})
        folder = base / "part" / (f"{name}/{message}" if older else message)
        for order, part in enumerate(parts):
            own = {"id": f"prt_{order}", "sessionID": name, "messageID": message}
            put(folder / f"prt_{order}.json", {**own, **part})
    return file


def put(path: Path, value: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=2))


def export(path: Path, messages: Sequence[Said], **session: Any) -> Path:
    found = []
    for number, (info, parts) in enumerate(messages, 1):
        info.setdefault("time", {"created": BEGAN + number * 1000})
        own = [{"id": f"prt_{number}{order}", **part} for order, part in enumerate(parts)]
        ids: dict[str, Any] = {"id": f"msg_{number}", "sessionID": "ses_1"}
        found.append({"info": ids | info, "parts": own})
    head: dict[str, Any] = {"id": "ses_1", "title": "a title", "version": "1.18.0"}
    head |= {"directory": "/w", "time": {"created": BEGAN}}
    path.write_text(json.dumps({"info": head | session, "messages": found}, indent=2))
    return path


def sources(path: Path, agent: str = "opencode") -> list[Source]:
    def problem(error: SourceError) -> None:
        raise error

    found = discover(agent, [Place(path, explicit=True)], problem)
    return [member for source in found for member in family(source)]


def records(source: Source, report: FileReport | None = None, **options: Any) -> list[Record]:
    return list(read(source, report=report or FileReport(path=""), options=ReadOptions(**options)))


def events(source: Source, report: FileReport | None = None, **options: Any) -> list[Event]:
    return [event for record in records(source, report, **options) for event in record.events]


def of(path: Path, *messages: Said, report: FileReport | None = None, **session: Any) -> list[Event]:
    """The events of one session in a database."""
    (source,) = sources(database(path / "opencode.db", (session, messages)))
    return events(source, report)
