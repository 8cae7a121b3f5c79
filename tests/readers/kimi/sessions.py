"""Sessions of Kimi CLI and Kimi Code for tests, as the programs lay them out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from panscript.readers.kimi import read, resolve
from panscript.readers.options import ReadOptions
from panscript.schemas.events import Event, Message, Usage
from panscript.schemas.records import Record
from panscript.schemas.report import FileReport
from tests.builders import write_rows

__all__ = ["cli", "code", "codes", "messages", "records", "status", "usage_of", "wire"]

START = 1_778_572_800


def wire(kind: str, seconds: float = 0, **payload: Any) -> dict[str, Any]:
    """A line of a wire of Kimi CLI."""
    return {"timestamp": START + seconds, "message": {"type": kind, "payload": payload}}


def status(message_id: str | None, fresh: int, output: int = 1, seconds: float = 1) -> dict[str, Any]:
    """What a response was billed."""
    usage = {"input_other": fresh, "output": output, "input_cache_read": 0, "input_cache_creation": 0}
    return wire("StatusUpdate", seconds, token_usage=usage, message_id=message_id)


def cli(folder: Path, wires: list[Any] | None = None, contexts: list[Any] | None = None, name: str = "u1") -> Path:
    """A session of Kimi CLI with these lines; gives one of its files."""
    session = folder / "sessions" / "0123456789abcdef0123456789abcdef" / name
    path = session
    if contexts is not None:
        path = write_rows(session / "context.jsonl", contexts)
    if wires is not None:
        path = write_rows(session / "wire.jsonl", [{"type": "metadata", "protocol_version": "1.10"}, *wires])
    return path


def codes(kind: str, **payload: Any) -> dict[str, Any]:
    """A record of Kimi Code."""
    return {"type": kind, "agentId": "main", **payload, "time": START * 1000}


def code(folder: Path, *rows: Any, agent: str = "main", name: str = "session_1") -> Path:
    """An agent of a session of Kimi Code with these records; gives its file."""
    first = {"type": "metadata", "protocol_version": "1.5", "created_at": START * 1000}
    return write_rows(folder / "sessions" / "wd_app_0" / name / "agents" / agent / "wire.jsonl", [first, *rows])


def records(path: Path, report: FileReport | None = None, **options: bool) -> list[Record]:
    """Every record of the session that this file belongs to."""
    account = report if report is not None else FileReport(path=str(path))
    return list(read(resolve(str(path)), report=account, options=ReadOptions(**options)))


def messages(found: list[Event]) -> list[Message]:
    """The messages among events."""
    return [event for event in found if isinstance(event, Message)]


def usage_of(found: list[Event]) -> list[Usage]:
    """The usage among events."""
    return [event for event in found if isinstance(event, Usage)]
