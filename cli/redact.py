"""`panscript redact`: the same files without secrets."""

from __future__ import annotations

import click

from panscript.cli.ending import say
from panscript.cli.options import from_option, quiet_option, report_option, strict_option
from panscript.schemas.errors import OutputFailed

__all__ = ["command"]


@click.command("redact")
@click.argument("sources", nargs=-1, required=True, metavar="FILE...")
@from_option
@click.option("-o", "--output", default="-", metavar="FILE|DIR|-", help="Where to write; - is standard output.")
@click.option("--check", is_flag=True, help="Write nothing; exit 1 unless every line is clean.")
@click.option("--force", is_flag=True, help="Replace files that are there.")
@strict_option
@report_option
@quiet_option
def command(
    sources: tuple[str, ...],
    from_agent: str | None,
    output: str,
    check: bool,
    force: bool,
    strict: bool,
    report_file: str | None,
    quiet: bool,
) -> None:
    """Replace every secret in session files by a mark such as [REDACTED:github-token:1].

    Nothing else changes, byte for byte. A line that cannot be read cannot be called clean: it is left out, and
    --check fails on it. Without -o the result goes to standard output.

    \b
    panscript redact session.jsonl -o clean/
    panscript redact --check ~/.codex/sessions/2026/01/31/*.jsonl
    """
    from panscript.cli.account import Run
    from panscript.cli.copying import copy
    from panscript.cli.output import Destination
    from panscript.cli.scanning import check_file, found
    from panscript.cli.settings import redactor
    from panscript.cli.sources import opened

    destination = Destination(output, force=force, several=len(sources) > 1)
    if len(sources) > 1 and not destination.many and not check:
        raise OutputFailed("several sources need a folder", path=output, hint="-o DIR/")
    run = Run(quiet=quiet)
    dirty = False
    for name in sources:
        with run.source(), opened(name, from_agent) as source:
            if check:
                account = check_file(source, run.report, redactor())
                dirty = dirty or bool(account.redacted) or "unverifiable_line" in account.lost
                if not quiet:
                    say(f"{source.path}: {found(account)}")
                continue
            for path in copy(source, destination, run.report, redactor=redactor(), subagents=False, strict=strict):
                if path is not None and not quiet:
                    say(f"wrote {path}: {found(run.report.files[-1])}")
    run.end(report_file, failed=dirty)
