"""Printing sessions and their sub-agents, each once."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import BinaryIO, NamedTuple

import msgspec

from panscript.readers.discovery import family
from panscript.readers.finding import readable
from panscript.readers.opening import read
from panscript.readers.options import ReadOptions
from panscript.schemas.agents import agent
from panscript.schemas.errors import PanscriptError
from panscript.schemas.events import Event
from panscript.schemas.projections import Projection
from panscript.schemas.records import Source
from panscript.schemas.report import FileReport, Report
from panscript.schemas.separators import escaped
from panscript.stages.projections import project

__all__ = ["FileLines", "Printer", "family"]


class FileLines(NamedTuple):
    """What one session or sub-agent says."""

    source: Source
    account: FileReport
    lines: Iterator[Projection | Event]
    """Nothing is read before the first is asked for. Raises `SourceError`s."""


class Printer:
    """Prints what sessions say, one JSON object a line; a session met again is passed by."""

    def __init__(
        self, report: Report, out: BinaryIO, *, kinds: Collection[str], text: bool, raw: bool, full: bool
    ) -> None:
        self._report, self._out = report, out
        self._kinds, self._text, self._raw, self._full = kinds, text, raw, full
        self._printed: set[str] = set()
        self._encoder = msgspec.json.Encoder()

    def files(self, sources: Iterable[Source]) -> Iterator[FileLines]:
        """The sessions and, after each, its sub-agents: the unit in which copies between files can be told."""
        for source in sources:
            for member in family(source):
                path = os.path.realpath(member.transcripts[-1].path)
                # Where one database holds many sessions, its path says nothing; elsewhere a link has another id.
                many = "sqlite" in agent(member.agent).storage
                if (key := f"{path}\0{member.id}" if many else path) in self._printed:
                    continue
                self._printed.add(key)
                account = self._report.open(readable(member.path), member.agent, member.id)
                yield FileLines(member, account, self._lines(member, account))

    def print(self, files: Iterable[FileLines], trouble: Callable[[PanscriptError, FileReport], None]) -> None:
        """Print them. `trouble` is told of each that could not be read, and the others go on."""
        write, encode = self._out.write, self._encoder.encode
        for file in files:
            try:
                for line in file.lines:
                    write(escaped(encode(line)) + b"\n")
            except PanscriptError as error:
                file.account.complete = False
                trouble(error, file.account)

    def _lines(self, source: Source, account: FileReport) -> Iterator[Projection | Event]:
        options = ReadOptions(usage="usage" in self._kinds, raw=self._raw)
        records = read(source, report=account, options=options)
        if self._full:
            return (event for record in records for event in record.events)
        return project(records, kinds=self._kinds, text=self._text, raw=self._raw, report=account)
