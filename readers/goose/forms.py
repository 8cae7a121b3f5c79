"""The three forms a session of Goose comes in: rows of a database, lines of a file, an exported document.

Each gives the same: what is said of the session, and its pieces in order, as often as they are asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple, Protocol

import msgspec

from panscript.readers.databases import is_database
from panscript.readers.document import load
from panscript.readers.elements import NO_MESSAGES, cut, pieces
from panscript.readers.goose.facts import Facts, facts_of
from panscript.readers.goose.files import is_document, is_record, named
from panscript.readers.goose.store import Store
from panscript.readers.jsonl import rows
from panscript.readers.lines import head
from panscript.readers.options import ReadOptions
from panscript.readers.sqlite import database, named_row
from panscript.readers.tolerant import Recovered, recover
from panscript.schemas.errors import NotATranscript
from panscript.schemas.events import Tokens
from panscript.schemas.goose.lean import Line, line_decoder
from panscript.schemas.records import RecordClass, Source

__all__ = ["Form", "Piece", "opened"]

_MESSAGES = {"conversation": frozenset({"role", "content"})}
"""Where the messages of an exported session stand."""


class Piece(NamedTuple):
    """A record of a session."""

    stored: bytes | Mapping[str, Any]
    """Its bytes, or the row whose JSON they are."""
    offset: int
    line: int
    row: Line | None = None
    """The message, where it is one."""
    text: bytes = b""
    """The JSON that the message was decoded from."""
    name: str = ""
    """Its own id; empty where it has none."""
    kind: RecordClass = "state"
    """Class of what is no message."""
    is_head: bool = False
    """It tells of the session as a whole."""
    billed: Mapping[str, Any] | None = None
    """A row that tells of one request."""
    trouble: Recovered[Any] | None = None
    place: str | None = None
    """The row it is, in a database."""

    @property
    def raw(self) -> bytes:
        """Its bytes; those of a row are made whenever they are asked for, since few ask."""
        return self.stored if isinstance(self.stored, bytes) else msgspec.json.encode(self.stored)


class Form(Protocol):
    """A session in one of its forms."""

    facts: Facts
    told_in: str
    """Name of the form."""

    def pieces(self) -> Iterator[Piece]:
        """All of it in order."""

    def latest(self) -> int | None:
        """The time of the latest message, where that can be told without reading all, else of any; milliseconds."""


@contextmanager
def opened(source: Source, options: ReadOptions = ReadOptions(), *, only_usage: bool = False) -> Iterator[Form]:
    """The session in the form it has; `only_usage`: without the messages of a database, unless only they say when it
    began. Raises `SourceError`s."""
    path = source.transcripts[-1].path
    if is_database(path):
        with database(path, options) as found:
            yield _Rows(Store(found, path), source, only_usage=only_usage)
    elif is_document(head(path)):
        yield _Document(path)
    else:
        yield _Lines(path)


class _Rows:
    told_in = "rows"

    def __init__(self, store: Store, source: Source, *, only_usage: bool) -> None:
        self._store = store
        self._session = store.session(source.id)
        self.facts = facts_of(self._session, source.id)
        self._without_messages = only_usage and self.facts.created is not None

    def pieces(self) -> Iterator[Piece]:
        number = 1
        place = named_row("sessions", id=self._session.get("id"))
        yield Piece(self._session, 0, number, kind="used", is_head=True, place=place)
        for values in () if self._without_messages else self._store.messages(self.facts.session_id):
            number += 1
            yield self._message(values, number)
        for values in self._store.ledger(self.facts.session_id):
            number += 1
            place = named_row("usage_ledger", id=values.get("id"))
            yield Piece(values, 0, number, kind="used", billed=values, place=place)

    def _message(self, values: dict[str, Any], number: int) -> Piece:
        content, metadata = _json(values["content_json"]), _json(values.get("metadata_json")) or b"null"
        text = b'{"content":%b,"metadata":%b}' % (content, metadata)
        row, trouble = None, None
        try:
            row = line_decoder.decode(text)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            row, text, trouble = _repaired(content, metadata)
        if row is not None:
            row.role = values["role"] if isinstance(values["role"], str) else None
            row.created = values.get("created_timestamp")
            if not isinstance(row.created, str | int | float):
                row.created = values.get("timestamp")
            if trouble is None:
                values["content_json"] = msgspec.Raw(content)
                if metadata != b"null":
                    values["metadata_json"] = msgspec.Raw(metadata)
        own = values.get("message_id")
        name = own if isinstance(own, str) else ""
        place = named_row("messages", id=values.get("id", name))
        return Piece(values, 0, number, row, text, name, "skipped", trouble=trouble, place=place)

    def latest(self) -> int | None:
        return self._store.latest(self.facts.session_id)


def _json(value: object) -> bytes:
    return value.encode() if isinstance(value, str) else value if isinstance(value, bytes) else b""


def _repaired(content: bytes, metadata: bytes) -> tuple[Line | None, bytes, Recovered[Any]]:
    """A message whose JSON the fast decoder refuses: one of the two columns may be good."""
    found = recover(b'{"content":%b}' % content, line_decoder, is_record)
    if not found.rows or found.rows[0].content is None:
        found.skip = found.skip or "json_parse_error"
        return None, b"", found
    row = found.rows[0]
    about = recover(b'{"metadata":%b}' % metadata, line_decoder, is_record)
    if about.rows:
        row.metadata = about.rows[0].metadata
    found.notes.extend(about.notes if about.skip is None else ["value_ignored"])
    return row, found.raws[0], found


class _Lines:
    told_in = "lines"

    def __init__(self, path: str) -> None:
        self._path = path
        first = next(self.pieces(), None)
        said = _object(first.text) if first is not None and first.is_head else {}
        stem, time = named(path)
        # A file says neither its id nor its time; its name does. Nor does it name a model.
        facts = facts_of({**said, "id": stem, "created_at": time}, stem)
        self.facts = msgspec.structs.replace(facts, configured=facts.tokens != Tokens())

    def pieces(self) -> Iterator[Piece]:
        begun = False
        for parsed in rows([self._path], line_decoder, is_record):
            row, trouble = parsed.row, parsed.trouble
            if row is None:
                blank = trouble is not None and trouble.blank
                kind: RecordClass = "blank" if blank else "skipped"
                yield Piece(parsed.raw, parsed.offset, parsed.line, kind=kind, trouble=trouble)
                begun = begun or not blank
            elif not begun and row.working_dir is not None and row.role is None:
                begun = True
                yield Piece(
                    parsed.raw,
                    parsed.offset,
                    parsed.line,
                    text=parsed.json,
                    kind="used",
                    is_head=True,
                    trouble=trouble,
                )
            else:
                begun = True
                yield Piece(parsed.raw, parsed.offset, parsed.line, row, parsed.json, row.id or "", trouble=trouble)

    def latest(self) -> int | None:
        return None


class _Document:
    told_in = "document"

    def __init__(self, path: str) -> None:
        self._data = load(path)
        self._document = cut(self._data, _MESSAGES)
        said = {name: _value(raw) for name, raw in self._document.facts.items()}
        told = "conversation" in self._document.arrays or "conversation" in said
        if not isinstance(said.get("working_dir"), str) or not told:
            raise NotATranscript("this is no exported session of Goose", path=path)
        self._is_silent = self._document.is_no_array("conversation") and said["conversation"] is not None
        self.facts = facts_of(said, named(path)[0])

    def pieces(self) -> Iterator[Piece]:
        begun = False
        for number, piece in enumerate(pieces(self._data, self._document), 1):
            raw = piece.raw
            if piece.element is not None:
                row, text, trouble = _decoded(raw)
                name = row.id or "" if row is not None else ""
                yield Piece(raw, piece.offset, number, row, text, name, "skipped", trouble=trouble)
                continue
            notes = [] if begun else self._document.notes
            wrong = "json_parse_error" if piece.broken else NO_MESSAGES if self._is_silent and not begun else None
            trouble = Recovered[Any](skip=wrong, notes=notes) if wrong or notes else None
            kind: RecordClass = "state" if begun else "used"
            yield Piece(raw, piece.offset, number, kind=kind, is_head=not begun, trouble=trouble)
            begun = True

    def latest(self) -> int | None:
        return None


def _value(raw: bytes | msgspec.Raw) -> Any:
    try:
        return msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def _decoded(raw: bytes) -> tuple[Line | None, bytes, Recovered[Any] | None]:
    try:
        return line_decoder.decode(raw), raw, None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        found = recover(raw, line_decoder, is_record)
        return (found.rows[0], found.raws[0], found) if found.rows else (None, b"", found)


_members = msgspec.json.Decoder(dict[str, msgspec.Raw])


def _object(data: bytes) -> dict[str, Any]:
    """The members of an object; none where it is no object."""
    try:
        return {name: _value(raw) for name, raw in _members.decode(data.strip(b"\0\xef\xbb\xbf \t\r\n")).items()}
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return {}
