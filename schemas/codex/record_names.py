"""Names under which panscript puts into a Codex rollout what the agent's own lines have no place for."""

from __future__ import annotations

__all__ = ["HEAD_KIND", "ORIGINATOR", "PART_KIND", "RECORD_KINDS"]

HEAD_KIND = "panscript_import"
PART_KIND = "panscript_import_part"
"""`type` of the lines that make up the import record (see `panscript.schemas.import_record`). The head is the second
line of the file; entries are called by the number of their line, and a line of the record closes a response."""
RECORD_KINDS = frozenset({HEAD_KIND, PART_KIND})
ORIGINATOR = "panscript"
"""Who began the thread, in the header; the version beside it is not that of Codex."""
