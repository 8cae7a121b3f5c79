"""Calls and results of one file, paired by their ids alone."""

from __future__ import annotations

from collections.abc import Iterator

__all__ = ["Pairs", "short"]

_LONGEST_ID = 80


def short(name: str) -> str:
    """An id as messages show it."""
    return name if len(name) <= _LONGEST_ID else f"{name[:_LONGEST_ID]}..."


class Pairs:
    """Which calls there are and how many results each has. Results may stand before their calls."""

    def __init__(self) -> None:
        self._calls: dict[str, tuple[int, str]] = {}
        self._results: dict[str, tuple[int, str]] = {}

    def call(self, name: str, line: int, path: str) -> int | None:
        """Note a call; gives the line of an earlier one with the same id."""
        earlier = self._calls.get(name)
        if earlier is None:
            self._calls[name] = (line, path)
        return None if earlier is None else earlier[0]

    def result(self, name: str, line: int, path: str) -> int | None:
        """Note a result; gives the line of an earlier one for the same call."""
        earlier = self._results.get(name)
        if earlier is None:
            self._results[name] = (line, path)
        return None if earlier is None else earlier[0]

    def unanswered(self) -> Iterator[tuple[str, int, str]]:
        """Id, line and path of each call without a result."""
        for name, (line, path) in self._calls.items():
            if name not in self._results:
                yield name, line, path

    def orphans(self) -> Iterator[tuple[str, int, str]]:
        """Id, line and path of each result without a call."""
        for name, (line, path) in self._results.items():
            if name not in self._calls:
                yield name, line, path
