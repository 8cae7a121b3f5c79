"""`panscript redact`: the same files without secrets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from panscript.cli.options import (
    from_option,
    jobs_option,
    quiet_option,
    report_option,
    strict_option,
)
from panscript.schemas.report import Report

if TYPE_CHECKING:
    from panscript.cli.output import Destination
    from panscript.cli.settings import Settings
    from panscript.schemas.records import Source

__all__ = ["command"]


@click.command("redact")
@click.argument("sources", nargs=-1, required=True, metavar="FILE|DIR...")
@from_option
@click.option("-o", "--output", default="-", metavar="FILE|DIR|-", help="Where to write; - is standard output.")
@click.option("--check", is_flag=True, help="Write nothing; exit 1 unless every line is clean.")
@click.option("--force", is_flag=True, help="Replace files that are there.")
@jobs_option
@strict_option
@report_option
@quiet_option
def command(
    sources: tuple[str, ...],
    from_agent: str | None,
    output: str,
    check: bool,
    force: bool,
    jobs: int | None,
    strict: bool,
    report_file: str | None,
    quiet: bool,
) -> None:
    """Replace every secret in session files by a mark such as [REDACTED:github-token:1].

    Nothing else changes, byte for byte. A line that cannot be read cannot be called clean: it is left out, and
    --check fails on it. Without -o the result goes to standard output.

    \b
    panscript redact session.jsonl -o clean/
    panscript redact --check ~/.codex/sessions/2026/01/31/*.jsonl
    panscript redact ~/.claude/projects -o clean/
    """
    from panscript.cli import batch
    from panscript.cli.account import Run
    from panscript.cli.output import Destination
    from panscript.cli.settings import current
    from panscript.cli.sources import gathered, is_several, needs_folder

    several = is_several(sources, from_agent)
    destination = Destination(output, force=force, several=several)
    if several and not destination.many and not check:
        raise needs_folder(sources, output)
    run = Run(quiet=quiet)
    work = _Cleaning(None if check else destination, current(), strict=strict)
    with gathered(sources, from_agent, noted=run.note, flat=True, without=destination.folder) as found:
        batch.each(found, work, run, jobs=jobs, quiet=quiet)
        dirty = check and any(account.redacted or "unverifiable_line" in account.lost for account in run.report.files)
        said = ("checked", "found") if check else ("redacted", "replaced")
        run.end(report_file, failed=dirty, summary=batch.summary(found, run, *said))


class _Cleaning:
    """Redacts one session after the other, or only looks where there is no destination."""

    def __init__(self, destination: Destination | None, settings: Settings, *, strict: bool) -> None:
        self.report = Report()
        self._destination, self._settings, self._strict = destination, settings, strict

    def __call__(self, source: Source) -> Iterator[str]:
        """Gives a line for each file that was written or looked at."""
        from panscript.cli.copying import copy
        from panscript.cli.scanning import check_file, found
        from panscript.cli.settings import redactor

        hiding = redactor(self._settings)
        if self._destination is None:
            account = check_file(source, self.report, hiding)
            yield f"{source.path}: {found(account)}"
            return
        for path in copy(source, self._destination, self.report, redactor=hiding, subagents=False, strict=self._strict):
            if path is not None:
                yield f"wrote {path}: {found(self.report.files[-1])}"
