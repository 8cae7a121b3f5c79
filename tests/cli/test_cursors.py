"""`--cursor`: what was kept of earlier reads and what comes now is what a full read tells, kind by kind."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from panscript.schemas.projections import KINDS
from tests.builders import SESSION, assistant, call, result_row, user, write_rows
from tests.cli.program import Done, panscript
from tests.readers.pi.sessions import HEADER, answer, prompt
from tests.sessions import FIXTURES, SESSIONS, name_of


class Reader:
    """A program that reads a session again and again and keeps what it was told."""

    def __init__(self, folder: Path, *sources: object) -> None:
        self.folder, self.sources = folder, sources
        self.kept: dict[str, list[Any]] = {kind: [] for kind in KINDS}
        self.cursor = folder / "cursor.json"
        self.files: list[dict[str, Any]] = []
        self.told = 0
        self.done = Done(0, b"", "")

    def run(self, *options: object) -> dict[str, Any]:
        """Go on from the cursor; the account of the first file."""
        report = self.folder / "report.json"
        self.done = panscript(
            "events", *self.sources, "--text", "--cursor", self.cursor, "--report", report, *options, cwd=self.folder
        )
        assert self.done.code == 0, self.done.err
        self.files = json.loads(report.read_bytes())["files"]
        new = [json.loads(line) for line in self.done.out.splitlines()]
        self.told = len(new)
        (file,) = self.files
        for kind in KINDS:
            stay = len(self.kept[kind]) - file["replaced"].get(kind, 0)
            assert stay >= 0
            kept = [] if file["restarted"] else self.kept[kind][:stay]
            self.kept[kind] = kept + [line for line in new if line["kind"] == kind]
        return file

    def full(self) -> dict[str, list[Any]]:
        """What a plain read tells."""
        done = panscript("events", *self.sources, "--text", "--quiet", cwd=self.folder)
        found = [json.loads(line) for line in done.out.splitlines()]
        return {kind: [line for line in found if line["kind"] == kind] for kind in KINDS}

    def check(self, *, restarted: bool, told: int | None = None) -> dict[str, Any]:
        """Go on, and compare with a full read."""
        file = self.run()
        assert file["restarted"] is restarted
        assert self.kept == self.full()
        assert told is None or self.told == told
        return file


ROWS = [
    user("u", None, "hello", 1),
    assistant("a", "u", [{"type": "text", "text": "hi"}, call("c", x=1)], 2, message="m", output=1, stop=None),
    assistant("a2", "a", [{"type": "text", "text": "there"}], 3, message="m", output=9),
    result_row("r", "a2", "c", "done", 4),
    assistant("b", "r", "bye", 5),
]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where the session is."""
    return tmp_path / f"{SESSION}.jsonl"


@pytest.fixture
def reader(file: Path, tmp_path: Path) -> Reader:
    """A program that reads it."""
    return Reader(tmp_path, file)


def test_the_first_read_starts_anew_and_one_without_news_tells_nothing(file: Path, reader: Reader) -> None:
    write_rows(file, ROWS)
    assert reader.check(restarted=True)["replaced"] == {}
    assert reader.check(restarted=False, told=0)["replaced"] == {}


def test_a_line_without_its_end_waits(file: Path, reader: Reader) -> None:
    write_rows(file, ROWS[:1])
    reader.check(restarted=True)
    whole = file.read_bytes() + json.dumps(ROWS[1]).encode()
    file.write_bytes(whole[:-20])
    reader.check(restarted=False, told=0)
    file.write_bytes(whole)
    assert reader.run()["restarted"] is False
    assert reader.told == 0
    file.write_bytes(whole + b"\n")
    reader.check(restarted=False)
    assert [message["text"] for message in reader.kept["message"]] == ["hello", "hi"]


