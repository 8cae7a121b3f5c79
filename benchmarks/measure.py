"""One command as a fresh process: its CPU time and its peak memory.

Linux counts the memory of the process that starts a command into that command's peak, so what imports this module
has to stay small (standard library only).
"""

import os
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

__all__ = ["Failed", "Sample", "default_command", "run_once"]

ROOT = Path(__file__).resolve().parent.parent
CACHE = ROOT / "benchmarks" / ".cache"


class Sample(NamedTuple):
    """What one run of a command took."""

    cpu: float
    """Seconds of user and system time."""
    peak: float
    """Largest resident set, in MB (10^6 bytes)."""


class Failed(Exception):
    """A command ended with another status than 0; the text is the last line that it wrote to stderr."""


def default_command() -> str:
    """Return the installed `panscript` of this interpreter, or else the one of this checkout."""
    script = Path(sys.executable).with_name("panscript")
    return shlex.quote(str(script)) if script.exists() else f"{shlex.quote(sys.executable)} -m panscript.cli"


def run_once(command: Sequence[str], environment: dict[str, str] | None = None) -> Sample:
    """Run `command` with its output thrown away, in an empty home folder; raise `Failed` if it fails."""
    home = CACHE / "home"
    home.mkdir(parents=True, exist_ok=True)
    paths = [str(ROOT / ".src"), os.environ.get("PYTHONPATH", "")]
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "CLAUDE_", "CODEX_"))}
    kept |= {"HOME": str(home), "PYTHONPATH": os.pathsep.join(filter(None, paths)), **(environment or {})}
    with (CACHE / "stderr.txt").open("w+b") as errors:
        try:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors,
                                       cwd=home, env=kept)  # fmt: skip
        except OSError as error:
            raise Failed(str(error)) from error
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            errors.seek(0)
            lines = errors.read().decode(errors="replace").strip().splitlines() or ["nothing on stderr"]
            raise Failed(f"exit {process.returncode}: {lines[-1]}")
    kilobyte = 1 if sys.platform == "darwin" else 1024
    return Sample(used.ru_utime + used.ru_stime, used.ru_maxrss * kilobyte / 10**6)
