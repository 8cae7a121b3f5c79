"""Problems as compilers print them: `file:line: error code: message [path]`."""

from __future__ import annotations

from panscript.readers.validation import FileProblems, Problem
from panscript.schemas.terminal import one_line, visible

__all__ = ["line", "summary"]


def line(file: str, problem: Problem) -> str:
    """One problem on one line, safe to show."""
    file = visible(file)
    where = file if problem.line is None else f"{file}:{problem.line}"
    place = "" if problem.path == "$" else f" [{visible(problem.path)}]"
    return one_line(f"{where}: {problem.severity} {problem.code}: {problem.message}{place}")


def summary(files: list[FileProblems], others: int = 0) -> str:
    """How much was checked and found, and how many other files were passed over."""
    errors, warnings = sum(file.errors for file in files), sum(file.warnings for file in files)
    passed_over = f"; {_count(others, 'other file')} passed over" if others else ""
    return f"{_count(len(files), 'file')}: {_count(errors, 'error')}, {_count(warnings, 'warning')}{passed_over}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
