"""What differs inside of two things that correspond: which of their fields, and what stands there on each side."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from panscript.stages.alignment import Pair, align, align_similar, gaps
from panscript.stages.likeness import equal, frozen, likeness, words

__all__ = ["Change", "field_changes", "parts_in_common", "plain", "type_name"]

_DEEPEST = 60
_ALIKE, _HARDLY = 1.0, 0.01

Agree = Callable[[str, Any, Any], bool]
"""Whether numbers that each side counts by itself (the field's name, the two numbers) mean the same thing."""


class Change(msgspec.Struct, frozen=True):
    """A field that differs. A side that does not have the field is UNSET, and left out of JSON."""

    path: str
    """Names and places from 0, joined by dots: `parts.0.text`. Places are those of A, or of B in what only B has."""
    before: Any | UnsetType = UNSET
    """Plain data, as `plain` gives it."""
    after: Any | UnsetType = UNSET


def field_changes(before: msgspec.Struct, after: msgspec.Struct, agree: Agree | None = None) -> tuple[Change, ...]:
    """The fields in which two structs of one type differ, in their order."""
    return tuple(_walk(before, after, (), agree))


def _walk(before: Any, after: Any, path: tuple[str, ...], agree: Agree | None) -> Iterator[Change]:
    if isinstance(before, msgspec.Struct) and type(before) is type(after):
        for name in before.__struct_fields__:
            one, two = getattr(before, name), getattr(after, name)
            if agree is not None and name in ("call", "first_kept"):
                if not agree(name, one, two):
                    yield Change(".".join((*path, name)), one, two)
            elif isinstance(one, msgspec.Raw) and isinstance(two, msgspec.Raw):
                yield from _raw(one, two, (*path, name))
            else:
                yield from _walk(one, two, (*path, name), agree)
    elif len(path) > _DEEPEST or _kind(before) is not _kind(after) or not isinstance(before, list | tuple | dict):
        if not equal(before, after):
            yield Change(".".join(path), plain(before), plain(after))
    elif isinstance(before, dict):
        for name in dict.fromkeys((*before, *after)):
            if name in before and name in after:
                yield from _walk(before[name], after[name], (*path, str(name)), agree)
            else:
                yield _one_sided(before.get(name, UNSET), after.get(name, UNSET), (*path, str(name)))
    else:
        yield from _places(before, after, path, agree)


def _places(
    before: Sequence[Any], after: Sequence[Any], path: tuple[str, ...], agree: Agree | None
) -> Iterator[Change]:
    pairs = parts_in_common(before, after)
    for start, end, begin, finish in (*gaps(pairs, len(before), len(after)), (0, 0, 0, 0)):
        for place in range(start, end):
            yield _one_sided(before[place], UNSET, (*path, str(place)))
        for place in range(begin, finish):
            yield _one_sided(UNSET, after[place], (*path, str(place)))
    for one, two in pairs:
        yield from _walk(before[one], after[two], (*path, str(one)), agree)


def parts_in_common(before: Sequence[Any], after: Sequence[Any]) -> list[Pair]:
    """Which elements correspond: equal ones, then those of one type that are the most alike."""
    if len(before) == len(after) == 1 and _kind(before[0]) is _kind(after[0]):
        return [(0, 0)]
    # What numbers a call on its side says nothing of which call it is.
    numbers = frozenset({"call"})
    found = align([frozen(each, numbers) for each in before], [frozen(each, numbers) for each in after])
    pairs = list(found)
    for start, end, begin, finish in gaps(found, len(before), len(after)):
        first = [(_kind(each), words(each)) for each in before[start:end]]
        second = [(_kind(each), words(each)) for each in after[begin:finish]]

        def alike(one: int, two: int, first: Any = first, second: Any = second) -> float:
            if first[one][0] is not second[two][0]:
                return 0.0
            return _HARDLY + likeness(first[one][1], second[two][1]) * _ALIKE

        inside = align_similar(len(first), len(second), alike)
        pairs += [(start + one, begin + two) for one, two in inside]
    return sorted(pairs)


def _raw(before: msgspec.Raw, after: msgspec.Raw, path: tuple[str, ...]) -> Iterator[Change]:
    """JSON as it was logged: what differs in it, or the whole where only the spelling does."""
    if bytes(before) == bytes(after):
        return
    found = list(_walk(plain(before), plain(after), path, None))
    yield from found or [Change(".".join(path), _text(before), _text(after))]


def _one_sided(before: Any, after: Any, path: tuple[str, ...]) -> Change:
    return Change(".".join(path), plain(before), plain(after))


def _kind(value: Any) -> type:
    return tuple if isinstance(value, list) else type(value)


def plain(value: Any) -> Any:
    """Plain data: a struct is an object with its `type`, all its fields said; JSON as logged is parsed."""
    if isinstance(value, list | tuple):
        return [plain(each) if isinstance(each, msgspec.Struct) else each for each in value]
    if isinstance(value, msgspec.Raw):
        try:
            return msgspec.json.decode(value) if bytes(value) else None
        except (msgspec.MsgspecError, UnicodeError, RecursionError):
            return _text(value)
    if not isinstance(value, msgspec.Struct):
        return value
    fields = {name: plain(getattr(value, name)) for name in value.__struct_fields__}
    name = type_name(value)
    return {"type": name, **fields} if name else fields


def type_name(value: msgspec.Struct) -> str | None:
    """What a struct is called in plain data: `said`, `command_run`, `tool_call`; None where its place says it."""
    tag = value.__struct_config__.tag
    if isinstance(tag, str):
        return tag
    name = type(value).__name__
    if name in ("Tokens", "SourceFile"):
        return None
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("_")


def _text(raw: msgspec.Raw) -> str:
    return bytes(raw).decode("utf-8", "replace")
