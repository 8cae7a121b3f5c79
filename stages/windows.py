"""Parts of a stream of projections: some kinds, a window of time, one session after the other, the time worked.

The bounds of a window are instants. `since` and `until` of the same bound split a stream in two; what has no time that
can be read is in neither part.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, date, datetime
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from panscript.schemas import timestamps
from panscript.schemas.errors import WrongBound
from panscript.schemas.projections import Projection

__all__ = ["IDLE_GAP", "Bound", "SessionLines", "Window", "active_ms", "bound", "by_session", "kinds", "since", "until"]

IDLE_GAP = 300_000
"""Milliseconds of a pause that count as work, at most."""

Bound: TypeAlias = str | date | datetime
"""`2026-01-31` or a `date` (midnight UTC), or a time that says its offset."""
Window: TypeAlias = Callable[[Iterable[Projection]], Iterator[Projection]]

_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_TIME = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:?\d\d(?::?\d\d(?:[.,]\d+)?)?(?:[Zz]|[+-]\d\d(?::?\d\d)?)", re.ASCII)


class SessionLines(NamedTuple):
    """What one session says."""

    source: str
    """Agent id."""
    session_id: str
    lines: list[Projection]


def bound(value: Bound) -> int:
    """The instant that a bound means, in milliseconds since 1970 UTC. Raises `WrongBound`."""
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise WrongBound(f"{value.isoformat()} has no offset, so it is no instant")
        value = value.astimezone(UTC).isoformat()
    elif isinstance(value, date):
        value = value.isoformat()
    text = value.strip()
    found = timestamps.parse(text.upper()) if _DAY.fullmatch(text) or _TIME.fullmatch(text) else None
    if found is None:
        raise WrongBound(f"{value!r} is no bound", hint="write it like 2026-01-31 or 2026-01-31T12:00:00Z")
    return found


def kinds(*wanted: str) -> Window:
    """Keep the projections of these kinds."""
    chosen = frozenset(wanted)

    def stage(lines: Iterable[Projection]) -> Iterator[Projection]:
        return (line for line in lines if line.__struct_config__.tag in chosen)

    return stage


def since(earliest: Bound) -> Window:
    """Keep what is of this instant or later. Raises `WrongBound` at once."""
    least = bound(earliest)

    def stage(lines: Iterable[Projection]) -> Iterator[Projection]:
        return (line for line in lines if (time := timestamps.parse(line.timestamp)) is not None and time >= least)

    return stage


def until(end: Bound) -> Window:
    """Keep what is earlier than this instant. Raises `WrongBound` at once."""
    first_out = bound(end)

    def stage(lines: Iterable[Projection]) -> Iterator[Projection]:
        return (line for line in lines if (time := timestamps.parse(line.timestamp)) is not None and time < first_out)

    return stage


def by_session(lines: Iterable[Projection]) -> Iterator[SessionLines]:
    """The lines of each session together, sessions in the order of their first line. Holds all of them."""
    found: dict[tuple[str, str], SessionLines] = {}
    for line in lines:
        key = (line.source, line.session_id)
        if key not in found:
            found[key] = SessionLines(*key, [])
        found[key].lines.append(line)
    yield from found.values()


def active_ms(times: Iterable[int]) -> int:
    """How long was worked, in milliseconds: the gaps between these times (milliseconds), each at most `IDLE_GAP`."""
    return sum(min(later - earlier, IDLE_GAP) for earlier, later in pairwise(sorted(times)))
