"""Numbers of things in sentences: `1 entry names`, `2 entries name`."""

from __future__ import annotations

__all__ = ["times"]


def times(number: int, one: str, many: str) -> str:
    """The number and, behind it, the words for one thing or for several."""
    return f"{number:,} {one if number == 1 else many}"
