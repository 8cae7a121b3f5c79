"""A map from names to small numbers that costs about 20 bytes an entry; a dict costs five times that."""

from __future__ import annotations

from array import array
from collections.abc import Hashable

__all__ = ["PackedMap"]

_FIRST = 1 << 16
_RECENT = 1 << 15
"""Entries kept in a plain dict: what is asked for was mostly put in a moment ago, and most maps never grow larger."""


class _Table:
    """Open addressing over two arrays. A key of 0 is an empty place."""

    __slots__ = ("keys", "mask", "room", "values")

    def __init__(self, size: int) -> None:
        self.keys = array("q", bytes(8 * size))
        self.values = array("I", bytes(4 * size))
        self.mask = size - 1
        self.room = size * 3 // 4

    def find(self, key: int) -> int:
        """The place of the key, or the empty place where it belongs."""
        keys, mask = self.keys, self.mask
        place = key & mask
        while (found := keys[place]) and found != key:
            place = (place + 1) & mask
        return place


class PackedMap:
    """Names are kept as 64-bit hashes of this process, so two names could be taken for one: about once in 10^7 files
    of a million records. Tables double in size and are never copied, so growing needs no second copy in memory."""

    def __init__(self) -> None:
        self._recent: dict[int, int] = {}
        self._tables: list[_Table] = []

    def get(self, name: Hashable) -> int | None:
        """The number of this name, or None."""
        key = hash(name)
        found = self._recent.get(key)
        return found if found is not None or not self._tables else self._find(key or 1)

    def put(self, name: Hashable, number: int) -> None:
        """Set the number of this name."""
        recent = self._recent
        recent[hash(name)] = number
        if len(recent) >= _RECENT:
            for key, value in recent.items():
                self._store(key or 1, value)
            recent.clear()

    def _find(self, key: int) -> int | None:
        for table in self._tables:
            place = table.find(key)
            if table.keys[place]:
                return table.values[place]
        return None

    def _store(self, key: int, number: int) -> None:
        for table in self._tables:
            place = table.find(key)
            if table.keys[place]:
                table.values[place] = number
                return
        if not self._tables or not self._tables[0].room:
            size = (self._tables[0].mask + 1) * 2 if self._tables else _FIRST
            self._tables.insert(0, _Table(size))
        table = self._tables[0]
        place = table.find(key)
        table.keys[place] = key
        table.values[place] = number
        table.room -= 1
