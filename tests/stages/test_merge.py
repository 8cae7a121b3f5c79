"""One message for one response."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from panscript.schemas.events import Event, Message, Meta, Opaque, Shell, Text, Tokens
from panscript.schemas.report import FileReport
from panscript.stages.merge import merge
from panscript.stages.weight import HELD
from tests.builders import answer, asked, result, said, spoken


def _part(name: str, *content: str, response: str = "m", closes: bool = False, **more: Any) -> Message:
    return answer(name, *content, response=response, closes=closes, **more)


def _ids(events: Sequence[Event]) -> list[str]:
    return [event.id for event in events]


def test_parts_become_one_message_and_what_came_between_follows() -> None:
    report = FileReport(path="")
    events: list[Event] = [
        spoken("u"),
        _part("a1", "one"),
        answer("a2", asked("c"), response="m", closes=False),
        result("r", "c"),
        _part("a3", "two", closes=True),
        spoken("v"),
    ]
    out = list(merge(events, report))
    assert _ids(out) == ["u", "a1", "r", "v"]
    whole = out[1]
    assert isinstance(whole, Message)
    assert (whole.parts, whole.closes) == (("a1", "a2", "a3"), True)
    assert said([whole]) == ["assistant: one <ToolCall> two"]
    assert report.changed == {"parts_merged": 2}


def test_a_message_that_is_whole_passes_untouched() -> None:
    whole = _part("a", "x", closes=True)
    assert list(merge([whole, answer("b", "y")])) == [whole, answer("b", "y")]


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ([(1, None), (9, "end_turn"), (1, None)], (9, "end_turn")),
        ([(1, None), (50, None), (3, None)], (50, None)),
        ([(5, "tool_use"), (5, "end_turn")], (5, "end_turn")),
    ],
)
def test_the_tokens_are_those_that_count(
    counts: list[tuple[int, str | None]], expected: tuple[int, str | None]
) -> None:
    last = len(counts) - 1
    parts = [
        _part(f"a{n}", "x", closes=n == last, tokens=Tokens(output=out), stop_reason=stop)
        for n, (out, stop) in enumerate(counts)
    ]
    (whole,) = merge(parts)
    assert isinstance(whole, Message)
    assert whole.tokens is not None
    assert (whole.tokens.output, whole.stop_reason) == expected


def test_responses_may_overlap() -> None:
    events: list[Event] = [
        _part("a1", "A"),
        _part("b1", "B", response="n"),
        _part("a2", "A", closes=True),
        _part("b2", "B", response="n", closes=True),
    ]
    assert said(merge(events)) == ["assistant: A A", "assistant: B B"]


def test_responses_may_lie_inside_each_other_without_end() -> None:
    depth = 1500
    opening: list[Event] = [_part(f"a{n}", "x", response=str(n)) for n in range(depth)]
    closing: list[Event] = [_part(f"b{n}", "y", response=str(n), closes=True) for n in reversed(range(depth))]
    assert _ids(list(merge(opening + closing))) == [f"a{n}" for n in range(depth)]


def test_a_response_that_never_closes_is_given_at_the_end() -> None:
    assert _ids(list(merge([_part("a", "x"), spoken("u"), _part("b", "y")]))) == ["a", "u"]


def test_a_response_that_stays_open_too_long_is_closed_and_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules[merge.__module__], "HELD", 5000)
    report = FileReport(path="")
    events: list[Event] = [
        _part("a", "x"),
        *(spoken(f"u{n}", "y" * 1000) for n in range(10)),
        _part("b", "z", closes=True),
    ]
    stream = merge(events, report)
    assert next(stream).id == "a"
    assert _ids(list(stream)) == [*(f"u{n}" for n in range(10)), "b"]
    assert report.changed == {"response_closed_early": 1}
    assert HELD == 32 << 20


def test_facts_do_not_wait_but_blocks_that_stand_in_the_response_do() -> None:
    inside = Opaque(id="o", parent="a", name="x")
    events: list[Event] = [
        _part("a", "x"),
        Meta(id="m", cwd="/"),
        inside,
        Opaque(id="row", name="y"),
        _part("b", "y", closes=True),
    ]
    assert _ids(list(merge(events))) == ["m", "row", "a", "o"]


def test_a_shell_line_and_its_output_become_one() -> None:
    events: list[Event] = [
        Shell(id="s1", command="ls", time=1),
        spoken("i", "<bash-stdout>", role="system", injected="shell"),
        Shell(id="s2", output="x", exit_code=3, truncated=True, time=2),
        spoken("u"),
    ]
    shell, note, prompt = merge(events)
    assert shell == Shell(id="s2", command="ls", output="x", exit_code=3, truncated=True, time=1, parts=("s1", "s2"))
    assert (note.id, prompt.id) == ("i", "u")


def test_a_shell_line_without_output_stays_before_what_follows() -> None:
    out = list(
        merge([Shell(id="s1", command="a"), Shell(id="s2", command="b"), Shell(id="s3", output="x"), spoken("u")])
    )
    assert [(e.id, e.command, e.output) for e in out if isinstance(e, Shell)] == [("s1", "a", None), ("s3", "b", "x")]
    assert _ids(list(merge([Shell(id="s", command="a")]))) == ["s"]


@st.composite
def _stream(draw: st.DrawFn) -> list[Event]:
    events: list[Event] = []
    for number in range(draw(st.integers(0, 12))):
        name = draw(st.sampled_from([None, "m", "n", "o"]))
        if name is None:
            events.append(spoken(f"u{number}", f"text {number}"))
        else:
            events.append(_part(f"a{number}", f"text {number}", response=name, closes=draw(st.booleans())))
    return events


@given(_stream())
def test_no_text_is_lost_and_the_prompts_keep_their_order(events: list[Event]) -> None:
    out = list(merge(events))

    def texts(stream: list[Event]) -> list[str]:
        return [b.text for e in stream if isinstance(e, Message) for b in e.content if isinstance(b, Text)]

    assert sorted(texts(out)) == sorted(texts(events))
    prompts = [e.id for e in events if isinstance(e, Message) and e.role == "user"]
    assert [e.id for e in out if isinstance(e, Message) and e.role == "user"] == prompts
