"""Sessions on their way into the store of another agent, where it lists and resumes them."""

from __future__ import annotations

import hashlib
import os
import shutil
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import chain
from pathlib import Path
from typing import BinaryIO, Literal, NamedTuple, cast

import msgspec
from msgspec.structs import replace

from panscript.cli.beside import put_beside
from panscript.cli.conversion import embeddings_of, judge, prepared
from panscript.cli.output import Target, write_file
from panscript.cli.settings import current, redactor
from panscript.cli.version import VERSION
from panscript.readers.context import Context
from panscript.readers.digest import source_files
from panscript.readers.discovery import family
from panscript.readers.finding import readable
from panscript.schemas.agents import agent
from panscript.schemas.errors import CannotConvert, OutputExists, OutputFailed
from panscript.schemas.events import Event, Session, SourceFile
from panscript.schemas.naming import encodable
from panscript.schemas.plural import times
from panscript.schemas.records import Source
from panscript.schemas.report import FileReport, Report
from panscript.stages.redaction import Redactor
from panscript.writers.options import WriteOptions
from panscript.writers.stores import CannotAppend, Earlier, store
from panscript.writers.targets import writer

__all__ = ["Importer", "Placed", "Wishes"]

_TRIES = 100
_REWRITTEN = "the source was rewritten, not only added to"


class Wishes(msgspec.Struct, frozen=True, kw_only=True):
    """How sessions are to be imported."""

    redact: bool = True
    all_branches: bool = False
    subagents: bool = True
    embed: bool = False
    strict: bool = False
    live: bool = False
    """Leave out what may still change at the end of a session that goes on."""
    once: bool = False
    """Keep to an earlier import of the same session."""
    dry_run: bool = False
    """Write nothing."""
    imported_at: int | None = None
    """The time of the import, in milliseconds since 1970 UTC; None is now."""
    quiet: bool = False


class Placed(NamedTuple):
    """Where a session is now."""

    path: Path
    session_id: str
    """Its id at the target."""
    done: Literal["imported", "appended", "unchanged"]
    root: str = ""
    """Id at the target of the session that a person talks to, for a sub-agent's; else its own."""


class _Again(Exception):
    """Another program was faster: look again at what is there."""


class _Taken(NamedTuple):
    """A source that was opened: its first event and the others, and what its files were just before."""

    first: Session
    stream: Iterator[Event]
    files: tuple[SourceFile, ...]
    stamps: list[tuple[int, int, int]]
    redactor: Redactor | None


