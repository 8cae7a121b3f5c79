"""Times as agents write them, to milliseconds since 1970 UTC and back.

One function for every agent: seconds, milliseconds, ISO 8601 with an offset or without (then UTC), digits in text.
"""

from __future__ import annotations

import math
from datetime import UTC, datetime

__all__ = ["iso", "parse"]

_MINUTE = 60_000
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_EARLIEST, _LATEST = -62_135_596_800_000, 253_370_764_799_999
"""Years 1 to 9998: a time that a stage moves on must still be one."""
_END = 253_402_300_740_000  # the last minute of 9999
# Rows come in runs of the same minute, and parsing the date costs ten times as much as the seconds.
_to_minute: dict[str, int] = {}
_from_minute: dict[int, str] = {}


def parse(value: object) -> int | None:
    """Milliseconds since 1970 UTC of a time in any form that agents write; None when it is none."""
    if isinstance(value, str):
        minute = _to_minute.get(value[:17])
        if minute is not None and len(value) == 24 and value[19] == "." and value[23] == "Z":
            rest = value[17:19] + value[20:23]
            if rest.isdecimal() and rest < "60":
                return minute + int(rest)
        return _from_text(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return _from_number(value)


def iso(time: int) -> str:
    """`2026-05-01T10:00:10.000Z` for milliseconds since 1970 UTC."""
    minute, rest = divmod(time, _MINUTE)
    prefix = _from_minute.get(minute)
    if prefix is None:
        clamped = min(max(minute * _MINUTE, _EARLIEST), _END)
        when = datetime.fromtimestamp(0, UTC) + (datetime.fromtimestamp(clamped // 1000, UTC) - _EPOCH)
        prefix = f"{when.year:04d}-{when.month:02d}-{when.day:02d}T{when.hour:02d}:{when.minute:02d}:"
        if len(_from_minute) > 4096:
            _from_minute.clear()
        _from_minute[minute] = prefix
    return f"{prefix}{rest // 1000:02d}.{rest % 1000:03d}Z"


def _from_text(text: str) -> int | None:
    text = text.strip()
    if text.isdecimal() and text.isascii():
        return _from_number(int(text)) if 9 <= len(text) <= 20 else None
    if len(text) < 10 or not text[:4].isdecimal():
        return None
    try:
        when = datetime.fromisoformat(_trim_fraction(text))
        if when.tzinfo is None:
            when = when.replace(tzinfo=UTC)
        since = when - _EPOCH
    except (ValueError, OverflowError):
        return None
    found = since.days * 86_400_000 + since.seconds * 1000 + since.microseconds // 1000
    if found > _LATEST:
        return None
    if len(text) == 24 and text[23] == "Z" and text[19] == ".":
        if len(_to_minute) > 4096:
            _to_minute.clear()
        _to_minute[text[:17]] = found - found % _MINUTE
    return found


def _trim_fraction(text: str) -> str:
    """Nanoseconds to microseconds: `fromisoformat` takes any number of digits, but only since 3.12 in every form."""
    dot = text.find(".")
    if dot < 0:
        return text
    end = dot + 1
    while end < len(text) and text[end].isdecimal():
        end += 1
    return text[: min(end, dot + 7)].ljust(dot + 4, "0") + text[end:]


def _from_number(value: float) -> int | None:
    if math.isnan(value) or abs(value) < 1e8:
        return None
    found = value * 1000 if abs(value) <= 1e10 else value
    return int(found) if _EARLIEST <= found <= _LATEST else None
