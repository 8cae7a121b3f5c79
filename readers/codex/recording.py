"""The import record in a Codex rollout: where its head and its parts stand."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from panscript.readers.codex.files import is_record
from panscript.readers.imported import Imported, head_of
from panscript.readers.imported import embedded as embedded_in
from panscript.readers.imported import imported_until as until
from panscript.readers.tolerant import recover
from panscript.schemas.codex.record_names import HEAD_KIND, PART_KIND
from panscript.schemas.import_lean import Embedded, Head

__all__ = ["HEAD", "PART", "Parts", "embedded", "head_on", "imported", "imported_until"]

HEAD = f'"{HEAD_KIND}"'.encode()
PART = f'"{PART_KIND}"'.encode()
"""Stand in every line that holds the head, or a part."""


class _Line(msgspec.Struct):
    type: str | None = None
    payload: msgspec.Raw = msgspec.Raw(b"")


_decoder = msgspec.json.Decoder(_Line)


class Parts:
    """Takes parts out of lines, in file order. They have no names, so they are called by their number, from 1."""

    def __init__(self) -> None:
        self._count = 0

    def __call__(self, raw: bytes) -> Iterator[tuple[str | None, msgspec.Raw]]:
        for row in _rows(raw):
            if row.type == PART_KIND:
                self._count += 1
                yield str(self._count), row.payload


def imported(path: str) -> Imported:
    """The record of a file that panscript wrote."""
    return Imported(path, PART, Parts())


def embedded(path: str) -> Iterator[Embedded]:
    """The source records that a file of ours carries along."""
    return embedded_in(path, PART, Parts())


def imported_until(path: str) -> int:
    """Offset of the last line that was imported, -1 when none was."""
    return until(path, PART, Parts())


def head_on(raw: bytes) -> Head | None:
    """The head of a record on a line; None when there is none, or it is another program's."""
    row = next((row for row in _rows(raw) if row.type == HEAD_KIND), None)
    return head_of(row.payload) if row is not None else None


def _rows(raw: bytes) -> list[_Line]:
    try:
        return [_decoder.decode(raw)]
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return recover(raw, _decoder, is_record).rows
