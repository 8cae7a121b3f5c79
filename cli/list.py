"""`panscript list`: the sessions of all agents, the last changed first."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from panscript.cli.ending import complain, say
from panscript.cli.options import agents_option, bound_value, home_option, quiet_option, root_option
from panscript.schemas.errors import PanscriptError

__all__ = ["command"]


@click.command("list")
@agents_option
@click.option("--cwd", metavar="DIR", help="Only sessions that ran in this folder.")
@click.option("--query", metavar="TEXT", help="Only sessions with this text in first prompt, title, id or folder.")
@click.option("--since", callback=bound_value, metavar="TIME", help="Only sessions last changed at or after this.")
@click.option("--until", callback=bound_value, metavar="TIME", help="Only sessions last changed before this.")
@click.option("--all", "everything", is_flag=True, help="All of them, not only the newest.")
@click.option(
    "--limit", type=click.IntRange(0), default=50, show_default=True, help="How many, sub-agents not counted."
)
@click.option("--count", "counted", is_flag=True, help="Count the messages of large sessions, too (reads them whole).")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON array instead of a table.")
@home_option
@root_option
@quiet_option
def command(
    agents: tuple[str, ...],
    cwd: str | None,
    query: str | None,
    since: int | None,
    until: int | None,
    everything: bool,
    limit: int,
    counted: bool,
    as_json: bool,
    home: str | None,
    roots: dict[str, tuple[Path, ...]],
    quiet: bool,
) -> None:
    """List the sessions on this machine, the last changed first.

    --json: an array, a session or sub-agent each: {"agent", "session_id", "parent_session_id", "path", "title",
    "first_message", "cwd", "created", "modified", "messages", "imported_from"}. What is not known is null, and
    so is "imported_from" where the session began at this agent.

    \b
    panscript list --cwd .
    panscript list --from claude,codex --query "flaky test" --all
    panscript list --json | jq -r '.[] | select(.parent_session_id == null) | .path'
    """
    from panscript.cli import listing
    from panscript.cli.sources import context_of
    from panscript.readers.discovery import discover

    def problem(error: PanscriptError) -> None:
        if not quiet:
            complain(error)

    context = context_of(home, roots)
    found = listing.gather(discover(context, agents or None, problem), problem)
    wanted = listing.Wanted(query=query, cwd=cwd, since=since, until=until)
    shown = [entry for entry in found if wanted(entry)]
    matching = len(shown)
    if not everything:
        shown = shown[:limit]
    listing.count(shown, problem, large=counted)
    if as_json:
        _print_json([listing.row(member) for entry in shown for member in listing.members(entry)])
    elif shown:
        from panscript.cli.table import print_table

        print_table(shown, listing.short_ids(found), context.home, quiet=quiet)
    elif not quiet and not matching:
        say("no sessions were found" if not found else "none of the sessions is like that")
    if len(shown) < matching and not quiet:
        sys.stdout.flush()
        say(f"{len(shown)} of {matching} sessions; --all shows all")


def _print_json(rows: list[dict[str, object]]) -> None:
    """One array, a session a line."""
    import msgspec

    from panscript.schemas.separators import escaped

    lines = b",".join(b"\n  " + escaped(msgspec.json.encode(row)) for row in rows)
    sys.stdout.buffer.write(b"[" + lines + (b"\n]\n" if rows else b"]\n"))
