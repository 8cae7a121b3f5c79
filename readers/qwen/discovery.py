"""Qwen Code's sessions on a machine: those of all projects, archived ones too, and those of the form of 2025."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from panscript.readers.context import Place
from panscript.readers.finding import Problems, find_files, readable, start_of
from panscript.readers.qwen.files import agent_of, children_of, detect, is_recording, is_session_name
from panscript.readers.recordings import files
from panscript.schemas.errors import SourceError
from panscript.schemas.records import SessionFile, Source

__all__ = ["discover"]

_OTHERS = frozenset({"logs", "tool-outputs", "checkpoints", "plans", "memory", "file-history"})
"""Folders that hold no sessions."""


def discover(agent_id: str, places: Sequence[Place], report: Problems) -> Iterator[Source]:
    """The sessions in these places, by real path of their file; sub-agents are children of their session."""
    early: list[tuple[str, bytes]] = []
    found: list[str] = []
    for file in find_files(places, files.is_named, report, leave_out=_OTHERS):
        # Ledgers and the like lie beside sessions; only what is called like a session has to be one.
        told = report if is_session_name(Path(file.path).name) else _quiet
        start = start_of(file, detect, told, "Qwen Code")
        if start is None:
            continue
        if is_recording(start):
            early.append((file.path, start))
        else:
            found.append(file.path)
    sessions = {path: readable(files.stem(Path(path).name)) for path in found if agent_of(path) is None}
    children = {path: children_of(agent_id, path, name) for path, name in sessions.items()}
    theirs = {os.path.realpath(file.path) for below in children.values() for child in below for file in child.files}
    made = [
        Source(agent=agent_id, id=sessions[path], files=(SessionFile(path),), children=children[path])
        for path in sessions
    ]
    for path in found:
        own = agent_of(path)
        if own is not None and os.path.realpath(path) not in theirs:
            # Its session is gone.
            made.append(Source(agent=agent_id, id=own[1], files=(SessionFile(path),), parent=own[0], agent_id=own[1]))
    yield from sorted([*made, *files.sources(agent_id, early)], key=lambda source: source.files[0].path)


def _quiet(_problem: SourceError) -> None:
    pass
