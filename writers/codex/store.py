"""Codex' own store: `$CODEX_HOME/sessions/YYYY/MM/DD/rollout-<time>-<thread id>.jsonl`, `~/.codex` by default.

There are no folders for projects: the first line of a thread says where it ran. Names of files hold the ids, and ids
are made from the source session, so earlier imports are found without opening the threads of others.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

import msgspec

from panscript.schemas import timestamps
from panscript.schemas.codex.record_names import HEAD_KIND
from panscript.schemas.errors import CannotConvert
from panscript.schemas.events import SourceFile
from panscript.schemas.naming import encodable
from panscript.schemas.record_names import IMPORTER
from panscript.writers.codex import file_name as name
from panscript.writers.codex import session_id
from panscript.writers.identity import session_uuid
from panscript.writers.options import Beside
from panscript.writers.stores import Earlier, Extension, Surroundings, does_not_grow

__all__ = [
    "PROGRAM",
    "beside",
    "command",
    "covered",
    "extension",
    "find_imports",
    "name",
    "project_folder",
    "session_id",
    "sessions_root",
    "taken_ids",
]

PROGRAM = "codex"
_NAME = re.compile(r"rollout-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-([0-9a-f-]{36})(?:_.+)?\.jsonl(?:\.zst)?", re.ASCII)
_TIMELESS = 15
"""Characters of an id before those that come from the source session alone: its time and its version."""
_LONGEST_LINE = 1 << 20
"""Bytes of a header or a head that are looked at."""
_GAP = 100
"""So many imports in a row may have been deleted."""


class _File(msgspec.Struct):
    path: str = ""
    bytes: int = -1
    sha256: str = ""


class _Payload(msgspec.Struct):
    """Of a header and of a head."""

    cwd: str | None = None
    parent_thread_id: str | None = None
    source: msgspec.Raw = msgspec.Raw(b"")
    importer: str = ""
    imported_at: str | None = msgspec.field(name="importedAt", default=None)
    source_session_id: str | None = msgspec.field(name="sourceSessionId", default=None)
    source_files: list[_File] = msgspec.field(name="sourceFiles", default_factory=list)


class _Line(msgspec.Struct):
    type: str = ""
    payload: _Payload | None = None


_decode = msgspec.json.Decoder(_Line).decode


def sessions_root(surroundings: Surroundings) -> Path:
    """The folder that holds the threads by date."""
    if roots := surroundings.roots.get("codex"):
        # As for reading: a root is the sessions folder, or a folder that has it in the usual place.
        below = roots[0] / "sessions"
        return below if below.is_dir() else roots[0]
    named = surroundings.variables.get("CODEX_HOME")
    if not named:
        return surroundings.home / ".codex" / "sessions"
    home = surroundings.home / named[2:] if named == "~" or named.startswith("~/") else Path(named)
    return home / "sessions"


def project_folder(surroundings: Surroundings, cwd: str) -> Path:
    """Where the sessions of every project lie. Raises `CannotConvert`."""
    if encodable(cwd) != cwd:
        raise CannotConvert("Codex cannot run in a folder whose name is not UTF-8", path=encodable(cwd))
    return Path(os.path.abspath(sessions_root(surroundings)))  # noqa: PTH100 - keep links


def beside(surroundings: Surroundings, folder: Path, file: Beside) -> Path:  # noqa: ARG001 - as every store's
    """The index of threads lies beside the sessions folder; where that has another name, inside of it."""
    return (folder.parent if folder.name == "sessions" else folder) / file.path


def taken_ids(surroundings: Surroundings, folder: Path) -> Collection[str]:  # noqa: ARG001 - as every store's
    """Ids of the threads in the store and of archived ones, by the names of their files."""
    return {thread for root in (folder, folder.parent / "archived_sessions") for thread, _ in _rollouts(root)}


def _rollouts(root: Path) -> Iterator[tuple[str, str]]:
    """Thread and path of each rollout; there are none in a folder that cannot be read."""
    for folder, _, names in os.walk(root):
        for found in names:
            if (match := _NAME.fullmatch(found)) is not None:
                yield match[1], os.path.join(folder, found)  # noqa: PTH118 - once a file of a whole store


def find_imports(folder: Path, cwd: str, agent_id: str, session_id: str) -> list[Earlier]:
    """The imports of a source session into this project, the newest first. Of their files two lines are read."""
    paths = dict(_rollouts(folder))
    threads: dict[str, list[str]] = {}
    for thread in paths:
        threads.setdefault(thread[_TIMELESS:], []).append(thread)
    found: list[Earlier] = []
    number = last = 0
    while number - last <= _GAP:
        more = (str(number),) if number else ()
        for thread in threads.get(session_uuid(agent_id, session_id, *more, time=0)[_TIMELESS:], ()):
            last = number
            earlier = _earlier(paths[thread], cwd, agent_id, session_id)
            if earlier is not None:
                above = paths.get(earlier.parent_file or "")
                found.append(msgspec.structs.replace(earlier, session_id=thread, number=number, parent_file=above))
        number += 1
    return sorted(found, key=lambda earlier: (earlier.imported_at, earlier.number), reverse=True)


def _earlier(path: str, cwd: str, agent_id: str, session_id: str) -> Earlier | None:
    """The import that a file is, with the id of its parent for the parent's file. None when it is another's."""
    header, head = _first_lines(path)
    if header is None or header.cwd != cwd or head is None or not head.importer.startswith(IMPORTER):
        return None
    if (_text(head.source), head.source_session_id) != (agent_id, session_id):
        return None
    time = timestamps.parse(head.imported_at) or 0
    return Earlier(path=path, session_id="", number=0, imported_at=time, parent_file=header.parent_thread_id)


def _first_lines(path: str) -> tuple[_Payload | None, _Payload | None]:
    """Header and head."""
    try:
        with Path(path).open("rb") as file:
            header, head = (_decode(file.readline(_LONGEST_LINE)) for _ in range(2))
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None, None
    if header.type != "session_meta" or head.type != HEAD_KIND:
        return None, None
    return header.payload, head.payload


def _text(raw: msgspec.Raw) -> str | None:
    try:
        return msgspec.json.decode(raw, type=str)
    except msgspec.DecodeError:
        return None


def covered(earlier: Earlier) -> Sequence[SourceFile]:
    """The source files as they were when the import was made."""
    _, head = _first_lines(earlier.path)
    files = head.source_files if head is not None else []
    return [SourceFile(path=each.path, bytes=each.bytes, sha256=each.sha256) for each in files]


def extension(earlier: Earlier, files: Sequence[SourceFile], begin: Callable[[], BinaryIO]) -> Extension:  # noqa: ARG001
    """An import into Codex does not grow. Raises `CannotAppend`."""
    raise does_not_grow("codex")


def command(path: str, session_id: str, *, own_store: bool) -> list[str]:  # noqa: ARG001 - as every store's
    """How to go on with the session: Codex takes ids alone."""
    return [PROGRAM, "resume", session_id]
