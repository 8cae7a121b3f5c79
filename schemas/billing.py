"""What one response cost, as short as it can be told: enough to add up, to group, and to know copies by."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

__all__ = ["Billed", "Payer"]


class Payer(NamedTuple):
    """What many responses have in common. Readers give one object for all responses that share it."""

    session_id: str
    model: str | None
    provider: str | None
    cwd: str | None


class Billed(msgspec.Struct, gc=False):
    """One response, in disjoint buckets of tokens except `reasoning`, which lies inside `output`."""

    payer: Payer
    time: int
    """Milliseconds since 1970 UTC."""
    input: int
    output: int
    reasoning: int
    cache_read: int
    cache_write: int
    total: int
    cost: float | None = None
    """US dollars, only when the agent recorded them."""
    key: int = 0
    """The same in every copy of this response; other responses of one file have other keys. 0 when there are none."""
    response: int = 0
    """Stands for the response whatever request asked for it; 0 when it has no name."""
    replayed: bool = False
    """A sub-agent logged it, or a fork tells it for a parent that is not there: it counts only if no session before
    has the same response."""
