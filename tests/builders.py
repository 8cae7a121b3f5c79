"""Small builders for native rows and for events, so that a test shows only what it is about."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from panscript.readers.claude import read
from panscript.readers.claude.files import resolve
from panscript.readers.options import ReadOptions
from panscript.schemas import timestamps
from panscript.schemas.events import Block, Event, Message, Session, Text, ToolCall, ToolResult
from panscript.schemas.records import Record
from panscript.schemas.report import FileReport

__all__ = [
    "answer",
    "asked",
    "assistant",
    "at",
    "call",
    "events",
    "mutated",
    "read_rows",
    "result",
    "result_row",
    "row",
    "said",
    "session",
    "spoken",
    "user",
    "write_rows",
]

SESSION = "11111111-1111-4111-8111-111111111111"
START = 1_772_442_000_000  # 2026-03-02T09:00:00.000Z


def at(seconds: float) -> str:
    """A time so many seconds after the start of every session here."""
    return timestamps.iso(START + int(seconds * 1000))


def row(kind: str, uuid: str, parent: str | None, seconds: float = 0, **more: Any) -> dict[str, Any]:
    """A chain row of Claude Code."""
    return {
        "type": kind,
        "uuid": uuid,
        "parentUuid": parent,
        "sessionId": SESSION,
        "timestamp": at(seconds),
        "cwd": "/home/dev/app",
        "version": "2.1.204",
        "isSidechain": False,
        **more,
    }


def user(uuid: str, parent: str | None, content: Any, seconds: float = 0, **more: Any) -> dict[str, Any]:
    """A user row."""
    return row("user", uuid, parent, seconds, message={"role": "user", "content": content}, **more)


def result_row(
    uuid: str, parent: str, call_id: str, text: Any = "done", seconds: float = 0, **more: Any
) -> dict[str, Any]:
    """A user row that answers one call."""
    block = {"type": "tool_result", "tool_use_id": call_id, "content": text, "is_error": more.pop("error", False)}
    return user(uuid, parent, [block], seconds, **more)


def assistant(
    uuid: str,
    parent: str | None,
    content: Any,
    seconds: float = 0,
    *,
    message: str | None = None,
    output: int = 5,
    stop: str | None = "end_turn",
    model: str = "claude-sonnet-4-5",
    request: str | None = "",
    **more: Any,
) -> dict[str, Any]:
    """An assistant row; its message id is that of the row unless `message` names one."""
    name = message or f"msg_{uuid}"
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    usage = {"input_tokens": 10, "output_tokens": output}
    body = {"id": name, "role": "assistant", "model": model, "content": blocks, "stop_reason": stop, "usage": usage}
    ask = f"req_{name}" if request == "" else request
    return row("assistant", uuid, parent, seconds, message=body, **({"requestId": ask} if ask else {}), **more)


def call(call_id: str, name: str = "Bash", **arguments: Any) -> dict[str, Any]:
    """A block that asks for a tool."""
    return {"type": "tool_use", "id": call_id, "name": name, "input": arguments}


def write_rows(path: Path, rows: Iterable[Any]) -> Path:
    """Write rows, or lines as they are, as JSON lines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(r if isinstance(r, bytes) else json.dumps(r).encode() + b"\n" for r in rows))
    return path


def read_rows(
    folder: Path, rows: Iterable[Any], *, name: str = SESSION, report: FileReport | None = None, **options: Any
) -> list[Record]:
    """The records of a session of these rows."""
    path = write_rows(folder / f"{name}.jsonl", rows)
    account = report if report is not None else FileReport(path=str(path))
    return list(read(resolve(str(path)), report=account, options=ReadOptions(**options)))


def events(records: Iterable[Record]) -> list[Event]:
    """What the records say."""
    return [event for record in records for event in record.events]


def said(records: Iterable[Event] | Iterable[Record]) -> list[str]:
    """Every message and result in order, as "role: text"."""
    out = []
    for item in records:
        for event in item.events if isinstance(item, Record) else (item,):
            if isinstance(event, Message):
                parts = [b.text if isinstance(b, Text) else f"<{type(b).__name__}>" for b in event.content]
                out.append(f"{event.injected or event.role}: {' '.join(parts)}")
            elif isinstance(event, ToolResult):
                out.append(f"{event.status}: {' '.join(b.text for b in event.content if isinstance(b, Text))}")
    return out


def session(**more: Any) -> Session:
    """The first event of a stream."""
    facts = {"agent": "claude", "session_id": SESSION, "cwd": "/home/dev/app", "created": START, "time": START}
    return Session(**{"id": "session", **facts, **more})


def spoken(name: str, text: str = "hello", seconds: float | None = 0, **more: Any) -> Message:
    """A prompt as an event."""
    content: tuple[Block, ...] = (Text(text=text),)
    return Message(**{"id": name, "role": "user", "content": content, "time": _time(seconds), **more})


def answer(name: str, *content: Block | str, seconds: float | None = 0, **more: Any) -> Message:
    """A model's message as an event."""
    blocks = tuple(Text(text=b) if isinstance(b, str) else b for b in content)
    facts = {"id": name, "role": "assistant", "content": blocks, "time": _time(seconds), "model": "claude-sonnet-4-5"}
    return Message(**{**facts, **more})


def asked(call_id: str, name: str = "Bash", arguments: bytes = b"{}", **more: Any) -> ToolCall:
    """A call as a block."""
    return ToolCall(id=call_id, name=name, arguments=msgspec.Raw(arguments), **more)


def result(event: str, call_id: str, text: str = "done", seconds: float | None = 0, **more: Any) -> ToolResult:
    """A result as an event."""
    content = (Text(text=text),) if text else ()
    return ToolResult(**{"id": event, "call_id": call_id, "content": content, "time": _time(seconds), **more})


def _time(seconds: float | None) -> int | None:
    return None if seconds is None else START + int(seconds * 1000)


def mutated(data: bytes, chance: random.Random) -> bytes:
    """The same bytes with a few faults of the kinds that crashes, two writers and bad disks make."""
    out = data
    for _ in range(chance.randint(1, 4)):
        if not out:
            break
        lines: Sequence[bytes] = out.splitlines(keepends=True)
        place, number = chance.randrange(len(out)), chance.randrange(len(lines))
        kind = chance.randrange(9)
        if kind == 0:
            out = out[:place] + bytes([chance.randrange(256)]) + out[place + 1 :]
        elif kind == 1:
            out = out[:place] + out[place + chance.randint(1, 80) :]
        elif kind == 2:
            out = out[:place]
        elif kind == 3:
            out = b"".join([*lines[:number], lines[number], *lines[number:]])
        elif kind == 4:
            out = b"".join([*lines[:number], *lines[number + 1 :]])
        elif kind == 5:
            out = b"".join([*lines[number:], *lines[:number]])
        elif kind == 6:
            out = b"".join([*lines[:number], lines[number].rstrip(b"\r\n"), *lines[number + 1 :]])
        elif kind == 7:
            value = chance.choice([b"null", b"[]", b"{}", b'"x"', b"-1", b"NaN", b'"\\ud800"', b"1e999", b"true"])
            end = out.find(b",", place)
            start = out.rfind(b":", 0, place)
            out = out[: start + 1] + value + out[end:] if 0 <= start < end else out
        else:
            junk = chance.choice(
                [b"\0\0\0", b"\xef\xbb\xbf", b"\r\n", b"\n\n", b"\xff\xfe", b"}{", b'{"type":"future"}\n']
            )
            out = out[:place] + junk + out[place:]
    return out
