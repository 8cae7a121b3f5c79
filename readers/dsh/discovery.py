"""Sessions of the DeepSeek Harness on a machine: a folder each, the sub-agents of a session beside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from panscript.readers.context import Place
from panscript.readers.dsh.files import Header, detect, header_of, log_rank, newest
from panscript.readers.finding import Found, Problems, find_files, start_of
from panscript.schemas.records import SessionFile, Source

__all__ = ["discover"]


def discover(agent_id: str, places: Sequence[Place], report: Problems) -> Iterator[Source]:
    """The sessions in these places, by real path of their log; sub-agents are children of their session.

    Of several generations of one log only the newest is a session; the others are what it was made from.
    """
    sessions: dict[str, tuple[Found, Header]] = {}
    for file in _in_use(find_files(places, lambda name: log_rank(name) is not None, report)):
        if start_of(file, detect, report, "DeepSeek Harness") is None:
            continue
        header = header_of(file.path)
        # A second copy of a session is one of its own.
        name = header.session_id if header.session_id not in sessions else f"{header.session_id}\0{file.real}"
        sessions[name] = (file, header)
    children: dict[str, list[str]] = {}
    below: set[str] = set()
    for name, (_, header) in sessions.items():
        if header.is_child and header.parent in sessions and header.parent != name:
            children.setdefault(header.parent, []).append(name)
            below.add(name)
    placed: set[str] = set()

    def source(name: str) -> Source:
        placed.add(name)
        file, header = sessions[name]
        return Source(
            agent=agent_id,
            id=header.session_id,
            files=(SessionFile(file.path),),
            parent=header.parent if header.is_child else None,
            children=tuple(source(child) for child in children.get(name, ()) if child not in placed),
        )

    # Sessions that name each other as parents are entered at the first.
    for name in (*(name for name in sessions if name not in below), *sessions):
        if name not in placed:
            yield source(name)


def _in_use(files: list[Found]) -> Iterator[Found]:
    """One log a folder; what has another name is a session by itself."""
    folders: dict[Path, list[Path]] = {}
    for file in files:
        folders.setdefault(Path(file.path).parent, []).append(Path(file.path))
    chosen = {str(log) for logs in folders.values() if (log := newest(logs)) is not None}
    for file in files:
        if file.path in chosen or log_rank(Path(file.path).name) is None:
            yield file
