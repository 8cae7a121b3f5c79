"""The three forms a session of OpenCode comes in: rows of a database, a tree of files, an exported document.

Each gives the same: what is said of the session, and its messages with their parts in order, as often as they are
asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple, Protocol, TypeVar

import msgspec

from panscript.readers.databases import is_database
from panscript.readers.document import load
from panscript.readers.elements import NO_MESSAGES, cut, pieces, warn_of
from panscript.readers.lines import head
from panscript.readers.opencode.content import unknown_in
from panscript.readers.opencode.facts import Facts, facts_of_row, facts_of_session
from panscript.readers.opencode.files import is_export
from panscript.readers.opencode.store import Store
from panscript.readers.opencode.tree import messages_below, name_of
from panscript.readers.options import ReadOptions
from panscript.readers.rawjson import InnerItems
from panscript.readers.sqlite import database, named_row
from panscript.readers.tolerant import Recovered, recover
from panscript.schemas import timestamps
from panscript.schemas.errors import SourceError
from panscript.schemas.opencode.lean import (
    PART_TYPES,
    Element,
    Info,
    Part,
    Session,
    element_decoder,
    info_decoder,
    part_decoder,
    session_decoder,
)
from panscript.schemas.records import RecordClass, Source
from panscript.schemas.report import FileReport

__all__ = ["Form", "Item", "Piece", "Turn", "opened"]

_Row = TypeVar("_Row", bound=msgspec.Struct)
_MESSAGES = "messages"
_PARTS = ("parts",)
_ELEMENTS = {_MESSAGES: frozenset({"info", "parts"})}


class Piece(NamedTuple):
    """A record."""

    stored: bytes | Mapping[str, Any]
    """Its bytes, or the row whose JSON they are."""
    line: int
    file: int = 0
    offset: int = 0
    kind: RecordClass = "state"
    """Class of what is no message."""
    trouble: Recovered[Any] | None = None
    place: str | None = None
    """The row it is, in a database; of a message of which a part cannot be read, the row of that part."""

    @property
    def raw(self) -> bytes:
        """Its bytes; those of a row are made whenever they are asked for, since few ask."""
        return self.stored if isinstance(self.stored, bytes) else msgspec.json.encode(self.stored)

    def account(self, report: FileReport) -> None:
        """Count what the tolerant decoder had to do."""
        if self.trouble is None:
            return
        if self.trouble.skip is not None:
            report.skip_line(self.trouble.skip, self.line)
            warn_of(self.trouble.skip, report)
        for note in self.trouble.notes:
            report.change(note)


class Item(NamedTuple):
    """A part of a message."""

    name: str
    """Its id; empty where it has none."""
    part: Part | None
    text: bytes
    """Its JSON; empty where only the whole message has it."""
    time: int | None = None


class Turn(NamedTuple):
    """A message with its parts, or something else that stands in a session."""

    piece: Piece
    info: Info | None = None
    name: str = ""
    """Id of the message; empty where it has none."""
    time: int | None = None
    items: tuple[Item, ...] = ()
    more: tuple[Piece, ...] = ()
    """Further records that it is made of."""
    is_head: bool = False
    """It tells of the session as a whole."""
    inherited: str | None = None
    """The session it was copied from."""


class Form(Protocol):
    """A session in one of its forms."""

    facts: Facts
    headed: bool
    """What tells of the session as a whole can be read."""
    elsewhere: bool
    """What was said stands where it is not read."""
    damaged: bool

    def turns(self) -> Iterator[Turn]:
        """All of it in order."""


@contextmanager
def opened(source: Source, options: ReadOptions = ReadOptions(), *, steps_only: bool = False) -> Iterator[Form]:
    """The session in the form it has. Raises `SourceError`s.

    `steps_only`: of a database only those parts of messages that say what a step used.
    """
    path = source.transcripts[-1].path
    if is_database(path):
        with database(path, options) as found:
            yield _Rows(Store(found, path), source, steps_only=steps_only)
    elif len(source.files) == 1 and is_export(head(path)):
        yield _Document(path, source)
    else:
        yield _Tree(source)


class _Rows:
    headed = True
    damaged = False

    def __init__(self, store: Store, source: Source, *, steps_only: bool = False) -> None:
        self._store = store
        self._steps_only = steps_only
        self._row = store.session(source.id)
        branch = store.branch(self._row.get("workspace_id"))
        self.facts = facts_of_row({**self._row, "branch": branch}, source.id)
        self.elsewhere = store.is_elsewhere(source.id)
        self._copied = store.copied(source.id)

    def turns(self) -> Iterator[Turn]:
        head = {name: _json(value) for name, value in self._row.items()}
        yield Turn(Piece(head, 1, kind="used", place=named_row("session", id=self._row.get("id"))), is_head=True)
        for number, values in enumerate(self._store.messages(self.facts.session_id), 2):
            yield self._message(values, number)

    def _message(self, values: dict[str, Any], number: int) -> Turn:
        name = values["id"]
        info, data, trouble = _of_column(values["data"], info_decoder)
        place = named_row("message", id=name)
        whole_so_far = trouble is None or trouble.skip is None
        items: list[Item] = []
        rows: list[dict[str, Any]] = []
        for row in self._store.parts(name, steps_only=self._steps_only):
            part, text, wrong = _of_column(row["data"], part_decoder)
            trouble = _both(trouble, wrong)
            if whole_so_far and wrong is not None and wrong.skip is not None:
                place, whole_so_far = named_row("part", id=row["id"]), False
            own = row["id"] if isinstance(row["id"], str) else ""
            items.append(Item(own, part, text, timestamps.parse(row.get("time_created"))))
            rows.append({**row, "data": msgspec.Raw(text) if part is not None else row["data"]})
        whole = {**values, "data": msgspec.Raw(data) if info is not None else values["data"], "parts": rows}
        created = values.get("time_created")
        time = timestamps.parse(created)
        return Turn(
            Piece(whole, number, kind="skipped", trouble=trouble, place=place),
            info,
            name if isinstance(name, str) else "",
            time if time is not None else _time_of(info),
            tuple(items),
            inherited=self._copied.get(created) if isinstance(created, int) else None,
        )


class _Tree:
    elsewhere = damaged = False

    def __init__(self, source: Source) -> None:
        self._files = source.files
        self._main = next(number for number, file in enumerate(source.files) if file.role != "side")
        self._path = source.files[self._main].path
        self._head, _, self._trouble = _decoded(load(self._path), session_decoder)
        self.headed = self._head is not None and (self._head.id is not None or self._head.directory is not None)
        self.facts = facts_of_session(self._head or Session(), source.id)
        ordered = list(messages_below(self._path, source.files))
        # Names are in the order of time, but not for ever: they begin anew every two years.
        self._messages = sorted(ordered, key=lambda each: self._order(each[0]))

    def _order(self, number: int) -> tuple[int, str]:
        path = self._files[number].path
        info, _, _ = self._read(number, info_decoder)
        time = _time_of(info)
        return time if time is not None else 0, name_of(path)

    def turns(self) -> Iterator[Turn]:
        kind: RecordClass = "used" if self.headed else "skipped"
        yield Turn(
            Piece(load(self._path), 1, self._main, kind=kind, trouble=self._trouble),
            is_head=self.headed,
        )
        line = 1
        for number, parts in self._messages:
            line += 1
            info, raw, trouble = self._read(number, info_decoder)
            items: list[Item] = []
            more: list[Piece] = []
            first = line
            for each in parts:
                line += 1
                part, data, wrong = self._read(each, part_decoder)
                text = data if wrong is None or not wrong.raws else wrong.raws[0]
                items.append(Item(name_of(self._files[each].path), part, text))
                found: RecordClass = "used" if part is not None else "skipped"
                more.append(Piece(data, line, each, kind=found, trouble=wrong))
            path = self._files[number].path
            yield Turn(
                Piece(raw, first, number, kind="skipped", trouble=trouble),
                info,
                name_of(path),
                _time_of(info),
                tuple(items),
                tuple(more),
            )

    def _read(self, number: int, decoder: msgspec.json.Decoder[_Row]) -> tuple[_Row | None, bytes, Any]:
        try:
            data = load(self._files[number].path)
        except SourceError:
            # One file that went away, or may not be read, is no more than one that is damaged.
            data = b""
        row, _, trouble = _decoded(data, decoder)
        return row, data, trouble


class _Document:
    elsewhere = False

    def __init__(self, path: str, source: Source) -> None:
        self._data = load(path)
        self._document = cut(self._data, _ELEMENTS)
        self.damaged = self._document.damaged
        said, _, self._trouble = _decoded(self._document.facts.get("info", b""), session_decoder)
        if self._document.is_no_array(_MESSAGES):
            self._trouble = _both(self._trouble, Recovered(skip=NO_MESSAGES))
        if self._document.notes:
            self._trouble = _both(Recovered(notes=self._document.notes), self._trouble)
        self.headed = said is not None and said.id is not None
        self.facts = facts_of_session(said or Session(), (said.id if said is not None else None) or source.id)

    def turns(self) -> Iterator[Turn]:
        begun = False
        for number, piece in enumerate(pieces(self._data, self._document), 1):
            if piece.element is None:
                blank = not piece.raw.strip(b", \t\r\n\0\xef\xbb\xbf")
                kind: RecordClass = "skipped" if piece.broken else "blank" if blank else "state"
                trouble = Recovered[Any](skip="json_parse_error") if piece.broken else None
                is_head = not begun and self.headed
                begun = True
                if is_head and not piece.broken:
                    kind, trouble = "used", self._trouble
                yield Turn(Piece(piece.raw, piece.line, 0, piece.offset, kind, trouble), is_head=is_head)
                continue
            raw = piece.raw
            yield self._element(raw, Piece(raw, piece.line, 0, piece.offset, "skipped"))
            begun = begun or number > 1

    def _element(self, text: bytes, piece: Piece) -> Turn:
        element, data, trouble = _decoded(text, element_decoder)
        found = element or Element()
        info = found.info
        inner = InnerItems()
        items = (
            Item(part.id or "", part, inner.item(data, index, _PARTS) if _is_strange(part) else b"")
            for index, part in enumerate(found.parts or ())
        )
        name = info.id or "" if info is not None else ""
        return Turn(piece._replace(trouble=trouble), info, name, _time_of(info), tuple(items))


def _is_strange(part: Part) -> bool:
    return part.type not in PART_TYPES or bool(unknown_in(part))


def _decoded(value: object, decoder: msgspec.json.Decoder[_Row]) -> tuple[_Row | None, bytes, Recovered[_Row] | None]:
    """A row, the JSON it was decoded from, and what the tolerant decoder did."""
    data = value.encode("utf-8", "replace") if isinstance(value, str) else value if isinstance(value, bytes) else b""
    try:
        return decoder.decode(data), data, None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        found = recover(data or b"\0", decoder, bool)
        if not found.rows:
            found.skip = found.skip or "json_parse_error"
            return None, data, found
        return found.rows[0], found.raws[0], found


def _of_column(value: object, decoder: msgspec.json.Decoder[_Row]) -> tuple[_Row | None, bytes, Recovered[_Row] | None]:
    """The same of a column of a row, which may hold nothing."""
    row, data, trouble = _decoded(value, decoder)
    if trouble is not None and trouble.skip is not None:
        trouble.skip = "missing_data_json" if value is None else "invalid_data_json"
    return row, data, trouble


def _both(one: Recovered[Any] | None, other: Recovered[Any] | None) -> Recovered[Any] | None:
    if one is None or other is None:
        return one or other
    return Recovered(skip=one.skip or other.skip, notes=[*one.notes, *other.notes])


def _json(value: object) -> object:
    """A column as it is put into a record: JSON as JSON."""
    if isinstance(value, str) and value[:1] in ("{", "["):
        try:
            msgspec.json.decode(value)
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            return value
        return msgspec.Raw(value.encode())
    return value


def _time_of(info: Info | None) -> int | None:
    return timestamps.parse(info.time.created) if info is not None and info.time is not None else None
