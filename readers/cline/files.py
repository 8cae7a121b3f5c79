"""The files of Cline, Roo Code and Kilo Code: what they look like, and which belong together.

A task is a folder with `api_conversation_history.json`, what the model saw, and `ui_messages.json`, what the person was
shown. Cline's sessions since 2026 are `<id>/<id>.messages.json` with a manifest `<id>.json`. The three agents write
nearly the same, so where a file lies says more than what is in it.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from panscript.schemas.agents import agent
from panscript.schemas.records import SessionFile, Source

__all__ = ["API", "INTERFACE", "MANIFEST", "MESSAGES", "SIDE", "detect", "is_session", "layout", "resolve", "session"]

API = "api_conversation_history.json"
INTERFACE = ("ui_messages.json", "claude_messages.json")
"""Its name, and the oldest one."""
MESSAGES = ".messages.json"
MANIFEST = ".json"
SIDE = ("task_metadata.json", "history_item.json")
_FAMILY = ("cline", "roocode", "kilocode")
_HEAD = 1 << 16
_SHOWN = re.compile(rb'"type"\s*:\s*"(?:say|ask)"')
_SAYS = re.compile(rb'"(?:say|ask)"\s*:\s*"')
_ROLE = re.compile(rb'"role"\s*:\s*"(?:user|assistant)"')
_WRAPPED = re.compile(rb"<(?:task|environment_details|user_message|feedback)>")
_CLINE = re.compile(rb'"conversationHistoryIndex"|"modelInfo"|"say"\s*:\s*"task"')
_ROO = re.compile(rb'apiProtocol|"contextCondense"|"condense(?:Id|Parent)"|<slug>|"isAnswered"')
_KILO = re.compile(rb"kilo-?code", re.IGNORECASE)
_SESSION = re.compile(rb'"(?:sessionId|updated_at|system_prompt|agent)"\s*:')
_METRICS = re.compile(rb'"messages"\s*:\s*\[|"metrics"\s*:')
_FACTS = re.compile(rb'"(?:messages_path|session_id|enable_spawn|workspace_root)"\s*:')


def detect(start: bytes, agent_id: str) -> int:
    """How surely these first bytes are a file of this agent: 0 not at all, 100 certainly.

    What any of the family could have written is given to the one with the most users; `resolve` knows better.
    """
    text = start[:_HEAD].lstrip(b"\0\xef\xbb\xbf \t\r\n")
    if text.startswith(b"{"):
        return _of_session(text) if agent_id == "cline" else 0
    if not text.startswith(b"[") or b"{" not in text[:64]:
        return 0
    shown = _SHOWN.search(text) is not None and _SAYS.search(text) is not None
    if not shown and (_ROLE.search(text) is None or b'"content"' not in text):
        return 0
    sure = 80 if shown or _WRAPPED.search(text) else 35
    owner = (
        "kilocode" if _KILO.search(text) else "roocode" if _ROO.search(text) and not _CLINE.search(text) else "cline"
    )
    return sure if agent_id == owner else sure - 10


def _of_session(text: bytes) -> int:
    if len({found.group() for found in _FACTS.finditer(text)}) >= 3:
        return 90
    own = {found.group() for found in _SESSION.finditer(text)}
    return 90 if len(own) >= 2 and _METRICS.search(text) and b'"agent"' in text and b'"sessionId"' in text else 0


def is_session(name: str) -> bool:
    """Whether a file of this name holds what was said, or shown."""
    return name == API or name in INTERFACE or name.endswith(MESSAGES)


def resolve(path: str, agent_id: str = "cline") -> Source:
    """The session that a file belongs to: of the agent in whose place it lies, elsewhere of this one."""
    return session(path, _owner(path) or agent_id)


def _owner(path: str) -> str | None:
    """Of the family the agent in whose place the file lies."""
    plain = os.path.realpath(path).replace(os.sep, "/")
    for name in _FAMILY:
        # `User/globalStorage/<extension>/tasks`: the extension's id is the agent's own.
        places = {place.path.split("/")[-2] for place in agent(name).locations if "globalStorage" in place.path}
        if any(f"/{place}/" in plain for place in places):
            return name
    return None


def session(path: str, agent_id: str) -> Source:
    """The session that a file belongs to, by its name: the task in its folder, or the session of its manifest."""
    file = Path(path)
    if file.name.endswith(MESSAGES):
        stem = file.name.removesuffix(MESSAGES)
        manifest = file.with_name(f"{stem}{MANIFEST}")
        beside = (SessionFile(str(manifest), "side"),) if manifest.is_file() else ()
        return Source(agent=agent_id, id=stem or "session", files=(SessionFile(path), *beside))
    if file.name == API or file.name in (*INTERFACE, *SIDE):
        return _task(file, agent_id)
    said = file.with_name(f"{file.name.removesuffix(MANIFEST)}{MESSAGES}")
    if file.name.endswith(MANIFEST) and said.is_file():
        return session(str(said), agent_id)
    return Source(agent=agent_id, id=file.name.removesuffix(MANIFEST) or "session", files=(SessionFile(path),))


def _task(file: Path, agent_id: str) -> Source:
    folder = file.parent
    api = folder / API
    shown = next((folder / name for name in INTERFACE if (folder / name).is_file()), None)
    files = [SessionFile(str(api))] if api.is_file() else []
    if shown is not None:
        files.append(SessionFile(str(shown)))
    missing = [] if api.is_file() else [API]
    if shown is None:
        missing.append(INTERFACE[0])
    files = files or [SessionFile(str(file))]
    files.extend(SessionFile(str(folder / name), "side") for name in SIDE if (folder / name).is_file())
    name = os.path.basename(os.path.abspath(folder)) or "task"  # noqa: PTH100, PTH119 - folders may be named with dots
    return Source(agent=agent_id, id=name, files=tuple(files), missing=tuple(missing))


def layout(path: str) -> str:
    """Where the file lies below the folder of all tasks or sessions: in a folder of its own."""
    file = Path(path).absolute()
    return f"{file.parent.name}/{file.name}" if file.parent.name else file.name
