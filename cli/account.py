"""What is said at the end of a run: warnings for people, the report for programs."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

from panscript.cli import losses
from panscript.cli.ending import complain, say, warn
from panscript.readers.finding import readable
from panscript.schemas import plural
from panscript.schemas.errors import OutputExists, PanscriptError
from panscript.schemas.report import FileReport, Report

__all__ = ["Run"]

_MOST_NAMES = 8
_REPORT = b'{"files":'
_TIMELESS = {
    "message_invalid_timestamp": ("message", "messages"),
    "tool_call_invalid_timestamp": ("call", "calls"),
    "session_meta_invalid_timestamp": ("fact of the session", "facts of the session"),
}
"""What is left out of projections where nothing in a file has a time."""
_TIMELESS_USAGE = "invalid_timestamp"


class Run:
    """One run of a command over its sources: a bad one is told and the others go on."""

    def __init__(self, *, quiet: bool, told: Collection[str] = (), usage: bool = False) -> None:
        """`told`: warnings that the command says by itself. `usage`: it prints usage, and none may be missed."""
        self.report = Report()
        self.failures = 0
        """How many sources could not be read or written."""
        self._quiet = quiet
        self._told: set[int] = set()
        self._codes = told
        self._usage = usage

    @contextmanager
    def source(self) -> Iterator[None]:
        """What goes wrong inside is one line on stderr; nothing more is said of that source."""
        before = len(self.report.files)
        try:
            yield
        except PanscriptError as error:
            self.fail(error, *self.report.files[before:])

    def fail(self, error: PanscriptError, *accounts: FileReport) -> None:
        """A source could not be read or written."""
        complain(error)
        self.failures += 1
        self._told.update(map(id, accounts))

    def take(self, accounts: list[FileReport], error: PanscriptError | None) -> None:
        """What came of a source that was worked on elsewhere."""
        self.report.files += accounts
        if error is not None:
            self.fail(error, *accounts)

    def note(self, problem: PanscriptError) -> None:
        """Something was left out, and that is no failure."""
        account = self.report.open(readable(problem.path or "?"))
        account.complete = False
        account.warn("not_read", problem.message if problem.hint is None else f"{problem.message} ({problem.hint})")

    def end(self, report_file: str | None, *, failed: bool = False, summary: str | None = None) -> None:
        """Say what people should know and the summary, write the report, and end with the right status."""
        sys.stdout.flush()
        if not self._quiet:
            self._notes()
            if summary is not None:
                say(summary)
        _write(self.report, report_file)
        if failed or self.failures:
            sys.exit(1)

    def _notes(self) -> None:
        """What people should know; what is so of several sessions is said once."""
        said: dict[str, list[str]] = {}
        for file in self.report.files:
            if id(file) not in self._told:
                texts = _said(file, self._codes)
                if self._usage and (times := file.skipped.get(_TIMELESS_USAGE)):
                    texts.append(_without_time(f"{_times(times, 'record')} of usage", times))
                for text in texts:
                    said.setdefault(text, []).append(file.path)
        for text, paths in said.items():
            others = f" and {_times(len(paths) - 1, 'other session')}" if len(paths) > 1 else ""
            warn(f"{paths[0]}{others}: {text}")


def _times(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _said(file: FileReport, told: Collection[str]) -> list[str]:
    said = [warning.message for warning in file.warnings if warning.code not in told]
    if file.skipped_lines:
        where = ", ".join(str(skipped.line) for skipped in file.skipped_at[:_MOST_NAMES])
        more = " and more" if file.skipped_lines > _MOST_NAMES else ""
        said.append(f"{_times(file.skipped_lines, 'line')} could not be read (line {where}{more})")
    said.extend(_timeless(file))
    if times := file.changed.get("line_split"):
        said.append(f"{_times(times, 'line')} with several records; all of them were read")
    if times := file.lost.get("subagent_left_out"):
        said.append(f"{_times(times, 'sub-agent')} left out: one output file holds one session (`-o DIR/` takes all)")
    if file.unknown:
        names = ", ".join(list(file.unknown)[:_MOST_NAMES])
        said.append(f"types that are not known were kept as they are: {names}")
    said.extend(f"lost: {times} x {losses.thing(code)}" for code, times in file.lost_content().items())
    return said


def _timeless(file: FileReport) -> list[str]:
    """That projections lack what has no time, nor anything else in its file."""
    found = [(file.skipped[code], words) for code, words in _TIMELESS.items() if code in file.skipped]
    if not found:
        return []
    *first, last = [plural.times(number, *words) for number, words in found]
    listed = f"{', '.join(first)} and {last}" if first else last
    times = sum(number for number, _ in found)
    return [f"{_without_time(listed, times)} (`--full` prints {'it' if times == 1 else 'them'})"]


def _without_time(what: str, times: int) -> str:
    return f"{what} has no time and is left out" if times == 1 else f"{what} have no time and are left out"


def _is_something_else(path: Path) -> bool:
    """Whether a file is there that no report of ours begins like."""
    try:
        with path.open("rb") as file:
            start = file.read(len(_REPORT)) if path.is_file() else b""
    except OSError:
        return False
    return bool(start) and not start.startswith(_REPORT)


def _write(report: Report, path: str | None) -> None:
    if path is None:
        return
    from panscript.cli.output import write_file

    if _is_something_else(Path(path)):
        raise OutputExists("this is no report, and it would be replaced by one", path=path, hint="name another file")
    with write_file(Path(path), force=True) as target:
        target.file.write(report.to_json() + b"\n")