def test_counts_that_grew_and_a_call_that_was_answered_are_replaced(file: Path, reader: Reader) -> None:
    write_rows(file, ROWS[:2])
    reader.check(restarted=True)
    write_rows(file, ROWS)
    replaced = reader.check(restarted=False)["replaced"]
    assert replaced == {"usage": 1, "tool_call": 1}
    assert [usage["output_tokens"] for usage in reader.kept["usage"]] == [9, 5]


@pytest.mark.parametrize(
    "change",
    [
        lambda rows: [user("u", None, "HELLO", 1), *rows[1:], user("v", "b", "more", 6)],
        lambda rows: rows[:2],
        lambda rows: [user("x", None, "another session", 9)],
        lambda rows: [*rows[:2], user("v", "b", "in between", 6), *rows[2:]],
    ],
    ids=["rewritten and longer", "cut", "another", "inserted"],
)
def test_what_was_rewritten_is_read_from_the_start_and_that_is_said(file: Path, reader: Reader, change: Any) -> None:
    write_rows(file, ROWS)
    reader.check(restarted=True)
    write_rows(file, change(ROWS))
    account = reader.check(restarted=True)
    assert account["warnings"][0]["code"] == "cursor_restarted"
    assert "everything is read again" in reader.done.err
    reader.check(restarted=False, told=0)


@pytest.mark.parametrize("cursor", [b"", b"{", b'{"parser": 1}', b'{"sessions": 1}'])
def test_a_damaged_cursor_is_said_and_replaced(file: Path, reader: Reader, cursor: bytes) -> None:
    write_rows(file, ROWS)
    reader.cursor.write_bytes(cursor)
    assert "cursor" in reader.check(restarted=True)["warnings"][0]["message"]
    reader.check(restarted=False, told=0)


@pytest.mark.parametrize("kept", [b"[]", b"null", b"\xff\xfe", b"[" * 5000, b"# Notes\n", b'{"name": "app"}'])
def test_a_file_that_is_no_cursor_is_not_replaced_by_one(
    tmp_path: Path, file: Path, reader: Reader, kept: bytes
) -> None:
    write_rows(file, ROWS)
    reader.cursor.write_bytes(kept)
    done = panscript("events", file, "--cursor", reader.cursor, cwd=tmp_path)
    assert (done.code, done.out) == (1, b"")
    assert "this is no cursor" in done.err
    assert reader.cursor.read_bytes() == kept


@pytest.mark.parametrize(
    ("key", "value"),
    [("parser", "claude@0.0"), ("parser", "pi@1.1"), ("offset", 10**9), ("offset", 7), ("prefix_hash", "0" * 64)],
)
def test_a_cursor_that_does_not_fit_starts_anew(file: Path, reader: Reader, key: str, value: object) -> None:
    write_rows(file, ROWS)
    reader.check(restarted=True)
    reader.cursor.write_text(json.dumps({**json.loads(reader.cursor.read_bytes()), key: value}))
    reader.check(restarted=True)


def test_the_cursor_of_another_session_starts_anew_and_is_said(tmp_path: Path, file: Path, reader: Reader) -> None:
    write_rows(file, ROWS)
    reader.run()
    other = Reader(tmp_path, write_rows(tmp_path / "other.jsonl", [{**row, "sessionId": "other"} for row in ROWS]))
    assert "another session" in other.check(restarted=True)["warnings"][0]["message"]


def test_other_options_start_anew(file: Path, reader: Reader) -> None:
    write_rows(file, ROWS)
    reader.run()
    assert reader.run("--kinds", "usage")["restarted"] is True
    assert reader.run("--kinds", "usage", "--since", "2026-01-01")["restarted"] is True
    assert reader.run("--since", "2026-01-01", "--kinds", "usage")["restarted"] is False


def test_the_cursor_is_plain_json_and_says_nothing_of_what_was_said(file: Path, reader: Reader) -> None:
    write_rows(file, ROWS)
    reader.run("--raw")
    text = reader.cursor.read_text()
    assert set(json.loads(text)) == {"parser", "offset", "prefix_hash", "state"}
    assert json.loads(text)["offset"] == file.stat().st_size
    assert not any(said in text for said in ("hello", "there", "bye", "Bash"))
    assert reader.cursor.stat().st_mode & 0o777 == 0o600


