"""Pi's own store: `<agent folder>/sessions/--<cwd>--/<time>_<session id>.jsonl`, or one folder for all projects.

Pi looks at `$PI_CODING_AGENT_SESSION_DIR` first, then at `sessionDir` in its settings, then below the agent folder
(`$PI_CODING_AGENT_DIR`). A project's own `.pi/settings.json` could name a folder, too; it is not followed, since anyone
who wrote the project could then say where files are put.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

import msgspec

from panscript.schemas import timestamps
from panscript.schemas.errors import CannotConvert
from panscript.schemas.events import Session, SourceFile
from panscript.schemas.naming import encodable
from panscript.schemas.pi.record_names import HEAD_TYPE, PART_TYPE
from panscript.writers.identity import session_uuid
from panscript.writers.options import Beside, WriteOptions
from panscript.writers.pi import file_name, session_id
from panscript.writers.pi.append import PiExtension
from panscript.writers.stores import Earlier, Surroundings

__all__ = [
    "PROGRAM",
    "agent_folder",
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

PROGRAM = "pi"
_LONGEST_LINE = 1 << 20
"""Bytes of a header or a head that are looked at, as Pi itself does."""
_MOST_IMPORTS = 10_000


class _Settings(msgspec.Struct, rename="camel"):
    session_dir: str | None = None


class _File(msgspec.Struct):
    path: str = ""
    bytes: int = -1
    sha256: str = ""


class _Head(msgspec.Struct, rename="camel"):
    source: str | None = None
    importer: str = ""
    imported_at: str | None = None
    source_session_id: str | None = None
    source_files: list[_File] = []


class _Line(msgspec.Struct, rename="camel"):
    type: str = ""
    id: str | None = None
    cwd: str | None = None
    parent_session: str | None = None
    custom_type: str | None = None
    data: _Head | None = None


_decode = msgspec.json.Decoder(_Line).decode
_BAD = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


def sessions_root(surroundings: Surroundings) -> Path:
    """The folder that holds a folder for each project."""
    if roots := surroundings.roots.get("pi"):
        # As for reading: a root is the sessions folder, or a folder that has it in the usual place.
        below = (roots[0] / "sessions", roots[0] / "agent" / "sessions")
        return next((folder for folder in below if folder.is_dir()), roots[0])
    return agent_folder(surroundings) / "sessions"


def agent_folder(surroundings: Surroundings) -> Path:
    """The folder of Pi's settings, extensions and, where nothing else was said, sessions."""
    named = surroundings.variables.get("PI_CODING_AGENT_DIR")
    return _expanded(named, surroundings) if named else surroundings.home / ".pi" / "agent"


def _expanded(path: str, surroundings: Surroundings) -> Path:
    if path == "~" or path.startswith("~/"):
        return surroundings.home / path[2:]
    return Path(path)


def _shared_folder(surroundings: Surroundings) -> Path | None:
    """The one folder that all projects share, where there is such."""
    if surroundings.roots.get("pi"):
        return None
    named = surroundings.variables.get("PI_CODING_AGENT_SESSION_DIR")
    if not named:
        try:
            settings = (agent_folder(surroundings) / "settings.json").read_bytes()
            named = msgspec.json.decode(settings, type=_Settings).session_dir
        except (OSError, *_BAD):
            # Pi goes on without settings that it cannot read.
            return None
    return _expanded(named, surroundings) if named else None


def project_folder(surroundings: Surroundings, cwd: str) -> Path:
    """Where the sessions of the project in this folder (absolute, without links) lie. Raises `CannotConvert`."""
    if encodable(cwd) != cwd:
        raise CannotConvert("Pi cannot run in a folder whose name is not UTF-8", path=encodable(cwd))
    shared = _shared_folder(surroundings)
    if shared is not None:
        # Pi takes a relative one from where it runs.
        return Path(cwd, shared)
    below = cwd[1:] if cwd[:1] in ("/", "\\") else cwd
    for character in "/\\:":
        below = below.replace(character, "-")
    return Path(os.path.abspath(sessions_root(surroundings)), f"--{below}--")  # noqa: PTH100 - keep links


