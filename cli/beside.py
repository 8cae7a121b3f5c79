"""Files that go beside a session: facts of a sub-agent, a line in the index of all sessions."""

from __future__ import annotations

import os
from pathlib import Path

from panscript.cli.output import write_file
from panscript.schemas.errors import OutputFailed
from panscript.writers.options import Beside

__all__ = ["put_beside"]


def put_beside(path: Path, file: Beside, *, force: bool) -> str:
    """Write the file, or put its line at the end of an index; gives the path. Raises `OutputExists`, `OutputFailed`."""
    if not file.is_line:
        with write_file(path, force=force) as place:
            place.file.write(file.content)
        return str(path)
    try:
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


def _apart(handle: int) -> bytes:
    """What parts the new line from one before it that has no end."""
    size = os.fstat(handle).st_size
    return b"\n" if size and os.pread(handle, 1, size - 1) != b"\n" else b""
