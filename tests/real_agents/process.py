"""Running somebody else's program: bounded in time, in a home folder of its own, stopped with all its children."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

__all__ = ["Finished", "TookTooLongError", "kill", "private_environment", "run", "talking"]

# What a program needs to start at all on some system; nothing that names the user, a key or a proxy.
_KEPT = ("PATH", "SYSTEMROOT", "COMSPEC", "PATHEXT", "LANG", "LC_ALL", "TZ")


class TookTooLongError(Exception):
    """The program was stopped because its time was over."""


@dataclass(frozen=True, slots=True)
class Finished:
    """How a program ended and what it printed."""

    code: int
    stdout: str
    stderr: str


def private_environment(home: Path, **more: str) -> dict[str, str]:
    """Variables for a program that shall not see this user's settings: everything of its own lies below ``home``."""
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    temporary = home / "tmp"
    temporary.mkdir(parents=True, exist_ok=True)
    own = {name: str(home) for name in ("HOME", "USERPROFILE")}
    own |= {name: str(temporary) for name in ("TMPDIR", "TMP", "TEMP")}
    return kept | own | {"NO_COLOR": "1"} | more


def run(command: Sequence[str | Path], *, cwd: Path, env: Mapping[str, str], timeout: float) -> Finished:
    """Run ``command`` without input.

    :param timeout: seconds; after them the program and what it started are killed.
    :raises TookTooLongError: the time was over.
    :raises OSError: it could not be started.
    """
    with subprocess.Popen(
        [os.fspath(part) for part in command],
        cwd=cwd,
        env=dict(env),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
        start_new_session=True,
    ) as process:
        try:
            stdout, stderr = process.communicate(timeout=timeout)
        except BaseException as reason:
            kill(process)
            process.communicate()
            if isinstance(reason, subprocess.TimeoutExpired):
                raise TookTooLongError(f"{Path(command[0]).name} was stopped after {timeout:g} s") from reason
            raise
    return Finished(process.returncode, stdout, stderr)


@contextmanager
def talking(
    command: Sequence[str | Path], *, cwd: Path, env: Mapping[str, str], errors: Path, seconds: float
) -> Iterator[subprocess.Popen[bytes]]:
    """Start a program to talk to; it is killed with its children at the end of the block or of the time.

    :param errors: the file that gets what it says on stderr.
    """
    with (
        errors.open("wb") as stderr,
        subprocess.Popen(
            [os.fspath(part) for part in command],
            cwd=cwd,
            env=dict(env),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=stderr,
            start_new_session=True,
        ) as process,
    ):
        limit = threading.Timer(seconds, kill, [process])
        limit.start()
        try:
            yield process
        finally:
            limit.cancel()
            kill(process)


def kill(process: subprocess.Popen[Any]) -> None:
    """Kill a program that was started in a session of its own, with all that it started."""
    if hasattr(os, "killpg"):
        # The process leads a session of its own, so its group is what it started, and nothing else.
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
