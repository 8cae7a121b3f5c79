"""The gate: one pass of a multi-pattern automaton over bytes that says which rules deserve a closer look.

Hyperscan compiles all anchors into one automaton (measured: several times the speed of the next best engine). Where
its wheel is missing or the processor is too old for it, `re` runs the anchors one by one behind a search for the
letters each of them needs: the same answers, slowly. The engine is imported and compiled at first use.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import hyperscan

__all__ = ["Scan", "scanner"]

# Bytes in, numbers of the anchors that fired out (each at most once, in any order); empty = none.
Scan = Callable[[bytes], list[int]]

# An automaton takes an unbounded repeat in its stride where a bounded one costs it a state a step. `re` is the
# other way round: the bounds keep it from quadratic time.
_BOUNDED = re.compile(r"\{([01]),[0-9]{2,}\}")


_ATOM = re.compile(r"\\x..|\\.|\[\^?\]?(?:[^\\\]]|\\.)*\]|.", re.DOTALL)
_QUANTIFIER = re.compile(r"(?:[?*+]|\{[0-9,]+\})?[?+]?")
_LITERAL = re.compile(r"\\?([^\\()\[\].^$?*+|A-Za-z0-9])|([A-Za-z0-9])|\\([.^$?*+|()\[\]{}\\])")
_GROUP_HEAD = re.compile(r"\((?:\?[a-z]*:|)")


def scanner(anchors: tuple[str, ...]) -> Scan:
    """A scan over `anchors` with scratch space of its own (not to be shared by threads)."""
    database = _database(anchors)
    return _one_by_one(anchors) if database is None else _automaton(database)


@lru_cache(maxsize=8)
def _database(anchors: tuple[str, ...]) -> "hyperscan.Database | None":
    """The compiled automaton, None where the engine cannot run."""
    try:
        import hyperscan
    except ImportError:
        return None
    expressions = [_BOUNDED.sub(lambda match: "*" if match[1] == "0" else "+", anchor) for anchor in anchors]
    database = hyperscan.Database(mode=hyperscan.HS_MODE_BLOCK)
    try:
        database.compile(
            expressions=[expression.encode("latin-1") for expression in expressions],
            ids=list(range(len(anchors))),
            elements=len(anchors),
            flags=hyperscan.HS_FLAG_SINGLEMATCH,
        )
    except hyperscan.error:
        return None
    return database


def _automaton(database: "hyperscan.Database") -> Scan:
    scan = database.scan
    scratch = database.scratch.clone()

    def fired(data: bytes) -> list[int]:
        found: list[int] = []
        scan(data, _collect, 0, found, scratch)
        return found

    return fired


def _collect(anchor: int, _start: int, _end: int, _flags: int, found: Any) -> None:
    found.append(anchor)


@lru_cache(maxsize=8)
def _one_by_one(anchors: tuple[str, ...]) -> Scan:
    patterns = [re.compile(anchor.encode("latin-1")) for anchor in anchors]
    needed = [needed_literals(anchor) for anchor in anchors]
    literals = sorted(set().union(*needed))

    def fired(data: bytes) -> list[int]:
        lower = data.lower()
        present = {literal for literal in literals if literal in lower}
        return [
            number
            for number, pattern in enumerate(patterns)
            if (not needed[number] or not present.isdisjoint(needed[number])) and pattern.search(data)
        ]

    return fired


def needed_literals(anchor: str) -> frozenset[bytes]:
    """Strings in small letters one of which stands in whatever `anchor` matches, in any case; empty when unknown."""
    branches: list[list[tuple[str, str]]] = [[]]
    for unit, quantifier in _units(anchor):
        if unit == "|":
            branches.append([])
        else:
            branches[-1].append((unit, quantifier))
    needed = [_longest(branch) for branch in branches]
    return frozenset().union(*needed) if all(needed) else frozenset()


def _longest(branch: Sequence[tuple[str, str]]) -> frozenset[bytes]:
    """Of all that a sequence of units needs: the longest and fewest."""
    found: list[frozenset[bytes]] = [frozenset()]
    run = ""
    for unit, quantifier in [*branch, ("", "")]:
        optional = quantifier[:1] in {"?", "*"} or quantifier.startswith("{0")
        literal = _LITERAL.fullmatch(unit)
        if literal and not optional:
            run += literal[literal.lastindex or 0]
        if unit.startswith("(") and not optional:
            found.append(needed_literals(_GROUP_HEAD.sub("", unit, count=1)[:-1]))
        if run and (not literal or quantifier):
            found.append(frozenset({run.lower().encode("latin-1")}))
            run = ""
    return max(found, key=lambda each: (min(map(len, each), default=0), -len(each)))


def _units(pattern: str) -> Iterator[tuple[str, str]]:
    """The units of a pattern (a character, an escape, a class, a whole group), each with its quantifier."""
    at = 0
    while at < len(pattern):
        end = at
        depth = 0
        while True:
            atom = _ATOM.match(pattern, end)
            assert atom
            depth += {"(": 1, ")": -1}.get(atom[0], 0)
            end = atom.end()
            if not depth:
                break
        quantifier = _QUANTIFIER.match(pattern, end)
        assert quantifier
        yield pattern[at:end], quantifier[0]
        at = quantifier.end()
