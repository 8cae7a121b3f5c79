"""`panscript events`: what a session says, as NDJSON."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from panscript.cli.options import (
    agents_option,
    home_option,
    optional_sources_argument,
    quiet_option,
    report_option,
    root_option,
)
from panscript.schemas.errors import PanscriptError
from panscript.schemas.projections import KINDS
from panscript.schemas.report import FileReport

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
@optional_sources_argument
@agents_option
@click.option("--kinds", callback=_kinds, metavar="KIND,...", help=f"Only these of {', '.join(KINDS)}.")
@click.option("--text", is_flag=True, help="With the texts of messages and titles.")
@click.option("--raw", is_flag=True, help="With the native records.")
@click.option("--full", is_flag=True, help="The full event stream with all texts instead of the projections.")
@home_option
@root_option
@report_option
@quiet_option
def command(
    sources: tuple[str, ...],
    agents: tuple[str, ...],
    kinds: tuple[str, ...],
    text: bool,
    raw: bool,
    full: bool,
    home: str | None,
    roots: dict[str, tuple[Path, ...]],
    report_file: str | None,
    quiet: bool,
) -> None:
    """Print what sessions say, one JSON object a line. Without SOURCE: every session on this machine.

    \b
    panscript events session.jsonl --text
    panscript events 5a000010 --kinds usage,tool_call
    panscript events --from claude,codex --kinds usage
    panscript events session.jsonl --full | jq 'select(.event == "message")'
    """
    from panscript.cli.account import Run
    from panscript.cli.sources import context_of, opened
    from panscript.cli.streams import Printer
    from panscript.readers.discovery import discover
    from panscript.readers.finding import readable

    if sources and len(agents) > 1:
        raise click.UsageError("a SOURCE is of one agent; name one with --from, or none")
    context = context_of(home, roots)
    run = Run(quiet=quiet)
    printer = Printer(run.report, sys.stdout.buffer, kinds=kinds, text=text, raw=raw, full=full)

    def problem(error: PanscriptError) -> None:
        account = run.report.open(readable(error.path or "?"))
        account.complete = False
        account.warn("not_read", error.message if error.hint is None else f"{error.message} ({error.hint})")

    for name in sources:
        with run.source(), opened(name, agents[0] if agents else None, context) as source:
            printer.print(printer.files([source]), run.fail)
    if not sources:
        # What was found and not named by hand is no failure: the others go on, and the report says what is missing.
        printer.print(printer.files(discover(context, agents or None, problem)), _pass_by)
    run.end(report_file)


def _pass_by(error: PanscriptError, account: FileReport) -> None:
    account.warn("not_read", error.message)
