"""Claude Code sessions on a machine.

`projects/<folder of the cwd>/<session id>.jsonl`, sub-agents in `<session id>/subagents/`, in 2.0.x flat beside the
sessions. Folder names cannot be turned back into paths and are not looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from panscript.readers.claude.files import detect, meta_file, session_files
from panscript.readers.context import Place
from panscript.readers.finding import Found, Problems, find_files, readable, start_of
from panscript.schemas.records import Source

__all__ = ["discover", "forked_from"]

_SUFFIX = ".jsonl"
_SIDE_FILES = frozenset({"history.jsonl", "journal.jsonl"})
_SIDE_FOLDERS = frozenset({"memory", "tool-results", "scripts", "file-history", "tasks", "todos"})


def discover(agent_id: str, places: Sequence[Place], report: Problems) -> Iterator[Source]:
    """The sessions in these places, by real path of their file; sub-agents are children of their session."""
    files: list[Found] = []
    parents: dict[str, tuple[str, str | None]] = {}
    # Versions 2.0 leave files without a byte behind.
    for file in find_files(places, _is_session_name, report, leave_out=_SIDE_FOLDERS, leaves_empty=True):
        start = start_of(file, detect, report, "Claude Code")
        if start is not None:
            files.append(file)
            if _name_of_agent(file) is not None:
                parents[file.real] = _parent(file, start)
    mains = {_stem(path): file.real for file in files if file.real not in parents for path in file[:2]}
    children: dict[str, list[Source]] = {}
    alone: dict[str, Source] = {}
    for file in files:
        name = _name_of_agent(file)
        if name is None:
            continue
        folder, parent = parents[file.real]
        child = Source(agent=agent_id, id=name, files=session_files(file.path), parent=parent, agent_id=name)
        main = mains.get(f"{folder}/{parent}") if parent is not None else None
        if main is not None:
            children.setdefault(main, []).append(child)
        else:
            alone[file.real] = child
    for file in files:
        if file.real in alone:
            yield alone[file.real]
        elif file.real not in parents:
            yield Source(
                agent=agent_id,
                id=readable(Path(file.path).stem),
                files=session_files(file.path),
                children=tuple(children.get(file.real, ())),
            )


def forked_from(source: Source) -> str | None:
    """The id of the sub-agent that this one was forked from, where the file beside it says so."""
    facts = meta_file(source.transcripts[-1].path)
    return facts.parent_agent_id if facts.is_fork else None


def _is_session_name(name: str) -> bool:
    return name.endswith(_SUFFIX) and name not in _SIDE_FILES


def _stem(path: str) -> str:
    return path.removesuffix(_SUFFIX)


def _name_of_agent(file: Found) -> str | None:
    """The id of the sub-agent whose transcript this is; None for a session of its own."""
    stem = Path(file.path).stem
    return readable(stem.removeprefix("agent-")) if stem.startswith("agent-") else None


class _Row(msgspec.Struct, rename="camel"):
    session_id: str | None = None


_decode = msgspec.json.Decoder(_Row).decode


def _parent(file: Found, start: bytes) -> tuple[str, str | None]:
    """The folder that the session of a sub-agent should lie in, and its id."""
    for folder in Path(file.path).parents:
        if folder.name == "subagents":
            return str(folder.parent.parent), readable(folder.parent.name)
    for line in start.split(b"\n"):
        try:
            row = _decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            continue
        if row.session_id:
            return str(Path(file.path).parent), row.session_id
    return str(Path(file.path).parent), None
