"""Roo Code: task folders as Cline's; what differs is where they lie and how their input tokens are counted."""

from __future__ import annotations

from panscript.readers.cline import files
from panscript.readers.cline.dependencies import dependencies
from panscript.readers.cline.discovery import discover
from panscript.readers.cline.files import layout
from panscript.readers.cline.reading import read
from panscript.schemas.records import Source

__all__ = ["dependencies", "detect", "discover", "layout", "read", "resolve"]


def detect(start: bytes) -> int:
    """How surely these first bytes are a file of Roo Code: 0 not at all, 100 certainly."""
    return files.detect(start, "roocode")


def resolve(path: str) -> Source:
    """The task that a file belongs to."""
    return files.resolve(path, "roocode")
