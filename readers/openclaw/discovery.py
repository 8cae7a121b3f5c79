"""OpenClaw sessions on a machine: the databases of its agents, and the older files beside them.

`agents/<agent>/agent/openclaw-agent.sqlite` and `agents/<agent>/sessions/<session id>.jsonl`, in cold storage with
`.zst`. Copies that were put away under other names (deleted, reset, backups) are found only when they are named.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from panscript.readers.context import Place
from panscript.readers.databases import is_database
from panscript.readers.finding import Found, Problems, find_files, start_of
from panscript.readers.openclaw.files import detect, source_of
from panscript.readers.openclaw.store import DATABASE_NAME, Store
from panscript.readers.sqlite import database
from panscript.schemas.errors import SourceError
from panscript.schemas.records import SessionFile, Source

__all__ = ["discover"]

_SUFFIXES = (".jsonl", ".jsonl.zst")
_OTHERS = (".trajectory.jsonl", ".trajectory.jsonl.zst")


def discover(agent_id: str, places: Sequence[Place], report: Problems) -> Iterator[Source]:
    """The sessions in these places, by real path of their file and by age inside of a database.

    A file whose session the database of the same agent holds was taken over into that. Sub-agents are children of
    their session.
    """
    found = find_files(places, _is_named, report, leaves_empty=True)
    sources: list[Source] = []
    held: set[tuple[str, str]] = set()
    for file in found:
        if is_database(file.path):
            rows = list(_rows(agent_id, file, report))
            sources.extend(rows)
            held.update((_folder(file.path), source.id) for source in rows)
    for file in found:
        if is_database(file.path):
            continue
        start = start_of(file, detect, report, "OpenClaw")
        if start is None:
            continue
        source = source_of(agent_id, file.path, start)
        if (_folder(file.path), source.id) not in held:
            sources.append(source)
    order = {file.path: number for number, file in enumerate(found)}
    sources.sort(key=lambda source: order[source.path])
    yield from _nested(sources)


def _is_named(name: str) -> bool:
    return name == DATABASE_NAME or (name.endswith(_SUFFIXES) and not name.endswith(_OTHERS))


def _folder(path: str) -> str:
    """The folder of the agent that a database or a file is of."""
    return str(Path(path).parent.parent)


def _rows(agent_id: str, file: Found, report: Problems) -> Iterator[Source]:
    try:
        with database(file.path) as found:
            ids = list(Store(found, file.path).ids())
    except SourceError as problem:
        report(problem)
        return
    for name, parent in ids:
        yield Source(agent=agent_id, id=name, files=(SessionFile(file.path),), parent=parent)


def _nested(sources: list[Source]) -> Iterator[Source]:
    """Sub-agents as children of their session; those that name each other are entered at the first."""
    by_id: dict[tuple[str, str], int] = {}
    for number, source in enumerate(sources):
        by_id.setdefault((_folder(source.path), source.id), number)
    children: dict[int, list[int]] = {}
    below: set[int] = set()
    for number, source in enumerate(sources):
        above = by_id.get((_folder(source.path), source.parent)) if source.parent is not None else None
        if above is not None and above != number:
            children.setdefault(above, []).append(number)
            below.add(number)
    placed: set[int] = set()

    def whole(number: int) -> Source:
        placed.add(number)
        source = sources[number]
        return Source(
            agent=source.agent,
            id=source.id,
            files=source.files,
            parent=source.parent,
            children=tuple(whole(child) for child in children.get(number, ()) if child not in placed),
        )

    for number in (*(number for number in range(len(sources)) if number not in below), *range(len(sources))):
        if number not in placed:
            yield whole(number)
