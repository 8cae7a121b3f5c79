"""Times that are later than most that follow them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from panscript.readers.clock import Clock


def _clock(*times: int) -> Clock:
    clock = Clock()
    for number, time in enumerate(times):
        clock.add(number, time)
    clock.end()
    return clock


@pytest.mark.parametrize(
    ("times", "late", "last"),
    [
        ((), set(), None),
        ((5,), set(), 5),
        ((1, 2, 3), set(), 3),
        ((1, 1, 1), set(), 1),
        ((1, 99, 2, 3, 4), {1}, 4),
        ((99, 1, 2, 3), {0}, 3),
        ((1, 2, 99), set(), 99),
        ((1, 2, 99, 3), set(), 99),
        ((1, 99, 2, 3, 4, 100), {1}, 100),
        ((10, 11, 12, 1, 2, 3), set(), 12),
        ((1, 99, *range(2, 60)), {1}, 59),
        ((1, 99, 2, 3, 4, 98, 5, 6, 7), {1}, 98),
    ],
    ids=[
        "none",
        "one",
        "in order",
        "equal",
        "one ahead",
        "the first ahead",
        "the last",
        "one before the last",
        "and a true one later",
        "a clock set back",
        "more than are watched",
        "of two ahead only the first is suspected",
    ],
)
def test_late_times(times: tuple[int, ...], late: set[int], last: int | None) -> None:
    clock = _clock(*times)
    assert clock.late == late
    assert clock.last == last
    assert clock.first == min(times, default=None)


DAY = 86_400_000


def test_before_the_end_a_clock_that_ran_days_ahead_was_wrong() -> None:
    assert _clock(1, 2, 9 * DAY, 3).late == {2}
    assert _clock(1, 2, 9 * DAY, 3, 4).late == {2}
    assert _clock(1, 2, 9 * DAY, 3, 9 * DAY + 1).late == set()
    assert _clock(9 * DAY, 1).late == set()


@given(st.lists(st.integers(0, 50), max_size=60))
def test_earliest_and_latest_are_times_of_the_session(times: list[int]) -> None:
    clock = _clock(*times)
    assert clock.late <= set(range(len(times)))
    assert clock.last is None if not times else clock.last in times
    assert sorted(times) != times or clock.late == set()
