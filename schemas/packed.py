"""A map from names to small numbers that costs about 20 bytes an entry; a dict costs four times that."""

from __future__ import annotations

from array import array

__all__ = ["PackedMap"]

_FIRST = 1 << 12


class _Table:
    """Open addressing over two arrays. A key of 0 is an empty place."""

    __slots__ = ("keys", "mask", "room", "values")

    def __init__(self, size: int) -> None:
        self.keys = array("q", bytes(8 * size))
        self.values = array("I", bytes(4 * size))
        self.mask = size - 1
        self.room = size * 3 // 4


class PackedMap:
    """Names are kept as 64-bit hashes of this process, so two names could be taken for one: about once in 10^9 files
    of a million records. Tables double in size and are never copied, so growing needs no second copy in memory."""

    def __init__(self) -> None:
        self._tables = [_Table(_FIRST)]

    def get(self, name: str) -> int | None:
        """The number of this name, or None."""
        key = hash(name) or 1
        for table in self._tables:
            keys, mask = table.keys, table.mask
            place = key & mask
            while found := keys[place]:
                if found == key:
                    return table.values[place]
                place = (place + 1) & mask
        return None

    def put(self, name: str, number: int) -> bool:
        """Set the number of this name. True when the name is new."""
        key = hash(name) or 1
        for table in self._tables:
            keys, mask = table.keys, table.mask
            place = key & mask
            while found := keys[place]:
                if found == key:
                    table.values[place] = number
                    return False
                place = (place + 1) & mask
        table = self._tables[0]
        if not table.room:
            # The newest table comes first: what is asked for was mostly put in a moment ago.
            table = _Table((table.mask + 1) * 2)
            self._tables.insert(0, table)
        keys, mask = table.keys, table.mask
        place = key & mask
        while keys[place]:
            place = (place + 1) & mask
        keys[place] = key
        table.values[place] = number
        table.room -= 1
        return True
