"""Projections that have to wait for what other files say: in memory while they are few, else in a private file.

The file has no name, so nobody else can open it and it is gone with the process.
"""

from __future__ import annotations

import tempfile
import weakref
from collections.abc import Iterator
from typing import IO, Any

import msgspec

from panscript.schemas.projections import Projection

__all__ = ["Holder", "Room"]

_SIZE = 8 << 20
_LEAST = 600
"""Bytes, about, that a projection takes without its text."""
_decode = msgspec.json.Decoder(Projection).decode
_encoder = msgspec.json.Encoder()


class Room:
    """What several lists may take together in memory, and the file for what is more."""

    def __init__(self, size: int = _SIZE) -> None:
        """`size`: bytes, about."""
        self._size = size
        self._used = 0
        self._file: IO[bytes] | None = None
        self._holders: weakref.WeakSet[Holder] = weakref.WeakSet()

    def enter(self, holder: Holder) -> None:
        """Another list that takes part."""
        self._holders.add(holder)

    def take(self, weight: int) -> None:
        """So many bytes more are held; where that is too much, everything goes into the file."""
        self._used += weight
        if self._used > self._size:
            for holder in self._holders:
                holder.spill()
            self._used = 0

    def write(self, content: bytes) -> tuple[int, int]:
        """Put this into the file; gives its place and size there."""
        if self._file is None:
            self._file = tempfile.TemporaryFile(prefix="panscript-")  # noqa: SIM115 - it lives as long as the room
            weakref.finalize(self, self._file.close)
        place = self._file.seek(0, 2)
        self._file.write(content)
        return place, len(content)

    def read(self, place: int, size: int) -> bytes:
        """What was put there."""
        assert self._file is not None
        self._file.seek(place)
        return self._file.read(size)


class Holder:
    """A list of projections that may be long. Append to it, then iterate over it as often as wanted."""

    def __init__(self, room: Room | None = None) -> None:
        """`room`: what several of them share."""
        self._room = room if room is not None else Room()
        self._room.enter(self)
        self._lines: list[Projection] = []
        self._chunks: list[tuple[int, int]] = []
        self._count = 0

    def append(self, line: Projection) -> None:
        """Hold one more."""
        self._count += 1
        self._lines.append(line)
        self._room.take(_weight(line))

    def __len__(self) -> int:
        """How many are held."""
        return self._count

    def __iter__(self) -> Iterator[Projection]:
        """All of them in order."""
        for place, size in self._chunks:
            for raw in self._room.read(place, size).split(b"\n")[:-1]:
                yield _decode(raw)
        yield from self._lines

    def close(self) -> None:
        """Let go of everything."""
        self._lines, self._chunks, self._count = [], [], 0

    def spill(self) -> None:
        """Put into the room's file what is still in memory."""
        if self._lines:
            # JSON holds no line feed but between values, where it can be left out.
            content = b"".join(_one_line(_encoder.encode(line)) + b"\n" for line in self._lines)
            self._chunks.append(self._room.write(content))
            self._lines = []


def _one_line(raw: bytes) -> bytes:
    return raw if b"\n" not in raw else msgspec.json.format(raw, indent=-1)


def _weight(line: Any) -> int:
    raw, text = getattr(line, "raw", None), getattr(line, "text", None)
    weight = _LEAST
    if isinstance(text, str):
        weight += 2 * len(text)
    for part in raw.values() if isinstance(raw, dict) else (raw,):
        if isinstance(part, msgspec.Raw):
            weight += len(bytes(part))
    return weight
