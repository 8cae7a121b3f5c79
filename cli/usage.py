"""`panscript usage`: tokens and recorded cost of all sessions, added up."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from datetime import UTC, tzinfo
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import click

from panscript.cli.ending import complain, say
from panscript.cli.options import agents_option, bound_value, home_option, quiet_option, root_option
from panscript.schemas.errors import PanscriptError

if TYPE_CHECKING:
    from panscript.readers.context import Context
    from panscript.schemas.records import Source
    from panscript.stages.totals import Sum, Totals

__all__ = ["command"]

_MOST = (1 << 63) - 1
_KEYS = ("agent", "model", "provider", "day", "week", "month", "session", "project")


def _by(_ctx: click.Context, _param: click.Parameter, value: str) -> tuple[str, ...]:
    keys = tuple(dict.fromkeys(key.strip() for key in value.split(",") if key.strip()))
    for key in keys:
        if key not in _KEYS:
            raise click.BadParameter(f"{key!r} is none of {', '.join(_KEYS)}")
    if not keys:
        raise click.BadParameter(f"name one or more of {', '.join(_KEYS)}")
    return keys


def _zone(_ctx: click.Context, _param: click.Parameter, value: str | None) -> tzinfo | None:
    if value is None:
        return None
    if value == "UTC":
        return UTC  # there even where the machine has no list of zones
    from zoneinfo import ZoneInfo

    try:
        return ZoneInfo(value)
    except (ValueError, OSError, KeyError):
        raise click.BadParameter(f"{value!r} is no time zone; write it like Europe/Vienna or UTC") from None


@click.command("usage")
@click.option(
    "--by",
    default="agent,model",
    show_default=True,
    callback=_by,
    metavar="KEY,...",
    help=f"Any of {', '.join(_KEYS)}.",
)
@agents_option
@click.option("--since", callback=bound_value, metavar="TIME", help="What is of this day (UTC) or instant, or later.")
@click.option("--until", callback=bound_value, metavar="TIME", help="What is earlier than this day (UTC) or instant.")
@click.option("--timezone", "zone", callback=_zone, metavar="ZONE", help="Days begin here; default: this machine's.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead of a table.")
@home_option
@root_option
@quiet_option
def command(
    by: tuple[str, ...],
    agents: tuple[str, ...],
    since: int | None,
    until: int | None,
    zone: tzinfo | None,
    as_json: bool,
    home: str | None,
    roots: dict[str, tuple[Path, ...]],
    quiet: bool,
) -> None:
    """Add up the tokens of all sessions on this machine, and what they cost where the agent says so.

    Responses that forks, resumes and sub-agents copied count once; what was imported never counts.

    \b
    panscript usage
    panscript usage --by day,model --since 2026-03-01 --timezone Europe/Vienna
    panscript usage --from claude --by project,session --json | jq '.totals'
    """
    from panscript.cli.sources import context_of
    from panscript.stages.totals import Totals

    context = context_of(home, roots)
    totals = Totals(by, zone=zone, since=since, until=until)
    left_out = _LeftOut(quiet=quiet)
    _add_up(totals, context, agents, left_out)
    if as_json:
        _print_json(totals)
    elif (groups := totals.groups()) or quiet:
        from panscript.cli.usage_table import print_table

        print_table(groups, totals, context.home, quiet=quiet)
    else:
        say("no usage was found")
    left_out.say(totals.copies)


class _LeftOut:
    """What does not count, and why."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet
        self._skipped: dict[str, int] = {}
        self._unread = 0

    def problem(self, error: PanscriptError) -> None:
        """A file or folder could not be read."""
        self._unread += 1
        if not self._quiet:
            complain(error)

    def skip(self, skipped: dict[str, int]) -> None:
        """What a session held that is no usage."""
        for code, times in skipped.items():
            self._skipped[code] = self._skipped.get(code, 0) + times

    def say(self, copies: int) -> None:
        """One line on stderr, if there is anything to say."""
        parts = [f"{times:,} {code}" for code, times in sorted(self._skipped.items())]
        if copies:
            parts.append(f"{copies:,} copies of other sessions' responses")
        if self._unread:
            parts.append(f"{self._unread:,} files or folders that were not read")
        if parts and not self._quiet:
            plain = "NO_COLOR" in os.environ or not sys.stderr.isatty()
            text = f"left out: {', '.join(parts)}"
            sys.stdout.flush()
            click.echo(text if plain else click.style(text, dim=True), err=True)


def _add_up(totals: Totals, context: Context, agents: tuple[str, ...], left_out: _LeftOut) -> None:
    """Read all sessions, agent by agent. What cannot be read is told, and the others go on."""
    from panscript.readers.billing import billed, in_order
    from panscript.readers.discovery import discover, family, forked_from
    from panscript.readers.finding import readable
    from panscript.schemas.agents import agent as known_agent
    from panscript.schemas.report import FileReport

    found = discover(context, agents or None, left_out.problem)
    for agent, sources in groupby(found, key=lambda source: source.agent):
        # A fork may tell what any session before it tells.
        forks = known_agent(agent).relabels
        for source in in_order(sources):
            members = [(member, forked_from(member)) for member in family(source)]
            for member, origin in _forks_last(members):
                account = FileReport(path=readable(member.path))
                try:
                    totals.session(
                        agent,
                        billed(member, report=account),
                        family=forks or len(members) > 1,
                        member=member.agent_id,
                        forked_from=origin,
                    )
                except PanscriptError as error:
                    left_out.problem(error)
                left_out.skip(account.skipped)
            if not forks:
                totals.family_ends()
        totals.family_ends()


def _forks_last(members: list[tuple[Source, str | None]]) -> list[tuple[Source, str | None]]:
    """A session and its sub-agents, each after the one it was forked from."""
    origins = {member.agent_id: origin for member, origin in members if member.agent_id is not None}

    def depth(origin: str | None) -> int:
        forks = 0
        while origin in origins and forks < len(members):
            forks, origin = forks + 1, origins[origin]
        return forks

    return sorted(members, key=lambda each: depth(each[1]))


def _print_json(totals: Totals) -> None:
    """One document, a row a line."""
    import msgspec

    from panscript.schemas.separators import escaped

    def encoded(keys: Iterator[tuple[str, str | None]], total: Sum) -> bytes:
        # Damage may say anything; JSON that others can read cannot.
        counts = {name: min(n, _MOST) if type(n) is int else n for name, n in msgspec.structs.asdict(total).items()}
        if total.cost_usd is not None:
            counts["cost_usd"] = round(total.cost_usd, 10)
        return escaped(msgspec.json.encode({**dict(keys), **counts}))

    rows = [encoded(zip(totals.by, group.keys, strict=True), group.sum) for group in totals.groups()]
    listed = b",".join(b"\n  " + row for row in rows)
    end = b"\n]" if rows else b"]"
    whole = encoded(iter(()), totals.total())
    sys.stdout.buffer.write(b'{"rows": [' + listed + end + b', "totals": ' + whole + b"}\n")
