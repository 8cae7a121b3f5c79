"""What is done to each session of a run, and what came of it. Both can be handed to another process."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import msgspec

from panscript.schemas.errors import OutputExists, OutputFailed, PanscriptError
from panscript.schemas.records import Source
from panscript.schemas.report import FileReport, Report

__all__ = ["Outcome", "Work", "outcome_of"]


class Work(Protocol):
    """Something that is done to sessions, one after the other."""

    report: Report
    """What it counts into."""

    def __call__(self, source: Source, /) -> Iterator[str | bytes]:
        """Do it; gives what is to be told: text is a line for people, bytes are output. Raises `PanscriptError`s."""


class Outcome(msgspec.Struct, kw_only=True):
    """What came of one session."""

    accounts: list[FileReport]
    told: list[str | bytes]
    error: PanscriptError | None = None


def outcome_of(work: Work, source: Source, *, alone: bool = False) -> Outcome:
    """Do the work for one session. Whatever goes wrong is its outcome and not the end of the others.

    `alone`: there are no others, so that what nobody foresaw is raised.
    """
    work.report.files = []
    told: list[str | bytes] = []
    error: PanscriptError | None = None
    try:
        for each in work(source):
            told.append(each)  # noqa: PERF402 - what was told before an error stays told
    except (OutputExists, OutputFailed) as problem:
        error = problem if alone else _of_source(problem, source)
    except PanscriptError as problem:
        error = problem
    except Exception as problem:
        if alone:
            raise
        error = _unforeseen(problem, source)
    return Outcome(accounts=work.report.files, told=told, error=error)


def _of_source(problem: PanscriptError, source: Source) -> PanscriptError:
    """The same, said of the source: among many nobody knows whose output that is."""
    said = f"{problem.path}: {problem.message}" if problem.path else problem.message
    return type(problem)(said, path=source.path, hint=problem.hint)


def _unforeseen(problem: Exception, source: Source) -> PanscriptError:
    if isinstance(problem, OSError):
        path = problem.filename if isinstance(problem.filename, str) else source.path
        return PanscriptError(problem.strerror or str(problem), path=path)
    said = str(problem)
    return PanscriptError(
        f"this should not happen: {type(problem).__name__}{f': {said}' if said else ''}", path=source.path
    )
