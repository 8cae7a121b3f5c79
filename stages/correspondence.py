"""Which items of two sessions are the same thing.

Items correspond where

1. they are equal (numbers that each side counts by itself, such as those of calls, left out of account),
2. or their texts are, while the rest of them is not (a time, a model, tokens),
3. or they are equal and stand in another order: these have moved,
4. or they are of one kind, stand between the same neighbours and share words, or stand alone there.

Of the first and second the most are taken that stand in one order; the others fill what lies between. `alignment` says
how the cost is bounded. Swapping the sides swaps the result.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Hashable, Sequence
from functools import cached_property, partial
from typing import Literal

from panscript.schemas.events import Event
from panscript.stages.alignment import Pair, align, align_similar, gaps
from panscript.stages.likeness import frozen, likeness, texts, words
from panscript.stages.normal_form import Called, Compacted, Injected, Item, Result, Said

__all__ = ["Entry", "Items", "correspondence", "entries"]

Items = Sequence[Item] | Sequence[Event]
_Words = list[tuple[Hashable, frozenset[str]]]
"""Kind and words of each item."""
_ALIKE = 0.25
"""Words that two items between the same neighbours share, at least, where others stand there as well."""
_OPENING = 40
_LARGE = 1024
"""Pairs of items between two neighbours; where there are more, those that begin alike are found first."""
_NOTHING: frozenset[str] = frozenset()
_COUNTED = {Said: frozenset({"call"}), Result: frozenset({"call"}), Compacted: frozenset({"first_kept"})}
"""Fields with numbers that each side counts by itself."""


class Entry:
    """An item with what it is found by."""

    def __init__(self, item: Item | Event, answered: Hashable) -> None:
        self._item, self._answered = item, answered
        kind: Hashable = getattr(item, "injected", None) or (item.kind if isinstance(item, Injected) else None)
        self.kind: Hashable = (type(item).__name__, getattr(item, "role", None), kind)
        self.whole: Hashable = (self.kind, frozen(item, _COUNTED.get(type(item), _NOTHING)), answered)

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """What it says."""
        return tuple(texts(self._item))

    @property
    def said(self) -> Hashable:
        """A key of that."""
        return (self.kind, self.texts, self._answered)


def entries(items: Items) -> list[Entry]:
    """What the items are found by. A result goes by its call as well: many results say no more than `done`."""
    calls: dict[int, Hashable] = {}
    for item in items:
        if isinstance(item, Said):
            for part in item.parts:
                if isinstance(part, Called):
                    calls[part.call] = (part.name, frozen(part.arguments))
    return [Entry(item, calls.get(item.call) if isinstance(item, Result) else None) for item in items]


def correspondence(a: list[Entry], b: list[Entry]) -> tuple[list[Pair], list[Pair]]:
    """Pairs in the order of both sides, and pairs that are not. Always found from the same side."""
    differing = next((pair for pair in zip(a, b, strict=False) if pair[0].whole != pair[1].whole), None)
    turned = len(a) > len(b)
    if len(a) == len(b) and differing is not None:
        turned = _spelled(differing[0].whole) > _spelled(differing[1].whole)
    if turned:
        in_order, moved = _found(b, a)
        return [(two, one) for one, two in in_order], sorted((two, one) for one, two in moved)
    return _found(a, b)


def _spelled(key: Hashable) -> str:
    """The key as text that is the same in every run: the order of a set is not."""
    if isinstance(key, frozenset):
        return f"{{{sorted(map(_spelled, key))}}}"
    return f"({','.join(map(_spelled, key))})" if isinstance(key, tuple) else repr(key)


def _found(a: list[Entry], b: list[Entry]) -> tuple[list[Pair], list[Pair]]:
    pairs = align([each.whole for each in a], [each.whole for each in b])
    for start, end, begin, finish in list(gaps(pairs, len(a), len(b))):
        inner = align([each.said for each in a[start:end]], [each.said for each in b[begin:finish]])
        pairs += [(start + one, begin + two) for one, two in inner]
    moved = _elsewhere(a, b, pairs, "whole")
    pairs += _alike(a, b, pairs, moved)
    moved += _elsewhere(a, b, [*pairs, *moved], "said")
    return sorted(pairs), sorted(moved)


def _elsewhere(a: list[Entry], b: list[Entry], taken: list[Pair], key: Literal["whole", "said"]) -> list[Pair]:
    """Equal items that correspond to nothing yet, each with the first that is left on the other side."""
    here, there = {one for one, _ in taken}, {two for _, two in taken}
    places: defaultdict[Hashable, deque[int]] = defaultdict(deque)
    for place, entry in enumerate(b):
        if place not in there:
            places[getattr(entry, key)].append(place)
    moved = []
    for place, entry in enumerate(a):
        if place not in here and entry.texts and (left := places.get(getattr(entry, key))):
            moved.append((place, left.popleft()))
    return moved


def _alike(a: list[Entry], b: list[Entry], pairs: list[Pair], moved: list[Pair]) -> list[Pair]:
    """Items of one kind between the same neighbours, those that have moved left out."""
    here, there = {one for one, _ in moved}, {two for _, two in moved}
    found: list[Pair] = []
    for start, end, begin, finish in gaps(pairs, len(a), len(b)):
        ours = [place for place in range(start, end) if place not in here]
        theirs = [place for place in range(begin, finish) if place not in there]
        found += _alike_between(a, b, ours, theirs)
    return found


def _alike_between(a: list[Entry], b: list[Entry], ours: list[int], theirs: list[int]) -> list[Pair]:
    inside: list[Pair] = []
    if len(ours) * len(theirs) > _LARGE:
        inside = align([_opening(a[place]) for place in ours], [_opening(b[place]) for place in theirs])
    found = list(inside)
    for start, end, begin, finish in gaps(inside, len(ours), len(theirs)):
        first = [(a[place].kind, words(a[place].texts)) for place in ours[start:end]]
        second = [(b[place].kind, words(b[place].texts)) for place in theirs[begin:finish]]
        similar = align_similar(len(first), len(second), partial(_score, first, second))
        found += [(start + one, begin + two) for one, two in similar]
    # What stands alone between its neighbours, or in one row of kinds on both sides, is the same thing changed.
    for start, end, begin, finish in list(gaps(found, len(ours), len(theirs))):
        if [a[place].kind for place in ours[start:end]] == [b[place].kind for place in theirs[begin:finish]]:
            found += zip(range(start, end), range(begin, finish), strict=True)
    return [(ours[one], theirs[two]) for one, two in found]


def _opening(entry: Entry) -> Hashable:
    return (entry.kind, next(iter(entry.texts), "")[:_OPENING])


def _score(first: _Words, second: _Words, one: int, two: int) -> float:
    alike = likeness(first[one][1], second[two][1]) if first[one][0] == second[two][0] else 0.0
    return alike if alike >= _ALIKE else 0.0
