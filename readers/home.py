"""What an imported session knows of the one it was imported from: its records, and where the import ends."""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Iterator
from importlib import import_module
from itertools import groupby
from typing import Any

import zstandard

from panscript.schemas.agents import agent
from panscript.schemas.import_lean import Embedded
from panscript.schemas.records import Source

__all__ = ["Damaged", "imported_until", "records"]

_ENCODING = "zstd+base64"
_BLOCK = 1 << 18
_LARGEST = 200
"""So many times its packed size a transcript may take."""


class Damaged(Exception):
    """The records that were carried along cannot be used."""


def imported_until(source: Source) -> int:
    """Offset in the session's last file behind which everything was said since the import; -1 when there is none."""
    found: int = _recording(source).imported_until(source.transcripts[-1].path)
    return found


def records(source: Source) -> Iterator[tuple[str, Iterator[bytes]]]:
    """The files of the session that this one was imported from, where they were carried along: path and content.

    Each content is to be read before the next is asked for. It raises `Damaged` where it is not the whole.
    """
    pieces: Iterator[Embedded] = _recording(source).embedded(source.transcripts[-1].path)
    for path, group in groupby(pieces, key=lambda piece: piece.path or ""):
        yield path, _unpacked(group)


def _recording(source: Source) -> Any:
    return import_module(f"{agent(source.agent).reader}.recording")


def _unpacked(pieces: Iterator[Embedded]) -> Iterator[bytes]:
    joined = _Joined(pieces)
    digest, size = hashlib.sha256(), 0
    with zstandard.ZstdDecompressor().stream_reader(joined) as stream:  # type: ignore[arg-type]
        try:
            while block := stream.read(_BLOCK):
                size += len(block)
                if size > _LARGEST * (joined.size + _BLOCK):
                    raise Damaged("what was carried along unpacks to more than a transcript does")
                digest.update(block)
                yield block
        except zstandard.ZstdError:
            raise Damaged("what was carried along cannot be unpacked") from None
    last = joined.last
    if last is None or (last.bytes, last.sha256) != (size, digest.hexdigest()):
        raise Damaged("what was carried along is not whole")


class _Joined:
    """The compressed bytes of all pieces, as a file to be read once."""

    def __init__(self, pieces: Iterator[Embedded]) -> None:
        self._pieces = pieces
        self._held = b""
        self.size = 0
        """Packed bytes so far."""
        self.last: Embedded | None = None

    def read(self, size: int = -1) -> bytes:
        """At most so many bytes; none at the end."""
        while not self._held:
            piece = next(self._pieces, None)
            if piece is None:
                return b""
            self.last = piece
            if piece.encoding == _ENCODING:
                try:
                    self._held = base64.b64decode(piece.data)
                    self.size += len(self._held)
                except (binascii.Error, ValueError):
                    return b""
        given = self._held[:size] if size >= 0 else self._held
        self._held = self._held[len(given) :]
        return given
