"""Names under which panscript puts into a Pi file what Pi's own entries have no place for."""

from __future__ import annotations

__all__ = ["HEAD_TYPE", "PART_TYPE", "RESULT_TYPE", "SUMMARY_PREFIX", "SUMMARY_TYPE"]

HEAD_TYPE = "import"
PART_TYPE = "import.part"
"""`customType` of the entries that make up the import record (see `panscript.schemas.import_record`)."""
SUMMARY_TYPE = "imported-summary"
SUMMARY_PREFIX = "Imported summary: "
"""`customType` of a shown note that holds a summary, and how its text begins."""
RESULT_TYPE = "imported-result"
"""`customType` of a shown note that holds a result without a call."""
