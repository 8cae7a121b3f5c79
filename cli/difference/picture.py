"""A comparison as a person sees it: who the two are, how much differs, and what, with some of what stands around."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple

from msgspec import UNSET

from panscript.cli.difference.inside import inside
from panscript.cli.difference.sides import Side
from panscript.cli.difference.wording import Saying, field_name, label, sayings, summary, value
from panscript.cli.transcript.wording import cut, first_lines, lines
from panscript.schemas.agents import agent
from panscript.schemas.terminal import one_line
from panscript.stages.difference import Comparison, Step
from panscript.stages.field_changes import Change, plain

__all__ = ["Span", "Style", "View", "picture"]

Style = Literal["", "side", "dim", "missing", "added", "changed", "moved", "gone", "come", "rule"]
"""`gone` and `come` are words inside of a line that is `missing` or `added`."""


class Span(NamedTuple):
    """Characters that look alike, safe to show, without a line feed."""

    text: str
    style: Style = ""


class View(NamedTuple):
    """How to show it."""

    width: int
    """Columns. What sums up is cut to them, what was said is not."""
    context: int = 2
    """Items that are the same, on both sides of one that is not."""
    full: bool = False
    """Texts are not cut."""
    noun: str = "item"


_Row = list[Span]
_MARKS = {"same": " ", "missing": "-", "added": "+", "changed": "~", "moved": "<", "arrived": ">"}
_STYLES: dict[str, Style] = {
    "same": "dim",
    "missing": "missing",
    "added": "added",
    "changed": "changed",
    "moved": "moved",
    "arrived": "moved",
}
_PART = re.compile(r"(?:parts|content)\.\d+")
_LABEL = 10
_MOST_LINES = 6
_INLINE = 40
"""Characters of a text that is shown as `old → new`."""
_SECRETIVE = ("data", "signature", "sha256")
"""Fields whose text says nothing to a person."""


def picture(a: Side, b: Side, compared: Comparison, view: View) -> Iterator[_Row]:
    """The lines of the picture."""
    yield from _heads(a, b, view)
    yield []
    yield _counts(compared, view)
    hunks = list(_hunks(compared.steps, view.context))
    drawing = _Drawing(compared, view)
    for number, steps in enumerate(hunks, 1):
        yield []
        yield [Span(f"── {number} of {len(hunks)} ".ljust(min(view.width, 100), "─"), "rule")]
        for step in steps:
            yield from drawing.step(step)


def _heads(a: Side, b: Side, view: View) -> Iterator[_Row]:
    names = [agent(side.head.agent).name for side in (a, b)]
    width = max(map(len, names))
    for letter, name, side in zip("AB", names, (a, b), strict=True):
        size = _several(len(side.items), view.noun)
        title = one_line(side.head.title or side.head.first_prompt or side.head.session_id)
        room = max(view.width - width - len(size) - 7, 8)
        style: Style = "missing" if letter == "A" else "added"
        yield [
            Span(letter, style),
            Span(f"  {name:{width}}  ", "side"),
            Span(cut(title, room)),
            Span(f"  {size}", "dim"),
        ]


def _counts(compared: Comparison, view: View) -> _Row:
    counts = compared.counts
    if compared.same:
        return [Span(f"nothing differs: {_several(counts['same'], view.noun)} the same")]
    row: _Row = []
    for kind in ("changed", "missing", "added", "moved"):
        if counts[kind]:
            row += [Span(f"{counts[kind]:,} {kind}", _STYLES[kind]), Span(", ")]
    return [*row, Span(f"{counts['same']:,} the same", "dim")]


def _several(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _hunks(steps: Sequence[Step], context: int) -> Iterator[list[Step]]:
    """What differs, together with what stands around it; neighbours whose surroundings touch are one."""
    places = [number for number, step in enumerate(steps) if step.kind != "same"]
    start = 0
    while start < len(places):
        end = start
        while end + 1 < len(places) and places[end + 1] - places[end] <= 2 * context + 1:
            end += 1
        yield list(steps[max(places[start] - context, 0) : places[end] + context + 1])
        start = end + 1


class _Drawing:
    def __init__(self, compared: Comparison, view: View) -> None:
        self._compared, self._view = compared, view
        self._digits = len(str(max(len(compared.a), len(compared.b))))
        self._indent = " " * (2 * self._digits + 5)

    def step(self, step: Step) -> Iterator[_Row]:
        """One item, and what is to be said of it."""
        before = plain(self._compared.a[step.a]) if step.a is not None else None
        after = plain(self._compared.b[step.b]) if step.b is not None else None
        item = before or after
        assert item is not None
        yield self._line(step, item)
        if step.kind in ("missing", "added"):
            for saying in sayings(item):
                yield from self._saying(saying, step.kind)
        elif step.kind in ("changed", "moved"):
            for change in step.changes:
                yield from self._change(change, before or item, after or item)

    def _line(self, step: Step, item: dict[str, Any]) -> _Row:
        digits, style = self._digits, _STYLES[step.kind]
        # What has moved stands where it is on that side only; the words behind say where it is on the other.
        a = "" if step.a is None or step.kind == "arrived" else str(step.a + 1)
        b = "" if step.b is None or step.kind == "moved" else str(step.b + 1)
        what = label(item)
        head = f"{_MARKS[step.kind]} {a:>{digits}} {b:>{digits}}  "
        row = [Span(head, style), Span(f"{what:{_LABEL}}", style)]
        room = self._view.width - len(head) - max(_LABEL, len(what)) - 1
        if step.kind in ("moved", "arrived"):
            moved = f"moved to B {step.b + 1 if step.b is not None else ''}: "
            if step.kind == "arrived":
                moved = f"moved from A {step.a + 1 if step.a is not None else ''}: "
            row.append(Span(f" {moved}", style))
            room -= len(moved)
        if step.kind in ("same", "moved", "arrived") or (step.kind == "changed" and not _tells(step.changes)):
            row.append(Span(("" if step.kind in ("moved", "arrived") else " ") + summary(item, room), "dim"))
        return row

    def _saying(self, saying: Saying, kind: Literal["missing", "added"]) -> Iterator[_Row]:
        """All of something that one side has."""
        mark, word = _MARKS[kind], "" if saying.word in ("", "text") else f"({saying.word}) "
        text, rest = (lines(saying.text), 0) if self._view.full else first_lines(saying.text, _MOST_LINES)
        for number, line in enumerate(text.split("\n")):
            yield [Span(f"{self._indent}{mark} ", kind), Span((word if number == 0 else "") + line, kind)]
        if rest:
            yield [Span(f"{self._indent}  … {_several(rest, 'more line')}", "dim")]

    def _change(self, change: Change, before: dict[str, Any], after: dict[str, Any]) -> Iterator[_Row]:
        """One field that differs."""
        name = field_name(change.path, before if change.before is not UNSET else after)
        if _PART.fullmatch(change.path):
            parts = _part(change.before), _part(change.after)
            if parts[0] is not None:
                yield from self._saying(parts[0], "missing")
            if parts[1] is not None:
                yield from self._saying(parts[1], "added")
            return
        if _tells([change]):
            # Lines that begin with - and + are known for text.
            if name != "text":
                yield [Span(f"{self._indent}{name}", "changed")]
            yield from self._inside(str(change.before), str(change.after))
            return
        if change.path.rpartition(".")[2] in _SECRETIVE:
            said = f"{_characters(change.before)} → {_characters(change.after)}"
        else:
            said = f"{value(change.before, change.path)} → {value(change.after, change.path)}"
        yield [Span(f"{self._indent}{name}: ", "changed"), Span(said)]

    def _inside(self, before: str, after: str) -> Iterator[_Row]:
        styles: dict[str, tuple[Style, Style]] = {"-": ("missing", "gone"), "+": ("added", "come"), " ": ("dim", "dim")}
        for line in inside(before, after, full=self._view.full):
            whole, changed = styles[line.mark]
            yield [
                Span(f"{self._indent}{line.mark} ", whole),
                *(Span(run.text, changed if run.changed else whole) for run in line.runs),
            ]


def _part(side: Any) -> Saying | None:
    """A whole part of a message that stands on one side."""
    return next(sayings({"type": "", "parts": [side]})) if isinstance(side, dict) else None


def _tells(changes: Sequence[Change]) -> bool:
    """Whether a text differs that a person reads."""
    for change in changes:
        one, two, name = change.before, change.after, change.path.rpartition(".")[2]
        if not isinstance(one, str) or not isinstance(two, str) or name in _SECRETIVE:
            continue
        if name == "text" or "\n" in one + two or max(len(one), len(two)) > _INLINE:
            return True
    return False


def _characters(text: Any) -> str:
    return f"{len(text):,} characters" if isinstance(text, str) else "none"
