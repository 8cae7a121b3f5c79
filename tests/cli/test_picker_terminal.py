"""`panscript import` without SOURCE, as a process at a terminal of its own."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pyte
import pytest

from tests.builders import assistant, user, write_rows
from tests.cli.program import COMMAND, environment, snapshot

LONGEST = 60
"""Seconds after which a test that waits has failed."""
HELP = "Enter import"


class Person:
    """Somebody at a terminal in which the program was started."""

    def __init__(self, home: Path, *args: str, **variables: str) -> None:
        self._ours, self._theirs = pty.openpty()
        self._screen = pyte.Screen(80, 24)
        self._stream = pyte.ByteStream(self._screen)
        self.resize(80, 24)
        self.before = termios.tcgetattr(self._theirs)
        self.seen = b""
        self.process = subprocess.Popen(
            [*COMMAND, "import", *args],
            cwd=home / "app",
            env={**environment(home), "TERM": "xterm-256color", **variables},
            stdin=self._theirs,
            stdout=subprocess.PIPE,
            stderr=self._theirs,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # noqa: PLW1509 - there are no threads
        )

    def resize(self, columns: int, lines: int) -> None:
        """Change the window."""
        fcntl.ioctl(self._ours, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        self._screen.resize(lines, columns)

    def sees(self, *texts: str) -> list[str]:
        """Wait until all of this is on the screen; gives its lines."""
        self._watch(lambda: all(text in "\n".join(self._screen.display) for text in texts))
        return [line.rstrip() for line in self._screen.display]

    def types(self, keys: str) -> None:
        """Press keys."""
        os.write(self._ours, keys.encode())

    def ends(self) -> tuple[int, str]:
        """Wait until the program ends; gives its status and what it printed."""
        self._watch(lambda: self.process.poll() is not None)
        self._watch(lambda: not select.select([self._ours], [], [], 0)[0])
        assert self.process.stdout is not None
        return self.process.returncode, self.process.stdout.read().decode()

    @property
    def restored(self) -> bool:
        """Whether the terminal is as it was."""
        modes = (b"\x1b[?1049", b"\x1b[?2004")
        left = all(self.seen.count(mode + b"h") == self.seen.count(mode + b"l") > 0 for mode in modes)
        return left and termios.tcgetattr(self._theirs) == self.before

    def hangs_up(self) -> None:
        """Close the window."""
        os.close(self._theirs)
        os.close(self._ours)

    def _watch(self, until: Callable[[], bool]) -> None:
        end = time.monotonic() + LONGEST
        while not until():
            assert time.monotonic() < end, "\n".join(self._screen.display)
            if select.select([self._ours], [], [], 0.02)[0]:
                data = os.read(self._ours, 1 << 16)
                self.seen += data
                self._stream.feed(data)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A project with two sessions of Claude Code, and one elsewhere."""
    app = tmp_path.resolve() / "app"
    app.mkdir()
    for number, (prompt, cwd) in enumerate(
        [("Mend the flaky test", str(app)), ("Why is it slow?", str(app)), ("Write notes", "/home/dev/other")]
    ):
        name = f"{number}1111111-1111-4111-8111-111111111111"
        rows = [
            user("u", None, prompt, number * 60, sessionId=name, cwd=cwd),
            assistant("a", "u", "done", number * 60 + 1, sessionId=name, cwd=cwd),
        ]
        write_rows(app.parent / ".claude/projects" / cwd.replace("/", "-") / f"{name}.jsonl", rows)
    return app.parent


@pytest.fixture
def person(home: Path) -> Iterator[Callable[..., Person]]:
    """Starts the program; whatever happens it does not outlive the test."""
    there: list[Person] = []

    def start(*args: str, **variables: str) -> Person:
        there.append(Person(home, *args, **variables))
        return there[-1]

    yield start
    for each in there:
        each.process.kill()
        each.process.wait()
        if each.process.stdout is not None:
            each.process.stdout.close()


Start = Callable[..., Person]


def test_what_is_chosen_is_imported_and_its_path_printed(home: Path, person: Start) -> None:
    at = person()
    lines = at.sees("This project 2  All projects 3", "1/2", HELP)
    assert [line.split("  ")[-1].strip() for line in lines[2:4]] == ["Why is it slow?", "Mend the flaky test"]
    at.types("flaky")
    at.sees("> flaky", "1/1")
    at.types("\r")
    status, printed = at.ends()
    assert (status, at.restored) == (0, True)
    path = Path(printed.removesuffix("\n"))
    assert path.parent.parent == home / ".pi/agent/sessions"
    assert "Mend the flaky test" in path.read_text(encoding="utf-8")


def test_a_session_of_another_project_comes_into_this_one(home: Path, person: Start) -> None:
    at = person("--query", "notes", "--dry-run")
    at.sees("> notes", "no session of this project is like that; Tab shows all projects")
    at.types("\t")
    at.sees("/home/dev/other", "1/1")
    at.types("\r")
    status, printed = at.ends()
    assert (status, at.restored) == (0, True)
    assert Path(printed).parent.name == f"-{str(home / 'app').replace('/', '-')}--"


@pytest.mark.parametrize("key", ["\x1b", "\x03", "\x04"])
def test_who_leaves_has_changed_nothing(home: Path, person: Start, key: str) -> None:
    before = snapshot(home)
    at = person()
    at.sees("1/2")
    at.types(key)
    assert at.ends() == (130, "")
    assert at.restored
    assert snapshot(home) == before
    assert b"Traceback" not in at.seen


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_a_signal_leaves_the_terminal_as_it_was(person: Start, number: signal.Signals, status: int) -> None:
    at = person()
    at.sees("1/2")
    at.process.send_signal(number)
    assert at.ends() == (status, "")
    assert at.restored
    assert b"Traceback" not in at.seen


def test_the_screen_follows_the_window(person: Start) -> None:
    at = person()
    at.sees("1/2", "session", HELP)
    at.resize(40, 10)
    at.sees("This project 2  All projects 3", "› claude", HELP)
    at.resize(100, 30)
    lines = at.sees("─" * 100, HELP)
    assert lines[-1].startswith("  Enter import")
    at.types("\x1b")
    assert at.ends()[0] == 130


def test_a_closed_window_ends_the_program(person: Start) -> None:
    at = person()
    at.sees("1/2")
    at.hangs_up()
    assert at.process.wait(LONGEST) == 130


def test_keys_pressed_before_the_screen_is_there_count(person: Start) -> None:
    at = person()
    at.types("slow")
    at.sees("> slow", "1/1")
    at.types("\x03")
    assert at.ends()[0] == 130


def test_without_a_terminal_that_can_be_painted_on_a_source_is_asked_for(home: Path, person: Start) -> None:
    at = person(TERM="dumb")
    at.sees("name a SOURCE, or one session with --query TEXT")
    assert at.ends() == (2, "")
    done = subprocess.run(
        [*COMMAND, "import"],
        cwd=home,
        env=environment(home),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 2


def test_the_library_for_terminals_is_loaded_only_when_it_is_used(home: Path) -> None:
    code = """
import sys
from panscript.cli.main import main
main(["import", "--query", "slow", "--dry-run", "--quiet"], standalone_mode=False)
sys.exit("prompt_toolkit" in sys.modules)
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=home,
        env=environment(home),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
