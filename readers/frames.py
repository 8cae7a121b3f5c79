"""Compressed files as plain bytes: zstd frames one after the other, as agents write them when they append."""

from __future__ import annotations

import io
from typing import BinaryIO

import zstandard

__all__ = ["Frames"]

_PIECE = 1 << 17


class Frames(io.RawIOBase):
    """Unpacks a file while it is read. What stands before damage is given; `cut` says that something is missing."""

    def __init__(self, file: BinaryIO) -> None:
        self.cut = False
        """The data ended inside a frame, or is damaged there."""
        self._file = file
        self._decompressor = zstandard.ZstdDecompressor()
        self._frame = self._decompressor.decompressobj()
        self._begun = False
        self._ready = memoryview(b"")

    def readable(self) -> bool:
        return True

    def close(self) -> None:
        self._file.close()
        super().close()

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        while not self._ready:
            packed = self._frame.unused_data or self._file.read(_PIECE)
            if self._frame.eof:
                self._frame, self._begun = self._decompressor.decompressobj(), False
            if not packed:
                self.cut = self.cut or self._begun
                return 0
            try:
                self._begun = True
                self._ready = memoryview(self._frame.decompress(packed))
            except zstandard.ZstdError:
                self.cut = True
                return 0
        size = min(len(buffer), len(self._ready))
        buffer[:size] = self._ready[:size]
        self._ready = self._ready[size:]
        return size
