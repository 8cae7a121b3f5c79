"""Times that never run backwards."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from panscript.schemas.events import Compaction, Event, Message, Meta, Shell, Summary, ToolResult
from panscript.schemas.report import FileReport
from panscript.stages.order import order
from tests.builders import START, answer, result, session, spoken


def _times(*events: Event) -> tuple[list[int | None], dict[str, int]]:
    report = FileReport(path="")
    out = [e.time - START if e.time is not None else None for e in order([session(), *events], report)]
    return out[1:], report.changed


def _at(*seconds: float | None) -> list[Event]:
    return [spoken(f"u{n}", seconds=s) for n, s in enumerate(seconds)]


def test_times_in_order_are_left_alone() -> None:
    assert _times(*_at(1, 2, 3.5)) == ([1000, 2000, 3500], {})


def test_equal_and_earlier_times_move_by_the_least() -> None:
    assert _times(*_at(5, 5, 5, 1, 6)) == ([5000, 5001, 5002, 5003, 6000], {"time_moved": 3})


def test_a_moved_time_keeps_what_was_logged() -> None:
    _, _, moved = order([session(), *_at(5, 1)])
    assert (moved.moved, moved.logged, moved.time) == (True, START + 1000, START + 5001)


def test_a_missing_time_is_carried_from_before_else_from_behind() -> None:
    assert _times(*_at(1, None, None, 3)) == ([1000, 1001, 1002, 3000], {"time_carried": 2})
    assert _times(*_at(None, None, 3)) == ([2998, 2999, 3000], {"time_carried": 2})


def test_a_time_that_ran_ahead_is_itself_the_one_that_moves() -> None:
    events: list[Event] = [spoken("a", seconds=1), spoken("b", seconds=99, late=True), spoken("c", seconds=2)]
    assert _times(*events) == ([1000, 1001, 2000], {"time_outlier": 1})
    first = [spoken("b", seconds=99, late=True), spoken("c", seconds=2), spoken("d", seconds=3)]
    assert _times(*first)[0] == [1999, 2000, 3000]


def test_a_session_without_any_time_gets_none_and_nothing_waits() -> None:
    stream = order([session(created=None, time=None), *_at(None, None)])
    assert [next(stream).time for _ in range(3)] == [None, None, None]


def test_what_stands_beside_the_conversation_may_share_a_time() -> None:
    events: list[Event] = [
        spoken("r", role="system", injected="reminder", hidden=True, seconds=1),
        spoken("u", seconds=1),
        Summary(id="s", text="x", time=START + 1000),
        answer("a", "x", seconds=1),
        Summary(id="t", text="x", time=START),
        spoken("v", seconds=2),
    ]
    assert _times(*events) == ([1000, 1000, 1000, 1001, 1001, 2000], {"time_moved": 2})


def test_facts_are_not_touched_and_keep_their_place() -> None:
    events: list[Event] = [Meta(id="m", time=1), spoken("u", seconds=None), Meta(id="n"), spoken("v", seconds=5)]
    out = list(order([session(), *events]))
    assert [e.id for e in out] == ["session", "m", "u", "n", "v"]
    assert out[1].time == 1


@st.composite
def _stream(draw: st.DrawFn) -> list[Event]:
    events: list[Event] = []
    for number in range(draw(st.integers(0, 15))):
        time = draw(st.none() | st.integers(START, START + 20))
        late = draw(st.integers(0, 9)) == 0
        kind = draw(st.integers(0, 5))
        facts: dict[str, Any] = {"id": str(number), "time": time, "late": late}
        made: Event
        if kind == 0:
            made = Meta(**facts)
        elif kind == 1:
            made = Message(role="system", injected="reminder", **facts)
        elif kind == 2:
            made = ToolResult(call_id="c", **facts)
        elif kind == 3:
            made = Compaction(summary="s", **facts)
        elif kind == 4:
            made = Shell(command="x", **facts)
        else:
            made = Message(role="user", **facts)
        events.append(made)
    return events


@given(_stream())
def test_order_stays_times_rise_and_what_need_not_move_does_not(events: list[Event]) -> None:
    report = FileReport(path="")
    out = list(order([session(), *events], report))[1:]
    assert [e.id for e in out] == [e.id for e in events]
    moved = 0
    said: int | None = None
    last: int | None = None
    timed = any(e.time is not None and not e.late for e in events if not isinstance(e, Meta))
    for before, after in zip(events, out, strict=True):
        if isinstance(after, Meta):
            assert after == before
            continue
        moved += after.moved
        assert after.moved == (after.time != before.time) or before.late
        assert not after.moved or after.logged == before.time
        if not timed:
            continue
        assert after.time is not None
        assert last is None or after.time >= last
        if not isinstance(after, Message) or after.role == "user":
            assert said is None or after.time > said
            said = after.time
        last = after.time
    assert sum(report.changed.values()) == moved


def test_one_result_after_another() -> None:
    assert _times(answer("a", "x", seconds=1), result("r", "c", seconds=1), result("s", "d", seconds=1))[0] == [
        1000,
        1001,
        1002,
    ]
