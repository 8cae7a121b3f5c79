"""The responses of one file in packed arrays: some 60 bytes each, since a file may hold very many."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator

__all__ = ["MAIN", "NAMELESS", "SIDE", "STOPPED", "Responses"]

STOPPED, SIDE, MAIN, NAMELESS = 1, 2, 4, 8
"""The record that counts has a stop reason; it is a sub-agent's; some record of the response is not; the key is made
up, so that no other file can have it."""
_COUNTS = 5
_FEW = 1 << 15
"""Up to so many a plain dict finds them faster."""
_MOST = (1 << 32) - 1


class Responses:
    """Numbers of each response, by a 64-bit key and in the order in which they were begun."""

    def __init__(self) -> None:
        self.flags = bytearray()
        self.payers = array("I")
        self.times = array("q")
        self.keys = array("q")
        self.names = array("q")
        """What stands for the response's id; 0 when it has none."""
        self._counts = array("I")
        self._large: dict[int, tuple[int, ...]] = {}
        """Counts that are damage, or from the future."""
        self._few: dict[int, int] | None = {}
        self._table = array("I")

    def find(self, key: int) -> int | None:
        """The place of a response, or None."""
        if self._few is not None:
            return self._few.get(key)
        table, keys = self._table, self.keys
        mask = len(table) - 1
        slot = key & mask
        while found := table[slot]:
            if keys[found - 1] == key:
                return found - 1
            slot = (slot + 1) & mask
        return None

    def add(self, key: int, name: int, flags: int, time: int, counts: tuple[int, ...], payer: int) -> None:
        """A response that is not there yet."""
        place = len(self.flags)
        self.flags.append(flags)
        self.payers.append(payer)
        self.times.append(time)
        self.keys.append(key)
        self.names.append(name)
        self._counts.extend(self._checked(place, counts))
        if self._few is not None:
            self._few[key] = place
            if place >= _FEW:
                self._few = None
                self._grow()
        elif (place + 1) * 3 > len(self._table) * 2:
            self._grow()
        else:
            self._put(key, place)

    def replace(self, place: int, flags: int, time: int, counts: tuple[int, ...], payer: int) -> None:
        """A better record of a response."""
        self.flags[place] = flags
        self.payers[place] = payer
        self.times[place] = time
        first = place * _COUNTS
        self._large.pop(place, None)
        self._counts[first : first + _COUNTS] = array("I", self._checked(place, counts))

    def places(self) -> Iterator[int]:
        """All places, the last first, once; memory is given back on the way, and nothing can be looked for any more."""
        self._few, self._table = {}, array("I")
        for first in range(len(self.flags) // _FEW * _FEW, -1, -_FEW):
            yield from range(len(self.flags) - 1, first - 1, -1)
            for each in (self.flags, self.payers, self.times, self.keys, self.names):
                del each[first:]
            del self._counts[first * _COUNTS :]

    def counts(self, place: int) -> tuple[int, ...]:
        """Input, output and of it reasoning, read from and written to the cache."""
        if place in self._large:
            return self._large[place]
        return tuple(self._counts[place * _COUNTS : (place + 1) * _COUNTS])

    def output(self, place: int) -> int:
        """The second of the counts."""
        return self._large[place][1] if place in self._large else self._counts[place * _COUNTS + 1]

    def of_main(self) -> Iterator[int]:
        """The names of responses that stand in the main conversation."""
        return (name for name, flags in zip(self.names, self.flags, strict=True) if flags & MAIN and name)

    def _checked(self, place: int, counts: tuple[int, ...]) -> Iterable[int]:
        if max(counts) <= _MOST:
            return counts
        self._large[place] = counts
        return (0,) * _COUNTS

    def _put(self, key: int, place: int) -> None:
        table = self._table
        mask = len(table) - 1
        slot = key & mask
        while table[slot]:
            slot = (slot + 1) & mask
        table[slot] = place + 1

    def _grow(self) -> None:
        size = max(len(self._table), _FEW) * 2
        self._table = array("I", bytes(4 * size))
        for place, key in enumerate(self.keys):
            self._put(key, place)
