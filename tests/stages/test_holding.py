"""Projections that wait come back as they were, from memory and from the private file."""

from __future__ import annotations

import msgspec
import pytest

from panscript.schemas.projections import MessageLine, Projection, ToolCallLine
from panscript.stages.holding import Holder, Room


def _lines(count: int) -> list[Projection]:
    lines: list[Projection] = []
    for number in range(count):
        text = f"{number}: \u2028 \n \U0001f980 \x00"
        raw = msgspec.Raw(b'{"a":\n [1, "x"]}' if number % 2 else b'{"b":2}')
        time = f"2026-01-01T10:00:{number % 60:02d}.000Z"
        if number % 3:
            lines.append(
                MessageLine(source="pi", session_id="s", timestamp=time, role="user", text_length=9, text=text, raw=raw)
            )
        else:
            calls = {"call": raw, "result": raw}
            lines.append(ToolCallLine(source="pi", session_id="s", timestamp=time, name="x", status="ok", raw=calls))
    return lines


def _json(lines: list[Projection]) -> list[object]:
    return [msgspec.json.decode(msgspec.json.encode(line)) for line in lines]


@pytest.mark.parametrize("room", [0, 5000, 1 << 30])
@pytest.mark.parametrize("count", [0, 1, 40])
def test_what_is_held_comes_back_as_often_as_it_is_asked_for(room: int, count: int) -> None:
    lines, held = _lines(count), Holder(Room(room))
    for line in lines:
        held.append(line)
    assert len(held) == count
    assert _json(list(held)) == _json(list(held)) == _json(lines)
    for line in lines:
        held.append(line)
    assert _json(list(held)) == _json(lines) * 2
    held.close()


def test_lists_that_share_a_room_do_not_mix() -> None:
    room = Room(3000)
    lists = [Holder(room) for _ in range(3)]
    lines = _lines(60)
    for number, line in enumerate(lines):
        lists[number % 3].append(line)
    for number, held in enumerate(lists):
        assert _json(list(held)) == _json(lines[number::3])
    together = list(zip(*lists, strict=True))
    assert _json([line for pair in together for line in pair]) == _json(lines)
