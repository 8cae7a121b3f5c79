"""A session that is one JSON document, taken apart into the elements of its arrays, also where the document is damaged.

A document that is whole is cut by the decoder. One that holds what the decoder refuses and agents write (half of a
surrogate pair, NaN, control characters) is cut by a slower one, and is whole all the same. In one that is torn, or
broken in the middle, everything that is still a complete element is found: one bad element costs that element, a torn
end what stands in it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple, TypeAlias, TypeVar

import msgspec

from panscript.readers.document import places
from panscript.readers.tolerant import recover, repaired
from panscript.schemas.report import FileReport

__all__ = ["NO_MESSAGES", "Arrays", "Document", "Piece", "cut", "decoded", "pieces", "warn_of"]

Arrays: TypeAlias = Mapping[str, frozenset[str]]
Row = TypeVar("Row", bound=msgspec.Struct)

NO_MESSAGES = "invalid_messages_array"
"""Code of a document whose messages are no array."""
_MOST_TRIES = 256
"""Places in a damaged document at which a complete element is looked for."""
_PADDING = b"\0\xef\xbb\xbf \t\r\n"
_SPACE = re.compile(r"[\s\0]*")
_NEXT = re.compile(r'\{\s*"')
_decoder = json.JSONDecoder(strict=False)
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
    start, end = len(data) - len(data.lstrip(_PADDING)), len(data.rstrip(_PADDING))
    try:
        found = Document()
        # Views, so that documents are not held more than once.
        _whole(memoryview(data)[start:end], "", arrays, found)
        return found
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        # Every byte is one character here, so that places in the text are places in the document.
        return _Slow(data.decode("latin-1"), data, arrays).document()


def _whole(text: memoryview, name: str, arrays: Arrays, found: Document) -> None:
    first = bytes(text[:1])
    if name in arrays and first == b"[":
        found.arrays.add(name)
        found.elements.extend((name, memoryview(item)) for item in _items.decode(text))
    elif first == b"{" and (not name or any(each.startswith(f"{name}.") for each in arrays)):
        for member, value in _members.decode(text).items():
            _whole(memoryview(value), f"{name}.{member}" if name else member, arrays, found)
    elif name:
        found.facts[name] = _fact(bytes(text), found, parsed=True)
    else:
        _items.decode(text)


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


class _Slow:
    """Cuts what the decoder refuses; whether that is damaged, and not only odd, is seen on the way."""

    def __init__(self, text: str, data: bytes, arrays: Arrays) -> None:
        self._text, self._data, self._arrays = text, data, arrays
        self._found = Document()
        self._tries = 0

    def document(self) -> Document:
        at: int | None = len(self._data) - len(self._data.lstrip(_PADDING))
        end = len(self._data.rstrip(_PADDING))
        documents = 0
        while at is not None and at < end:
            first = self._text[at]
            documents += 1
            if first == "[" and "" in self._arrays:
                at = self._array("", at + 1)
                break
            if first != "{":
                break
            at = self._members("", at + 1)
        if documents != 1 or at is None or at < end:
            self._found.damaged = True
        return self._found

    def _space(self, at: int) -> int:
        found = _SPACE.match(self._text, at)
        if found is None:
            return at
        if found.group().strip(" \t\r\n"):
            # A hole, in which something may have stood.
            self._found.damaged = True
        return found.end()

    def _value(self, at: int) -> tuple[object, int] | None:
        try:
            return _decoder.raw_decode(self._text, at)
        except (ValueError, RecursionError):
            return None

    def _members(self, prefix: str, at: int) -> int | None:
        """The members of an object that begins before `at`; where it ends, None when that cannot be told."""
        first = True
        while True:
            at, first = self._separated(at, first=first), False
            if self._text[at : at + 1] == "}":
                return at + 1
            name = self._value(at) if self._text[at : at + 1] == '"' else None
            if name is None:
                return self._resume(prefix, at)
            at = self._space(name[1])
            if self._text[at : at + 1] != ":":
                return self._resume(prefix, at)
            at = self._space(at + 1)
            ended = self._member(f"{prefix}.{name[0]}" if prefix else str(name[0]), at)
            if ended is None:
                return self._resume(prefix, at)
            at = ended

    def _separated(self, at: int, *, first: bool) -> int:
        """Where the next member or element begins, or the closing bracket stands."""
        at = self._space(at)
        comma = self._text[at : at + 1] == ","
        at = self._space(at + 1) if comma else at
        closed = self._text[at : at + 1] in ("]", "}")
        if comma if first or closed else not comma:
            self._found.damaged = True
        return at

    def _member(self, name: str, at: int) -> int | None:
        first = self._text[at : at + 1]
        if name in self._arrays and first == "[":
            return self._array(name, at + 1)
        if first == "{" and any(each.startswith(f"{name}.") for each in self._arrays):
            return self._members(name, at + 1)
        value = self._value(at)
        if value is None:
            return None
        self._found.facts[name] = _fact(self._data[at : value[1]], self._found)
        return value[1]

    def _resume(self, prefix: str, at: int) -> int | None:
        """Behind damage only the arrays of elements are looked for."""
        self._found.damaged = True
        for name in self._arrays:
            if not name.startswith(f"{prefix}." if prefix else ""):
                continue
            inner = name.rpartition(".")[2]
            found = re.compile(rf'(?<!\\)"{re.escape(inner)}"\s*:\s*\[').search(self._text, at) if inner else None
            if found is not None and not any(each == name for each, _ in self._found.elements):
                ended = self._array(name, found.end())
                return None if ended is None else self._members(prefix, ended)
        return None

    def _array(self, name: str, at: int) -> int | None:
        """The elements of an array that begins before `at`; where it ends."""
        self._found.arrays.add(name)
        first = True
        while True:
            at, first = self._separated(at, first=first), False
            if self._text[at : at + 1] == "]":
                return at + 1
            value = self._value(at) if at < len(self._text) else None
            if value is None:
                self._found.damaged = True
                after = self._next(name, at)
                if after is None:
                    return None
                at = after
                continue
            self._found.elements.append((name, memoryview(self._data)[at : value[1]]))
            at = value[1]

    def _next(self, name: str, at: int) -> int | None:
        """Where the next element of this array begins behind damage: an object with one of the keys that tell it."""
        keys = self._arrays[name]
        while self._tries < _MOST_TRIES:
            self._tries += 1
            found = _NEXT.search(self._text, at + 1)
            if found is None:
                return None
            at = found.start()
            value = self._value(at)
            if value is not None and isinstance(value[0], dict) and not keys.isdisjoint(value[0]):
                return at
        return None


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
    found = list(places(data, [element for _, element in elements]))
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
