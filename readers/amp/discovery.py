"""Amp's threads on a machine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from panscript.readers.amp.files import SUFFIX, detect, is_thread, starter_of
from panscript.readers.context import Place
from panscript.readers.finding import Found, Problems, find_files, readable, start_of
from panscript.schemas.records import SessionFile, Source

__all__ = ["discover"]


def discover(agent_id: str, places: Sequence[Place], report: Problems) -> Iterator[Source]:
    """The threads in these places, by real path of their file; sub-agents are children of the thread they work for."""
    files: dict[str, Found] = {}
    starters: dict[str, str] = {}
    for file in find_files(places, is_thread, report):
        if start_of(file, detect, report, "Amp") is None:
            continue
        name = readable(Path(file.path).name.removesuffix(SUFFIX))
        if name in files:
            continue
        files[name] = file
        starter = starter_of(file.path)
        if starter is not None and starter != name:
            starters[name] = starter
    children: dict[str, list[str]] = {}
    for name, starter in starters.items():
        if starter in files:
            children.setdefault(starter, []).append(name)
    placed: set[str] = set()

    def source(name: str) -> Source:
        placed.add(name)
        return Source(
            agent=agent_id,
            id=name,
            files=(SessionFile(files[name].path),),
            parent=starters.get(name),
            children=tuple(source(child) for child in children.get(name, ()) if child not in placed),
        )

    roots = [name for name in files if starters.get(name) not in files]
    # Threads that name each other are entered at the first.
    for name in (*roots, *files):
        if name not in placed:
            yield source(name)
