"""Qwen Code sessions as small as a test needs them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from panscript.readers.options import ReadOptions
from panscript.readers.qwen import read, resolve
from panscript.schemas.events import Event, Message, Session, Text, Usage
from panscript.schemas.report import FileReport

__all__ = [
    "ID",
    "answer",
    "call",
    "events",
    "of",
    "result",
    "row",
    "said",
    "session",
    "state",
    "usage",
    "user",
    "write",
]

ID = "11111111-aaaa-4000-8000-000000000001"
COUNTS = {
    "promptTokenCount": 1000,
    "candidatesTokenCount": 60,
    "thoughtsTokenCount": 20,
    "cachedContentTokenCount": 900,
    "totalTokenCount": 1060,
}


def row(kind: str, name: str, parent: str | None, second: int = 1, /, **more: Any) -> dict[str, Any]:
    """One line of the tree."""
    return {
        "uuid": name,
        "parentUuid": parent,
        "sessionId": ID,
        "timestamp": f"2026-10-01T10:00:{second:02d}.000Z",
        "type": kind,
        "cwd": "/home/ana/app",
        "version": "0.24.4",
        **more,
    }


def _parts(content: str | list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{"text": content}] if isinstance(content, str) else content


def user(name: str, parent: str | None, content: str | list[dict[str, Any]], second: int = 1, **more: Any) -> Any:
    return row("user", name, parent, second, message={"role": "user", "parts": _parts(content)}, **more)


def answer(name: str, parent: str | None, content: str | list[dict[str, Any]], second: int = 2, **more: Any) -> Any:
    said = {"model": "qwen3-coder", "message": {"role": "model", "parts": _parts(content)}, "usageMetadata": COUNTS}
    return row("assistant", name, parent, second, **{**said, **more})


def call(name: str, tool: str = "read_file") -> dict[str, Any]:
    return {"functionCall": {"id": name, "name": tool, "args": {"path": "a"}}}


def result(name: str, parent: str | None, called: str, response: Any, second: int = 3, **more: Any) -> Any:
    part = {"functionResponse": {"id": called, "name": "read_file", "response": response}}
    beside = {"callId": called, "status": "success", "resultDisplay": "", **more}
    message = {"role": "user", "parts": [part]}
    return row("tool_result", name, parent, second, message=message, toolCallResult=beside)


def state(name: str, parent: str | None, subtype: str, payload: Any = None, second: int = 2) -> Any:
    return row("system", name, parent, second, subtype=subtype, systemPayload=payload or {})


def write(path: Path, rows: Iterable[Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{json.dumps(each)}\n" for each in rows), encoding="utf-8")
    return path


def of(path: Path, report: FileReport | None = None, **options: bool) -> list[Event]:
    """The events of the session that this file belongs to."""
    account = report or FileReport(path=str(path))
    found = read(resolve(str(path)), report=account, options=ReadOptions(**options))
    return [event for record in found for event in record.events]


def events(folder: Path, *rows: Any, report: FileReport | None = None) -> list[Event]:
    """The events of a session of these lines."""
    return of(write(folder / f"projects/-home-ana-app/chats/{ID}.jsonl", rows), report)


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
