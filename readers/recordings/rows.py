"""The records of a conversation record: lines of the log, or spans of the one document of the older form.

Later versions of a message stand far behind the first; `Versions` fetches them from their place in the file.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any, BinaryIO, NamedTuple

import msgspec

from panscript.readers.document import load, places, spans
from panscript.readers.elements import NO_MESSAGES, cut
from panscript.readers.elements import Document as Pieces
from panscript.readers.jsonl import Parsed, rows
from panscript.readers.lines import head, is_packed, open_bytes, reading
from panscript.readers.tolerant import Recovered, recover
from panscript.schemas.recordings import Document, Line, document_decoder, line_decoder
from panscript.schemas.records import Source

__all__ = ["DamagedDocument", "Place", "Versions", "is_document", "is_record", "records"]

_ELEMENTS = re.compile(rb'"(?:messages|history)"\s*:\s*\[')
_ELEMENT = re.compile(rb'\{\s*"(?:id|role|type|timestamp)"\s*:')
_ARRAYS = {
    "": frozenset({"id", "role", "parts"}),
    "messages": frozenset({"id", "type", "timestamp"}),
    "history": frozenset({"role", "parts"}),
}
_MOST_GAPS = 1000
_json = json.JSONDecoder(strict=False)


class Place(NamedTuple):
    """Where a message stands."""

    file: int
    offset: int
    length: int
    turn: int = 0
    """Number of the record on a line that holds several."""
    item: int = -1
    """Number of the message in the list that the record carries; -1 where the record is the message itself."""


class DamagedDocument(Recovered[Line]):
    """A document of which some messages were given up."""


def is_record(value: dict[str, Any]) -> bool:
    """Whether an object found on a damaged line carries the envelope of a line."""
    if "id" in value:
        return "type" in value and ("content" in value or "timestamp" in value)
    return "$set" in value or "$rewindTo" in value or ("sessionId" in value and "projectHash" in value)


def is_document(path: str) -> bool:
    """Whether the file is one document, not lines."""
    first, _, more = head(path).lstrip(b"\xef\xbb\xbf \t\r\n\0").partition(b"\n")
    first = first.strip()
    if first.startswith(b"["):
        return True
    if first in (b"", b"{") or first.endswith((b",", b"[")):
        return bool(first)
    if not path.removesuffix(".zst").endswith(".json"):
        return False
    return not more.strip() or not (first.startswith(b"{") and first.endswith(b"}"))


def records(source: Source) -> Iterator[Parsed]:
    """Every record of the session's files in order. Raises only `SourceError`s."""
    for number, file in enumerate(source.transcripts):
        if is_document(file.path):
            yield from _document(number, file.path)
        else:
            for parsed in rows([file.path], line_decoder, is_record):
                yield parsed._replace(file=number)


def _document(number: int, path: str) -> Iterator[Parsed]:
    data = load(path)
    start, found = _header(data)
    trouble: Recovered[Line] | None = None
    mended: Recovered[Line] | None = None
    stands: Iterable[tuple[int, int]]
    if found is None:
        document = cut(data, _ARRAYS)
        if document.arrays and not document.damaged:
            start, mended = _mended(document)
            stands = document.places
        else:
            trouble = recover(data, line_decoder, is_record)
            if trouble.rows:
                if not document.damaged:
                    trouble.skip = NO_MESSAGES
                yield Parsed(number, data, 0, 1, trouble.rows[0], trouble)
                return
            start, stands = _torn(data)
    elif found.messages is None and found.history is None and found.session_id is not None:
        yield Parsed(number, data, 0, 1, start, DamagedDocument(skip=NO_MESSAGES))
        return
    else:
        stands = places(data, found.messages if found.messages is not None else found.history or [])
    offset, line = 0, 1
    for raw, index in spans(data, stands):
        row: Line | None = None
        note: Recovered[Line] | None = Recovered(blank=True)
        if index is not None:
            row, note = _element(raw)
        elif start is not None:
            row, note, start = start, mended, None
        if trouble is not None and offset + len(raw) == len(data):
            # The document as a whole is damaged: said once, where it ends.
            note = DamagedDocument(skip="json_parse_error", notes=note.notes if note is not None else [])
        yield Parsed(number, raw, offset, line, row, note)
        offset += len(raw)
        line += raw.count(b"\n")


