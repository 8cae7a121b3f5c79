"""Pi sessions on a machine, those of its fork omp included.

`sessions/--<cwd>--/<time>_<session id>.jsonl`, or all in one folder; the header knows id and cwd. omp keeps sub-agents
in a folder named like the file of their session; imported ones lie beside the import of their session.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from panscript.readers.context import Place
from panscript.readers.finding import Found, Problems, find_files, readable, start_of
from panscript.readers.pi.files import detect, named
from panscript.schemas import timestamps
from panscript.schemas.pi.record_names import HEAD_TYPE
from panscript.schemas.records import SessionFile, Source

__all__ = ["discover"]

_SUFFIX = ".jsonl"
_HEADER_LINES = 4
"""omp writes the title before the header, a torn line may stand there, too; an import record follows it."""


class _Import(msgspec.Struct, rename="camel"):
    """Head of an import record."""

    source: str | None = None
    source_session_id: str | None = None
    parent_source_session_id: str | None = None


class _Line(msgspec.Struct, rename="camel"):
    type: str | None = None
    id: str | None = None
    timestamp: str | int | float | None = None
    custom_type: str | None = None
    data: _Import | None = None


_decode = msgspec.json.Decoder(_Line).decode


def discover(agent_id: str, places: Sequence[Place], report: Problems) -> Iterator[Source]:
    """The sessions in these places, by real path of their file; sub-agents are children of their session."""
    files: dict[str, Found] = {}
    heads: dict[str, list[_Line]] = {}
    for file in find_files(places, lambda name: name.endswith(_SUFFIX), report):
        start = start_of(file, detect, report, "Pi")
        if start is not None:
            stem = file.path.removesuffix(_SUFFIX)
            files[stem], heads[stem] = file, list(_lines(start))
    imports = {stem: head for stem in files if (head := _import(heads[stem])) is not None}
    made = {(head.source, head.source_session_id, str(Path(stem).parent)): stem for stem, head in imports.items()}
    parents: dict[str, str] = {}
    for stem in files:
        parent = next((str(folder) for folder in Path(stem).parents if str(folder) in files), None)
        if parent is None and stem in imports:
            head = imports[stem]
            parent = made.get((head.source, head.parent_source_session_id, str(Path(stem).parent)))
        if parent is not None and parent != stem:
            parents[stem] = parent
    children: dict[str, list[str]] = {}
    for stem, parent in parents.items():
        children.setdefault(parent, []).append(stem)
    placed: set[str] = set()

    def source(stem: str) -> Source:
        placed.add(stem)
        return Source(
            agent=agent_id,
            id=_id(files[stem], heads[stem]),
            files=(SessionFile(files[stem].path),),
            parent=_id(files[parents[stem]], heads[parents[stem]]) if stem in parents else None,
            children=tuple(source(child) for child in children.get(stem, ()) if child not in placed),
        )

    # Files that name each other as parents are entered at the first.
    for stem in (*(stem for stem in files if stem not in parents), *files):
        if stem not in placed:
            yield source(stem)


def _lines(start: bytes) -> Iterator[_Line]:
    """The first lines that can be read."""
    for line in start.split(b"\n")[:_HEADER_LINES]:
        try:
            yield _decode(line.removeprefix(b"\xef\xbb\xbf"))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            continue


def _id(file: Found, lines: list[_Line]) -> str:
    """The id in the header, else what the file name says."""
    header = next((line for line in lines if line.type == "session" and line.id), None)
    return header.id if header is not None and header.id else readable(named(file.path)[0])


def _import(lines: list[_Line]) -> _Import | None:
    """The head of the import record, where the file is the import itself: forks keep what they were forked from."""
    header = next((line for line in lines if line.type == "session"), _Line())
    entry = next((line for line in lines if line.custom_type == HEAD_TYPE and line.data is not None), _Line())
    written, began = timestamps.parse(entry.timestamp), timestamps.parse(header.timestamp)
    is_copy = written is not None and began is not None and written < began
    return entry.data if entry.data is not None and entry.data.source_session_id and not is_copy else None
