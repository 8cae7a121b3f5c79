"""A program in a terminal of its own: keys go in, and what was drawn comes out."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.real_agents.process import kill

__all__ = ["Terminal", "terminal"]

_SECONDS = 60.0
_ROWS, _COLUMNS = 40, 120
_CONTROLS = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]_P^][^\x07\x1b]*(?:\x07|\x1b\\)|[ -/]*[0-~])")


class Terminal:
    """A terminal with a running program."""

    def __init__(self, handle: int) -> None:
        self._handle = handle
        self.drawn = b""

    def type(self, keys: str) -> None:
        """Press keys."""
        os.write(self._handle, keys.encode())

    def until(self, text: str) -> str:
        """Wait until this is drawn; gives everything drawn since the last time, without colours and moves."""
        wanted = text.encode()
        while (shown := _CONTROLS.sub(b"", self.drawn)).find(wanted) < 0:
            try:
                data = os.read(self._handle, 1 << 16)
            except OSError:
                data = b""
            if not data:
                raise AssertionError(f"{text!r} was not drawn, but {shown[-2000:].decode('utf-8', 'replace')}")
            self.drawn += data
        self.drawn = b""
        return shown.decode("utf-8", "replace")


@contextmanager
def terminal(command: Sequence[str | Path], *, cwd: Path, env: Mapping[str, str]) -> Iterator[Terminal]:
    """Start a program in a terminal; it is stopped at the end of the block, or when a minute is over."""
    ours, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", _ROWS, _COLUMNS, 0, 0))
    process = subprocess.Popen(
        [os.fspath(part) for part in command],
        cwd=cwd,
        env={**env, "TERM": "xterm-256color"},
        stdin=its,
        stdout=its,
        stderr=its,
        start_new_session=True,
    )
    os.close(its)
    limit = threading.Timer(_SECONDS, kill, [process])
    limit.start()
    try:
        yield Terminal(ours)
    finally:
        limit.cancel()
        kill(process)
        process.wait()
        os.close(ours)
