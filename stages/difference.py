"""What two sessions differ in.

Two lists are compared, either the normal forms of both (`normal_form`) or all their events. `correspondence` says which
items are the same thing; here it is told what differs inside of these, and what is left over.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Literal, NamedTuple

from panscript.schemas.events import Event
from panscript.stages.alignment import Pair
from panscript.stages.correspondence import Items, correspondence, entries
from panscript.stages.field_changes import Change, field_changes, parts_in_common
from panscript.stages.normal_form import Called, Compacted, Item, Result, Said, Title

__all__ = ["Comparison", "Kind", "Step", "compare"]

Kind = Literal["same", "missing", "added", "changed", "moved", "arrived"]
"""`missing` is in A only, `added` in B only; what has `moved` stands at its place in A, and as `arrived` in B."""


class Step(NamedTuple):
    """One line of the comparison, in the order of both sides."""

    kind: Kind
    a: int | None
    """Place in A, from 0; None in what was added."""
    b: int | None
    changes: tuple[Change, ...] = ()
    """What differs in an item that is on both sides; also in one that has moved."""


class Comparison:
    """Two lists and how they differ."""

    def __init__(self, a: Items, b: Items, steps: Sequence[Step]) -> None:
        self.a: Items = a
        self.b: Items = b
        self.steps = steps

    @cached_property
    def counts(self) -> dict[str, int]:
        """Number of items by kind: same, missing, added, changed, moved."""
        found: Counter[str] = Counter(step.kind for step in self.steps)
        return {kind: found[kind] for kind in ("same", "missing", "added", "changed", "moved")}

    @property
    def same(self) -> bool:
        """Whether nothing differs."""
        return self.counts["same"] == len(self.steps)

    @property
    def differences(self) -> list[Step]:
        """The steps at which something differs, each once: what has moved at its place in A."""
        return [step for step in self.steps if step.kind not in ("same", "arrived")]


def compare(a: Items, b: Items) -> Comparison:
    """What has to be done to A to get B, item by item. Time n log n but for bounded tables, memory in proportion."""
    first, second = entries(a), entries(b)
    in_order, moved = correspondence(first, second)
    numbers = _Numbers(a, b, in_order, moved)
    found: dict[Pair, tuple[Change, ...]] = {}
    for one, two in (*in_order, *moved):
        if first[one].whole == second[two].whole and numbers.same_in(a[one], b[two]):
            found[one, two] = ()
        else:
            found[one, two] = field_changes(a[one], b[two], numbers if isinstance(a[one], Item) else None)
    return Comparison(a, b, list(_steps(len(a), len(b), in_order, moved, found)))


class _Numbers:
    """What each side counts by itself: the calls, and the places that a compaction names."""

    def __init__(self, a: Items, b: Items, in_order: list[Pair], moved: list[Pair]) -> None:
        self._titles = sum(isinstance(item, Title) for item in a), sum(isinstance(item, Title) for item in b)
        self._in_order = [one for one, _ in in_order], [two for _, two in in_order]
        self._there: dict[int, int] = {}
        self._here: dict[int, int] = {}
        for one, two in (*in_order, *moved):
            for call, other in _calls_in(a[one], b[two]):
                self._calls(call, other)

    def __call__(self, name: str, one: int | None, two: int | None) -> bool:
        """Whether the numbers of A and of B mean the same."""
        if one is None or two is None:
            return one is two
        return self._calls(one, two) if name == "call" else self._places(one, two)

    def same_in(self, before: Item | Event, after: Item | Event) -> bool:
        """Whether the numbers in two items, which are equal otherwise, mean the same."""
        if isinstance(before, Result) and isinstance(after, Result):
            return self._calls(before.call, after.call)
        if isinstance(before, Compacted) and isinstance(after, Compacted):
            return self("first_kept", before.first_kept, after.first_kept)
        return all(self._calls(call, other) for call, other in _calls_in(before, after))

    def _calls(self, one: int, two: int) -> bool:
        if one not in self._there and two not in self._here:
            self._there[one], self._here[two] = two, one
        return self._there.get(one) == two

    def _places(self, one: int, two: int) -> bool:
        """The same item, or the next that is left of those from there on."""
        one, two = one + self._titles[0], two + self._titles[1]
        here, there = self._in_order
        after, before = bisect_left(here, one), bisect_left(there, two)
        return (after < len(here) and there[after] == two) or (before < len(there) and here[before] == one)


def _calls_in(before: Item | Event, after: Item | Event) -> list[Pair]:
    """The numbers of the calls that correspond in two messages."""
    if not isinstance(before, Said) or not isinstance(after, Said):
        return []
    if not any(isinstance(part, Called) for part in before.parts):
        return []
    parts = [(before.parts[one], after.parts[two]) for one, two in parts_in_common(before.parts, after.parts)]
    return [(one.call, two.call) for one, two in parts if isinstance(one, Called) and isinstance(two, Called)]


def _steps(
    length: int, other: int, in_order: list[Pair], moved: list[Pair], found: dict[Pair, tuple[Change, ...]]
) -> Iterator[Step]:
    going, coming = dict(moved), {two: one for one, two in moved}
    start = begin = 0
    for one, two in (*in_order, (length, other)):
        for place in range(start, one):
            to = going.get(place)
            yield Step("missing", place, None) if to is None else Step("moved", place, to, found[place, to])
        for place in range(begin, two):
            origin = coming.get(place)
            yield Step("added", None, place) if origin is None else Step("arrived", origin, place)
        if one < length:
            changes = found[one, two]
            yield Step("changed" if changes else "same", one, two, changes)
        start, begin = one + 1, two + 1
