"""Printing what sessions say, one JSON object a line."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from typing import BinaryIO, NamedTuple

import msgspec

from panscript.cli.everything import FileLines
from panscript.readers.discovery import family
from panscript.readers.finding import readable
from panscript.readers.opening import read
from panscript.readers.options import ReadOptions
from panscript.schemas.errors import PanscriptError
from panscript.schemas.events import Event
from panscript.schemas.projections import Projection
from panscript.schemas.records import Source
from panscript.schemas.report import FileReport, Report
from panscript.schemas.separators import escaped

__all__ = ["Printer", "family", "full_streams"]


class FullStream(NamedTuple):
    """The events of one session or sub-agent."""

    account: FileReport
    lines: Iterator[Event]
    """Nothing is read before the first is asked for. Raises `SourceError`s."""


def full_streams(sources: Iterable[Source], report: Report) -> Iterator[FullStream]:
    """The full stream of the sessions and, after each, of its sub-agents; a session met again is passed by."""
    known: set[str] = set()
    for source in sources:
        for member in family(source):
            # Where one database holds many sessions, its path says nothing.
            if (key := f"{os.path.realpath(member.transcripts[-1].path)}\0{member.id}") not in known:
                known.add(key)
                account = report.open(readable(member.path), member.agent, member.id)
                yield FullStream(account, _events(member, account))


def _events(source: Source, account: FileReport) -> Iterator[Event]:
    for record in read(source, report=account, options=ReadOptions()):
        yield from record.events


class Printer:
    """Prints what sessions say."""

    def __init__(self, out: BinaryIO) -> None:
        self._out = out
        self._encoder = msgspec.json.Encoder()

    def print(
        self, files: Iterable[FileLines | FullStream], trouble: Callable[[PanscriptError, FileReport], None]
    ) -> None:
        """Print them. `trouble` is told of each that could not be read, and the others go on."""
        for file in files:
            try:
                self._print(file.lines)
            except PanscriptError as error:
                file.account.complete = False
                trouble(error, file.account)

    def _print(self, lines: Iterable[Projection | Event]) -> None:
        write, encode = self._out.write, self._encoder.encode
        for line in lines:
            write(escaped(encode(line)) + b"\n")
