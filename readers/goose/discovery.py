"""Goose sessions on a machine: the rows of `sessions.db`, and the older files beside it that it did not take over."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from panscript.readers.context import Place
from panscript.readers.databases import is_database
from panscript.readers.finding import Found, Problems, find_files, start_of
from panscript.readers.goose.files import detect, named, session_id
from panscript.readers.goose.store import Store
from panscript.readers.sqlite import database
from panscript.schemas.errors import SourceError
from panscript.schemas.records import SessionFile, Source

__all__ = ["discover"]

_DATABASE = "sessions.db"
_SUFFIX = ".jsonl"


def discover(agent_id: str, places: Sequence[Place], report: Problems) -> Iterator[Source]:
    """The sessions in these places, by real path of their file and in the order of the rows of a database.

    A file whose session a database beside it holds was taken over into that.
    """
    found = find_files(places, lambda name: name == _DATABASE or name.endswith(_SUFFIX), report, leaves_empty=True)
    tables: dict[str, list[Source]] = {}
    for file in found:
        if is_database(file.path):
            tables[file.path] = list(_rows(agent_id, file, report))
    held = {
        (str(Path(path).parent), member.id)
        for path, sources in tables.items()
        for source in sources
        for member in (source, *_below(source))
    }
    for file in found:
        if file.path in tables:
            yield from tables[file.path]
            continue
        if (str(Path(file.path).parent), named(file.path)[0]) in held:
            continue
        if start_of(file, detect, report, "Goose") is not None:
            yield Source(agent=agent_id, id=session_id(file.path), files=(SessionFile(file.path),))


def _rows(agent_id: str, file: Found, report: Problems) -> Iterator[Source]:
    try:
        with database(file.path) as found:
            parents = dict(Store(found, file.path).ids())
    except SourceError as problem:
        report(problem)
        return
    children: dict[str, list[str]] = {}
    for name, parent in parents.items():
        if parent is not None and parent in parents and parent != name:
            children.setdefault(parent, []).append(name)
    placed: set[str] = set()

    def source(name: str) -> Source:
        placed.add(name)
        return Source(
            agent=agent_id,
            id=name,
            files=(SessionFile(file.path),),
            parent=parents[name],
            children=tuple(source(child) for child in children.get(name, ()) if child not in placed),
        )

    # Sessions that name each other as parents are entered at the first.
    for name in (*(name for name, parent in parents.items() if parent not in parents), *parents):
        if name not in placed:
            yield source(name)


def _below(source: Source) -> Iterator[Source]:
    for child in source.children:
        yield child
        yield from _below(child)
