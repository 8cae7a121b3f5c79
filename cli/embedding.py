"""The source records themselves, compressed, to be carried along in the target."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import TYPE_CHECKING

import zstandard

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
                yield from _pieces(source, current, packer.end())
            current, packer = record.origin.file, _Packer()
        if record.raw:
            raw = record.raw if redactor is None else clean(record, redactor, account)
            yield from _pieces(source, record.origin.file, packer.add(raw))
    if current is not None:
        yield from _pieces(source, current, packer.end())


def _pieces(source: Source, file: int, pieces: Iterator[bytes]) -> Iterator[Embedding]:
    for piece in pieces:
        yield Embedding(
            encodable(source.shown_as or source.files[file].path), ENCODING, base64.b64encode(piece).decode()
        )


class _Packer:
    """One compressed stream, given out in pieces of equal size."""

    def __init__(self) -> None:
        self._stream = zstandard.ZstdCompressor().compressobj()
        self._held = bytearray()

    def add(self, raw: bytes) -> Iterator[bytes]:
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
