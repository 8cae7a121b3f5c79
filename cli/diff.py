"""`panscript diff`: what two sessions differ in."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from panscript.cli.options import from_option, home_option, quiet_option, root_option

__all__ = ["command"]


@click.command("diff")
@click.argument("source_a", metavar="A")
@click.argument("source_b", metavar="B")
@from_option
@click.option("--exact", is_flag=True, help="Compare every event and field, ids and branches that were left as well.")
@click.option(
    "--context",
    type=click.IntRange(0),
    default=2,
    show_default=True,
    metavar="N",
    help="How many items to show around what differs.",
)
@click.option("--full", is_flag=True, help="Do not cut long texts.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead.")
@click.option("--redact/--no-redact", default=False, help="Replace secrets on both sides first (off by default).")
@click.option("--pager/--no-pager", default=True, help="Use $PAGER on a terminal (on by default).")
@home_option
@root_option
@quiet_option
def command(
    source_a: str,
    source_b: str,
    from_agent: str | None,
    exact: bool,
    context: int,
    full: bool,
    as_json: bool,
    redact: bool,
    pager: bool,
    home: str | None,
    roots: dict[str, tuple[Path, ...]],
    quiet: bool,
) -> None:
    """Show what two sessions differ in, of whichever agents. Exit status 0: nothing; 1: something, or bad input.

    A and B are files, ids of sessions or their beginnings; one of them may be - for standard input. Compared is
    what was said on the branch that went on: texts, thinking, calls and results, models, tokens, times; the words that
    an import puts around its title do not count. With --exact it is every event as it was read.

    \b
    panscript diff session.jsonl imported.jsonl
    panscript convert session.jsonl --to pi | panscript diff --redact session.jsonl -
    panscript diff 5a000010 5a000011 --json | jq '.differences[] | select(.kind == "changed").fields'

    \b
    --json: {"same": false,
     "a": {"agent", "session_id", "title", "path", "items"}, "b": {the same},
     "counts": {"same", "missing", "added", "changed", "moved"},
     "differences": [{"kind": "missing" | "added" | "changed" | "moved",
       "a": place in A from 1, or null, "b": place in B from 1, or null,
       "item": what is missing, was added, or has only moved,
       "before", "after", "fields": instead, where something in it differs:
         [{"path": "parts.0.text", "before", "after"}]}]}

    A field that one side does not have has only the other of "before" and "after". Places in a path are from 0.
    """
    from panscript.cli.account import Run
    from panscript.cli.settings import redactor
    from panscript.cli.sources import context_of, opened

    if source_a == source_b == "-":
        raise click.UsageError("only one of A and B can be standard input")
    run = Run(quiet=quiet)
    differs = False
    with run.source():
        from panscript.cli.difference.showing import show
        from panscript.cli.difference.sides import as_they_are_called, side
        from panscript.stages.difference import compare

        where, marks = context_of(home, roots), redactor() if redact else None
        sides = []
        for name in (source_a, source_b):
            with opened(name, from_agent, where) as source:
                sides.append(side(source, run.report, exact=exact, redactor=marks))
        a, b = sides if exact else as_they_are_called(*sides)
        compared = compare(a.items, b.items)
        differs = not compared.same
        if as_json:
            from panscript.cli.difference.document import document

            sys.stdout.buffer.write(document(a, b, compared))
        else:
            show(a, b, compared, context=context, full=full, noun="event" if exact else "item", paged=pager)
    run.end(None, failed=differs)
