"""Which files make up a Claude Code session.

Sub-agents since 2.1.2 lie in `<session>/subagents/` with a `.meta.json` beside each; in 2.0.x they lie flat beside
the sessions and name their session in every row.
"""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from panscript.readers.lines import head
from panscript.readers.tolerant import recover
from panscript.schemas.errors import PanscriptError
from panscript.schemas.records import SessionFile, Source

__all__ = ["detect", "is_record", "layout", "meta_file", "resolve", "session_files"]


def is_record(value: dict[str, object]) -> bool:
    """Whether an object found on a damaged line carries the envelope of a row."""
    return isinstance(value.get("type"), str) and ("sessionId" in value or "uuid" in value or "leafUuid" in value)


class _Facts(msgspec.Struct, rename="camel"):
    type: str | None = None
    session_id: str | None = None
    uuid: str | None = None
    leaf_uuid: str | None = None
    parent_uuid: object = msgspec.UNSET
    message: msgspec.Raw = msgspec.Raw(b"")
    agent_id: str | None = None
    is_sidechain: bool | None = None


_decoder = msgspec.json.Decoder(_Facts)


def detect(start: bytes) -> int:
    """How surely these first bytes are a Claude Code transcript: 0 not at all, 100 certainly."""
    best = 0
    lines = start.split(b"\n")
    for place, line in enumerate(lines[:200]):
        facts = _row(line)
        if facts is None or facts.type is None:
            if place == len(lines) - 1 and line.lstrip().startswith(b"{") and b'"parentUuid":' in line:
                # The first row may be longer than what is looked at.
                best = max(best, 90)
            continue
        if facts.session_id and facts.type != "session":
            return 100
        chained = facts.uuid or facts.parent_uuid is not msgspec.UNSET
        if facts.type in ("user", "assistant") and facts.message and chained:
            return 100
        if facts.type == "summary" and facts.leaf_uuid:
            best = 90
        elif facts.type == "file-history-snapshot":
            best = max(best, 90)
        elif facts.type in ("user", "assistant") and bytes(facts.message).lstrip().startswith(b"{"):
            best = max(best, 60)
    return best


def _row(line: bytes) -> _Facts | None:
    if not line.lstrip(b"\0\xef\xbb\xbf \t").startswith(b"{"):
        return None
    try:
        return _decoder.decode(line.strip(b"\0\xef\xbb\xbf \t\r"))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        found = recover(line, _decoder, is_record)
        return found.rows[0] if found.rows else None


def resolve(path: str) -> Source:
    """The session that a file belongs to, with its sub-agents where the file is a main transcript."""
    file = Path(path)
    agent_id = _agent_id(file)
    if agent_id is None:
        # Under another name, or from standard input, the rows themselves say that a sub-agent wrote them.
        facts = _first(file)
        if facts is not None and facts.is_sidechain and facts.session_id != file.stem:
            agent_id = facts.agent_id
    if agent_id is not None:
        return Source(
            agent="claude",
            id=agent_id,
            files=session_files(path),
            parent=_parent(file),
            agent_id=agent_id,
        )
    return Source(agent="claude", id=file.stem, files=session_files(path), children=tuple(_children(file)))


def session_files(path: str) -> tuple[SessionFile, ...]:
    """The transcript of a session or a sub-agent, and the files that belong to it."""
    file = Path(path)
    if _agent_id(file) is not None:
        return SessionFile(path), *_beside(file.with_suffix(".meta.json"))
    folder = file.with_suffix("")
    return SessionFile(path), *_beside(*sorted(folder.glob("tool-results/*.txt")), folder / "custom-title.json")


def _beside(*paths: Path) -> tuple[SessionFile, ...]:
    return tuple(SessionFile(str(path), "side") for path in paths if path.is_file())


def _agent_id(file: Path) -> str | None:
    """The sub-agent whose transcript this is; None for a session of its own."""
    if file.stem.startswith("agent-"):
        return file.stem.removeprefix("agent-")
    return None


def _parent(file: Path) -> str | None:
    for folder in Path(os.path.abspath(file)).parents:  # noqa: PTH100 - `resolve` would follow links
        if folder.name == "subagents":
            return folder.parent.name
    facts = _first(file)
    return facts.session_id if facts is not None else None


def _first(file: Path) -> _Facts | None:
    """The first row of a file that names its session."""
    try:
        start = head(str(file), 1 << 18)
    except PanscriptError:
        return None
    return next((facts for line in start.split(b"\n") if (facts := _row(line)) and facts.session_id), None)


def _children(file: Path) -> list[Source]:
    folder = file.with_suffix("") / "subagents"
    found: list[Path] = []
    if folder.is_dir():
        found = sorted(path for path in folder.rglob("agent-*.jsonl") if path.is_file())
    for path in sorted(file.parent.glob("agent-*.jsonl")):
        facts = _first(path) if path.is_file() else None
        if facts is not None and facts.session_id == file.stem:
            found.append(path)
    return [
        Source(
            agent="claude",
            id=name,
            files=session_files(str(path)),
            parent=file.stem,
            agent_id=name,
        )
        for path in found
        if (name := _agent_id(path)) is not None
    ]


class _MetaFile(msgspec.Struct, rename="camel"):
    description: str | None = None
    agent_type: str | None = None
    is_fork: bool = False
    parent_agent_id: str | None = None


def meta_file(path: str) -> _MetaFile:
    """The facts beside a sub-agent's transcript; empty when there are none."""
    try:
        return msgspec.json.decode(Path(path).with_suffix(".meta.json").read_bytes(), type=_MetaFile)
    except (OSError, msgspec.DecodeError, RecursionError):
        return _MetaFile()


def layout(path: str) -> str:
    """Where the file lies below Claude Code's `projects` folder."""
    parts = Path(path).resolve().parts
    if "projects" in parts:
        below = parts[len(parts) - parts[::-1].index("projects") :]
        if len(below) > 1:
            return "/".join(below)
    return parts[-1]
