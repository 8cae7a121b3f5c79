"""The items of the conversation that a compaction may keep."""

from __future__ import annotations

from collections import deque

__all__ = ["Recent"]

_MOST = 8 << 20
"""Bytes of JSON that are held; the oldest go first."""


class Recent:
    """The newest items as they were written, each with the place of its entry."""

    def __init__(self) -> None:
        self._items: deque[tuple[int, bytes]] = deque()
        self._bytes = 0
        self._gone = -1
        """Place of the last item that is not held any longer."""

    def add(self, place: int, item: bytes) -> None:
        """One more item."""
        self._items.append((place, item))
        self._bytes += len(item)
        while self._bytes > _MOST:
            self._gone, old = self._items.popleft()
            self._bytes -= len(old)

    def since(self, place: int) -> tuple[list[bytes], bool]:
        """The items from this place on, and whether they are all there."""
        return [item for where, item in self._items if where >= place], self._gone < place
