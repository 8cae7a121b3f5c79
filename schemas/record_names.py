"""What every part of the import record has in common, whatever file it stands in."""

from __future__ import annotations

__all__ = ["IMPORTER", "LONGEST_TEXT"]

IMPORTER = "panscript"
"""How the name of the program begins that wrote a record; other programs may use the same words."""
LONGEST_TEXT = 50_000
"""Characters of one text in the record; longer ones are cut into several that follow each other."""
