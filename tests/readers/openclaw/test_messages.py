"""What the lines of an OpenClaw session say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from panscript.readers.openclaw import resolve
from panscript.readers.opening import open_source
from panscript.schemas.events import Compaction, Event, Message, Session, Text, ToolCall, ToolResult
from panscript.schemas.report import FileReport
from tests.readers.openclaw.making import HEADER, answer, call, entry, records, result, said, sources, user, write


def read_rows(folder: Path, *rows: Any, report: FileReport | None = None) -> list[Event]:
    return said(resolve(str(write(folder / "agents/main/sessions/s1.jsonl", [HEADER, *rows]))), report)


def texts(events: list[Event]) -> list[tuple[str, str]]:
    return [
        (event.role, "".join(block.text for block in event.content if isinstance(block, Text)))
        for event in events
        if isinstance(event, Message)
    ]


def test_what_a_person_sent_is_a_string_or_blocks(tmp_path: Path) -> None:
    events = read_rows(tmp_path, user("a", None, "one"), user("b", "a", [{"type": "text", "text": "two"}]))
    assert texts(events) == [("user", "one"), ("user", "two")]


@pytest.mark.parametrize(
    "marks",
    [
        {"provider": "openclaw", "model": "delivery-mirror"},
        {"model": "gateway-injected"},
        {"openclawDeliveryMirror": {"kind": "channel-final"}},
        {"openclawMessageToolMirror": {}},
        {"kind": "delivery-mirror"},
        {"provenance": {"kind": "delivery-mirror"}},
    ],
)
def test_copies_for_a_channel_say_nothing_and_cost_nothing(tmp_path: Path, marks: dict[str, Any]) -> None:
    copy = answer("b", "a", "said", usage={"input": 5, "output": 5}, **marks)
    path = write(tmp_path / "s1.jsonl", [HEADER, answer("a", None, "said"), copy, user("c", "b", "next", 5)])
    found = records(resolve(str(path)))
    assert [record.kind for record in found] == ["used", "used", "twin", "used", "end"]
    assert found[2].events == ()
    events = [event for record in found for event in record.events]
    assert texts(events) == [("assistant", "said"), ("user", "next")]
    assert next(event for event in events if event.id == "c").parent == "a"


@pytest.mark.parametrize(
    ("more", "status"),
    [
        ({}, "ok"),
        ({"isError": True}, "error"),
        ({"details": {"status": "error"}}, "error"),
        ({"details": {"status": "completed", "exitCode": 3}}, "error"),
        ({"details": {"status": "completed", "exitCode": 0}}, "ok"),
        ({"details": {"status": ["odd"], "exitCode": None}}, "ok"),
        ({"details": "text"}, "ok"),
    ],
)
def test_how_a_call_ended(tmp_path: Path, more: dict[str, Any], status: str) -> None:
    events = read_rows(tmp_path, answer("a", None, call()), result("b", "a", "out", **more))
    (found,) = (event for event in events if isinstance(event, ToolResult))
    assert (found.call_id, found.name, found.status) == ("c1", "exec", status)


def test_how_long_a_call_took(tmp_path: Path) -> None:
    events = read_rows(tmp_path, answer("a", None, call()), result("b", "a", "out", details={"durationMs": 434}))
    assert next(event for event in events if isinstance(event, ToolResult)).duration_ms == 434


def test_a_call_inside_of_a_call_is_no_message(tmp_path: Path) -> None:
    nested = {"role": "custom", "customType": "openclaw.nested-tool.v1", "excludeFromContext": True, "content": ""}
    events = read_rows(
        tmp_path, answer("a", None, call(tool="tool_call")), entry("n", "a", message=nested), result("b", "n", "out")
    )
    assert [type(event).__name__ for event in events if event.id in "anb"] == ["Message", "ToolResult"]
    assert next(event for event in events if event.id == "b").parent == "a"
    (message,) = (event for event in events if isinstance(event, Message))
    assert [block.answered for block in message.content if isinstance(block, ToolCall)] == [True]


def test_a_conversation_begun_anew_shows_nothing_of_before(tmp_path: Path) -> None:
    report = FileReport(path="")
    events = read_rows(
        tmp_path, user("a", None, "old"), entry("r", "a", 2, "reset"), user("b", "r", "new", 3), report=report
    )
    (found,) = (event for event in events if isinstance(event, Compaction))
    assert (found.summary, found.first_kept, found.parent) == ("", None, "a")
    assert not report.unknown


def test_when_it_was_sent_is_no_part_of_the_first_prompt(tmp_path: Path) -> None:
    events = read_rows(tmp_path, user("a", None, "[Wed 2026-02-18 11:21 GMT+1] hello there"))
    session = events[0]
    assert isinstance(session, Session)
    assert session.first_prompt == "hello there"


def test_title_and_parent_stand_in_the_index_beside(tmp_path: Path) -> None:
    folder = tmp_path / "agents/main/sessions"
    write(folder / "s1.jsonl", [HEADER, user("a", None, "hello")])
    write(folder / "s2.jsonl", [{**HEADER, "id": "s2"}, user("a", None, "count the files")])
    index = {
        "agent:main:main": {"sessionId": "s1", "label": "a label", "displayName": "a name"},
        "agent:main:subagent:x": {"sessionId": "s2", "spawnedBy": "agent:main:main"},
        "odd": 5,
        "agent:main:odd": {"sessionId": ["s1"]},
    }
    (folder / "sessions.json").write_text(json.dumps(index))
    parent, child = sources(tmp_path)
    assert (parent.id, child.id, child.parent, parent.children) == ("s1", "s2", "s1", (child,))
    session, meta = said(parent)[:2]
    assert isinstance(session, Session)
    assert session.title == "a name"
    assert meta.title == "a name"  # type: ignore[union-attr]
    child_session, *rest = said(child)
    assert isinstance(child_session, Session)
    assert (child_session.parent_session_id, child_session.first_prompt) == ("s1", None)
    assert [(event.role, event.injected) for event in rest if isinstance(event, Message)] == [("system", "task")]


def test_a_file_is_told_from_one_of_pi_where_it_can_be(tmp_path: Path) -> None:
    plain = write(tmp_path / "plain.jsonl", [HEADER, user("a", None, "hello")])
    snapshot = entry("m", None, 1, "custom", customType="model-snapshot", data={})
    marked = write(tmp_path / "marked.jsonl", [HEADER, snapshot, user("a", "m", "hello")])
    quoted = write(tmp_path / "quoted.jsonl", [HEADER, user("a", None, '"customType":"model-snapshot"')])
    found = [open_source(str(path)).agent for path in (plain, marked, quoted)]
    assert found == ["pi", "openclaw", "pi"]
    assert open_source(str(plain), "openclaw").agent == "openclaw"