class Importer:
    """Puts sessions into the folder of one project in the store of one agent."""

    def __init__(self, target: str, context: Context, cwd: str, report: Report, wishes: Wishes) -> None:
        """`cwd` is the project's folder, absolute and without links. Raises `UnknownAgent`, `CannotConvert`."""
        self._target = target
        self._store = store(target)
        self._writer = writer(target)
        self._context = context
        self._cwd = cwd
        self._report = report
        self._wishes = wishes
        self._settings = current()
        self.folder = self._store.project_folder(context, cwd)
        self._options = WriteOptions(
            imported_at=wishes.imported_at if wishes.imported_at is not None else time.time_ns() // 1_000_000,
            importer=f"panscript {VERSION}",
            cwd=cwd,
            all_branches=wishes.all_branches,
        )

    def place(self, source: Source) -> Iterator[Placed]:
        """Import the session, then its sub-agents; gives where each is. Raises `PanscriptError`s."""
        if source.agent == self._target:
            name = agent(self._target).name
            raise CannotConvert(f"this is a session of {name} already", path=source.path)
        first = self._place(source, None)
        yield first
        if self._wishes.subagents:
            yield from self._children(source, first)

    @property
    def program(self) -> str:
        """What the agent's program is called."""
        return self._store.PROGRAM

    def command(self, placed: Placed, *, own_store: bool) -> list[str]:
        """The program that goes on with the session. `own_store`: nobody moved the store."""
        return self._store.command(str(placed.path), placed.session_id, own_store=own_store)

    def _children(self, source: Source, parent: Placed) -> Iterator[Placed]:
        for child in source.children:
            try:
                placed = self._place(child, parent)
            except CannotConvert as error:
                # Sub-agents that never said anything are no sessions; theirs hang on the nearest one above.
                self._report.files[-1].warn("nothing_on_branch", error.message)
                placed = parent
            else:
                yield placed
            yield from self._children(child, placed)

    def _place(self, source: Source, parent: Placed | None) -> Placed:
        for _ in range(_TRIES):
            try:
                placed = self._attempt(source, parent)
                return placed._replace(root=parent.root if parent is not None else placed.session_id)
            except (_Again, OutputExists):
                # What was counted for nothing is counted again.
                self._report.files.pop()
        raise OutputFailed("other programs write there all the time", path=readable(str(self.folder)))

    def _attempt(self, source: Source, parent: Placed | None) -> Placed:
        account = self._account(source)
        taken = self._take(source, account)
        # Before earlier imports are looked for: one that is made meanwhile must be in the way of this one.
        ids = self._store.taken_ids(self._context, self.folder)
        if self._wishes.once:
            found = self._once(source, account, taken, parent)
            if isinstance(found, Placed):
                return found
            if found is not None:
                self._report.files.pop()
                account = self._account(source)
                account.warn("imported_again", f"it was imported once more: {found}")
                taken = self._take(source, account)
        return self._new(source, account, taken, parent, ids)

    def _account(self, source: Source) -> FileReport:
        return self._report.open(readable(source.path), source.agent, source.id)

    def _take(self, source: Source, account: FileReport) -> _Taken:
        """Open the source. The files are looked at first, so that the record never says more than was read."""
        stamps = _stamps(source)
        files = source_files(_absolute(source))
        hiding = redactor(self._settings) if self._wishes.redact else None
        first, stream = prepared(
            source,
            account,
            redactor=hiding,
            all_branches=self._wishes.all_branches,
            quiet=self._wishes.quiet,
            live_tail=not self._wishes.live,
            digest=False,
        )
        return _Taken(replace(first, files=files), stream, files, stamps, hiding)

    def _new(
        self, source: Source, account: FileReport, taken: _Taken, parent: Placed | None, ids: Collection[str]
    ) -> Placed:
        """Import the session under the next free number."""
        left_out = sum(1 for _ in family(source)) - 1
        if left_out and not self._wishes.subagents:
            account.lose("subagent", left_out)
        options = self._options
        if parent is not None:
            options = replace(
                options,
                parent_file=encodable(str(parent.path)),
                parent_session=parent.session_id,
                root_session=parent.root,
            )
        while (name := self._store.session_id(taken.first, options)) in ids:
            options = replace(options, number=options.number + 1)
        path = self.folder / self._store.name(taken.first, options)
        with _nowhere() if self._wishes.dry_run else write_file(path, force=False) as place:
            place.time = self._write(source, taken, place.file, options, account)
            _notice_change(source, taken.stamps, account)
        if not self._wishes.dry_run:
            account.written.append(str(path))
            for file in self._writer.beside(taken.first, options):
                place_beside = self._store.beside(self._context, self.folder, file)
                account.written.append(put_beside(place_beside, file, force=False))
        return Placed(path, name, "imported")

    def _once(self, source: Source, account: FileReport, taken: _Taken, parent: Placed | None) -> Placed | str | None:
        """What an earlier import has become; where it cannot serve, why. None when there is no earlier import."""
        first = taken.first
        found = self._store.find_imports(self.folder, self._cwd, first.agent, first.session_id)
        above = encodable(str(parent.path)) if parent is not None else None
        earlier = next((each for each in found if above in (None, each.parent_file)), None)
        if earlier is None:
            return None
        try:
            now = _compared(source, taken.files, self._store.covered(earlier))
            if now == "same":
                return self._unchanged(earlier, account)
            if now == "rewritten":
                return _REWRITTEN
            added = self._append(source, taken, earlier, account)
        except CannotAppend as reason:
            return reason.message
        except FileNotFoundError:
            raise _Again from None
        if added is None:
            return self._unchanged(earlier, account)
        _notice_change(source, taken.stamps, account)
        account.warn("appended", times(added, "entry was", "entries were") + " added to the earlier import")
        if not self._wishes.dry_run:
            account.written.append(earlier.path)
        return Placed(Path(earlier.path), earlier.session_id, "appended")

    def _unchanged(self, earlier: Earlier, account: FileReport) -> Placed:
        account.warn("unchanged", "unchanged since it was imported")
        return Placed(Path(earlier.path), earlier.session_id, "unchanged")

    def _append(self, source: Source, taken: _Taken, earlier: Earlier, account: FileReport) -> int | None:
        """Let the earlier import grow; gives the number of new entries, None when there is nothing new.

        The file is replaced by one with more lines, if it is still the one that was read. Raises `CannotAppend`.
        """
        options = replace(
            self._options,
            number=earlier.number,
            imported_at=earlier.imported_at,
            parent_file=earlier.parent_file,
        )
        with ExitStack() as stack:
            old = stack.enter_context(Path(earlier.path).open("rb"))
            was = os.fstat(old.fileno())
            places: list[Target] = []

            def begin() -> BinaryIO:
                place = stack.enter_context(
                    _nowhere() if self._wishes.dry_run else write_file(Path(earlier.path), force=True)
                )
                places.append(place)
                shutil.copyfileobj(old, place.file, 1 << 20)
                return place.file

            extension = self._store.extension(earlier, taken.files, begin)
            stack.callback(extension.close)
            last = self._write(source, taken, cast(BinaryIO, extension), options, account)
            for place in places:
                # An import that somebody worked with does not become older.
                place.time = max(last or 0, was.st_mtime_ns // 1_000_000)
                if place.path is None:
                    continue
                place.file.flush()
                os.fsync(place.file.fileno())
                if _stamp(os.stat(earlier.path)) != _stamp(was):  # noqa: PTH116
                    raise _Again
            return extension.added if extension.began else None

    def _write(
        self, source: Source, taken: _Taken, sink: BinaryIO, options: WriteOptions, account: FileReport
    ) -> int | None:
        if self._wishes.embed:
            options = replace(options, embed=partial(embeddings_of, _absolute(source), taken.redactor))
        events = chain[Event]((taken.first,), taken.stream)
        try:
            last = self._writer.write(events, sink, options=options, report=account)
        except CannotConvert as error:
            raise CannotConvert(error.message, path=readable(source.path), hint=error.hint) from None
        judge(source, account, strict=self._wishes.strict)
        return last


def _absolute(source: Source) -> Source:
    """The same with paths that mean something later; what was not read from a file keeps its name."""
    if source.shown_as is not None:
        return source
    files = tuple(replace(file, path=os.path.abspath(file.path)) for file in source.files)  # noqa: PTH100 - keep links
    return replace(source, files=files)


class _Nothing:
    """A file that takes everything and keeps nothing."""

    def write(self, data: bytes) -> int:
        return len(data)


@contextmanager
def _nowhere() -> Iterator[Target]:
    yield Target(cast(BinaryIO, _Nothing()), None)


def _stamp(found: os.stat_result) -> tuple[int, int, int]:
    return found.st_ino, found.st_size, found.st_mtime_ns


def _stamps(source: Source) -> list[tuple[int, int, int]]:
    """What tells that a file of the source was written to; nothing where it cannot be looked at."""
    stamps = []
    for file in source.transcripts:
        try:
            stamps.append(_stamp(os.stat(file.path)))  # noqa: PTH116
        except OSError:
            stamps.append((0, 0, 0))
    return stamps


def _notice_change(source: Source, before: list[tuple[int, int, int]], account: FileReport) -> None:
    if _stamps(source) != before and not any(warning.code == "file_changed" for warning in account.warnings):
        account.warn("file_changed", "it was written to while it was read; `--once` adds what came later")


def _compared(
    source: Source, now: Sequence[SourceFile], then: Sequence[SourceFile]
) -> Literal["same", "grown", "rewritten"]:
    """What became of the source's files since an earlier import."""
    if len(now) < len(then):
        return "rewritten"
    grown = len(now) > len(then)
    for old, new, file in zip(then, now, source.transcripts, strict=False):
        if (old.bytes, old.sha256) == (new.bytes, new.sha256):
            continue
        if new.bytes <= old.bytes or _digest(file.path, old.bytes) != old.sha256:
            return "rewritten"
        grown = True
    return "grown" if grown else "same"


def _digest(path: str, size: int) -> str:
    """Of the first bytes of a file."""
    digest = hashlib.sha256()
    with Path(path).open("rb") as file:
        while size > 0 and (block := file.read(min(size, 1 << 20))):
            digest.update(block)
            size -= len(block)
    return digest.hexdigest()
