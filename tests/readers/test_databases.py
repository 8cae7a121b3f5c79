"""Whose a database is, and what of a session in one is its own."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from msgspec.structs import replace

from panscript.readers import databases
from panscript.readers.cursors import cover
from panscript.readers.databases import is_database
from panscript.readers.digest import source_files
from panscript.readers.opening import open_source, open_sources, recognise
from panscript.readers.opening import read as read_source
from panscript.readers.options import ReadOptions
from panscript.readers.validation import recognise as recognise_to_validate
from panscript.schemas.errors import NotATranscript, SourceError, SourceUnreadable, UndecidedAgent
from panscript.schemas.events import Session
from panscript.schemas.progress import Cursor, State
from panscript.schemas.records import Source
from tests.readers.goose.making import database, said, text


def tables(path: Path, *names: str) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path)
    for name in names:
        connection.execute(f"CREATE TABLE {name} (a)")
    connection.commit()
    connection.close()
    return str(path)


@pytest.fixture
def shared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two agents of one origin, and one whose tables are some of theirs."""
    found = [("opencode", {"session", "message"}), ("kilocode", {"session", "message"}), ("antigravity", {"session"})]
    monkeypatch.setattr(databases, "_readers", lambda: [(name, frozenset(own)) for name, own in found])


def test_a_database_is_known_by_its_tables(tmp_path: Path) -> None:
    assert recognise(str(database(tmp_path / "any name"))) == "goose"
    assert recognise_to_validate(str(tmp_path / "any name")) == ("goose",)
    other = tables(tmp_path / "x.db", "other")
    with pytest.raises(NotATranscript, match="a database, but of no agent that can be read"):
        recognise(other)
    assert recognise_to_validate(other) == ()


@pytest.mark.usefixtures("shared")
@pytest.mark.parametrize(
    ("path", "owner"),
    [
        (".local/share/opencode/x.db", "opencode"),
        (".local/share/kilo/x.db", "kilocode"),
        ("elsewhere/opencode-2.db", "opencode"),
        ("elsewhere/kilo.db", "kilocode"),
        (".local/share/kilo/opencode.db", "kilocode"),
    ],
)
def test_a_tie_is_broken_by_place_and_then_by_name(tmp_path: Path, path: str, owner: str) -> None:
    assert recognise(tables(tmp_path / path, "session", "message", "more")) == owner


@pytest.mark.usefixtures("shared")
def test_a_tie_that_nothing_breaks(tmp_path: Path) -> None:
    path = tables(tmp_path / "x.db", "session", "message")
    with pytest.raises(UndecidedAgent, match="opencode or kilocode"):
        recognise(path)
    assert recognise(path, "kilocode") == "kilocode"
    assert recognise_to_validate(path) == ()


@pytest.mark.usefixtures("shared")
def test_more_tables_count_more(tmp_path: Path) -> None:
    assert recognise(tables(tmp_path / "x.db", "session")) == "antigravity"
    assert recognise(tables(tmp_path / "opencode.db", "session", "message"), "antigravity") == "opencode"


def test_a_database_of_one_session_and_of_several(tmp_path: Path) -> None:
    one = str(database(tmp_path / "one.db", sessions=[{}, {"id": "c", "parent_session_id": "20260101_1"}]))
    assert open_source(one).id == "20260101_1"
    assert [child.id for child in open_source(one).children] == ["c"]
    several = str(database(tmp_path / "several.db", sessions=[{"id": f"s{number}"} for number in range(7)]))
    with pytest.raises(
        SourceUnreadable, match=r"a database of 7 sessions \(name one by its id: s0.* and 2 more; `--from"
    ):
        open_source(several)
    assert [source.id for source in open_sources(several)] == [f"s{number}" for number in range(7)]


def test_what_is_no_database_is_one_source(tmp_path: Path) -> None:
    path = tmp_path / "20250901_120000.jsonl"
    path.write_text('{"working_dir":"/w","description":"x","message_count":0}\n')
    assert open_sources(str(path)) == [open_source(str(path))]


def test_a_database_without_sessions_or_of_another_agent(tmp_path: Path) -> None:
    with pytest.raises(NotATranscript, match="no session in this database"):
        open_sources(_emptied(tmp_path / "none.db"))
    path = str(database(tmp_path / "x.db"))
    with pytest.raises(NotATranscript, match=r"no session of Pi \(use `--from goose`\)"):
        open_sources(path, "pi")
    assert open_source(path, "goose").agent == "goose"


def _emptied(path: Path) -> str:
    database(path)
    connection = sqlite3.connect(path)
    connection.execute("DELETE FROM sessions")
    connection.commit()
    connection.close()
    return str(path)


def test_a_damaged_database(tmp_path: Path) -> None:
    path = database(tmp_path / "x.db")
    path.write_bytes(path.read_bytes()[:100] + b"\xa5" * 8000)
    with pytest.raises(SourceUnreadable, match="damaged"):
        open_sources(str(path))


def test_whether_a_path_leads_to_a_database(tmp_path: Path) -> None:
    assert is_database(str(database(tmp_path / "x")))
    (tmp_path / "y").write_bytes(b"SQLite format")
    assert not any(is_database(str(path)) for path in (tmp_path, tmp_path / "y", tmp_path / "none", "\0"))


def _two(path: Path) -> list[Source]:
    messages = [said("user", text("one")), said("user", text("two"), session_id="b")]
    return open_sources(str(database(path, messages, sessions=[{}, {"id": "b"}])))


def _changed(path: Path, statement: str) -> None:
    connection = sqlite3.connect(path)
    connection.execute(statement)
    connection.commit()
    connection.close()


def test_the_digest_is_that_of_the_sessions_own_records(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    one, other = _two(path)
    (before,) = source_files(one)
    assert before.bytes == sum(len(record.raw) for record in read_source(one))
    assert before.sha256 != source_files(other)[0].sha256
    _changed(path, "UPDATE messages SET content_json = '[]' WHERE session_id = 'b'")
    assert source_files(one) == (before,)
    _changed(path, "UPDATE messages SET content_json = '[]'")
    assert source_files(one) != (before,)
    session = next(iter(read_source(one, options=ReadOptions(digest=True)))).events[0]
    assert isinstance(session, Session)
    assert session.files == source_files(one)
    assert source_files(replace(one, shown_as="-"))[0].path == "-"


def test_a_cursor_covers_all_rows_or_none(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    source, _ = _two(path)
    covered = cover(source, None)
    assert (covered.partial_line, covered.ends) == (False, {})
    state = State(session=source.id, options="", kinds={})
    cursor = Cursor(parser="goose@1.1", offset=covered.offset, prefix_hash=covered.prefix_hash, state=state)
    assert cover(source, cursor).fits
    _changed(
        path, "INSERT INTO messages (session_id, role, content_json, created_timestamp) VALUES ('b', 'user', '[]', 1)"
    )
    assert cover(source, cursor).fits, "that was another session"
    _changed(path, "UPDATE sessions SET name = 'renamed'")
    assert not cover(source, cursor).fits


def test_a_database_that_went_away(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    source, _ = _two(path)
    path.unlink()
    with pytest.raises(SourceError):
        cover(source, None)
    with pytest.raises(SourceError):
        source_files(source)
