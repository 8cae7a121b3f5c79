"""Session files below a folder: the content decides, and what is none of ours is passed over."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from panscript.readers.validation import recognise
from panscript.schemas.errors import PanscriptError

__all__ = ["Candidate", "search"]

_SESSION_NAME = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}.*\.jsonl(?:\.zst)?\Z")
"""How the agents name session files: one that no agent is recognised in is worth a word."""


class Candidate(NamedTuple):
    """A file to check."""

    path: str
    agent: str | None
    """None when it looks like a session and no agent is recognised."""


def search(folder: str, agent: str | None) -> Iterator[Candidate | PanscriptError | None]:
    """Session files below the folder in the order of their names; a file that cannot be read gives its error, any
    other None.

    `agent`: only its files. Links to folders are not followed.
    """
    unreadable: list[OSError] = []
    for top, folders, names in os.walk(folder, onerror=unreadable.append):
        folders.sort()
        for name in sorted(names):
            path = str(Path(top, name))
            if not Path(path).is_file():
                continue
            try:
                found = recognise(path)
            except PanscriptError as error:
                yield error
                continue
            if len(found) == 1 and agent in (None, found[0]):
                yield Candidate(path, found[0])
            elif len(found) != 1 and _SESSION_NAME.search(name) and Path(path).stat().st_size:
                yield Candidate(path, agent)
            else:
                yield None
    for problem in unreadable:
        yield PanscriptError(f"cannot be searched: {problem.strerror}", path=str(problem.filename))
