"""Which files are one conversation of Antigravity, and what they look like.

Below one folder stand `conversations/<id>.db`, perhaps with `<id>.trajectory.json` beside it,
`brain/<id>/.system_generated/logs/transcript.jsonl` (the log), and `history.jsonl` with the prompts of all
conversations. Older conversations are encrypted (`.pb`); of those only the log can be read. An exported document that
says it is of another conversation than its name does is one by itself.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import msgspec

from panscript.readers.antigravity.store import Store
from panscript.readers.antigravity.trajectory import SUFFIX, conversation_in, is_trajectory
from panscript.readers.databases import is_database
from panscript.readers.finding import readable
from panscript.readers.lines import head
from panscript.readers.sqlite import database
from panscript.readers.tolerant import recover
from panscript.schemas.antigravity.lean import Line, line_decoder
from panscript.schemas.errors import PanscriptError
from panscript.schemas.records import SessionFile, Source

__all__ = ["HISTORY", "LOG", "TRAJECTORY", "detect", "is_record", "layout", "resolve", "root_of", "session_of"]

HISTORY = "history.jsonl"
LOG = "transcript.jsonl"
TRAJECTORY = SUFFIX
_LOGS = (".system_generated", "logs")
_SUFFIX = ".db"
_FEW = 20


def is_record(value: dict[str, Any]) -> bool:
    """Whether an object found on a damaged line carries the envelope of a step."""
    return "step_index" in value or ("source" in value and isinstance(value.get("type"), str))


def detect(start: bytes) -> int:
    """How surely a file that starts like this is the log of a conversation, or all of it: 0 not at all, 100 certainly.

    Databases are told by their tables.
    """
    if is_trajectory(start):
        return 95
    for line in start.split(b"\n")[:_FEW]:
        text = line.strip(b"\0\xef\xbb\xbf \t\r")
        if b'"step_index"' not in text:
            continue
        try:
            rows = [line_decoder.decode(text)]
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            rows = recover(text, line_decoder, is_record).rows
        if any(_is_step(row) for row in rows):
            return 95
    return 0


def _is_step(row: Line) -> bool:
    return row.step_index is not None and row.type is not None and (row.source or row.status) is not None


def session_of(path: str) -> str:
    """The id of the conversation that a file is of, by its name or its folder; a document's, by what it says."""
    own = _stated(path) if path.endswith(TRAJECTORY) else ""
    return own if own and _is_foreign(path, own) else readable(_stem(path)) or own or "session"


def _stated(path: str) -> str:
    """The conversation that a document says it is of; "" where it does not, or cannot be read."""
    try:
        return conversation_in(head(path))
    except PanscriptError:
        return ""


def _is_foreign(path: str, stated: str) -> bool:
    """Whether a document is of another conversation than the files that are named like it. Both may have been renamed,
    so a database is asked."""
    if not stated or stated.casefold() == readable(_stem(path)).casefold():
        return False
    beside = path.removesuffix(TRAJECTORY) + _SUFFIX
    if not is_database(beside):
        return True
    try:
        with database(beside) as found:
            return Store(found, beside).conversation() != stated
    except PanscriptError:
        return True


def _stem(path: str) -> str:
    file = Path(path)
    if file.name == LOG and file.parts[-3:-1] == _LOGS:
        return file.parts[-4] if len(file.parts) > 3 else "session"
    return file.name.removesuffix(TRAJECTORY) if file.name.endswith(TRAJECTORY) else file.stem or file.name


def root_of(path: str) -> Path:
    """The folder that a conversation lies in."""
    file = Path(path).absolute()
    if file.name == LOG and file.parts[-3:-1] == _LOGS and len(file.parts) > 5:
        return file.parents[4]
    return file.parent.parent


def resolve(path: str, agent_id: str = "antigravity") -> Source:
    """The conversation that a file is of, with its other files: the log, the exported document, the database."""
    file, name, root = Path(path), _stem(path), root_of(path)
    is_log = file.name == LOG
    folder = root / "conversations" if is_log else file.parent
    found = {
        "log": str(root / "brain" / name / Path(*_LOGS) / LOG),
        "trajectory": str(folder / f"{name}{TRAJECTORY}"),
        "database": str(folder / f"{name}{_SUFFIX}"),
    }
    own = "log" if is_log else "trajectory" if file.name.endswith(TRAJECTORY) else "database"
    alone = (is_log and len(file.parts) <= 3) or (own == "database" and not is_database(path))
    if own == "trajectory":
        alone = not name or _is_foreign(path, _stated(path))
    there = {form: place for form, place in found.items() if not alone and form != own and _is_there(form, place)}
    there[own] = path
    return Source(
        agent=agent_id,
        id=session_of(path),
        files=tuple(SessionFile(there[form]) for form in found if form in there),
    )


def _is_there(form: str, path: str) -> bool:
    if form == "database":
        return is_database(path)
    return _holds(path) and not (form == "trajectory" and _is_foreign(path, _stated(path)))


def _holds(log: str) -> bool:
    try:
        return os.path.isfile(log) and bool(detect(head(log)))  # noqa: PTH113 - answers for every name
    except PanscriptError:
        return False


def layout(path: str) -> str:
    """Where the file lies below Antigravity's folder."""
    parts = Path(path).parts
    known = [number for number, part in enumerate(parts) if part in ("conversations", "brain")]
    below = parts[known[-1] :] if known else parts[-1:]
    return "/".join(readable(part) for part in below)
