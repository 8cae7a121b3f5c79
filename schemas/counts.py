"""Numbers as agents log them."""

from __future__ import annotations

import math

__all__ = ["count"]


def count(value: object) -> int:
    """A token count: absent and not finite is 0, text is read, fractions are cut, nothing is negative."""
    if type(value) is int:
        return max(0, value)
    if isinstance(value, str):
        try:
            value = float(value.strip() or 0)
        except ValueError:
            return 0
    if isinstance(value, float) and math.isfinite(value):
        return max(0, int(value))
    return 0
