"""Sessions and what they say, found beside the screen: what is on the screen first, the rest by age."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from threading import Condition, Thread

from panscript.cli.listing import Entry, Wanted, count
from panscript.cli.picker.model import Row
from panscript.readers.peek import Facts, Peeker
from panscript.schemas.errors import SourceError
from panscript.schemas.records import Source

__all__ = ["Loader"]

_OFTEN = 0.1
"""Seconds between two news."""
_MANY = 50
"""Rows that are read between two looks at what is on the screen."""


class Loader:
    """Fills `rows` in a thread of its own. All rows are read in the end, so that the filter finds them."""

    def __init__(
        self,
        sources: Iterable[Source],
        folder: str,
        problems: list[SourceError] | None = None,
        *,
        first: Callable[[Callable[[str], bool]], Iterable[Source]] = lambda _: (),
    ) -> None:
        """`sources` are the sessions there are, looked for while they are gone through; `folder` is the project's.

        To `problems`, which the search may fill, too, comes what cannot be read. `first` gives files to show before
        anything was searched; it is told which paths are likely to be of the project.
        """
        self.rows: list[Row] = []
        self.problems = problems if problems is not None else []
        self.failure: BaseException | None = None
        """Why the thread ended before its time."""
        self.found_all = False
        self.unread = 0
        """Rows that were found but not read yet."""
        self.version = 0
        """Grows with everything that becomes known."""
        self._sources = sources
        self._first = first
        self._project = _Project(folder)
        self._peek = Peeker()
        self._news: Callable[[], None] | None = None
        self._told = 0.0
        self._visible: Sequence[Row] = ()
        self._change = Condition()
        self._stopped = False
        self._idle = self._ended = False
        self._thread = Thread(target=self._run, name="sessions", daemon=True)

    def start(self) -> None:
        """Begin with what is shown first."""
        self._thread.start()

    def go_on(self, news: Callable[[], None]) -> None:
        """Search, now that there is a screen; `news` is called from the thread when there is something to show."""
        with self._change:
            self._news = news
            self._change.notify_all()

    def stop(self) -> None:
        """End at the next session. Does not wait: a slow disk must not hold up who leaves."""
        with self._change:
            self._stopped = True
            self._change.notify_all()

    def want(self, rows: Sequence[Row]) -> None:
        """These are on the screen: they come first."""
        with self._change:
            self._visible = tuple(rows)
            if any(_open(row) for row in rows):
                self._idle = False
                self._change.notify_all()

    @property
    def idle(self) -> bool:
        """Whether everything was found and read, and all that is on the screen was counted."""
        with self._change:
            return self._idle

    def wait(self) -> None:
        """Until it is idle or has ended."""
        with self._change:
            self._change.wait_for(lambda: self._idle or self._ended)

    def _run(self) -> None:
        try:
            self._look()
            self._tell(now=True)
            with self._change:
                # Whoever makes the screen needs the processor until then.
                self._change.wait_for(lambda: self._stopped or self._news is not None)
            self._find()
            self._read()
        except Exception as failure:  # noqa: BLE001 - handed to the thread that waits
            self.failure = failure
            self._tell(now=True)
        with self._change:
            self._ended = True
            self._change.notify_all()

    def _look(self) -> None:
        """Rows without waiting for the search. What no person began is no session of its own, or not yet one."""
        for source in self._first(self._project.likely):
            try:
                facts = self._peek(source)
            except SourceError:
                continue
            if facts.first_prompt is not None and facts.parent_session_id is None and not self._stopped:
                row = Row(source, _changed(source), tentative=True)
                row.learn(facts, here=self._project.is_of(source, facts))
                self.rows.append(row)
                self.version += 1

    def _find(self) -> None:
        tentative = {(row.source.agent, row.source.path): row for row in self.rows}
        for number, source in enumerate(self._sources, 1):
            if self._stopped:
                return
            known = tentative.pop((source.agent, source.path), None)
            if known is None:
                self.rows.append(Row(source, _changed(source)))
                self.unread += 1
            else:
                alone = source.transcripts == known.source.transcripts
                known.source, known.tentative = source, False
                if not alone:
                    known.facts = None
                    self.unread += 1
            self.version += 1
            if number % _MANY == 0:
                self._serve()
                self._tell()
        for row in tentative.values():
            row.gone = True
        self.found_all = True
        self.version += 1
        self._tell(now=True)

    def _read(self) -> None:
        waiting = sorted(
            (row for row in self.rows if row.facts is None),
            key=lambda row: (self._project.likely(row.source.path), row.changed),
        )
        while not self._stopped:
            self._serve()
            while waiting and (waiting[-1].facts is not None or waiting[-1].gone):
                waiting.pop()
            if waiting:
                self._learn(waiting.pop())
                self._tell()
                continue
            with self._change:
                if self._stopped or any(_open(row) for row in self._visible):
                    continue
                self._idle = True
                self.version += 1
                self._change.notify_all()
            self._tell(now=True)
            with self._change:
                self._change.wait_for(lambda: self._stopped or not self._idle)

    def _serve(self) -> None:
        """What is on the screen: first what they say, then how much."""
        visible = self._visible
        for row in visible:
            if row.facts is None and not row.gone:
                self._learn(row)
        if visible:
            self._tell()
        for row in visible:
            if visible is not self._visible or self._stopped:
                return
            if _open(row):
                self._count(row)
                self._tell()

    def _learn(self, row: Row) -> None:
        try:
            facts = self._peek(row.source)
        except SourceError as problem:
            self._lose(row, problem)
        else:
            row.learn(facts, here=self._project.is_of(row.source, facts))
        self.unread -= 1
        self.version += 1

    def _count(self, row: Row) -> None:
        if row.facts is not None:
            entry = Entry(row.source, row.facts)
            # That it cannot be read whole is for the import to say.
            count([entry], lambda _: None, large=False)
            row.messages = entry.messages
        row.counted = True
        self.version += 1

    def _lose(self, row: Row, problem: SourceError) -> None:
        row.gone = row.counted = True
        self.problems.append(problem)

    def _tell(self, *, now: bool = False) -> None:
        moment = time.monotonic()
        if now or moment - self._told >= _OFTEN:
            self._told = moment
            if self._news is not None:
                self._news()


def _open(row: Row) -> bool:
    """Whether there is still something to find out that the screen shows."""
    return not row.gone and not row.counted


class _Project:
    """Tells sessions of the project from others."""

    def __init__(self, folder: str) -> None:
        self._wanted = Wanted(cwd=folder)
        self._known: dict[str | None, bool] = {}
        name = re.escape(re.sub(r"[^A-Za-z0-9]", "-", Path(folder).name))
        self._named = re.compile(rf"[-/\\]{name}-*[/\\]") if name else None

    def is_of(self, source: Source, facts: Facts) -> bool:
        """Whether it ran in the project's folder."""
        if facts.cwd not in self._known:
            self._known[facts.cwd] = self._wanted(Entry(source, facts))
        return self._known[facts.cwd]

    def likely(self, path: str) -> bool:
        """Whether it may be, by the look of its path: many agents keep a folder a project, named after it."""
        return self._named is not None and self._named.search(path) is not None


def _changed(source: Source) -> int:
    """When the file was written to last, in milliseconds since 1970 UTC."""
    try:
        return os.stat(source.transcripts[-1].path).st_mtime_ns // 1_000_000  # noqa: PTH116 - once a session
    except OSError:
        return 0
