"""`panscript validate`: session files against their schemas and the rules of their sessions."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from panscript.cli.ending import complain, say
from panscript.cli.options import from_option, quiet_option
from panscript.schemas.errors import PanscriptError, SourceNotFound

if TYPE_CHECKING:
    from panscript.readers.validation import FileProblems

__all__ = ["command"]


@click.command("validate")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@from_option
@click.option("--strict", is_flag=True, help="Also report unknown fields and types, as warnings.")
@click.option(
    "--fail-on",
    type=click.Choice(["error", "warning"]),
    default="error",
    show_default=True,
    help="What makes the exit status 1.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "github", "junit", "sarif"]),
    default="text",
    show_default=True,
    help="How to print what was found.",
)
@quiet_option
def command(paths: tuple[str, ...], from_agent: str | None, strict: bool, fail_on: str, form: str, quiet: bool) -> None:
    """Check session files against their schemas and the rules of their sessions. Folders are searched.

    \b
    panscript validate session.jsonl
    panscript validate ~/.claude/projects --fail-on warning
    panscript validate session.jsonl --strict --format json
    """
    from panscript.cli.reports.plain import line, summary

    files: list[FileProblems] = []
    failed = False
    others = 0
    for checked in _checked(paths, from_agent, strict=strict):
        if checked is None:
            others += 1
            continue
        if isinstance(checked, PanscriptError):
            complain(checked)
            failed = True
            continue
        files.append(checked)
        if form == "text":
            for problem in checked.problems:
                if problem.severity == "error" or not quiet or fail_on == "warning":
                    click.echo(line(checked.path, problem))
    if form != "text" and (printed := _printed(form, files)):
        click.echo(printed)
    if not quiet and (files or not failed):
        say(summary(files, others))
    if failed or any(file.errors or (fail_on == "warning" and file.warnings) for file in files):
        sys.exit(1)


def _checked(
    paths: tuple[str, ...], agent: str | None, *, strict: bool
) -> Iterator[FileProblems | PanscriptError | None]:
    """Every file with its problems, or why it could not be checked; None for one that is no session."""
    from panscript.cli.searching import search
    from panscript.readers.validation import validate

    for path in paths:
        is_folder = Path(path).is_dir()
        found = search(path, agent) if is_folder else [(path, agent)]
        nothing = is_folder
        for each in found:
            if each is None:
                yield None
                continue
            nothing = False
            if isinstance(each, PanscriptError):
                yield each
                continue
            try:
                yield validate(each[0], each[1], strict=strict)
            except PanscriptError as error:
                yield error
        if nothing:
            yield SourceNotFound("no session was found in this folder", path=path)


def _printed(form: str, files: list[FileProblems]) -> str:
    if form == "json":
        from panscript.cli.reports.document import document

        return document(files)
    if form == "github":
        from panscript.cli.reports.github import workflow_commands

        return workflow_commands(files)
    if form == "junit":
        from panscript.cli.reports.junit import suite_of

        return suite_of(files)
    from panscript.cli.reports.sarif import log

    return log(files)
