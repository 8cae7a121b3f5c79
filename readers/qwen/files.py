"""Qwen Code's files: how they are known and which belong together.

`projects/<folder of the cwd>/chats/<session id>.jsonl`, archived below `chats/archive/`; sub-agents in
`projects/<folder>/subagents/<session id>/agent-<id>.jsonl`. What was written in 2025 is laid out as Gemini CLI's files.
"""

from __future__ import annotations

import re
from pathlib import Path

import msgspec

from panscript.readers.finding import readable
from panscript.readers.recordings import files as recordings
from panscript.readers.tolerant import recover
from panscript.schemas.records import SessionFile, Source

__all__ = [
    "Beside",
    "agent_of",
    "children_of",
    "detect",
    "is_record",
    "is_recording",
    "is_session_name",
    "layout",
    "resolve",
]

_TYPES = frozenset({"user", "assistant", "tool_result", "system"})
_SESSION = re.compile(r"[0-9a-fA-F-]{32,36}\.jsonl")
_AGENT = re.compile(r"agent-(.+)\.jsonl")
_UNSAFE = re.compile(r"[^A-Za-z0-9_-]")
_OWN = re.compile(rb'"type"\s*:\s*"qwen"|"model"\s*:\s*"(?:qwen|coder-model|vision-model)', re.IGNORECASE)
_TORN = re.compile(rb'\s*\{"uuid":"[^"]*","parentUuid":(?:null|"[^"]*"),"sessionId":"')
_CERTAIN = 101
"""Other agents' rows have the same envelope; only the contents of Google's form tell, and they are no one else's."""
_SUBAGENTS, _ARCHIVE = "subagents", "archive"


class _Said(msgspec.Struct):
    parts: object = None


class _Line(msgspec.Struct, rename="camel"):
    """Enough of a line to know it."""

    uuid: str | None = None
    parent_uuid: object = msgspec.UNSET
    session_id: str | None = None
    type: str | None = None
    provenance: object = None
    message: _Said | None = None
    system_payload: object = None
    usage_metadata: object = None
    tool_call_result: object = None


_decoder = msgspec.json.Decoder(_Line)


def is_record(value: dict[str, object]) -> bool:
    """Whether an object found on a damaged line carries the envelope of a line."""
    kind = value.get("type")
    return isinstance(value.get("uuid"), str) and isinstance(kind, str) and kind in _TYPES and "timestamp" in value


def is_recording(start: bytes) -> bool:
    """Whether a file that starts like this is of the form of 2025."""
    return recordings.is_recording(start) or recordings.is_saved_chat(start)


def detect(start: bytes) -> int:
    """How surely these first bytes are a Qwen Code session: 0 not at all, 100 certainly."""
    if is_recording(start):
        # Gemini CLI's look the same, so that only the names of models tell.
        return 95 if _OWN.search(start) else 40
    best = 0
    for number, line in enumerate(start.split(b"\n")[:100]):
        facts = _line(line)
        if facts is None:
            if number < 2 and _TORN.match(line.lstrip(b"\0\xef\xbb\xbf")) and b'"systemPayload"' in line:
                best = max(best, 60)
        elif facts.uuid is not None and facts.type in _TYPES:
            said = facts.message is not None and isinstance(facts.message.parts, list)
            if said or facts.system_payload is not None or facts.usage_metadata is not None:
                return _CERTAIN
            if facts.provenance is not None or facts.tool_call_result is not None:
                best = max(best, 90)
    return best


def _line(line: bytes) -> _Line | None:
    line = line.strip(b"\0\xef\xbb\xbf \t\r")
    if not line.startswith(b"{"):
        return None
    try:
        return _decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        found = recover(line, _decoder, is_record)
        return found.rows[0] if found.rows else None


def is_session_name(name: str) -> bool:
    """Whether Qwen Code itself gives such a name to a session or a sub-agent."""
    return _SESSION.fullmatch(name) is not None or _AGENT.fullmatch(name) is not None


def agent_of(path: str) -> tuple[str, str] | None:
    """Session id and own id of the sub-agent whose file this is, by its place."""
    file = Path(path)
    match = _AGENT.fullmatch(file.name)
    if match is None or file.parent.parent.name != _SUBAGENTS:
        return None
    return readable(file.parent.name), readable(match[1])


def resolve(path: str) -> Source:
    """The session that a file belongs to, with its sub-agents."""
    start = recordings.start_of(path)
    if start is not None and is_recording(start):
        return recordings.resolve("qwen", path)
    found = agent_of(path)
    name = readable(recordings.stem(Path(path).name))
    if found is not None:
        return Source(agent="qwen", id=found[1], files=(SessionFile(path),), parent=found[0], agent_id=found[1])
    return Source(agent="qwen", id=name, files=(SessionFile(path),), children=children_of("qwen", path, name))


def children_of(agent_id: str, path: str, session: str) -> tuple[Source, ...]:
    """The sub-agents of the session in this file."""
    chats = Path(path).absolute().parent
    if chats.name == _ARCHIVE:
        chats = chats.parent
    folder = chats.parent / _SUBAGENTS / _UNSAFE.sub("_", session)
    try:
        found = sorted(str(file) for file in folder.iterdir() if _AGENT.fullmatch(file.name) and file.is_file())
    except (OSError, ValueError):
        return ()
    return tuple(
        Source(agent=agent_id, id=own[1], files=(SessionFile(file),), parent=session, agent_id=own[1])
        for file in found
        if (own := agent_of(file)) is not None
    )


class Beside:
    """The sessions that lie beside one, so that what was copied from them is told where they are read."""

    def __init__(self, path: str) -> None:
        chats = Path(path).absolute().parent
        chats = chats.parent if chats.name == _ARCHIVE else chats
        self._places = chats, chats / _ARCHIVE
        self._known: dict[str, bool] = {}

    def holds(self, session: str) -> bool:
        """Whether the session of this id is among them."""
        if session not in self._known:
            try:
                there = any((place / f"{session}.jsonl").is_file() for place in self._places)
            except (OSError, ValueError):
                there = False
            self._known[session] = there
        return self._known[session]


def layout(path: str) -> str:
    """Where the file lies below Qwen Code's `projects` (or, of 2025, `tmp`)."""
    parts = Path(path).resolve().parts
    for name in (_SUBAGENTS, recordings.CHATS):
        if name in parts[:-1]:
            at = len(parts) - 1 - parts[::-1].index(name)
            return "/".join(parts[max(at - 1, 1) :])
    return parts[-1]
