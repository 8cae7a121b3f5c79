"""`panscript convert`: where it writes, what it leaves behind, how it ends."""

from __future__ import annotations

import json
import os
import re
import signal
import stat
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import zstandard

from panscript.schemas import timestamps
from tests.builders import SESSION, assistant, at, call, result_row, user, write_rows
from tests.cli.program import Done, panscript, process, snapshot, started

ROWS = [user("u", None, "hello", 1), assistant("a", "u", "hi", 2)]
SIDE = [
    user("s1", None, "count", isSidechain=True, agentId="k"),
    assistant("s2", "s1", "2", isSidechain=True, agentId="k"),
]
LOSSY = [*ROWS, user("v", "a", [{"type": "image", "source": {"type": "url", "url": "https://x/y.png"}}], 3)]
SECRET = "ghp_" + "A1b2C3d4E5f6" * 3
WHEN = ("--imported-at", "2026-05-01T00:00:00Z")


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A session in a project's folder."""
    return write_rows(tmp_path / "in" / f"{SESSION}.jsonl", ROWS)


def _convert(tmp_path: Path, *args: object, **more: Any) -> Done:
    return panscript("convert", *args, "--to", "pi", *WHEN, cwd=tmp_path, **more)


def _refused(done: Done, *words: str) -> None:
    """Exit 1, nothing on stdout, one line on stderr with these words."""
    assert (done.code, done.out) == (1, b"")
    (line,) = done.complaints
    assert line.startswith("panscript: ")
    for word in words:
        assert word in line


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def test_standard_output_is_the_default(tmp_path: Path, source: Path) -> None:
    done = _convert(tmp_path, source)
    assert done.code == 0
    lines = [json.loads(line) for line in done.out.splitlines()]
    assert [lines[0]["type"], lines[-1]["type"]] == ["session", "session_info"]
    assert done == _convert(tmp_path, source, "-o", "-")


def test_a_file_and_a_folder(tmp_path: Path, source: Path) -> None:
    assert _convert(tmp_path, source, "-o", "x.jsonl").code == 0
    assert _convert(tmp_path, source, "-o", "new").code == 0
    assert _convert(tmp_path, source, "-o", "deep/er/").code == 0
    (one,) = _files(tmp_path / "new")
    assert one.parent.name == "--home-dev-app--"
    (other,) = _files(tmp_path / "deep")
    assert one.read_bytes() == other.read_bytes() == (tmp_path / "x.jsonl").read_bytes()


def test_files_are_private_and_dated_by_their_last_message(tmp_path: Path, source: Path) -> None:
    done = _convert(tmp_path, source, "-o", "out/")
    (file,) = _files(tmp_path / "out")
    facts = file.stat()
    assert stat.S_IMODE(facts.st_mode) == 0o600
    assert facts.st_mtime_ns // 1_000_000 == timestamps.parse(at(2))
    assert f"wrote out/{file.relative_to(tmp_path / 'out')}" in done.err


def test_equal_input_gives_equal_output(tmp_path: Path, source: Path) -> None:
    before = snapshot(tmp_path / "in")
    assert _convert(tmp_path, source).out == _convert(tmp_path, source).out
    assert snapshot(tmp_path / "in") == before


def test_a_file_that_is_there_is_kept_unless_forced(tmp_path: Path, source: Path) -> None:
    (tmp_path / "x.jsonl").write_bytes(b"mine")
    _refused(_convert(tmp_path, source, "-o", "x.jsonl"), "x.jsonl", "--force")
    assert (tmp_path / "x.jsonl").read_bytes() == b"mine"
    assert _convert(tmp_path, source, "-o", "x.jsonl", "--force").code == 0
    assert (tmp_path / "x.jsonl").read_bytes() != b"mine"
    assert _convert(tmp_path, source, "-o", "d/").code == 0
    before = snapshot(tmp_path / "d")
    _refused(_convert(tmp_path, source, "-o", "d/"), "--force")
    assert snapshot(tmp_path / "d") == before


def test_a_link_counts_as_a_file_that_is_there(tmp_path: Path, source: Path) -> None:
    (tmp_path / "x.jsonl").symlink_to("nowhere")
    _refused(_convert(tmp_path, source, "-o", "x.jsonl"), "--force")


@pytest.mark.parametrize("output", ["x.jsonl", "d/", "a/b/c/x.jsonl", "-"])
@pytest.mark.parametrize("fault", ["strict", "empty", "nothing said", "other", "torn"])
def test_a_failed_command_leaves_nothing_behind(tmp_path: Path, fault: str, output: str) -> None:
    rows: dict[str, list[Any]] = {
        "strict": LOSSY,
        "empty": [],
        "nothing said": [{"type": "ai-title", "sessionId": "s", "aiTitle": "t"}],
        "other": [b"no transcript\n"],
        "torn": [b'{"type":"user","sessionId":"x","mess\n'],
    }
    source = write_rows(tmp_path / "in.jsonl", rows[fault])
    more = ["--from", "claude"] if fault == "torn" else []
    before = snapshot(tmp_path)
    _refused(_convert(tmp_path, source, "-o", output, "--strict", *more), "in.jsonl")
    assert snapshot(tmp_path) == before


