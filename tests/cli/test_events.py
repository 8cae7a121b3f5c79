"""`panscript events` of files named by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.builders import SESSION, assistant, call, result_row, user, write_rows
from tests.cli.program import panscript, process
from tests.readers.kimi import sessions as kimi
from tests.readers.pi import sessions as pi

ROWS = [
    user("u", None, "hello\u2028there", 1),
    assistant("a", "u", [{"type": "text", "text": "hi"}, call("c", x=1)], 2),
    result_row("r", "a", "c", "done", 3),
    {"type": "custom-title", "customTitle": "A title", "sessionId": SESSION},
]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A session."""
    return write_rows(tmp_path / f"{SESSION}.jsonl", ROWS)


def _lines(tmp_path: Path, *args: object, code: int = 0) -> list[dict[str, Any]]:
    done = panscript("events", *args, cwd=tmp_path)
    assert done.code == code, done.err
    assert done.out.count(b"\n") == len(done.out.decode().splitlines())
    return [json.loads(line) for line in done.out.splitlines()]


def test_the_four_kinds_in_their_order(tmp_path: Path, source: Path) -> None:
    lines = _lines(tmp_path, source)
    assert [line["kind"] for line in lines] == [
        "session_meta",
        "message",
        "session_meta",
        "message",
        "tool_call",
        "usage",
    ]
    assert all(list(line)[:4] == ["kind", "source", "session_id", "timestamp"] for line in lines)
    assert not any("text" in line or "raw" in line or "title" in line for line in lines)


def test_text_comes_only_when_asked_for(tmp_path: Path, source: Path) -> None:
    lines = _lines(tmp_path, source, "--text")
    assert [line["text"] for line in lines if line["kind"] == "message"] == ["hello\u2028there", "hi"]
    assert [line["title"] for line in lines if "title" in line] == ["A title"]


def test_kinds_and_raw(tmp_path: Path, source: Path) -> None:
    (call_line,) = _lines(tmp_path, source, "--kinds", "tool_call", "--raw")
    assert [call_line["raw"]["call"]["uuid"], call_line["raw"]["result"]["uuid"]] == ["a", "r"]
    assert {line["kind"] for line in _lines(tmp_path, source, "--kinds", "usage,message")} == {"usage", "message"}


def test_the_full_stream(tmp_path: Path, source: Path) -> None:
    names = [line["event"] for line in _lines(tmp_path, source, "--full")]
    assert (names[0], names[-2:]) == ("session", ["end", "usage"])


def test_a_bad_source_does_not_stop_the_others(tmp_path: Path, source: Path) -> None:
    other = write_rows(tmp_path / "other.jsonl", [user("x", None, "y", sessionId="other")])
    lines = _lines(tmp_path, source, "missing.jsonl", other, "--kinds", "message", code=1)
    assert [line["session_id"] for line in lines] == [SESSION, SESSION, "other"]


def test_a_file_named_twice_is_printed_once(tmp_path: Path, source: Path) -> None:
    (tmp_path / "link.jsonl").symlink_to(source)
    assert _lines(tmp_path, source, source, "link.jsonl") == _lines(tmp_path, source)


def test_damage_is_reported_and_no_failure(tmp_path: Path) -> None:
    source = write_rows(tmp_path / "x.jsonl", [ROWS[0], b"torn\n", ROWS[1]])
    done = panscript("events", source, "--report", "r.json", cwd=tmp_path)
    assert done.code == 0
    assert "1 line could not be read (line 2)" in done.err
    (file,) = json.loads((tmp_path / "r.json").read_bytes())["files"]
    assert (file["skipped_lines"], file["complete"]) == (1, False)


def test_standard_input(tmp_path: Path, source: Path) -> None:
    done = panscript("events", "-", cwd=tmp_path, stdin=source.read_bytes())
    assert done.out == panscript("events", source, cwd=tmp_path).out


def test_what_is_no_session_is_refused(tmp_path: Path) -> None:
    write_rows(tmp_path / "history.jsonl", [{"display": "x", "project": "/", "timestamp": 1}])
    done = panscript("events", "history.jsonl", cwd=tmp_path)
    assert (done.code, done.out) == (1, b"")
    assert done.err == "panscript: history.jsonl: this is a history of prompts, not a session\n"


def test_a_full_disk_is_one_line(tmp_path: Path, source: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        done = process("events", source, cwd=tmp_path, stdout=full)
    assert done.code == 1
    assert done.complaints == ["panscript: standard output: No space left on device"]


@pytest.mark.parametrize(
    ("kinds", "told"),
    [
        (
            "message,tool_call,session_meta",
            "2 messages and 1 call have no time and are left out (`--full` prints them)",
        ),
        ("message", "2 messages have no time and are left out (`--full` prints them)"),
        ("tool_call", "1 call has no time and is left out (`--full` prints it)"),
        ("usage", None),
    ],
)
def test_what_is_left_out_for_want_of_any_time_is_told(kinds: str, told: str | None, tmp_path: Path) -> None:
    """The oldest sessions of Kimi CLI hold no time at all."""
    asked = {"function": {"name": "ls", "arguments": "{}"}, "id": "c1", "type": "function"}
    rows = [
        {"role": "user", "content": "hi"},
        {"role": "assistant", "content": "ho", "tool_calls": [asked]},
        {"role": "tool", "content": "x", "tool_call_id": "c1"},
    ]
    path = kimi.cli(tmp_path, None, rows)
    done = panscript("events", path, "--kinds", kinds, cwd=tmp_path)
    assert (done.code, done.out) == (0, b"")
    assert done.complaints == ([f"panscript: {path}: {told}"] if told is not None else [])
    assert panscript("events", path, "--kinds", kinds, "--quiet", cwd=tmp_path).err == ""


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (("--kinds", "usage"), ["2 records of usage have no time and are left out"]),
        (
            ("--kinds", "usage,message"),
            [
                "2 messages have no time and are left out (`--full` prints them)",
                "2 records of usage have no time and are left out",
            ],
        ),
        (("--full",), ["2 records of usage have no time and are left out"]),
        (("--kinds", "session_meta"), ["2 facts of the session have no time and are left out (`--full` prints them)"]),
    ],
)
def test_usage_that_is_left_out_for_want_of_a_time_is_told(
    asked: tuple[str, ...], told: list[str], tmp_path: Path
) -> None:
    usage = {"input": 1, "output": 1, "totalTokens": 2}
    said = [pi.answer("a", None, "x", usage=usage), pi.answer("b", "a", "x", usage=usage)]
    rows = [{key: value for key, value in row.items() if key != "timestamp"} for row in (pi.HEADER, *said)]
    path = pi.write_file(tmp_path, rows, "s.jsonl")
    done = panscript("events", path, *asked, cwd=tmp_path)
    assert done.code == 0
    assert done.complaints == [f"panscript: {path}: {text}" for text in told]
    assert panscript("events", path, *asked, "--quiet", cwd=tmp_path).err == ""


def test_of_a_session_without_times_all_else_says_nothing(tmp_path: Path) -> None:
    path = kimi.cli(tmp_path / ".kimi", None, [{"role": "user", "content": "hi"}])
    full = panscript("events", path, "--full", cwd=tmp_path)
    assert b'"text":"hi"' in full.out
    listed = panscript("list", "--count", "--json", cwd=tmp_path)
    assert json.loads(listed.out)[0]["session_id"] == path.parent.name
    converted = panscript("convert", path, "--to", "pi", cwd=tmp_path)
    assert b'"text":"hi"' in converted.out
    for done in (full, listed, converted):
        assert done.code == 0
        assert "no time" not in done.err
