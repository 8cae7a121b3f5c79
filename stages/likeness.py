"""Keys by which values are found again, and how much two values say alike."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator
from typing import Any

import msgspec

__all__ = ["equal", "frozen", "likeness", "texts", "words"]

_DEEPEST = 60
_MOST_WORDS, _LONGEST = 200, 4000
_ATOMS = frozenset({str, int, float, bool, type(None)})
# A run of ASCII letters is a word; where words are not set apart by spaces each letter counts as one.
_WORD = re.compile(r"[A-Za-z0-9_]+|\w")
_UNSAID = frozenset(
    "id parent time logged inherited_from agent_id response message_id request_id session_id call_id parts model "
    "provider stop_reason tokens signature data role status kind injected media_type first_kept leaf trigger "
    "parent_session_id forked_from billed_to files version agent details".split()
)
"""Fields of items and events that hold no text which somebody said; names inside of arguments are not looked at."""


def frozen(value: Any, skipped: frozenset[str] = frozenset(), depth: int = 0) -> Hashable:
    """A hashable value that equals another's only where the two values are equal, fields of these names left out.

    What is nested too deeply has a key that nothing else has.
    """
    if type(value) in _ATOMS:
        return value  # type: ignore[no-any-return]
    if depth > _DEEPEST:
        return ("deep", id(value))
    if isinstance(value, list | tuple):
        return ("[", *(frozen(each, skipped, depth + 1) for each in value))
    if isinstance(value, dict):
        return ("{", frozenset((name, frozen(each, frozenset(), depth + 1)) for name, each in value.items()))
    if isinstance(value, msgspec.Raw):
        return bytes(value)
    if not isinstance(value, msgspec.Struct):
        return ("?", repr(value))
    kept = (name for name in value.__struct_fields__ if name not in skipped)
    return (type(value).__name__, *(frozen(getattr(value, name), skipped, depth + 1) for name in kept))


def equal(before: Any, after: Any) -> bool:
    """Whether two values are equal, however deeply they are nested."""
    waiting = [(before, after)]
    while waiting:
        one, two = waiting.pop()
        if one is two:
            continue
        if isinstance(one, msgspec.Struct) and type(one) is type(two):
            waiting += [(getattr(one, name), getattr(two, name)) for name in one.__struct_fields__]
        elif isinstance(one, msgspec.Raw) and isinstance(two, msgspec.Raw):
            if bytes(one) != bytes(two):
                return False
        elif isinstance(one, dict) and isinstance(two, dict):
            if one.keys() != two.keys():
                return False
            waiting += [(one[name], two[name]) for name in one]
        elif isinstance(one, list | tuple) and isinstance(two, list | tuple):
            if len(one) != len(two):
                return False
            waiting += zip(one, two, strict=True)
        elif one != two:
            return False
    return True


def texts(value: Any) -> Iterator[str]:
    """Every text in a value that somebody said, in order."""
    waiting = [value]
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, msgspec.Raw):
            yield bytes(value).decode("utf-8", "replace")
        elif isinstance(value, dict):
            waiting += [part for pair in reversed(value.items()) for part in reversed(pair)]
        elif isinstance(value, list | tuple):
            waiting += reversed(value)
        elif isinstance(value, msgspec.Struct):
            said = [name for name in value.__struct_fields__ if name not in _UNSAID or _is_content(name, value)]
            waiting += [getattr(value, name) for name in reversed(said)]


def _is_content(name: str, value: msgspec.Struct) -> bool:
    """`parts` are ids in an event and what was said in an item; `data` of what nobody understood is all there is."""
    held = getattr(value, name)
    if name == "parts":
        return any(isinstance(part, msgspec.Struct) for part in held)
    return name == "data" and isinstance(held, msgspec.Raw)


def words(value: Any) -> frozenset[str]:
    """The first words of a value, by which `likeness` compares it."""
    found: set[str] = set()
    for text in texts(value):
        found.update(_WORD.findall(text[:_LONGEST]))
        if len(found) >= _MOST_WORDS:
            break
    return frozenset(found)


def likeness(one: frozenset[str], two: frozenset[str]) -> float:
    """The part of their words that two values share, from 0 to 1; 1 where neither has any."""
    return 2 * len(one & two) / (len(one) + len(two)) if one or two else 1.0
