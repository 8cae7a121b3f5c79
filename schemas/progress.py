"""How far a read came: the cursor that a later read goes on from, as it is stored (plain JSON)."""

from __future__ import annotations

from typing import Annotated

import msgspec

__all__ = ["Cursor", "Progress", "State"]

_Count = Annotated[int, msgspec.Meta(ge=0)]


class Progress(msgspec.Struct, frozen=True):
    """What was told of one kind."""

    count: _Count
    """Projections that were told."""
    marks: list[tuple[_Count, str]]
    """(n, hash of the first n of them), dense towards the end, so that what changed there can be found."""


class State(msgspec.Struct, frozen=True, kw_only=True):
    """What was told, without saying any of it."""

    session: str
    options: str
    """Of the read; another one tells other things."""
    kinds: dict[str, Progress]


class Cursor(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Where a read of one session stopped."""

    parser: str
    """`<agent>@<version>`."""
    offset: _Count
    """Bytes that were read, up to the end of the last whole line."""
    prefix_hash: str
    """SHA-256 of these bytes, hexadecimal."""
    state: State
    beside: str = ""
    """Stands for the state of the files beside, which say more of the session: the same while none of them changed.
    Empty where there are none."""
