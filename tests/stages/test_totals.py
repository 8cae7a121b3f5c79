"""Adding up what was billed."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from panscript.schemas.billing import Billed, Payer
from panscript.stages.totals import Totals

HERE = Payer("s1", "m1", "p1", "/home/dev/app")


def _time(text: str) -> int:
    return int(datetime.fromisoformat(text).timestamp() * 1000)


NOON = _time("2026-03-02T12:00:00+00:00")


def _billed(tokens: int = 1, payer: Payer = HERE, time: int = NOON, **more: object) -> Billed:
    return Billed(payer, time, tokens, 0, 0, 0, 0, tokens, **more)  # type: ignore[arg-type]


def _of(totals: Totals) -> dict[tuple[str | None, ...], int]:
    return {group.keys: group.sum.total_tokens for group in totals.groups()}


def test_every_bucket_is_summed_and_sessions_count_once() -> None:
    totals = Totals(["agent"], zone=UTC)
    row = Billed(HERE, NOON, 1, 2, 3, 4, 5, 12, 0.25)
    totals.session("claude", [row, row])
    totals.session("claude", [Billed(Payer("s2", None, None, None), NOON, 1, 0, 0, 0, 0, 1)])
    (group,) = totals.groups()
    found = group.sum
    assert (found.input_tokens, found.output_tokens, found.reasoning_tokens) == (3, 4, 6)
    assert (found.cache_read_tokens, found.cache_write_tokens, found.total_tokens) == (8, 10, 25)
    assert (found.cost_usd, found.events, found.sessions) == (0.5, 3, 2)
    assert totals.total() == found


def test_a_cost_that_nobody_recorded_is_not_zero() -> None:
    totals = Totals(["agent"], zone=UTC)
    totals.session("claude", [_billed()])
    assert totals.total().cost_usd is None


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("agent", "claude"),
        ("model", "m1"),
        ("provider", "p1"),
        ("session", "s1"),
        ("project", "/home/dev/app"),
        ("day", "2026-03-02"),
        ("week", "2026-W10"),
        ("month", "2026-03"),
    ],
)
def test_each_key_says_what_it_is_about(key: str, value: str) -> None:
    totals = Totals([key], zone=UTC)
    totals.session("claude", [_billed()])
    assert _of(totals) == {(value,): 1}


def test_keys_stand_in_the_order_they_were_asked_for() -> None:
    totals = Totals(["day", "model", "week", "agent"], zone=UTC)
    totals.session("claude", [_billed()])
    assert _of(totals) == {("2026-03-02", "m1", "2026-W10", "claude"): 1}


def test_sessions_of_two_agents_with_one_id_are_two() -> None:
    totals = Totals(["session"], zone=UTC)
    totals.session("claude", [_billed()])
    totals.session("codex", [_billed(2)])
    assert sorted((group.keys, group.sum.total_tokens) for group in totals.groups()) == [(("s1",), 1), (("s1",), 2)]
    assert totals.total().sessions == 2


def test_weeks_are_those_of_iso_8601() -> None:
    totals = Totals(["week"], zone=UTC)
    totals.session("claude", [_billed(time=_time("2027-01-01T00:00:00+00:00"))])
    assert _of(totals) == {("2026-W53",): 1}


@pytest.mark.parametrize(
    ("zone", "day"), [("UTC", "2026-03-01"), ("Asia/Kolkata", "2026-03-02"), ("America/New_York", "2026-03-01")]
)
def test_days_are_those_of_the_zone(zone: str, day: str) -> None:
    totals = Totals(["day"], zone=ZoneInfo(zone))
    totals.session("claude", [_billed(time=_time("2026-03-01T18:31:00+00:00"))])
    assert _of(totals) == {(day,): 1}


def test_a_day_on_which_clocks_change_is_one_day() -> None:
    totals = Totals(["day"], zone=ZoneInfo("Europe/Vienna"))
    hours = [_time("2026-03-28T23:00:00+00:00") + 3_600_000 * hour for hour in range(23)]
    totals.session("claude", [_billed(time=time) for time in [hours[0] - 1, *hours, hours[-1] + 3_600_000]])
    assert _of(totals) == {("2026-03-28",): 1, ("2026-03-29",): 23, ("2026-03-30",): 1}


@given(
    st.integers(0, 4_102_444_800_000), st.sampled_from(["UTC", "Asia/Kathmandu", "America/St_Johns", "Europe/Vienna"])
)
def test_any_instant_lies_in_the_day_that_the_zone_says(time: int, zone: str) -> None:
    totals = Totals(["day"], zone=ZoneInfo(zone))
    totals.session("claude", [_billed(time=time)])
    assert _of(totals) == {(datetime.fromtimestamp(time / 1000, ZoneInfo(zone)).date().isoformat(),): 1}


def test_since_and_until_split_in_two() -> None:
    rows = [_billed(1, time=NOON - 1), _billed(2, time=NOON), _billed(4, time=NOON + 1)]
    before, after = Totals(["agent"], zone=UTC, until=NOON), Totals(["agent"], zone=UTC, since=NOON)
    for totals in (before, after):
        totals.session("pi", rows)
    assert (before.total().total_tokens, after.total().total_tokens) == (1, 6)


def test_a_copy_counts_where_it_is_read_first() -> None:
    totals = Totals(["session"], zone=UTC)
    totals.session("claude", [_billed(key=7)])
    totals.session("claude", [_billed(key=7, payer=Payer("s2", "m1", "p1", None)), _billed(key=8)])
    assert _of(totals) == {("s1",): 2}
    assert totals.copies == 1


def test_what_has_no_key_is_never_a_copy() -> None:
    totals = Totals(["session"], zone=UTC)
    totals.session("codex", [_billed(), _billed()])
    assert _of(totals) == {("s1",): 2}


def test_a_copy_outside_of_the_window_counts_nowhere_else() -> None:
    totals = Totals(["agent"], zone=UTC, since=NOON)
    totals.session("claude", [_billed(key=7, time=NOON - 1)])
    totals.session("claude", [_billed(key=7, time=NOON)])
    assert _of(totals) == {}


def test_a_sub_agents_replay_counts_only_where_no_session_above_has_the_response() -> None:
    totals = Totals(["agent"], zone=UTC)
    totals.session("claude", [_billed(key=1, response=5)], family=True)
    totals.session(
        "claude",
        [_billed(2, key=2, response=5, replayed=True), _billed(4, key=3, response=6, replayed=True)],
        family=True,
    )
    totals.family_ends()
    totals.session("claude", [_billed(8, key=4, response=5, replayed=True)], family=True)
    assert _of(totals) == {("claude",): 13}


def test_agents_stand_as_in_their_table_times_rise_and_the_rest_falls() -> None:
    totals = Totals(["agent", "day", "model"], zone=UTC)
    for agent in ("claude", "pi"):
        rows = [(1, 0, "b"), (9, 0, "a"), (100, 1, "b"), (2, 0, "c")]
        totals.session(
            agent, [_billed(n, Payer("s", model, None, None), NOON + day * 86_400_000) for n, day, model in rows]
        )
    models = [(agent, day, model) for agent, day, model in (group.keys for group in totals.groups())]
    days = [("2026-03-02", "a"), ("2026-03-02", "c"), ("2026-03-02", "b"), ("2026-03-03", "b")]
    assert models == [(agent, *rest) for agent in ("pi", "claude") for rest in days]


def test_very_many_keys_are_told_apart() -> None:
    totals = Totals(["agent"], zone=UTC)
    keys = [hash((n, "key")) or 1 for n in range(300_000)]

    def rows() -> Iterable[Billed]:
        return (_billed(key=key) for key in keys)

    totals.session("claude", rows())
    totals.session("claude", rows())
    assert (totals.total().events, totals.copies) == (300_000, 300_000)


def test_keys_take_about_twice_their_size() -> None:
    import tracemalloc

    totals = Totals(["agent"], zone=UTC)
    count = 300_000
    tracemalloc.start()
    totals.session("claude", (_billed(key=hash((n, "key")) or 1) for n in range(count)))
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert held < 30 * count
