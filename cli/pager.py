"""Long output goes through the person's pager."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from panscript.cli.ending import warn

__all__ = ["page", "pager_command"]

_USUAL = ("less", "more")
_LESS = "FRX"
"""What less is told where the person tells it nothing: end when all fits, show colours, leave the text there."""


def pager_command(variables: Mapping[str, str]) -> list[str]:
    """The pager that the person asks for with PAGER, else less; empty for none (PAGER is empty or `cat`)."""
    asked = variables.get("PAGER")
    if asked is None:
        asked = next((name for name in _USUAL if shutil.which(name)), "")
    try:
        command = shlex.split(asked)
    except ValueError:
        return []
    if not command or command[0] == "cat":
        return []
    if Path(command[0]).name == "less" and not any("R" in part or "r" in part for part in command[1:]):
        # Whatever else it is told: without this it shows colours as text.
        command.append("-R")
    return command


def page(chunks: Iterable[str], command: list[str]) -> None:
    """Give the text to the pager as it comes; without a pager, or where it does not start, to standard output.

    A pager that is left early ends the reading. What goes wrong with `chunks` is raised once the pager has ended.
    """
    encoding = sys.stdout.encoding or "utf-8"
    stream = iter(chunks)
    # Not before there is something to show: what cannot be read is one line, not an empty pager.
    first = next(stream, "")
    pager = _start(command) if command else None
    if pager is None or pager.stdin is None:
        sys.stdout.buffer.write(first.encode(encoding, "replace"))
        for chunk in stream:
            sys.stdout.buffer.write(chunk.encode(encoding, "replace"))
        return
    try:
        pager.stdin.write(first.encode(encoding, "replace"))
        for chunk in stream:
            pager.stdin.write(chunk.encode(encoding, "replace"))
        pager.stdin.flush()
    except (BrokenPipeError, KeyboardInterrupt):
        pass
    finally:
        _end(pager)


def _start(command: list[str]) -> subprocess.Popen[bytes] | None:
    sys.stdout.flush()
    try:
        return subprocess.Popen(command, stdin=subprocess.PIPE, env={"LESS": _LESS, **os.environ})
    except OSError as problem:
        warn(f"the pager {command[0]} does not start: {problem.strerror}")
        return None


def _end(pager: subprocess.Popen[bytes]) -> None:
    """The terminal is the pager's until it ends, also when Ctrl-C is pressed in it."""
    try:
        if pager.stdin is not None:
            pager.stdin.close()
    except BrokenPipeError:
        pass
    while True:
        try:
            pager.wait()
        except KeyboardInterrupt:
            continue
        return
