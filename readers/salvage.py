"""Cuts a session that is one JSON document which the decoder refuses: one that is odd, damaged or torn.

Where something cannot be read the next whole element of the array is looked for. Objects that stand deeper in the
broken element may look like elements, so what follows one has to say that it is none of these: behind the last
element the array closes, and then the document has to end where this array stands in it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

__all__ = ["Arrays", "Found", "Salvage"]

Arrays: TypeAlias = Mapping[str, frozenset[str]]

_MOST_AGAIN = 16
"""How many times its length may be gone through in a damaged document to find what is whole in it."""
_LEAST = 1 << 24
_TRY = 1 << 8
_DEEP = 1 << 14
"""What it costs to find that something is nested too deep."""
_BLANKS = " \t\r\n\0"
_SPACE = re.compile(r"[\s\0]*")
_NEXT = re.compile(r'\{\s*"')
_OPENED = re.compile(r'\{\s*"?\s*\Z')
_NO_ELEMENT = re.compile(r'[^"{]*')
_NAMED = re.compile(r'[\s,{]"(\w+)"\s*:\s*\[\s*\Z')
_NEAR = 256
_ALIKE = 8
"""Elements that are looked at for the keys that all have."""
# Numbers are not needed, and one of many digits takes long, or is refused.
_decoder = json.JSONDecoder(strict=False, parse_int=str, parse_float=str)


class Found(NamedTuple):
    """An array of elements."""

    name: str
    document: int
    """Which of the documents behind one another it stands in."""
    places: list[tuple[int, int]]


class _Run(NamedTuple):
    """Values behind one another with commas between them."""

    places: list[tuple[int, int]]
    end: int
    """Up to here there is nothing else that could be an element, if this is none."""
    ends_it: bool | None
    """Whether the array that closes behind it is the one in question; None: nothing tells."""


class _Begun(NamedTuple):
    """An array of elements behind damage."""

    name: str
    at: int
    """From where it is to be read on."""
    places: list[tuple[int, int]]
    """What was found of it before that."""


class Salvage:
    """What there is in a document; a byte of it is one character here, so that places in the text are its places."""

    def __init__(self, text: str, arrays: Arrays, start: int, end: int) -> None:
        self.facts: dict[str, tuple[int, int]] = {}
        """Where its members stand that are no arrays of elements."""
        self.found: list[Found] = []
        self.damaged = False
        self._text, self._arrays = text, arrays
        self._documents = 0
        self._stopped = 0
        """Where the last value broke off that is none."""
        self._left = _MOST_AGAIN * len(text) + _LEAST
        self._shared: dict[str, frozenset[str]] = {}
        """Keys that all whole elements of an array had."""
        self._document(start, end)

    def arrays(self) -> list[Found]:
        """The arrays that count, in order: of those of one name the last one, which is what a decoder takes.

        Where whole documents stand behind one another, those of the document that has most.
        """
        chosen: dict[str, int] = {}
        for number, array in enumerate(self.found):
            before = self.found[chosen.get(array.name, number)]
            if before.document == array.document or len(array.places) >= len(before.places):
                chosen[array.name] = number
        return [self.found[number] for number in sorted(chosen.values())]

    def _document(self, start: int, end: int) -> None:
        at: int | None = start
        while at is not None and at < end:
            first = self._text[at]
            self._documents += 1
            if first == "[" and "" in self._arrays:
                at = self._array("", at + 1)
                break
            if first != "{":
                break
            at = self._members("", at + 1)
        if at is not None and at < end and not any(array.places for array in self.found):
            # It closed too early.
            self._resume("", at)
        if self._documents != 1 or at is None or at < end:
            self.damaged = True

    def _space(self, at: int) -> int:
        found = _SPACE.match(self._text, at)
        if found is None:
            return at
        if found.group().strip(" \t\r\n"):
            # A hole, in which something may have stood.
            self.damaged = True
        return found.end()

    def _is(self, character: str, at: int) -> bool:
        return self._text.startswith(character, at)

    def _value(self, at: int) -> tuple[object, int] | None:
        try:
            return _decoder.raw_decode(self._text, at)
        except json.JSONDecodeError as problem:
            self._stopped = max(problem.pos, at)
            # For its message it counts the lines up to there, which is quick, but not for nothing.
            self._left -= self._stopped - at + (self._stopped >> 6) + _TRY
        except RecursionError:
            self._stopped = at
            self._left -= _DEEP
        return None

    def _members(self, prefix: str, at: int) -> int | None:
        """The members of an object that begins before `at`; where it ends, None when that cannot be told."""
        first = True
        while True:
            at, first = self._separated(at, first=first), False
            if self._is("}", at):
                return at + 1
            name, value = self._named(at)
            if value is None:
                return self._resume(prefix, at)
            ended = self._member(f"{prefix}.{name}" if prefix else name, value)
            if ended is None:
                return self._resume(prefix, at)
            at = ended

    def _named(self, at: int) -> tuple[str, int | None]:
        """The name of a member, and where its value begins."""
        name = self._value(at) if self._is('"', at) else None
        if name is None:
            return "", None
        at = self._space(name[1])
        return str(name[0]), self._space(at + 1) if self._is(":", at) else None

    def _separated(self, at: int, *, first: bool) -> int:
        """Where the next member or element begins, or the closing bracket stands."""
        at = self._space(at)
        comma = self._is(",", at)
        at = self._space(at + 1) if comma else at
        closed = self._text[at : at + 1] in ("]", "}")
        if comma if first or closed else not comma:
            self.damaged = True
        return at

    def _member(self, name: str, at: int) -> int | None:
        if name in self._arrays and self._is("[", at):
            return self._array(name, at + 1)
        if self._is("{", at) and any(each.startswith(f"{name}.") for each in self._arrays):
            return self._members(name, at + 1)
        value = self._value(at)
        if value is None:
            return None
        self.facts[name] = at, value[1]
        return value[1]

    def _resume(self, prefix: str, at: int) -> int | None:
        """Behind damage only the arrays of elements are looked for."""
        self.damaged = True
        # What an element holds that took in the rest is no array of the document.
        at = max([at, *(array.places[-1][1] for array in self.found if array.places)])
        wanted = self._wanted(prefix)
        found = self._named_array(wanted, at)
        found = self._nameless_array(wanted, at, found) or found
        if found is None:
            return None
        name = found.name
        ended = self._array(name, found.at, found.places)
        while ended is not None and name != prefix:
            name = name.rpartition(".")[0]
            ended = self._members(name, ended)
        return ended

    def _wanted(self, prefix: str) -> list[str]:
        """The arrays below this member of which nothing was found."""
        had = {array.name for array in self.found if array.document == self._documents and array.places}
        return [
            name
            for name in self._arrays
            if name and name not in had and name.startswith(f"{prefix}." if prefix else "")
        ]

    def _named_array(self, wanted: list[str], at: int) -> _Begun | None:
        """The next array with the name of one: if there is one that stands where this does, else one that might."""
        names = {name.rpartition(".")[2]: name for name in wanted}
        pattern = re.compile(rf'(?<!\\)"({"|".join(map(re.escape, names))})"\s*:\s*\[')
        perhaps: _Begun | None = None
        while names and self._left > 0:
            found = pattern.search(self._text, at)
            if found is None:
                break
            at = found.end()
            begun = _Begun(names[found[1]], at, [])
            run = self._run(self._blank(at), _depth(begun.name))
            if run.ends_it:
                return begun
            if run.ends_it is None and perhaps is None:
                perhaps = begun
            at = max(at, run.end)
        return perhaps

    def _nameless_array(self, wanted: list[str], at: int, found: _Begun | None) -> _Begun | None:
        """One whose name or beginning is what is damaged, before the one found."""
        for name in wanted:
            if found is None or found.name != name:
                places = self._next(name, at, at, until=len(self._text) if found is None else found.at)
                if places is not None:
                    return _Begun(name, places[-1][1], places)
        return None

    def _array(self, name: str, at: int, begun: Sequence[tuple[int, int]] = ()) -> int | None:
        """The elements of an array that begins before `at`, or of which some stand there; where it ends."""
        found = Found(name, self._documents, [*begun])
        self.found.append(found)
        margin = "" if begun else self._text[at : self._blank(at)]
        margin = margin[margin.rfind("\n") :] if "\n" in margin else ""
        first = not begun
        while True:
            behind, at = at, self._separated(at, first=first)
            comma, first = first or "," in self._text[behind:at], False
            closed = self._is("]", at)
            if closed and self._text[self._blank(at + 1) : self._blank(at + 1) + 1] in ("", ",", "}", "]"):
                if self._is_false_end(name, at, found.places, margin):
                    at = found.places[-1][1]
                    continue
                return at + 1
            self._stopped = at
            end = None if closed or at >= len(self._text) else self._element(name, at, comma=comma)
            if end is not None:
                found.places.append((at, end))
                at = end
                continue
            self.damaged = True
            after = self._next(name, at, self._stopped, margin)
            if after is None:
                # Behind a comma it was no end, but the beginning of an element.
                return at + 1 if closed and not (comma and found.places) else None
            found.places.extend(after)
            at = after[-1][1]

    def _is_false_end(self, name: str, at: int, places: list[tuple[int, int]], margin: str) -> bool:
        """Whether the array that closes here goes on; what stands behind that is added.

        An element that lost a bracket which opens, with the quotes around it, may be one all the same. What then
        closes the array is of that element, and so is what closes the document: it cannot end there.
        """
        if not places or self._left <= 0:
            return False
        end, ends_it = self._closing(at + 1, _depth(name))
        self._left -= end - at
        after = self._next(name, at, at, margin) if ends_it is False else None
        if after is None:
            return False
        self.damaged = True
        # It has other keys, or what stood in it does.
        alike = [*places[:1], *after[:_ALIKE]] if len(places) > 1 else after[:_ALIKE]
        common = frozenset.intersection(*map(self._keys, alike))
        while places and not common <= self._keys(places[-1]):
            places.pop()
        places.extend(after)
        return True

    def _keys(self, place: tuple[int, int]) -> frozenset[str]:
        value = self._value(place[0])
        self._left -= place[1] - place[0]
        return frozenset(value[0]) if value is not None and isinstance(value[0], dict) else frozenset()

    def _element(self, name: str, at: int, *, comma: bool) -> int | None:
        """Where an element ends; None where there is none."""
        keys = self._arrays[name]
        if keys and not self._is("{", at) and (not comma or self._is("[", at)):
            return None
        value = self._value(at)
        if value is None:
            return None
        if isinstance(value[0], dict):
            known = self._shared.get(name)
            self._shared[name] = frozenset(value[0]) if known is None else known.intersection(value[0])
        elif keys and self._text[self._blank(value[1]) : self._blank(value[1]) + 1] not in ("", ",", "]"):
            # What looks like a value and is none: a bracket or comma was lost.
            self._stopped = at
            return None
        return value[1]

    def _next(
        self, name: str, at: int, stopped: int, margin: str = "", until: int | None = None
    ) -> list[tuple[int, int]] | None:
        """The next elements of this array behind damage that begins at `at` and is noticed at `stopped`.

        `until`: it is not known that the array has begun, but does before this place.
        """
        keys = self._arrays[name]
        # Whatever begins between the two and is whole stands in what is broken.
        search = self._opened(stopped, at)
        while self._left > 0:
            found = _NEXT.search(self._text, search, len(self._text) if until is None else until)
            if found is None:
                return None
            start = found.start()
            value = self._value(start)
            if value is None:
                search = max(self._opened(self._stopped, start), start + 1)
            elif not isinstance(value[0], dict) or keys.isdisjoint(value[0]):
                search = value[1]
            else:
                run = self._run(start, _depth(name))
                if until is not None:
                    places = run.places if run.ends_it and not self._is_named(name, start) else []
                else:
                    places = self._fitting(name, at, run, margin)
                if places:
                    return places
                search = max(run.end, value[1])
        return None

    def _is_named(self, name: str, start: int) -> bool:
        """Whether the array that begins before `start` has another name than this, which is not a damaged one."""
        found = _NAMED.search(self._text[max(0, start - _NEAR) : start])
        if found is None:
            return False
        inner = name.rpartition(".")[2]
        return len(found[1]) != len(inner) or sum(map(str.__ne__, found[1], inner)) > 1

    def _opened(self, stopped: int, at: int) -> int:
        """Where to look on from, behind a value that begins at `at` and broke off.

        A string that lost its end takes the next bracket with it, and ends where the first key begins.
        """
        near = max(at + 1, stopped - _NEAR)
        found = _OPENED.search(self._text[near:stopped])
        return near + found.start() if found is not None else max(at, stopped)

    def _fitting(self, name: str, at: int, run: _Run, margin: str) -> list[tuple[int, int]]:
        """What of a run are elements of this array, and does not stand deeper in what is broken at `at`."""
        start = run.places[0][0]
        separator = self._text[max(at, start - _NEAR) : start].rstrip(_BLANKS)[-1:]
        junk = _NO_ELEMENT.match(self._text, at, start)
        if run.ends_it is False:
            return []
        if junk is not None and junk.end() == start:
            # Nothing of an element stands between: what is broken is the separator.
            return run.places if run.ends_it or "[" not in junk[0] else []
        if separator in ("[", ":"):
            return []
        if run.ends_it:
            return run.places
        # The array is broken again or torn further on, so that only looks tell. The first may have lost what stands
        # before it.
        first = next((number for number in (0, 1) if self._looks(name, run.places[number:], margin)), None)
        return [] if first is None else run.places[first:]

    def _looks(self, name: str, places: list[tuple[int, int]], margin: str) -> bool:
        """Whether the first of these stands as elements of this array do, and has what they have."""
        value = self._value(places[0][0]) if places else None
        if value is None or not isinstance(value[0], dict):
            return False
        start, end = places[0]
        before = self._text[max(0, start - _NEAR) : start].rstrip(_BLANKS)
        ahead = before[:-1].rstrip(_BLANKS)[-1:]
        followed = self._text[self._blank(end) : self._blank(end) + 1] in (",", "]", "")
        shared = self._shared.get(name, frozenset())
        return (
            (len(places) > 1 or (before[-1:] == "," and (ahead == "}" or followed)))
            and self._text.endswith(margin, 0, start)
            and len(shared.intersection(value[0])) * 2 >= len(shared)
        )

    def _blank(self, at: int) -> int:
        found = _SPACE.match(self._text, at)
        return found.end() if found is not None else at

    def _run(self, at: int, depth: int) -> _Run:
        """What begins at `at` and, if an array closes behind it, whether it is one that stands at this depth."""
        places: list[tuple[int, int]] = []
        while not self._is("]", at):
            value = self._value(at)
            if value is None:
                return _Run(places, places[-1][1] if places else at, None)
            places.append((at, value[1]))
            at = self._blank(value[1])
            if self._is(",", at):
                at = self._blank(at + 1)
            elif not self._is("]", at):
                if len(places) > 1 and not isinstance(value[0], dict) and at < len(self._text):
                    # What looks like a value and is none.
                    places.pop()
                return _Run(places, places[-1][1], None)
        return _Run(places, *self._closing(at + 1, depth))

    def _closing(self, at: int, depth: int) -> tuple[int, bool | None]:
        """Behind an array: up to where all is in order, and whether the document ends there as it must."""
        while depth:
            at = self._blank(at)
            if self._is("}", at):
                depth, at = depth - 1, at + 1
                continue
            if not self._is(",", at):
                return at, False if self._is("]", at) else None
            begin = self._blank(at + 1)
            _, value = self._named(begin)
            if value is None:
                return at, False if self._text[begin : begin + 1] in ("{", "[") else None
            told = self._value(value)
            if told is None:
                return at, None
            at = told[1]
        rest = self._text[self._blank(at) : self._blank(at) + 1]
        # Another document may follow.
        return at, False if rest in (",", "]", "}") else True if rest in ("", "{", "[") else None


def _depth(name: str) -> int:
    """How many objects this array stands in."""
    return name.count(".") + 1 if name else 0
