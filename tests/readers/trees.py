"""Folders of small sessions, built where a test wants them."""

import json
from pathlib import Path

__all__ = ["TIME", "claude_row", "claude_session", "codex_thread", "pi_session", "thread_id", "write"]

TIME = "2026-03-01T10:00:00.000Z"


def write(path: Path, *rows: object) -> Path:
    """Write rows as JSON lines, with the folders above."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def claude_row(session: str, text: str = "hello", **more: object) -> dict[str, object]:
    """A prompt as Claude Code writes it."""
    return {
        "type": "user",
        "uuid": f"{session}-1",
        "parentUuid": None,
        "sessionId": session,
        "timestamp": TIME,
        "cwd": "/home/dev/app",
        "message": {"role": "user", "content": text},
        **more,
    }


def claude_session(folder: Path, session: str, text: str = "hello", **more: object) -> Path:
    """A session of one prompt."""
    return write(folder / f"{session}.jsonl", claude_row(session, text, **more))


def thread_id(number: int) -> str:
    """A thread id of Codex; the hexadecimal digits of `number` end it."""
    return f"01990000-0000-7000-8000-{number:012x}"


def codex_thread(
    folder: Path,
    number: int,
    text: str = "hello",
    *,
    segment: int | None = None,
    name: str | None = None,
    **meta: object,
) -> Path:
    """A thread of one prompt, or a further segment of it. `meta` goes into its first record."""
    thread = thread_id(number)
    end = f"_{thread_id(segment)}" if segment is not None else ""
    payload = {"id": thread, "timestamp": TIME, "cwd": "/home/dev/app", "originator": "cli", "cli_version": "0.171.0"}
    said = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}
    return write(
        folder / (name or f"rollout-2026-03-01T10-00-{(segment or number) % 60:02d}-{thread}{end}.jsonl"),
        {"timestamp": TIME, "type": "session_meta", "payload": {**payload, **meta}},
        {"timestamp": TIME, "type": "response_item", "payload": said},
        {"timestamp": TIME, "type": "event_msg", "payload": {"type": "user_message", "message": text}},
    )


def pi_session(path: Path, session: str, text: str = "hello", **header: object) -> Path:
    """A session of one prompt."""
    return write(
        path,
        {"type": "session", "version": 3, "id": session, "timestamp": TIME, "cwd": "/home/ana/app", **header},
        {
            "type": "message",
            "id": "a0000001",
            "parentId": None,
            "timestamp": TIME,
            "message": {"role": "user", "content": [{"type": "text", "text": text}], "timestamp": 1772359200000},
        },
    )