def name(session: Session, options: WriteOptions) -> str:
    """Name of the session's file in its project's folder."""
    return file_name(session, options).rpartition("/")[2]


def beside(surroundings: Surroundings, folder: Path, file: Beside) -> Path:  # noqa: ARG001 - as every store's
    """There is nothing such."""
    return folder / file.path


def taken_ids(surroundings: Surroundings, folder: Path) -> Collection[str]:
    """Ids of the sessions in the store, by the names of their files; in this folder by the headers of the others."""
    root = sessions_root(surroundings)
    taken: set[str] = set()
    for project in {folder, *_folders(root)}:
        for path in _files(project):
            stem = path.stem
            if "_" in stem:
                taken.add(stem.rpartition("_")[2])
            elif project == folder and (header := _header(path)) is not None and header.id:
                taken.add(header.id)
    return taken


def _folders(root: Path) -> list[Path]:
    try:
        return [path for path in root.iterdir() if path.is_dir()]
    except OSError:
        return []


def _files(folder: Path) -> list[Path]:
    """The files that Pi would list; there are none in a folder that cannot be read."""
    try:
        return sorted(path for path in folder.iterdir() if path.name.endswith(".jsonl"))
    except OSError:
        return []


def _header(path: Path) -> _Line | None:
    return next(_first_lines(path, 1), None)


def _first_lines(path: Path, count: int) -> Iterator[_Line]:
    try:
        if not path.is_file():
            return
        with path.open("rb") as file:
            for _ in range(count):
                yield _decode(file.readline(_LONGEST_LINE))
    except (OSError, *_BAD):
        return


def find_imports(folder: Path, cwd: str, agent_id: str, session_id: str) -> list[Earlier]:
    """The imports of a source session into this project, the newest first. Only the first two lines are read.

    What Pi forked from an import is none: its head is a copy, and its id is Pi's own.
    """
    found: list[Earlier] = []
    numbers: dict[str, int] = {}
    for path in _files(folder):
        lines = list(_first_lines(path, 2))
        if len(lines) < 2:
            continue
        header, entry = lines
        head = entry.data if entry.type == "custom" and entry.custom_type == HEAD_TYPE else None
        if header.type != "session" or header.cwd != cwd or head is None or not head.importer.startswith("panscript"):
            continue
        if (head.source, head.source_session_id) != (agent_id, session_id):
            continue
        if not numbers:
            numbers = _numbers(agent_id, session_id)
        if header.id in numbers:
            found.append(
                Earlier(
                    path=str(path),
                    session_id=header.id,
                    number=numbers[header.id],
                    imported_at=timestamps.parse(head.imported_at) or 0,
                    parent_file=header.parent_session,
                )
            )
    return sorted(found, key=lambda earlier: (earlier.imported_at, earlier.number), reverse=True)


def _numbers(agent_id: str, session_id: str) -> dict[str, int]:
    """Id of an import -> which one it is."""
    first = {session_uuid(agent_id, session_id): 0}
    return first | {session_uuid(agent_id, session_id, str(number)): number for number in range(1, _MOST_IMPORTS)}


def covered(earlier: Earlier) -> Sequence[SourceFile]:
    """The source files as they were when the import was made or last appended to."""
    files: list[_File] = []
    part, head = f'"{PART_TYPE}"'.encode(), f'"{HEAD_TYPE}"'.encode()
    with Path(earlier.path).open("rb") as file:
        for number, line in enumerate(file):
            if b'"sourceFiles"' not in line or not (part in line or (number == 1 and head in line)):
                continue
            try:
                row = _decode(line)
            except _BAD:
                continue
            if row.type == "custom" and row.data is not None and row.data.source_files:
                files = row.data.source_files
    return [SourceFile(path=each.path, bytes=each.bytes, sha256=each.sha256) for each in files]


def extension(earlier: Earlier, files: Sequence[SourceFile], begin: Callable[[], BinaryIO]) -> PiExtension:
    """What the session is to be written to again, so that its file grows by what is new."""
    return PiExtension(Path(earlier.path), files, begin)


def command(path: str, session_id: str, *, own_store: bool) -> list[str]:
    """How to go on with the session: by its id where Pi finds it, else by its file."""
    return [PROGRAM, "--session", session_id if own_store else path]
