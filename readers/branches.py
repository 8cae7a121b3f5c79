"""Which records are one conversation: the tree of a session, straightened and packed.

Agents hang records on each other in ways that are no branches: parallel results as siblings, hooks and attachments in
the chain, a boundary without a parent. Here a session is a few *segments* of records in file order. A new segment
begins only where something else was said after the same record; everything else joins the end of its segment.
"""

from __future__ import annotations

from array import array
from typing import Literal

from panscript.schemas.packed import PackedMap

__all__ = ["Branches", "Place"]

Place = Literal["branch", "follow", "pass"]
"""`branch` may begin a segment, `follow` is conversation that never does, `pass` is no conversation but may be named
as a parent."""
_MOST_BRANCHED = 1 << 30
_ALL = 1 << 40
_ROOT = 0xFFFF_FFFF
"""What stands for a name that leads back to the start of the conversation."""


class Branches:
    """First pass: `place` every record in file order. Then `choose` the head; after that `live` and `parent` answer."""

    def __init__(self, *, exact: bool = False) -> None:
        """`exact`: a segment is left at the very record named as parent, not at the end of that record's turn."""
        self._exact = exact
        self._numbers: PackedMap | None = PackedMap()
        self._segment = array("I")
        self._marks = bytearray()
        self._parents = array("i", [-1])
        self._attached = array("q", [-1])
        self._last_mark = array("q", [-1])
        self._placed = -1  # the record that a lost one is joined to
        self._now = 0  # the segment of that record
        self._cut: array[int] = array("q")
        # Second pass: last event of each segment, and of the place where a coming segment was left.
        self._tips: dict[int, str | None] = {}
        self._bases: dict[int, str | None] = {}
        self._left: dict[int, list[int]] = {}

    def __len__(self) -> int:
        return len(self._segment)

    @property
    def placed(self) -> int:
        """The last conversational record placed; -1 before the first."""
        return self._placed

    def skip(self) -> None:
        """A record that is no part of any conversation."""
        self._segment.append(self._now)
        self._marks.append(0)

    def number(self, name: str) -> int | None:
        """The conversational record that this native id stands for."""
        found = self._numbers.get(name) if self._numbers is not None else None
        return found if found != _ROOT else None

    def knows(self, name: str) -> bool:
        """Whether a record of this native id was placed."""
        return self._numbers is not None and self._numbers.get(name) is not None

    def place(self, name: str | None, parent: str | None, place: Place) -> bool:
        """Put the next record. False when its parent is not there and it was joined to the record before it.

        A parent of None is the start of a conversation, "" is the record before.
        """
        number = len(self._segment)
        known = True
        anchor = self._placed
        root = parent is None
        if parent and self._numbers is not None:
            found = self._numbers.get(parent)
            known = found is not None
            root = found == _ROOT
            anchor = -1 if root else found if found is not None else anchor
        if place == "pass":
            self.skip()
            if name is not None and self._numbers is not None:
                self._numbers.put(name, anchor if anchor >= 0 else _ROOT)
            return known
        segment = self._follow(anchor) if place == "follow" else self._branch(anchor, root)
        self._segment.append(segment)
        marked = place == "branch"
        self._marks.append(marked)
        if marked:
            self._last_mark[segment] = number
        self._placed, self._now = number, segment
        if name is not None and self._numbers is not None:
            self._numbers.put(name, number)
        return known

    def rewind(self, to: int) -> None:
        """The next record follows record `to` (-1: nothing); what came after it in its segment is left behind."""
        if to < 0:
            self._open(-1, -1)
        else:
            self._open(self._segment[to], to)
        self._placed = to

    def leads_to(self, earlier: int, number: int) -> bool:
        """Whether record `number` was said after record `earlier`, on the same path."""
        target, segment, limit = self._segment[earlier], self._segment[number], number
        while segment >= 0:
            if segment == target:
                return earlier <= limit
            limit, segment = self._attached[segment], self._parents[segment]
        return False

    def _follow(self, anchor: int) -> int:
        if anchor < 0:
            return self._now
        home = self._segment[anchor]
        segment, attached = self._now, _ALL
        while segment != home and segment >= 0:
            attached = self._attached[segment]
            segment = self._parents[segment]
        return self._now if segment == home and anchor <= attached else home

    def _branch(self, anchor: int, root: bool) -> int:
        if root:
            if self._placed < 0 or self._last_mark[0] < 0:
                return 0
            return self._open(-1, -1)
        if anchor < 0:
            return self._now
        home = self._segment[anchor]
        if self._last_mark[home] <= anchor:
            return home
        left = anchor
        if not self._exact:
            # The turn that was left ends where the next thing was said in its segment.
            left = self._marks.find(1, anchor + 1)
            while left >= 0 and self._segment[left] != home:
                left = self._marks.find(1, left + 1)
            left -= 1
        return self._open(home, left)

    def _open(self, parent: int, attached: int) -> int:
        self._parents.append(parent)
        self._attached.append(attached)
        self._last_mark.append(-1)
        self._now = len(self._parents) - 1
        return self._now

    def choose(self, head: int | None = None, *, whole: bool = True) -> None:
        """End the first pass. `head` is the record the conversation ended at (default: the last one placed; -1: none).

        `whole`: the head's segment is live to its end, not only up to the end of the head's turn.
        """
        self._numbers = None
        self._cut = array("q", [-1]) * len(self._parents)
        head = self._placed if head is None else head
        if head >= 0:
            segment = self._segment[head]
            limit = _ALL
            if not whole:
                limit = self._marks.find(1, head + 1)
                while limit >= 0 and self._segment[limit] != segment:
                    limit = self._marks.find(1, limit + 1)
                limit = limit - 1 if limit >= 0 else _ALL
            while segment >= 0:
                self._cut[segment] = limit
                limit = self._attached[segment]
                segment = self._parents[segment]
        for child in range(1, len(self._parents)):
            self._left.setdefault(self._attached[child], []).append(child)
        for child in self._left.pop(-1, []):
            self._bases[child] = None

    def live(self, number: int) -> bool:
        """Whether this record is on the branch that ended at the head."""
        return number <= self._cut[self._segment[number]]

    def parent(self, number: int) -> str | None:
        """The event before the next event of this record."""
        segment = self._segment[number]
        if segment in self._tips:
            return self._tips[segment]
        return self._bases.get(segment)

    def said(self, number: int, event: str) -> None:
        """This event of this record is now the last of its segment."""
        self._tips[self._segment[number]] = event

    def passed(self, number: int) -> None:
        """The record is done: remember the event that coming segments were left at."""
        if number in self._left:
            for child in self._left.pop(number):
                parent = self._parents[child]
                self._bases[child] = self._tips.get(parent, self._bases.get(parent))
