"""A run over many sessions: what a command does to each, the lines about it in their order, and the sum at the end."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator, Mapping, Sequence
from contextlib import closing, nullcontext

from panscript.cli import losses
from panscript.cli.account import Run
from panscript.cli.ending import say
from panscript.cli.output import claiming
from panscript.cli.progress import Bar, metered
from panscript.cli.sources import Gathered
from panscript.cli.work import Outcome, Work, outcome_of
from panscript.schemas.errors import PanscriptError
from panscript.schemas.records import Source
from panscript.schemas.report import FileReport

__all__ = ["each", "summary"]

_WORTH_A_PROCESS = 8 << 20
"""Bytes that take about as long as it takes to start a process."""


def each(gathered: Gathered, work: Work, run: Run, *, jobs: int | None = 1, quiet: bool) -> None:
    """Do the work for every session; one that fails is told and the others go on.

    `jobs` is the number of processes, None: as many as the machine has processors, where that is worth it.
    """
    sources = [entry for entry in gathered.entries if isinstance(entry, Source)]
    with Bar(sources, quiet=quiet or len(sources) < 2) as bar:
        if jobs is None:
            jobs = min(_processors(), sum(bar.sizes) // _WORTH_A_PROCESS)
        jobs = min(jobs, len(sources))
        outcomes = _by_crew(sources, work, jobs, bar) if jobs > 1 else _one_by_one(sources, work, bar)
        with closing(outcomes):
            for entry in gathered.entries:
                if isinstance(entry, PanscriptError):
                    with bar.aside():
                        run.fail(entry)
                    continue
                _tell(next(outcomes), run, bar, quiet=quiet)


def _one_by_one(sources: Sequence[Source], work: Work, bar: Bar) -> Generator[Outcome, None, None]:
    alone = len(sources) == 1
    names = _Names(sources)
    for number, source in enumerate(sources):
        names.number = number
        bar.began(number)
        # A session by itself has a bar of its own.
        meter = nullcontext() if alone else metered(lambda size, number=number: bar.passed(number, size))  # type: ignore[misc]
        with meter, claiming(names):
            outcome = outcome_of(work, source, alone=alone)
        bar.ended(number)
        yield outcome


def _by_crew(sources: Sequence[Source], work: Work, jobs: int, bar: Bar) -> Generator[Outcome, None, None]:
    from panscript.cli.crew import Crew

    return Crew(sources, work, jobs, bar).outcomes()


def _tell(outcome: Outcome, run: Run, bar: Bar, *, quiet: bool) -> None:
    lines = [line for line in outcome.told if isinstance(line, bytes) or not quiet]
    if lines or outcome.error is not None:
        with bar.aside():
            for line in lines:
                if isinstance(line, bytes):
                    sys.stdout.buffer.write(line)
                    sys.stdout.flush()
                else:
                    say(line)
            run.take(outcome.accounts, outcome.error)
    else:
        run.take(outcome.accounts, None)


class _Names:
    """The names that sessions of this run have, where one process does all."""

    def __init__(self, sources: Sequence[Source]) -> None:
        self.number = 0
        self._sources = sources
        self._owners: dict[str, int] = {}

    def take(self, path: str) -> str | None:
        """Give the name to the present session."""
        if path in self._owners:
            return self._sources[self._owners[path]].path
        self._owners[path] = self.number
        return None

    def release(self, path: str) -> None:
        """Nobody has it."""
        self._owners.pop(path, None)


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def summary(
    gathered: Gathered,
    run: Run,
    done: str,
    secrets: str = "replaced",
    *,
    otherwise: Mapping[str, int] | None = None,
    left: Sequence[str] = (),
) -> str | None:
    """The whole run in a line, where there was more than one session: `412 sessions converted, 3 refused, ...`.

    `done` and `secrets` say what was done to sessions and to secrets, `otherwise` to how many something else was done,
    `left` what is to be said of sessions that were left where they are. Of one session only what it lost by design.
    """
    files: list[FileReport] = run.report.files
    design = losses.by_design(files)
    if len(gathered.entries) < 2 and not gathered.others and not left:
        return design
    said = []
    if gathered.entries:
        said.append(_counts(gathered, run, done, otherwise or {}))
    if hidden := sum(sum(file.redacted.values()) for file in files):
        said.append(f"{_times(hidden, 'secret')} {secrets}")
    said += filter(None, (losses.content(files), design, *left))
    if gathered.others:
        said.append(f"{_times(gathered.others, 'other file')} passed over")
    return "; ".join(said)


def _counts(gathered: Gathered, run: Run, done: str, otherwise: Mapping[str, int]) -> str:
    """What came of the sessions, and how many files there are now: an index that has a line of each is one."""
    good = len(gathered.entries) - run.failures - sum(otherwise.values())
    said = [f"{_times(good, 'session')} {done}"] if good or not otherwise else []
    said += [f"{times:,} {what}" for what, times in otherwise.items()]
    if run.failures:
        said.append(f"{run.failures} refused")
    if written := len({path for file in run.report.files for path in file.written}):
        said.append(f"{_times(written, 'file')} written")
    return ", ".join(said)


def _times(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"
