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

__all__ = ["Holder"]

_ROOM = 32 << 20
"""Bytes, about, of what is kept in memory."""
_LEAST = 600
"""Bytes, about, that a projection takes without its text."""
_decode = msgspec.json.Decoder(Projection).decode
_encoder = msgspec.json.Encoder()


class Holder:
    """A list of projections that may be long. Append to it, then iterate over it as often as wanted."""

    def __init__(self, room: int = _ROOM) -> None:
        """`room`: bytes that may be held in memory."""
        self._room = room
        self._lines: list[Projection] = []
        self._weight = 0
        self._file: IO[bytes] | None = None
        self._count = 0

    def append(self, line: Projection) -> None:
        """Hold one more."""
        self._count += 1
        self._lines.append(line)
        self._weight += _weight(line)
        if self._weight > self._room:
            self._spill()

    def __len__(self) -> int:
        """How many are held."""
        return self._count

    def __iter__(self) -> Iterator[Projection]:
        """All of them in order."""
        if self._file is not None:
            self._spill()
            self._file.seek(0)
            for raw in self._file:
                yield _decode(raw)
        yield from self._lines

    def close(self) -> None:
        """Let go of everything."""
        self._lines = []
        if self._file is not None:
            self._file.close()
            self._file = None

    def _spill(self) -> None:
        if self._file is None:
            self._file = tempfile.TemporaryFile(prefix="panscript-")  # noqa: SIM115 - it lives as long as this list
            weakref.finalize(self, self._file.close)
        self._file.seek(0, 2)
        # JSON holds no line feed but those in strings, and there they are escaped; native records are single lines.
        self._file.writelines(_one_line(_encoder.encode(line)) + b"\n" for line in self._lines)
        self._lines = []
        self._weight = 0


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
