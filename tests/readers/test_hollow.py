"""Rows that should say something and whose payload is missing or no object: each is given up, and only it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from panscript.cli.copying import clean
from panscript.readers.billing import billed
from panscript.readers.opening import open_source, read
from panscript.readers.validation import VALIDATED, validate
from panscript.schemas.events import Event, Message, Session, Text
from panscript.schemas.records import Record
from panscript.schemas.report import FileReport
from panscript.stages.redaction import Redactor
from tests import builders as claude
from tests.billing import same
from tests.builders import write_rows
from tests.cli.program import panscript
from tests.readers.copilot import logs as copilot
from tests.readers.dsh import logs as dsh
from tests.readers.kimi import sessions as kimi
from tests.readers.qwen import sessions as qwen

NO_OBJECT = ["text", [1], 5, None, True]
MESSAGE, PAYLOAD = "message_invalid_message", "invalid_payload"
Row = dict[str, Any]


class Broken(NamedTuple):
    """A session of a prompt, one row that is broken, and an answer that hangs on it where rows have parents."""

    agent: str
    code: str
    write: Callable[[Path, Any], Path]
    line: int


def _claude(kind: str) -> Callable[[Path, Any], Path]:
    def write(folder: Path, payload: Any) -> Path:
        broken = claude.row(kind, "b", "a", 1, message=payload)
        rows = [claude.user("a", None, "hi"), broken, claude.assistant("c", "b", "ho", 2)]
        return write_rows(folder / f"{claude.SESSION}.jsonl", rows)

    return write


def _pi(folder: Path, payload: Any) -> Path:
    def entry(name: str, parent: str | None, message: Any) -> Row:
        return {"type": "message", "id": name, "parentId": parent, "timestamp": claude.at(1), "message": message}

    header = {"type": "session", "version": 3, "id": "s1", "timestamp": claude.at(0), "cwd": "/p"}
    said = [{"type": "text", "text": "ho"}]
    answer = {"role": "assistant", "content": said, "model": "m", "provider": "p", "usage": {"input": 1, "output": 1}}
    rows = [header, entry("a", None, {"role": "user", "content": "hi"}), entry("b", "a", payload)]
    return write_rows(folder / "s1.jsonl", [*rows, entry("c", "b", answer)])


def _qwen(kind: str) -> Callable[[Path, Any], Path]:
    def write(folder: Path, payload: Any) -> Path:
        rows = [qwen.user("a", None, "hi"), qwen.row(kind, "b", "a", message=payload), qwen.answer("c", "b", "ho")]
        return qwen.write(folder / f"projects/-home-ana-app/chats/{qwen.ID}.jsonl", rows)

    return write


def _droid(folder: Path, payload: Any) -> Path:
    def row(name: str, message: Any, parent: str | None) -> Row:
        return {"type": "message", "id": name, "timestamp": claude.at(1), "parentId": parent, "message": message}

    start = {"type": "session_start", "id": "s1", "title": "x", "version": 2, "cwd": "/p"}
    rows = [start, row("a", {"role": "user", "content": "hi"}, None), row("b", payload, "a")]
    return write_rows(folder / "s1.jsonl", [*rows, row("c", {"role": "assistant", "content": "ho"}, "b")])


def _copilot(kind: str) -> Callable[[Path, Any], Path]:
    def write(folder: Path, payload: Any) -> Path:
        rows = [copilot.start(), copilot.user(1, "hi"), copilot.event(kind, 2, payload), copilot.answer(3, "ho")]
        return copilot.write(folder, rows)

    return write


def _dsh(kind: str, *, inside: bool = False) -> Callable[[Path, Any], Path]:
    def write(folder: Path, payload: Any) -> Path:
        broken = dsh.event(kind, 2, {"message": payload} if inside else payload)
        return dsh.write(folder, [dsh.header(), dsh.user(1, "hi"), broken, dsh.answer(3, dsh.text("ho"))])

    return write


def _kimi_code(**broken: str) -> Callable[[Path, Any], Path]:
    def write(folder: Path, payload: Any) -> Path:
        ((kind, name),) = broken.items()
        message = {"role": "user", "content": [{"type": "text", "text": "hi"}], "origin": {"kind": "user"}}
        said = {"type": "content.part", "stepUuid": "s", "part": {"type": "text", "text": "ho"}}
        return kimi.code(
            folder,
            kimi.codes("context.append_message", message=message),
            kimi.codes(f"context.append_{kind}", **{name: payload}),
            kimi.codes("context.append_loop_event", event=said),
        )

    return write


def _kimi_cli(kind: str | None) -> Callable[[Path, Any], Path]:
    def write(folder: Path, payload: Any) -> Path:
        message = payload if kind is None else {"type": kind, "payload": payload}
        rows = [
            kimi.wire("TurnBegin", 0, user_input="hi"),
            {"timestamp": kimi.START + 1, "message": message},
            kimi.wire("ContentPart", 2, type="text", text="ho"),
        ]
        return kimi.cli(folder, rows)

    return write


def _codex(folder: Path, payload: Any) -> Path:
    def line(kind: str, payload: Any) -> Row:
        return {"timestamp": claude.at(1), "type": kind, "payload": payload}

    def said(role: str, kind: str, text: str) -> Row:
        content = [{"type": kind, "text": text}]
        return line("response_item", {"type": "message", "role": role, "content": content})

    thread = "01a00000-0000-7000-8000-000000000001"
    rows = [line("session_meta", {"id": thread, "cwd": "/p"}), said("user", "input_text", "hi")]
    rows += [line("response_item", payload), said("assistant", "output_text", "ho")]
    return write_rows(folder / f"rollout-2026-05-06T10-00-00-{thread}.jsonl", rows)


BROKEN = {
    "claude user": Broken("claude", "message_invalid_user_message", _claude("user"), 2),
    "claude assistant": Broken("claude", "message_invalid_assistant_message", _claude("assistant"), 2),
    "codex": Broken("codex", PAYLOAD, _codex, 3),
    "pi": Broken("pi", MESSAGE, _pi, 3),
    "openclaw": Broken("openclaw", MESSAGE, _pi, 3),
    "qwen user": Broken("qwen", MESSAGE, _qwen("user"), 2),
    "qwen tool_result": Broken("qwen", MESSAGE, _qwen("tool_result"), 2),
    "droid": Broken("droid", MESSAGE, _droid, 3),
    "copilot user.message": Broken("copilot", MESSAGE, _copilot("user.message"), 3),
    "copilot assistant.message": Broken("copilot", MESSAGE, _copilot("assistant.message"), 3),
    "copilot tool.execution_start": Broken("copilot", PAYLOAD, _copilot("tool.execution_start"), 3),
    "copilot session.compaction_complete": Broken("copilot", PAYLOAD, _copilot("session.compaction_complete"), 3),
    "dsh user/message": Broken("dsh", MESSAGE, _dsh("user/message"), 3),
    "dsh tool/call": Broken("dsh", MESSAGE, _dsh("tool/call"), 3),
    "dsh assistant/message": Broken("dsh", MESSAGE, _dsh("assistant/message"), 3),
    "dsh message of assistant/message": Broken("dsh", MESSAGE, _dsh("assistant/message", inside=True), 3),
    "dsh compaction/summary": Broken("dsh", PAYLOAD, _dsh("compaction/summary"), 3),
    "dsh assistant/chunk": Broken("dsh", PAYLOAD, _dsh("assistant/chunk"), 3),
    "kimi message": Broken("kimi", MESSAGE, _kimi_code(message="message"), 3),
    "kimi loop_event": Broken("kimi", MESSAGE, _kimi_code(loop_event="event"), 3),
    "kimi cli": Broken("kimi", MESSAGE, _kimi_cli(None), 3),
    "kimi cli ToolCall": Broken("kimi", PAYLOAD, _kimi_cli("ToolCall"), 3),
    "kimi cli SubagentEvent": Broken("kimi", PAYLOAD, _kimi_cli("SubagentEvent"), 3),
}
every = pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN)


def _read(broken: Broken, path: Path) -> tuple[list[Record], list[Event], FileReport]:
    report = FileReport(path=str(path))
    records = list(read(open_source(str(path), broken.agent), report=report))
    return records, [event for record in records for event in record.events], report


@every
@pytest.mark.parametrize("payload", NO_OBJECT, ids=repr)
def test_the_row_is_given_up_and_the_file_partly_read(broken: Broken, payload: Any, tmp_path: Path) -> None:
    records, stream, report = _read(broken, broken.write(tmp_path, payload))
    assert report.skipped[broken.code] == 1
    assert (report.skipped_lines, report.complete, report.unknown) == (1, False, {})
    assert [(at.line, at.code) for at in report.skipped_at] == [(broken.line, broken.code)]
    given_up = [record for record in records if record.kind == "skipped"]
    assert [(record.origin.line, record.events) for record in given_up] == [(broken.line, ())]
    assert report.records == sum(report.classes.values())
    (session,) = (event for event in stream if isinstance(event, Session))
    assert not session.complete


@every
def test_what_names_it_as_its_parent_hangs_on_what_was_said_before(broken: Broken, tmp_path: Path) -> None:
    _, stream, report = _read(broken, broken.write(tmp_path, "text"))
    asked, answered = (event for event in stream if isinstance(event, Message))
    assert [block.text for event in (asked, answered) for block in event.content if isinstance(block, Text)] == [
        "hi",
        "ho",
    ]
    assert answered.parent == asked.id
    assert asked.live
    assert answered.live
    assert report.warnings == []


@every
def test_its_bytes_go_over_and_its_secrets_do_not(broken: Broken, tmp_path: Path) -> None:
    secret = "ghp_" + "A1b2C3d4E5f6" * 3
    path = broken.write(tmp_path, f"key {secret}")
    records, _, report = _read(broken, path)
    assert b"".join(record.raw for record in records) == path.read_bytes()
    (line,) = (record for record in records if record.kind == "skipped")
    cleaned = clean(line, Redactor(), report)
    assert json.loads(cleaned).keys() == json.loads(line.raw).keys()
    assert secret.encode() not in cleaned
    assert report.lost == {}


@every
def test_what_was_billed_is_found_by_the_short_way_as_by_a_full_read(broken: Broken, tmp_path: Path) -> None:
    source = open_source(str(broken.write(tmp_path, [1])), broken.agent)
    same(source)
    short = FileReport(path="")
    list(billed(source, report=short))
    assert short.skipped_lines == short.skipped.get(broken.code, 0)


@every
def test_an_object_of_odd_values_is_no_broken_row(broken: Broken, tmp_path: Path) -> None:
    _, _, report = _read(broken, broken.write(tmp_path, {"odd": [1]}))
    # The message of a response stands one object further inside.
    assert report.skipped_lines == (broken is BROKEN["dsh assistant/message"])


@every
def test_validation_says_what_is_wrong_with_the_line(broken: Broken, tmp_path: Path) -> None:
    found = validate(str(broken.write(tmp_path, "text")), broken.agent)
    if broken.agent not in VALIDATED:
        assert (broken.line, "schema.wrong_type") in [(problem.line, problem.code) for problem in found.problems]
        assert not found.ok


def test_people_are_told_that_lines_could_not_be_read(tmp_path: Path) -> None:
    for name, broken in BROKEN.items():
        path = broken.write(tmp_path / name.replace("/", "."), "text")
        done = panscript("events", path, "--from", broken.agent, cwd=tmp_path)
        assert done.code == 0
        assert "1 line could not be read" in done.err, name


@pytest.mark.parametrize("payload", NO_OBJECT, ids=repr)
def test_a_row_of_claude_with_counts_and_no_message_is_told_by_the_short_ways_too(payload: Any, tmp_path: Path) -> None:
    broken = claude.row("assistant", "b", "a", 1, message=payload, data={"usage": {}})
    rows = [claude.user("a", None, "hi"), broken, claude.assistant("c", "b", "ho", 2)]
    path = tmp_path / f"{claude.SESSION}.jsonl"
    path.write_text("".join(json.dumps(row, separators=(",", ":")) + "\n" for row in rows))
    source = open_source(str(path), "claude")
    full, short = FileReport(path=""), FileReport(path="")
    list(read(source, report=full))
    assert len(list(billed(source, report=short))) == 1
    codes = {"message_invalid_assistant_message": 1, "invalid_assistant_message": 1}
    assert full.skipped == short.skipped == codes
    assert (full.skipped_lines, full.complete) == (short.skipped_lines, short.complete) == (1, False)


def test_a_prompt_that_is_lost_in_the_wire_of_kimi_cli_is_taken_from_the_context(tmp_path: Path) -> None:
    wires = [{"timestamp": kimi.START, "message": {"type": "TurnBegin", "payload": 5}}]
    path = kimi.cli(tmp_path, wires, [{"role": "user", "content": "hi"}])
    _, stream, report = _read(BROKEN["kimi cli"], path)
    assert [event.role for event in stream if isinstance(event, Message)] == ["user"]
    assert report.skipped == {PAYLOAD: 1}
