"""Conversations of Antigravity, made up: Protocol Buffers, databases, logs."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from panscript.readers.antigravity import read
from panscript.readers.antigravity.discovery import discover
from panscript.readers.context import Place
from panscript.readers.discovery import family
from panscript.readers.options import ReadOptions
from panscript.schemas.errors import SourceError
from panscript.schemas.events import Event
from panscript.schemas.records import Record, Source
from panscript.schemas.report import FileReport

ID = "01974444-0000-4000-8000-00000000000a"
BEGAN = 1778745600
"""Seconds of 2026-05-14 08:00:00 UTC."""
STEPS = """idx integer, step_type integer NOT NULL DEFAULT 0, status integer NOT NULL DEFAULT 0, metadata blob,
    error_details blob, step_payload blob, step_format integer NOT NULL DEFAULT 0, PRIMARY KEY (idx)"""


def varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def message(*fields: tuple[int, int | str | bytes]) -> bytes:
    """A message of these fields: numbers, texts, and messages or texts as bytes."""
    out = b""
    for field, value in fields:
        if isinstance(value, int):
            out += varint(field << 3) + varint(value)
        else:
            data = value.encode() if isinstance(value, str) else value
            out += varint(field << 3 | 2) + varint(len(data)) + data
    return out


def stamp(seconds: int, nanos: int = 0) -> bytes:
    return message((1, BEGAN + seconds), (2, nanos))


def request(*usage: tuple[int, int | str], steps: Iterable[int] = (), seconds: int | None = 1, **more: Any) -> bytes:
    """What a row of `gen_metadata` holds."""
    chat: list[tuple[int, int | str | bytes]] = [(3, 1008), (4, message((1, 1008), *usage))]
    if seconds is not None:
        chat.append((9, message((4, stamp(seconds, 250_000_000)))))
    chat.append((19, more.get("model", "Gemini-3-Pro")))
    return message((1, message(*chat)), *((2, step) for step in steps))


def step(kind: int, *fields: tuple[int, int | str | bytes], source: int = 2, call: bytes | None = None) -> bytes:
    """What `step_payload` holds."""
    about: list[tuple[int, int | str | bytes]] = [(1, stamp(kind)), (3, source)]
    if call is not None:
        about.append((4, call))
    return message((1, kind), (4, 3), (5, message(*about)), *fields)


def called(name: str = "c1", tool: str = "run_command", arguments: str = '{"CommandLine":"ls"}') -> bytes:
    return message((1, name), (2, tool), (3, arguments))


def line(
    index: int | None, kind: str, content: str | None = None, source: str = "MODEL", **more: Any
) -> dict[str, Any]:
    """A line of the log."""
    found = {"step_index": index, "source": source, "type": kind, "status": "DONE", "content": content}
    time = f"2026-05-14T08:00:{index or 0:02}Z"
    return {**{name: value for name, value in found.items() if value is not None}, "created_at": time, **more}


def prompt(index: int, said: str) -> dict[str, Any]:
    content = f"<USER_REQUEST>\n{said}\n</USER_REQUEST>\n<ADDITIONAL_METADATA>\nnow\n</ADDITIONAL_METADATA>"
    return line(index, "USER_INPUT", content, "USER_EXPLICIT")


def log(root: Path, rows: Iterable[Mapping[str, Any] | bytes], name: str = ID) -> Path:
    path = root / "brain" / name / ".system_generated/logs/transcript.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = (row if isinstance(row, bytes) else json.dumps(row).encode() for row in rows)
    path.write_bytes(b"".join(each + b"\n" for each in lines))
    return path


def database(
    root: Path,
    *,
    requests: Iterable[object] | None = (),
    steps: Iterable[tuple[int, bytes] | tuple[int, bytes, bytes]] = (),
    about: bytes | None = None,
    name: str = ID,
) -> Path:
    """A database; steps are pairs of type and payload, with the details of an error where there was one."""
    path = root / "conversations" / f"{name}.db"
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path)
    connection.execute(f"CREATE TABLE steps ({STEPS})")
    connection.execute("CREATE TABLE trajectory_metadata_blob (id text DEFAULT 'main', data blob, PRIMARY KEY (id))")
    if requests is not None:
        connection.execute("CREATE TABLE gen_metadata (idx integer, data blob, size integer, PRIMARY KEY (idx))")
        for number, data in enumerate(requests):
            connection.execute("INSERT INTO gen_metadata VALUES (?, ?, 1)", (number, data))
    for number, (kind, payload, *error) in enumerate(steps):
        values = (number, kind, 3, payload, error[0] if error else None)
        connection.execute(
            "INSERT INTO steps (idx, step_type, status, step_payload, error_details) VALUES (?, ?, ?, ?, ?)", values
        )
    if about is not None:
        connection.execute("INSERT INTO trajectory_metadata_blob VALUES ('main', ?)", (about,))
    connection.commit()
    connection.close()
    return path


def _raise(problem: SourceError) -> None:
    raise problem


def sources(root: Path) -> list[Source]:
    """The conversations below a folder, sub-agents included."""
    places = [Place(root / name) for name in ("conversations", "brain")]
    return [member for source in discover("antigravity", places, _raise) for member in family(source)]


def records(source: Source, report: FileReport | None = None, **options: bool) -> list[Record]:
    return list(read(source, report=report or FileReport(path=""), options=ReadOptions(**options)))


def said(source: Source, report: FileReport | None = None, **options: bool) -> list[Event]:
    return [event for record in records(source, report, **options) for event in record.events]