def test_by_design_is_not_what_strict_refuses(tmp_path: Path) -> None:
    block = {"type": "thinking", "thinking": "hm", "signature": "sig"}
    source = write_rows(tmp_path / "x.jsonl", [*ROWS, assistant("b", "a", [block, {"type": "text", "text": "x"}], 3)])
    assert _convert(tmp_path, source, "--strict").code == 0


def test_several_sources_need_a_folder_and_a_bad_one_does_not_stop_the_others(tmp_path: Path, source: Path) -> None:
    other = write_rows(tmp_path / "in" / "other.jsonl", [user("x", None, "y", sessionId="other")])
    (tmp_path / "x.jsonl").touch()
    _refused(_convert(tmp_path, source, other, "-o", "x.jsonl"), "folder")
    _refused(_convert(tmp_path, source, other), "folder")
    done = _convert(tmp_path, source, "missing.jsonl", other, "-o", "out")
    assert done.code == 1
    assert len(_files(tmp_path / "out")) == 2
    assert sum("missing.jsonl" in line for line in done.complaints) == 1


def test_sub_agents_have_files_of_their_own_in_a_folder(tmp_path: Path, source: Path) -> None:
    write_rows(tmp_path / "in" / SESSION / "subagents" / "agent-k.jsonl", SIDE)
    assert _convert(tmp_path, source, "-o", "all/").code == 0
    assert len(_files(tmp_path / "all")) == 2
    no_place = "subagent_left_out"
    lost = {(): no_place, ("-o", "x.jsonl"): no_place, ("-o", "one/", "--no-subagents"): "subagent"}
    for args, code in lost.items():
        assert _convert(tmp_path, source, *args, "--report", "r.json").code == 0
        assert json.loads((tmp_path / "r.json").read_bytes())["totals"]["lost"] == {code: 1}
    assert len(_files(tmp_path / "one")) == 1


def test_the_report_says_what_became_of_everything(tmp_path: Path) -> None:
    source = write_rows(tmp_path / "x.jsonl", [*LOSSY, b"torn\n", {"type": "future", "sessionId": "s"}])
    assert _convert(tmp_path, source, "-o", "out/", "--report", "r.json").code == 0
    report = json.loads((tmp_path / "r.json").read_bytes())
    (file,) = report["files"]
    assert (file["path"], file["agent"], file["session_id"]) == (str(source), "claude", SESSION)
    assert (file["complete"], file["scan"], file["records"]) == (False, "full", 5)
    assert file["classes"] == {"used": 3, "skipped": 1, "opaque": 1}
    assert (file["skipped_lines"], file["skipped_at"]) == (1, [{"line": 4, "code": "other_json_parse_error"}])
    assert file["unknown"] == {"future": 1}
    assert file["lost"] == {"image_remote": 1, "damaged_line": 1}
    assert file["kept"]["user_message"] == 2
    assert [Path(path).exists() for path in [tmp_path / path for path in file["written"]]] == [True]
    assert {w["code"] for w in file["warnings"]} == {"cwd_missing"}
    assert {key: report["totals"][key] for key in ("records", "skipped_lines", "lost")} == {
        "records": 5,
        "skipped_lines": 1,
        "lost": file["lost"],
    }


def test_what_people_should_know_is_said_and_quiet_says_nothing(tmp_path: Path) -> None:
    source = write_rows(tmp_path / "x.jsonl", [*ROWS, b"torn\n"])
    said = _convert(tmp_path, source, "-o", "a/").err
    assert "1 line could not be read (line 3)" in said
    assert "--cwd" in said
    assert _convert(tmp_path, source, "-o", "b/", "--quiet").err == ""


def test_another_folder_to_run_in(tmp_path: Path, source: Path) -> None:
    (tmp_path / "project").mkdir()
    done = _convert(tmp_path, source, "--cwd", "project")
    assert json.loads(done.out.splitlines()[0])["cwd"] == str(tmp_path / "project")
    assert done.err == ""


