"""Sessions in one database: named together by its path, one by one by their ids."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from tests.cli.program import panscript
from tests.readers.goose.making import call, database, result, said, text

WHEN = ("--imported-at", "2026-05-01T00:00:00Z")
SECRET = "ghp_" + "A1b2C3d4E5f6" * 3


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Two sessions, the first with a sub-agent, in Goose's own place."""
    messages = [
        said("user", text("hello one")),
        said("assistant", text("hi"), call("c")),
        said("user", result("c", f"key {SECRET}")),
        said("user", text("hello two"), session_id="20260101_2"),
        said("assistant", text("ho"), session_id="20260101_2"),
        said("user", text("look"), session_id="20260101_3"),
        said("assistant", text("seen"), session_id="20260101_3"),
    ]
    child = {"id": "20260101_3", "parent_session_id": "20260101_1", "session_type": "sub_agent"}
    sessions: list[dict[str, Any]] = [{}, {"id": "20260101_2"}, child]
    database(tmp_path / "h/.local/share/goose/sessions/sessions.db", messages, sessions=sessions)
    return tmp_path / "h"


@pytest.fixture
def path(home: Path) -> Path:
    return home / ".local/share/goose/sessions/sessions.db"


def _lines(out: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


def test_all_sessions_are_listed_and_counted_once(home: Path, path: Path) -> None:
    before = path.read_bytes()
    listed = json.loads(panscript("list", "--json", cwd=home).out)
    assert sorted(row["session_id"] for row in listed) == ["20260101_1", "20260101_2", "20260101_3"]
    assert {row["messages"] for row in listed} == {2}, "as large as the database may be"
    usage = [line for line in _lines(panscript("events", cwd=home).out) if line["kind"] == "usage"]
    assert [line["session_id"] for line in usage] == ["20260101_1", "20260101_3", "20260101_2"]
    assert path.read_bytes() == before
    assert [each.name for each in path.parent.iterdir()] == ["sessions.db"]


def test_one_is_named_by_its_id(home: Path) -> None:
    assert b"hello two" in panscript("show", "20260101_2", cwd=home).out


def test_an_id_that_may_stand_in_what_cannot_be_read(home: Path, path: Path) -> None:
    path.write_bytes(path.read_bytes()[:100] + b"x" * 5000)
    done = panscript("show", "20260101_2", cwd=home)
    assert done.code == 1
    assert "no session that can be read has an id that begins like this" in done.err
    assert f"({path}: the database is damaged" in done.err


def test_the_path_means_all_of_them(home: Path, path: Path) -> None:
    done = panscript("convert", path, "--to", "pi", "-o", home / "out/", *WHEN, cwd=home)
    assert done.code == 0, done.err
    files = list((home / "out").rglob("*.jsonl"))
    assert len(files) == 3
    assert SECRET.encode() not in b"".join(file.read_bytes() for file in files)
    again = panscript("convert", path.parent, "--to", "pi", "-o", home / "out2/", *WHEN, cwd=home)
    assert again.code == 0, again.err
    assert sorted(f.name for f in (home / "out2").rglob("*.jsonl")) == sorted(f.name for f in files)


def test_named_twice_it_is_taken_once(home: Path, path: Path) -> None:
    done = panscript("convert", path, "20260101_2", path, "--to", "pi", "-o", home / "out/", *WHEN, cwd=home)
    assert done.code == 0, done.err
    assert len(list((home / "out").rglob("*.jsonl"))) == 3


def test_several_do_not_fit_into_one_file(home: Path, path: Path) -> None:
    done = panscript("convert", path, "--to", "pi", cwd=home)
    assert (done.code, done.out) == (1, b"")
    assert "the sessions of a database need a folder" in done.err


def test_where_one_is_needed_it_says_how_to_name_it(home: Path, path: Path) -> None:
    done = panscript("show", path, cwd=home)
    assert done.code == 1
    assert "this is a database of 2 sessions (name one by its id: 20260101_1, 20260101_2;" in done.err


def test_a_database_of_one_session_fits_into_a_file(tmp_path: Path) -> None:
    path = database(tmp_path / "one.db", [said("user", text("a")), said("assistant", text("b"))])
    done = panscript("convert", path, "--to", "claude", "-o", tmp_path / "x.jsonl", *WHEN, cwd=tmp_path)
    assert done.code == 0, done.err
    assert (tmp_path / "x.jsonl").exists()
    assert panscript("show", "-", cwd=tmp_path, stdin=path.read_bytes()).code == 0


@pytest.mark.parametrize("command", [("convert", "--to", "goose"), ("redact",)])
def test_it_is_not_written_again_within_the_agent(home: Path, path: Path, command: tuple[str, ...]) -> None:
    done = panscript(*command, path, "-o", home / "out/", cwd=home)
    assert done.code == 1
    assert "a session in a database cannot be written again as it is" in done.err
    assert not list((home / "out").rglob("*.*"))


def test_secrets_in_it_are_found(home: Path, path: Path) -> None:
    done = panscript("redact", "--check", path, cwd=home)
    assert done.code == 1
    assert "1 secret (github-token x 1)" in done.err


def test_a_cursor_starts_again_when_a_row_changed(home: Path, path: Path) -> None:
    asked = ("events", path, "--cursor", home / "cursor.json")
    first = panscript(*asked, cwd=home)
    assert len(_lines(first.out)) > 5
    assert panscript(*asked, cwd=home).out == b""
    connection = sqlite3.connect(path)
    connection.execute("UPDATE sessions SET accumulated_total_tokens = 20, accumulated_input_tokens = 15")
    connection.commit()
    connection.close()
    changed = panscript(*asked, cwd=home)
    assert "everything is read again" in changed.err
    assert len(_lines(changed.out)) == len(_lines(first.out))


def test_an_import_that_grew_is_made_once_more(home: Path, path: Path) -> None:
    def bring() -> list[str]:
        done = panscript("import", "20260101_2", "--once", "--cwd", home, *WHEN, cwd=home)
        assert done.code == 0, done.err
        return done.out.decode().splitlines()

    first = bring()
    assert bring() == first
    connection = sqlite3.connect(path)
    row = ("20260101_2", "user", '[{"type":"text","text":"more"}]', 1767300000)
    connection.execute(
        "INSERT INTO messages (session_id, role, content_json, created_timestamp) VALUES (?, ?, ?, ?)", row
    )
    connection.commit()
    connection.close()
    (again,) = bring()
    assert "more" in Path(again).read_text()
