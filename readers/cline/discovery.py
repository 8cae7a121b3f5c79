"""Tasks and sessions of Cline, Roo Code and Kilo Code on a machine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec.structs import replace

from panscript.readers.cline.facts import parent_task
from panscript.readers.cline.files import MANIFEST, MESSAGES, detect, is_session, session
from panscript.readers.context import Place
from panscript.readers.finding import Found, Problems, find_files, readable, start_of
from panscript.schemas.agents import agent
from panscript.schemas.records import Source

__all__ = ["discover"]

_OTHERS = frozenset({"checkpoints", ".git", "settings", "db"})
"""Folders beside the sessions that hold none."""


def discover(agent_id: str, places: Sequence[Place], report: Problems) -> Iterator[Source]:
    """The tasks and sessions in these places, by real path of their first file; sub-tasks are children of theirs."""
    found: dict[str, tuple[str, Source]] = {}
    for file in find_files(places, _is_ours, report, leave_out=_OTHERS):
        if not _holds_session(file, agent_id, report):
            continue
        source = session(file.path, agent_id)
        key = source.files[0].path
        if key not in found:
            found[key] = (file.real, replace(source, id=readable(source.id)))
    sources = [source for _, source in sorted(found.values(), key=lambda each: each[0])]
    yield from _families(sources)


def _is_ours(name: str) -> bool:
    return is_session(name) or _is_manifest(name)


def _is_manifest(name: str) -> bool:
    """Manifests are named by time: `<milliseconds>_<letters>.json`."""
    stem = name.removesuffix(MANIFEST)
    return name.endswith(MANIFEST) and stem[:13].isdecimal() and stem[13:14] == "_" and "." not in stem


def _holds_session(file: Found, agent_id: str, report: Problems) -> bool:
    path = Path(file.path)
    if _is_manifest(path.name) and path.with_name(f"{path.name.removesuffix(MANIFEST)}{MESSAGES}").exists():
        return False
    return start_of(file, lambda start: detect(start, agent_id), report, agent(agent_id).name) is not None


def _families(sources: list[Source]) -> Iterator[Source]:
    by_id = {source.id: source for source in reversed(sources)}
    parents = {source.id: parent_task(source.path) for source in sources}
    children: dict[str, list[Source]] = {}
    for source in sources:
        parent = parents[source.id]
        if parent is not None and parent in by_id and parent != source.id:
            children.setdefault(parent, []).append(source)
    placed: set[str] = set()

    def family(source: Source) -> Source:
        placed.add(source.files[0].path)
        below = tuple(family(child) for child in children.get(source.id, ()) if child.files[0].path not in placed)
        return replace(source, parent=parents[source.id], children=below)

    roots = [source for source in sources if parents[source.id] not in by_id]
    # Tasks that name each other as parents are entered at the first.
    for source in (*roots, *sources):
        if source.files[0].path not in placed:
            yield family(source)
