"""Which items of one sequence correspond to which of another, both read in their order.

Every step is bounded, so that two sessions of a hundred thousand items that have nothing in common cost seconds. Exact
tables (time and memory are the product of the two lengths) are made only for `TABLE` cells; what is larger is first cut
at items that occur once on each side, then at the n-th occurrences of equal items, which takes n log n.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence

__all__ = ["TABLE", "Pair", "align", "align_similar", "gaps"]

Pair = tuple[int, int]
"""A place in each of the two sequences."""
Gap = tuple[int, int, int, int]
"""Two slices: from and to in the first sequence, from and to in the second."""

TABLE = 100_000
"""Cells of a table that finds the longest common subsequence: some 20 ms."""
_SIMILAR_TABLE = 1024
"""Cells of a table of similarities, each of which compares two sets of words."""
_SLICE = 32
_DEEPEST = 16
"""Rounds of cutting at items that occur once; each looks at every item at most once."""


def align(a: Sequence[Hashable], b: Sequence[Hashable]) -> list[Pair]:
    """The places of equal items, rising in both: a longest common subsequence where that is affordable."""
    numbers: dict[Hashable, int] = {}
    first = [numbers.setdefault(item, len(numbers)) for item in a]
    second = [numbers.setdefault(item, len(numbers)) for item in b]
    pairs: list[Pair] = []
    waiting: list[tuple[Gap, int]] = [((0, len(a), 0, len(b)), 0)]
    while waiting:
        gap, depth = waiting.pop()
        start, end, begin, finish = gap = _trimmed(first, second, gap, pairs)
        size = (end - start) * (finish - begin)
        if not size:
            continue
        if size <= TABLE:
            pairs += _longest(first, second, gap)
            continue
        anchors = _once(first, second, gap) if depth < _DEEPEST else []
        if anchors:
            pairs += anchors
            waiting += [(inner, depth + 1) for inner in _between(anchors, gap)]
        else:
            pairs += _by_occurrence(first, second, gap)
    return sorted(pairs)


def gaps(pairs: Iterable[Pair], length: int, other: int) -> Iterator[Gap]:
    """What lies between the pairs, before the first and after the last, in two sequences of these lengths."""
    return _between(sorted(pairs), (0, length, 0, other))


def align_similar(length: int, other: int, likeness: Callable[[int, int], float]) -> list[Pair]:
    """The pairs, rising in both, whose likenesses add up to the most; a likeness of 0 is no pair.

    Where the table would be too large, both sequences are cut into slices of the same share first, and a pair that
    would lie across two of these is not found.
    """
    if length * other <= _SIMILAR_TABLE:
        return _most_alike((0, length, 0, other), likeness)
    pairs: list[Pair] = []
    count = -(-max(length, other) // _SLICE)
    for number in range(count):
        start, end = length * number // count, length * (number + 1) // count
        begin, finish = other * number // count, other * (number + 1) // count
        pairs += _most_alike((start, end, begin, finish), likeness)
    return pairs


def _between(pairs: Iterable[Pair], gap: Gap) -> Iterator[Gap]:
    start, end, begin, finish = gap
    for one, two in pairs:
        if one > start or two > begin:
            yield start, one, begin, two
        start, begin = one + 1, two + 1
    if end > start or finish > begin:
        yield start, end, begin, finish


def _trimmed(a: list[int], b: list[int], gap: Gap, pairs: list[Pair]) -> Gap:
    """The gap without what is equal at its two ends; that goes to `pairs`."""
    start, end, begin, finish = gap
    while start < end and begin < finish and a[start] == b[begin]:
        pairs.append((start, begin))
        start, begin = start + 1, begin + 1
    while start < end and begin < finish and a[end - 1] == b[finish - 1]:
        end, finish = end - 1, finish - 1
        pairs.append((end, finish))
    return start, end, begin, finish


def _longest(a: list[int], b: list[int], gap: Gap) -> Iterator[Pair]:
    """A longest common subsequence, by the table."""
    start, end, begin, finish = gap
    other = b[begin:finish]
    rows = [[0] * (len(other) + 1)]
    for item in reversed(a[start:end]):
        below, row, right = rows[-1], [0] * (len(other) + 1), 0
        for place in range(len(other) - 1, -1, -1):
            if other[place] == item:
                right = below[place + 1] + 1
            elif below[place] > right:
                right = below[place]
            row[place] = right
        rows.append(row)
    rows.reverse()
    one = two = 0
    while rows[one][two]:
        if a[start + one] == other[two]:
            yield start + one, begin + two
            one, two = one + 1, two + 1
        elif rows[one + 1][two] >= rows[one][two + 1]:
            one += 1
        else:
            two += 1


def _once(a: list[int], b: list[int], gap: Gap) -> list[Pair]:
    """As many as possible, in order, of the items that occur exactly once on each side."""
    start, end, begin, finish = gap
    here, there = Counter(a[start:end]), Counter(b[begin:finish])
    places = {b[place]: place for place in range(begin, finish) if there[b[place]] == 1}
    return _rising(
        [(place, places[a[place]]) for place in range(start, end) if here[a[place]] == 1 and a[place] in places]
    )


def _by_occurrence(a: list[int], b: list[int], gap: Gap) -> list[Pair]:
    """As many as possible, in order, of the n-th occurrences of an item on both sides."""
    start, end, begin, finish = gap
    seen: Counter[int] = Counter()
    places: dict[tuple[int, int], int] = {}
    for place in range(begin, finish):
        seen[b[place]] += 1
        places[b[place], seen[b[place]]] = place
    seen.clear()
    pairs: list[Pair] = []
    for place in range(start, end):
        seen[a[place]] += 1
        found = places.get((a[place], seen[a[place]]))
        if found is not None:
            pairs.append((place, found))
    return _rising(pairs)


def _rising(pairs: list[Pair]) -> list[Pair]:
    """The longest part whose second places rise, too. The first places do."""
    ends: list[int] = []
    last: list[int] = []
    """Index of the pair at which the shortest-ending row of each length ends."""
    before: list[int | None] = []
    for number, (_, place) in enumerate(pairs):
        length = bisect_left(ends, place)
        before.append(last[length - 1] if length else None)
        ends[length : length + 1] = [place]
        last[length : length + 1] = [number]
    row: list[Pair] = []
    at = last[-1] if last else None
    while at is not None:
        row.append(pairs[at])
        at = before[at]
    return row[::-1]


def _most_alike(gap: Gap, likeness: Callable[[int, int], float]) -> list[Pair]:
    start, end, begin, finish = gap
    width = finish - begin
    alike = [[likeness(one, two) for two in range(begin, finish)] for one in range(start, end)]
    rows = [[0.0] * (width + 1)]
    for scores in reversed(alike):
        below, row = rows[-1], [0.0] * (width + 1)
        for place in range(width - 1, -1, -1):
            with_it = below[place + 1] + scores[place] if scores[place] > 0 else 0.0
            row[place] = max(with_it, below[place], row[place + 1])
        rows.append(row)
    rows.reverse()
    pairs: list[Pair] = []
    one = two = 0
    while one < len(alike) and two < width and rows[one][two]:
        if rows[one][two] == rows[one + 1][two]:
            one += 1
        elif rows[one][two] == rows[one][two + 1]:
            two += 1
        else:
            pairs.append((start + one, begin + two))
            one, two = one + 1, two + 1
    return pairs
