"""`panscript show`: a session as a person reads it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from panscript.cli.options import from_option, home_option, quiet_option, root_option

if TYPE_CHECKING:
    from panscript.cli.transcript.pieces import Tools

__all__ = ["command"]


@click.command("show")
@click.argument("source", metavar="SOURCE")
@from_option
@click.option(
    "--tools",
    type=click.Choice(["full", "short", "none"]),
    default="short",
    show_default=True,
    help="How much of tool calls to show.",
)
@click.option("--thinking/--no-thinking", default=True, help="Show what the model thought (on by default).")
@click.option("--context", is_flag=True, help="Show what the agent put before the model, and summaries whole.")
@click.option("--branch", type=click.Choice(["active", "all"]), default="active", help="Which branches to show.")
@click.option("--redact/--no-redact", default=None, help="Replace secrets (off by default; with --to on).")
@click.option("--pager/--no-pager", default=True, help="Use $PAGER on a terminal (on by default).")
@click.option("--to", "target", metavar="TARGET", help="Print it in this format instead, as `convert` does.")
@home_option
@root_option
@quiet_option
@click.pass_context
def command(
    ctx: click.Context,
    source: str,
    from_agent: str | None,
    tools: str,
    thinking: bool,
    context: bool,
    branch: str,
    redact: bool | None,
    pager: bool,
    target: str | None,
    home: str | None,
    roots: dict[str, tuple[Path, ...]],
    quiet: bool,
) -> None:
    """Show a session: prompts, answers, tool calls folded to a few lines. Plain text when it is not a terminal.

    SOURCE is a file, the id of a session or its beginning, or - for standard input.

    \b
    panscript show session.jsonl
    panscript show 5a000010 --tools full --context
    panscript show 5a000010/a1b2c3d
    panscript show session.jsonl --tools none --no-thinking | grep -i queue
    """
    from panscript.cli.account import Run
    from panscript.cli.sources import context_of, opened
    from panscript.cli.transcript.pieces import Look
    from panscript.cli.transcript.showing import show

    if target is not None:
        return _convert(ctx, source, target)
    look = Look(cast("Tools", tools), thinking, context)
    run = Run(quiet=quiet)
    with run.source(), opened(source, from_agent, context_of(home, roots)) as found:
        show(found, look, run.report, all_branches=branch == "all", redacted=bool(redact), paged=pager)
    return run.end(None)


def _convert(ctx: click.Context, source: str, target: str) -> None:
    """The same as `convert SOURCE --to TARGET`, with those of the options that it has, too."""
    group = ctx.find_root().command
    convert = group.get_command(ctx, "convert") if isinstance(group, click.Group) else None
    if convert is None:
        raise click.UsageError("there is no command that converts")
    given = {name: value for name, value in ctx.params.items() if _is_given(ctx, name)}
    arguments = ["--to", target]
    for name, option in (("from_agent", "--from"), ("branch", "--branch"), ("home", "--home")):
        if name in given:
            arguments += [option, given[name]]
    for agent_id, folders in given.get("roots", {}).items():
        for folder in folders:
            arguments += ["--root", f"{agent_id}={folder}"]
    if "redact" in given:
        arguments.append("--redact" if given["redact"] else "--no-redact")
    if given.get("quiet"):
        arguments.append("--quiet")
    with convert.make_context("convert", [*arguments, "--", source], parent=ctx.parent) as inner:
        convert.invoke(inner)


def _is_given(ctx: click.Context, name: str) -> bool:
    return ctx.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE
