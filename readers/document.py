"""Sessions that are one JSON document: read whole, up to a size, and cut into records that joined are the document."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import msgspec

from panscript.readers.lines import open_bytes, reading
from panscript.schemas.errors import SourceUnreadable

__all__ = ["LIMIT", "load", "places", "spans"]

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


def spans(data: bytes, elements: Sequence[msgspec.Raw | bytes | memoryview]) -> Iterator[tuple[bytes, int | None]]:
    """Cut a document: the elements with their index and, with None, what stands before, between and behind them.

    The elements are pieces of the document as they stand in it, in its order; the raws joined are the document. One
    that cannot be found gives no span.
    """
    for start, end, index in places(data, elements):
        yield data[start:end], index


def places(data: bytes, elements: Sequence[msgspec.Raw | bytes | memoryview]) -> Iterator[tuple[int, int, int | None]]:
    """The same without the bytes: where each span begins and ends."""
    done = 0
    for index, element in enumerate(elements):
        text = bytes(element)
        start = _find(data, text, done)
        if start < 0 or not text:
            continue
        if start > done:
            yield done, start, None
        done = start + len(text)
        yield start, done, index
    if done < len(data):
        yield done, len(data), None


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
