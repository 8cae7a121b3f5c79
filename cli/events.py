"""`panscript events`: what a session says, as NDJSON."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from panscript.cli.options import (
    agents_option,
    bound_value,
    home_option,
    optional_sources_argument,
    quiet_option,
    report_option,
    root_option,
)
from panscript.schemas.errors import PanscriptError
from panscript.schemas.projections import KINDS
from panscript.schemas.report import FileReport

if TYPE_CHECKING:
    from panscript.cli.account import Run
    from panscript.cli.everything import Asked
    from panscript.schemas.records import Source

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
@click.option("--since", callback=bound_value, metavar="TIME", help="What is of this day (UTC) or instant, or later.")
@click.option("--until", callback=bound_value, metavar="TIME", help="What is earlier than this day (UTC) or instant.")
@click.option("--no-dedupe", is_flag=True, help="Print copies between sessions, too, each file as it is read.")
@click.option(
    "--cursor",
    "cursor_file",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Print what is new since the read that left FILE, and leave it for the next one.",
)
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
    since: int | None,
    until: int | None,
    no_dedupe: bool,
    cursor_file: str | None,
    home: str | None,
    roots: dict[str, tuple[Path, ...]],
    report_file: str | None,
    quiet: bool,
) -> None:
    """Print what sessions say, one JSON object a line. Without SOURCE: every session on this machine.

    Copies that forks, resumes and sub-agents made of other sessions are printed once, where they belong.

    \b
    panscript events session.jsonl --text
    panscript events 5a000010 --kinds usage,tool_call
    panscript events ~/.codex/sessions/2026/03 --kinds usage
    panscript events --from claude,codex --kinds usage --since 2026-03-01
    panscript events session.jsonl --cursor session.cursor
    panscript events session.jsonl --full | jq 'select(.event == "message")'
    """
    from panscript.cli.account import Run
    from panscript.cli.everything import Asked
    from panscript.cli.sources import context_of, gathered
    from panscript.readers.discovery import discover

    if sources and len(agents) > 1:
        raise click.UsageError("a SOURCE is of one agent; name one with --from, or none")
    if full and (cursor_file is not None or since is not None or until is not None):
        raise click.UsageError("--full prints whole sessions; --since, --until and --cursor go without it")
    context = context_of(home, roots)
    run = Run(quiet=quiet, usage=full or "usage" in kinds)
    asked = Asked(kinds=kinds, text=text, raw=raw, since=since, until=until, dedupe=not no_dedupe)

    if sources:
        with gathered(sources, agents[0] if agents else None, context, noted=run.note) as found:
            for entry in found.entries:
                if isinstance(entry, PanscriptError):
                    run.fail(entry)
            sessions = [entry for entry in found.entries if not isinstance(entry, PanscriptError)]
            _print(sessions, run, asked, cursor_file, full=full, named=True)
    else:
        found_here = discover(context, agents or None, run.note)
        _print(found_here, run, asked, cursor_file, full=full, named=False)
    run.end(report_file)


def _print(
    sources: Iterable[Source], run: Run, asked: Asked, cursor_file: str | None, *, full: bool, named: bool
) -> None:
    from panscript.cli.everything import Reading, Resumption
    from panscript.cli.streams import Printer, full_streams

    # What was found and not named by hand is no failure: the others go on, and the report says what is missing.
    trouble = run.fail if named else _pass_by
    printer = Printer(sys.stdout.buffer)
    if full:
        printer.print(full_streams(sources, run.report), trouble)
        return
    reading = Reading(sources, asked, run.report)
    if cursor_file is None:
        printer.print(reading.files(), trouble)
        return
    from panscript.cli.output import write_file
    from panscript.readers.cursors import load, save

    cursors, wrong = load(cursor_file)
    if wrong is not None:
        for _, account in reading.members:
            account.warn("cursor_restarted", f"{wrong}; everything is read again")
    resumption = Resumption(reading, asked, cursors)
    printer.print(resumption.files(), trouble)
    sys.stdout.flush()
    if resumption.cursors:
        with write_file(Path(cursor_file), force=True) as target:
            target.file.write(save(resumption.cursors))


def _pass_by(error: PanscriptError, account: FileReport) -> None:
    account.warn("not_read", error.message)
