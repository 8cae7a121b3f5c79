"""Gemini CLI sessions as small as a test needs them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from panscript.readers.gemini import read, resolve
from panscript.readers.options import ReadOptions
from panscript.schemas.events import Event, Message, Session, Text, Usage
from panscript.schemas.report import FileReport

__all__ = ["META", "answer", "call", "events", "of", "said", "session", "time", "usage", "user", "write"]

META = {
    "sessionId": "11111111-aaaa-4000-8000-000000000001",
    "projectHash": "ab" * 32,
    "startTime": "2026-10-01T10:00:00.000Z",
    "lastUpdated": "2026-10-01T10:00:00.000Z",
    "kind": "main",
}


def time(second: int) -> str:
    return f"2026-10-01T10:00:{second:02d}.000Z"


def user(name: str, content: Any, second: int = 1, **more: Any) -> dict[str, Any]:
    return {"id": name, "timestamp": time(second), "type": "user", "content": content, **more}


def answer(name: str, content: Any, second: int = 2, **more: Any) -> dict[str, Any]:
    return {
        "id": name,
        "timestamp": time(second),
        "type": "gemini",
        "content": content,
        "thoughts": [],
        "tokens": {"input": 100, "output": 10, "cached": 60, "thoughts": 5, "tool": 2, "total": 117},
        "model": "gemini-3-pro",
        **more,
    }


def call(name: str, result: Any = None, status: str = "success", **more: Any) -> dict[str, Any]:
    found = {"id": name, "name": "read_file", "args": {"path": "a"}, "status": status, "timestamp": time(3), **more}
    if isinstance(result, str):
        response = {"functionResponse": {"id": name, "name": "read_file", "response": {"output": result}}}
        return {**found, "result": [response]}
    return found if result is None else {**found, "result": result}


def write(path: Path, rows: Iterable[Any], *, meta: dict[str, Any] | None = None) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [meta or META, *rows]
    path.write_text("".join(f"{json.dumps(row)}\n" for row in lines), encoding="utf-8")
    return path


def of(path: Path, report: FileReport | None = None, **options: bool) -> list[Event]:
    """The events of the session that this file belongs to."""
    account = report or FileReport(path=str(path))
    found = read(resolve(str(path)), report=account, options=ReadOptions(**options))
    return [event for record in found for event in record.events]


def events(folder: Path, *rows: Any, report: FileReport | None = None) -> list[Event]:
    """The events of a session of these lines, metadata put before them."""
    return of(write(folder / "tmp/app/chats/session-2026-10-01T10-00-11111111.jsonl", rows), report)


def said(found: Iterable[Event], *, live: bool = True) -> list[tuple[str, str]]:
    """Role (or what was injected) and text of every message."""
    return [
        (event.injected or event.role, "".join(block.text for block in event.content if isinstance(block, Text)))
        for event in found
        if isinstance(event, Message) and event.live is live
    ]


def session(found: list[Event]) -> Session:
    assert isinstance(found[0], Session)
    return found[0]


def usage(found: list[Event]) -> list[Usage]:
    return [event for event in found if isinstance(event, Usage)]