def test_a_failed_read_leaves_the_cursor_alone(tmp_path: Path, file: Path, reader: Reader) -> None:
    write_rows(file, ROWS)
    reader.run()
    before = reader.cursor.read_bytes()
    file.write_bytes(b"no json\n" * 3)
    assert panscript("events", file, "--from", "claude", "--cursor", reader.cursor, cwd=tmp_path).code == 1
    assert reader.cursor.read_bytes() == before
    assert panscript("events", "gone.jsonl", "--cursor", "new.json", cwd=tmp_path).code == 1
    assert not (tmp_path / "new.json").exists()


def test_a_cursor_that_cannot_be_read_is_one_line(tmp_path: Path, file: Path) -> None:
    write_rows(file, ROWS)
    done = panscript("events", file, "--cursor", file / "cursor", cwd=tmp_path)
    assert (done.code, done.out) == (1, b"")
    assert done.err.count("\n") == 1


def test_full_streams_have_no_cursor(tmp_path: Path, file: Path) -> None:
    write_rows(file, ROWS)
    assert panscript("events", file, "--full", "--cursor", "c", cwd=tmp_path).code == 2


def test_each_session_and_sub_agent_goes_on_by_itself(tmp_path: Path, file: Path) -> None:
    write_rows(file, ROWS)
    task: dict[str, Any] = {"isSidechain": True, "agentId": "f1"}
    rows = [user("w1", None, "task", 2, **task), assistant("w2", "w1", "done", 3, **task)]
    child = write_rows(file.with_suffix("") / "subagents/agent-f1.jsonl", rows[:1])
    other = write_rows(tmp_path / "other.jsonl", [user("x", None, "y", 1, sessionId="other")])

    def new() -> list[tuple[str, str]]:
        done = panscript("events", file, other, "--text", "--cursor", "c", "--report", "r", cwd=tmp_path)
        assert done.code == 0
        found = [json.loads(line) for line in done.out.splitlines()]
        return [(line["session_id"], line["text"]) for line in found if line["kind"] == "message"]

    assert len(new()) == 6
    write_rows(child, rows)
    assert new() == [(f"{SESSION}/f1", "done")]
    other.write_bytes(other.read_bytes() + json.dumps(user("z", "x", "w", 2, sessionId="other")).encode() + b"\n")
    assert new() == [("other", "w")]
    restarted = [file["restarted"] for file in json.loads((tmp_path / "r").read_bytes())["files"]]
    assert restarted == [False, False, False]
    assert new() == []


def test_what_was_found_goes_on_too(tmp_path: Path) -> None:
    store = tmp_path / "home/.claude/projects/-a"
    write_rows(store / f"{SESSION}.jsonl", ROWS[:1])

    def new() -> int:
        return len(panscript("events", "--home", "home", "--cursor", "c", cwd=tmp_path).out.splitlines())

    assert new() == 2
    assert new() == 0
    write_rows(store / "second.jsonl", [user("x", None, "y", 1, sessionId="second")])
    assert new() == 2
    assert new() == 0


def test_sessions_that_are_not_read_this_time_are_not_forgotten(tmp_path: Path, file: Path) -> None:
    store = tmp_path / "home/.claude/projects/-a"
    write_rows(store / f"{SESSION}.jsonl", ROWS)
    pi = write_rows(tmp_path / "home/.pi/agent/sessions/2026-01-01T10-00-00-000Z_s-1.jsonl", PI)

    def new(*args: object) -> tuple[int, str]:
        done = panscript("events", *args, "--cursor", "c", cwd=tmp_path)
        assert done.code == 0, done.err
        return len(done.out.splitlines()), done.err

    everything = new("--home", "home")[0]
    assert everything > 0
    assert new("--home", "home", "--from", "pi")[0] == 0
    assert new("--home", "home") == (0, "")
    away = pi.rename(tmp_path / "away")
    assert new("--home", "home")[0] == 0
    away.rename(pi)
    assert new("--home", "home") == (0, "")
    (tmp_path / "nothing").mkdir()
    new("--home", "nothing")
    assert new("--home", "home") == (0, "")


