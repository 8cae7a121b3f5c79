"""Options that several commands share, so that one name means one thing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from panscript.schemas import timestamps
from panscript.schemas.agents import agent_ids

__all__ = ["from_option", "quiet_option", "report_option", "sources_argument", "strict_option", "time_value"]

_Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

sources_argument: _Decorator = click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
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
strict_option: _Decorator = click.option("--strict", is_flag=True, help="Fail when content would be lost.")
quiet_option: _Decorator = click.option("--quiet", is_flag=True, help="Say nothing but errors.")


def time_value(_ctx: click.Context, _param: click.Parameter, value: str | None) -> int | None:
    """A point in time in any form that agents write."""
    if value is None:
        return None
    time = timestamps.parse(value)
    if time is None:
        raise click.BadParameter(f"{value!r} is no time; write it like 2026-01-31T12:00:00Z")
    return time