def test_standard_input_and_pipes(tmp_path: Path, source: Path) -> None:
    data = source.read_bytes()
    done = _convert(tmp_path, "-", stdin=data)
    assert done.code == 0
    assert done == _convert(tmp_path, "-", stdin=data)
    head = json.loads(done.out.splitlines()[1])["data"]
    assert (head["sourcePath"], head["sourceFiles"][0]["path"], head["sourceFiles"][0]["bytes"]) == (
        "-",
        "-",
        len(data),
    )
    assert _convert(tmp_path, "-", stdin=zstandard.compress(data)).out.splitlines()[2:] == done.out.splitlines()[2:]
    _refused(_convert(tmp_path, "-", stdin=b"x\n"), "panscript: -: ")
    _refused(_convert(tmp_path, "-"), "there is nothing in it")
    os.mkfifo(tmp_path / "pipe")
    writer = subprocess.Popen(["sh", "-c", f"cat '{source}' > '{tmp_path}/pipe'"])
    assert _convert(tmp_path, "pipe").code == 0
    assert writer.wait(10) == 0


def test_a_sub_agents_rows_on_standard_input(tmp_path: Path) -> None:
    data = write_rows(tmp_path / "agent-k.jsonl", SIDE).read_bytes()
    assert b'"count"' in _convert(tmp_path, "-", stdin=data).out


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["missing.jsonl"], ["missing.jsonl", "no such file"]),
        (["."], ["folder"]),
        (["bad\x1b[2Jname.jsonl"], ["badname.jsonl"]),
        ([b"\xff.jsonl"], ["\\xff.jsonl"]),
        (["x" * 3000 + ".jsonl"], ["no such file"]),
    ],
)
def test_a_source_that_cannot_be_read_is_named(tmp_path: Path, args: list[Any], words: list[str]) -> None:
    _refused(_convert(tmp_path, *args), *words)


def test_a_target_that_does_not_exist_is_refused_in_one_line(tmp_path: Path) -> None:
    done = panscript("convert", "x", "--to", "nobody", cwd=tmp_path)
    assert (done.code, done.out) == (1, b"")
    assert re.fullmatch(r"panscript: nobody: nothing can be written for it \(pi, codex, .*\)\n", done.err)


@pytest.mark.parametrize(
    "args",
    [
        ["convert"],
        ["convert", "x"],
        ["convert", "x", "--to", "pi", "--branch", "some"],
        ["convert", "x", "--to", "pi", "--imported-at", "soon"],
        ["convert", "x", "--to", "pi", "--from", "nobody"],
        ["transmute"],
        ["events", "x", "--kinds", "gossip"],
    ],
)
def test_wrong_usage_is_status_2(tmp_path: Path, args: list[str]) -> None:
    done = panscript(*args, cwd=tmp_path)
    assert (done.code, done.out) == (2, b"")
    assert "Usage:" in done.err


def test_names_of_files_that_are_no_text(tmp_path: Path) -> None:
    name = os.fsencode(tmp_path) + b"/\xff\xfe.jsonl"
    Path(os.fsdecode(name)).write_bytes(write_rows(tmp_path / "x.jsonl", ROWS).read_bytes())
    done = panscript("convert", name, "--to", "pi", "-o", "out/", "--report", "r.json", cwd=tmp_path)
    assert done.code == 0
    report = json.loads((tmp_path / "r.json").read_bytes())
    assert report["files"][0]["path"].endswith("/\\xff\\xfe.jsonl")