def test_a_cursor_of_other_sessions_only_is_said_and_kept(tmp_path: Path, file: Path) -> None:
    write_rows(file, ROWS)
    task: dict[str, Any] = {"isSidechain": True, "agentId": "f1"}
    child = file.with_suffix("") / "subagents/agent-f1.jsonl"
    write_rows(child, [user("w1", None, "task", 2, **task)])
    others = [write_rows(tmp_path / f"{x}.jsonl", [user(x, None, "y", 1, sessionId=x)]) for x in ("p", "q")]

    def new(*args: object) -> tuple[int, bool]:
        done = panscript("events", *args, "--kinds", "message", "--cursor", "c", cwd=tmp_path)
        assert done.code == 0, done.err
        return len(done.out.splitlines()), "the cursor is of" in done.err

    assert new(child) == (1, False)
    assert new(*others) == (2, True)
    assert new(child) == (0, False)
    assert new(others[1]) == (0, False)
    assert new(file) == (len(ROWS) - 1, False)
    assert new(file, *others) == (0, False)


PI = [
    HEADER,
    *(
        step
        for n in range(0, 8, 2)
        for step in (
            prompt(f"e{n}", None, f"p{n}", n),
            answer(f"e{n + 1}", f"e{n}", "yes", n + 1, usage={"input": 3, "output": n + 1}),
        )
    ),
]


def test_a_pi_session_goes_on_line_by_line(tmp_path: Path) -> None:
    path = tmp_path / "2026-01-01T10-00-00-000Z_s-1.jsonl"
    reader = Reader(tmp_path, path)
    for number in range(1, len(PI) + 1):
        write_rows(path, PI[:number])
        reader.check(restarted=number == 1)
    write_rows(path, [{**HEADER, "id": "s-2"}, *PI[1:]])
    assert "another session" in reader.check(restarted=True)["warnings"][0]["message"]


LARGE = sorted((path for path in SESSIONS if path.suffix == ".jsonl"), key=lambda path: path.stat().st_size)[-6:]
SMALL = [FIXTURES / "pi/tree.jsonl", FIXTURES / "pi/forked.jsonl", FIXTURES / "pi/agent-run.jsonl"]


@pytest.mark.parametrize("session", [*LARGE, *SMALL], ids=name_of)
def test_a_session_of_the_fixtures_in_parts_is_the_whole(session: Path, tmp_path: Path) -> None:
    content = session.read_bytes()
    path = tmp_path / session.name
    reader = Reader(tmp_path, path)
    first = content.index(b"\n") + 1
    sizes = [max(first, len(content) * part // 7) for part in range(1, 8)]
    for size in sizes:
        path.write_bytes(content[:size])
        reader.run()
    assert reader.kept == reader.full()


@settings(max_examples=25)
@given(cuts=st.lists(st.integers(1, 10_000), max_size=5), order=st.permutations(ROWS[1:]))
def test_any_parts_of_any_rows_are_the_whole(
    tmp_path_factory: pytest.TempPathFactory, cuts: list[int], order: list[dict[str, Any]]
) -> None:
    folder = tmp_path_factory.mktemp("parts")
    path = write_rows(folder / f"{SESSION}.jsonl", [ROWS[0], *order])
    content = path.read_bytes()
    first = content.index(b"\n") + 1
    reader = Reader(folder, path)
    for size in sorted({*(min(len(content), first + cut) for cut in cuts), len(content)}):
        path.write_bytes(content[:size])
        reader.run()
    assert reader.kept == reader.full()
    assert reader.check(restarted=False, told=0)
