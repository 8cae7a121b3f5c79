"""A conversation of Antigravity: its log, and the database beside it, whose columns are Protocol Buffers.

The fields have the numbers of the conversation in `fixtures/usage-home`; a description of them is not published.
"""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
from texts import Texts

__all__ = ["write_antigravity"]

NAME = "01974444-0000-4000-8000-000000000001"
FIXTURE = Path(__file__).resolve().parent.parent / "fixtures/usage-home/.gemini/antigravity-cli"
USER, PLANNER, COMMAND = 14, 15, 21
_TYPES = {USER: "USER_INPUT", PLANNER: "PLANNER_RESPONSE", COMMAND: "RUN_COMMAND"}
Fields = dict[int, Any]
"""Field number -> whole number, text, or the fields of a message."""


def _number(value: int) -> bytes:
    found = bytearray()
    while value > 0x7F:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*found, value])


def _message(fields: Fields) -> bytes:
    found = []
    for field, value in fields.items():
        if isinstance(value, int):
            found.append(_number(field << 3) + _number(value))
        else:
            data = value.encode() if isinstance(value, str) else _message(value)
            found.append(_number(field << 3 | 2) + _number(len(data)) + data)
    return b"".join(found)


def write_antigravity(home: Path, texts: Texts, target: int) -> tuple[Path, int, int]:
    """Write turns of four steps until both files together have `target` bytes; give log, bytes and number of turns."""
    root = home / ".gemini/antigravity-cli"
    log = root / f"brain/{NAME}/.system_generated/logs/transcript.jsonl"
    database = root / f"conversations/{NAME}.db"
    for path in (log, database):
        path.parent.mkdir(parents=True)
    shutil.copyfile(FIXTURE / "conversations" / database.name, database)
    shutil.copyfile(FIXTURE / "history.jsonl", root / "history.jsonl")
    size = turns = 0
    with closing(sqlite3.connect(database)) as store, log.open("wb") as file:
        store.execute("DELETE FROM steps")
        store.execute("DELETE FROM gen_metadata")
        while size < target:
            for offset, (kind, said, fields) in enumerate(_turn(texts, turns)):
                number, time = 4 * turns + offset, texts.time()
                stamp = {1: texts.now // 1000, 2: texts.now % 1000 * 10**6}
                line = {"step_index": number, "source": "USER_EXPLICIT" if kind == USER else "MODEL",
                        "type": _TYPES[kind], "status": "DONE", "created_at": time, **said}  # fmt: skip
                size += file.write(msgspec.json.encode(line) + b"\n")
                about = {1: stamp, **({4: {1: f"call-{turns}"}} if kind == COMMAND else {})}
                payload = _message({1: kind, 4: 3, 5: about, **fields})
                size += len(payload)
                store.execute("INSERT INTO steps (idx, step_type, status, step_payload) VALUES (?, ?, 3, ?)",
                              (number, kind, payload))  # fmt: skip
                if kind == PLANNER:
                    usage = {1: 1008, 2: 1200, 3: 90, 5: 1000, 9: 60, 10: 30, 11: f"resp-{number}"}
                    data = _message({1: {4: usage, 9: {4: stamp}, 19: "gemini-3-pro-high"}, 2: number})
                    size += len(data)
                    store.execute("INSERT INTO gen_metadata (idx, data, size) VALUES (?, ?, ?)",
                                  (number, data, len(data)))  # fmt: skip
            turns += 1
        store.commit()
        store.execute("VACUUM")
    return log, size, turns


def _turn(t: Texts, number: int) -> list[tuple[int, dict[str, Any], Fields]]:
    """A prompt, an answer with a call, its result, an answer: type, fields of the log, fields of the database."""
    prompt, answer, closing_words = t.text(t.size(150)), t.text(t.size(400)), t.text(t.size(400))
    thinking, output, arguments = t.text(t.size(500)), t.text(t.size(1_700, 1.75)), {"CommandLine": "ls"}
    call = {1: f"call-{number}", 2: "run_command", 3: msgspec.json.encode(arguments).decode()}
    return [
        (USER, {"content": f"<USER_REQUEST>\nlist {prompt}\n</USER_REQUEST>"}, {19: {2: f"list {prompt}"}}),
        (
            PLANNER,
            {"content": f"I will {answer}", "thinking": thinking,
             "tool_calls": [{"name": "run_command", "args": arguments}]},
            {20: {1: f"I will {answer}", 3: thinking, 7: call}},
        ),
        (COMMAND, {"content": f"a.txt\n{output}"}, {28: {21: {1: f"a.txt\n{output}"}, 6: 0}}),
        (PLANNER, {"content": f"Done. {closing_words}"}, {20: {1: f"Done. {closing_words}"}}),
    ]  # fmt: skip
