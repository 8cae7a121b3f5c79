"""`panscript convert`: sessions in another agent's format."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from panscript.cli.options import (
    from_option,
    home_option,
    jobs_option,
    quiet_option,
    report_option,
    root_option,
    sources_argument,
    strict_option,
    time_value,
)
from panscript.schemas.errors import UnknownTarget
from panscript.schemas.report import FileReport, Report

if TYPE_CHECKING:
    from panscript.cli.conversion import Conversion
    from panscript.schemas.records import Source

__all__ = ["command"]


def _targets(_ctx: click.Context, _param: click.Parameter, value: str) -> str:
    from panscript.schemas.agents import AGENTS

    known = [agent.id for agent in AGENTS if agent.writer is not None or agent.reader is not None]
    if value not in known:
        raise UnknownTarget("nothing can be written for it", path=value, hint=", ".join(known))
    return value


@click.command("convert")
@sources_argument
@from_option
@click.option("--to", "target", required=True, callback=_targets, metavar="TARGET", help="The format to write.")
@click.option("-o", "--output", default="-", metavar="FILE|DIR|-", help="Where to write; - is standard output.")
@click.option("--redact/--no-redact", default=True, help="Replace secrets (on by default).")
@click.option("--branch", type=click.Choice(["active", "all"]), default="active", help="Which branches to write.")
@click.option("--cwd", metavar="DIR", help="The folder that the session shall run in.")
@click.option("--no-subagents", is_flag=True, help="Leave sub-agents out.")
@click.option("--embed", is_flag=True, help="Carry the source records along, compressed.")
@click.option("--imported-at", callback=time_value, metavar="TIME", help="The time of the import, for equal output.")
@click.option("--force", is_flag=True, help="Replace files that are there.")
@jobs_option
@home_option
@root_option
@strict_option
@report_option
@quiet_option
def command(
    sources: tuple[str, ...],
    from_agent: str | None,
    target: str,
    output: str,
    redact: bool,
    branch: str,
    cwd: str | None,
    no_subagents: bool,
    embed: bool,
    imported_at: int | None,
    force: bool,
    jobs: int | None,
    home: str | None,
    roots: dict[str, tuple[Path, ...]],
    strict: bool,
    report_file: str | None,
    quiet: bool,
) -> None:
    """Write sessions in another agent's format, without secrets.

    \b
    panscript convert session.jsonl --to pi -o sessions/
    panscript convert session.jsonl --to pi --branch all -o session.pi.jsonl
    panscript convert *.jsonl --to pi -o sessions/ --report report.json
    panscript convert ~/.claude/projects --to pi -o sessions/ --jobs 4
    """
    from panscript.cli import batch
    from panscript.cli.account import Run
    from panscript.cli.conversion import Conversion
    from panscript.cli.output import Destination
    from panscript.cli.sources import context_of, gathered, is_several, needs_folder

    several = is_several(sources, from_agent)
    destination = Destination(output, force=force, several=several)
    if several and not destination.many:
        raise needs_folder(sources, output)
    context = context_of(home, roots)
    run = Run(quiet=quiet)
    report = Report()
    conversion = Conversion(
        target,
        destination,
        report,
        redact=redact,
        all_branches=branch == "all",
        cwd=cwd,
        subagents=not no_subagents,
        imported_at=imported_at,
        strict=strict,
        embed=embed,
        live_only=branch == "active" and _asked_for("branch"),
        quiet=quiet,
    )
    with gathered(
        sources, from_agent, context, noted=run.note, subagents=not no_subagents, without=destination.folder
    ) as found:
        batch.each(found, _Converting(conversion, report), run, jobs=jobs, quiet=quiet)
        run.end(report_file, summary=batch.summary(found, run, "converted"))


class _Converting:
    """Converts one session after the other."""

    def __init__(self, conversion: Conversion, report: Report) -> None:
        self.report = report
        self._conversion = conversion

    def __call__(self, source: Source) -> Iterator[str]:
        """Gives a line for each file that was written."""
        for path in self._conversion.convert(source):
            if path is not None:
                yield f"wrote {path}{_without_secrets(self.report.files[-1])}"


def _asked_for(option: str) -> bool:
    """Whether a person named the option; within one agent everything else stays as it is."""
    return click.get_current_context().get_parameter_source(option) is not ParameterSource.DEFAULT


def _without_secrets(account: FileReport) -> str:
    from panscript.cli.scanning import found

    return f" without {found(account)}" if account.redacted else ""
