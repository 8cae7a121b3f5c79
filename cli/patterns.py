"""Whether a pattern that somebody wrote may be let loose on a transcript."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from importlib import import_module
from typing import Any

__all__ = ["flaw"]


def flaw(pattern: str) -> str | None:
    """What is wrong with a redaction pattern, None when nothing is.

    It must compile, match something, and not be able to take exponential time. The last is judged by its form alone:
    a repeat inside a repeat is refused, also where it would do no harm; alternatives that begin alike are not noticed.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            compiled = re.compile(pattern, re.ASCII)
            # Only the parser sees through groups, classes and flags. It is not public, and as old as `re` itself.
            tree = import_module("re._parser").parse(pattern, re.ASCII)
    except (re.error, ValueError, OverflowError, RecursionError, Warning) as problem:
        return f"is no pattern: {problem}"
    if compiled.search("") or tree.getwidth()[0] == 0:
        return "matches the empty text"
    if _explodes(tree):
        return (
            "has a repeat inside a repeat, such as (a+)+, which can take for ever"
            " (make the inner one possessive, a++, or give it a fixed count)"
        )
    return None


def _explodes(tree: Any, *, repeated: bool = False) -> bool:
    for operation, value in tree:
        name = str(operation)
        if name in {"MAX_REPEAT", "MIN_REPEAT"}:
            least, most, body = value
            if repeated and most > 1 and least != most:
                return True
            if _explodes(body, repeated=repeated or most > 1):
                return True
            continue
        # Nothing tries another way through these once they have matched.
        closed = name in {"POSSESSIVE_REPEAT", "ATOMIC_GROUP", "ASSERT", "ASSERT_NOT"}
        if any(_explodes(part, repeated=repeated and not closed) for part in _parts(value, type(tree))):
            return True
    return False


def _parts(value: Any, kind: type) -> Iterator[Any]:
    """The patterns that an operation holds: the body of a group, the branches of a choice."""
    if isinstance(value, kind):
        yield value
    elif isinstance(value, tuple | list):
        for each in value:
            yield from _parts(each, kind)
