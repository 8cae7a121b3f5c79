"""Times as Protocol Buffers hold them."""

from __future__ import annotations

from panscript.readers.antigravity.wire import Fields

__all__ = ["moment"]

_LAST = 253_370_764_799
"""Seconds: the last that every form of a time can say."""


def moment(stamp: Fields | None) -> int | None:
    """Milliseconds since 1970 UTC of a timestamp (1 seconds, 2 nanoseconds); None where it holds none."""
    if stamp is None:
        return None
    seconds, nanos = stamp.number(1), stamp.number(2)
    if not 0 < seconds <= _LAST:
        return None
    return seconds * 1000 + (nanos // 1_000_000 if 0 <= nanos < 1_000_000_000 else 0)
