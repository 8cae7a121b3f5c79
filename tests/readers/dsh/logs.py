"""Small logs of the DeepSeek Harness."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import zstandard

from panscript.readers.dsh import read, resolve
from panscript.readers.options import ReadOptions
from panscript.schemas.events import Event
from panscript.schemas.report import FileReport

START = 1_778_832_000_000
SESSION = "session-01975555-0000-4000-8000-000000000001"


def header(**more: Any) -> dict[str, Any]:
    """The first line."""
    return {"type": "session", "version": 4, "id": SESSION, "createdAt": START, "cwd": "/home/dev/app"} | more


def event(kind: str, seq: int, data: Any, **more: Any) -> dict[str, Any]:
    """An event, so many seconds after the start as its number says."""
    return {"type": kind, "seq": seq, "time": START + 1000 * seq, "data": data} | more


def user(seq: int, text: str, kind: str = "user", **more: Any) -> dict[str, Any]:
    """A prompt."""
    content = [{"type": "text", "text": text}]
    message = {"id": f"u{seq}", "role": "user", "source": {"kind": kind}, "content": content}
    return event("user/message", seq, message, **({"surfaceOp": "append"} | more))


def answer(seq: int, *blocks: dict[str, Any], usage: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    """A response."""
    source = {"kind": "model", "provider": "deepseek", "model": "Deepseek-Flash"}
    message = {"id": f"a{seq}", "role": "assistant", "source": source, "content": list(blocks)}
    data = {"turn": 1, "step": 1, "message": message, "stream": []} | ({"usage": usage} if usage is not None else {})
    return event("assistant/message", seq, data, **({"surfaceOp": "append"} | more))


def text(said: str) -> dict[str, Any]:
    """A block of text."""
    return {"type": "text", "text": said}


def call(name: str, arguments: str = '{"command":"ls"}') -> dict[str, Any]:
    """A block that asks for a tool."""
    return {"type": "tool-call", "id": name, "name": "bash", "arguments": arguments}


def result(seq: int, name: str, said: str, *, failed: bool = False, **more: Any) -> dict[str, Any]:
    """The answer to a call, as version 4 writes it."""
    message = {"role": "tool", "source": {"kind": "tool", "callId": name}, "toolCallId": name, "id": f"t{seq}"}
    data = {"turn": 1, "step": 1, "message": message | {"content": [text(said)], "isError": failed}}
    return event("tool/result", seq, data, **({"surfaceOp": "append"} | more))


def plain(rows: Iterable[dict[str, Any]]) -> bytes:
    """The lines of a log."""
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def packed(*parts: bytes) -> bytes:
    """A frame for each part, as the harness appends them."""
    compressor = zstandard.ZstdCompressor(write_checksum=True, write_content_size=False)
    return b"".join(compressor.compress(part) for part in parts)


def write(folder: Path, rows: Iterable[dict[str, Any]], session: str = SESSION) -> Path:
    """A plain log where it belongs."""
    path = folder / "sessions" / "--home-dev-app--" / session / "session.v4.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(plain(rows))
    return path


def events(path: Path, report: FileReport | None = None, **options: bool) -> list[Event]:
    """What a log says."""
    account = report if report is not None else FileReport(path=str(path))
    records = read(resolve(str(path)), report=account, options=ReadOptions(**options))
    return [each for record in records for each in record.events]
