"""Small event logs and telemetry of Copilot."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from panscript.readers.copilot import read, resolve
from panscript.readers.options import ReadOptions
from panscript.schemas import timestamps
from panscript.schemas.events import Event
from panscript.schemas.report import FileReport

START = 1_778_227_200_000
SESSION = "cop-1"


def event(kind: str, number: int, data: Any, **more: Any) -> dict[str, Any]:
    """An event, so many seconds after the start as its number says."""
    parent = f"e{number - 1}" if number else None
    time = timestamps.iso(START + 1000 * number)
    return {"type": kind, "data": data, "id": f"e{number}", "timestamp": time, "parentId": parent} | more


def start(**more: Any) -> dict[str, Any]:
    """The first line."""
    facts = {"sessionId": SESSION, "version": 1, "producer": "copilot-agent", "copilotVersion": "1.0.102"}
    context = {"cwd": "/home/dev/app", "branch": "main"}
    return event("session.start", 0, facts | {"startTime": timestamps.iso(START), "context": context} | more)


def user(number: int, content: str, **more: Any) -> dict[str, Any]:
    """A prompt."""
    return event("user.message", number, {"content": content} | more)


def answer(number: int, content: str = "", **more: Any) -> dict[str, Any]:
    """A response."""
    return event(
        "assistant.message", number, {"messageId": f"m{number}", "content": content, "model": "gpt-5.2"} | more
    )


def request(name: str, arguments: Any = None, kind: str = "function") -> dict[str, Any]:
    """A call in a response."""
    given = {"command": "ls"} if arguments is None else arguments
    return {"toolCallId": name, "name": "bash", "arguments": given, "type": kind}


def done(number: int, name: str, **more: Any) -> dict[str, Any]:
    """How a call ended."""
    return event("tool.execution_complete", number, {"toolCallId": name, "success": True} | more)


def span(ident: str, number: int, session: str = SESSION, **more: Any) -> dict[str, Any]:
    """A span of a request."""
    attributes = {
        "gen_ai.operation.name": "chat",
        "gen_ai.conversation.id": session,
        "gen_ai.response.model": "GPT-5.2",
        "gen_ai.response.id": f"r{number}",
        "gen_ai.usage.input_tokens": 1000,
        "gen_ai.usage.output_tokens": 80,
        "gen_ai.usage.cache_read.input_tokens": 700,
        "gen_ai.usage.cache_write.input_tokens": 50,
        "gen_ai.usage.reasoning.output_tokens": 12,
    }
    times = {"startTime": [START // 1000, 0], "endTime": [START // 1000 + number, 500_000_000]}
    ids = {"type": "span", "traceId": f"t{number}", "spanId": ident, "name": "chat gpt-5.2"}
    return {**ids, **times, "attributes": attributes} | more


def lines_of(rows: Iterable[dict[str, Any]]) -> bytes:
    """A file of lines."""
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def write(home: Path, rows: Iterable[dict[str, Any]], session: str = SESSION, workspace: str = "") -> Path:
    """A log where it belongs."""
    path = home / ".copilot/session-state" / session / "events.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(lines_of(rows))
    if workspace:
        path.with_name("workspace.yaml").write_text(workspace, encoding="utf-8")
    return path


def export(home: Path, rows: Iterable[dict[str, Any]], name: str = "a.jsonl") -> Path:
    """Telemetry where it belongs."""
    path = home / ".copilot/otel" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(lines_of(rows))
    return path


def events(path: Path, report: FileReport | None = None, **options: bool) -> list[Event]:
    """What a file says."""
    account = report if report is not None else FileReport(path=str(path))
    records = read(resolve(str(path)), report=account, options=ReadOptions(**options))
    return [each for record in records for each in record.events]
