"""`panscript completion`: what a shell needs to complete our commands."""

from __future__ import annotations

import sys

import click

__all__ = ["command"]

_VARIABLE = "_PANSCRIPT_COMPLETE"
"""Click looks at this variable, named after the program, before anything else."""


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]), metavar="SHELL")
@click.pass_context
def command(ctx: click.Context, shell: str) -> None:
    """Print the completion script for bash, zsh or fish: commands, options, agents, targets, kinds, session ids.

    \b
    panscript completion bash > ~/.local/share/bash-completion/completions/panscript
    panscript completion zsh > "${fpath[1]}/_panscript"
    panscript completion fish > ~/.config/fish/completions/panscript.fish
    """
    from click.shell_completion import ShellComplete, get_completion_class

    found = get_completion_class(shell)
    if found is None:
        raise click.BadParameter(f"{shell!r} cannot be served")
    script = found(ctx.find_root().command, {}, "panscript", _VARIABLE)
    # Bash's own `source` first runs bash to ask for its version; the script is for a shell that may be elsewhere.
    sys.stdout.write(ShellComplete.source(script))
