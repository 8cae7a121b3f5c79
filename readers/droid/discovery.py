"""Droid's sessions on a machine.

`sessions/<folder of the cwd>/<session id>.jsonl`, older ones directly in `sessions`; the settings lie beside the rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from panscript.readers.context import Place
from panscript.readers.droid.files import ROWS, SETTINGS, detect, header_of, id_of
from panscript.readers.finding import Found, Problems, find_files, readable, start_of
from panscript.schemas.records import SessionFile, Source

__all__ = ["discover"]


def discover(agent_id: str, places: Sequence[Place], report: Problems) -> Iterator[Source]:
    """The sessions in these places, by real path of their file; sub-agents are children of their session.

    Settings whose rows are gone are a session, too: they say what was billed.
    """
    files: dict[str, Found] = {}
    names: dict[str, str] = {}
    callers: dict[str, str] = {}
    settings: dict[str, Found] = {}
    # A copy of earlier settings ends in `.settings.json.bak`.
    for file in find_files(places, lambda name: name.endswith((ROWS, SETTINGS)), report):
        if file.path.endswith(SETTINGS):
            settings[file.path.removesuffix(SETTINGS)] = file
            continue
        start = start_of(file, detect, report, "Droid")
        if start is not None:
            stem = file.path.removesuffix(ROWS)
            header = header_of(start)
            files[stem] = file
            names[stem] = id_of(header) or readable(Path(stem).name)
            if header is not None and header.calling_session_id:
                callers[stem] = header.calling_session_id
    known = {name: stem for stem, name in names.items()}
    parents = {stem: known[caller] for stem, caller in callers.items() if known.get(caller, stem) != stem}
    children: dict[str, list[str]] = {}
    for stem, parent in parents.items():
        children.setdefault(parent, []).append(stem)
    placed: set[str] = set()

    def source(stem: str) -> Source:
        placed.add(stem)
        beside = settings.get(stem)
        return Source(
            agent=agent_id,
            id=names[stem],
            files=(SessionFile(files[stem].path), *((SessionFile(beside.path, "side"),) if beside else ())),
            parent=callers.get(stem),
            children=tuple(source(child) for child in children.get(stem, ()) if child not in placed),
        )

    alone = {stem: file for stem, file in settings.items() if not Path(f"{stem}{ROWS}").exists()}
    roots = [stem for stem in files if stem not in parents]
    places_of = {stem: file.real for stem, file in (files | alone).items()}
    # Sessions that name each other as parents are entered at the first.
    for stem in (*sorted((*roots, *alone), key=places_of.__getitem__), *files):
        if stem in alone:
            name = readable(Path(stem).name)
            yield Source(agent=agent_id, id=name, files=(SessionFile(alone[stem].path),), missing=("rows",))
        elif stem not in placed:
            yield source(stem)
