"""`panscript import`: sessions into the store of another agent, to go on with them there."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from panscript.cli.ending import complain, say
from panscript.cli.options import (
    from_option,
    home_option,
    optional_sources_argument,
    quiet_option,
    report_option,
    root_option,
    strict_option,
    time_value,
)
from panscript.schemas.errors import OutputFailed, PanscriptError

if TYPE_CHECKING:
    from panscript.readers.context import Context
    from panscript.schemas.records import Source

__all__ = ["command"]


def _target(_ctx: click.Context, _param: click.Parameter, value: str) -> str:
    from panscript.writers.stores import stores

    known = stores()
    if value not in known:
        raise click.BadParameter(f"{value!r} is none of {', '.join(known)}")
    return value


@click.command("import")
@optional_sources_argument
@from_option
@click.option("--to", "target", default="pi", show_default=True, callback=_target, metavar="AGENT", help="Where to.")
@click.option(
    "--query", metavar="TEXT", help="Without SOURCE: the session with this in first prompt, title, id or cwd."
)
@click.option(
    "--cwd",
    type=click.Path(exists=True, file_okay=False),
    metavar="DIR",
    help="The project to import into, instead of the current folder.",
)
@click.option("--once", is_flag=True, help="Keep to an earlier import of the session; add what came since.")
@click.option("--live", is_flag=True, help="Leave out an unfinished answer at the end, so that --once can go on later.")
@click.option("--open", "start", is_flag=True, help="Start the agent on the session.")
@click.option("--dry-run", is_flag=True, help="Write nothing; print where the session would be.")
@click.option("--redact/--no-redact", default=True, help="Replace secrets (on by default).")
@click.option("--branch", type=click.Choice(["active", "all"]), default="active", help="Which branches to import.")
@click.option("--no-subagents", is_flag=True, help="Leave sub-agents out.")
@click.option("--embed", is_flag=True, help="Carry the source records along, compressed.")
@click.option("--imported-at", callback=time_value, metavar="TIME", help="The time of the import, for equal output.")
@home_option
@root_option
@strict_option
@report_option
@quiet_option
def command(
    sources: tuple[str, ...],
    from_agent: str | None,
    target: str,
    query: str | None,
    cwd: str | None,
    once: bool,
    live: bool,
    start: bool,
    dry_run: bool,
    redact: bool,
    branch: str,
    no_subagents: bool,
    embed: bool,
    imported_at: int | None,
    home: str | None,
    roots: dict[str, tuple[Path, ...]],
    strict: bool,
    report_file: str | None,
    quiet: bool,
) -> None:
    """Import sessions into another agent's own store, where it lists and resumes them.

    Prints the path of each new session file. What was used elsewhere is not counted again.
    Without SOURCE, on a terminal, it shows the sessions to choose from.

    \b
    panscript import
    panscript import 4f2a91 --open
    panscript import session.jsonl --once
    panscript import --query "flaky test" --cwd ~/code/app
    """
    from msgspec.structs import replace

    from panscript.cli.account import Run
    from panscript.cli.importing import Importer, Wishes
    from panscript.cli.sources import context_of, opened

    if start and len(sources) > 1:
        raise click.UsageError("--open takes one SOURCE")
    if sources and query is not None:
        raise click.UsageError("--query is for a call without SOURCE")
    if not sources and query is None and not _is_terminal():
        raise click.UsageError("name a SOURCE, or one session with --query TEXT")
    context = context_of(home, roots)
    run = Run(quiet=quiet)
    wishes = Wishes(
        redact=redact,
        all_branches=branch == "all",
        subagents=not no_subagents,
        embed=embed,
        strict=strict,
        live=live,
        once=once,
        dry_run=dry_run,
        imported_at=imported_at,
        quiet=quiet,
    )
    folder = os.path.realpath(cwd if cwd is not None else Path.cwd())
    importer = Importer(target, context, folder, run.report, wishes)
    own_store = home is None and target not in roots
    if start and not dry_run:
        _check(importer.program)
    # A root of the target says where to write, not where to look.
    searched = replace(
        context, roots={name: at for name, at in context.roots.items() if name == from_agent or name != target}
    )
    named = [opened(name, from_agent, searched) for name in sources]
    opens: list[str] = []
    for each in named or [_found(query or "", from_agent, target, searched, folder, quiet=quiet)]:
        with run.source(), each as source:
            for number, placed in enumerate(importer.place(source)):
                if dry_run and not quiet:
                    say(f"would be {placed.done}: {placed.path}")
                if number:
                    continue
                sys.stdout.buffer.write(os.fsencode(placed.path) + b"\n")
                sys.stdout.flush()
                opens = importer.command(placed, own_store=own_store)
                if not quiet and not dry_run:
                    _tell(source.agent, placed.done, opens, folder)
    run.end(report_file)
    if start and opens and not dry_run:
        _start(opens, folder)


@contextmanager
def _found(
    query: str, from_agent: str | None, target: str, context: Context, folder: str, *, quiet: bool
) -> Iterator[Source]:
    """The session that a person chooses or, where nobody is at a terminal, the one that a query means.

    It is looked for among those of all other agents.
    """
    from panscript.cli import listing
    from panscript.cli.choosing import choose
    from panscript.readers.discovery import discover
    from panscript.schemas.agents import AGENTS

    def problem(error: PanscriptError) -> None:
        if not quiet:
            complain(error)

    others = [known.id for known in AGENTS if known.reader is not None and known.id != target]
    searched = [from_agent] if from_agent else others
    if _is_terminal():
        from panscript.cli.picker import pick

        yield pick(context, searched, folder, into=target, query=query)
        return
    sessions = listing.gather(discover(context, searched, problem), problem)
    wanted = listing.Wanted(query=query)
    yield choose([entry for entry in sessions if wanted(entry)], query)


def _is_terminal() -> bool:
    """Whether a person can choose: keys come from a terminal and messages go to one that can be painted on."""
    return sys.stdin.isatty() and sys.stderr.isatty() and os.environ.get("TERM") not in ("dumb", "unknown")


def _tell(agent_id: str, done: str, command: list[str], folder: str) -> None:
    """What people should know: that nothing is counted twice, and how to go on."""
    from panscript.schemas.agents import agent

    if done != "unchanged":
        say(f"Imported from {agent(agent_id).name}: usage excluded")
    go_on = shlex.join(command)
    elsewhere = folder != os.path.realpath(Path.cwd())
    say(f"go on with: cd {shlex.quote(folder)} && {go_on}" if elsewhere else f"go on with: {go_on}")


def _check(program: str) -> None:
    if shutil.which(program) is None:
        raise OutputFailed("this program is not on the PATH, so nothing was imported", path=program)


def _start(command: list[str], folder: str) -> None:
    """Become the agent."""
    try:
        os.chdir(folder)
        os.execvp(command[0], command)  # noqa: S606 - no shell
    except OSError as problem:
        raise OutputFailed(f"cannot be started: {problem.strerror}", path=command[0]) from None
