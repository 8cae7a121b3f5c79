"""Names under which panscript puts into a Claude Code file what the agent's own rows have no place for."""

from __future__ import annotations

__all__ = ["HEAD_TYPE", "PART_TYPE", "SUPPLIED"]

HEAD_TYPE = "panscript-import"
PART_TYPE = "panscript-import-part"
"""`type` of the rows that make up the import record (see `panscript.schemas.import_record`)."""
SUPPLIED = "supplied"
"""What the import record calls a row that says nothing of the session and is there for the agent's sake."""
