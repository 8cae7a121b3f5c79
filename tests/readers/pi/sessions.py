"""Pi files made for one test."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from panscript.readers.options import ReadOptions
from panscript.readers.pi import read, resolve
from panscript.schemas.events import Event, Message, Session, Text
from panscript.schemas.records import Record
from panscript.schemas.report import FileReport
from panscript.stages.pipe import events_of

__all__ = ["HEADER", "answer", "at", "entry", "events", "prompt", "read_file", "session", "spoken", "write_file"]

HEADER = {"type": "session", "version": 3, "id": "s-1", "timestamp": "2026-01-01T10:00:00.000Z", "cwd": "/home/ana/app"}
NAME = "2026-01-01T10-00-00-000Z_s-1.jsonl"


def at(second: int) -> str:
    """The time of an entry."""
    return f"2026-01-01T10:{second // 60:02d}:{second % 60:02d}.000Z"


def entry(kind: str, name: str, parent: str | None, second: int = 1, /, **more: Any) -> dict[str, Any]:
    """One entry of the tree."""
    return {"type": kind, "id": name, "parentId": parent, "timestamp": at(second), **more}


def prompt(name: str, parent: str | None, text: str, second: int = 1) -> dict[str, Any]:
    """What a person said."""
    return entry("message", name, parent, second, message={"role": "user", "content": text})


def answer(
    name: str, parent: str | None, content: str | list[dict[str, Any]], second: int = 2, **more: Any
) -> dict[str, Any]:
    """What a model said; `more` are fields of the message."""
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    message = {"role": "assistant", "content": blocks, "provider": "demo", "model": "Demo-1", "stopReason": "stop"}
    return entry("message", name, parent, second, message=message | more)


def write_file(folder: Path, rows: Iterable[dict[str, Any] | bytes], name: str = NAME) -> Path:
    """The rows as a file; bytes go in as they are."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [row if isinstance(row, bytes) else json.dumps(row).encode() + b"\n" for row in rows]
    path.write_bytes(b"".join(lines))
    return path


def read_file(path: Path, **options: bool) -> tuple[list[Record], FileReport]:
    """Every record and the account of the read."""
    report = FileReport(path=str(path))
    return list(read(resolve(str(path)), report=report, options=ReadOptions(**options))), report


def events(path: Path, **options: bool) -> list[Event]:
    """The events of a file."""
    return list(events_of(read_file(path, **options)[0]))


def session(path: Path) -> Session:
    """The first event."""
    first = events(path)[0]
    assert isinstance(first, Session)
    return first


def spoken(stream: Iterable[Event], *, live: bool = True) -> list[str]:
    """The texts of the messages that are live (or are not), in order."""
    said = (event for event in stream if isinstance(event, Message) and event.live == live)
    return ["".join(block.text for block in event.content if isinstance(block, Text)) for event in said]
