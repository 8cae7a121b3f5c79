"""`panscript import`: sessions into the store of another agent, to go on with them there."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from panscript.cli.ending import complain
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
from panscript.cli.outcomes import GROWN, OUTCOMES, how_to_go_on, what_became
from panscript.schemas.errors import OutputFailed, PanscriptError, UnknownTarget
from panscript.schemas.report import Report

if TYPE_CHECKING:
    from panscript.cli.importing import Importer
    from panscript.readers.context import Context
    from panscript.schemas.records import Source

__all__ = ["command"]


def _target(_ctx: click.Context, _param: click.Parameter, value: str) -> str:
    from panscript.writers.stores import stores

    known = stores()
    if value not in known:
        raise UnknownTarget("nothing can be imported into it", path=value, hint=", ".join(known))
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
    Without SOURCE, on a terminal, it shows the sessions to choose from. Of a FOLDER, imports that nobody went on with
    are passed over.

    \b
    panscript import
    panscript import 4f2a91 --open
    panscript import session.jsonl --once
    panscript import --query "flaky test" --cwd ~/code/app
    panscript import ~/.codex/sessions/2026/03 --once
    """
    from msgspec.structs import replace

    from panscript.cli import batch
    from panscript.cli.account import Run
    from panscript.cli.importing import Importer, Wishes
    from panscript.cli.leaving import Leaving, left_behind
    from panscript.cli.sources import Gathered, context_of, gathered, has_folder, is_several

    if start and is_several(sources, from_agent):
        raise click.UsageError("--open takes one SOURCE")
    if sources and query is not None:
        raise click.UsageError("--query is for a call without SOURCE")
    if not sources and query is None and not _is_terminal():
        raise click.UsageError("name a SOURCE, or one session with --query TEXT")
    context = context_of(home, roots)
    run = Run(quiet=quiet, told=OUTCOMES)
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
    report = Report()
    importer = Importer(target, context, folder, report, wishes)
    own_store = home is None and target not in roots
    if start and not dry_run:
        _check(importer.program)
    # A root of the target says where to write, not where to look.
    searched = replace(
        context, roots={name: at for name, at in context.roots.items() if name == from_agent or name != target}
    )
    work = _Importing(
        importer, report, folder, dry_run=dry_run, own_store=own_store, briefly=has_folder(sources, from_agent)
    )
    with ExitStack() as stack:
        if sources:
            subagents = not no_subagents
            found = stack.enter_context(
                gathered(sources, from_agent, searched, noted=run.note, subagents=subagents, leave=Leaving(target))
            )
        else:
            found = Gathered([], 0, {})
            with run.source():
                chosen = stack.enter_context(_found(query or "", from_agent, target, searched, folder, quiet=quiet))
                found = Gathered([chosen], 0, {})
        batch.each(found, work, run, quiet=quiet)
        done = "would be imported" if dry_run else "imported"
        left = left_behind(found.left, target, alone=not found.entries)
        run.end(report_file, summary=batch.summary(found, run, done, otherwise=work.otherwise, left=left))
    if start and work.opens and not dry_run:
        _start(work.opens, folder)


class _Importing:
    """Imports one session after the other."""

    def __init__(
        self, importer: Importer, report: Report, folder: str, *, dry_run: bool, own_store: bool, briefly: bool
    ) -> None:
        self.report = report
        self.opens: list[str] = []
        """The command that goes on with the last one."""
        self.otherwise: dict[str, int] = {}
        """How many sessions an earlier import served for, by what became of it."""
        self._importer, self._folder = importer, folder
        self._dry_run, self._own_store, self._briefly = dry_run, own_store, briefly

    def __call__(self, source: Source) -> Iterator[str | bytes]:
        """Gives the path of the session, and what people should know."""
        done = ""
        for number, placed in enumerate(self._importer.place(source)):
            if self._dry_run:
                yield f"would be {placed.done}: {placed.path}"
            if number:
                continue
            yield os.fsencode(placed.path) + b"\n"
            done = placed.done
            self.opens = self._importer.command(placed, own_store=self._own_store)
        if what := GROWN.get(done):
            self.otherwise[what] = self.otherwise.get(what, 0) + 1
        yield from what_became(self.report.files, briefly=self._briefly)
        if not self._dry_run and not self._briefly:
            yield from how_to_go_on(source.agent, done, self.opens, self._folder)


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
    found = [entry for entry in sessions if wanted(entry)]
    # An import says what its source says.
    yield choose([entry for entry in found if entry.facts.imported_from is None] or found, query)


def _is_terminal() -> bool:
    """Whether a person can choose: keys come from a terminal and messages go to one that can be painted on."""
    return sys.stdin.isatty() and sys.stderr.isatty() and os.environ.get("TERM") not in ("dumb", "unknown")


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
