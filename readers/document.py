"""Sessions that are one JSON document: read whole, up to a size, and cut into records that joined are the document."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from panscript.readers.lines import open_bytes, reading
from panscript.schemas.errors import SourceUnreadable

__all__ = ["LIMIT", "load", "places", "spans", "split"]

LIMIT = 64 << 20
"""Bytes up to which a document is read, since all of it has to be held."""
_BETWEEN = re.compile(rb"[\s,]*")
_BEFORE = b"[,:"
"""What stands before a value."""
_NEAR = 4096


def load(path: str, limit: int = LIMIT) -> bytes:
    """The document, unpacked. Raises `SourceError`s; one larger than `limit` bytes is `SourceUnreadable`."""
    with open_bytes(path) as file, reading(path):
        data = file.read(limit + 1)
    if len(data) > limit:
        raise SourceUnreadable(f"the document is larger than {limit / (1 << 20):g} MiB", path=path)
    return data


def spans(data: bytes, found: Iterable[tuple[int, int]]) -> Iterator[tuple[bytes, int | None]]:
    """Cut a document at places: the elements with their index and, with None, what stands before, between and behind.

    The raws joined are the document.
    """
    for start, end, index in split(data, found):
        yield data[start:end], index


def split(data: bytes, found: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int, int | None]]:
    """The same without the bytes: where each span begins and ends."""
    done = 0
    for index, (start, end) in enumerate(found):
        if start > done:
            yield done, start, None
        yield start, end, index
        done = end
    if done < len(data):
        yield done, len(data), None


def places(data: bytes, elements: Sequence[msgspec.Raw]) -> Iterator[tuple[int, int]]:
    """Where the elements of one array begin and end, in a document that the decoder has taken as a whole.

    Only there they can be looked for: nothing but separators stands between them. In a damaged one, where they stand
    is known to who has found them.
    """
    done = 0
    for element in elements:
        text = bytes(element)
        start = _find(data, text, done)
        done = start + len(text)
        yield start, done


def _find(data: bytes, text: bytes, start: int) -> int:
    """Where an element begins: mostly right behind the one before, else where a value may stand."""
    between = _BETWEEN.match(data, start)
    near = between.end() if between is not None else start
    if start and data.startswith(text, near):
        return near
    first = found = data.find(text, start)
    while found >= 0:
        before = data[max(0, found - _NEAR) : found].rstrip()
        if not before or before[-1] in _BEFORE:
            return found
        found = data.find(text, found + 1)
    return first
