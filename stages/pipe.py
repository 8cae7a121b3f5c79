"""Stages: functions from one stream of events to another, joined end to end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from panscript.schemas.events import Event
from panscript.schemas.records import Record

__all__ = ["Stage", "events_of", "pipe"]

Stage = Callable[[Iterable[Event]], Iterator[Event]]


def pipe(events: Iterable[Event], *stages: Stage) -> Iterator[Event]:
    """Send the events through the stages in order. Nothing runs before the first `next()`."""
    stream: Iterator[Event] = iter(events)
    for stage in stages:
        stream = stage(stream)
    return stream


def events_of(records: Iterable[Record]) -> Iterator[Event]:
    """The events of a stream of records, in order."""
    for record in records:
        yield from record.events
