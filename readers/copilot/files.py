"""Files of Copilot: a folder a session with its event log, telemetry files beside all of them.

`session-state/<session id>/events.jsonl` holds the conversation and `workspace.yaml` its name; older versions had
`session-state/<session id>.jsonl`. `otel/**/*.jsonl` holds what requests cost, of any session, when a person turned it
on. A session is its log with the telemetry files that name it; a conversation without a log is its telemetry.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from panscript.readers.copilot.otel import telemetry
from panscript.readers.lines import head
from panscript.schemas.copilot.lean import STATE_TYPES
from panscript.schemas.errors import PanscriptError
from panscript.schemas.naming import encodable
from panscript.schemas.records import SessionFile, Source

__all__ = [
    "EVENTS",
    "SAID_TYPES",
    "Workspace",
    "detect",
    "id_of",
    "is_record",
    "is_telemetry",
    "layout",
    "resolve",
    "session_files",
    "telemetry_only",
    "workspace_of",
]

EVENTS = "events.jsonl"
_WORKSPACE = "workspace.yaml"
SAID_TYPES = frozenset({"user.message", "system.message", "assistant.message", "tool.execution_complete"})
_CONTROLS = re.compile(r"[\x00-\x1f\x7f]")
_OURS = frozenset({"session.start", "session.resume", "session.usage_record", "session.model_change"})
_SPAN = re.compile(rb'\{"type":"(?:span|metric|log)"|"gen_ai\.[a-z]')


class _Line(msgspec.Struct, rename="camel"):
    """Enough of a line to know it."""

    type: object = None
    id: object = None
    timestamp: object = None
    parent_id: object = msgspec.UNSET
    data: msgspec.Raw = msgspec.Raw(b"")
    attributes: msgspec.Raw = msgspec.Raw(b"")
    data_points: msgspec.Raw = msgspec.Raw(b"")


class _Start(msgspec.Struct, rename="camel"):
    session_id: object = None
    producer: object = None
    copilot_version: object = None


_decode = msgspec.json.Decoder(_Line).decode
_decode_start = msgspec.json.Decoder(_Start).decode


class Workspace(NamedTuple):
    """What the file beside an event log says."""

    title: str | None = None
    cwd: str | None = None
    branch: str | None = None


def is_record(value: dict[str, Any]) -> bool:
    """Whether an object found on a damaged line carries the envelope of an event."""
    return isinstance(value.get("type"), str) and isinstance(value.get("data"), dict)


def detect(start: bytes) -> int:
    """How surely these first bytes are an event log or telemetry: 0 not at all, 100 certainly."""
    return max(_as_events(start), _as_telemetry(start))


def is_telemetry(path: str) -> bool:
    """Whether the file holds telemetry and no event log. Raises `SourceError`s."""
    start = head(path)
    return _as_telemetry(start) > _as_events(start)


def _lines(start: bytes) -> Iterable[_Line]:
    for line in start.split(b"\n")[:50]:
        try:
            yield _decode(line.strip(b"\0\xef\xbb\xbf \t\r"))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            continue


def _as_events(start: bytes) -> int:
    best = 0
    for facts in _lines(start):
        kind = facts.type if isinstance(facts.type, str) else ""
        if bytes(facts.data)[:1] != b"{" or "." not in kind:
            continue
        if kind == "session.start" and _is_start(facts.data):
            return 100
        if kind in SAID_TYPES or kind in STATE_TYPES:
            linked = facts.parent_id is not msgspec.UNSET and isinstance(facts.id, str)
            best = max(best, 90 if linked and isinstance(facts.timestamp, str) else 55)
    return best


def _is_start(data: msgspec.Raw) -> bool:
    try:
        facts = _decode_start(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False
    return isinstance(facts.session_id, str) and (facts.producer is not None or facts.copilot_version is not None)


def _as_telemetry(start: bytes) -> int:
    best = 0
    for facts in _lines(start):
        attributes = bytes(facts.attributes)
        if b'"gen_ai.' in attributes or b'"copilot_chat.' in attributes or b'"github.copilot.' in attributes:
            return 80
        if bytes(facts.data_points)[:1] == b"[" and facts.type == "metric":
            best = 60
    if not best and _SPAN.match(start.lstrip()[:40]) and b'"gen_ai.' in start:
        best = 60  # The first record is longer than what was read of it.
    return best


def id_of(path: str) -> str:
    """The session id in the first event of a log, else what its folder or file is called."""
    try:
        for facts in _lines(head(path)):
            if facts.type == "session.start":
                start = _decode_start(facts.data)
                if isinstance(start.session_id, str) and (name := _CONTROLS.sub("", start.session_id).strip()):
                    return name
    except (PanscriptError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        pass
    file = Path(path)
    return encodable(file.parent.name if file.name == EVENTS and file.parent.name else file.stem) or "session"


def session_files(path: str, beside: Iterable[str] = ()) -> tuple[SessionFile, ...]:
    """The files of a session: its log, its workspace, and `beside`, the telemetry that names it."""
    workspace = Path(path).with_name(_WORKSPACE)
    sides = [str(workspace)] if Path(path).name == EVENTS and workspace.is_file() else []
    return (SessionFile(path), *(SessionFile(side, "side") for side in (*sides, *beside)))


def telemetry_only(session: str, paths: Iterable[str]) -> Source:
    """A conversation that only telemetry tells of."""
    roles = [SessionFile(path, "segment" if place else "main") for place, path in enumerate(paths)]
    return Source(agent="copilot", id=session, files=tuple(roles))


def resolve(path: str) -> Source:
    """The session that a file belongs to, with the telemetry that lies in the usual place."""
    if is_telemetry(path):
        named = {each.session for each in telemetry(path).counted}
        session = next(iter(named)) if len(named) == 1 else encodable(Path(path).stem)
        return telemetry_only(session, [path])
    session = id_of(path)
    return Source(agent="copilot", id=session, files=session_files(path, _beside(path, session)))


def _beside(path: str, session: str) -> list[str]:
    """The telemetry files that name the session, where the log lies in Copilot's own folder."""
    file = Path(path).resolve()
    state = file.parent.parent if file.name == EVENTS else file.parent
    folder = state.parent / "otel"
    if state.name != "session-state" or not folder.is_dir():
        return []
    found = []
    for each in sorted(folder.rglob("*.jsonl")):
        try:
            if each.is_file() and any(record.session == session for record in telemetry(str(each)).counted):
                found.append(str(each))
        except (PanscriptError, OSError):
            continue
    return found


