"""The session files of Kimi CLI and Kimi Code: what they look like, and which belong together.

Kimi CLI: a folder `<session id>/` with `context.jsonl` (what the model is sent) and `wire.jsonl` (what happened, with
times and usage), sub-agents in `subagents/<agent id>/`; at first the context file alone, `<session id>.jsonl`.
Kimi Code: a folder with `state.json` and `agents/<agent id>/wire.jsonl`, `main` being the session itself.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Literal

import msgspec

from panscript.readers.document import load
from panscript.readers.lines import head
from panscript.readers.tolerant import recover
from panscript.schemas.errors import PanscriptError, SourceError
from panscript.schemas.kimi.lean import State, state_decoder
from panscript.schemas.records import SessionFile, Source

__all__ = [
    "CONTEXT",
    "WIRE",
    "Elsewhere",
    "Form",
    "agents_in",
    "cli_files",
    "code_files",
    "cwd_of",
    "default_model",
    "detect",
    "form_of",
    "is_record",
    "layout",
    "resolve",
    "rotated",
    "state_of",
]

Form = Literal["context", "wire", "code"]
CONTEXT, WIRE = "context.jsonl", "wire.jsonl"
_STATES = ("state.json", "metadata.json", "meta.json")
_START = 1 << 16
_ROTATED = re.compile(r"context_(\d+)\.jsonl")
_CODE_SPACES = frozenset({"context", "turn", "llm", "usage", "profile", "runtime", "permission"})
_ROLES = frozenset({"_system_prompt", "_checkpoint", "_usage"})


class _Said(msgspec.Struct):
    type: object = None
    payload: object = msgspec.UNSET


class _Line(msgspec.Struct):
    """Enough of a line to know it."""

    type: object = None
    role: object = None
    content: object = msgspec.UNSET
    protocol_version: object = None
    created_at: object = None
    timestamp: object = None
    time: object = None
    message: msgspec.Raw = msgspec.Raw(b"")
    uuid: object = None
    id: object = None
    created: object = None
    model: object = None


_line_decoder = msgspec.json.Decoder(_Line)
_said_decoder = msgspec.json.Decoder(_Said)


def is_record(value: dict[str, object]) -> bool:
    """Whether an object found on a damaged line carries the envelope of a line of any form."""
    if isinstance(value.get("role"), str):
        return "content" in value or "id" in value or "token_count" in value
    if isinstance(value.get("message"), dict) and "timestamp" in value:
        return True
    return isinstance(value.get("type"), str) and ("time" in value or "protocol_version" in value)


def detect(start: bytes) -> int:
    """How surely these first bytes are of Kimi CLI or Kimi Code: 0 not at all, 100 certainly."""
    return max((sure for _, sure in map(_judge, _lines(start))), default=0)


def form_of(path: str) -> Form:
    """What kind of file it is, by its content, else by its name. Raises `SourceError`s."""
    best: tuple[int, Form | None] = (0, None)
    for form, sure in map(_judge, _lines(head(path, _START))):
        if sure > best[0]:
            best = sure, form
    if best[1] is not None:
        return best[1]
    file = Path(path)
    if file.name != WIRE:
        return "context"
    return "code" if file.parent.parent.name == "agents" else "wire"


def _judge(facts: _Line) -> tuple[Form | None, int]:
    """What a line is, and how surely."""
    if facts.type == "metadata" and isinstance(facts.protocol_version, str):
        return ("code", 95) if facts.created_at is not None else ("wire", 85)
    if isinstance(facts.role, str) and facts.type is None and facts.uuid is None:
        if facts.role in _ROLES:
            return "context", 90
        strange = (facts.timestamp, facts.id, facts.created, facts.model, facts.time)
        plain = facts.content is not msgspec.UNSET and not any(value is not None for value in strange)
        return ("context", 40) if plain and facts.role in ("user", "assistant", "tool", "system") else (None, 0)
    if isinstance(facts.timestamp, int | float) and bytes(facts.message).startswith(b"{") and facts.type is None:
        try:
            said = _said_decoder.decode(facts.message)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return None, 0
        return ("wire", 90) if isinstance(said.type, str) and said.payload is not msgspec.UNSET else (None, 0)
    if isinstance(facts.type, str) and isinstance(facts.time, int | float):
        space, dot, _ = facts.type.partition(".")
        return ("code", 80) if dot and space in _CODE_SPACES else (None, 0)
    return None, 0


def _lines(start: bytes) -> list[_Line]:
    found = []
    for line in start.split(b"\n")[:100]:
        line = line.strip(b"\0\xef\xbb\xbf \t\r")
        if not line.startswith(b"{"):
            continue
        try:
            found.append(_line_decoder.decode(line))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            found.extend(recover(line, _line_decoder, is_record).rows)
    return found


def cli_files(folder: Path) -> tuple[SessionFile, ...]:
    """The files of a session folder of Kimi CLI, or of one of its sub-agents: context before wire."""
    found = [SessionFile(str(folder / name)) for name in (CONTEXT, WIRE) if _has_bytes(folder / name)]
    if len(found) == 2:
        found[0] = SessionFile(found[0].path, "segment")
    sides = [*rotated(folder), *(folder / name for name in _STATES)]
    return *found, *(SessionFile(str(path), "side") for path in sides if path.is_file())


def code_files(folder: Path, agent_id: str) -> tuple[SessionFile, ...]:
    """The files of an agent of a session folder of Kimi Code."""
    wire = SessionFile(str(folder / "agents" / agent_id / WIRE))
    states = (folder / "state.json", folder / "session-meta" / "state.json")
    return wire, *(SessionFile(str(path), "side") for path in states if path.is_file())


def rotated(folder: Path) -> list[Path]:
    """Earlier contexts, left behind by a compaction, a revert or a clear, the oldest first."""
    try:
        names = [(int(match[1]), path) for path in folder.iterdir() if (match := _ROTATED.fullmatch(path.name))]
    except OSError:
        return []
    return [path for _, path in sorted(names)]


def agents_in(folder: Path) -> list[str]:
    """The sub-agents of a session folder of either program that have files of their own."""
    found: list[str] = []
    for place, names in ((folder / "subagents", (CONTEXT, WIRE)), (folder / "agents", (WIRE,))):
        try:
            inner = sorted(path for path in place.iterdir() if path.is_dir())
        except OSError:
            continue
        found.extend(path.name for path in inner if any(_has_bytes(path / name) for name in names))
    return [name for name in found if name != "main"]


def _has_bytes(path: Path) -> bool:
    try:
        return path.is_file() and path.stat().st_size > 0
    except OSError:
        return False


class Elsewhere:
    """Sub-agents of a session of Kimi CLI that have files of their own: those say all that its wire says of them."""

    def __init__(self, folder: Path) -> None:
        """`folder`: that of the session."""
        self._folder = folder / "subagents"
        self._known: dict[str, bool] = {}

    def tells(self, agent: str) -> bool:
        """Whether the sub-agent of this id is one."""
        known = self._known.get(agent)
        if known is None:
            try:
                known = (self._folder / agent / WIRE).stat().st_size > 0
            except (OSError, ValueError):
                known = False
            self._known[agent] = known
        return known


def resolve(path: str) -> Source:
    """The session that a file belongs to, with its other files and its sub-agents."""
    file = Path(path)
    folder = file.parent
    if file.name == WIRE and folder.parent.name == "agents":
        return _code(folder.parent.parent, folder.name)
    if file.name not in (CONTEXT, WIRE):
        # The oldest form, or a file under another name.
        return Source(agent="kimi", id=file.stem or "session", files=(SessionFile(path),))
    if folder.parent.name == "subagents":
        parent = folder.parent.parent.name
        return Source(agent="kimi", id=folder.name, files=_own(folder, path), parent=parent, agent_id=folder.name)
    children = tuple(
        Source(agent="kimi", id=name, files=cli_files(folder / "subagents" / name), parent=folder.name, agent_id=name)
        for name in agents_in(folder)
    )
    return Source(agent="kimi", id=folder.name or "session", files=_own(folder, path), children=children)


def _own(folder: Path, path: str) -> tuple[SessionFile, ...]:
    """The files of a folder; the named one, too, when it is empty."""
    files = cli_files(folder)
    return files if any(file.role != "side" for file in files) else (SessionFile(path), *files)


def _code(folder: Path, agent_id: str) -> Source:
    if agent_id != "main":
        files = code_files(folder, agent_id)
        return Source(agent="kimi", id=agent_id, files=files, parent=folder.name, agent_id=agent_id)
    children = tuple(
        Source(agent="kimi", id=name, files=code_files(folder, name), parent=folder.name, agent_id=name)
        for name in agents_in(folder)
    )
    return Source(agent="kimi", id=folder.name or "session", files=code_files(folder, "main"), children=children)


def state_of(source: Source) -> State:
    """What the files beside the transcripts say, the first that says a thing first; nothing where there are none."""
    found = State()
    for file in source.files:
        if Path(file.path).name not in _STATES:
            continue
        try:
            data = load(file.path)
            state = state_decoder.decode(data)
        except SourceError:
            continue
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            rows = recover(data, state_decoder, lambda _: True).rows
            state = rows[0] if rows else State()
        for name in State.__struct_fields__:
            if getattr(found, name) in (None, ""):
                setattr(found, name, getattr(state, name))
    return found


class _WorkDir(msgspec.Struct):
    path: str | None = None
    kaos: str | None = None


class _Index(msgspec.Struct):
    work_dirs: list[_WorkDir] = []


class _Config(msgspec.Struct):
    """The one thing that is looked at in the settings, which may hold keys."""

    model: str | None = None


def _session_folder(source: Source) -> Path:
    """The folder `sessions/<project>/<session id>` of a session of Kimi CLI, or what stands for it."""
    file = Path(source.path)
    folder = file.parent if file.name in (CONTEXT, WIRE) else file.with_suffix("")
    return folder.parent.parent if folder.parent.name == "subagents" else folder


def cwd_of(source: Source) -> str | None:
    """The folder that a session of Kimi CLI runs in: its project's folder is named for a hash of it."""
    project = _session_folder(source).parent
    try:
        index = msgspec.json.decode(load(str(project.parent.parent / "kimi.json")), type=_Index)
    except (PanscriptError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    for place in index.work_dirs:
        if place.path:
            name = hashlib.md5(place.path.encode("utf-8", "replace"), usedforsecurity=False).hexdigest()
            if project.name in (name, f"{place.kaos}_{name}"):
                return place.path
    return None


def default_model(source: Source) -> str | None:
    """The model that the settings beside `sessions` name; sessions of Kimi CLI do not say it."""
    try:
        settings = load(str(_session_folder(source).parent.parent.parent / "config.json"))
        return msgspec.json.decode(settings, type=_Config).model or None
    except (PanscriptError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def layout(path: str) -> str:
    """Where the file lies below the `sessions` folder."""
    parts = Path(path).resolve().parts
    if "sessions" in parts:
        below = parts[len(parts) - parts[::-1].index("sessions") :]
        if len(below) > 1:
            return "/".join(below)
    return parts[-1]
