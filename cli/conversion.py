"""One session and its sub-agents, from their reader through the stages to the target's writer."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from panscript.cli.beside import put_beside
from panscript.cli.copying import copy
from panscript.cli.homecoming import Homecoming, homecoming
from panscript.cli.output import Destination
from panscript.cli.progress import watched
from panscript.cli.settings import current, redactor
from panscript.cli.streams import family
from panscript.cli.version import VERSION
from panscript.readers.opening import read
from panscript.readers.options import ReadOptions
from panscript.schemas.errors import CannotConvert, StrictLoss
from panscript.schemas.events import Event, Session
from panscript.schemas.naming import encodable
from panscript.schemas.records import Source
from panscript.schemas.report import FileReport, Report
from panscript.stages.pipe import events_of
from panscript.stages.prepare import prepare
from panscript.stages.tail import settled
from panscript.writers.options import Embedding, WriteOptions
from panscript.writers.targets import writer

if TYPE_CHECKING:
    from panscript.stages.redaction import Redactor

__all__ = ["Conversion", "embeddings_of", "judge", "prepared"]


class _Written(NamedTuple):
    """A session at its target."""

    path: str | None
    """None on standard output."""
    session_id: str


class Conversion:
    """How sessions are to be converted. `live_only`: also where the agent stays the same."""

    def __init__(
        self,
        target: str,
        destination: Destination,
        report: Report,
        *,
        redact: bool,
        all_branches: bool,
        cwd: str | None,
        subagents: bool,
        imported_at: int | None,
        strict: bool,
        embed: bool = False,
        live_only: bool = False,
        quiet: bool = False,
    ) -> None:
        self._target = target
        self._destination = destination
        self._report = report
        self._redact = redact
        self._settings = current()
        self._subagents = subagents
        self._strict = strict
        self._embed = embed
        self._live_only = live_only
        self._quiet = quiet
        self._options = WriteOptions(
            imported_at=imported_at if imported_at is not None else time.time_ns() // 1_000_000,
            importer=f"panscript {VERSION}",
            cwd=encodable(os.path.abspath(cwd)) if cwd is not None else None,  # noqa: PTH100 - keep links
            all_branches=all_branches,
        )

    def convert(self, source: Source) -> Iterator[str | None]:
        """Write the session and its sub-agents; gives the path of each file (None on standard output)."""
        if source.agent == self._target:
            yield from copy(
                source,
                self._destination,
                self._report,
                redactor=self._redactor(),
                subagents=self._subagents,
                strict=self._strict,
                cwd=self._options.cwd,
                live_only=self._live_only,
                line_safe=self._redact,
            )
            return
        side = list(family(source))[1:]
        alone = not self._subagents or not self._destination.many
        account = self._report.open(source.path, source.agent, source.id)
        if side and alone:
            account.lose("subagent_left_out" if self._subagents else "subagent", len(side))
        written = self._write(source, account, self._options)
        yield written.path
        if not alone:
            options = replace(self._options, root_session=written.session_id, parent_session=written.session_id)
            yield from self._children(source, options)

    def _children(self, source: Source, options: WriteOptions) -> Iterator[str | None]:
        """Write the sub-agents of a session, and theirs."""
        for child in source.children:
            account = self._report.open(child.path, child.agent, child.id)
            below = options
            try:
                written = self._write(child, account, options)
            except CannotConvert as error:
                # Sub-agents that never said anything are no sessions; theirs hang on the nearest one above.
                account.warn("nothing_on_branch", error.message)
            else:
                yield written.path
                below = replace(options, parent_session=written.session_id)
            yield from self._children(child, below)

    def _redactor(self) -> Redactor | None:
        """One for each session: it numbers the session's secrets."""
        return redactor(self._settings) if self._redact else None

    def _write(self, source: Source, account: FileReport, options: WriteOptions) -> _Written:
        target = writer(self._target)
        redactor = self._redactor()
        if self._embed:
            options = replace(options, embed=partial(embeddings_of, source, redactor))
        first, stream = prepared(
            source, account, redactor=redactor, all_branches=options.all_branches, quiet=self._quiet
        )
        if first.imported_from == self._target:
            with homecoming(source, self._target) as found:
                if isinstance(found, Homecoming):
                    return self._home(found, options)
                if found is not None:
                    account.warn("records_unused", f"{found}; the session was converted")
        self._look(first, account)
        with self._destination.open(target.file_name(first, options)) as place:
            try:
                place.time = target.write(chain[Event]((first,), stream), place.file, options=options, report=account)
            except CannotConvert as error:
                raise CannotConvert(error.message, path=source.path, hint=error.hint) from None
            judge(source, account, strict=self._strict)
            path = str(place.path) if place.path is not None else None
        if path is not None:
            account.written.append(path)
        if self._destination.folder is not None:
            # An index of all sessions is the agent's own: only an import puts a line there.
            for file in (file for file in target.beside(first, options) if not file.is_line):
                account.written.append(put_beside(self._destination.folder / file.path, file, force=True))
        return _Written(path, target.session_id(first, options))

    def _home(self, found: Homecoming, options: WriteOptions) -> _Written:
        """Write the records that the session was imported with, and what was said since."""
        self._report.files.pop()
        redactor = self._redactor()
        paths = copy(
            found.home,
            self._destination,
            self._report,
            redactor=redactor,
            subagents=False,
            strict=self._strict,
            cwd=options.cwd,
            line_safe=self._redact,
            rest=partial(found.rest, options=options, redactor=redactor),
        )
        *_, path = paths
        return _Written(path, found.home.id)

    def _look(self, session: Session, account: FileReport) -> None:
        """What the target needs of this machine."""
        cwd = self._options.cwd or session.cwd
        if cwd is None:
            account.warn("cwd_missing", "the session does not say in which folder it ran; `--cwd DIR` names one")
        elif not os.path.isdir(cwd):  # noqa: PTH112 - a name too long for this machine is no error
            hint = "" if self._options.cwd else " (`--cwd DIR` names another)"
            account.warn("cwd_missing", f"the folder of the session is not on this machine: {cwd}{hint}")


def prepared(
    source: Source,
    account: FileReport,
    *,
    redactor: Redactor | None,
    all_branches: bool,
    quiet: bool,
    live_tail: bool = True,
    digest: bool = True,
) -> tuple[Session, Iterator[Event]]:
    """The session's first event, and the others as every writer takes them.

    Raises `SourceError`s, and `CannotConvert` when there is no session in it.
    """
    records = read(source, report=account, options=ReadOptions(told_usage=False, digest=digest))
    events: Iterator[Event] = events_of(watched(records, source, quiet=quiet))
    if not live_tail:
        events = settled(events, account)
    stream = prepare(events, redactor=redactor, all_branches=all_branches, report=account)
    first = next(stream, None)
    if not isinstance(first, Session):
        raise CannotConvert("there is no session in it", path=source.path)
    account.session_id = first.session_id
    return first, stream


def judge(source: Source, account: FileReport, *, strict: bool) -> None:
    """Count what damage cost. Raises `StrictLoss` when content was lost and that is not wanted."""
    if account.skipped_lines:
        account.lose("damaged_line", account.skipped_lines)
    lost = account.lost_content()
    if strict and lost:
        what = ", ".join(f"{code}: {times}" for code, times in lost.items())
        raise StrictLoss(f"content would be lost ({what})", path=str(Path(source.path)))


def embeddings_of(source: Source, redactor: Redactor | None) -> Iterator[Embedding]:
    """The source records themselves; what compresses them is imported when they are asked for."""
    from panscript.cli.embedding import embeddings

    return embeddings(source, redactor)
