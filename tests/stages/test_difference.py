"""What two sessions differ in: exactly what was done to one of them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec.structs import replace

from panscript.schemas.events import Event, Message, Text, Tokens, ToolCall
from panscript.stages.alignment import align, align_similar, gaps
from panscript.stages.difference import Comparison, compare
from panscript.stages.field_changes import Change, field_changes, plain
from panscript.stages.normal_form import (
    Called,
    Compacted,
    Injected,
    Item,
    Result,
    Said,
    Summarised,
    Thought,
    Title,
    Written,
    normal_form,
)
from tests.strategies import json_values, sessions

TURNED = {"missing": "added", "added": "missing"}


def said(text: str, role: str = "user", **more: Any) -> Said:
    """Something said."""
    return Said(role, (Written(text),), **more)


def calls(*numbers: int, **arguments: Any) -> Said:
    """A message that calls."""
    return Said("assistant", tuple(Called(number, "run", {"n": number, **arguments}) for number in numbers))


def done(number: int, text: str = "ok") -> Result:
    """What a call gave."""
    return Result(number, "ok", (Written(text),))


def found(a: Sequence[Item], b: Sequence[Item]) -> list[tuple[str, int | None, int | None]]:
    """The differences without what is in them."""
    return [(step.kind, step.a, step.b) for step in compare(a, b).differences]


def changes(a: Sequence[Item], b: Sequence[Item]) -> list[Change]:
    """The fields that differ in the items that are on both sides."""
    return [change for step in compare(a, b).differences for change in step.changes]


def counts(compared: Comparison) -> tuple[int, ...]:
    """Same, missing, added, changed, moved."""
    return tuple(compared.counts.values())


A: list[Item] = [Title("T"), said("one"), said("two", "assistant"), calls(0), done(0), said("three"), said("four")]


def test_a_session_is_the_same_as_itself() -> None:
    assert compare(A, list(A)).same
    assert counts(compare(A, list(A))) == (7, 0, 0, 0, 0)
    assert compare([], []).same


def test_what_is_missing_added_or_has_moved_is_told_with_its_places() -> None:
    assert found(A, A[:3] + A[4:]) == [("missing", 3, None)]
    assert found(A[:3] + A[4:], A) == [("added", None, 3)]
    assert found(A, [A[0], A[5], *A[1:5], A[6]]) == [("moved", 5, 1)]
    assert [step.kind for step in compare(A, [A[0], A[5], *A[1:5], A[6]]).steps].count("arrived") == 1
    assert found(A, []) == [("missing", place, None) for place in range(7)]


def test_two_items_that_changed_places_have_moved_and_are_not_changed() -> None:
    one, *others, last = A
    assert {kind for kind, _, _ in found(A, [last, *others, one])} == {"moved"}


def test_a_change_is_told_by_its_fields() -> None:
    tokens = Tokens(input=1, output=2, total=3)
    one = Said("assistant", (Thought("Hm", "s"), Written("I close it")), 5, "small", tokens)
    two = Said("assistant", (Thought("Hm"), Written("I drain it")), 5, "large", replace(tokens, output=4))
    assert changes([one], [two]) == [
        Change("parts.0.signature", "s", None),
        Change("parts.1.text", "I close it", "I drain it"),
        Change("model", "small", "large"),
        Change("tokens.output", 2, 4),
    ]


def test_a_part_that_only_one_side_has_is_one_change() -> None:
    one = Said("assistant", (Thought("Hm"), Written("Yes")))
    assert changes([one], [said("Yes", "assistant")]) == [
        Change("parts.0", {"type": "thought", "text": "Hm", "signature": None})
    ]
    assert changes([said("Yes", "assistant")], [one]) == [
        Change("parts.0", after={"type": "thought", "text": "Hm", "signature": None})
    ]


def test_arguments_are_compared_as_json() -> None:
    one = Said("assistant", (Called(0, "edit", {"path": "a", "lines": [1, 2, 3], "old": 1}),))
    two = Said("assistant", (Called(0, "edit", {"lines": [1, 3], "path": "b", "new": None}),))
    assert changes([one], [two]) == [
        Change("parts.0.arguments.path", "a", "b"),
        Change("parts.0.arguments.lines.1", 2),
        Change("parts.0.arguments.old", 1),
        Change("parts.0.arguments.new", after=None),
    ]
    assert msgspec.json.encode(Change("x", after=None)) == b'{"path":"x","after":null}'


def test_a_call_less_renumbers_nothing() -> None:
    a: list[Item] = [calls(0), done(0), calls(1), done(1), calls(2), done(2)]
    b: list[Item] = [calls(0), done(0), Said("assistant", (Called(1, "run", {"n": 2}),)), done(1)]
    assert found(a, b) == [("missing", 2, None), ("missing", 3, None)]


def test_a_result_that_answers_another_call_is_changed() -> None:
    a: list[Item] = [calls(0, 1), done(0, "yes"), done(1, "no")]
    assert changes(a, [calls(0, 1), done(1, "yes"), done(0, "no")]) != []


def test_what_a_compaction_keeps_is_an_item_and_no_number() -> None:
    a: list[Item] = [said("one"), said("two"), said("three"), Compacted("short", 2)]
    assert found(a, [*a[1:3], Compacted("short", 1)]) == [("missing", 0, None)]
    assert found(a, [Title("T"), *a]) == [("added", None, 0)]
    assert changes(a, [*a[:3], Compacted("short", 0)]) == [Change("first_kept", 2, 0)]
    assert changes(a, [*a[:3], Compacted("short")]) == [Change("first_kept", 2, None)]


def test_between_the_same_neighbours_the_most_alike_are_one_changed_item() -> None:
    a = [A[1], said("the queue is drained by one worker"), A[6]]
    b = [A[1], said("something else altogether"), said("the queue is drained by two workers"), A[6]]
    assert found(a, b) == [("added", None, 1), ("changed", 1, 2)]
    assert found(a, [A[1], said("else"), A[6]]) == [("changed", 1, 1)]
    assert found(a, [A[1], Summarised("the queue is drained by one worker"), A[6]]) == [
        ("missing", 1, None),
        ("added", None, 1),
    ]


def test_what_is_injected_is_of_one_kind_only_where_its_kind_is_one() -> None:
    one, two = Injected("reminder", (Written("a"),)), Injected("hook", (Written("a"),))
    assert [kind for kind, _, _ in found([one], [two])] == ["missing", "added"]


def test_times_and_counts_that_differ_everywhere_do_not_hide_what_was_said() -> None:
    a = [said(f"message {n}", time=n) for n in range(50)]
    b = [replace(item, time=None) for item in a[:20] + a[21:]]
    assert counts(compare(a, b)) == (0, 1, 0, 49, 0)
    assert {change.path for change in changes(a, b)} == {"time"}


def test_all_texts_of_a_long_session_may_differ_a_little() -> None:
    a: list[Item] = [said(f"message number {n} says {n * 7}") for n in range(3000)]
    b: list[Item] = [said(f"message number {n} says {n * 7} .") for n in range(3000) if n != 1500]
    same, missing, added, changed, moved = counts(compare(a, b))
    assert (same, added, moved) == (0, 0, 0)
    assert (missing, changed) == (1, 2999)


@pytest.mark.parametrize("shape", ["all equal", "every other differs", "reversed", "nothing in common", "shuffled"])
def test_long_sessions_are_compared(shape: str) -> None:
    length = 5000
    a: list[Item] = [said(f"m{n}", time=n) for n in range(length)]
    b = list(a)
    if shape == "all equal":
        a = [said("x")] * length
        b = [said("y"), *a[: length - 7]]
    elif shape == "every other differs":
        b = [item if n % 2 else said(f"m{n} too", time=n) for n, item in enumerate(a)]
    elif shape == "reversed":
        b.reverse()
    elif shape == "nothing in common":
        b = [Summarised(f"s{n}") for n in range(length)]
    else:
        random.Random(7).shuffle(b)
    same, missing, added, changed, moved = counts(compare(a, b))
    assert same + missing + changed + moved == len(a)
    assert same + added + changed + moved == len(b)
    expected = {
        "all equal": (length - 7, 7, 1, 0, 0),
        "every other differs": (length // 2, 0, 0, length // 2, 0),
        "reversed": (1, 0, 0, 0, length - 1),
        "nothing in common": (0, length, length, 0, 0),
        "shuffled": (same, 0, 0, 0, length - same),
    }
    assert (same, missing, added, changed, moved) == expected[shape]


def test_arguments_nested_too_deeply_are_compared_nevertheless() -> None:
    def nested(inside: bytes) -> list[Item]:
        block = ToolCall(id="c", name="deep", arguments=msgspec.Raw(b"[" * 900 + inside + b"]" * 900))
        return normal_form([Message(id="a", role="assistant", content=(block,))] * 2)

    assert compare(nested(b"1"), nested(b"1")).same
    assert compare(nested(b"1"), nested(b"2")).counts["changed"] == 2


def test_all_events_are_compared_field_by_field() -> None:
    one = Message(id="a", role="user", content=(Text(text="hi"),), time=1)
    two = replace(one, id="b", parent="z")
    assert field_changes(one, two) == (Change("id", "a", "b"), Change("parent", None, "z"))
    compared = compare([one], [two])
    assert (compared.counts["changed"], compared.steps[0].changes) == (1, field_changes(one, two))


def test_the_spelling_of_logged_json_counts_among_events() -> None:
    def call(raw: bytes) -> Message:
        return Message(id="a", role="assistant", content=(ToolCall(id="c", name="n", arguments=msgspec.Raw(raw)),))

    spelled = field_changes(call(b'{"a":1}'), call(b'{"a": 1}'))
    assert spelled == (Change("content.0.arguments", '{"a":1}', '{"a": 1}'),)
    assert field_changes(call(b'{"a":1}'), call(b'{"a":2}')) == (Change("content.0.arguments.a", 1, 2),)
    assert not compare([call(b'{"a":1}')], [call(b'{"a": 1}')]).same


def test_plain_data_names_what_it_is() -> None:
    assert plain(calls(0)) == {
        "type": "said",
        "role": "assistant",
        "parts": [{"type": "called", "call": 0, "name": "run", "arguments": {"n": 0}}],
        "time": None,
        "model": None,
        "tokens": None,
    }


@given(sessions())
def test_a_session_differs_from_itself_in_nothing(events: list[Event]) -> None:
    assert compare(normal_form(events), normal_form(events)).same
    assert compare(events, list(events)).same


@given(sessions(), sessions())
def test_two_sessions_are_the_same_exactly_when_their_normal_forms_are_equal(a: list[Event], b: list[Event]) -> None:
    one, two = normal_form(a), normal_form(b)
    assert compare(one, two).same == (one == two)


@given(sessions(), st.data())
def test_one_item_less_is_one_item_missing(events: list[Event], data: st.DataObject) -> None:
    items = normal_form(events)
    place = data.draw(st.integers(0, len(items) - 1))
    # Without the title another item is the first that a compaction counts from.
    assume(not isinstance(items[place], Title) and not any(isinstance(item, Compacted) for item in items))
    less = items[:place] + items[place + 1 :]
    compared = compare(items, less)
    assert counts(compared) == (len(less), 1, 0, 0, 0)
    assert counts(compare(less, items)) == (len(less), 0, 1, 0, 0)
    gone = compared.differences[0].a
    assert gone is not None
    assert replace_numbers(items[gone]) == replace_numbers(items[place])


def replace_numbers(item: Item) -> Any:
    """The item without what its side counts by itself: equal neighbours cannot be told apart otherwise."""
    data = plain(item)
    return {**data, "call": 0, "parts": [{**part, "call": 0} for part in data.get("parts", [])]}


@given(sessions(), st.data())
def test_one_changed_item_is_found_as_that(events: list[Event], data: st.DataObject) -> None:
    items = normal_form(events)
    places = [place for place, item in enumerate(items) if isinstance(item, Said)]
    place = data.draw(st.sampled_from(places))
    before = items[place]
    assert isinstance(before, Said)
    after = replace(before, time=(before.time or 0) + 1, parts=(*before.parts, Written("and this")))
    changed = [*items[:place], after, *items[place + 1 :]]
    compared = compare(items, changed)
    assert [(step.kind, step.a, step.b) for step in compared.differences] == [("changed", place, place)]
    assert {change.path for change in compared.differences[0].changes} == {f"parts.{len(before.parts)}", "time"}


@given(sessions(), sessions())
def test_swapping_the_sides_swaps_what_differs(a: list[Event], b: list[Event]) -> None:
    one, two = normal_form(a), normal_form(b)
    for forth, back in ((compare(one, two), compare(two, one)), (compare(a, b), compare(b, a))):
        turned = {(TURNED.get(step.kind, step.kind), step.b, step.a) for step in back.differences}
        assert {(step.kind, step.a, step.b) for step in forth.differences} == turned


@given(json_values(), json_values())
def test_arguments_have_a_change_exactly_when_they_are_not_equal(one: Any, two: Any) -> None:
    before, after = (Called(0, "n", value) for value in (one, two))
    assert (field_changes(before, after) == ()) == (one == two)


@given(st.lists(st.integers(0, 4), max_size=12), st.lists(st.integers(0, 4), max_size=12))
def test_the_longest_common_part_is_found_and_gaps_are_the_rest(a: list[int], b: list[int]) -> None:
    pairs = align(a, b)
    assert all(a[one] == b[two] for one, two in pairs)
    assert pairs == sorted(set(pairs))
    assert [two for _, two in pairs] == sorted({two for _, two in pairs})
    best = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for one in range(len(a)):
        for two in range(len(b)):
            both = best[one][two] + 1 if a[one] == b[two] else 0
            best[one + 1][two + 1] = max(both, best[one][two + 1], best[one + 1][two])
    assert len(pairs) == best[len(a)][len(b)]
    left = [(place, end) for start, end, _, _ in gaps(pairs, len(a), len(b)) for place in range(start, end)]
    assert len(left) + len(pairs) == len(a)


def test_pairs_that_are_alike_rise_on_both_sides() -> None:
    scores = [[0.9, 0.1], [0.5, 0.4], [0.0, 0.8]]
    assert align_similar(3, 2, lambda one, two: scores[one][two]) == [(0, 0), (2, 1)]
    assert align_similar(0, 5, lambda one, two: 1.0) == []
    assert len(align_similar(400, 500, lambda one, two: 1.0)) == 400
