"""The tree of JSON files that OpenCode kept until the database came: a file a session, a message, a part.

Since autumn 2025 it is `storage/session/<project>/<session>.json`, `storage/message/<session>/<message>.json`,
`storage/part/<message>/<part>.json`; before that `session/{info,message,part}` below the folder of each project, with
parts below session and message. Ids are those of the paths: sessions that were moved kept old ones inside.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from panscript.readers.finding import readable
from panscript.schemas.records import SessionFile

__all__ = ["FOLDERS", "SUFFIX", "Branch", "branch_of", "messages_below", "name_of", "session_files", "session_of"]

SUFFIX = ".json"
FOLDERS = frozenset({"message", "part"})
"""Folders of the tree that hold no sessions but what is in them."""


class Branch(NamedTuple):
    """Where what belongs to a session lies."""

    messages: Path
    parts: Path
    """Folder with a folder for each message."""


def branch_of(path: str) -> Branch | None:
    """Where the messages and parts of the session in this file lie; None where it stands in no tree."""
    file = Path(path)
    name = file.name.removesuffix(SUFFIX)
    if file.parent.name == "info" and file.parent.parent.name == "session":
        base = file.parent.parent
        return Branch(base / "message" / name, base / "part" / name)
    if file.parent.parent.name == "session":
        base = file.parent.parent.parent
        return Branch(base / "message" / name, base / "part")
    return None


def session_files(path: str) -> tuple[SessionFile, ...]:
    """The file of a session and, as files beside it, those of its messages with their parts, by name."""
    found = [SessionFile(path)]
    branch = branch_of(path)
    if branch is not None:
        for message in _listed(branch.messages):
            found.append(SessionFile(message, "side"))
            parts = _listed(branch.parts / _stem(message))
            found.extend(SessionFile(part, "side") for part in parts)
    return tuple(found)


def messages_below(path: str, files: tuple[SessionFile, ...]) -> Iterator[tuple[int, list[int]]]:
    """Of the files of a session those of messages, each with those of its parts, as numbers."""
    branch = branch_of(path)
    if branch is None:
        return
    messages = str(branch.messages)
    current: int | None = None
    parts: list[int] = []
    for number, file in enumerate(files[1:], 1):
        if os.path.dirname(file.path) == messages:  # noqa: PTH120 - once a file
            if current is not None:
                yield current, parts
            current, parts = number, []
        else:
            parts.append(number)
    if current is not None:
        yield current, parts


def name_of(path: str) -> str:
    """The id that the name of a file says."""
    return readable(_stem(path))


def session_of(path: str) -> str | None:
    """The file of the session that a file of the tree belongs to: itself, or that of its message or part."""
    file = Path(path)
    if branch_of(path) is not None and file.parent.parent.name == "session":
        return path
    above = [parent.name for parent in file.parents]
    if len(above) > 1 and above[1] == "message":
        return _file_of(file.parents[2], file.parent.name)
    if len(above) > 2 and above[2] == "part":
        return _file_of(file.parents[3], above[1])
    if len(above) > 1 and above[1] == "part":
        message = f"{file.parent.name}{SUFFIX}"
        owner = next(iter(sorted((file.parents[2] / "message").glob(f"*/{message}"))), None)
        return _file_of(file.parents[2], owner.parent.name) if owner is not None else None
    return None


def _file_of(base: Path, session: str) -> str | None:
    name = f"{session}{SUFFIX}"
    older = base / "info" / name
    if base.name == "session" and older.is_file():
        return str(older)
    found = [folder / name for folder in sorted(_folders(base / "session")) if (folder / name).is_file()]
    return str(found[0]) if found else None


def _folders(folder: Path) -> list[Path]:
    try:
        return [each for each in folder.iterdir() if each.is_dir()]
    except OSError:
        return []


def _listed(folder: Path) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entry.path for entry in entries if entry.name.endswith(SUFFIX) and entry.is_file())
    except OSError:
        return []


def _stem(path: str) -> str:
    return os.path.basename(path).removesuffix(SUFFIX)  # noqa: PTH119 - once a file