def test_a_full_disk_is_one_line(tmp_path: Path, source: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        done = process("convert", source, "--to", "pi", cwd=tmp_path, stdout=full)
    _refused(done, "No space left")
    _refused(_convert(tmp_path, source, "-o", "/dev/full"), "/dev/full", "No space left")
    assert stat.S_ISCHR(Path("/dev/full").stat().st_mode)


def test_the_report_may_go_to_a_device(tmp_path: Path, source: Path) -> None:
    done = process("convert", source, "--to", "pi", "-o", "out/", "--report", "/dev/stdout", cwd=tmp_path)
    assert json.loads(done.out)["totals"]["records"] == 2


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written(tmp_path: Path, source: Path) -> None:
    (tmp_path / "locked").mkdir(mode=0o500)
    _refused(_convert(tmp_path, source, "-o", "locked/"), "locked", "Permission denied")


@pytest.mark.parametrize("output", ["in.jsonl/", "in.jsonl/x/y.jsonl", "x" * 300 + ".jsonl", "a/" + "x" * 300 + "/"])
def test_a_place_that_cannot_be_is_refused_and_leaves_nothing(tmp_path: Path, output: str) -> None:
    source = write_rows(tmp_path / "in.jsonl", ROWS)
    before = snapshot(tmp_path)
    _refused(_convert(tmp_path, source, "-o", output))
    assert snapshot(tmp_path) == before


def test_hostile_ids_and_folders_stay_inside(tmp_path: Path) -> None:
    rows = [{**row, "sessionId": "../../../evil", "cwd": "/../../..\x00/x"} for row in ROWS]
    source = write_rows(tmp_path / "in" / "x.jsonl", rows)
    before = snapshot(tmp_path)
    assert _convert(tmp_path, source, "-o", "a/b/c/").code == 0
    (file,) = _files(tmp_path / "a/b/c")
    assert set(snapshot(tmp_path)) - set(before) == {
        "a",
        "a/b",
        "a/b/c",
        str(file.parent.relative_to(tmp_path)),
        str(file.relative_to(tmp_path)),
    }


def test_home_to_home_is_the_same_bytes(tmp_path: Path) -> None:
    rows: list[Any] = [
        b"\xef\xbb\xbf",
        *ROWS,
        b"\r\n",
        b"\0\0\n",
        b"torn {\r\n",
        b'{"type":"user","uuid":"z"}\r\n',
        b"no end",
    ]
    source = write_rows(tmp_path / "projects" / "-p" / f"{SESSION}.jsonl", rows)
    copied = panscript("convert", source, "--to", "claude", "--no-redact", cwd=tmp_path)
    assert (copied.code, copied.out) == (0, source.read_bytes())
    assert panscript("convert", source, "--to", "claude", "--no-redact", "-o", "out/", cwd=tmp_path).code == 0
    (file,) = _files(tmp_path / "out")
    assert file.relative_to(tmp_path / "out").as_posix() == f"-p/{SESSION}.jsonl"
    assert file.read_bytes() == source.read_bytes()


def test_home_to_home_with_redaction_leaves_out_what_cannot_be_called_clean(tmp_path: Path) -> None:
    rows = [ROWS[0], b"torn %s\n" % SECRET.encode(), assistant("a", "u", f"token {SECRET}", 2)]
    source = write_rows(tmp_path / f"{SESSION}.jsonl", rows)
    done = panscript("convert", source, "--to", "claude", "--report", "r.json", cwd=tmp_path)
    assert done.code == 0
    kept = source.read_bytes().splitlines(keepends=True)
    first, second = done.out.splitlines(keepends=True)
    assert first == kept[0]
    assert json.loads(second)["message"]["content"][0]["text"].startswith("token [REDACTED:")
    assert json.loads((tmp_path / "r.json").read_bytes())["totals"]["lost"] == {"unverifiable_line": 1}
    assert panscript("convert", source, "--to", "claude", "--strict", cwd=tmp_path).code == 1


def test_secrets_do_not_reach_the_output_or_the_report(tmp_path: Path) -> None:
    rows = [
        user("u", None, f"use {SECRET}"),
        assistant("a", "u", [call("c", token=SECRET)]),
        result_row("r", "a", "c", SECRET),
    ]
    source = write_rows(tmp_path / "x.jsonl", rows)
    done = _convert(tmp_path, source, "-o", "out/", "--report", "r.json")
    (file,) = _files(tmp_path / "out")
    for data in (file.read_bytes(), (tmp_path / "r.json").read_bytes(), done.err.encode()):
        assert SECRET.encode() not in data
    assert (
        sum(json.loads((tmp_path / "r.json").read_bytes())["totals"]["redacted"].values()) == 4
    )  # the first prompt, too
    assert SECRET.encode() in _convert(tmp_path, source, "--no-redact").out


def _long(tmp_path: Path) -> Path:
    """A session of more than any pipe holds."""
    rows = [user("u0", None, "x"), *(user(f"u{n}", f"u{n - 1}", "y" * 1000) for n in range(1, 6000))]
    return write_rows(tmp_path / "long.jsonl", rows)


@pytest.mark.parametrize("command", [["events", "--text"], ["convert", "--to", "pi", "--no-redact"]])
def test_a_reader_that_goes_away_ends_it_quietly(tmp_path: Path, command: list[str]) -> None:
    program = started(*command, _long(tmp_path), cwd=tmp_path)
    assert program.stdin is not None
    assert program.stdout is not None
    assert program.stderr is not None
    program.stdout.read(10)
    program.stdout.close()
    said = program.stderr.read()
    program.stderr.close()
    program.stdin.close()
    assert said == b""
    assert program.wait(60) == 128 + signal.SIGPIPE


def test_ctrl_c_ends_it_quietly_and_leaves_nothing(tmp_path: Path) -> None:
    program = started("convert", "-", "--to", "pi", "-o", "out/", cwd=tmp_path)
    assert program.stdin is not None
    assert program.stderr is not None
    assert program.stdout is not None
    # More than a pipe holds: when this is through, the program is reading.
    program.stdin.write(b'{"type":"user"}\n' * 100_000)
    program.stdin.flush()
    code: int | None = None
    for _ in range(60):
        # A signal that comes just before the program waits for more is seen only when it is woken again.
        program.send_signal(signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            code = program.wait(1)
            break
    said, printed = program.stderr.read(), program.stdout.read()
    for stream in (program.stdin, program.stderr, program.stdout):
        stream.close()
    assert (code, said, printed) == (128 + signal.SIGINT, b"", b"")
    assert snapshot(tmp_path) == {}
