"""The tree that records form by their parents: ids, missing parents, circles.

A number for each record and packed arrays beside it; the ids themselves are the only thing that costs memory.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator

__all__ = ["ROOT", "UNSEEN", "Tree"]

ROOT, UNSEEN = -1, -2
"""In place of the number of a parent: there is none, or it has not been seen."""


class Tree:
    """Records by id, numbered from 0 in the order of the file."""

    def __init__(self) -> None:
        self.lines = array("q")
        self.parents = array("q")
        self.kinds = bytearray()
        """A number the checks of an agent give each record."""
        self._digests = array("q")
        self._numbers: dict[str, int] = {}
        self._waiting: dict[str, list[int]] = {}

    def __len__(self) -> int:
        return len(self.lines)

    def number(self, name: str) -> int | None:
        """The record of this id; the last one where several have it."""
        return self._numbers.get(name)

    def add(self, name: str | None, parent: str | None, line: int, *, kind: int = 0, raw: bytes = b"") -> int | None:
        """Place a record. Gives the number of an earlier one with its id, if there is one.

        A record that repeats the earlier one word for word, which `same` tells, is not placed.
        """
        digest = hash(raw)
        earlier = self._numbers.get(name) if name is not None else None
        if earlier is not None and self._digests[earlier] == digest:
            return earlier
        number = len(self.lines)
        self.lines.append(line)
        self._digests.append(digest)
        self.kinds.append(kind)
        if name is not None:
            self._numbers[name] = number
            for child in self._waiting.pop(name, ()):
                self.parents[child] = number
        if parent is None:
            self.parents.append(ROOT)
        else:
            # A record that names itself finds itself here, which is a circle of one.
            found = self._numbers.get(parent, UNSEEN)
            self.parents.append(found)
            if found == UNSEEN:
                self._waiting.setdefault(parent, []).append(number)
        return earlier

    def same(self, number: int, raw: bytes) -> bool:
        """Whether this record was written word for word like that."""
        return self._digests[number] == hash(raw)

    def missing(self) -> Iterator[tuple[int, str]]:
        """Number of each record whose parent is nowhere, and the parent's id."""
        for name, children in self._waiting.items():
            for child in children:
                yield child, name

    def ancestors(self, number: int) -> Iterator[int]:
        """The records above this one, nearest first. Ends where a circle closes."""
        steps, most = 0, len(self.lines)
        at = self.parents[number]
        while at >= 0 and steps <= most:
            yield at
            at = self.parents[at]
            steps += 1

    def cycles(self) -> Iterator[int]:
        """One record of each circle: the one that stands last in the file."""
        new, open_, done = 0, 1, 2
        state = bytearray(len(self.lines))
        for start in range(len(state)):
            path = []
            at = start
            while at >= 0 and state[at] == new:
                state[at] = open_
                path.append(at)
                at = self.parents[at]
            if at >= 0 and state[at] == open_:
                yield max(path[path.index(at) :])
            for number in path:
                state[number] = done