def _mended(document: Pieces) -> tuple[Line, Recovered[Line] | None]:
    """What a document says of itself that is whole, but that the decoder refuses; what was changed to read it."""
    members = (msgspec.json.encode(name) + b":" + raw for name, raw in document.facts.items() if name not in _ARRAYS)
    found = recover(b"{" + b",".join(members) + b"}", line_decoder, is_record)
    notes = document.notes + found.notes
    return (found.rows[0] if found.rows else Line()), Recovered(notes=notes) if notes else None


def _header(data: bytes) -> tuple[Line | None, Document | None]:
    """What the document says of itself, and its elements; nothing where it is no plain JSON."""
    try:
        if data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"["):
            return Line(), Document(history=msgspec.json.decode(data, type=list[msgspec.Raw]))
        found = document_decoder.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None, None
    return _stated(found), found


def _stated(found: Document) -> Line:
    return Line(
        session_id=found.session_id,
        project_hash=found.project_hash,
        start_time=found.start_time,
        last_updated=found.last_updated,
        kind=found.kind,
        summary=found.summary,
        directories=found.directories,
    )


def _torn(data: bytes) -> tuple[Line | None, list[tuple[int, int]]]:
    """The same of a damaged document: where the elements stand that are whole."""
    begin = _ELEMENTS.search(data)
    if begin is None:
        return None, []
    stated = Line()
    with suppress(msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        stated = _stated(document_decoder.decode(data[: begin.end()] + b"]}"))
    # One character a byte, so that places in the text are places in the data.
    text, at = data.decode("latin-1"), begin.end()
    found: list[tuple[int, int]] = []
    for _ in range(_MOST_GAPS):
        while (next_one := _ELEMENT.search(data, at)) is not None:
            try:
                value, end = _json.raw_decode(text, next_one.start())
            except (ValueError, RecursionError):
                at = next_one.end()
                break
            if isinstance(value, dict) and (is_record(value) or "parts" in value):
                found.append((next_one.start(), end))
                at = end
            else:
                at = next_one.end()
        else:
            break
    return stated, found


def _element(raw: bytes) -> tuple[Line | None, Recovered[Line] | None]:
    try:
        return line_decoder.decode(raw), None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        pass
    found = recover(raw, line_decoder, is_record)
    if found.skip == "not_an_object":
        found.skip = "invalid_message"
    return (found.rows[0] if found.rows else None), found


class Versions:
    """Fetches a message from its place; the files stay open until `close`."""

    def __init__(self, source: Source) -> None:
        self._paths = [file.path for file in source.transcripts]
        self._files: dict[int, BinaryIO | bytes] = {}
        self._last: tuple[Place, Line | None, bytes] | None = None

    def close(self) -> None:
        """Close the files."""
        for file in self._files.values():
            if not isinstance(file, bytes):
                file.close()
        self._files.clear()

    def at(self, place: Place) -> tuple[Line | None, bytes]:
        """The record at this place and its JSON; None where it is no longer there."""
        key = place._replace(item=-1)
        if self._last is None or self._last[0] != key:
            self._last = key, *_decoded(self._bytes(place), place.turn)
        return self._last[1], self._last[2]

    def _bytes(self, place: Place) -> bytes:
        path = self._paths[place.file]
        file = self._files.get(place.file)
        with reading(path):
            if file is None:
                # What is compressed cannot be entered in the middle.
                if is_packed(path):
                    with open_bytes(path) as packed:
                        file = packed.read()
                else:
                    file = open_bytes(path)
                self._files[place.file] = file
            if isinstance(file, bytes):
                return file[place.offset : place.offset + place.length]
            file.seek(place.offset)
            return file.read(place.length)


def _decoded(raw: bytes, turn: int) -> tuple[Line | None, bytes]:
    try:
        return line_decoder.decode(raw), raw
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        found = recover(raw, line_decoder, is_record)
        return (found.rows[turn], found.raws[turn]) if turn < len(found.rows) else (None, b"")
