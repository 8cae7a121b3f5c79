"""Lines of a file as bytes: split at LF only, whatever the text holds, from plain and zstd-compressed files.

Nothing is opened before the first `next()`, and closing the generator closes the file.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, NamedTuple, cast

from panscript.schemas.errors import SourceNotFound, SourceUnreadable

__all__ = ["Line", "head", "is_packed", "lines", "open_bytes", "reading"]

_BLOCK = 1 << 18
_ZSTD = b"\x28\xb5\x2f\xfd"


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
    import zstandard

    # A frame may be followed by another one when an agent appended to a compressed file.
    unpacked = zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True, closefd=True)
    return cast(BinaryIO, io.BufferedReader(cast(io.RawIOBase, unpacked), _BLOCK))


def is_packed(path: str) -> bool:
    """Whether the file is compressed."""
    with Path(path).open("rb") as file:
        return file.read(4) == _ZSTD


def head(path: str, size: int = 1 << 16) -> bytes:
    """The first bytes of a file, unpacked."""
    with open_bytes(path) as file, reading(path):
        return file.read(size)


def lines(path: str) -> Iterator[Line]:
    """Every line of the file with its offset and its number from 1."""
    with open_bytes(path) as file:
        offset = number = 0
        with reading(path):
            for raw in file:
                number += 1
                yield Line(raw, offset, number)
                offset += len(raw)


@contextmanager
def reading(path: str) -> Iterator[None]:
    """What goes wrong while reading becomes an error that names the file."""
    try:
        yield
    except OSError as problem:
        raise SourceUnreadable(f"cannot be read: {problem.strerror or problem}", path=path) from None
    except Exception as problem:
        # The decompressor's error type is known only once its module is loaded.
        if type(problem).__name__ != "ZstdError":
            raise
        raise SourceUnreadable(f"cannot be unpacked: {problem}", path=path) from None
