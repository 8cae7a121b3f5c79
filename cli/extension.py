"""`panscript extension`: what lets another agent import sessions from inside of it."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from panscript.cli.ending import say
from panscript.cli.options import home_option, quiet_option

if TYPE_CHECKING:
    from panscript.cli.extending import Installed

__all__ = ["command"]


def _agent(_ctx: click.Context, _param: click.Parameter, value: str) -> str:
    from panscript.writers.extensions import extensible

    known = extensible()
    if value not in known:
        raise click.BadParameter(f"{value!r} is none of {', '.join(known)}")
    return value


@click.command("extension")
@click.argument("action", type=click.Choice(["install", "remove", "status"]))
@click.argument("agent_id", default="pi", callback=_agent, metavar="[AGENT]")
@click.option("--force", is_flag=True, help="Also replace or remove a file that is not ours.")
@home_option
@quiet_option
def command(action: str, agent_id: str, force: bool, home: str | None, quiet: bool) -> None:
    """Install, remove or look at what lets another agent import sessions from inside of it.

    AGENT is pi, which then has the command /import-session: a list of the sessions of all other agents, of this
    project or of all; the chosen one is imported and opened. Prints the path of the one file that this is.

    \b
    panscript extension install pi
    panscript extension status pi
    panscript extension remove pi
    """
    from panscript.cli import extending
    from panscript.cli.sources import context_of
    from panscript.schemas.agents import agent
    from panscript.writers.extensions import extension

    context = context_of(home, {})
    name = agent(agent_id).name
    if action == "install":
        found, written = extending.install(agent_id, context, force=force)
        told = f"installed: {extension(agent_id).ADVICE}" if written else "installed already"
    elif action == "remove":
        found = extending.remove(agent_id, context, force=force)
        told = "not installed" if found.state == "absent" else f"removed from {name}"
    else:
        found = extending.installed(agent_id, context)
        told = _state(found, agent_id)
    sys.stdout.buffer.write(os.fsencode(found.path) + b"\n")
    sys.stdout.flush()
    if not quiet:
        say(told)
    if action == "status" and found.state in ("absent", "foreign"):
        sys.exit(1)


def _state(found: Installed, agent_id: str) -> str:
    install = f"`panscript extension install {agent_id}`"
    return {
        "absent": f"not installed; {install} does that",
        "current": f"installed, version {found.version}",
        "outdated": f"installed by version {found.version}, not as it would be now; {install} renews it",
        "foreign": "there is a file of that name that is not ours",
    }[found.state]
