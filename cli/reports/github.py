"""Problems as annotations of GitHub Actions: `::error file=...,line=...,title=code::message`."""

from __future__ import annotations

from panscript.cli.reports.document import utf8
from panscript.readers.validation import FileProblems, Problem
from panscript.schemas.terminal import one_line, visible

__all__ = ["workflow_commands"]


def workflow_commands(files: list[FileProblems]) -> str:
    """One line a problem."""
    return "\n".join(_command(file.path, problem) for file in files for problem in file.problems)


def _command(file: str, problem: Problem) -> str:
    line = f",line={problem.line}" if problem.line is not None else ""
    where = f"file={_property(utf8(file))}{line},title={_property(problem.code)}"
    return f"::{problem.severity} {where}::{_data(f'{problem.message} [{visible(problem.path)}]')}"


def _data(text: str) -> str:
    return one_line(text).replace("%", "%25")


def _property(text: str) -> str:
    # A line end in a value would start a command of its own.
    text = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return text.replace(":", "%3A").replace(",", "%2C")
