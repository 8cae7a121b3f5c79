"""The two ends of a file of lines, for facts that are wanted without a full read."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from typing import BinaryIO

from panscript.readers.lines import open_bytes, reading

__all__ = ["first_lines", "last_lines"]

_BLOCK = 1 << 16
_MOST = 1 << 20


def first_lines(path: str, most: int = _MOST) -> Iterator[bytes]:
    """The complete lines in the first `most` bytes of the (unpacked) file, read as they are asked for."""
    with open_bytes(path) as file, reading(path):
        left = most
        while left > 0:
            line = file.readline(left)
            left -= len(line)
            # A line that the limit cut is none; one at the end of the file may be whole without a line end.
            if not line or (left <= 0 and not line.endswith(b"\n")):
                return
            yield line


def last_lines(path: str, most: int = _MOST) -> Iterator[bytes]:
    """The lines in the last `most` bytes of the file, the last one first; the first of them may be cut.

    A small block is read first, a larger one only when more is asked for; a compressed file is unpacked whole.
    """
    with open_bytes(path) as file, reading(path):
        if not isinstance(getattr(file, "raw", None), io.FileIO):
            yield from reversed(_unpacked_end(file, most).split(b"\n"))
            return
        end = file.seek(0, os.SEEK_END)
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


def _unpacked_end(file: BinaryIO, most: int) -> bytes:
    kept = b""
    while block := file.read(most):
        kept = (kept + block)[-most:]
    return kept
