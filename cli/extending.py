"""Extensions of ours inside other agents: what is there, putting it there, taking it away."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import msgspec

from panscript.cli.output import write_file
from panscript.cli.version import VERSION
from panscript.readers.context import Context
from panscript.readers.finding import readable
from panscript.schemas.agents import AGENTS
from panscript.schemas.errors import OutputExists, OutputFailed
from panscript.writers.extensions import extension

__all__ = ["Installed", "install", "installed", "program", "remove"]

_LARGEST = 1 << 20
"""Bytes of a file that could be ours."""


class Installed(msgspec.Struct, frozen=True, kw_only=True):
    """What is where an extension belongs."""

    path: Path
    state: Literal["absent", "current", "outdated", "foreign"]
    """`outdated`: ours, but not what this version installs, or calling a program that is gone; `foreign`: not ours."""
    version: str | None = None
    """The version of panscript that wrote it."""


def installed(agent_id: str, context: Context) -> Installed:
    """Look at the extension of an agent. Raises `UnknownAgent`."""
    known = extension(agent_id)
    # As a person may set the folder's variable to a path below the current folder.
    path = Path(os.path.abspath(known.path(context)))  # noqa: PTH100 - keep links
    if not _exists(path):
        return Installed(path=path, state="absent")
    content = _read(path)
    if content is None or (version := known.version(content)) is None:
        return Installed(path=path, state="foreign")
    called = known.called(content)
    current = bool(called) and Path(called[0]).exists() and content == _content(agent_id, called)
    return Installed(path=path, state="current" if current else "outdated", version=version)


def install(agent_id: str, context: Context, *, force: bool = False) -> tuple[Installed, bool]:
    """Put the extension of this version there; gives what is there now, and whether it was written.

    `force` replaces a file that is not ours. Raises `UnknownAgent`, `OutputExists`, `OutputFailed`.
    """
    found = installed(agent_id, context)
    content = _content(agent_id, program())
    if found.state == "current" and _read(found.path) == content:
        return found, False
    if found.state == "foreign" and not force:
        raise OutputExists(
            "there is a file of that name that is not ours", path=readable(str(found.path)), hint="--force replaces it"
        )
    with write_file(found.path, force=found.state != "absent") as target:
        target.file.write(content)
    return Installed(path=found.path, state="current", version=VERSION), True


def remove(agent_id: str, context: Context, *, force: bool = False) -> Installed:
    """Take the extension away; gives what was there. `force` takes away a file that is not ours, too.

    Raises `UnknownAgent`, `OutputExists`, `OutputFailed`.
    """
    found = installed(agent_id, context)
    if found.state == "absent":
        return found
    if found.state == "foreign" and not force:
        raise OutputExists("this file is not ours", path=readable(str(found.path)), hint="--force removes it")
    try:
        found.path.unlink()
    except OSError as problem:
        raise OutputFailed(f"cannot be removed: {problem.strerror}", path=readable(str(found.path))) from None
    return found


def program() -> list[str]:
    """How another program calls this one, in absolute paths: the name it was called by, which outlives updates, else
    the one beside this interpreter, else the interpreter itself."""
    beside = Path(sys.executable).parent
    for name in (shutil.which(sys.argv[0]), shutil.which("panscript", path=str(beside))):
        if name is not None and Path(name).stem == "panscript":
            return [os.path.abspath(name)]  # noqa: PTH100 - keep links
    return [sys.executable, "-m", "panscript.cli"]


def _content(agent_id: str, called: Sequence[str]) -> bytes:
    names = {known.id: known.name for known in AGENTS if known.reader is not None and known.id != agent_id}
    return extension(agent_id).content(VERSION, called, names)


def _exists(path: Path) -> bool:
    try:
        return os.path.lexists(path)
    except ValueError:
        return False


def _read(path: Path) -> bytes | None:
    """What could be ours; a link is somebody's own arrangement, whatever it leads to."""
    try:
        if path.is_symlink() or not path.is_file() or path.stat().st_size > _LARGEST:
            return None
        return path.read_bytes()
    except OSError:
        return None
