"""Rows of JSON-lines files: one typed decode a line, with the tolerant decoder behind it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, TypeVar

import msgspec

from panscript.readers.lines import lines
from panscript.readers.tolerant import Recovered, recover
from panscript.schemas.events import Event
from panscript.schemas.records import Origin, Record, RecordClass
from panscript.schemas.report import FileReport

__all__ = ["Parsed", "account", "rows", "surveyed"]

Row = TypeVar("Row", bound=msgspec.Struct)
_BOM = b"\xef\xbb\xbf"


class Parsed(NamedTuple):
    """One record of a file. A line that holds two records gives two of these, the second without bytes."""

    file: int
    raw: bytes
    offset: int
    line: int
    row: Any
    """The decoded row; None when the line is blank or was given up."""
    trouble: Recovered[Any] | None
    """What the tolerant decoder did; None on the fast path."""
    turn: int = 0
    """Which record of its line it is, from 0."""

    @property
    def place(self) -> str:
        """The number of its line, and after a dot its turn there but for the first."""
        return f"{self.line}.{self.turn}" if self.turn else str(self.line)

    @property
    def unread(self) -> tuple[RecordClass, list[Event]]:
        """What becomes of a record without a row."""
        return ("blank" if self.trouble is not None and self.trouble.blank else "skipped"), []

    def record(self, kind: RecordClass, events: Iterable[Event], row: str | None = None) -> Record:
        """The same with its events, as readers hand it on; `row`: what it is called in a database."""
        return Record(Origin(self.file, self.offset, len(self.raw), self.line, row), self.raw, kind, tuple(events))

    @property
    def json(self) -> bytes:
        """The JSON the row was decoded from."""
        return self.raw if self.trouble is None or not self.trouble.raws else self.trouble.raws[0]


def rows(
    paths: Iterable[str],
    decoder: msgspec.json.Decoder[Row],
    is_record: Callable[[dict[str, Any]], bool],
    matters: Callable[[bytes], bool] | None = None,
) -> Iterator[Parsed]:
    """Every record of the files in order, or of those lines that `matters` says. Raises only `SourceError`s."""
    decode = decoder.decode
    new, make = tuple.__new__, Parsed
    for number, path in enumerate(paths):
        for raw, offset, line in lines(path):
            if matters is not None and not matters(raw):
                continue
            try:
                row = decode(raw)
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
                pass
            else:
                yield new(make, (number, raw, offset, line, row, None, 0))
                continue
            found = recover(raw, decoder, is_record)
            if not found.rows:
                yield Parsed(number, raw, offset, line, None, found)
            for index, row in enumerate(found.rows):
                more = Recovered(raws=[found.raws[index]]) if index else found
                yield Parsed(number, b"" if index else raw, offset, line, row, more, index)


def surveyed(
    found: Iterable[Parsed], number: int, report: FileReport, marker: bytes | None
) -> Iterator[tuple[int, Parsed]]:
    """The records, numbered, up to the `number` that a survey has seen; what was wrong with them is counted.

    `marker`: a damaged line without these bytes held no usage; None where no line does.
    """
    for place, parsed in enumerate(found):
        if place >= number:
            report.warn("file_changed", "the file grew while it was read; what was added is left out")
            break
        if parsed.trouble is not None:
            billed = marker is not None and marker in parsed.raw
            account(parsed, report, "json_parse_error" if billed else "other_json_parse_error")
        yield place, parsed


def account(parsed: Parsed, report: FileReport, code: str = "json_parse_error") -> None:
    """Count into the report what the tolerant decoder had to do; `code` is what to call a line that is not JSON."""
    trouble = parsed.trouble
    if trouble is None:
        return
    if trouble.skip is not None:
        report.skip_line(code if trouble.skip == "json_parse_error" else trouble.skip, parsed.line)
    for note in trouble.notes:
        report.change(note)
