"""`panscript events`: what a session says, as NDJSON."""

from __future__ import annotations

import sys

import click

from panscript.cli.ending import complain
from panscript.cli.options import from_option, quiet_option, report_option, sources_argument
from panscript.schemas.errors import PanscriptError
from panscript.schemas.projections import KINDS

__all__ = ["command"]


def _kinds(_ctx: click.Context, _param: click.Parameter, value: str | None) -> tuple[str, ...]:
    if value is None:
        return KINDS
    kinds = tuple(kind.strip() for kind in value.split(",") if kind.strip())
    for kind in kinds:
        if kind not in KINDS:
            raise click.BadParameter(f"{kind!r} is none of {', '.join(KINDS)}")
    return kinds


@click.command("events")
@sources_argument
@from_option
@click.option("--kinds", callback=_kinds, metavar="KIND,...", help=f"Only these of {', '.join(KINDS)}.")
@click.option("--text", is_flag=True, help="With the texts of messages and titles.")
@click.option("--raw", is_flag=True, help="With the native records.")
@click.option("--full", is_flag=True, help="The full event stream with all texts instead of the projections.")
@report_option
@quiet_option
def command(
    sources: tuple[str, ...],
    from_agent: str | None,
    kinds: tuple[str, ...],
    text: bool,
    raw: bool,
    full: bool,
    report_file: str | None,
    quiet: bool,
) -> None:
    """Print what sessions say, one JSON object a line.

    \b
    panscript events session.jsonl --text
    panscript events session.jsonl --kinds usage,tool_call
    panscript events session.jsonl --full | jq 'select(.event == "message")'
    """
    from panscript.cli.account import finish, notes
    from panscript.cli.sources import opened
    from panscript.cli.streams import print_events
    from panscript.schemas.report import Report

    report = Report()
    failed = False
    printed: set[str] = set()
    for name in sources:
        try:
            with opened(name, from_agent) as source:
                print_events(
                    source, report, sys.stdout.buffer, kinds=kinds, text=text, raw=raw, full=full, printed=printed
                )
        except PanscriptError as error:
            complain(error)
            failed = True
    sys.stdout.flush()
    if not quiet:
        notes(report)
    finish(report, report_file)
    if failed:
        sys.exit(1)
