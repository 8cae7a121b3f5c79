"""Databases and files of Goose, made up."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from panscript.readers.context import Place
from panscript.readers.discovery import family
from panscript.readers.goose import read
from panscript.readers.goose.discovery import discover
from panscript.readers.options import ReadOptions
from panscript.schemas.errors import SourceError
from panscript.schemas.events import Event
from panscript.schemas.records import Record, Source
from panscript.schemas.report import FileReport

SESSION = """id TEXT PRIMARY KEY, name TEXT NOT NULL DEFAULT '', description TEXT NOT NULL DEFAULT '',
    session_type TEXT NOT NULL DEFAULT 'user', working_dir TEXT NOT NULL, created_at TIMESTAMP, updated_at TIMESTAMP,
    extension_data TEXT DEFAULT '{}', total_tokens INTEGER, input_tokens INTEGER, output_tokens INTEGER,
    accumulated_total_tokens INTEGER, accumulated_input_tokens INTEGER, accumulated_output_tokens INTEGER,
    provider_name TEXT, model_config_json TEXT"""
NEWER = """, accumulated_cost REAL, cache_read_tokens INTEGER, cache_write_tokens INTEGER,
    accumulated_cache_read_tokens INTEGER, accumulated_cache_write_tokens INTEGER, parent_session_id TEXT"""
MESSAGE = """id INTEGER PRIMARY KEY AUTOINCREMENT, message_id TEXT, session_id TEXT NOT NULL, role TEXT NOT NULL,
    content_json TEXT NOT NULL, created_timestamp INTEGER NOT NULL, timestamp TIMESTAMP, tokens INTEGER,
    metadata_json TEXT"""
LEDGER = """id INTEGER PRIMARY KEY, session_id TEXT, created_timestamp INTEGER, model TEXT, input_tokens INTEGER,
    output_tokens INTEGER, total_tokens INTEGER, cache_read_tokens INTEGER, cache_write_tokens INTEGER, cost REAL,
    cost_source TEXT, is_compaction INTEGER"""
ROW = {
    "id": "20260101_1",
    "name": "a title",
    "working_dir": "/home/dev/app",
    "created_at": "2026-01-01 10:00:00",
    "updated_at": "2026-01-01 11:00:00",
    "accumulated_total_tokens": 15,
    "accumulated_input_tokens": 10,
    "accumulated_output_tokens": 5,
    "provider_name": "openai",
    "model_config_json": '{"model_name":"GPT-9"}',
}
BEGAN = 1767261600
"""Seconds of 2026-01-01 10:00:00 UTC."""


def text(words: str, **more: Any) -> dict[str, Any]:
    return {"type": "text", "text": words, **more}


def call(name: str = "c1", tool: str = "shell", **arguments: Any) -> dict[str, Any]:
    value = {"name": tool, "arguments": arguments}
    return {"type": "toolRequest", "id": name, "toolCall": {"status": "success", "value": value}}


def result(name: str = "c1", *words: str, **value: Any) -> dict[str, Any]:
    found = {"content": [text(each) for each in words], **value}
    return {"type": "toolResponse", "id": name, "toolResult": {"status": "success", "value": found}}


def said(role: str, *items: Any, **columns: Any) -> dict[str, Any]:
    """A row of `messages`."""
    return {"role": role, "content_json": json.dumps(items), **columns}


def hidden(who: str) -> dict[str, str]:
    """Metadata of a message that `user` or `agent` does not see."""
    return {"metadata_json": json.dumps({"userVisible": True, "agentVisible": True, f"{who}Visible": False})}


def database(
    path: Path,
    messages: Sequence[Mapping[str, Any]] = (),
    *,
    sessions: Sequence[Mapping[str, Any]] = ({},),
    ledger: Sequence[Mapping[str, Any]] = (),
    newer: bool = True,
) -> Path:
    """A database; what a row does not say is as in `ROW`, a second later and of the first session."""
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path)
    connection.execute(f"CREATE TABLE sessions ({SESSION}{NEWER if newer else ''})")
    connection.execute(f"CREATE TABLE messages ({MESSAGE})")
    rows = [{**ROW, **row} for row in sessions]
    for row in rows:
        _insert(connection, "sessions", row)
    for number, message in enumerate(messages):
        default = {"session_id": rows[0]["id"], "created_timestamp": BEGAN + number, "message_id": f"m{number}"}
        _insert(connection, "messages", {**default, **message})
    if newer:
        connection.execute(f"CREATE TABLE usage_ledger ({LEDGER})")
        for number, request in enumerate(ledger):
            default = {"session_id": rows[0]["id"], "created_timestamp": BEGAN + number}
            _insert(connection, "usage_ledger", {**default, **request})
    connection.commit()
    connection.close()
    return path


def _insert(connection: sqlite3.Connection, table: str, row: Mapping[str, Any]) -> None:
    places = ", ".join("?" * len(row))
    connection.execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({places})", list(row.values()))


def sources(path: Path) -> list[Source]:
    """The sessions of a database or a folder, sub-agents behind theirs."""
    found = discover("goose", [Place(path, explicit=True)], _raise)
    return [member for source in found for member in family(source)]


def _raise(problem: SourceError) -> None:
    raise problem


def records(path: Path, report: FileReport | None = None, number: int = 0, **options: bool) -> list[Record]:
    source = sources(path)[number]
    return list(read(source, report=report or FileReport(path=""), options=ReadOptions(**options)))


def events(path: Path, report: FileReport | None = None, number: int = 0, **options: bool) -> list[Event]:
    return [event for record in records(path, report, number, **options) for event in record.events]
