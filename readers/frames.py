"""Compressed files as plain bytes: zstd frames one after the other, as agents write them when they append."""

from __future__ import annotations

import io
from collections import deque
from typing import BinaryIO

import zstandard

__all__ = ["Frames"]

_PIECE = 1 << 14
"""What stands behind the end of a frame is copied once a frame, so that large pieces with many frames cost more."""
_KEPT = 8
"""Pieces of a frame that are kept: where it turns out to be damaged, other frames may have begun in them."""
_SECOND_LOOKS = 1000
"""Damaged frames whose earlier pieces are looked through again; a file made of nothing else would take for ever."""
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
        self._pieces: deque[bytes] = deque(maxlen=_KEPT)
        """The last ones that were read of the frame."""
        self._damaged = 0
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
            waiting = self._frame.unused_data + self._left or self._file.read(_PIECE)
            packed, self._left = waiting[:_PIECE], waiting[_PIECE:]
            if self._frame.eof:
                self._frame, self._begun = self._decompressor.decompressobj(), False
            if not packed:
                self.cut = self.cut or self._begun
                return False
            if not self._begun:
                self._pieces.clear()
            self._pieces.append(packed)
            self._begun = True
            try:
                self._ready = memoryview(self._frame.decompress(packed))
            except zstandard.ZstdError:
                self.cut = True
                self._damaged += 1
                again = b"".join(self._pieces) if self._damaged < _SECOND_LOOKS else packed
                self._left = self._next_frame(again[1:] + self._left)
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
