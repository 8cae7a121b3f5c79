"""The four projections: order, times, pairing of calls, what is left out, and the codes of what is skipped."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
import pytest

from panscript.schemas.events import End, Event, Message, Meta, Session, Tokens, Usage
from panscript.schemas.records import Origin, Record
from panscript.schemas.report import FileReport
from panscript.stages.projections import project
from tests.builders import SESSION, START, answer, asked, result, session, spoken

NOW = "2026-03-02T09:00:0{}.000Z"


def _records(events: Iterable[Event]) -> list[Record]:
    """One record for each event; the bytes say which."""
    return [
        Record(Origin(0, 0, 0, n), msgspec.json.encode({"n": n, "id": e.id}), "used", (e,))
        for n, e in enumerate(events)
    ]


def _lines(
    *events: Event, report: FileReport | None = None, first: Session | None = None, **options: Any
) -> list[dict[str, Any]]:
    records = _records([first or session(), *events])
    found = project(records, report=report if report is not None else FileReport(path=""), **options)
    return [msgspec.json.decode(msgspec.json.encode(line)) for line in found]


def _usage(name: str, seconds: int = 0, **more: Any) -> Usage:
    tokens = more.pop("tokens", Tokens(input=1, output=2, total=3))
    return Usage(**{"id": name, "tokens": tokens, "time": START + seconds * 1000, **more})


def test_messages_have_the_length_of_their_text_and_the_text_when_asked() -> None:
    message = answer("a", "one", asked("c"), "two", model="Claude-X", message_id="m")
    (line,) = _lines(message, kinds=["message"])
    assert line == {
        "kind": "message",
        "source": "claude",
        "session_id": SESSION,
        "timestamp": NOW.format(0),
        "role": "assistant",
        "text_length": 8,
        "message_id": "m",
        "model": "claude-x",
    }
    assert _lines(message, kinds=["message"], text=True)[0]["text"] == "one\n\ntwo"


@pytest.mark.parametrize(
    "event",
    [
        answer("a", asked("c")),
        answer("a", ""),
        answer("a", "API Error", injected="agent_notice"),
        spoken("u", role="system", injected="meta", hidden=True),
        spoken("u", inherited_from="parent"),
        spoken("u", ""),
    ],
    ids=["only a call", "empty", "made up", "hidden", "of another session", "blank"],
)
def test_what_is_no_message(event: Event) -> None:
    assert _lines(event, kinds=["message"]) == []


def test_injected_text_is_a_message_of_the_system() -> None:
    assert [m["role"] for m in _lines(spoken("s", role="system", injected="command"), kinds=["message"])] == ["system"]


def test_a_call_stands_where_its_result_is_seen() -> None:
    events: list[Event] = [
        answer("a", "text", asked("c"), asked("d")),
        spoken("u", seconds=1),
        result("r", "d", seconds=2),
        End(id="end"),
    ]
    lines = _lines(*events, kinds=["message", "tool_call"])
    assert [(x["kind"], x.get("tool_call_id"), x.get("status")) for x in lines] == [
        ("message", None, None),
        ("message", None, None),
        ("tool_call", "d", "ok"),
        ("tool_call", "c", "unknown"),
    ]
    assert (lines[2]["timestamp"], lines[2]["completed_at"]) == (NOW.format(0), NOW.format(2))
    assert "completed_at" not in lines[3]


def test_calls_without_a_result_come_before_usage_that_was_held_back() -> None:
    events: list[Event] = [answer("a", asked("c")), End(id="end"), _usage("x", 5)]
    assert [line["kind"] for line in _lines(*events)] == ["tool_call", "usage"]
    assert [line["kind"] for line in _lines(*events[:1])] == ["tool_call"]


def test_how_a_call_ended() -> None:
    events: list[Event] = [
        answer("a", asked("c"), asked("d", "Read"), message_id="m"),
        result("r", "c", status="error", duration_ms=7),
        result("s", "d", status="unknown"),
    ]
    assert [(x["name"], x["status"], x.get("duration_ms"), x["message_id"]) for x in _lines(*events)] == [
        ("Bash", "error", 7, "m"),
        ("Read", "unknown", None, "m"),
    ]


@pytest.mark.parametrize(
    ("events", "code", "calls"),
    [
        ([answer("a", asked(""))], "tool_call_missing_id", 0),
        ([answer("a", asked("c", ""))], "tool_call_missing_name", 0),
        ([answer("a", asked("c")), answer("b", asked("c"))], "tool_call_duplicate_id", 1),
        ([result("r", "")], "tool_call_result_missing_id", 0),
        ([result("r", "x")], "tool_call_orphan_result", 0),
        ([answer("a", asked("c", "")), result("r", "c")], "tool_call_orphan_result", 0),
    ],
)
def test_calls_and_results_that_are_skipped(events: list[Event], code: str, calls: int) -> None:
    report = FileReport(path="")
    assert len(_lines(*events, report=report, kinds=["tool_call"])) == calls
    assert report.skipped[code] == 1
    quiet = FileReport(path="")
    _lines(*events, report=quiet, kinds=["message"])
    assert quiet.skipped == {}


def test_a_second_result_is_dropped_without_a_count() -> None:
    report = FileReport(path="")
    lines = _lines(answer("a", asked("c")), result("r", "c"), result("s", "c", status="error"), report=report)
    assert [line["status"] for line in lines] == ["ok"]
    assert report.skipped == {}


def test_what_was_copied_from_another_session_is_left_out_and_not_missed() -> None:
    report = FileReport(path="")
    copied: dict[str, Any] = {"inherited_from": "parent"}
    events: list[Event] = [
        answer("a", "x", asked("c"), **copied),
        result("r", "c", "own answer to a copied call"),
        result("s", "gone", **copied),
        answer("b", asked("c")),
        Meta(id="m", cwd="/", **copied),
        _usage("u", **copied),
    ]
    assert _lines(*events, report=report) == []
    assert report.skipped == {"tool_call_duplicate_id": 1}


def test_facts_are_told_when_they_are_new_or_change() -> None:
    events: list[Event] = [
        Meta(id="1", cwd="/a", model="x", time=START),
        Meta(id="2", cwd="/a", model="x"),
        Meta(id="3", cwd="/b", model="x", version="1"),
        Meta(id="4", cwd="/a"),
        Meta(id="5", title="secret plan"),
        Meta(id="6", cwd=""),
    ]
    keep = ("cwd", "model", "agent_version", "title")
    facts = [{k: v for k, v in line.items() if k in keep} for line in _lines(*events)]
    assert facts == [{"cwd": "/a", "model": "x"}, {"cwd": "/b", "agent_version": "1"}, {"cwd": "/a"}]
    assert [line["title"] for line in _lines(*events, text=True) if "title" in line] == ["secret plan"]


def test_a_sub_agents_session_names_its_parent_first() -> None:
    first = session(session_id=f"{SESSION}/k", parent_session_id=SESSION, billed_to=SESSION)
    lines = _lines(spoken("t", role="system", injected="task"), _usage("x", agent_id="k"), first=first)
    assert [(x["kind"], x["session_id"]) for x in lines] == [
        ("session_meta", f"{SESSION}/k"),
        ("message", f"{SESSION}/k"),
        ("usage", SESSION),
    ]
    assert lines[0]["parent_session_id"] == SESSION


def test_a_sub_agent_inside_the_file_is_a_session_below_it() -> None:
    events: list[Event] = [
        spoken("u"),
        spoken("t", role="system", injected="task", agent_id="k"),
        answer("a", asked("c"), agent_id="k"),
    ]
    lines = _lines(*events, result("r", "c", agent_id="k"), answer("b", asked("c")))
    assert [(x["kind"], x["session_id"], x.get("parent_session_id")) for x in lines] == [
        ("message", SESSION, None),
        ("session_meta", f"{SESSION}/k", SESSION),
        ("message", f"{SESSION}/k", None),
        ("tool_call", f"{SESSION}/k", None),
        ("tool_call", SESSION, None),
    ]


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [
        ([None, 3], [3, 3]),
        ([2, None, 5], [2, 2, 5]),
        ([None, None], [0, 0]),
        ([4, 1, None], [4, 1, 1]),
    ],
)
def test_a_missing_time_is_the_last_one_seen_else_the_next_else_that_of_the_session(
    seconds: list[int | None], expected: list[int]
) -> None:
    report = FileReport(path="")
    lines = _lines(*(spoken(f"u{n}", seconds=s) for n, s in enumerate(seconds)), report=report, kinds=["message"])
    assert [line["timestamp"] for line in lines] == [NOW.format(s) for s in expected]
    assert report.skipped == {}


def test_what_has_no_time_anywhere_is_counted_and_left_out() -> None:
    report = FileReport(path="")
    first = session(created=None, time=None)
    assert _lines(spoken("u", seconds=None), first=first, report=report, kinds=["message"]) == []
    assert report.skipped == {"message_invalid_timestamp": 1}


def test_the_next_time_counts_even_where_nothing_is_printed_for_it() -> None:
    events: list[Event] = [
        spoken("u", seconds=None),
        spoken("h", role="system", hidden=True, seconds=1),
        spoken("v", seconds=5),
    ]
    assert [line["timestamp"] for line in _lines(*events, kinds=["message"])] == [NOW.format(1), NOW.format(5)]


def test_lines_that_waited_for_a_time_keep_their_order() -> None:
    events: list[Event] = [
        answer("a", "x", asked("c"), seconds=None),
        result("r", "c", seconds=None),
        spoken("u", seconds=1),
    ]
    lines = _lines(*events)
    assert [line["kind"] for line in lines] == ["message", "tool_call", "message"]
    assert [line["timestamp"] for line in lines] == [NOW.format(1)] * 3


def test_raw_records_come_along() -> None:
    events: list[Event] = [
        answer("a", "x", asked("c")),
        result("r", "c"),
        _usage("x", raw=msgspec.Raw(b'{"tokens":1}')),
    ]
    message, call, usage = _lines(*events, raw=True)
    assert message["raw"] == {"n": 1, "id": "a"}
    assert call["raw"] == {"call": {"n": 1, "id": "a"}, "result": {"n": 2, "id": "r"}}
    assert usage["raw"] == {"tokens": 1}


def test_raw_of_a_line_that_is_no_json_is_its_text() -> None:
    record = Record(Origin(0, 0, 0, 1), b"{torn\xff\n", "used", (session(), spoken("u")))
    (line,) = project([record], kinds=["message"], raw=True)
    assert msgspec.json.decode(msgspec.json.encode(line))["raw"] == "{torn\ufffd"


def test_kinds_that_were_not_asked_for_give_nothing() -> None:
    events: list[Event] = [spoken("u"), answer("a", asked("c")), Meta(id="m", cwd="/"), _usage("x")]
    assert _lines(*events, kinds=[]) == []
    for kind in ("usage", "message", "tool_call", "session_meta"):
        assert [line["kind"] for line in _lines(*events, kinds=[kind])] == [kind]


def test_usage_lines_have_every_bucket() -> None:
    tokens = Tokens(input=1, output=2, reasoning=1, cache_read=3, cache_write=4, cache_write_1h=2, total=10, cost=0.5)
    (line,) = _lines(
        _usage("x", tokens=tokens, model="m", cwd="/r", single_request=True, message_id="i", request_id="q")
    )
    assert line == {
        "kind": "usage",
        "source": "claude",
        "session_id": SESSION,
        "timestamp": NOW.format(0),
        "repo_root": "/r",
        "model": "m",
        "input_tokens": 1,
        "output_tokens": 2,
        "reasoning_tokens": 1,
        "cache_read_tokens": 3,
        "cache_write_tokens": 4,
        "cache_write_1h_tokens": 2,
        "total_tokens": 10,
        "cost_usd": 0.5,
        "cost_mode": "explicit",
        "single_request": True,
        "message_id": "i",
        "request_id": "q",
    }


def test_content_may_hold_everything_a_message_can() -> None:
    assert isinstance(answer("a"), Message)
    assert _lines(answer("a")) == []
