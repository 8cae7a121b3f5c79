"""Lines of a file as bytes: split at LF only, whatever the text holds, from plain and zstd-compressed files.

Nothing is opened before the first `next()`, and closing the generator closes the file.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import BinaryIO, NamedTuple, cast

from panscript.schemas.errors import SourceNotFound, SourceUnreadable

__all__ = ["DATABASE", "Line", "head", "is_packed", "lines", "open_bytes", "reading", "reading_up_to"]

_BLOCK = 1 << 18
DATABASE = b"SQLite format 3\0"
"""How every SQLite database begins, unless it is encrypted."""
_ZSTD = b"\x28\xb5\x2f\xfd"
_ends: ContextVar[Mapping[str, int] | None] = ContextVar("ends", default=None)
"""Where files are taken to end, by path."""


class Line(NamedTuple):
    """A physical line, its end included."""

    raw: bytes
    offset: int
    number: int


def open_bytes(path: str) -> BinaryIO:
    """Open a file for reading, unpacking it when it is a zstd frame. Raises `SourceError`s that name the file."""
    try:
        file = cast(io.BufferedReader, Path(path).open("rb", buffering=_BLOCK))  # noqa: SIM115 - handed on
        packed = file.peek(4)[:4] == _ZSTD
    except FileNotFoundError:
        raise SourceNotFound("there is no such file", path=path) from None
    except IsADirectoryError:
        raise SourceUnreadable("this is a folder, not a file", path=path) from None
    except OSError as problem:
        raise SourceUnreadable(f"cannot be opened: {problem.strerror}", path=path) from None
    if not packed:
        return file
    from panscript.readers.frames import Frames

    return io.BufferedReader(Frames(file), _BLOCK)


def is_packed(path: str) -> bool:
    """Whether the file is compressed."""
    with Path(path).open("rb") as file:
        return file.read(4) == _ZSTD


def head(path: str, size: int = 1 << 16) -> bytes:
    """The first bytes of a file, unpacked."""
    with open_bytes(path) as file, reading(path):
        start = file.read(size)
        if not start and _is_cut(file):
            raise _damaged(path)
        return start


def lines(path: str) -> Iterator[Line]:
    """Every line of the file with its offset and its number from 1.

    Where compressed data ends or is damaged in the middle, the last line has no bytes.
    """
    new, make = tuple.__new__, Line
    with open_bytes(path) as file:
        offset = number = 0
        end = (_ends.get() or {}).get(path, sys.maxsize)
        with reading(path):
            for raw in file:
                if offset >= end:
                    return
                number += 1
                yield new(make, (raw, offset, number))
                offset += len(raw)
            if _is_cut(file):
                if not number:
                    raise _damaged(path)
                yield Line(b"", offset, number + 1)


def _is_cut(file: BinaryIO) -> bool:
    return bool(getattr(getattr(file, "raw", None), "cut", False))


def _damaged(path: str) -> SourceUnreadable:
    return SourceUnreadable("cannot be unpacked: the compressed data is damaged", path=path)


@contextmanager
def reading_up_to(ends: Mapping[str, int]) -> Iterator[None]:
    """Inside, `lines` ends these files after so many bytes, at the end of a line: what an agent is just writing waits.

    It holds for what is read inside, so a generator must not give anything from within.
    """
    before = _ends.set(ends)
    try:
        yield
    finally:
        _ends.reset(before)


@contextmanager
def reading(path: str) -> Iterator[None]:
    """What goes wrong while reading becomes an error that names the file."""
    try:
        yield
    except OSError as problem:
        raise SourceUnreadable(f"cannot be read: {problem.strerror or problem}", path=path) from None
