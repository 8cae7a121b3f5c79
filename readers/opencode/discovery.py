"""OpenCode's sessions on a machine: rows of its databases, files of the older tree, and exports."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from panscript.readers.context import Place
from panscript.readers.databases import is_database
from panscript.readers.finding import Found, Problems, find_files, start_of
from panscript.readers.opencode.files import detect, parent_of, source_of
from panscript.readers.opencode.store import TABLES, Store
from panscript.readers.opencode.tree import FOLDERS, branch_of, name_of, session_of
from panscript.readers.sqlite import Database, database
from panscript.schemas.errors import SourceError
from panscript.schemas.records import SessionFile, Source

__all__ = ["discover"]

_NOT_ENTERED = FOLDERS | {
    ".git",
    "bin",
    "checkpoints",
    "log",
    "node_modules",
    "permission",
    "session_diff",
    "session_share",
    "snapshot",
    "todo",
    "tool-output",
}


def discover(agent_id: str, places: Sequence[Place], report: Problems) -> Iterator[Source]:
    """The sessions in these places: those of databases, then those of files that no database took over."""
    found = find_files(places, _is_candidate, report, leave_out=_NOT_ENTERED, leaves_empty=True)
    held: set[str] = set()
    for file in found:
        if is_database(file.path):
            parents = _rows(file, report)
            held.update(parents)
            files = (SessionFile(file.path),)
            yield from _nested(parents, _of_database(agent_id, files))
    yield from _of_files(agent_id, [file for file in found if not is_database(file.path)], held, report)


def _is_candidate(name: str) -> bool:
    return name.endswith(".db") or (name.endswith(".json") and name.startswith(("ses_", "export-ses_")))


def _rows(file: Found, report: Problems) -> dict[str, str | None]:
    """The sessions of a database with those that started them; none of one that is another program's."""
    try:
        with database(file.path) as found:
            return dict(Store(found, file.path).ids()) if _is_ours(found) else {}
    except SourceError as problem:
        report(problem)
        return {}


def _is_ours(found: Database) -> bool:
    return found.tables >= TABLES


def _of_database(agent_id: str, files: tuple[SessionFile, ...]) -> Callable[[str, str | None], Source]:
    return lambda name, parent: Source(agent=agent_id, id=name, files=files, parent=parent)


def _of_files(agent_id: str, found: Sequence[Found], held: set[str], report: Problems) -> Iterator[Source]:
    parents: dict[str, str | None] = {}
    paths: dict[str, str] = {}
    for file in found:
        if start_of(file, detect, report, "OpenCode") is None:
            continue
        path = session_of(file.path) or file.path
        in_tree = branch_of(path) is not None
        name = name_of(path) if in_tree else source_of(agent_id, path).id
        if name in held or name in paths:
            continue
        paths[name] = path
        parents[name] = parent_of(path) if in_tree else None
    yield from _nested(parents, lambda name, parent: source_of(agent_id, paths[name], parent))


def _nested(parents: Mapping[str, str | None], made: Callable[[str, str | None], Source]) -> Iterator[Source]:
    """The sessions with their sub-agents as children."""
    children: dict[str, list[str]] = {}
    for name, parent in parents.items():
        if parent is not None and parent in parents and parent != name:
            children.setdefault(parent, []).append(name)
    placed: set[str] = set()

    def source(name: str) -> Source:
        placed.add(name)
        below = tuple(source(child) for child in children.get(name, ()) if child not in placed)
        return replace(made(name, parents[name]), children=below)

    # Sessions that name each other as parents are entered at the first.
    for name in (*(name for name, parent in parents.items() if parent not in parents), *parents):
        if name not in placed:
            yield source(name)
