"""Files that go beside a session: facts of a sub-agent, a line in the index of all sessions."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from panscript.cli.output import write_file
from panscript.schemas.errors import OutputFailed
from panscript.writers.options import Beside

__all__ = ["put_beside"]


class _Named(msgspec.Struct):
    """A line of an index that gives a session its name; a later line of the same session counts instead."""

    id: str | None = None
    thread_name: str | None = None


_decode = msgspec.json.Decoder(_Named).decode


def put_beside(path: Path, file: Beside, *, force: bool) -> str:
    """Write the file, or put its line at the end of an index; gives the path. Raises `OutputExists`, `OutputFailed`."""
    if not file.is_line:
        with write_file(path, force=force) as place:
            place.file.write(file.content)
        return str(path)
    try:
        if _says(path, file.content):
            # The session was there before and was deleted; its line was not.
            return str(path)
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        # One write at the end: other programs may put lines there at the same time.
        handle = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(handle, _apart(handle) + file.content)
        finally:
            os.close(handle)
    except OSError as problem:
        raise OutputFailed(f"cannot be written: {problem.strerror}", path=str(path)) from None
    return str(path)


def _says(path: Path, line: bytes) -> bool:
    """Whether the index gives the session this name already."""
    new = _named(line)
    if new is None or new.id is None or not path.is_file():
        return False
    mark = msgspec.json.encode(new.id)
    last: _Named | None = None
    with path.open("rb") as index:
        for old in index:
            if mark in old and (found := _named(old)) is not None and found.id == new.id:
                last = found
    return last == new


def _named(line: bytes) -> _Named | None:
    try:
        return _decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def _apart(handle: int) -> bytes:
    """What parts the new line from one before it that has no end."""
    size = os.fstat(handle).st_size
    return b"\n" if size and os.pread(handle, 1, size - 1) != b"\n" else b""
