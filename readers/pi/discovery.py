"""Pi sessions on a machine, those of its fork omp included.

`sessions/--<cwd>--/<time>_<session id>.jsonl`, or all in one folder; the header knows id and cwd. omp keeps sub-agents
in a folder named like the file of their session.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from panscript.readers.context import Place
from panscript.readers.finding import Found, Problems, find_files, readable, start_of
from panscript.readers.pi.files import detect, named
from panscript.schemas.records import SessionFile, Source

__all__ = ["discover"]

_SUFFIX = ".jsonl"
_HEADER_LINES = 3
"""omp writes the title before the header, and a torn line may stand there, too."""


class _Header(msgspec.Struct):
    type: str | None = None
    id: str | None = None


_decode = msgspec.json.Decoder(_Header).decode


def discover(agent_id: str, places: Sequence[Place], report: Problems) -> Iterator[Source]:
    """The sessions in these places, by real path of their file; sub-agents are children of their session."""
    files: dict[str, Found] = {}
    ids: dict[str, str] = {}
    for file in find_files(places, lambda name: name.endswith(_SUFFIX), report):
        start = start_of(file, detect, report, "Pi")
        if start is not None:
            stem = file.path.removesuffix(_SUFFIX)
            files[stem] = file
            ids[stem] = _id(file, start)
    children: dict[str, list[str]] = {}
    parents: dict[str, str] = {}
    for stem in files:
        parent = next((str(folder) for folder in Path(stem).parents if str(folder) in files), None)
        if parent is not None:
            parents[stem] = parent
            children.setdefault(parent, []).append(stem)

    def source(stem: str) -> Source:
        return Source(
            agent=agent_id,
            id=ids[stem],
            files=(SessionFile(files[stem].path),),
            parent=ids[parents[stem]] if stem in parents else None,
            children=tuple(source(child) for child in children.get(stem, ())),
        )

    for stem in files:
        if stem not in parents:
            yield source(stem)


def _id(file: Found, start: bytes) -> str:
    """The id in the header, else what the file name says."""
    for line in start.split(b"\n")[:_HEADER_LINES]:
        try:
            header = _decode(line.removeprefix(b"\xef\xbb\xbf"))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            continue
        if header.type == "session" and header.id:
            return header.id
    return readable(named(file.path)[0])
