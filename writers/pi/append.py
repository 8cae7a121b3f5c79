"""More of a session that was imported before: the same session is written again, and what is new goes on.

The lines of the file stay as they are. What is written again must begin with the same entries; between and behind them
the file may hold what Pi or a person put beside the conversation (names, labels, changes of model and thinking level,
data of extensions). New entries hang on the present last line, and the record goes on with what it did not hold yet.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Generator, Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, TypeVar

import msgspec

from panscript.schemas.events import SourceFile
from panscript.schemas.packed import PackedMap
from panscript.schemas.pi.record_names import PART_TYPE
from panscript.writers.identity import digest
from panscript.writers.pi.entries import CustomEntry, SessionInfoEntry, line
from panscript.writers.stores import CannotAppend

__all__ = ["PiExtension"]

_BESIDE = frozenset({"session", "thinking_level_change", "model_change", "label", "session_info", "custom"})
"""Lines that are no part of the conversation."""
_MAPS = ("usage", "timestamps")
_NAMES = ("texts", "tasks")
_ROWS = ("context", "opaque")
_LAST, _EMBED = "importedUpToEntryId", "embed"
"""What only the last part says, and what only a part with records of the source says."""
_AFTER = "after"
_PARENT = b'"parentId":'
_NOTE = b'{"type":"custom_message",'
_BITS = (1 << 32) - 1

_T = TypeVar("_T")
_Part = dict[str, msgspec.Raw]
_Map = dict[str, msgspec.Raw]
_Names = list[str]
_Rows = list[dict[str, msgspec.Raw]]

CONTINUED = "the import was continued in Pi"
DIFFERENT = "what was imported before reads differently now"
DAMAGED = "the earlier import is damaged"


class _Line(msgspec.Struct, rename="camel"):
    type: str = ""
    id: str | None = None
    parent_id: str | None = None
    timestamp: str = ""
    custom_type: str | None = None
    name: str | None = None
    data: msgspec.Raw = msgspec.Raw(b"")


_decode = msgspec.json.Decoder(_Line).decode
_BAD = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


class _Present(NamedTuple):
    """A line of the file that is part of the conversation."""

    raw: bytes
    parent: str | None
    is_later: bool
    """It stands behind the last line that an import wrote."""


class _Recorded:
    """What the parts of a record say, as hashes."""

    def __init__(self) -> None:
        self._values = PackedMap()
        self._rows: dict[str, array[int]] = {kind: array("q") for kind in _ROWS}
        self._met = dict.fromkeys(_ROWS, 0)

    def add(self, part: _Part) -> None:
        """A part of the file."""
        for kind in _MAPS:
            for key, value in _decoded(part, kind, _Map).items():
                self._values.put(f"{kind}:{key}", _hash(value) & _BITS)
        for kind in _NAMES:
            for key in _decoded(part, kind, _Names):
                self._values.put(f"{kind}:{key}", 1)
        for kind in _ROWS:
            self._rows[kind].extend(map(_hash_row, _decoded(part, kind, _Rows)))

    def news(self, part: _Part, place: Callable[[str | None], str | None]) -> bool:
        """Take out of a part what the file holds already; whether anything is left. Raises `CannotAppend`.

        `place` says after which line of the file something stands. Original names stay: a reader looks for them in the
        part it has in hand.
        """
        left: dict[str, Any] = {}
        for kind in _MAPS:
            items = _decoded(part, kind, _Map).items()
            left[kind] = {key: value for key, value in items if self._is_new(f"{kind}:{key}", _hash(value) & _BITS)}
        for kind in _NAMES:
            left[kind] = [name for name in _decoded(part, kind, _Names) if self._is_new(f"{kind}:{name}", 1)]
        for kind in _ROWS:
            left[kind] = [_moved(row, place) for row in self._new_rows(kind, _decoded(part, kind, _Rows))]
        for kind, items in left.items():
            part.pop(kind, None)
            if items:
                part[kind] = msgspec.Raw(msgspec.json.encode(items))
        return any(left.values())

    def complete(self) -> bool:
        """Whether all that stands in the file came again."""
        return all(self._met[kind] == len(rows) for kind, rows in self._rows.items())

    def _is_new(self, key: str, value: int) -> bool:
        known = self._values.get(key)
        if known is not None and known != value:
            raise CannotAppend(DIFFERENT)
        return known is None

    def _new_rows(self, kind: str, rows: _Rows) -> _Rows:
        known = self._rows[kind]
        fresh: _Rows = []
        for row in rows:
            place = self._met[kind]
            if place >= len(known):
                fresh.append(row)
            elif known[place] == _hash_row(row):
                self._met[kind] = place + 1
            else:
                raise CannotAppend(DIFFERENT)
        return fresh


class PiExtension:
    """Takes the lines of the whole session as the writer gives them, one at a time."""

    def __init__(self, path: Path, files: Sequence[SourceFile], begin: Callable[[], BinaryIO]) -> None:
        """`begin` is called when there is something new; it gives the file that goes on where the old one ends."""
        self._path = path
        self._files = files
        self._begin = begin
        self._sink: BinaryIO | None = None
        self._recorded = _Recorded()
        self._last_closing = -1
        self._own_name = self._present_name = ""
        self._beside: dict[str, str | None] = {}
        """Line that is no part of the conversation -> the line it hangs on: in the file."""
        self._passed: dict[str, str | None] = {}
        """The same in what is written again."""
        self._placed: dict[str, str] = {}
        """Such a line in what is written again -> the one it became in the file."""
        self._head: str | None = None
        self._tip: str | None = None
        self._ends_whole = True
        self._first: str | None = None
        self._added = PackedMap()
        self._closing: tuple[_Line, _Part] | None = None
        self.added = 0
        self._look()
        self._leaf = _above(self._beside, self._tip)
        self._present = self._conversation()
        self._next = next(self._present, None)

    @property
    def began(self) -> bool:
        """Whether there was anything new."""
        return self._sink is not None

    def close(self) -> None:
        """Close the file that is compared with."""
        self._present.close()

    def write(self, data: bytes, /) -> int:
        """One line of the session. Raises `CannotAppend`."""
        row = _decode(data)
        if row.type == "session_info":
            self._name(row)
        elif row.type == "custom":
            assert row.id is not None
            self._passed[row.id] = row.parent_id
            if row.custom_type == PART_TYPE:
                self._part(row)
            else:
                self._head = row.id
        elif row.type != "session":
            if self._next is not None:
                self._compare(row, data)
            else:
                self._entry(row, data)
        return len(data)

    def _look(self) -> None:
        """What the file records, where its last line stands, what it is called."""
        closing = False
        for number, raw in enumerate(self._lines()):
            self._ends_whole = raw.endswith(b"\n")
            row = _read(raw)
            if row.id is not None and row.type != "session":
                self._tip = row.id
                if row.type in _BESIDE:
                    self._beside[row.id] = row.parent_id
            if row.type == "session_info":
                self._present_name = row.name or ""
                if closing:
                    self._own_name, self._last_closing, closing = self._present_name, number, False
            elif row.type == "custom" and row.custom_type == PART_TYPE:
                part = _part(row)
                self._recorded.add(part)
                closing = closing or _LAST in part
        if self._last_closing < 0:
            raise CannotAppend(DAMAGED)

    def _lines(self) -> Iterator[bytes]:
        with self._path.open("rb") as file:
            yield from (raw for raw in file if raw.strip())

    def _conversation(self) -> Generator[_Present]:
        for number, raw in enumerate(self._lines()):
            row = _read(raw)
            if row.type not in _BESIDE:
                yield _Present(raw, row.parent_id, number > self._last_closing)

    def _compare(self, row: _Line, raw: bytes) -> None:
        """The line must be the next one of the file; only what it hangs on beside the conversation may differ."""
        present = self._next
        assert present is not None
        if present.raw != raw:
            same_place = _above(self._beside, present.parent) == _above(self._passed, row.parent_id)
            if not same_place or _without_parent(present.raw) != _without_parent(raw):
                raise self._cannot()
        self._next = next(self._present, None)

    def _cannot(self) -> CannotAppend:
        continued = self._next is not None and self._next.is_later
        return CannotAppend(CONTINUED if continued else DIFFERENT)

    def _out(self) -> BinaryIO:
        if self._next is not None:
            raise self._cannot()
        if self._sink is None:
            self._sink = self._begin()
            if not self._ends_whole:
                self._sink.write(b"\n")
        return self._sink

    def _hangs_on(self, parent: str | None) -> str | None:
        """The line of the grown file that stands for this parent."""
        while parent in self._passed:
            if parent in self._placed:
                return self._placed[parent]
            parent = self._passed[parent]
        if parent is None:
            return self._head
        return self._tip if parent == self._leaf else parent

    def _entry(self, row: _Line, raw: bytes) -> None:
        parent = self._hangs_on(row.parent_id)
        self._out().write(raw if parent == row.parent_id else _rehung(raw, parent))
        self.added += 1
        self._first = self._first or row.id
        self._added.put(row.id or "", 1)

    def _stands_after(self, entry: str | None) -> str | None:
        """The line of the grown file that something recorded stands after; what is new stands after all that is old."""
        while entry in self._passed:
            if entry in self._placed:
                return self._placed[entry]
            entry = self._passed[entry]
        return entry if entry is not None and self._added.get(entry) else self._tip

    def _part(self, row: _Line) -> None:
        part = _part(row)
        is_last = _LAST in part
        left = _EMBED in part or self._recorded.news(part, self._stands_after)
        if self._next is not None and (left or is_last):
            raise self._cannot()
        if is_last:
            if not self._recorded.complete():
                raise CannotAppend(DIFFERENT)
            part["sourceFiles"] = msgspec.Raw(
                msgspec.json.encode([{"path": f.path, "bytes": f.bytes, "sha256": f.sha256} for f in self._files])
            )
            self._closing = (row, part)
        if left or (is_last and self.began):
            self._custom(row, part)

    def _custom(self, row: _Line, part: _Part) -> None:
        """A part of the record. The file may have one of its id, so it gets another."""
        sink = self._out()
        assert row.id is not None
        if "from" in part and not self._placed:
            part["from"] = msgspec.Raw(msgspec.json.encode(self._first))
        entry = self._new_id(row.id)
        sink.write(line(CustomEntry(PART_TYPE, part, entry, self._hangs_on(row.parent_id), row.timestamp)))
        self._placed[row.id] = entry

    def _name(self, row: _Line) -> None:
        """The name of the session, unless a person gave it another one meanwhile."""
        assert self._closing is not None
        assert row.id is not None
        renamed = self._present_name != self._own_name
        name = self._present_name if renamed else row.name or ""
        if not self.began and name != self._present_name:
            self._custom(*self._closing)
        if self.began:
            entry, parent = self._new_id(row.id), self._hangs_on(row.parent_id)
            self._out().write(line(SessionInfoEntry(entry, parent, row.timestamp, name)))

    def _new_id(self, name: str) -> str:
        return digest("more", self._tip or "", name)


def _above(beside: dict[str, str | None], entry: str | None) -> str | None:
    """The nearest part of the conversation at or above this line; None at its start."""
    while entry in beside:
        entry = beside[entry]
    return entry


def _read(raw: bytes) -> _Line:
    try:
        return _decode(raw)
    except _BAD:
        raise CannotAppend(DAMAGED) from None


def _part(row: _Line) -> _Part:
    try:
        return msgspec.json.decode(row.data, type=_Part)
    except _BAD:
        raise CannotAppend(DAMAGED) from None


def _decoded(part: _Part, kind: str, shape: type[_T]) -> _T:
    if kind not in part:
        return shape()
    try:
        return msgspec.json.decode(part[kind], type=shape)
    except _BAD:
        raise CannotAppend(DAMAGED) from None


def _hash(raw: msgspec.Raw) -> int:
    return hash(bytes(raw))


def _hash_row(row: dict[str, msgspec.Raw]) -> int:
    """Whatever it stands after: that is a line of the file, where it was added later."""
    return hash(tuple((key, bytes(value)) for key, value in row.items() if key != _AFTER))


def _moved(row: dict[str, msgspec.Raw], place: Callable[[str | None], str | None]) -> dict[str, msgspec.Raw]:
    after = msgspec.json.decode(row[_AFTER]) if _AFTER in row else None
    return {**row, _AFTER: msgspec.Raw(msgspec.json.encode(place(after)))}


def _parent_of(raw: bytes) -> tuple[int, int]:
    """Where the value of `parentId` stands in a line that this package wrote.

    It stands before what may hold any JSON, or (in notes) behind what holds only texts.
    """
    start = raw.rfind(_PARENT) if raw.startswith(_NOTE) else raw.find(_PARENT)
    if start < 0:
        return 0, 0
    start += len(_PARENT)
    return start, raw.find(b",", start)


def _without_parent(raw: bytes) -> bytes:
    start, end = _parent_of(raw)
    return raw[:start] + raw[end:]


def _rehung(raw: bytes, parent: str | None) -> bytes:
    """The same line on another parent."""
    start, end = _parent_of(raw)
    return raw[:start] + msgspec.json.encode(parent) + raw[end:]
