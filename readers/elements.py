"""A session that is one JSON document, taken apart into the elements of its arrays, also where the document is damaged.

A document that is whole is cut by the decoder. One that holds what the decoder refuses and agents write (half of a
surrogate pair, NaN, control characters) is cut by a slower one, and is whole all the same. In one that is torn, or
broken in the middle, everything that is still a complete element is found: one bad element costs that element, a torn
end what stands in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple, TypeVar

import msgspec

from panscript.readers.document import split
from panscript.readers.rawjson import PADDING
from panscript.readers.salvage import Arrays, Salvage
from panscript.readers.tolerant import recover, repaired
from panscript.schemas.report import FileReport

__all__ = ["NO_MESSAGES", "Arrays", "Document", "Piece", "cut", "decoded", "pieces", "warn_of"]

Row = TypeVar("Row", bound=msgspec.Struct)

NO_MESSAGES = "invalid_messages_array"
"""Code of a document whose messages are no array."""
_GAP = re.compile(rb"[\s,]*")
_NAME = re.compile(rb'[\s,]*"(?:[^"\\]|\\.)*"\s*:\s*')
_CLOSED = re.compile(rb"\s*\}")
_members = msgspec.json.Decoder(dict[str, msgspec.Raw])
_items = msgspec.json.Decoder(list[msgspec.Raw])
_any = msgspec.json.Decoder(msgspec.Raw)


class Document(msgspec.Struct):
    """A document in pieces."""

    facts: dict[str, bytes] = {}
    """Its members that are no arrays of elements, by name; mended where they had to be."""
    arrays: set[str] = set()
    """Of the members that should be arrays of elements those that are."""
    elements: list[tuple[str, memoryview]] = []
    """Array and element, as it stands in the document, in its order. The array that is the document itself is called
    ""."""
    places: list[tuple[int, int]] = []
    """Where each element begins and ends."""
    damaged: bool = False
    """Something in it could not be read."""
    notes: list[str] = []
    """Codes of what was mended in its members."""

    def is_no_array(self, name: str) -> bool:
        """Whether it is whole, and what should be this array of elements is missing or something else."""
        return not self.damaged and name not in self.arrays

    def account(self, report: FileReport | None) -> None:
        """Count what was mended in its members."""
        if report is not None:
            for note in self.notes:
                report.change(note)


def cut(data: bytes, arrays: Arrays) -> Document:
    """Take a document apart. Never raises.

    `arrays` names the members that are arrays of elements ("" is the document itself, `a.b` the member b of a), and for
    each some keys of which every element has one.
    """
    start, end = len(data) - len(data.lstrip(PADDING)), len(data.rstrip(PADDING))
    try:
        found = Document()
        # Views, so that documents are not held more than once.
        _Whole(data, arrays, found).take(memoryview(data)[start:end], start, "")
        return found
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return _salvaged(data, arrays, start, end)


class _Whole:
    """Cuts a document that is whole."""

    def __init__(self, data: bytes, arrays: Arrays, found: Document) -> None:
        self._data, self._arrays, self._found = data, arrays, found

    def take(self, text: memoryview, at: int, name: str) -> None:
        """Sort a value that stands at this place."""
        first, arrays = bytes(text[:1]), self._arrays
        if name in arrays and first == b"[":
            self._array(text, at + 1, name)
        elif first == b"{" and (not name or any(each.startswith(f"{name}.") for each in arrays)):
            self._object(text, at + 1, f"{name}." if name else "")
        elif name:
            self._found.facts[name] = _fact(bytes(text), self._found, parsed=True)
        else:
            _items.decode(text)

    def _array(self, text: memoryview, at: int, name: str) -> None:
        found, view = self._found, memoryview(self._data)
        found.arrays.add(name)
        for item in _items.decode(text):
            start = _behind(_GAP, self._data, at)
            at = start + len(memoryview(item))
            found.elements.append((name, view[start:at]))
            found.places.append((start, at))

    def _object(self, text: memoryview, at: int, prefix: str) -> None:
        for member, value in _members.decode(text).items():
            at = _behind(_NAME, self._data, at)
            self.take(memoryview(value), at, prefix + member)
            at += len(memoryview(value))
        # Only the last of members of one name is among them, at the place of the first: then this is not the end.
        _behind(_CLOSED, self._data, at)


def _behind(pattern: re.Pattern[bytes], data: bytes, at: int) -> int:
    found = pattern.match(data, at)
    if found is None:
        raise msgspec.DecodeError("a member stands here twice")
    return found.end()


def _salvaged(data: bytes, arrays: Arrays, start: int, end: int) -> Document:
    salvage = Salvage(data.decode("latin-1"), arrays, start, end)
    document = Document(arrays={array.name for array in salvage.found}, damaged=salvage.damaged)
    for name, (begin, behind) in salvage.facts.items():
        document.facts[name] = _fact(data[begin:behind], document)
    view = memoryview(data)
    for array in salvage.arrays():
        document.elements.extend((array.name, view[begin:behind]) for begin, behind in array.places)
        document.places.extend(array.places)
    return document


def _fact(raw: bytes, found: Document, *, parsed: bool = False) -> bytes:
    """A member as any decoder takes it; `parsed`: the decoder has stepped over it, so only its bytes may be wrong."""
    try:
        if not raw.isascii():
            raw.decode()
        if not parsed:
            _any.decode(raw)
        return raw
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        pass
    mended = repaired(raw)
    if mended is None:
        return raw
    found.notes.extend(mended[1])
    return mended[0]


class Piece(NamedTuple):
    """A stretch of a document."""

    document: bytes
    offset: int
    end: int
    line: int
    """From 1."""
    element: int | None
    """Number of the element that this is; None for what stands between elements."""
    array: str | None
    """The array it belongs to, also between two of its elements."""
    broken: bool
    """Something stands between two elements that is no separator."""

    @property
    def raw(self) -> bytes:
        """Its bytes, copied out of the document."""
        return self.document[self.offset : self.end]

    @property
    def view(self) -> memoryview:
        """The same, not copied: what is decoded from it and kept holds the document, and no copy of the element."""
        return memoryview(self.document)[self.offset : self.end]


def pieces(data: bytes, document: Document) -> Iterator[Piece]:
    """The document from its first to its last byte: the pieces joined are the document."""
    line = 1
    before: str | None = None
    elements = document.elements
    found = list(split(data, document.places))
    told = False
    for place, (start, end, index) in enumerate(found):
        after = elements[found[place + 1][2] or 0][0] if place + 1 < len(found) else None
        array = elements[index][0] if index is not None else before if before == after else None
        between = index is None and array is not None
        broken = between and bool(data[start:end].strip(b", \t\r\n"))
        told = told or broken
        if document.damaged and not told and index is None and place == len(found) - 1:
            broken = True
        yield Piece(data, start, end, line, index, array, broken)
        line += data.count(b"\n", start, end)
        before = array if index is not None else before
    if document.damaged and not told and found and found[-1][2] is not None:
        # Torn right behind an element: nothing is left that could be said to be broken.
        yield Piece(data, len(data), len(data), line, None, None, broken=True)


def decoded(
    raw: bytes | memoryview, decoder: msgspec.json.Decoder[Row], report: FileReport | None, line: int
) -> Row | None:
    """An element as its struct; None when it is none, which the report is told, as of all that was mended in it."""
    try:
        return decoder.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        pass
    found = recover(bytes(raw), decoder, bool)
    if report is not None:
        for note in found.notes:
            report.change(note)
        if not found.rows:
            report.skip_line(found.skip or "not_an_object", line)
    return found.rows[0] if found.rows else None


def warn_of(code: str, report: FileReport) -> None:
    """Say what became of a document whose messages cannot be read, so that it does not pass for an empty one."""
    if code == NO_MESSAGES:
        report.warn("partly_read", "what should be the messages is no array; none of them was read")
