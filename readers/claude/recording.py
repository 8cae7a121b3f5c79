"""The import record in a Claude Code file: where its parts stand."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from panscript.readers.claude.files import is_record
from panscript.readers.imported import Imported
from panscript.readers.tolerant import recover
from panscript.schemas.claude.lean import row_decoder
from panscript.schemas.claude.record_names import PART_TYPE

__all__ = ["PART", "imported", "parts_of"]

PART = f'"{PART_TYPE}"'.encode()
"""Stands in every line that holds a part."""


def imported(path: str) -> Imported:
    """The record of a file that panscript wrote."""
    return Imported(path, PART, parts_of)


def parts_of(raw: bytes) -> Iterator[tuple[str | None, msgspec.Raw]]:
    """The parts on a line."""
    try:
        rows = [row_decoder.decode(raw)]
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        rows = recover(raw, row_decoder, is_record).rows
    for row in rows:
        if row.type == PART_TYPE:
            yield row.id, row.data
