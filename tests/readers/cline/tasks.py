"""Tasks written for one test."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from panscript.readers.cline.files import session
from panscript.readers.cline.reading import read
from panscript.schemas.events import Event
from panscript.schemas.report import FileReport

__all__ = ["assistant", "events_of", "only", "request", "shown", "task", "text", "texts_of", "user"]

START = 1_778_659_200_000


def text(said: str) -> dict[str, Any]:
    """A text block."""
    return {"type": "text", "text": said}


def user(*blocks: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A message of the user's."""
    return {"role": "user", "content": list(blocks), **more}


def assistant(*blocks: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A response."""
    return {"role": "assistant", "content": list(blocks), **more}


def shown(number: int, kind: str, said: str = "", **more: Any) -> dict[str, Any]:
    """A message that was shown after so many seconds."""
    return {"ts": START + 1000 * number, "type": "say", "say": kind, "text": said, **more}


def request(number: int, kind: str = "api_req_started", **more: Any) -> dict[str, Any]:
    """A request that was shown after so many seconds, with what it used."""
    return shown(number, kind, json.dumps(more.pop("used", {"tokensIn": 5, "tokensOut": 2})), **more)


def task(folder: Path, api: Any = None, interface: Any = None, **beside: Any) -> Path:
    """A task's folder; `beside` names further files without their ending."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, value in {"api_conversation_history": api, "ui_messages": interface, **beside}.items():
        if value is not None:
            (folder / f"{name}.json").write_text(json.dumps(value))
    return folder


def events_of(folder: Path, agent: str = "cline", report: FileReport | None = None) -> list[Event]:
    """The events of the task in a folder."""
    path = next(each for each in sorted(folder.iterdir()) if each.name.startswith(("api_", "ui_")))
    account = report or FileReport(path="")
    return [event for record in read(session(str(path), agent), report=account) for event in record.events]


def only(events: list[Event], kind: type[Event]) -> Any:
    """The one event of a kind."""
    (found,) = [event for event in events if isinstance(event, kind)]
    return found


def texts_of(event: Any) -> str:
    """The texts of a message or a result."""
    return "|".join(block.text for block in event.content if hasattr(block, "text") and block.text)
