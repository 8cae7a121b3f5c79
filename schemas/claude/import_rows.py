"""Rows that panscript puts into a transcript: the import record, which the agent passes over."""

from __future__ import annotations

from panscript.schemas.claude.record_names import HEAD_TYPE, PART_TYPE
from panscript.schemas.claude.state_rows import StateRow
from panscript.schemas.import_record import ImportHead, ImportPart

__all__ = ["ImportHeadRow", "ImportPartRow"]


class ImportHeadRow(StateRow, frozen=True, kw_only=True, tag=HEAD_TYPE):
    """Where the session came from."""

    data: ImportHead
    """The head of the record."""


class ImportPartRow(StateRow, frozen=True, kw_only=True, tag=PART_TYPE):
    """What the rows since the part before it cannot say."""

    id: str
    """Its name among the parts."""
    data: ImportPart
    """The part."""
