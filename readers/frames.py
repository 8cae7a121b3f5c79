"""Compressed files as plain bytes: zstd frames one after the other, as agents write them when they append."""

from __future__ import annotations

import io
from typing import BinaryIO

import zstandard

__all__ = ["Frames"]

_PIECE = 1 << 14
"""What stands behind the end of a frame is copied once a frame, so that large pieces with many frames cost more."""
_MAGIC = b"\x28\xb5\x2f\xfd"


class Frames(io.RawIOBase):
    """Unpacks a file while it is read. A damaged frame costs itself; `cut` says that something is missing."""

    def __init__(self, file: BinaryIO) -> None:
        self.cut = False
        """The data ended inside a frame, or is damaged there."""
        self._file = file
        self._decompressor = zstandard.ZstdDecompressor()
        self._frame = self._decompressor.decompressobj()
        self._begun = False
        self._left = b""
        """What was read and stands behind a damaged frame."""
        self._ready = memoryview(b"")

    def readable(self) -> bool:
        return True

    def close(self) -> None:
        self._file.close()
        super().close()

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        filled = 0
        # Frames may be short, and each call costs more than to unpack one.
        while filled < len(buffer):
            if not self._ready and not self._unpack():
                break
            size = min(len(buffer) - filled, len(self._ready))
            buffer[filled : filled + size] = self._ready[:size]
            self._ready = self._ready[size:]
            filled += size
        return filled

    def _unpack(self) -> bool:
        """Make bytes ready; False when there are no more."""
        while not self._ready:
            packed, self._left = self._left or self._frame.unused_data or self._file.read(_PIECE), b""
            if self._frame.eof:
                self._frame, self._begun = self._decompressor.decompressobj(), False
            if not packed:
                self.cut = self.cut or self._begun
                return False
            starts, self._begun = not self._begun, True
            try:
                self._ready = memoryview(self._frame.decompress(packed))
            except zstandard.ZstdError:
                self.cut = True
                self._left = self._next_frame(packed[1:] if starts else packed)
                self._frame, self._begun = self._decompressor.decompressobj(), False
        return True

    def _next_frame(self, packed: bytes) -> bytes:
        """What was read, from where another frame seems to begin; nothing when none does."""
        while (place := packed.find(_MAGIC)) < 0:
            more = self._file.read(_PIECE)
            if not more:
                return b""
            packed = packed[-len(_MAGIC) + 1 :] + more
        return packed[place:]
