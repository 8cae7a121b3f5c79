"""Logs of the DeepSeek Harness: how they are named, what their first line says, which sessions hang on which.

A session is a folder `sessions/<project>/<session id>/` with its log, `session[.vN].jsonl[.zstd]`; when the harness
moves a session to a newer format, the older log may stay beside it. Sub-agents are sessions of their own in the same
project, and name their parent in the header.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import msgspec

from panscript.readers.lines import head
from panscript.readers.tolerant import recover
from panscript.schemas.dsh.lean import STATE_TYPES, Event, row_decoder
from panscript.schemas.errors import PanscriptError
from panscript.schemas.records import SessionFile, Source

__all__ = [
    "Header",
    "detect",
    "header_of",
    "is_known",
    "is_record",
    "is_there",
    "layout",
    "log_rank",
    "milliseconds",
    "newest",
    "parsed_header",
    "resolve",
]

_LOG = re.compile(r"session(?:\.v([1-9]\d*))?\.jsonl(\.zstd)?")
_CONTROLS = re.compile(r"[\x00-\x1f\x7f]")
_SAID = frozenset(
    {
        "system/message",
        "user/message",
        "assistant/message",
        "assistant/chunk",
        "text-chunks",
        "reasoning-chunks",
        "tool-call-chunks",
        "tool/call",
        "tool/result",
        "compaction/summary",
    }
)
_LATEST = 253_370_764_799_999
_SUBAGENT = "subagent"


class Header(NamedTuple):
    """What the first line says, with what the path says where it says nothing."""

    session_id: str
    found: bool
    """There is a header."""
    created: int | None = None
    """Milliseconds since 1970 UTC."""
    cwd: str | None = None
    parent: str | None = None
    """Session that started this one, or that it was forked from."""
    is_child: bool = False
    """A sub-agent: nobody typed its prompts."""
    is_seeded: bool = False
    """It begins with copies of its parent's events, up to a marker."""
    seed_length: int = 0
    """How many they are, where the header says so (format version 0)."""


class _Line(msgspec.Struct, rename="camel"):
    """Enough of a line to know it."""

    type: str | None = None
    id: object = None
    created_at: object = None
    delegation_depth: object = None
    seq: object = None
    seq0: object = None
    time: object = None
    data: msgspec.Raw = msgspec.Raw(b"")


_decode = msgspec.json.Decoder(_Line).decode


def is_record(value: dict[str, object]) -> bool:
    """Whether an object found on a damaged line carries the envelope of a line."""
    return isinstance(value.get("type"), str) and ("seq" in value or "seq0" in value or "createdAt" in value)


def is_known(row: Event) -> bool:
    """Whether the line is one of the harness's."""
    return row.type in _SAID or row.type in STATE_TYPES


def milliseconds(value: float | None) -> int | None:
    """A time as the harness writes it: always a number of milliseconds."""
    if value is None or not 0 < value <= _LATEST:
        return None
    return int(value)


def log_rank(name: str) -> tuple[int, bool] | None:
    """Generation of a log and whether it is compressed, from the name of the file; None when it is no log."""
    found = _LOG.fullmatch(name)
    return (int(found[1] or 0) if len(found[1] or "") < 10 else 0, found[2] is not None) if found else None


def detect(start: bytes) -> int:
    """How surely these first bytes are a log: 0 not at all, 100 certainly."""
    best = 0
    for line in start.split(b"\n")[:50]:
        try:
            facts = _decode(line.strip(b"\0\xef\xbb\xbf \t\r"))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            continue
        if facts.type == "session" and isinstance(facts.id, str) and isinstance(facts.created_at, int | float):
            return 100
        numbered = isinstance(facts.seq, int) and isinstance(facts.time, int | float) and bytes(facts.data)[:1] == b"{"
        if numbered and (facts.type in _SAID or facts.type in STATE_TYPES):
            best = max(best, 90)
        elif isinstance(facts.seq0, int) and facts.type in _SAID:
            best = max(best, 60)
    return best


