"""Readers and stages joined: what many sessions say, each thing once, in the order of agents and files.

`read_everything` is for programs; nothing here prints. `Reading` is the same for sessions that were found already.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from panscript.readers.context import Context
from panscript.readers.cursors import check, cover, parser_of
from panscript.readers.discovery import discover, family, forked_from, full_id
from panscript.readers.finding import readable
from panscript.readers.lines import reading_up_to
from panscript.readers.opening import read
from panscript.readers.options import ReadOptions
from panscript.schemas import timestamps
from panscript.schemas.agents import agent
from panscript.schemas.errors import PanscriptError, SourceError
from panscript.schemas.events import Session
from panscript.schemas.progress import Cursor, State
from panscript.schemas.projections import KINDS, Projection, Told
from panscript.schemas.records import Record, Source
from panscript.schemas.report import FileReport, Report
from panscript.stages.deduplication import ToldFile, each_once, reattributed
from panscript.stages.holding import Room
from panscript.stages.projections import project_told
from panscript.stages.resuming import Resumed
from panscript.stages.windows import Bound, bound

__all__ = ["Asked", "FileLines", "Reading", "Resumption", "read_everything"]


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """What is wanted of sessions."""

    kinds: Collection[str] = KINDS
    text: bool = False
    """With the texts of messages and titles."""
    raw: bool = False
    """With the native records."""
    since: int | None = None
    until: int | None = None
    """At or after, and before: milliseconds since 1970 UTC."""
    dedupe: bool = True
    """What forks, resumes and replays copied is told once, where it belongs; else files are streamed one by one."""

    @property
    def options(self) -> str:
        """The same as text: reads of equal text tell the same."""
        return msgspec.json.encode(replace(self, kinds=[kind for kind in KINDS if kind in self.kinds])).decode()


class FileLines(NamedTuple):
    """What one session or sub-agent says."""

    source: Source
    account: FileReport
    lines: Iterator[Projection]
    """To be used before those of the next file. Raises `SourceError`s."""


class Reading:
    """Sessions and, after each, its sub-agents; what is met again (another name of a file, say) is passed by."""

    def __init__(self, sources: Iterable[Source], asked: Asked, report: Report) -> None:
        """Opens an account in the report for each; reads none of them."""
        self._asked = asked
        self.members: list[tuple[Source, FileReport]] = []
        known: set[str] = set()
        for source in sources:
            for member in family(source):
                # Where one database holds many sessions, its path says nothing.
                key = f"{os.path.realpath(member.transcripts[-1].path)}\0{member.id}"
                if key not in known:
                    known.add(key)
                    account = report.open(readable(member.path), member.agent, member.id)
                    self.members.append((member, account))
        self._read = {(member.agent, full_id(member)) for member, _ in self.members}

    def files(self) -> Iterator[FileLines]:
        """What each says, in order. Nothing is read before the first line is asked for."""
        told = [
            ToldFile(source, self._reader(source, account), forked_from(source)) for source, account in self.members
        ]
        if self._asked.dedupe:
            streams = each_once(told)
        else:
            streams = ((each.line for each in file.read(_ignore)) for file in told)
        for (source, account), lines in zip(self.members, streams, strict=True):
            yield FileLines(source, account, self._within(lines))

    def _reader(self, source: Source, account: FileReport) -> Callable[[Callable[[Session], None]], Iterator[Told]]:
        asked = self._asked

        def told(on_session: Callable[[Session], None]) -> Iterator[Told]:
            options = ReadOptions(usage="usage" in asked.kinds, raw=asked.raw)
            records: Iterator[Record] = read(source, report=account, options=options)
            if agent(source.agent).relabels:
                records = reattributed(records, lambda session: (source.agent, session) in self._read)
            return project_told(
                records, kinds=asked.kinds, text=asked.text, raw=asked.raw, report=account, on_session=on_session
            )

        return told

    def _within(self, lines: Iterator[Projection]) -> Iterator[Projection]:
        since, until = self._asked.since, self._asked.until
        if since is None and until is None:
            return lines
        least = timestamps.iso(since) if since is not None else ""
        end = timestamps.iso(until) if until is not None else "~"
        return (line for line in lines if line.timestamp is not None and least <= line.timestamp < end)


def _ignore(_: Session) -> None:
    pass


class Resumption:
    """What sessions say that an earlier read had not told, and the cursors for the next one."""

    def __init__(self, reading: Reading, asked: Asked, cursors: Mapping[str, Cursor]) -> None:
        """`cursors`: by session, or the only one under ""; see `panscript.readers.cursors`."""
        self._reading, self._asked = reading, asked
        self._given = cursors
        self.cursors: dict[str, Cursor] = {}
        """Filled while `files` is used; of a session that could not be read, or is not among these, the one it had."""

    def files(self) -> Iterator[FileLines]:
        """What is new in each session. All of them are read before anything is given."""
        members = self._reading.members
        self._keep_others()
        foreign = bool(self._given) and all(self._cursor(source) is None for source, _ in members)
        for source, account in members:
            if foreign:
                account.warn("cursor_restarted", "the cursor is of other sessions; everything is read")
            account.restarted, account.replaced = True, {}
            old = self._cursor(source)
            if old is not None and old.state.session == source.id:
                self.cursors[_name(source)] = old
        yield from self._all(members)

    def _keep_others(self) -> None:
        """The cursors of sessions that are not read this time."""
        here = {name for source, _ in self._reading.members for name in (_name(source), _short_name(source))}
        sessions = {source.id for source, _ in self._reading.members}
        for name, cursor in self._given.items():
            if name and name not in here:
                self.cursors[name] = cursor
            elif not name and cursor.state.session not in sessions:
                self.cursors[f"{cursor.parser.partition('@')[0]} {cursor.state.session}"] = cursor

    def _all(self, members: list[tuple[Source, FileReport]]) -> Iterator[FileLines]:
        options = self._asked.options
        fitting: dict[int, Cursor] = {}
        fresh: dict[int, Cursor] = {}
        failures: dict[int, PanscriptError] = {}
        ends: dict[str, int] = {}
        for number, (source, account) in enumerate(members):
            cursor = self._cursor(source)
            trouble = check(source, cursor, options)
            if trouble is not None:
                account.warn("cursor_restarted", f"{trouble}; everything is read again")
                cursor = None
            try:
                covered = cover(source, cursor)
            except SourceError as error:
                failures[number] = error
                continue
            ends.update(covered.ends)
            if cursor is not None and covered.fits:
                fitting[number] = cursor
            elif cursor is not None:
                account.warn(
                    "cursor_restarted", "it does not begin with what was read before; everything is read again"
                )
            state = State(
                session=source.id, options=options, kinds=cursor.state.kinds if covered.fits and cursor else {}
            )
            fresh[number] = Cursor(
                parser=parser_of(source),
                offset=covered.offset,
                prefix_hash=covered.prefix_hash,
                state=state,
                beside=covered.beside,
            )
        if not failures and fitting == fresh:
            for source, account in members:
                account.restarted = False
                self.cursors[_name(source)] = self._cursor(source) or fresh[0]
                yield FileLines(source, account, iter(()))
            return
        found: list[Resumed | None] = []
        room = Room()
        with reading_up_to(ends):
            for number, file in enumerate(self._reading.files()):
                try:
                    if number in failures:
                        raise failures[number]
                    known = fitting.get(number)
                    found.append(Resumed(file.lines, known.state.kinds if known is not None else None, room))
                except PanscriptError as error:
                    failures[number] = error
                    found.append(None)
        for number, (source, account) in enumerate(members):
            resumed = found[number]
            if resumed is None:
                yield FileLines(source, account, _failing(failures[number]))
                continue
            account.restarted, account.replaced = number not in fitting, resumed.replaced
            yield FileLines(source, account, iter(resumed))
            self.cursors[_name(source)] = replace(
                fresh[number], state=State(session=source.id, options=options, kinds=resumed.told)
            )

    def _cursor(self, source: Source) -> Cursor | None:
        if len(self._reading.members) == 1 and "" in self._given:
            return self._given[""]
        return self._given.get(_name(source)) or self._only(source) or self._given.get(_short_name(source))

    def _only(self, source: Source) -> Cursor | None:
        """The cursor of the only session there was, which has more files now."""
        only = self._given.get("")
        return only if only is not None and only.state.session == source.id else None


def _name(source: Source) -> str:
    return f"{source.agent} {full_id(source)}"


def _short_name(source: Source) -> str:
    """What a cursor that stood alone is kept under: of a sub-agent it does not know the session."""
    return f"{source.agent} {source.id}"


def _failing(error: PanscriptError) -> Iterator[Projection]:
    """Nothing; raises where the lines are used."""
    return map(_raise, (error,))


def _raise(error: PanscriptError) -> Projection:
    raise error


def read_everything(
    context: Context,
    *,
    agents: Iterable[str] | None = None,
    kinds: Collection[str] = KINDS,
    text: bool = False,
    raw: bool = False,
    since: Bound | None = None,
    until: Bound | None = None,
    dedupe: bool = True,
    on_diagnostics: Callable[[FileReport], None] | None = None,
    roots: Mapping[str, Collection[Path]] | None = None,
) -> Iterator[Projection]:
    """What every session says: agents in the order of the table, files in that of discovery, each file's own order.

    `kinds`: kinds that an agent does not have give nothing. `text` and `raw` may hold private data. `since` and `until`
    apply to what is left after copies are left out. `dedupe=False` streams every file. `roots` are folders to look at
    instead of an agent's own.

    `on_diagnostics` is handed the account of each file once it was read, and of what could not be read, which is then
    passed by; without it, that is raised (`SourceError`). Raises `UnknownAgent` and `WrongBound` at once.
    """
    asked = Asked(
        kinds=kinds,
        text=text,
        raw=raw,
        since=bound(since) if since is not None else None,
        until=bound(until) if until is not None else None,
        dedupe=dedupe,
    )
    if roots is not None:
        context = replace(context, roots={name: tuple(folders) for name, folders in roots.items()})

    def problem(error: SourceError) -> None:
        if on_diagnostics is None:
            raise error
        on_diagnostics(_not_read(FileReport(path=readable(error.path or "?")), error))

    return _everything(discover(context, agents, problem), asked, on_diagnostics)


def _everything(
    sources: Iterator[Source], asked: Asked, on_diagnostics: Callable[[FileReport], None] | None
) -> Iterator[Projection]:
    for file in Reading(sources, asked, Report()).files():
        try:
            yield from file.lines
        except SourceError as error:
            if on_diagnostics is None:
                raise
            _not_read(file.account, error)
        if on_diagnostics is not None:
            on_diagnostics(file.account)


def _not_read(account: FileReport, error: PanscriptError) -> FileReport:
    account.complete = False
    account.warn("not_read", error.message if error.hint is None else f"{error.message} ({error.hint})")
    return account
