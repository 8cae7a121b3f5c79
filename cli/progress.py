"""Progress bars for long work, on a terminal only: one for a session, or one over all where there are many."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, Self

from panscript.readers.discovery import family
from panscript.schemas.records import Record, Source

if TYPE_CHECKING:
    from rich.progress import Progress

__all__ = ["Bar", "metered", "size_of_all", "watched"]

_LONG = 20 << 20
"""Bytes from which on reading takes long enough to show."""
_MANY = 50
"""Sessions from which on it does, however small they are."""
_STEP = 1 << 20
_LONGEST_NAME = 40

_meter: ContextVar[Callable[[int], None] | None] = ContextVar("meter", default=None)


@contextmanager
def metered(meter: Callable[[int], None]) -> Iterator[None]:
    """Inside, `watched` tells `meter` of bytes that were read, and shows nothing itself."""
    before = _meter.set(meter)
    try:
        yield
    finally:
        _meter.reset(before)


def watched(records: Iterable[Record], source: Source, *, quiet: bool) -> Iterator[Record]:
    """The same records; how far the reading is shows on stderr while a person watches."""
    if (meter := _meter.get()) is not None:
        yield from _counted(records, meter)
        return
    total = _size(source)
    if quiet or total < _LONG or not sys.stderr.isatty():
        yield from records
        return
    from rich.progress import BarColumn, DownloadColumn, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with _shown(*columns) as progress:
        task = progress.add_task(_name(source), total=total)
        yield from _counted(records, lambda size: progress.advance(task, size))


def _counted(records: Iterable[Record], told: Callable[[int], None]) -> Iterator[Record]:
    passed = 0
    for record in records:
        yield record
        passed += len(record.raw)
        if passed >= _STEP:
            told(passed)
            passed = 0


class Bar:
    """One bar over many sessions: how many are done, how many bytes were read, and which one is being read."""

    def __init__(self, sources: Sequence[Source], *, quiet: bool) -> None:
        """Shows nothing unless a person watches and it takes long."""
        self._names = [_name(source) for source in sources]
        self.sizes = [size_of_all(source) for source in sources]
        self._read = [0] * len(sources)
        self._done = 0
        self._stack = ExitStack()
        self._progress: Progress | None = None
        self.shown = not quiet and sys.stderr.isatty() and (sum(self.sizes) >= _LONG or len(sources) >= _MANY)

    def __enter__(self) -> Self:
        if self.shown:
            from rich.progress import BarColumn, DownloadColumn, TextColumn, TimeRemainingColumn

            count = TextColumn(f"{{task.fields[done]}}/{len(self.sizes)} sessions")
            name = TextColumn("{task.description}")
            self._progress = self._stack.enter_context(
                _shown(count, BarColumn(), DownloadColumn(), TimeRemainingColumn(), name)
            )
            self._task = self._progress.add_task("", total=sum(self.sizes), done=0)
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def began(self, number: int) -> None:
        """The session of this number is being read, from its beginning."""
        self._forget(number)
        if self._progress is not None:
            self._progress.update(self._task, description=self._names[number])

    def passed(self, number: int, size: int) -> None:
        """So many bytes more were read of it."""
        size = min(size, self.sizes[number] - self._read[number])
        self._read[number] += size
        if self._progress is not None:
            self._progress.advance(self._task, size)

    def ended(self, number: int) -> None:
        """Nothing more is read of it."""
        self.passed(number, self.sizes[number])
        self._done += 1
        if self._progress is not None:
            self._progress.update(self._task, done=self._done)

    def again(self, number: int) -> None:
        """It ended, and has to be read once more."""
        self._done -= 1
        self._forget(number)

    def aside(self) -> AbstractContextManager[None]:
        """Inside, the terminal belongs to somebody else."""
        return nullcontext() if self._progress is None else self._out_of_the_way(self._progress)

    def _forget(self, number: int) -> None:
        if self._progress is not None:
            self._progress.advance(self._task, -self._read[number])
        self._read[number] = 0

    @contextmanager
    def _out_of_the_way(self, progress: Progress) -> Iterator[None]:
        progress.stop()
        try:
            yield
        finally:
            progress.start()


def _shown(*columns: object) -> Progress:
    from rich.console import Console
    from rich.progress import Progress

    return Progress(*columns, console=Console(stderr=True), transient=True)  # type: ignore[arg-type]


def _name(source: Source) -> str:
    return Path(source.path).name[:_LONGEST_NAME]


def size_of_all(source: Source) -> int:
    """Bytes of the transcripts of a session and its sub-agents, as they lie there."""
    return sum(_size(member) for member in family(source))


def _size(source: Source) -> int:
    total = 0
    for file in source.transcripts:
        try:
            total += Path(file.path).stat().st_size
        except OSError:
            continue
    return total
