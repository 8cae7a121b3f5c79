"""What a person is told of an import: what became of an earlier one, that nothing is counted twice, how to go on."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path

from panscript.schemas.agents import agent
from panscript.schemas.report import FileReport

__all__ = ["GROWN", "OUTCOMES", "how_to_go_on", "what_became"]

GROWN = {"unchanged": "unchanged", "appended": "grown"}
"""What is said of sessions that an earlier import served for."""
OUTCOMES = ("unchanged", "appended", "imported_again")
"""Warnings that stand before how to go on, or are summed up."""


def what_became(files: Sequence[FileReport], *, briefly: bool) -> Iterator[str]:
    """What became of earlier imports of a session and its sub-agents; `briefly`: only why one did not serve."""
    codes = ("imported_again",) if briefly else OUTCOMES
    said = [(file, warning) for file in files for warning in file.warnings if warning.code in codes]
    if all(warning.code == "unchanged" for _, warning in said):
        # Of a whole family it is enough to say it once.
        said = said[:1]
    for number, (file, warning) in enumerate(said):
        if number == 0 or warning.code != "unchanged":
            yield f"panscript: {file.path}: {warning.message}"


def how_to_go_on(agent_id: str, done: str, command: list[str], folder: str) -> Iterator[str]:
    """What people should know: that nothing is counted twice, and how to go on."""
    if done != "unchanged":
        yield f"Imported from {agent(agent_id).name}: usage excluded"
    go_on = shlex.join(command)
    elsewhere = folder != os.path.realpath(Path.cwd())
    yield f"go on with: cd {shlex.quote(folder)} && {go_on}" if elsewhere else f"go on with: {go_on}"
