"""Claude Code's own store: `projects/<project>/<id>.jsonl` below `$CLAUDE_CONFIG_DIR`, else below `~/.claude`."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, NoReturn

import msgspec
from msgspec.structs import replace

from panscript.schemas import timestamps
from panscript.schemas.claude.record_names import HEAD_TYPE
from panscript.schemas.errors import CannotConvert
from panscript.schemas.events import Session, SourceFile
from panscript.schemas.import_record import ImportHead
from panscript.schemas.naming import encodable
from panscript.schemas.record_names import IMPORTER
from panscript.writers.claude import agent_name, file_name, session_id
from panscript.writers.claude.place import project
from panscript.writers.identity import session_uuid
from panscript.writers.options import Beside, WriteOptions
from panscript.writers.stores import Earlier, Surroundings, does_not_grow

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
    "taken_ids",
]

PROGRAM = "claude"
_SUFFIX = ".jsonl"
_LONGEST_LINE = 1 << 20
_GAPS = 100
"""So many imports of one session may lie at other projects: their numbers are taken, too."""
_FIRST_LINES = 3
"""Lines among which the head of an import record stands."""


class _Line(msgspec.Struct, rename="camel"):
    type: str = ""
    data: msgspec.Raw = msgspec.Raw(b"")


_decode = msgspec.json.Decoder(_Line).decode
_head = msgspec.json.Decoder(ImportHead).decode
_BAD = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


def _root(surroundings: Surroundings) -> Path:
    """The folder that holds a folder for each project."""
    if roots := surroundings.roots.get("claude"):
        below = roots[0] / "projects"
        return below if below.is_dir() else roots[0]
    named = surroundings.variables.get("CLAUDE_CONFIG_DIR", "").partition(",")[0].strip()
    return (Path(named) if named else surroundings.home / ".claude") / "projects"


def project_folder(surroundings: Surroundings, cwd: str) -> Path:
    """Where the sessions of the project in this folder (absolute, without links) lie. Raises `CannotConvert`."""
    if encodable(cwd) != cwd:
        raise CannotConvert("Claude Code cannot run in a folder whose name is not UTF-8", path=encodable(cwd))
    variables = surroundings.variables
    moved = variables.get("CLAUDE_CODE_PROJECT_DIR_NAME") if variables.get("CLAUDE_CONFIG_DIR") else None
    return Path(os.path.abspath(_root(surroundings)), moved or project(cwd))  # noqa: PTH100 - keep links


def name(session: Session, options: WriteOptions) -> str:
    """Path of the session's file in its project's folder."""
    return file_name(session, options).partition("/")[2]


def beside(surroundings: Surroundings, folder: Path, file: Beside) -> Path:  # noqa: ARG001 - as every store's
    """Where the facts of a sub-agent go."""
    return folder / file.path.partition("/")[2]


def taken_ids(surroundings: Surroundings, folder: Path) -> Collection[str]:
    """Ids of the sessions in the store, sub-agents too: the names of their files."""
    root = _root(surroundings)
    projects = {folder, *_entries(root)}
    found = {path.stem for project in projects for path in _entries(project) if path.suffix == _SUFFIX}
    return found | {path.stem for project in projects for path in _sub_agents(project)}


def _sub_agents(folder: Path) -> Iterator[Path]:
    """The files of sub-agents in the folder of a project, however deep these hang on each other."""
    return folder.glob(f"*/subagents/agent-*{_SUFFIX}")


def _entries(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def find_imports(folder: Path, cwd: str, agent_id: str, session_id: str) -> list[Earlier]:  # noqa: ARG001 - the folder says
    """The imports of a source session into this project, the newest first."""
    names = {path.stem: path for path in _entries(folder)}
    found: list[Earlier] = []
    for number in range(len(names) + _GAPS):
        more = (str(number),) if number else ()
        main = names.get(session_uuid(agent_id, session_id, *more))
        for path in [main] if main is not None and main.suffix == _SUFFIX else []:
            found.extend(_earlier(path, agent_id, session_id, number, None))
    below: dict[str, list[Path]] = {}
    for path in _sub_agents(folder):
        below.setdefault(path.stem, []).append(path)
    for number in range(len(below) + _GAPS):
        for path in below.get(f"agent-{agent_name(agent_id, session_id, number)}", ()):
            # It may have been started by the session that a person talks to or by any other sub-agent beside it.
            above = [f"{path.parent.parent}{_SUFFIX}"]
            above.extend(str(other) for others in below.values() for other in others if other.parent == path.parent)
            for earlier in _earlier(path, agent_id, session_id, number, above[0]):
                found.extend(replace(earlier, parent_file=parent) for parent in above)
    return sorted(found, key=lambda earlier: (earlier.imported_at, earlier.number), reverse=True)


def _earlier(path: Path, agent_id: str, session_id: str, number: int, parent: str | None) -> Iterator[Earlier]:
    head = _head_of(path)
    if head is not None and (head.source, head.source_session_id) == (agent_id, session_id):
        yield Earlier(
            path=str(path),
            # What a sub-agent starts itself lies in the same folder.
            session_id=path.parent.parent.name if parent is not None else path.stem,
            number=number,
            imported_at=timestamps.parse(head.imported_at) or 0,
            parent_file=parent,
        )


def _head_of(path: Path) -> ImportHead | None:
    for raw in _first_lines(path):
        try:
            row = _decode(raw)
            if row.type == HEAD_TYPE:
                head = _head(row.data)
                return head if head.importer.startswith(IMPORTER) else None
        except _BAD:
            continue
    return None


def _first_lines(path: Path) -> Iterator[bytes]:
    try:
        with path.open("rb") as file:
            for _ in range(_FIRST_LINES):
                yield file.readline(_LONGEST_LINE)
    except OSError:
        return


def covered(earlier: Earlier) -> Sequence[SourceFile]:
    """The source files as they were when the import was made."""
    head = _head_of(Path(earlier.path))
    files = head.source_files if head is not None else []
    return [SourceFile(path=each.path, bytes=each.bytes, sha256=each.sha256) for each in files]


def extension(earlier: Earlier, files: Sequence[SourceFile], begin: Callable[[], BinaryIO]) -> NoReturn:  # noqa: ARG001
    """What was imported into Claude Code does not grow. Raises `CannotAppend`."""
    raise does_not_grow("claude")


def command(path: str, session_id: str, *, own_store: bool) -> list[str]:  # noqa: ARG001 - the agent takes only ids
    """How to go on with the session."""
    return [PROGRAM, "--resume", session_id]
