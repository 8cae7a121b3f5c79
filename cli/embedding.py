"""The source records themselves, compressed, to be carried along in the target."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

import zstandard
from msgspec.structs import replace

from panscript.cli.copying import clean
from panscript.readers.opening import read
from panscript.readers.options import ReadOptions
from panscript.schemas.naming import encodable
from panscript.schemas.records import Source
from panscript.schemas.report import FileReport
from panscript.writers.options import Embedding

if TYPE_CHECKING:
    from panscript.stages.redaction import Redactor

__all__ = ["ENCODING", "embeddings"]

ENCODING = "zstd+base64"
_PIECE = 600_000
"""Compressed bytes in one piece; a multiple of 3, so that the pieces' base64 can be joined."""


def embeddings(source: Source, redactor: Redactor | None) -> Iterator[Embedding]:
    """Every file of the session in pieces. With a redactor the records are without secrets."""
    account = FileReport(path=source.path)
    current: int | None = None
    packer = _Packer()
    for record in read(source, report=account, options=ReadOptions(usage=False)):
        if record.origin.file != current and record.raw:
            if current is not None:
                yield from _last(source, current, packer)
            current, packer = record.origin.file, _Packer()
        if record.raw:
            raw = record.raw if redactor is None else clean(record, redactor, account)
            yield from _pieces(source, record.origin.file, packer.add(raw))
    if current is not None:
        yield from _last(source, current, packer)


def _pieces(source: Source, file: int, pieces: Iterator[bytes]) -> Iterator[Embedding]:
    for piece in pieces:
        name = encodable(source.shown_as or source.files[file].path)
        yield Embedding(name, ENCODING, base64.b64encode(piece).decode())


def _last(source: Source, file: int, packer: _Packer) -> Iterator[Embedding]:
    """The rest of a file; its last piece tells what the whole must be."""
    held: Embedding | None = None
    for piece in _pieces(source, file, packer.end()):
        if held is not None:
            yield held
        held = piece
    if held is not None:
        yield replace(held, bytes=packer.bytes, sha256=packer.digest.hexdigest())


class _Packer:
    """One compressed stream, given out in pieces of equal size."""

    def __init__(self) -> None:
        self._stream = zstandard.ZstdCompressor().compressobj()
        self._held = bytearray()
        self.bytes = 0
        self.digest = hashlib.sha256()

    def add(self, raw: bytes) -> Iterator[bytes]:
        self.bytes += len(raw)
        self.digest.update(raw)
        self._held += self._stream.compress(raw)
        yield from self._full()

    def end(self) -> Iterator[bytes]:
        self._held += self._stream.flush()
        yield from self._full()
        if self._held:
            yield bytes(self._held)

    def _full(self) -> Iterator[bytes]:
        while len(self._held) >= _PIECE:
            piece, self._held = bytes(self._held[:_PIECE]), self._held[_PIECE:]
            yield piece
