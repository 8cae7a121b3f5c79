"""What a reader is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

import msgspec

__all__ = ["ReadOptions", "least_busy_retries", "patient"]

least_busy_retries: ContextVar[int] = ContextVar("least_busy_retries", default=0)
"""How often a locked database is tried again where less is asked for."""

_PATIENT = 14
_COUNTS = ("max_busy_retries", "busy_retry_delay_ms")


class ReadOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Every default is what a plain full read wants."""

    usage: bool = True
    """Yield the usage events that the agent's counting rules give."""
    told_usage: bool = True
    """Among them those whose counts stand on a message of the stream, too."""
    digest: bool = False
    """Say size and sha256 of each file in the session event (costs one more read of the bytes, of a database none)."""
    raw: bool = False
    """Give usage events the record that carries their tokens."""
    live_tail: bool = True
    """Yield an unfinished response or unanswered calls at the end of the file."""
    max_busy_retries: int = 2
    """How often a database that another program holds locked is tried again; 0 not at all."""
    busy_retry_delay_ms: int = 50
    """What is waited before that, times the number of the attempt."""

    def __post_init__(self) -> None:
        """Raises `ValueError` for what is no whole number from 0."""
        for name in _COUNTS:
            value = getattr(self, name)
            if type(value) is not int or value < 0:
                raise ValueError(f"{name} is a whole number from 0, not {value!r}")


@contextmanager
def patient(retries: int = _PATIENT) -> Iterator[None]:
    """Inside, a locked database is tried again at least so often: a person waits rather than asks once more.

    With the usual delay the default is some five seconds in all.
    """
    before = least_busy_retries.set(retries)
    try:
        yield
    finally:
        least_busy_retries.reset(before)
