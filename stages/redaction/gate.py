"""The gate: one pass of a multi-pattern automaton over bytes that says which rules deserve a closer look.

Hyperscan compiles all anchors into one automaton (measured: 3 to 5 times the speed of the next best engine). Where
its wheel is missing or the processor is too old for it, the same anchors run as one `re` alternation: the same
answers, slowly. The engine is imported and compiled at first use.
"""

import re
from collections.abc import Callable, Sequence
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


def scanner(anchors: tuple[str, ...]) -> Scan:
    """A scan over `anchors` with scratch space of its own (not to be shared by threads)."""
    database = _database(anchors)
    return _alternation(anchors) if database is None else _automaton(database)


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


def _alternation(anchors: Sequence[str]) -> Scan:
    sources = [anchor.encode("latin-1") for anchor in anchors]
    any_of = re.compile(b"|".join(b"(?:%s)" % source for source in sources))
    each = [re.compile(source) for source in sources]

    def fired(data: bytes) -> list[int]:
        if not any_of.search(data):
            return []
        return [number for number, pattern in enumerate(each) if pattern.search(data)]

    return fired
