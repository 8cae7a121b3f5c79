"""Work on many sessions by several processes, with the outcome of a single one.

Each process has one session at a time, so that it is known which one was lost with it. Outcomes are handed on in the
order of the sessions. Where two sessions want one file name the earlier one gets it: a later one that was faster is
undone and comes again.
"""

from __future__ import annotations

import contextlib
import heapq
import multiprocessing
import os
import signal
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from pathlib import Path
from types import FrameType
from typing import Any, Literal, cast

from panscript.cli.output import claiming, temporary_files
from panscript.cli.progress import Bar, metered
from panscript.cli.work import Outcome, Work, outcome_of
from panscript.readers.options import patient
from panscript.schemas.errors import PanscriptError
from panscript.schemas.records import Source

__all__ = ["Crew"]

_PATIENCE = 5
"""Seconds that a process has to tidy up."""
# A fresh interpreter: libraries with threads and memory of their own are not copied in the middle of something.
_processes = multiprocessing.get_context("spawn")

_Message = tuple[Literal["claim", "release", "read", "done"], Any]


class Crew:
    """Several processes that do the same work."""

    def __init__(self, sources: Sequence[Source], work: Work, jobs: int, bar: Bar) -> None:
        self._sources, self._work, self._jobs, self._bar = sources, work, jobs, bar
        self._pending = list(range(len(sources)))
        self._idle: list[_Hand] = []
        self._busy: dict[Connection, _Hand] = {}
        self._outcomes: dict[int, Outcome] = {}
        self._finished: set[int] = set()
        self._owners: dict[str, int] = {}
        """File name -> the session that has it."""
        self._asking: list[tuple[_Hand, str]] = []
        """Who waits for a name until it is known whether its owner keeps it."""
        self._refused: dict[int, set[int]] = {}
        """Session -> later ones that did not get a name because of it."""
        self._undone: set[int] = set()
        """Sessions at work that have to come again: they have a name which an earlier one wants, or were refused one
        by such."""

    def outcomes(self) -> Generator[Outcome, None, None]:
        """What came of each session, in their order. Closing the iterator ends the work."""
        try:
            for number in range(len(self._sources)):
                while number not in self._outcomes:
                    self._hand_out()
                    for pipe in cast(list[Connection], wait(list(self._busy))):
                        if pipe in self._busy:
                            self._hear(self._busy[pipe])
                yield self._outcomes.pop(number)
        finally:
            for hand in self._busy.values():
                hand.process.terminate()
            for hand in (*self._idle, *self._busy.values()):
                hand.end()

    def _hand_out(self) -> None:
        while self._pending and len(self._busy) < self._jobs:
            hand = self._idle.pop() if self._idle else _Hand(self._work, watched=self._bar.shown)
            hand.number = heapq.heappop(self._pending)
            self._busy[hand.pipe] = hand
            self._bar.began(hand.number)
            with contextlib.suppress(OSError):  # when it is gone, nothing comes from it either
                hand.pipe.send(self._sources[hand.number])

    def _hear(self, hand: _Hand) -> None:
        try:
            what, value = cast(_Message, hand.pipe.recv())
        except (EOFError, OSError):
            self._lost(hand)
            return
        if what == "claim":
            self._claim(hand, value)
        elif what == "release":
            self._owners.pop(value, None)
            self._ask_again()
        elif what == "read":
            self._bar.passed(hand.number, value)
        else:
            self._idle.append(self._busy.pop(hand.pipe))
            self._end(hand.number, value)

    def _lost(self, hand: _Hand) -> None:
        """The process was killed. What it had written stays, what it was writing goes."""
        del self._busy[hand.pipe]
        hand.end()
        self._asking = [each for each in self._asking if each[0] is not hand]
        for path in self._names_of(hand.number):
            for each in temporary_files(Path(path)):
                each.unlink(missing_ok=True)
            if not os.path.lexists(path):
                del self._owners[path]
        error = PanscriptError(
            "the process that was working on it was killed",
            path=self._sources[hand.number].path,
            hint="is there enough memory? fewer `--jobs` need less",
        )
        self._end(hand.number, Outcome(accounts=[], told=[], error=error))

    def _end(self, number: int, outcome: Outcome) -> None:
        self._outcomes[number] = outcome
        self._finished.add(number)
        self._bar.ended(number)
        if number in self._undone:
            self._undo(number)
        self._ask_again()

    def _claim(self, hand: _Hand, path: str) -> None:
        number, owner = hand.number, self._owners.get(path)
        if owner is None:
            self._owners[path] = number
            hand.answer(None)
        elif owner == number or number in self._undone or (owner < number and owner in self._finished):
            self._refused.setdefault(owner, set()).add(number)
            hand.answer(self._sources[owner].path)
        elif owner > number and owner in self._finished:
            self._undo(owner)
            self._claim(hand, path)
        else:
            self._asking.append((hand, path))
            if owner > number:
                self._give_up(owner)

    def _give_up(self, number: int) -> None:
        """The session that is at work has to come again."""
        self._undone.add(number)
        # It may itself be waiting, and for the one that is in its way.
        self._ask_again(number)

    def _ask_again(self, number: int | None = None) -> None:
        asking = [each for each in self._asking if number in (None, each[0].number)]
        self._asking = [each for each in self._asking if each not in asking]
        for hand, path in asking:
            self._claim(hand, path)

    def _undo(self, number: int) -> None:
        """Take away what the session wrote, and let it come again."""
        self._undone.discard(number)
        self._finished.discard(number)
        del self._outcomes[number]
        for path in self._names_of(number):
            Path(path).unlink(missing_ok=True)
            del self._owners[path]
        heapq.heappush(self._pending, number)
        self._bar.again(number)
        for other in self._refused.pop(number, set()) - {number}:
            if other in self._finished:
                self._undo(other)
            elif other not in self._pending:
                self._give_up(other)

    def _names_of(self, number: int) -> list[str]:
        return [path for path, owner in self._owners.items() if owner == number]


