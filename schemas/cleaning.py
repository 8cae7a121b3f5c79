"""Single values as projections show them."""

from __future__ import annotations

import re

from panscript.schemas import timestamps

__all__ = ["normalize_source_id", "normalize_timestamp"]

_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def normalize_timestamp(value: str | float) -> str:
    """A time in any form that agents write as ISO 8601 UTC with milliseconds; no offset means UTC.

    Raises `ValueError` for what is no time.
    """
    time = timestamps.parse(value)
    if time is None:
        raise ValueError(f"{value!r} is no time")
    return timestamps.iso(time)


def normalize_source_id(value: str | None) -> str | None:
    """An id without control characters and outer blanks; None when nothing is left."""
    return _CONTROLS.sub("", value or "").strip() or None
