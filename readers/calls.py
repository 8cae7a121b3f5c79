"""Which calls of a session get a result, and which results stand before their calls."""

from __future__ import annotations

from panscript.schemas.packed import PackedMap

__all__ = ["Calls"]


class Calls:
    """Feed it every call and every result of the first pass, in file order."""

    def __init__(self) -> None:
        self.unanswered: set[str] = set()
        """Calls that no result has answered so far."""
        self.early: set[str] = set()
        """Calls whose first result stands before them."""
        self._asked = PackedMap()
        self._strays: set[str] = set()

    def asked(self, name: str) -> None:
        """A call of this id."""
        self._asked.put(name, 1)
        if name in self._strays:
            self._strays.discard(name)
            self.early.add(name)
        else:
            self.unanswered.add(name)

    def answered(self, name: str) -> None:
        """A result for this id."""
        if name in self.unanswered:
            self.unanswered.discard(name)
        elif name and self._asked.get(name) is None:
            self._strays.add(name)
