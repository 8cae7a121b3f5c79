"""Where each written entry hangs and how large the context is there."""

from __future__ import annotations

from array import array

from panscript.schemas.packed import PackedMap

__all__ = ["Tree"]


class Tree:
    """Entries in the order they are written, packed: their ids, and the running estimate of the context in tokens."""

    def __init__(self, *, branches: bool, size: int = 0) -> None:
        """`branches`: entries hang where their events hang; else each hangs on the one before. `size`: of the context
        that stands before all of them."""
        self._before = size
        self._ids = array("Q")
        self._sizes = array("Q")
        self._places = PackedMap() if branches else None
        self._starts = PackedMap()

    def __len__(self) -> int:
        return len(self._ids)

    def find(self, event: str | None) -> int | None:
        """The entry at which what follows this event hangs; None when there is no such event."""
        if self._places is None or event is None:
            return None
        return self._places.get(event)

    def entry(self, place: int) -> str:
        """The id of the entry."""
        return f"{self._ids[place]:016x}"

    def size(self, place: int) -> int:
        """Estimated tokens of the context up to and with this entry."""
        return self._sizes[place] if place >= 0 else self._before

    def add(self, entry: str, size: int) -> int:
        """One more entry with the size of its context; gives its place."""
        self._ids.append(int(entry, 16))
        self._sizes.append(size)
        return len(self._ids) - 1

    def hang(self, event: str, place: int) -> None:
        """What follows this event hangs at the entry."""
        if self._places is not None:
            self._places.put(event, place)

    def start(self, event: str, place: int) -> None:
        """What stays in view from this event on begins with the entry at this place, which may be yet to come."""
        self._starts.put(event, place)

    def started(self, event: str) -> int | None:
        """The place noted for an event that has no entry of its own; None when it has one or was never met."""
        return self._starts.get(event)

    def place_of(self, entry: str) -> int | None:
        """The newest entry of this id."""
        try:
            return len(self._ids) - 1 - self._ids[::-1].index(int(entry, 16))
        except ValueError:
            return None
