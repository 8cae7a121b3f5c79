"""The older files, exports, and what is found on a machine."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from panscript.readers.goose import detect, read, resolve
from panscript.readers.goose.peek import peek
from panscript.readers.opening import open_source, recognise
from panscript.readers.options import ReadOptions
from panscript.readers.peek import Peeker
from panscript.schemas.errors import NotATranscript, SourceError
from panscript.schemas.events import Event, Message, Session, Usage
from panscript.schemas.records import Source
from panscript.schemas.report import FileReport
from panscript.stages.normal_form import normal_form
from tests.readers.goose.making import BEGAN, ROW, call, database, result, said, sources, text
from tests.repository import ROOT

FIXTURES = ROOT / "fixtures/goose"
NAME = "20250901_120000.jsonl"
HEADER = {"working_dir": "/w", "description": "old", "message_count": 2, "accumulated_total_tokens": 15}
HEADER |= {"accumulated_input_tokens": 10, "accumulated_output_tokens": 5}


def message(role: str, *items: Any, **more: Any) -> dict[str, Any]:
    return {"role": role, "created": BEGAN, "content": list(items), **more}


def lines(path: Path, *rows: Any) -> Path:
    path.write_bytes(b"".join(json.dumps(row).encode() + b"\n" for row in rows))
    return path


def export(path: Path, *messages: Any, indent: int | None = 2, **more: Any) -> Path:
    tokens = {"accumulated_total_tokens": 15, "accumulated_input_tokens": 10, "accumulated_output_tokens": 5}
    value = {
        "id": "20260101_7",
        "working_dir": "/w",
        "name": "exported",
        "created_at": "2026-01-01T10:00:00Z",
        "updated_at": "2026-01-01T10:00:09Z",
        "extension_data": {},
        **tokens,
        "conversation": list(messages),
        "message_count": len(messages),
        "provider_name": "openai",
        "model_config": {"model_name": "gpt-9"},
        **more,
    }
    path.write_text(json.dumps(value, indent=indent))
    return path


def events(path: Path, report: FileReport | None = None) -> list[Event]:
    found = read(open_source(str(path)), report=report or FileReport(path=""), options=ReadOptions())
    return [event for record in found for event in record.events]


def test_a_file_of_lines(tmp_path: Path) -> None:
    path = lines(tmp_path / NAME, HEADER, message("user", text("hi")), message("assistant", text("ho"), id="x"))
    session, *others = events(path)
    assert isinstance(session, Session)
    assert (session.session_id, session.title, session.cwd) == ("20250901_120000", "old", "/w")
    assert (session.first_prompt, session.created, session.complete) == ("hi", 1756728000000, True)
    assert [event.role for event in others if isinstance(event, Message)] == ["user", "assistant"]
    assert [event.id for event in others if isinstance(event, Message)] == ["line:2", "x"]
    assert [(event.tokens.total, event.time) for event in others if isinstance(event, Usage)] == [(15, 1756728000000)]


def test_a_file_without_its_first_line(tmp_path: Path) -> None:
    report = FileReport(path="")
    path = lines(tmp_path / "x.jsonl", message("user", text("hi")))
    session = events(path, report)[0]
    assert isinstance(session, Session)
    assert (session.session_id, session.created, session.complete) == ("x", BEGAN * 1000, False)
    assert [each.code for each in report.warnings] == ["header_missing"]
    assert report.skipped == {}


def test_the_raws_are_the_file_damage_included(tmp_path: Path) -> None:
    path = lines(tmp_path / NAME, HEADER, message("user", text("hi")))
    path.write_bytes(path.read_bytes() + b'\n\xff{"role":\r\n{"role":"user","created":1767261600,"content":[')
    report = FileReport(path="")
    records = list(read(resolve(str(path)), report=report))
    assert b"".join(record.raw for record in records) == path.read_bytes()
    assert [record.kind for record in records] == ["used", "used", "blank", "skipped", "skipped", "end"]
    assert report.skipped == {"other_json_parse_error": 2}


def test_the_real_export_says_what_the_database_says() -> None:
    (stored,) = sources(FIXTURES / "home/.local/share/goose/sessions/sessions.db")
    exported = open_source(str(FIXTURES / "exported/export-20261130_1.json"))
    assert stored.id == exported.id
    streams = (
        [event for record in read(each, report=FileReport(path="")) for event in record.events]
        for each in (stored, exported)
    )
    assert list(normal_form(next(streams))) == list(normal_form(next(streams)))


@pytest.mark.parametrize("indent", [None, 2])
def test_an_export(tmp_path: Path, indent: int | None) -> None:
    path = export(
        tmp_path / "e.json",
        message("user", text("hi"), id="a"),
        message("assistant", text("let me see"), id="b"),
        message("assistant", call("c"), id="c"),
        message("user", result("c", "x"), id="d"),
        indent=indent,
    )
    report = FileReport(path="")
    records = list(read(open_source(str(path)), report=report))
    assert b"".join(record.raw for record in records) == path.read_bytes()
    session, *others = [event for record in records for event in record.events]
    assert isinstance(session, Session)
    assert (session.session_id, session.title, session.model) == ("20260101_7", "exported", "gpt-9")
    told = [(event.id, event.response, event.closes) for event in others if isinstance(event, Message)]
    assert told == [("a", None, True), ("b", "b", False), ("c", "b", True)]
    assert [event.tokens.total for event in others if isinstance(event, Usage)] == [15]


def test_counts_of_newer_exports(tmp_path: Path) -> None:
    path = export(
        tmp_path / "e.json",
        accumulated_total_tokens=None,
        accumulated_input_tokens=None,
        accumulated_output_tokens=None,
        usage={"input_tokens": 1, "output_tokens": 1, "total_tokens": 2},
        accumulated_usage={
            "input_tokens": 10,
            "output_tokens": 5,
            "total_tokens": 15,
            "cache_read_input_tokens": 4,
            "cache_write_input_tokens": 1,
        },
    )
    (usage,) = [event for event in events(path) if isinstance(event, Usage)]
    tokens = usage.tokens
    assert (tokens.input, tokens.output, tokens.cache_read, tokens.cache_write, tokens.total) == (5, 5, 4, 1, 15)


def test_of_a_cut_export_the_whole_messages_are_read(tmp_path: Path) -> None:
    path = export(tmp_path / "e.json", message("user", text("hi")), message("assistant", text("ho")))
    path.write_bytes(path.read_bytes().partition(b'"ho"')[0])
    report = FileReport(path="")
    session, *others = events(path, report)
    assert isinstance(session, Session)
    assert not session.complete
    assert [event.role for event in others if isinstance(event, Message)] == ["user"]
    assert report.skipped == {"other_json_parse_error": 1}


@pytest.mark.parametrize(
    ("start", "sure"),
    [
        (json.dumps(HEADER).encode() + b"\n", 95),
        (b'{"working_dir":"/w","descr', 60),
        (json.dumps(message("user", text("x"))).encode() + b"\n", 70),
        (b'{"type":"session","id":"x","cwd":"/w"}\n', 0),
        (b'{"role":"user","content":"x"}\n', 0),
        (b"", 0),
        (b"\xff\n[1]\n", 0),
    ],
)
def test_how_surely_it_is_gooses(start: bytes, sure: int) -> None:
    assert detect(start) == sure


def test_all_forms_are_recognised(tmp_path: Path) -> None:
    paths = [
        database(tmp_path / "sessions.db", [said("user", text("x"))]),
        lines(tmp_path / NAME, HEADER, message("user", text("x"))),
        export(tmp_path / "e.json", message("user", text("x"))),
    ]
    assert [recognise(str(path)) for path in paths] == ["goose"] * 3


def test_nothing_understood(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(b'{"a":1}\n')
    with pytest.raises(NotATranscript):
        list(read(resolve(str(path)), report=FileReport(path="")))


def test_what_is_found_on_a_machine(tmp_path: Path) -> None:
    """A file that the database took over is not found again; what is no session is told."""
    rows = [{}, {"id": "20250901_120000"}, {"id": "c", "parent_session_id": "20260101_1", "session_type": "sub_agent"}]
    database(tmp_path / "sessions.db", sessions=rows)
    lines(tmp_path / NAME, HEADER)
    lines(tmp_path / "20250902_120000.jsonl", HEADER)
    found = sources(tmp_path)
    assert [(source.id, source.parent) for source in found] == [
        ("20250902_120000", None),
        ("20260101_1", None),
        ("c", "20260101_1"),
        ("20250901_120000", None),
    ]
    assert [source.id for source in found[1].children] == ["c"]


def test_sessions_that_are_each_others_parents(tmp_path: Path) -> None:
    rows = [{"id": "a", "parent_session_id": "b"}, {"id": "b", "parent_session_id": "a"}, {"parent_session_id": "gone"}]
    assert sorted(source.id for source in sources(database(tmp_path / "x.db", sessions=rows))) == [
        "20260101_1",
        "a",
        "b",
    ]


def test_a_database_of_something_else(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "sessions.db")
    connection.execute("CREATE TABLE sessions (id)")
    connection.execute("CREATE TABLE messages (id)")
    connection.commit()
    connection.close()
    with pytest.raises(NotATranscript, match="no database of Goose"):
        sources(tmp_path)


def test_a_list_says_the_same_with_and_without_reading_all(tmp_path: Path) -> None:
    messages = [
        said("assistant", text("welcome")),
        said("user", text("first\nprompt")),
        said("user", text("second")),
    ]
    database(tmp_path / "sessions.db", messages)
    lines(tmp_path / NAME, HEADER, message("user", text("hi")))
    for source in sources(tmp_path):
        exact = Peeker(whole=1 << 30)(source)
        assert exact.first_prompt
        known = peek(source)
        assert known is not None
        for name in ("session_id", "title", "first_prompt", "cwd", "created", "parent_session_id"):
            assert getattr(known, name) == getattr(exact, name)
        if source.path.endswith(".db"):
            assert known.modified == exact.modified


def test_a_session_that_is_gone_from_the_database(tmp_path: Path) -> None:
    (source,) = sources(database(tmp_path / "sessions.db"))
    gone = Source(agent="goose", id="gone", files=source.files)
    with pytest.raises(SourceError, match="no session of this id"):
        list(read(gone, report=FileReport(path="")))


def test_a_database_as_old_as_can_be(tmp_path: Path) -> None:
    path = database(tmp_path / "sessions.db", [said("user", text("x"))], newer=False)
    connection = sqlite3.connect(path)
    for column in ("session_type", "provider_name", "model_config_json", "name"):
        connection.execute(f"ALTER TABLE sessions DROP COLUMN {column}")
    for column in ("message_id", "metadata_json"):
        connection.execute(f"ALTER TABLE messages DROP COLUMN {column}")
    connection.commit()
    connection.close()
    session, *others = events(path)
    assert isinstance(session, Session)
    assert session.session_id == ROW["id"]
    assert [event.id for event in others if isinstance(event, Message)] == ["line:2"]
