"""Cline, and the family: Roo Code and Kilo Code began as copies of it and share these modules.

A task is a folder with two arrays of JSON, one for the model and one for the person; since summer 2026 Cline writes one
document a session, with a manifest beside it.

Odd about it: tokens stand only in what the person was shown; what a person said is wrapped in tags, between texts of
the agent's; until autumn 2025 calls are XML in the model's text.
"""

from __future__ import annotations

from panscript.readers.cline import files
from panscript.readers.cline.files import layout, resolve
from panscript.readers.cline.reading import read

__all__ = ["detect", "layout", "read", "resolve"]


def detect(start: bytes) -> int:
    """How surely these first bytes are a file of Cline: 0 not at all, 100 certainly."""
    return files.detect(start, "cline")