def layout(path: str) -> str:
    """Where the file lies below Copilot's folder: by its path, else in a folder of its session's id."""
    parts = Path(path).resolve().parts
    for folder in ("session-state", "otel"):
        if folder in parts:
            below = parts[len(parts) - parts[::-1].index(folder) :]
            if below:
                return "/".join((folder, *below))
    try:
        if is_telemetry(path):
            return f"otel/{parts[-1]}"
    except PanscriptError:
        return parts[-1]
    name = re.sub(r"[^A-Za-z0-9._-]", "_", id_of(path)).strip(".")
    return f"session-state/{name or 'session'}/{EVENTS}"


def workspace_of(source: Source) -> Workspace:
    """What the workspace file says: one key and its value a line, quoted where they need it. Raises nothing."""
    path = next((file.path for file in source.files if file.role == "side" and file.path.endswith(".yaml")), None)
    if path is None:
        return Workspace()
    try:
        text = Path(path).read_bytes()[: 1 << 20].decode("utf-8", "replace")
    except OSError:
        return Workspace()
    said: dict[str, str] = {}
    for line in text.split("\n"):
        key, colon, value = line.rstrip("\r").partition(": ")
        if colon and re.fullmatch(r"[a-z_]+", key):
            said.setdefault(key, _scalar(value.strip()))
    return Workspace(said.get("name") or None, said.get("cwd") or None, said.get("branch") or None)


def _scalar(value: str) -> str:
    """A value as YAML writes it on one line."""
    if value[:1] == '"':
        try:
            found = msgspec.json.decode(value)
            return found if isinstance(found, str) else ""
        except msgspec.DecodeError:
            return value.strip('"')
    if value[:1] == "'" and value[-1:] == "'" and len(value) > 1:
        return value[1:-1].replace("''", "'")
    return "" if value in ("null", "~", "|", ">", "|-", ">-") else value
