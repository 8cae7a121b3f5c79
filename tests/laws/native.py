"""What a person and a model say next, as each agent itself writes it at the end of a session."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

__all__ = ["ANSWER", "PROMPT", "say_more"]

PROMPT = "And now something new."
ANSWER = "Something new it is."
_STAMPS = ("2027-06-01T10:00:00.000Z", "2027-06-01T10:00:05.000Z")


def say_more(path: Path, agent: str) -> None:
    """Put a prompt and an answer behind the session in this file."""
    lines = [json.loads(line) for line in path.read_bytes().split(b"\n") if line.strip()]
    more = _MORE[agent](lines)
    with path.open("ab") as file:
        for line in more:
            file.write(json.dumps(line).encode() + b"\n")


def _pi(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    usage = {"input": 5, "output": 2, "cacheRead": 0, "cacheWrite": 0, "totalTokens": 7, "cost": {"total": 0.0}}
    answer = {
        "role": "assistant",
        "content": [{"type": "text", "text": ANSWER}],
        "api": "openai-completions",
        "provider": "stand-in",
        "model": "stand-in",
        "usage": usage,
        "stopReason": "stop",
        "timestamp": 1,
    }
    prompt = {"role": "user", "content": [{"type": "text", "text": PROMPT}], "timestamp": 1}
    entry = {"type": "message", "id": "feed0001", "parentId": lines[-1]["id"], "timestamp": _STAMPS[0]}
    second = {"type": "message", "id": "feed0002", "parentId": "feed0001", "timestamp": _STAMPS[1]}
    return [entry | {"message": prompt}, second | {"message": answer}]


def _claude(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    last = next(line for line in reversed(lines) if "uuid" in line)
    names = ("feed0001-0000-4000-8000-000000000001", "feed0001-0000-4000-8000-000000000002")
    rows = []
    for number, stamp in enumerate(_STAMPS):
        kept = {key: last[key] for key in ("cwd", "sessionId", "version", "isSidechain", "agentId") if key in last}
        parent = last["uuid"] if not number else names[0]
        rows.append(kept | {"parentUuid": parent, "uuid": names[number], "timestamp": stamp})
    usage = {"input_tokens": 5, "output_tokens": 2, "cache_read_input_tokens": 0, "cache_creation_input_tokens": 0}
    answer = {
        "id": "msg_feed",
        "type": "message",
        "role": "assistant",
        "model": "claude-stand-in",
        "content": [{"type": "text", "text": ANSWER}],
        "stop_reason": "end_turn",
        "usage": usage,
    }
    rows[0] |= {"type": "user", "message": {"role": "user", "content": PROMPT}}
    rows[1] |= {"type": "assistant", "message": answer, "requestId": "req_feed"}
    return rows


def _codex(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    def item(stamp: str, role: str, block: str, text: str) -> dict[str, Any]:
        payload = {"type": "message", "role": role, "content": [{"type": block, "text": text}]}
        return {"timestamp": stamp, "type": "response_item", "payload": payload}

    def event(stamp: str, kind: str, text: str) -> dict[str, Any]:
        return {"timestamp": stamp, "type": "event_msg", "payload": {"type": kind, "message": text}}

    return [
        item(_STAMPS[0], "user", "input_text", PROMPT),
        event(_STAMPS[0], "user_message", PROMPT),
        item(_STAMPS[1], "assistant", "output_text", ANSWER),
        event(_STAMPS[1], "agent_message", ANSWER),
    ]


_MORE: dict[str, Callable[[list[dict[str, Any]]], list[dict[str, Any]]]] = {
    "pi": _pi,
    "claude": _claude,
    "codex": _codex,
}
