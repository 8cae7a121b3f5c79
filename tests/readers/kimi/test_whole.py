"""What holds for every session of Kimi CLI and Kimi Code, whole or damaged."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from panscript.readers.kimi import detect, resolve
from panscript.schemas.events import Usage
from tests.builders import mutated
from tests.promises import check
from tests.readers.kimi.sessions import cli, status, wire
from tests.sessions import FIXTURES

WIRES = sorted((FIXTURES / "kimi/home").rglob("wire.jsonl"))
MUTATIONS = 150


@pytest.mark.parametrize("path", WIRES, ids=lambda path: path.parent.name[:8])
def test_damaged_files_keep_every_promise(path: Path, tmp_path: Path) -> None:
    chance = random.Random(path.name)
    session = path.parents[2] if path.parent.parent.name == "agents" else path.parent
    copy = tmp_path / "sessions" / "project" / session.name
    shutil.copytree(session, copy)
    wire = copy / path.relative_to(session)
    originals = {file: file.read_bytes() for file in copy.rglob("*") if file.is_file()}
    for _ in range(MUTATIONS):
        for file, data in originals.items():
            file.write_bytes(mutated(data, chance) if chance.random() < 0.7 else data)
        check(resolve(str(wire)))


def test_two_records_on_one_line_are_told_apart(tmp_path: Path) -> None:
    path = cli(tmp_path, [wire("TurnBegin", user_input="hi")])
    both = b"".join(msgspec.json.encode(status(name, 5)) for name in ("m", "n"))
    path.write_bytes(path.read_bytes() + both + b"\n")
    found = check(resolve(str(path)))
    assert found is not None
    assert [event.id for event in found if isinstance(event, Usage)] == ["usage:3", "usage:3.1"]


PIECES = [
    *[b'{"role":"user","content":"', b'{"type":"metadata"', b'{"timestamp":1,"message":{"type":"TurnBegin"'],
    *[b'{"type":"context.append_message","time":1', b"}", b"\n", b'"', b"\\", b"{", b"[1]", b"\0"],
]


@given(st.binary(max_size=200) | st.lists(st.sampled_from(PIECES)).map(b"".join), st.sampled_from(["wire", "context"]))
def test_any_bytes_give_records_or_an_error_of_ours(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, name: str
) -> None:
    path = tmp_path_factory.getbasetemp() / "any-kimi" / name / f"{name}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    assert 0 <= detect(data) <= 100
    check(resolve(str(path)))


STEPS = st.sampled_from(["user", "injection", "part", "call", "result", "begin", "end", "undo", "clear", "compact"])


def _record(kind: str, number: int) -> dict[str, object]:
    loop = {"part": "content.part", "call": "tool.call", "result": "tool.result", "begin": "step.begin"}
    if kind in ("user", "injection"):
        said = {"role": "user", "content": f"{number}", "origin": {"kind": kind}}
        return {"type": "context.append_message", "message": said}
    if kind == "undo":
        return {"type": "context.undo", "count": 1 + number % 3}
    if kind == "clear":
        return {"type": "context.clear"}
    if kind == "compact":
        return {"type": "context.apply_compaction", "summary": "s", "compactedCount": number % 4}
    event = {"type": loop.get(kind, "step.end"), "uuid": f"s{number // 3}", "stepUuid": f"s{number // 4}"}
    more = {
        "part": {"type": "text", "text": "x"},
        "toolCallId": "c",
        "name": "n",
        "args": {},
        "result": {"output": "o"},
    }
    return {"type": "context.append_loop_event", "event": event | more}


@given(st.lists(STEPS, max_size=14))
def test_edits_in_any_order_keep_every_promise(tmp_path_factory: pytest.TempPathFactory, kinds: list[str]) -> None:
    path = tmp_path_factory.getbasetemp() / "edits" / "agents" / "main" / "wire.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = [{"type": "metadata", "protocol_version": "1.5", "created_at": 1}]
    rows += [_record(kind, number) | {"time": 1_778_572_800_000 + number} for number, kind in enumerate(kinds)]
    path.write_bytes(b"".join(msgspec.json.encode(row) + b"\n" for row in rows))
    check(resolve(str(path)))
