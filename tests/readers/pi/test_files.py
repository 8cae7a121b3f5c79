"""How Pi's files are recognised, named and placed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from panscript.readers.opening import detect as detect_all
from panscript.readers.pi import detect, layout, resolve
from tests.readers.pi.sessions import HEADER, entry, prompt, write_file
from tests.repository import ROOT
from tests.sessions import SESSIONS, name_of

PI = [path for path in SESSIONS if path.parent.name == "pi"]
OTHERS = [path for path in SESSIONS if path.parent.name != "pi" and path.suffix == ".jsonl"]


@pytest.mark.parametrize("path", PI, ids=name_of)
def test_every_pi_session_is_recognised_and_no_other_reader_is_sure_of_it(path: Path) -> None:
    scores = detect_all(path.read_bytes())
    assert scores.pop("pi") == 100
    assert all(score < 50 for score in scores.values())


@pytest.mark.parametrize("path", OTHERS, ids=name_of)
def test_no_session_of_another_agent_is_taken_for_pis(path: Path) -> None:
    assert detect(path.read_bytes()) == 0


def _start(*rows: object) -> bytes:
    return b"".join(row if isinstance(row, bytes) else json.dumps(row).encode() + b"\n" for row in rows)


TIMED = prompt("a", None, "x") | {"message": {"role": "user", "content": "x", "timestamp": 1767261600000}}
OLD = {"type": "message", "timestamp": "2026-01-01T10:00:00.000Z", "message": TIMED["message"]}


@pytest.mark.parametrize(
    ("start", "least"),
    [
        (_start({"type": "title", "v": 1, "title": "x", "pad": " "}, HEADER), 100),
        (_start(TIMED), 90),
        (_start(b'{"type":"session","version":3,"id":"5a\n', TIMED), 90),
        (_start(OLD), 60),
        (_start(b"\xef\xbb\xbf", HEADER), 100),
        (_start(entry("model_change", "m", None, provider="demo", modelId="x")), 50),
    ],
    ids=["title first", "no header", "torn header", "version 1", "byte order mark", "only a model"],
)
def test_damaged_and_odd_files_are_recognised(start: bytes, least: int) -> None:
    assert detect(start) >= least


@pytest.mark.parametrize(
    "start",
    [
        b"",
        b"hello\n",
        _start({"type": "session_start", "id": "x"}, TIMED),
        _start({"type": "message", "role": "user", "content": []}),
        _start({"type": "session", "name": "x"}),
        _start({"type": "user", "message": {"role": "user"}, "sessionId": "x"}),
    ],
)
def test_other_files_are_not(start: bytes) -> None:
    assert detect(start) == 0


def test_a_session_has_the_id_of_its_header_else_of_its_name(tmp_path: Path) -> None:
    assert resolve(str(write_file(tmp_path, [HEADER | {"id": "other"}]))).id == "other"
    assert resolve(str(write_file(tmp_path, [prompt("a", None, "x")]))).id == "s-1"
    assert resolve(str(write_file(tmp_path, [prompt("a", None, "x")], "my_file.jsonl"))).id == "my_file"


@pytest.mark.parametrize(
    ("cwd", "folder"),
    [
        ("/home/ana/todo-app", "--home-ana-todo-app--"),
        ("/", "----"),
        ("/home/ana/my.proj_x y/é", "--home-ana-my.proj_x y-é--"),
        ("/home/ana/x/", "--home-ana-x--"),
        ("/home//ana/../ben", "--home-ben--"),
        ("/home/a:b", "--home-a-b--"),
        ("C:\\work\\app", "--C--work-app--"),
        ("../../etc", "--..-..-etc--"),
        ("/a\x00\n", "--a__--"),
    ],
)
def test_a_file_outside_a_sessions_folder_is_placed_by_its_project(tmp_path: Path, cwd: str, folder: str) -> None:
    path = write_file(tmp_path, [HEADER | {"cwd": cwd}], "x.jsonl")
    assert layout(str(path)) == f"{folder}/x.jsonl"


def test_a_file_inside_a_sessions_folder_keeps_its_place(tmp_path: Path) -> None:
    path = write_file(tmp_path / "sessions/--elsewhere--", [HEADER], "x.jsonl")
    assert layout(str(path)) == "--elsewhere--/x.jsonl"


def test_without_a_project_a_file_is_placed_by_its_name(tmp_path: Path) -> None:
    assert layout(str(write_file(tmp_path, [prompt("a", None, "x")], "x.jsonl"))) == "x.jsonl"


def test_nothing_is_read_from_a_fixture_that_is_not_there() -> None:
    assert (ROOT / "fixtures/pi").is_dir()
    assert len(PI) == 7
