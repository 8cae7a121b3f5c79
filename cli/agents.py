"""`panscript agents`: what is read and written of which agent, and where its sessions are on this machine."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from panscript.cli.options import home_option, root_option

__all__ = ["command"]


@click.command("agents")
@click.option("--json", "in_json", is_flag=True, help="Print one JSON array instead of a table.")
@home_option
@root_option
def command(in_json: bool, home: str | None, roots: dict[str, tuple[Path, ...]]) -> None:
    """Show which agents are known: what is read of them and written, and where their sessions are on this machine, and
    our extension inside of them (see `panscript extension`).

    \b
    panscript agents
    panscript agents --home /mnt/backup/ana
    panscript agents --json | jq -r '.[] | select(.found) | .agent'
    """
    from panscript.cli import inventory
    from panscript.cli.sources import context_of

    context = context_of(home, roots)
    known = inventory.inventory(context)
    if in_json:
        sys.stdout.buffer.write(inventory.as_json(known))
    else:
        inventory.print_table(known, context.home)
