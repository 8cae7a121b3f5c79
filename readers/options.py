"""What a reader is asked for."""

from __future__ import annotations

import msgspec

__all__ = ["ReadOptions"]


class ReadOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Every default is what a plain full read wants."""

    usage: bool = True
    """Yield the usage events that the agent's counting rules give."""
    told_usage: bool = True
    """Among them those whose counts stand on a message of the stream, too."""
    digest: bool = False
    """Say size and sha256 of each file in the session event (costs one more read of the bytes)."""
    raw: bool = False
    """Give usage events the record that carries their tokens."""
    live_tail: bool = True
    """Yield an unfinished response or unanswered calls at the end of the file."""
