"""Kilo Code: task folders as Cline's; what differs is where they lie and how their input tokens are counted.

Version 7 is another program, which keeps its sessions in a database (`kilo.db`). Reading that belongs here, beside the
task folders: `TABLES` for its tables, `discover` that looks for both, `read` that looks at what the file is.
"""

from __future__ import annotations

from panscript.readers.cline import files
from panscript.readers.cline.dependencies import dependencies
from panscript.readers.cline.discovery import discover
from panscript.readers.cline.files import layout
from panscript.readers.cline.reading import read
from panscript.schemas.records import Source

__all__ = ["dependencies", "detect", "discover", "layout", "read", "resolve"]


def detect(start: bytes) -> int:
    """How surely these first bytes are a file of Kilo Code: 0 not at all, 100 certainly."""
    return files.detect(start, "kilocode")


def resolve(path: str) -> Source:
    """The task that a file belongs to."""
    return files.resolve(path, "kilocode")
