"""The import record in a Pi file: where its parts stand."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from panscript.readers.imported import Imported
from panscript.readers.imported import embedded as embedded_in
from panscript.readers.imported import imported_until as until
from panscript.readers.pi.files import is_record
from panscript.readers.tolerant import recover
from panscript.schemas.import_lean import Embedded
from panscript.schemas.pi.lean import entry_decoder
from panscript.schemas.pi.record_names import PART_TYPE

__all__ = ["PART", "embedded", "imported", "imported_until", "parts_of"]

PART = f'"{PART_TYPE}"'.encode()
"""Stands in every line that holds a part."""


def imported(path: str) -> Imported:
    """The record of a file that panscript wrote."""
    return Imported(path, PART, parts_of)


def parts_of(raw: bytes) -> Iterator[tuple[str | None, msgspec.Raw]]:
    """The parts on a line."""
    try:
        rows = [entry_decoder.decode(raw)]
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        rows = recover(raw, entry_decoder, is_record).rows
    for row in rows:
        if row.type == "custom" and row.custom_type == PART_TYPE:
            yield row.id, row.data


def embedded(path: str) -> Iterator[Embedded]:
    """The source records that a file of ours carries along."""
    return embedded_in(path, PART, parts_of)


def imported_until(path: str) -> int:
    """Offset of the last line that was imported, -1 when none was."""
    return until(path, PART, parts_of)
