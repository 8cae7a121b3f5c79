"""Two streams that say the same have the same normal form, and no others."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from panscript.schemas.events import (
    COMPACTION_SUMMARY,
    SHELL,
    Compaction,
    Event,
    Message,
    Meta,
    Opaque,
    Session,
    Shell,
    Summary,
    Text,
    Thinking,
    Tokens,
    ToolCall,
    ToolResult,
    Usage,
)
from panscript.stages.normal_form import (
    Called,
    CommandRun,
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
from panscript.stages.prepare import prepare
from tests.strategies import sessions


def _said(name: str, text: str, role: str = "user", **more: Any) -> Message:
    return Message(id=name, role=role, content=(Text(text=text),), **more)  # type: ignore[arg-type]


def test_every_kind_of_event_has_its_item() -> None:
    call = ToolCall(id="x", name="run", arguments=msgspec.Raw(b'{"a": 1}'))
    tokens = Tokens(input=1, total=1)
    stream: list[Event] = [
        Session(id="session", agent="claude", session_id="s", title="Kites"),
        _said("a", "Hi", time=1),
        _said("b", "rules", "system", injected="reminder", hidden=True, time=2),
        Message(id="c", role="assistant", content=(Thinking(text="Hm"), call), model="m", tokens=tokens, time=3),
        ToolResult(id="d", call_id="x", status="error", content=(Text(text="no"),), time=4),
        Shell(id="e", command="ls", output="a", exit_code=0, time=5),
        Compaction(id="f", summary="So far", first_kept="c", time=6),
        Summary(id="g", text="Else", time=7),
    ]
    assert normal_form(stream) == [
        Title("Kites"),
        Said("user", (Written("Hi"),), 1),
        Injected("reminder", (Written("rules"),), 2),
        Said("assistant", (Thought("Hm"), Called(0, "run", {"a": 1})), 3, "m", tokens),
        Result(0, "error", (Written("no"),), 4),
        CommandRun("ls", "a", 0, time=5),
        Compacted("So far", 2, 6),
        Summarised("Else", 7),
    ]


def test_parts_of_a_response_are_one_message_and_unanswered_calls_are_answered() -> None:
    parts = [
        Message(id="a", role="assistant", response="r", closes=False, content=(Text(text="1"),)),
        Message(id="b", role="assistant", response="r", content=(ToolCall(id="x", name="n", answered=False),)),
    ]
    said, answered = normal_form(parts)
    assert said == Said("assistant", (Written("1"), Called(0, "n", "")))
    assert isinstance(answered, Result)
    assert answered.status == "error"


def test_other_branches_and_sub_agents_are_left_out() -> None:
    stream = [_said("a", "one"), _said("b", "dead", live=False), _said("c", "helper", agent_id="x")]
    assert normal_form(stream) == [Said("user", (Written("one"),))]


def test_what_is_said_twice_or_says_nothing_is_left_out() -> None:
    stream: list[Event] = [
        _said("a", " \n"),
        _said("b", "summary", "system", injected=COMPACTION_SUMMARY),
        _said("c", "ls", "system", injected=SHELL),
        Meta(id="d", cwd="/x"),
        Opaque(id="e", name="x"),
    ]
    assert normal_form(stream) == []


def test_times_are_those_of_the_records_whatever_a_stage_made_of_them() -> None:
    stream = [_said("a", "one", time=9), _said("b", "two", time=5), _said("c", "three")]
    assert [item.time for item in normal_form(prepare(stream)) if isinstance(item, Said)] == [9, 5, None]


def test_counts_that_are_logged_apart_belong_to_the_answer_before_them() -> None:
    tokens = Tokens(input=2, total=2)
    stream: list[Event] = [_said("a", "x", "assistant", response="r"), Usage(id="u", response="r", tokens=tokens)]
    assert normal_form(stream) == [Said("assistant", (Written("x"),), tokens=tokens)]


def test_ids_and_the_spelling_of_arguments_do_not_matter() -> None:
    def stream(name: str, arguments: bytes) -> list[Event]:
        call = ToolCall(id=name, name="n", arguments=msgspec.Raw(arguments))
        return [Message(id=name, role="assistant", content=(call,)), ToolResult(id=name * 2, call_id=name)]

    assert normal_form(stream("a", b'{"x":"\\u00e9"}')) == normal_form(stream("b", '{ "x": "é" }'.encode()))


def _other(event: Event) -> Event | None:
    """The event with something else said; None where nothing can be changed."""
    if isinstance(event, Message) and event.live:
        return replace(event, content=(*event.content, Text(text="something else")))
    if isinstance(event, Summary | Compaction):
        return replace(event, **{"text" if isinstance(event, Summary) else "summary": "something else"})
    return None


@given(sessions(), st.data())
def test_preparing_changes_nothing_and_a_changed_text_shows(events: list[Event], data: st.DataObject) -> None:
    form = normal_form(events)
    assert normal_form(prepare(events)) == form
    places = [place for place, event in enumerate(events) if _other(event) is not None]
    place = data.draw(st.sampled_from(places))
    changed = _other(events[place])
    assert changed is not None
    assert normal_form([*events[:place], changed, *events[place + 1 :]]) != form


@given(sessions())
def test_renaming_every_event_and_call_changes_nothing(events: list[Event]) -> None:
    assert normal_form(_renamed(events)) == normal_form(events)


def _renamed(events: Iterable[Event]) -> Iterable[Event]:
    def new(name: str | None) -> str | None:
        return None if name is None else f"new {name}"

    for event in events:
        more: dict[str, Any] = {"id": new(event.id), "parent": new(event.parent)}
        if isinstance(event, Message):
            more["response"] = new(event.response)
            more["content"] = tuple(
                replace(block, id=new(block.id)) if isinstance(block, ToolCall) else block for block in event.content
            )
        elif isinstance(event, ToolResult) and event.call_id != "nobody":
            more["call_id"] = new(event.call_id)
        elif isinstance(event, Compaction):
            more["first_kept"] = new(event.first_kept)
        yield replace(event, **more)


def test_items_are_plain_data() -> None:
    item: Item = Said("user", (Written("x"),))
    assert msgspec.json.encode(item) == b'{"role":"user","parts":[{"text":"x"}],"time":null,"model":null,"tokens":null}'
