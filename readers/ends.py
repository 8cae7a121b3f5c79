"""The two ends of a file of lines, for facts that are wanted without a full read."""

from __future__ import annotations

import os
from collections.abc import Iterator

from panscript.readers.lines import open_bytes
from panscript.schemas.errors import SourceUnreadable

__all__ = ["first_lines", "last_lines"]

_BLOCK = 1 << 16
_MOST = 1 << 20
_ZSTD = b"\x28\xb5\x2f\xfd"


def first_lines(path: str, most: int = _MOST) -> Iterator[bytes]:
    """The complete lines in the first `most` bytes of the (unpacked) file, read as they are asked for."""
    with open_bytes(path) as file:
        left = most
        try:
            while left > 0:
                line = file.readline(left)
                left -= len(line)
                # A line that the limit cut is none; one at the end of the file may be whole without a line end.
                if not line or (left <= 0 and not line.endswith(b"\n")):
                    return
                yield line
        except Exception as problem:
            raise SourceUnreadable(f"cannot be read: {problem}", path=path) from None


def last_lines(path: str, most: int = _MOST) -> Iterator[bytes]:
    """The lines in the last `most` bytes of the file, the last one first; the first of them may be cut.

    A small block is read first, a larger one only when more is asked for.
    """
    with open(path, "rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(0)
        if file.read(4) == _ZSTD:
            yield from reversed(_unpacked_end(path, most).split(b"\n"))
            return
        end = size
        rest = b""
        for block in (_BLOCK, most - _BLOCK):
            start = max(0, end - block)
            file.seek(start)
            lines = (file.read(end - start) + rest).split(b"\n")
            rest = lines.pop(0)
            yield from reversed(lines)
            end = start
            if end == 0:
                break
        yield rest


def _unpacked_end(path: str, most: int) -> bytes:
    kept = b""
    with open_bytes(path) as file:
        while block := file.read(most):
            kept = (kept + block)[-most:]
    return kept
