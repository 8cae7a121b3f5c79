"""Options that several commands share, so that one name means one thing."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from panscript.schemas import timestamps
from panscript.schemas.agents import agent_ids

__all__ = [
    "agents_option",
    "bound_value",
    "from_option",
    "home_option",
    "jobs_option",
    "optional_sources_argument",
    "quiet_option",
    "report_option",
    "root_option",
    "sources_argument",
    "strict_option",
    "time_value",
]

_Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

sources_argument: _Decorator = click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
optional_sources_argument: _Decorator = click.argument("sources", nargs=-1, metavar="[SOURCE...]")
from_option: _Decorator = click.option(
    "--from",
    "from_agent",
    type=click.Choice(agent_ids()),
    metavar="AGENT",
    help="The agent that wrote the source; without it the content decides.",
)
report_option: _Decorator = click.option(
    "--report",
    "report_file",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Write what was read, kept, changed, lost and redacted as JSON.",
)
strict_option: _Decorator = click.option(
    "--strict", is_flag=True, help="Fail when content (something said, called or shown) would be lost."
)
jobs_option: _Decorator = click.option(
    "--jobs",
    type=click.IntRange(min=1),
    metavar="N",
    help="So many processes for many sessions; without it as many as there are processors, where that is faster.",
)
quiet_option: _Decorator = click.option("--quiet", is_flag=True, help="Say nothing but errors.")


def time_value(_ctx: click.Context, _param: click.Parameter, value: str | None) -> int | None:
    """A point in time in any form that agents write."""
    if value is None:
        return None
    time = timestamps.parse(value)
    if time is None:
        raise click.BadParameter(f"{value!r} is no time; write it like 2026-01-31T12:00:00Z")
    return time


def bound_value(_ctx: click.Context, _param: click.Parameter, value: str | None) -> int | None:
    """An end of a window: a day (midnight UTC), or a time that says its offset. Milliseconds since 1970 UTC."""
    if value is None:
        return None
    time = timestamps.parse(value) if _DAY.fullmatch(value) or _OFFSET.search(value) else None
    if time is None:
        raise click.BadParameter(f"{value!r} is no bound; write it like 2026-01-31 or 2026-01-31T12:00:00Z")
    return time


_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_OFFSET = re.compile(r"T\d\d:?\d\d.*(?:[Zz]|[+-]\d\d:?\d\d)$")


def _agents(_ctx: click.Context, _param: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    known = agent_ids()
    names = [name.strip() for value in values for name in value.split(",") if name.strip()]
    for name in names:
        if name not in known:
            raise click.BadParameter(f"{name!r} is none of {', '.join(known)}")
    return tuple(dict.fromkeys(names))


agents_option: _Decorator = click.option(
    "--from",
    "agents",
    multiple=True,
    callback=_agents,
    metavar="AGENT,...",
    help="Only sessions of these agents.",
)


def _roots(_ctx: click.Context, _param: click.Parameter, values: tuple[str, ...]) -> dict[str, tuple[Path, ...]]:
    roots: dict[str, tuple[Path, ...]] = {}
    for value in values:
        name, equals, folder = value.partition("=")
        if not equals or not folder:
            raise click.BadParameter(f"{value!r} is not of the form AGENT=DIR")
        if name not in agent_ids():
            raise click.BadParameter(f"{name!r} is none of {', '.join(agent_ids())}")
        roots[name] = (*roots.get(name, ()), Path(folder))
    return roots


home_option: _Decorator = click.option(
    "--home",
    type=click.Path(exists=True, file_okay=False),
    metavar="DIR",
    help="Look below this home folder, and leave the environment out of account.",
)
root_option: _Decorator = click.option(
    "--root",
    "roots",
    multiple=True,
    callback=_roots,
    metavar="AGENT=DIR",
    help="Look for the sessions of an agent here instead.",
)
