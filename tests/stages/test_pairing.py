"""Every call gets exactly one result, directly after the message that made it."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from panscript.schemas.events import Event, Message, Meta, Opaque, Text, Tokens, ToolCall, ToolResult, Usage
from panscript.schemas.report import FileReport
from panscript.stages import pairing
from panscript.stages.pairing import NOT_RECORDED, ORPHAN, pair
from tests.builders import answer, asked, result, said, spoken


def _run(*events: Event) -> tuple[list[str], dict[str, int]]:
    report = FileReport(path="")
    return said(pair(events, report)), report.changed


def _ids(events: list[Event]) -> list[str]:
    return [event.id for event in events]


def _well_paired(events: list[Event]) -> None:
    """What every provider asks for."""
    open_calls: list[str] = []
    seen: set[str] = set()
    for event in events:
        if isinstance(event, Meta | Usage) or (isinstance(event, Opaque) and event.parent is None):
            continue
        if isinstance(event, ToolResult):
            assert event.call_id in open_calls, "a result without a call"
            open_calls.remove(event.call_id)
            continue
        assert open_calls == [], "something stands before the results"
        if isinstance(event, Message):
            calls = [block.id for block in event.content if isinstance(block, ToolCall)]
            if event.role == "assistant":
                assert not seen.intersection(calls)
                assert len(set(calls)) == len(calls)
                assert all(calls)
                seen.update(calls)
                open_calls = calls
    assert open_calls == []


def test_a_neat_conversation_passes_untouched() -> None:
    events: list[Event] = [
        spoken("u"),
        answer("a", asked("c"), asked("d")),
        result("r", "c", name="Bash"),
        result("s", "d", name="Bash"),
        spoken("v"),
    ]
    report = FileReport(path="")
    assert list(pair(events, report)) == events
    assert report.changed == {}


def test_a_call_without_a_result_is_given_one_that_says_so() -> None:
    out, changed = _run(answer("a", asked("c", answered=False)), spoken("u"))
    assert out == ["assistant: <ToolCall>", f"error: {NOT_RECORDED}", "user: hello"]
    assert changed == {"result_supplied": 1}


def test_the_last_call_is_given_one_too() -> None:
    assert _run(answer("a", asked("c")))[0] == ["assistant: <ToolCall>", f"error: {NOT_RECORDED}"]


def test_a_supplied_result_is_marked_as_invented() -> None:
    _, made = pair([answer("a", asked("c", "Read"), live=False)])
    assert isinstance(made, ToolResult)
    assert (made.invented, made.name, made.parent, made.live) == (True, "Read", "a", False)


def test_a_result_without_a_call_becomes_text() -> None:
    out, changed = _run(spoken("u"), result("r", "x", "high tide", name="Read"))
    assert out == ["user: hello", f"{ORPHAN}: A result of call x (Read): high tide"]
    assert changed == {"result_as_text": 1}


def test_a_further_result_becomes_text() -> None:
    out, _ = _run(answer("a", asked("c")), result("r", "c", "one"), result("s", "c", "two"))
    assert out == ["assistant: <ToolCall>", "ok: one", f"{ORPHAN}: A further result of call c: two"]


def test_a_stray_result_waits_until_the_calls_have_theirs() -> None:
    out, _ = _run(answer("a", asked("c")), result("x", "none", "stray"), result("r", "c", "mine"), spoken("u"))
    assert out == ["assistant: <ToolCall>", "ok: mine", f"{ORPHAN}: A result of call none: stray", "user: hello"]


def test_a_stray_result_after_a_call_that_nobody_answers() -> None:
    out, _ = _run(answer("a", asked("c", answered=False)), result("x", "none", "stray"), spoken("u"))
    assert out[1:] == [f"error: {NOT_RECORDED}", f"{ORPHAN}: A result of call none: stray", "user: hello"]


def test_results_that_come_late_are_moved_to_their_calls() -> None:
    out, changed = _run(
        answer("a", asked("c"), asked("d")), result("r", "d", "D"), spoken("u"), answer("b", "x"), result("s", "c", "C")
    )
    assert out == ["assistant: <ToolCall> <ToolCall>", "ok: D", "ok: C", "user: hello", "assistant: x"]
    assert changed == {"results_moved": 1}


def test_two_messages_with_calls_before_their_results() -> None:
    out, _ = _run(answer("a", asked("c")), answer("b", asked("d")), result("r", "c", "C"), result("s", "d", "D"))
    assert out == ["assistant: <ToolCall>", "ok: C", "assistant: <ToolCall>", "ok: D"]


def test_crossed_results_of_three_messages() -> None:
    out, _ = _run(
        answer("a", asked("1")),
        answer("b", asked("2")),
        answer("c", asked("3")),
        result("r3", "3", "3"),
        result("r2", "2", "2"),
        result("r1", "1", "1"),
    )
    assert out == ["assistant: <ToolCall>", "ok: 1", "assistant: <ToolCall>", "ok: 2", "assistant: <ToolCall>", "ok: 3"]


def test_calls_of_one_id_in_different_messages_take_numbers_with_their_results() -> None:
    events: list[Event] = [
        answer("a", asked("c")),
        result("r", "c", "1"),
        answer("b", asked("c")),
        result("s", "c", "2"),
    ]
    out = list(pair(events, report := FileReport(path="")))
    assert [e.call_id for e in out if isinstance(e, ToolResult)] == ["c", "c~2"]
    _well_paired(out)
    assert report.changed == {"call_id_cleaned": 1}


def test_calls_of_one_id_in_one_message_are_answered_in_order() -> None:
    out = list(pair([answer("a", asked("c"), asked("c"), asked("c")), result("r", "c", "1"), result("s", "c", "2")]))
    assert said(out)[1:] == ["ok: 1", "ok: 2", f"error: {NOT_RECORDED}"]
    _well_paired(out)


def test_a_number_that_is_taken_is_passed_over() -> None:
    events: list[Event] = [
        answer("a", asked("c")),
        answer("b", asked("c")),
        answer("d", asked("c~2")),
        answer("e", asked("c")),
    ]
    _well_paired(list(pair(events)))


def test_calls_and_results_without_ids_are_paired_in_order() -> None:
    out = list(
        pair([answer("a", asked(""), asked("")), result("r", "", "1"), result("s", "", "2"), result("t", "", "3")])
    )
    assert said(out)[1:] == ["ok: 1", "ok: 2", f"{ORPHAN}: A result of call (no id): 3"]
    _well_paired(out)


def test_a_result_takes_the_name_of_its_call() -> None:
    _, found = pair([answer("a", asked("c", "Read")), result("r", "c")])
    assert isinstance(found, ToolResult)
    assert found.name == "Read"


def test_only_answers_ask_for_tools() -> None:
    events: list[Event] = [spoken("u", content=(asked("c"), Text(text="x"))), spoken("v")]
    assert list(pair(events)) == events


def test_facts_and_counts_need_not_wait() -> None:
    events: list[Event] = [
        answer("a", asked("c")),
        Usage(id="x", tokens=Tokens()),
        Meta(id="m", cwd="/"),
        spoken("u"),
        result("r", "c"),
    ]
    assert _ids(list(pair(events))) == ["a", "x", "m", "r", "u"]


def test_counts_stay_behind_a_message_that_waits() -> None:
    events: list[Event] = [
        answer("a", asked("c")),
        answer("b", "x"),
        Usage(id="of-b", tokens=Tokens()),
        result("r", "c"),
    ]
    assert _ids(list(pair(events))) == ["a", "r", "b", "of-b"]


def test_waiting_for_a_result_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairing, "HELD", 5000)
    events: list[Event] = [
        answer("a", asked("c")),
        *(spoken(f"u{n}", "x" * 900) for n in range(8)),
        result("r", "c", "late"),
    ]
    stream = pair(events)
    assert next(stream).id == "a"
    out = list(stream)
    _well_paired([events[0], *out])
    assert _ids(out) == ["a/c", *(f"u{n}" for n in range(8)), "r"]


IDS = st.sampled_from(["", "c", "d", "c~2"])


@st.composite
def _stream(draw: st.DrawFn) -> list[Event]:
    events: list[Event] = []
    for number in range(draw(st.integers(0, 14))):
        kind = draw(st.integers(0, 4))
        if kind == 0:
            events.append(spoken(f"u{number}", f"prompt {number}"))
        elif kind == 1:
            calls = [asked(draw(IDS), answered=draw(st.booleans())) for _ in range(draw(st.integers(0, 3)))]
            events.append(answer(f"a{number}", f"answer {number}", *calls))
        elif kind == 2:
            events.append(Meta(id=f"m{number}", cwd="/"))
        else:
            events.append(result(f"r{number}", draw(IDS), f"result {number}"))
    return events


@given(_stream())
def test_whatever_comes_in_is_paired_and_nothing_is_lost(events: list[Event]) -> None:
    report = FileReport(path="")
    out = list(pair(events, report))
    _well_paired(out)
    texts = Counter(
        b.text for e in out if isinstance(e, Message | ToolResult) for b in e.content if isinstance(b, Text)
    )
    assert all(
        texts[b.text] == 1
        for e in events
        if isinstance(e, Message | ToolResult)
        for b in e.content
        if isinstance(b, Text)
    )
    order = [e.id for e in events if isinstance(e, Message)]
    assert [e.id for e in out if isinstance(e, Message) and e.injected != ORPHAN] == order
    assert texts[NOT_RECORDED] == report.changed.get("result_supplied", 0)
    assert len({e.id for e in out}) == len(out)
