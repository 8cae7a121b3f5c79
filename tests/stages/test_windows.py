"""Windows of time, kinds, sessions one by one, and the time worked."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from panscript.schemas import timestamps
from panscript.schemas.errors import WrongBound
from panscript.schemas.projections import MessageLine, Projection, SessionMetaLine
from panscript.stages.windows import IDLE_GAP, active_ms, bound, by_session, kinds, since, until

NOON = 1_769_860_800_000  # 2026-01-31T12:00:00Z


def line(time: str | None, session: str = "s", source: str = "pi") -> MessageLine:
    """Something said."""
    return MessageLine(source=source, session_id=session, timestamp=time, role="user", text_length=1)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2026-01-31", NOON - 43_200_000),
        (" 2026-01-31 ", NOON - 43_200_000),
        ("2026-01-31T12:00Z", NOON),
        ("2026-01-31T12:00:00Z", NOON),
        ("2026-01-31t12:00:00z", NOON),
        ("2026-01-31 12:00:00+00:00", NOON),
        ("2026-01-31T14:00:00.000+02:00", NOON),
        ("2026-01-31T06:30:00-0530", NOON),
        ("2026-01-31T12:00:00.0015Z", NOON + 1),
        (date(2026, 1, 31), NOON - 43_200_000),
        (datetime(2026, 1, 31, 12, tzinfo=UTC), NOON),
        (datetime(2026, 1, 31, 14, tzinfo=timezone(timedelta(hours=2))), NOON),
    ],
)
def test_a_bound_is_an_instant_and_a_day_begins_at_midnight_utc(value: str, expected: int) -> None:
    assert bound(value) == expected


@pytest.mark.parametrize(
    "value",
    [
        "2026-01-31T12:00:00",
        "2026-01-31 12:00",
        "2026-1-31",
        "20260131",
        "2026-02-30",
        "2026-13-01",
        "2026-01",
        "2026",
        "2026-W05-6",
        "31.01.2026",
        "1769860800",
        "yesterday",
        "",
        "12:00Z",
        "2026-01-31T25:00Z",
        "2026-01-31Z",
        "２０２６-01-31",
        datetime(2026, 1, 31, 12),  # noqa: DTZ001 - that is the point
    ],
)
def test_what_is_no_instant_is_refused_when_the_stage_is_built(value: str) -> None:
    for stage in (since, until):
        with pytest.raises(WrongBound):
            stage(value)


def test_since_takes_the_bound_in_and_until_leaves_it_out() -> None:
    lines = [line("2026-01-31T11:59:59.999Z"), line("2026-01-31T12:00:00.000Z"), line("2026-01-31T12:00:00.001Z")]
    assert list(since("2026-01-31T12:00Z")(lines)) == lines[1:]
    assert list(until("2026-01-31T12:00Z")(lines)) == lines[:1]


@given(
    times=st.lists(st.none() | st.integers(0, 4_000_000_000_000)),
    split=st.datetimes(datetime(1970, 1, 2), datetime(2090, 1, 1), timezones=st.just(UTC)),  # noqa: DTZ001
)
def test_one_bound_splits_a_stream_in_two_and_drops_what_has_no_time(times: list[int | None], split: datetime) -> None:
    lines = [line(timestamps.iso(time) if time is not None else None, str(n)) for n, time in enumerate(times)]
    before, after = list(until(split)(lines)), list(since(split)(lines))
    assert sorted([*before, *after], key=lambda each: int(each.session_id)) == [
        each for each in lines if each.timestamp
    ]
    assert all(each not in after for each in before)


def test_lines_whose_time_cannot_be_read_are_in_no_window() -> None:
    lines = [line("not a time"), line(None)]
    assert [*since("1970-01-01")(lines), *until("2999-01-01")(lines)] == []


def test_kinds_keeps_some_in_order() -> None:
    meta = SessionMetaLine(source="pi", session_id="s", timestamp=None, cwd="/")
    lines: list[Projection] = [line(None), meta, line(None, "t")]
    assert list(kinds("message")(lines)) == [lines[0], lines[2]]
    assert list(kinds("session_meta", "usage")(lines)) == [meta]
    assert list(kinds()(lines)) == []


def test_sessions_come_in_the_order_of_their_first_line_and_agents_do_not_share_ids() -> None:
    lines = [line(None, "b"), line(None, "a"), line(None, "b", "claude"), line(None, "b")]
    found = list(by_session(lines))
    assert [(each.source, each.session_id, len(each.lines)) for each in found] == [
        ("pi", "b", 2),
        ("pi", "a", 1),
        ("claude", "b", 1),
    ]


def test_a_pause_counts_up_to_five_minutes_whatever_the_order() -> None:
    assert active_ms([]) == active_ms([NOON]) == 0
    assert active_ms([NOON + 10_000_000, NOON, NOON + 1000]) == 1000 + IDLE_GAP == 301_000
