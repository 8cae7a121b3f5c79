"""Gemini CLI's sessions on a machine: those in the `chats` folders of all projects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from panscript.readers.context import Place
from panscript.readers.finding import Problems, find_files, start_of
from panscript.readers.gemini.files import detect
from panscript.readers.recordings import files
from panscript.schemas.records import Source

__all__ = ["discover"]

_OTHERS = frozenset({"logs", "tool-outputs", "checkpoints", "plans", "tracker", "tasks", "memory"})
"""Folders of a project that hold no sessions."""


def discover(agent_id: str, places: Sequence[Place], report: Problems) -> Iterator[Source]:
    """The sessions in these places, by real path of their first file; sub-agents are children of their session."""
    found: list[tuple[str, bytes]] = []
    for file in find_files(places, files.is_named, report, leave_out=_OTHERS):
        start = start_of(file, detect, report, "Gemini CLI")
        if start is not None:
            found.append((file.path, start))
    yield from files.sources(agent_id, found)
