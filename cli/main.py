"""The program: which commands there are. Each command's module is imported when it is called."""

from __future__ import annotations

from importlib import import_module
from keyword import iskeyword
from typing import Any

import click

from panscript.cli.settings import config_option, with_settings

__all__ = ["main"]

_COMMANDS = {
    "agents": "Show which agents are known, and where their sessions are on this machine.",
    "completion": "Print the completion script for a shell.",
    "convert": "Write sessions in another agent's format.",
    "diff": "Show what two sessions differ in.",
    "events": "Print what a session says, one JSON object a line.",
    "extension": "Install what lets another agent import sessions from inside of it.",
    "import": "Import sessions into another agent's own store, to go on there.",
    "list": "List the sessions on this machine.",
    "redact": "Replace secrets in session files, everything else byte for byte.",
    "schema": "Print the JSON Schema of an agent's records.",
    "show": "Show a session as a person reads it.",
    "usage": "Add up the tokens of all sessions, and what they cost.",
    "validate": "Check session files against their schemas and the rules of their sessions.",
}


class _Commands(click.Group):
    """Knows the commands by name and loads one at a time."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        # A keyword is no name of a module.
        module = f"{cmd_name}_" if iskeyword(cmd_name) else cmd_name
        command = with_settings(import_module(f"panscript.cli.{module}").command)
        # So a shell asks; a context is always there but in tests.
        if ctx is not None and ctx.resilient_parsing:
            from panscript.cli.completing import completed

            return completed(command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))

    def invoke(self, ctx: click.Context) -> Any:
        from panscript.cli.ending import ending
        from panscript.readers.options import patient

        # Inside of click, which has its own words for a closed pipe and for Ctrl-C.
        with ending(), patient():
            return super().invoke(ctx)

    def main(self, *args: Any, **kwargs: Any) -> Any:
        from panscript.cli.ending import ending

        kwargs.setdefault("prog_name", "panscript")
        with ending():
            return super().main(*args, **kwargs)


def _version(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        from panscript.cli.version import VERSION

        click.echo(f"panscript {VERSION}")
        ctx.exit()


@click.command(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.option(
    "--version", is_flag=True, expose_value=False, is_eager=True, callback=_version, help="Print the version."
)
@config_option
def main() -> None:
    """The pandoc of coding-agent transcripts: read, convert, redact and count the sessions of many agents.

    \b
    panscript convert session.jsonl --to pi -o pi-sessions/
    panscript events session.jsonl --kinds usage
    panscript redact session.jsonl --check
    """
