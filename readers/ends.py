"""The two ends of a file of lines, for facts that are wanted without a full read."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Collection, Iterator
from typing import Any, BinaryIO, TypeVar

import msgspec

from panscript.readers.clock import Clock
from panscript.readers.lines import open_bytes, reading
from panscript.schemas import timestamps
from panscript.schemas.records import Source

__all__ = ["began", "ended", "first_lines", "last_lines", "latest"]

Row = TypeVar("Row", bound=msgspec.Struct)

_BLOCK = 1 << 16
_MOST = 1 << 20
_TIMES = 32
"""Rows from the end whose times are compared, since the last one need not be the latest."""


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


def latest(
    path: str,
    rows: Callable[[bytes], list[Row]],
    time_of: Callable[[Row], int | None],
    seen: Callable[[Row], None],
    marks: Collection[bytes],
) -> int | None:
    """The latest time near the end of the file, in milliseconds since 1970 UTC; None when no row there states one.

    `seen` is given the rows that were decoded on the way, the last one first: those whose time was asked for, and
    those in the last block that hold one of `marks`.
    """
    times: list[int] = []
    read = 0
    for raw in last_lines(path):
        read += len(raw) + 1
        if times and read > _BLOCK:
            break
        if len(times) >= _TIMES and not any(mark in raw for mark in marks):
            continue
        for row in rows(raw):
            seen(row)
            time = time_of(row)
            if time is not None:
                times.append(time)
    clock = Clock()
    for number, time in enumerate(reversed(times)):
        clock.add(number, time)
    clock.end()
    return clock.last


class _Timed(msgspec.Struct):
    """What rows of any agent call their time."""

    timestamp: Any = None
    time: Any = None


_timed = msgspec.json.Decoder(_Timed)


def began(source: Source) -> int | None:
    """When a session began, in milliseconds since 1970 UTC. A fork that is a copy of its parent began with it."""
    times = (_time(row) for line in first_lines(source.path) for row in _rows(line))
    return next((time for time in times if time is not None), None)


def ended(source: Source) -> int | None:
    """When it ended. Of sessions that began at once the one that ended first was gone on from."""
    return latest(source.path, _rows, _time, lambda _: None, ())


def _rows(line: bytes) -> list[_Timed]:
    try:
        return [_timed.decode(line)]
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return []


def _time(row: _Timed) -> int | None:
    return timestamps.parse(row.timestamp if row.time is None else row.time)
