"""What is said at the end of a run: warnings for people, the report for programs."""

from __future__ import annotations

from pathlib import Path

from panscript.cli.ending import warn
from panscript.schemas.diagnostics import CODES
from panscript.schemas.report import FileReport, Report

__all__ = ["finish", "notes"]

_MOST_NAMES = 8


def notes(report: Report) -> None:
    """One line on stderr for everything a person should know about each session."""
    for file in report.files:
        for text in _said(file):
            warn(f"{file.path}: {text}")


def _said(file: FileReport) -> list[str]:
    said = [warning.message for warning in file.warnings]
    if file.skipped_lines:
        where = ", ".join(str(skipped.line) for skipped in file.skipped_at[:_MOST_NAMES])
        more = " and more" if file.skipped_lines > _MOST_NAMES else ""
        said.append(f"{file.skipped_lines} lines could not be read (line {where}{more})")
    if times := file.changed.get("line_split"):
        said.append(f"{times} lines held several records; all of them were read")
    if file.unknown:
        names = ", ".join(list(file.unknown)[:_MOST_NAMES])
        said.append(f"types that are not known were kept as they are: {names}")
    said.extend(
        f"lost: {times} x {CODES[code].sentence if code in CODES else code}"
        for code, times in file.lost_content().items()
    )
    return said


def finish(report: Report, path: str | None) -> None:
    """Write the report where it was asked for."""
    if path is None:
        return
    from panscript.cli.output import write_file

    with write_file(Path(path), force=True) as target:
        target.file.write(report.to_json() + b"\n")