def parsed_header(path: str, row: Event | None) -> Header:
    """The header of a log from its first line; `row` is None when that line is no header."""
    file = Path(path)
    # The folder of a session is named for it, whatever its log is called.
    named = file.parent.name if log_rank(file.name) is not None else file.name.split(".jsonl")[0]
    name = named or "session"
    if row is None:
        return Header(name, found=False)
    session = _CONTROLS.sub("", row.id or "").strip() or name
    parent = _CONTROLS.sub("", row.parent_session or "").strip()
    return Header(
        session_id=session,
        found=True,
        created=milliseconds(row.created_at),
        cwd=row.cwd or None,
        parent=parent if parent and parent != session else None,
        is_child=row.origin == _SUBAGENT or (row.parent_session is not None and (row.delegation_depth or 0) > 0),
        is_seeded=bool(row.is_seeded),
        seed_length=row.seed_length or 0,
    )


def header_of(path: str) -> Header:
    """The header of the log at this path, as far as its first bytes tell it. Raises nothing."""
    try:
        start = head(path, 1 << 14)
    except PanscriptError:
        return parsed_header(path, None)
    line = start.split(b"\n", 1)[0]
    try:
        row = row_decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        found = recover(line, row_decoder, is_record)
        if not found.rows:
            return parsed_header(path, None)
        row = found.rows[0]
    return parsed_header(path, row if row.type == "session" else None)


def newest(paths: Iterable[Path]) -> Path | None:
    """Of the logs in one folder the one that is in use: the newest generation, compressed before plain."""
    ranked = [(rank, path) for path in paths if (rank := log_rank(path.name)) is not None]
    return max(ranked)[1] if ranked else None


def is_there(path: str, session: str) -> bool:
    """Whether the log of another session lies where the harness would put it, in this project or another."""
    log = Path(path)
    if log_rank(log.name) is None:
        return False
    name = _escaped(session)
    try:
        project = log.resolve().parent.parent
        folders = [project / name, *(other / name for other in project.parent.iterdir())]
        return any(folder.is_dir() and newest(folder.iterdir()) is not None for folder in folders)
    except OSError:
        return False


def resolve(path: str) -> Source:
    """The session that a log belongs to, with the sub-agents that lie beside it."""
    header = header_of(path)
    return Source(
        agent="dsh",
        id=header.session_id,
        files=(SessionFile(path),),
        parent=header.parent if header.is_child else None,
        children=tuple(_children(Path(path), header.session_id, {header.session_id})),
    )


def _children(log: Path, parent: str, known: set[str]) -> list[Source]:
    """The sessions in the same project whose header names this one as the one that started them."""
    if log_rank(log.name) is None:
        return []
    try:
        folders = sorted(folder for folder in log.parent.parent.iterdir() if folder != log.parent and folder.is_dir())
        logs = [found for folder in folders if (found := newest(folder.iterdir())) is not None]
    except OSError:
        return []
    children = []
    for file in logs:
        header = header_of(str(file))
        if header.is_child and header.parent == parent and header.session_id not in known:
            known.add(header.session_id)
            children.append(
                Source(
                    agent="dsh",
                    id=header.session_id,
                    files=(SessionFile(str(file)),),
                    parent=parent,
                    children=tuple(_children(file, header.session_id, known)),
                )
            )
    return children


def layout(path: str) -> str:
    """Where the log lies below the `sessions` folder: by its path, else by the project and id in its header."""
    parts = Path(path).resolve().parts
    if "sessions" in parts:
        below = parts[len(parts) - parts[::-1].index("sessions") :]
        if len(below) > 1:
            return "/".join(below)
    header = header_of(path)
    name = parts[-1] if log_rank(parts[-1]) is not None else "session.v4.jsonl"
    return f"{_project(header.cwd)}/{_escaped(header.session_id)}/{name}"


def _project(cwd: str | None) -> str:
    """The harness's name for the folder of a project."""
    if cwd is None:
        return "_no-cwd"
    slug = re.sub(r"[/\\:]+", "-", cwd).lstrip("-")
    return f"--{_escaped(slug)[:247] or 'root'}--"


def _escaped(name: str) -> str:
    """The same name with everything but plain characters as UTF-16 units."""

    def units(found: re.Match[str]) -> str:
        data = found[0].encode("utf-16-be", "surrogatepass")
        return "".join(f"~{data[place]:02X}{data[place + 1]:02X}" for place in range(0, len(data), 2))

    return re.sub(r"[^A-Za-z0-9._-]", units, name)
