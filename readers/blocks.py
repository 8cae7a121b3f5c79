"""Whole lines of a file in large blocks, for readers that look for a few of them only.

Searching a block for some bytes is many times faster than taking it apart into lines. A block stays valid until the
next one is asked for, and only as much of it as is said.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import cast

from panscript.readers.lines import open_bytes, reading

__all__ = ["blocks"]

_SIZE = 1 << 18
"""Larger blocks do not stay in the processor's cache between reading and searching."""


def blocks(path: str) -> Iterator[tuple[bytearray, int]]:
    """The file as buffers that begin with a line, each with the number of bytes that count.

    A line is in one buffer as a whole, with its end; the last one of the file may have none. Raises `SourceError`s;
    nothing is opened before the first `next()`.
    """
    with open_bytes(path) as opened, reading(path):
        file = cast(io.BufferedReader, opened)
        buffer = bytearray(_SIZE)
        begun = 0
        """Bytes at the start of the buffer that belong to a line of which the end is still to come."""
        while True:
            with memoryview(buffer) as view, view[begun:] as room:
                got = file.readinto(room)
            if not got:
                break
            filled = begun + got
            whole = buffer.rfind(b"\n", begun, filled) + 1
            if not whole:
                begun = filled
                if begun == len(buffer):
                    buffer.extend(bytes(len(buffer)))
                continue
            yield buffer, whole
            begun = filled - whole
            buffer[:begun] = buffer[whole:filled]
        if begun:
            yield buffer, begun
