"""Compressed files as plain bytes: zstd frames one after the other, as agents write them when they append."""

from __future__ import annotations

import io
from typing import BinaryIO

import zstandard

__all__ = ["Frames"]

_PIECE = 1 << 16
_KEPT = 1 << 17
"""Bytes of a frame that are kept: where it turns out to be damaged, other frames may have begun in them."""
_SECOND_LOOKS = 1000
"""Damaged frames whose earlier bytes are looked through again; a file made of nothing else would take for ever."""
_BLOCKS = 8
"""Blocks that are unpacked at once. Each gives 128 KB at most, and some do from four bytes."""
_TOGETHER = 1 << 12
"""Bytes of blocks that are unpacked at once, since what stands before a damaged one is lost with it."""
_MAGIC = b"\x28\xb5\x2f\xfd"
_SKIPPED = b"\x2a\x4d\x18"
"""A frame without content has these bytes after its first."""
_HEADERS = tuple(
    5 + (not flags & 0x20) + (0, 1, 2, 4)[flags & 3] + (flags >> 5 & 1, 2, 4, 8)[flags >> 6] for flags in range(256)
)
"""How long a frame's header is, by its fifth byte."""
_LONGEST = 18
_RESERVED, _CHECKSUM = 8, 4
"""Flags; a checksum is of four bytes, too."""
_SAME_BYTE = 2
"""Such a block is one byte, whatever size it says."""


class Frames(io.RawIOBase):
    """Unpacks a file while it is read, a few blocks at once. A damaged frame costs itself; `cut` says that something is
    missing."""

    def __init__(self, file: BinaryIO) -> None:
        self.cut = False
        """The data ended inside a frame, or is damaged there."""
        self._file = file
        self._decompressor = zstandard.ZstdDecompressor()
        self._frame: zstandard.ZstdDecompressionObj | None = None
        self._data = b""
        """What was read and is still needed. The numbers below are places in it."""
        self._at = 0
        """What stands before was unpacked."""
        self._start = 0
        """Where the frame begins, or what is kept of it."""
        self._block = 0
        """Where the header of the next block is, or after the last one the end of the frame."""
        self._checksum, self._last = 0, False
        self._damaged = 0
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
            frame = self._frame
            if frame is None:
                self._short_frames()
                if self._ready:
                    break
                frame = self._begin()
            if frame is None:
                if self._at == len(self._data):
                    return False
                self._damage()
                continue
            end = self._few_blocks()
            if end == self._at:
                self._damage()
                continue
            try:
                self._ready = memoryview(frame.decompress(memoryview(self._data)[self._at : end]))
            except zstandard.ZstdError:
                self._damage()
                continue
            self._at = end
            if frame.eof:
                self._at -= len(frame.unused_data)
                self._start, self._frame = self._at, None
        return True

    def _short_frames(self) -> None:
        """Make those ready that are one block and all there: most are, and each step through a frame costs."""
        data, at, new = self._data, self._at, self._decompressor.decompressobj
        found, size = list[bytes](), 0
        while size < _PIECE and at + _LONGEST + 3 <= len(data) and data.startswith(_MAGIC, at):
            flags = data[at + 4]
            block = at + _HEADERS[flags]
            header = data[block] | data[block + 1] << 8 | data[block + 2] << 16
            end = block + 3 + (1 if header & 6 == _SAME_BYTE else header >> 3) + (flags & _CHECKSUM)
            if not header & 1 or end > len(data):
                break
            frame = new()
            try:
                unpacked = frame.decompress(data[at:end])
            except zstandard.ZstdError:
                break
            if not frame.eof:
                break
            found.append(unpacked)
            size, at = size + len(unpacked), end
        self._at = self._start = at
        self._ready = memoryview(b"".join(found))

    def _begin(self) -> zstandard.ZstdDecompressionObj | None:
        """The next frame; None where none begins, or not all of its header is there."""
        self._fill(_LONGEST)
        data, at = self._data, self._at
        size = len(data) - at
        if size > 4 and data.startswith(_MAGIC, at):
            flags = data[at + 4]
            if size < _HEADERS[flags] or flags & _RESERVED:
                return None
            self._block, self._checksum, self._last = at + _HEADERS[flags], flags & _CHECKSUM, False
        elif size > 4 and data[at] & 0xF0 == 0x50 and data.startswith(_SKIPPED, at + 1):
            self._block, self._last = at + 8 + int.from_bytes(data[at + 4 : at + 8], "little"), True
        else:
            return None
        self._frame = self._decompressor.decompressobj()
        return self._frame

    def _few_blocks(self) -> int:
        """Up to where to unpack next; no further than now where the data ends inside the frame."""
        if not self._last and self._block == self._at:
            self._fill(3)
        elif self._at == len(self._data):
            self._fill(1)
        data, block = self._data, self._block
        far = min(self._at + _TOGETHER, len(data) - 2)
        blocks = 0
        while block < far and blocks < _BLOCKS and not self._last:
            header = data[block] | data[block + 1] << 8 | data[block + 2] << 16
            block += 3 + (1 if header & 6 == _SAME_BYTE else header >> 3)
            blocks += 1
            if header & 1:
                self._last = True
                block += self._checksum
        self._block = block
        return min(block, len(data))

    def _fill(self, size: int) -> None:
        """Read on until there are as many bytes to unpack, or no more to read."""
        while len(self._data) - self._at < size:
            more = self._file.read(_PIECE)
            if not more:
                return
            gone = max(self._start, self._at - _KEPT)
            self._data = self._data[gone:] + more
            self._at, self._block, self._start = self._at - gone, self._block - gone, 0

    def _damage(self) -> None:
        """Go on where another frame seems to begin: one that is cut takes those behind it for its own blocks."""
        self.cut = True
        self._damaged += 1
        self._frame = None
        place = (self._start if self._damaged < _SECOND_LOOKS else self._at) + 1
        while (found := self._data.find(_MAGIC, place)) < 0:
            size = len(self._data)
            self._at = self._start = place = min(size, max(place, size - len(_MAGIC) + 1))
            left = size - place
            self._fill(left + 1)
            if len(self._data) - self._at == left:
                found = len(self._data)
                break
            place = self._at
        self._at = self._start = found
