"""What differs inside of a text: its lines, and in lines that are alike the words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from panscript.cli.transcript.wording import lines
from panscript.stages.alignment import align, gaps
from panscript.stages.field_changes import parts_in_common

__all__ = ["Line", "Run", "inside"]

_TOKEN = re.compile(r"[^\W_]+|\s+|.", re.DOTALL)
_SHARED = 0.3
"""Of two lines that share less than this no words are marked."""
_KEPT = 30
"""Characters of unchanged text that are left beside a change."""
_LONGEST = 240
"""Characters of changed text."""
_MOST_LINES = 16


class Run(NamedTuple):
    """Some characters of a line, safe to show."""

    text: str
    changed: bool = False


class Line(NamedTuple):
    """A line of one side, or of both."""

    mark: Literal["-", "+", " "]
    runs: tuple[Run, ...]


def inside(before: str, after: str, *, full: bool = False) -> list[Line]:
    """The lines that differ, each side's, and one that does not on both sides of them. `full`: nothing is cut."""
    one, two = lines(before), lines(after)
    if one == two:
        # What differs cannot be shown as it is: controls, or blank lines around the text.
        one, two = ascii(before)[1:-1], ascii(after)[1:-1]
    found = list(_compared(one.split("\n"), two.split("\n"), full=full))
    if full:
        return found
    shown = _thinned(found)
    return shown if len(shown) <= _MOST_LINES else [*shown[: _MOST_LINES - 1], _note(len(shown) - _MOST_LINES + 1)]


def _note(count: int) -> Line:
    return Line(" ", (Run(f"… {count} more lines"),))


def _compared(before: list[str], after: list[str], *, full: bool) -> Iterator[Line]:
    pairs = parts_in_common(before, after)
    start = begin = 0
    for one, two in (*pairs, (len(before), len(after))):
        for line in before[start:one]:
            yield Line("-", (Run(_short(line, full=full)),))
        for line in after[begin:two]:
            yield Line("+", (Run(_short(line, full=full)),))
        if one < len(before):
            if before[one] == after[two]:
                yield Line(" ", (Run(_short(before[one], full=full)),))
            else:
                yield from _words(before[one], after[two], full=full)
        start, begin = one + 1, two + 1


def _words(before: str, after: str, *, full: bool) -> Iterator[Line]:
    """Both lines with the words marked in which they differ."""
    first, second = _TOKEN.findall(before), _TOKEN.findall(after)
    pairs = align(first, second)
    shared = sum(len(first[one]) for one, _ in pairs if not first[one].isspace())
    if shared < _SHARED * max(len(before), len(after)):
        yield Line("-", (Run(_short(before, full=full)),))
        yield Line("+", (Run(_short(after, full=full)),))
        return
    ours, theirs = [], []
    for start, end, begin, finish in gaps(pairs, len(first), len(second)):
        ours.append((start, end))
        theirs.append((begin, finish))
    yield Line("-", tuple(_runs(first, ours, full=full)))
    yield Line("+", tuple(_runs(second, theirs, full=full)))


def _runs(tokens: list[str], changed: Iterable[tuple[int, int]], *, full: bool) -> Iterator[Run]:
    at = 0
    for start, end in changed:
        if start > at:
            yield Run(_around("".join(tokens[at:start]), first=at == 0, full=full))
        if end > start:
            yield Run(_short("".join(tokens[start:end]), full=full), changed=True)
        at = max(at, end)
    if at < len(tokens):
        rest = "".join(tokens[at:])
        yield Run(rest if full or len(rest) <= 2 * _KEPT else rest[:_KEPT] + "…")


def _around(text: str, *, first: bool, full: bool) -> str:
    """Unchanged text before a change, cut to what stands next to changes."""
    if full or len(text) <= 2 * _KEPT:
        return text
    return ("" if first else text[:_KEPT]) + "…" + text[-_KEPT:]


def _short(text: str, *, full: bool) -> str:
    return text if full or len(text) <= _LONGEST else f"{text[: _LONGEST * 2 // 3]} … {text[-_LONGEST // 4 :]}"


def _thinned(found: list[Line]) -> list[Line]:
    """The lines with those left out that neither differ nor stand beside one that does."""
    changed = {number for number, line in enumerate(found) if line.mark != " "}
    shown: list[Line] = []
    left = 0
    for number, line in enumerate(found):
        if {number - 1, number, number + 1} & changed:
            if left:
                shown.append(_left_out(left))
            shown.append(line)
            left = 0
        else:
            left += 1
    return [*shown, _left_out(left)] if left else shown


def _left_out(count: int) -> Line:
    return Line(" ", (Run(f"… {count} line{'' if count == 1 else 's'} the same"),))
