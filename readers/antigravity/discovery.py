"""Antigravity's conversations on a machine: databases, and logs whose conversation is encrypted or gone."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from panscript.readers.antigravity.files import LOG, TRAJECTORY, detect, resolve
from panscript.readers.antigravity.store import Store
from panscript.readers.context import Place
from panscript.readers.databases import is_database
from panscript.readers.finding import Problems, find_files, start_of
from panscript.readers.sqlite import database
from panscript.schemas.errors import NotATranscript, SourceError
from panscript.schemas.records import Source

__all__ = ["discover"]

_SUFFIX = ".db"


def discover(agent_id: str, places: Sequence[Place], report: Problems) -> Iterator[Source]:
    """The conversations in these places, by real path of the first file found; sub-agents are children of theirs."""
    sources: dict[tuple[str, ...], Source] = {}
    for file in find_files(places, _is_named, report, leaves_empty=True):
        if not is_database(file.path):
            if not file.path.endswith((LOG, TRAJECTORY)):
                report(NotATranscript("this is no database, or an encrypted one", path=file.path))
                continue
            if start_of(file, detect, report, "Antigravity") is None:
                continue
        source = resolve(file.path, agent_id)
        sources.setdefault(tuple(os.path.realpath(each.path) for each in source.files), source)
    yield from _nested(list(sources.values()), report)


def _is_named(name: str) -> bool:
    return name == LOG or name.endswith((_SUFFIX, TRAJECTORY))


def _nested(sources: list[Source], report: Problems) -> Iterator[Source]:
    numbers = {source.id: number for number, source in reversed(list(enumerate(sources)))}
    parents: dict[int, str] = {}
    children: dict[int, list[int]] = {}
    for number, source in enumerate(sources):
        parent = _parent(source, report)
        if parent is None:
            continue
        parents[number] = parent
        above = numbers.get(parent)
        if above is not None and above != number:
            children.setdefault(above, []).append(number)
    below = {child for found in children.values() for child in found}
    placed: set[int] = set()

    def whole(number: int) -> Source:
        placed.add(number)
        source = sources[number]
        return Source(
            agent=source.agent,
            id=source.id,
            files=source.files,
            parent=parents.get(number),
            children=tuple(whole(child) for child in children.get(number, ()) if child not in placed),
        )

    # Conversations that name each other as parents are entered at the first.
    for number in (*(number for number in range(len(sources)) if number not in below), *range(len(sources))):
        if number not in placed:
            yield whole(number)


def _parent(source: Source, report: Problems) -> str | None:
    """The conversation that started this one."""
    path = source.transcripts[-1].path
    if not is_database(path):
        return None
    try:
        with database(path) as found:
            return Store(found, path).about().parent
    except SourceError as problem:
        report(problem)
        return None
