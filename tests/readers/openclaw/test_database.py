"""Sessions in OpenClaw's database."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
import zstandard

from panscript.readers import sqlite
from panscript.readers.openclaw import resolve, store
from panscript.readers.opening import open_sources
from panscript.schemas.errors import SourceNotFound
from panscript.schemas.events import Message, Session
from panscript.schemas.report import FileReport
from tests.readers.openclaw.making import HEADER, answer, database, records, said, sources, user, write

ROWS = [{**HEADER, "version": 4}, user("a", None, "hello"), answer("b", "a", "hi")]


def place(folder: Path, name: str = "agent/openclaw-agent.sqlite") -> Path:
    return folder / "agents/main" / name


def test_a_row_is_what_a_line_is_compressed_or_not(tmp_path: Path) -> None:
    path = database(place(tmp_path), {"s1": [ROWS[0], ROWS[1], (ROWS[2], True)]})
    (source,) = sources(tmp_path)
    file = write(tmp_path / "s1.jsonl", ROWS)
    assert [event.id for event in said(source)] == [event.id for event in said(resolve(str(file)))]
    assert b"".join(record.raw + b"\n" for record in records(source)[:-1]) == file.read_bytes()
    assert [record.origin.line for record in records(source)] == [1, 2, 3, 3]
    assert open_sources(str(path))[0].agent == "openclaw"


def test_older_databases_have_no_compressed_rows(tmp_path: Path) -> None:
    database(place(tmp_path), {"s1": ROWS}, older=True)
    (source,) = sources(tmp_path)
    assert sum(isinstance(event, Message) for event in said(source)) == 2


def test_one_bad_row_costs_that_row(tmp_path: Path) -> None:
    path = database(place(tmp_path), {"s1": [*ROWS, "{torn", user("c", "b", "still here", 5)]})
    import sqlite3

    connection = sqlite3.connect(path)
    connection.execute("UPDATE transcript_events SET event_json = NULL, event_zstd = x'28b52ffd00' WHERE seq = 2")
    connection.commit()
    connection.close()
    report = FileReport(path="")
    (source,) = sources(tmp_path)
    found = [event.id for event in said(source, report) if isinstance(event, Message)]
    assert found == ["a", "c"]
    assert report.skipped == {"undecodable_jsonl_frame": 1, "other_json_parse_error": 1}


@pytest.mark.parametrize("stated", [True, False], ids=["length stated", "length not stated"])
def test_what_stands_in_compressed_rows(tmp_path: Path, stated: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "_LIMIT", 300)
    lines = [b"", b"{}", b"x" * 300, b"x" * 301]
    packed = [zstandard.ZstdCompressor(write_content_size=stated).compress(line) for line in lines]
    packed += [packed[2][:-1] + b"\xff", packed[1] + b"more", b"none"]
    path = database(place(tmp_path), {"s1": [{}] * len(packed)})
    import sqlite3

    connection = sqlite3.connect(path)
    for number, data in enumerate(packed):
        connection.execute(
            "UPDATE transcript_events SET event_json = NULL, event_zstd = ? WHERE seq = ?", (data, number)
        )
    connection.commit()
    connection.close()
    with sqlite.database(str(path)) as found:
        held = [line.text if not line.damaged else None for line in store.Store(found, str(path)).lines("s1")]
    assert held == [None, b"{}", b"x" * 300, None, None, b"{}", None]


def test_titles_and_sub_agents_by_the_keys_of_sessions(tmp_path: Path) -> None:
    key, child_key = "agent:main:main", "agent:main:subagent:1"
    database(
        place(tmp_path),
        {"s1": ROWS, "s2": [{**HEADER, "id": "s2"}, user("x", None, "count")]},
        windows=[("s1", key, 5, None, None), ("s2", child_key, 6, None, None)],
        nodes=[
            (key, "s1", '{"sessionId":"s1","label":"old label"}', "a label", None, None, None),
            (child_key, "s2", "{}", None, None, None, key),
        ],
    )
    parent, child = sources(tmp_path)
    assert (parent.id, child.id, child.parent) == ("s1", "s2", "s1")
    session = said(parent)[0]
    assert isinstance(session, Session)
    assert session.title == "a label"
    assert [event.injected for event in said(child) if isinstance(event, Message)] == ["task"]


def test_files_that_the_database_took_over_are_not_read_twice(tmp_path: Path) -> None:
    database(place(tmp_path), {"s1": ROWS})
    write(place(tmp_path, "session-sqlite-import-archive/s1.jsonl"), ROWS)
    write(place(tmp_path, "sessions/s0.jsonl"), [{**HEADER, "id": "s0"}, ROWS[1]])
    write(tmp_path / "agents/other/sessions/s1.jsonl", ROWS)
    assert [(source.id, Path(source.path).name) for source in sources(tmp_path)] == [
        ("s1", "openclaw-agent.sqlite"),
        ("s0", "s0.jsonl"),
        ("s1", "s1.jsonl"),
    ]


def test_a_session_without_its_header_is_known_by_its_row(tmp_path: Path) -> None:
    database(place(tmp_path), {"s9": ROWS[1:]}, windows=[("s9", "agent:main:main", 1778054400000, None, None)])
    (source,) = sources(tmp_path)
    report = FileReport(path="")
    session = said(source, report)[0]
    assert isinstance(session, Session)
    assert (session.session_id, session.created, session.complete) == ("s9", 1778054400000, False)
    assert [warning.code for warning in report.warnings] == ["header_missing"]


def test_a_session_that_is_gone_is_told(tmp_path: Path) -> None:
    database(place(tmp_path), {"s1": ROWS})
    (source,) = sources(tmp_path)
    with pytest.raises(SourceNotFound):
        said(msgspec.structs.replace(source, id="gone"))