class _Hand:
    """A process, and the pipe to it."""

    def __init__(self, work: Work, *, watched: bool) -> None:
        self.number = -1
        """The session it has."""
        self.pipe, other = _processes.Pipe()
        self.process = _processes.Process(target=_serve, args=(other, work, watched), daemon=True)
        with _uninterrupted():
            self.process.start()
        other.close()

    def answer(self, owner: str | None) -> None:
        """Say whose the name is that it wants; None: its own."""
        with contextlib.suppress(OSError):
            self.pipe.send(owner)

    def end(self) -> None:
        """It ends when nobody speaks to it any more."""
        self.pipe.close()
        self.process.join(_PATIENCE)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()
        self.process.close()


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """A process that is started inside hears nothing of Ctrl-C; its parent does, afterwards."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    # Started with the first process, it would undo this.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _serve(pipe: Connection, work: Work, watched: bool) -> None:
    """What a process does until its parent, which alone decides, ends it or is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _stop)
    with contextlib.suppress(EOFError, OSError), claiming(_Asking(pipe)), patient():
        while True:
            source = cast(Source, pipe.recv())
            with metered(lambda size: pipe.send(("read", size)) if watched else None):
                outcome = outcome_of(work, source)
            pipe.send(("done", outcome))


def _stop(_number: int, _frame: FrameType | None) -> None:
    # An exception, so that a file that is half written is taken away.
    raise SystemExit(1)


class _Asking:
    """The names of a run are known to the parent."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe

    def take(self, path: str) -> str | None:
        """Ask for a name."""
        self._pipe.send(("claim", path))
        return cast("str | None", self._pipe.recv())

    def release(self, path: str) -> None:
        """Give it back."""
        self._pipe.send(("release", path))
