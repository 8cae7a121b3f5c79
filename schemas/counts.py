"""Numbers as agents log them."""

from __future__ import annotations

import math

__all__ = ["count"]

_MOST = 1 << 53
"""No request has as many tokens, and no program that counts in doubles could tell them apart."""


def count(value: object) -> int:
    """A token count: absent, not finite and beyond all reason is 0, text is read, fractions are cut."""
    if type(value) is int:
        return value if 0 < value < _MOST else 0
    if isinstance(value, str):
        try:
            value = float(value.strip() or 0)
        except ValueError:
            return 0
    if isinstance(value, float) and math.isfinite(value) and 0 < value < _MOST:
        return int(value)
    return 0
