"""Sessions of Kimi CLI and Kimi Code on a machine: folders, and in the oldest form single files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from panscript.readers.context import Place
from panscript.readers.finding import Found, Problems, find_files, readable, start_of
from panscript.readers.kimi.files import CONTEXT, WIRE, cli_files, code_files, detect
from panscript.schemas.records import SessionFile, Source

__all__ = ["discover"]

_SIDE_FOLDERS = frozenset({"notify", "logs", "blobs", "uploads"})
_TOP = ""


def discover(agent_id: str, places: Sequence[Place], report: Problems) -> Iterator[Source]:
    """The sessions in these places, by real path of their first file; sub-agents are children of their session."""
    sessions: dict[str, dict[str, Source]] = {}
    order: list[str] = []
    for file in find_files(places, _is_transcript, report, leave_out=_SIDE_FOLDERS, leaves_empty=True):
        folder, member = _place(file)
        known = sessions.get(folder)
        if known is not None and member in known:
            continue
        if start_of(file, detect, report, "Kimi") is None:
            continue
        if known is None:
            known = sessions[folder] = {}
            order.append(folder)
        known[member] = _source(agent_id, file, Path(folder), member)
    for folder in order:
        members = sessions[folder]
        children = tuple(source for member, source in members.items() if member != _TOP)
        if _TOP in members:
            top = members[_TOP]
            yield Source(agent=agent_id, id=top.id, files=top.files, children=children)
        else:
            yield from children


def _is_transcript(name: str) -> bool:
    return name.endswith(".jsonl") and not name.startswith("context_")


def _place(file: Found) -> tuple[str, str]:
    """The session's folder, and the sub-agent in it; the oldest form is a session by itself."""
    path = Path(file.path)
    folder = path.parent
    if path.name not in (CONTEXT, WIRE):
        return file.path, _TOP
    if folder.parent.name == "subagents":
        return str(folder.parent.parent), folder.name
    if path.name == WIRE and folder.parent.name == "agents":
        return str(folder.parent.parent), _TOP if folder.name == "main" else folder.name
    return str(folder), _TOP


def _source(agent_id: str, file: Found, folder: Path, member: str) -> Source:
    path = Path(file.path)
    if path == folder:
        return Source(agent=agent_id, id=readable(path.stem), files=(SessionFile(file.path),))
    is_code = path.name == WIRE and path.parent.parent.name == "agents"
    files = code_files(folder, path.parent.name) if is_code else cli_files(path.parent)
    if not member:
        return Source(agent=agent_id, id=readable(folder.name), files=files)
    name = readable(member)
    return Source(agent=agent_id, id=name, files=files, parent=readable(folder.name), agent_id=name)
