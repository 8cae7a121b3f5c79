"""Files of conversation records: what their beginning says, which of them are one session, where they lie.

`<project>/chats/session-<time>-<first 8 characters of the id>.json(l)`; a resume may open a second file for the same
session. Sub-agents: `<project>/chats/<id of the session>/<own id>.jsonl`. Results too long for a session lie whole in
`<project>/tool-outputs/session-<id>/`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from panscript.readers.finding import readable
from panscript.readers.lines import head
from panscript.schemas.errors import PanscriptError
from panscript.schemas.records import SessionFile, Source

__all__ = [
    "CHATS",
    "is_named",
    "is_recording",
    "is_saved_chat",
    "layout",
    "resolve",
    "session_id",
    "sources",
    "start_of",
    "stem",
]

CHATS, OUTPUTS = "chats", "tool-outputs"
_PREFIX = "session-"
_SUFFIXES = (".jsonl", ".json")
_ID = re.compile(rb'"sessionId"\s*:\s*"([^"\\]{1,200})"')
_HASH = re.compile(rb'"projectHash"\s*:\s*"')
_SAVED = re.compile(rb'\s*(?:\{\s*"history"\s*:\s*)?\[\s*\{\s*"(?:role"\s*:\s*"(?:user|model)"|parts"\s*:\s*\[)')
_UNSAFE = re.compile(r"[^A-Za-z0-9_-]")
_BLANK = b"\xef\xbb\xbf \t\r\n\0"


def stem(name: str) -> str:
    """The name of a file without what it ends with."""
    for suffix in (".zst", *_SUFFIXES):
        name = name.removesuffix(suffix)
    return name


def is_named(name: str) -> bool:
    """Whether a file of this name may be a session or a sub-agent's."""
    return name.endswith(".jsonl") or (name.startswith(_PREFIX) and name.endswith(".json"))


def is_recording(start: bytes) -> bool:
    """Whether a file that starts like this is a conversation record, whichever agent wrote it."""
    start = start.lstrip(_BLANK)
    if not start.startswith(b"{"):
        return False
    # Metadata stands first; what a message quotes comes with its quotes escaped.
    return _ID.search(start) is not None and _HASH.search(start) is not None


def is_saved_chat(start: bytes) -> bool:
    """Whether a file that starts like this is a saved chat: bare contents."""
    return _SAVED.match(start.lstrip(_BLANK)) is not None


def session_id(start: bytes) -> str | None:
    """The id in the metadata."""
    found = _ID.search(start) if is_recording(start) else None
    return found[1].decode("utf-8", "replace") if found is not None else None


def sources(agent_id: str, files: Iterable[tuple[str, bytes]]) -> list[Source]:
    """The sessions of these files (path, first bytes), in the order of their first; sub-agents as children."""
    groups: dict[tuple[str, str], list[str]] = {}
    for path, start in files:
        name = session_id(start) or readable(stem(Path(path).name))
        groups.setdefault((str(Path(path).parent), name), []).append(path)
    children: dict[str, list[tuple[str, str]]] = {}
    folders = {str(Path(folder) / _UNSAFE.sub("_", name)): (folder, name) for folder, name in groups}
    parents: dict[tuple[str, str], tuple[str, str]] = {}
    for key in groups:
        parent = folders.get(key[0]) or _beside(key[0], folders)
        if parent is not None and parent != key:
            parents[key] = parent
            children.setdefault("\0".join(parent), []).append(key)
    placed: set[tuple[str, str]] = set()

    def made(key: tuple[str, str]) -> Source:
        placed.add(key)
        parent = parents.get(key)
        return Source(
            agent=agent_id,
            id=key[1],
            files=_ordered(groups[key]) + _outputs(*key),
            parent=parent[1] if parent is not None else _parent_folder(key[0]),
            children=tuple(made(child) for child in children.get("\0".join(key), ()) if child not in placed),
        )

    found = [made(key) for key in groups if key not in parents]
    # Sub-agents that name each other are entered at the first.
    return found + [made(key) for key in groups if key not in placed]


def _beside(folder: str, folders: dict[str, tuple[str, str]]) -> tuple[str, str] | None:
    """The sub-agent whose own sub-agents lie in this folder: all such folders are beside each other."""
    path = Path(folder)
    if path.parent.name != CHATS:
        return None
    for other, key in folders.items():
        if Path(other).name == path.name and Path(other).parent.parent == path.parent:
            return key
    return None


def _parent_folder(folder: str) -> str | None:
    """Id of the session whose sub-agents lie in this folder, where that session is gone."""
    path = Path(folder)
    return readable(path.name) if path.parent.name == CHATS else None


def _ordered(paths: list[str]) -> tuple[SessionFile, ...]:
    """The files of one session: the older form first, then by the time in their names."""
    ordered = sorted(paths, key=lambda path: (stem(Path(path).name), path.endswith(".jsonl")))
    return tuple(SessionFile(path, "main" if path == ordered[-1] else "segment") for path in ordered)


def _outputs(folder: str, name: str) -> tuple[SessionFile, ...]:
    """The full texts of results that were too long for the session."""
    path = Path(folder)
    if path.name != CHATS:
        return ()
    try:
        beside = (path.parent / OUTPUTS / f"{_PREFIX}{_UNSAFE.sub('_', name)}").iterdir()
        return tuple(SessionFile(str(file), "side") for file in sorted(beside) if file.is_file())
    except (OSError, ValueError):
        return ()


def resolve(agent_id: str, path: str) -> Source:
    """The session that a file belongs to, with its other files and its sub-agents."""
    file = Path(path)
    start = start_of(path)
    name = (session_id(start) if start is not None else None) or readable(stem(file.name))
    near = [path]
    if file.name.startswith(_PREFIX) and start is not None and is_recording(start):
        tail = stem(file.name).rpartition("-")[2]
        near = [str(other) for other in _files(file.parent) if stem(other.name).endswith(f"-{tail}")]
        near = [other for other in near if Path(other).name != file.name] + [path]
    below = [str(other) for other in _files(file.parent / _UNSAFE.sub("_", name))] if name else []
    above = [str(other) for other in _files(file.parent.parent)] if file.parent.parent.name == CHATS else []
    looked = ((each, start_of(each) if each != path else start) for each in (*near, *below, *above))
    found = sources(agent_id, ((each, begin) for each, begin in looked if begin is not None and is_recording(begin)))
    for source in _all(found):
        if any(each.path == path for each in source.files):
            return source
    return Source(agent=agent_id, id=name, files=(SessionFile(path),))


def _all(found: Iterable[Source]) -> Iterator[Source]:
    for source in found:
        yield source
        yield from _all(source.children)


def _files(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if is_named(path.name) and path.is_file())
    except (OSError, ValueError):
        return []


def start_of(path: str) -> bytes | None:
    """The first bytes of a file; None where it cannot be read."""
    try:
        return head(path)
    except PanscriptError:
        return None


def layout(path: str) -> str:
    """Where the file lies below the agent's folder of projects."""
    parts = Path(path).resolve().parts
    for name in (CHATS, OUTPUTS):
        if name in parts[:-1]:
            at = len(parts) - 1 - parts[::-1].index(name)
            return "/".join(parts[max(at - 1, 1) :])
    return parts[-1]
