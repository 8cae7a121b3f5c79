"""The program as a person runs it, in an empty home folder: in this process where that is enough."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import chdir
from pathlib import Path
from typing import IO, NamedTuple

from click.testing import CliRunner

from panscript.cli.main import main
from tests.repository import ROOT

__all__ = ["Done", "environment", "panscript", "process", "snapshot", "started"]

COMMAND = (sys.executable, "-m", "panscript.cli")
MINDFUL = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from panscript.cli.main import main
main(prog_name="panscript")
"""


class Done(NamedTuple):
    """How a run ended."""

    code: int
    out: bytes
    err: str

    @property
    def complaints(self) -> list[str]:
        """The lines on stderr."""
        return self.err.splitlines()


def environment(home: Path) -> dict[str, str]:
    """Nothing of this process but what Python needs."""
    return {"HOME": str(home), "PATH": os.environ.get("PATH", ""), "PYTHONPATH": str(ROOT / ".src")}


def panscript(*args: object, cwd: Path, stdin: bytes = b"") -> Done:
    """Run the program in a folder, which is its home, too."""
    with chdir(cwd):
        done = CliRunner().invoke(main, [os.fsdecode(_text(arg)) for arg in args], input=stdin, env={"HOME": str(cwd)})
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return Done(done.exit_code, done.stdout_bytes, done.stderr)


def process(*args: object, cwd: Path, stdout: int | IO[bytes] = subprocess.PIPE) -> Done:
    """The same in a process of its own, for what only a process has."""
    done = subprocess.run(
        [*COMMAND, *map(_text, args)],
        cwd=cwd,
        env=environment(cwd),
        stdin=subprocess.DEVNULL,
        stdout=stdout,
        stderr=subprocess.PIPE,
        check=False,
        timeout=60,
    )
    assert b"Traceback" not in done.stderr, done.stderr.decode()
    return Done(done.returncode, done.stdout or b"", done.stderr.decode())


def started(*args: object, cwd: Path) -> subprocess.Popen[bytes]:
    """Start the program and leave it running; it minds Ctrl-C even where the tests themselves do not."""
    return subprocess.Popen(
        [sys.executable, "-c", MINDFUL, *map(_text, args)],
        cwd=cwd,
        env=environment(cwd),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def _text(arg: object) -> str | bytes:
    return arg if isinstance(arg, bytes) else str(arg)


def snapshot(folder: Path) -> dict[str, bytes | None]:
    """Every file and folder below this one, with what is in it."""
    return {
        os.fsdecode(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
    }
