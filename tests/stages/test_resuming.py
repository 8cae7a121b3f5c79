"""What an earlier read told is not told again, and what changed since is said to be replaced."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from panscript.schemas.projections import MessageLine, Projection, SessionMetaLine
from panscript.stages.resuming import Resumed


def _lines(values: list[int]) -> list[Projection]:
    lines: list[Projection] = []
    for value in values:
        if value % 2:
            lines.append(MessageLine(source="pi", session_id="s", timestamp=None, role="user", text_length=value))
        else:
            lines.append(SessionMetaLine(source="pi", session_id="s", timestamp=None, cwd=str(value)))
    return lines


def _of(kind: str, lines: list[Projection]) -> list[Projection]:
    return [line for line in lines if line.__struct_config__.tag == kind]


@given(same=st.lists(st.integers(0, 9)), old=st.lists(st.integers(0, 9)), new=st.lists(st.integers(0, 9)))
def test_kept_and_new_are_all_kind_by_kind(same: list[int], old: list[int], new: list[int]) -> None:
    before = Resumed(_lines(same + old), None)
    first = list(before)
    assert before.replaced == {}
    now = Resumed(_lines(same + new), before.told)
    second = list(now)
    for kind in ("message", "session_meta"):
        kept = _of(kind, first)
        stay = len(kept) - now.replaced.get(kind, 0)
        assert kept[:stay] + _of(kind, second) == _of(kind, _lines(same + new))


def test_of_a_long_session_that_goes_on_only_the_new_is_told() -> None:
    before = Resumed(_lines([1] * 5000), None)
    now = Resumed(_lines([1] * 5000 + [3]), before.told)
    assert (now.replaced, len(list(now))) == ({}, 1)
    changed = Resumed(_lines([1] * 4990 + [3] * 20), before.told)
    assert changed.replaced == {"message": 10}


def test_the_marks_of_a_long_session_are_few() -> None:
    told = Resumed(_lines([1] * 100_000), None).told["message"]
    assert told.count == 100_000
    assert len(told.marks) < 50
