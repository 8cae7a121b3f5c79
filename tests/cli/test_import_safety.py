"""Imports among other programs, on bad disks, killed at any point, and from hostile sources: whole or not at all."""

from __future__ import annotations

import json
import os
import random
import resource
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from click.testing import CliRunner

from panscript.cli.conversion import prepared
from panscript.cli.main import main
from panscript.cli.output import write_file
from tests.builders import user, write_rows
from tests.cli.imports import MORE, TALK, Machine, entries, machine, snapshot

__all__ = ["machine"]

WHEN = ("--imported-at", "2026-05-01T00:00:00Z")
KILLS = 30


def forked(work: Callable[[], None]) -> int:
    """Do something in a copy of this process that has no output; gives its id."""
    child = os.fork()
    if child:
        return child
    try:
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in (1, 2):
            os.dup2(nothing, stream)
        work()
    finally:
        os._exit(0)


def ended(child: int) -> int:
    """Wait for a process; gives its exit status or minus the signal that ended it."""
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def bring(machine: Machine, *args: str) -> str:
    """Import the session in this process; gives what is on stdout."""
    return CliRunner().invoke(main, ["import", str(machine.source), *WHEN, *args]).stdout


class Steps:
    """Counts the calls that a program makes, and kills it at one of them."""

    def __init__(self, last: int = -1) -> None:
        self.count = 0
        self.writes: list[int] = []
        """When a hidden file was made and when it was put in its place."""
        self._last = last

    def __call__(self, frame: FrameType, event: str, _arg: object) -> None:
        if event in {"call", "c_call"}:
            self.count += 1
            if event == "call" and frame.f_code.co_qualname in {"mkstemp", "_place"}:
                self.writes.append(self.count)
            if self.count == self._last:
                os.kill(os.getpid(), signal.SIGKILL)


