"""What is left out at the end of a session that still goes on."""

from __future__ import annotations

import pytest

from panscript.schemas.events import AGENT_NOTICE, Compaction, End, Event, Meta, Text, Thinking, Tokens, Usage
from panscript.schemas.report import FileReport
from panscript.stages.tail import settled
from tests.builders import answer, asked, result, session, spoken

END = End(id="end")
CALL = asked("c", answered=True)
OPEN = asked("c", answered=False)
COUNTED = Usage(id="usage", tokens=Tokens(input=1), response="r")


def left(*events: Event) -> list[str]:
    """The ids of what stays."""
    return [event.id for event in settled([session(), *events, END])][1:-1]


SETTLED: dict[str, list[Event]] = {
    "a prompt": [spoken("u")],
    "an answer that says why it stopped": [spoken("u"), answer("a", "hi", response="r", stop_reason="end_turn")],
    "an answer that failed": [spoken("u"), answer("a", "hi", response="r", fault="error")],
    "an answer whose tokens were counted": [spoken("u"), answer("a", "hi", response="r"), COUNTED],
    "an answer that something else followed": [answer("a", "hi", response="r"), spoken("u")],
    "an answer that another one followed": [answer("a", "hi"), answer("b", "ho", stop_reason="stop")],
    "an answer that was compacted": [answer("a", "hi", response="r"), Compaction(id="c", summary="s")],
    "a call with its result": [answer("a", CALL, response="r", stop_reason="tool_use"), result("t", "c")],
    "a call that was given up": [answer("a", OPEN, response="r"), spoken("u"), answer("b", "hi", stop_reason="stop")],
    "a rewind behind an open call": [answer("a", OPEN, live=False), spoken("u")],
}
UNSETTLED: dict[str, list[Event]] = {
    "an answer": [answer("a", "hi", response="r")],
    "an answer without id": [answer("a", "hi")],
    "mere thinking": [answer("a", Thinking(text="hm"), response="r", stop_reason="tool_use")],
    "a call": [answer("a", OPEN, response="r", stop_reason="tool_use")],
    "two calls with one result": [
        answer("a", CALL, asked("d", answered=False), stop_reason="tool_use"),
        result("t", "c"),
    ],
    "a prompt while a tool runs": [answer("a", OPEN, response="r", stop_reason="tool_use"), spoken("v")],
    "what was put beside it": [answer("a", "hi", response="r"), Meta(id="m", title="t")],
    "counts of another response": [answer("a", "hi", response="q"), COUNTED],
    "a made-up message": [answer("a", "API error", injected=AGENT_NOTICE)],
}


@pytest.mark.parametrize("name", SETTLED)
def test_what_nothing_can_be_added_to_stays(name: str) -> None:
    assert left(*SETTLED[name]) == [event.id for event in SETTLED[name]]


@pytest.mark.parametrize("name", UNSETTLED)
def test_what_may_go_on_is_left_out_with_all_that_follows(name: str) -> None:
    before: list[Event] = [spoken("u"), answer("z", "so", stop_reason="stop"), spoken("w")]
    assert left(*before, *UNSETTLED[name]) == ["u", "z", "w"]


def test_the_parts_of_a_response_stay_or_go_together() -> None:
    parts = [answer("a", "one", response="r", closes=False), answer("b", OPEN, response="r")]
    assert left(spoken("u"), *parts) == ["u"]
    closed = [answer("a", "one", response="r", closes=False), answer("b", CALL, response="r", stop_reason="tool_use")]
    assert left(spoken("u"), *closed, result("t", "c")) == ["u", "a", "b", "t"]


def test_sub_agents_in_the_file_and_what_follows_the_end_are_not_held_back() -> None:
    side = answer("s", "side", agent_id="k")
    events = list(settled([session(), answer("a", "hi"), side, END, COUNTED]))
    assert [event.id for event in events] == ["session", "s", "end", "usage"]


def test_what_is_left_out_is_counted() -> None:
    report = FileReport(path="")
    list(settled([session(), answer("a", OPEN), result("t", "other"), Meta(id="m", title="t"), END], report))
    assert report.lost == {"live_tail": 2}
    assert report.lost_content() == {}


def test_a_response_that_is_too_large_to_hold_back_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("panscript.stages.tail.HELD", 1000)
    large = answer("a", Text(text="x" * 2000), response="r")
    assert left(spoken("u"), large) == ["u", "a"]


def test_a_stream_without_an_end_is_given_whole() -> None:
    assert [event.id for event in settled([session(), answer("a", "hi")])] == ["session", "a"]