def points(machine: Machine, *args: str) -> list[int]:
    """Import; gives the calls at which to kill the next one: half anywhere, half while it writes and places a file."""
    read, write = os.pipe()

    def work() -> None:
        steps = Steps()
        sys.setprofile(steps)
        bring(machine, *args)
        sys.setprofile(None)
        os.write(write, json.dumps([steps.count, *steps.writes]).encode())

    ended(forked(work))
    os.close(write)
    with os.fdopen(read) as pipe:
        count, made, placed = json.loads(pipe.read())
    chance = random.Random(KILLS)
    anywhere = [chance.randint(1, count - 50) for _ in range(KILLS // 2)]
    return anywhere + [chance.randint(made, placed + 10) for _ in range(KILLS - KILLS // 2)]


def kill_at(machine: Machine, step: int, *args: str) -> None:
    """Import, and kill that with SIGKILL at its so-many-th call."""

    def work() -> None:
        sys.setprofile(Steps(step))
        bring(machine, *args)

    assert ended(forked(work)) == -signal.SIGKILL


def listed(machine: Machine) -> list[Path]:
    """The files that Pi lists; whatever else lies there is hidden and has another suffix."""
    files = [path for path in machine.files if path.name.endswith(".jsonl")]
    for path in set(machine.files) - set(files):
        assert path.name.startswith(".")
        assert path.name.endswith(".part")
    return files


def test_an_import_that_is_killed_leaves_a_whole_file_or_none(machine: Machine) -> None:
    bring(machine)
    whole = machine.files[0].read_bytes()
    machine.files[0].unlink()
    steps = points(machine)
    assert machine.files[0].read_bytes() == whole
    machine.files[0].unlink()
    left = 0
    for step in steps:
        kill_at(machine, step)
        for path in listed(machine):
            assert path.read_bytes() == whole
        left += len(machine.files)
        for path in machine.files:
            path.unlink()
    assert left, "some were killed while they wrote"
    assert Path(bring(machine)[:-1]).read_bytes() == whole


def test_an_import_that_is_killed_while_it_grows_is_the_old_one_or_the_new_one(machine: Machine) -> None:
    bring(machine)
    (path,) = machine.files
    old = path.read_bytes()
    machine.says([*TALK, *MORE])
    steps = points(machine, "--once")
    new = path.read_bytes()
    assert new.startswith(old)
    assert new != old
    left = 0
    for step in steps:
        path.write_bytes(old)
        kill_at(machine, step, "--once")
        assert listed(machine) == [path]
        assert path.read_bytes() in {old, new}
        left += len(machine.files) - 1
        for other in set(machine.files) - {path}:
            other.unlink()
    assert left, "some were killed while they wrote"
    bring(machine, "--once")
    assert path.read_bytes() == new


@contextmanager
def together(machine: Machine, count: int, *args: str) -> Iterator[list[str]]:
    """What several imports that begin at the same moment print."""
    begin, told = os.pipe(), os.pipe()
    gate = os.fdopen(begin[1], "wb")

    def work() -> None:
        gate.close()
        os.read(begin[0], 1)
        os.write(told[1], bring(machine, *args).encode())

    children = [forked(work) for _ in range(count)]
    gate.close()
    assert [ended(child) for child in children] == [0] * count
    os.close(begin[0])
    os.close(told[1])
    with os.fdopen(told[0]) as pipe:
        yield pipe.read().split("\n")[:-1]


def test_imports_at_the_same_time_are_sessions_of_their_own(machine: Machine) -> None:
    with together(machine, 6) as paths:
        assert sorted(map(Path, paths)) == machine.files
        assert len(machine.files) == 6
    assert len({entries(path)[0]["id"] for path in machine.files}) == 6


def test_imports_at_the_same_time_with_once_are_one_session(machine: Machine) -> None:
    below = machine.source.with_suffix("") / "subagents"
    write_rows(below / "agent-k.jsonl", [user("s", None, "count", isSidechain=True, agentId="k")])
    with together(machine, 6, "--once") as paths:
        assert len(paths) == 6
        assert len(set(paths)) == 1
    assert len(machine.files) == 2
    machine.says([*TALK, *MORE])
    with together(machine, 6, "--once") as again:
        assert again == paths
    assert len(machine.files) == 2
    assert [row["type"] for row in entries(Path(paths[0]))].count("message") == 4


def test_a_name_that_is_taken_meanwhile_is_left_alone(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    others: list[Path] = []

    @contextmanager
    def late(path: Path, *, force: bool) -> Iterator[Any]:
        with write_file(path, force=force) as place:
            yield place
            if not others:
                others.append(path)
                path.write_text("of somebody else")

    monkeypatch.setattr("panscript.cli.importing.write_file", late)
    path = machine.bring()
    assert others[0] != path
    assert others[0].read_text() == "of somebody else"
    assert machine.files == sorted([path, *others])


def test_a_link_of_that_name_is_left_alone(machine: Machine) -> None:
    path = machine.bring()
    path.unlink()
    path.symlink_to(machine.top / "elsewhere")
    assert machine.bring() != path
    assert path.is_symlink()
    assert not (machine.top / "elsewhere").exists()


def test_what_pi_writes_while_an_import_grows_is_kept(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    path = machine.bring("--once")
    machine.says([*TALK, *MORE])
    label = {"type": "label", "id": "abcdef01", "parentId": entries(path)[-1]["id"], "timestamp": "", "targetId": "x"}
    real = os.fsync
    times: list[int] = []

    def sync(file: int) -> None:
        if not times:
            with path.open("a") as pi:
                pi.write(json.dumps(label) + "\n")
        times.append(file)
        real(file)

    monkeypatch.setattr(os, "fsync", sync)
    assert machine.bring("--once") == path
    kinds = [row["type"] for row in entries(path)]
    assert kinds.count("label") == 1
    assert kinds.count("message") == 4
    assert machine.files == [path]


def test_a_source_that_goes_on_while_it_is_read_is_told_and_nothing_is_missed(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slowly(*args: Any, **more: Any) -> Any:
        taken = prepared(*args, **more)
        machine.says([*TALK, *MORE])
        return taken

    with monkeypatch.context() as slow:
        slow.setattr("panscript.cli.importing.prepared", slowly)
        path, codes = machine.codes("--once")
    assert codes == ["file_changed"]
    assert machine.codes("--once") == (path, ["appended"])
    assert [row["type"] for row in entries(path)].count("message") == 4


def limited(machine: Machine, size: int, *args: str) -> tuple[int, str]:
    """Import where no file may grow beyond so many bytes; gives exit status and stderr."""
    read, write = os.pipe()

    def work() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        result = CliRunner().invoke(main, ["import", str(machine.source), *WHEN, *args])
        os.write(write, f"{result.exit_code}\n{result.stderr}".encode())

    ended(forked(work))
    os.close(write)
    with os.fdopen(read) as pipe:
        code, said = pipe.read().split("\n", 1)
    return int(code), said


@pytest.mark.parametrize("size", [0, 100, 1000])
def test_a_full_disk_is_one_line_and_leaves_nothing(machine: Machine, size: int) -> None:
    before = snapshot(machine.home).keys()
    code, said = limited(machine, size)
    assert code == 1
    assert said.startswith(f"panscript: {machine.folder}/")
    assert said.endswith(": cannot be written: File too large\n")
    assert said.count("\n") == 1
    assert snapshot(machine.home).keys() == before


def test_a_full_disk_leaves_the_earlier_import_as_it_was(machine: Machine) -> None:
    path = machine.bring("--once")
    before = path.read_bytes()
    machine.says([*TALK, *MORE])
    code, said = limited(machine, len(before) + 100, "--once")
    assert (code, said.count("\n")) == (1, 1)
    assert machine.files == [path]
    assert path.read_bytes() == before


def test_a_store_that_cannot_be_written_is_one_line(machine: Machine) -> None:
    machine.sessions.parent.mkdir(parents=True)
    machine.sessions.write_text("no folder")
    result = machine.run(machine.source)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (1, "", 1)
    assert result.stderr.startswith(f"panscript: {machine.sessions}")
    assert machine.sessions.read_text() == "no folder"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_store_without_permission_is_one_line(machine: Machine) -> None:
    machine.folder.mkdir(parents=True)
    machine.folder.chmod(0o500)
    result = machine.run(machine.source)
    machine.folder.chmod(0o700)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (1, "", 1)
    assert machine.files == []


HOSTILE = [
    "../../../../tmp/x",
    "/etc/passwd",
    "a/b",
    "..",
    ".",
    "-rf",
    "con",
    "x\0y",
    "\x1b]0;x\x07",
    "é" * 300,
    "a\nb",
]


@pytest.mark.parametrize("name", HOSTILE)
def test_whatever_a_session_calls_itself_it_lies_in_its_folder(machine: Machine, name: str) -> None:
    rows = [{**row, "sessionId": name, "cwd": name} for row in TALK]
    machine.says([*rows, {"type": "custom-title", "customTitle": name, "sessionId": name}])
    below = machine.source.with_suffix("") / "subagents"
    write_rows(below / "agent-k.jsonl", [{**user("s", None, "count"), "sessionId": name, "agentId": name}])
    before = snapshot(machine.top).keys()
    result = machine.run(machine.source, "--once")
    assert result.exit_code == 0, result.stderr
    assert "\x1b" not in result.stderr
    new = {machine.top / path for path in snapshot(machine.top).keys() - before}
    store = {machine.folder, *(folder for folder in machine.folder.parents if machine.home in folder.parents)}
    assert {path for path in new if path.is_dir()} <= store
    assert {path.parent for path in new if path.is_file()} == {machine.folder}
    assert Path(result.stdout[:-1]) in new
    assert machine.bring("--once") == Path(result.stdout[:-1])


def test_a_sub_agent_that_said_nothing_is_told_and_leaves_nothing(machine: Machine) -> None:
    below = machine.source.with_suffix("") / "subagents"
    write_rows(below / "agent-k.jsonl", [{"type": "progress", "uuid": "p", "sessionId": "s", "agentId": "k"}])
    path, codes = machine.codes()
    assert machine.files == [path]
    assert "nothing_on_branch" in codes
