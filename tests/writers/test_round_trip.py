"""The second law: what is written for an agent and read back says the same, but for what that agent cannot hold."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given

from panscript.readers.opening import open_source, read
from panscript.schemas.agents import agent as agent_of
from panscript.schemas.errors import CannotConvert
from panscript.schemas.events import Event, Message, Session, Text, Usage
from panscript.stages.normal_form import Said, normal_form
from panscript.stages.pipe import events_of
from tests.sessions import SESSIONS, name_of
from tests.strategies import sessions
from tests.writers.round_trip import TARGETS, Target, compare, plain, read_back, written

each_target = pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)


@each_target
@given(events=sessions())
def test_a_session_reads_back_the_same(target: Target, events: list[Event]) -> None:
    compare(events, target)


@each_target
@given(events=sessions(turns=3))
def test_what_was_read_back_can_be_written_and_read_again(target: Target, events: list[Event]) -> None:
    once, _ = read_back(written(events, target.agent))
    again, _ = read_back(written(once, target.agent))
    assert plain(again) == plain(once)


@each_target
@given(events=sessions())
def test_with_all_branches_the_live_one_reads_back_the_same(target: Target, events: list[Event]) -> None:
    one, _ = read_back(written(events, target.agent))
    every, report = read_back(written(events, target.agent, all_branches=True))
    assert report.warnings == []
    assert plain(every) == plain(one)


@each_target
@pytest.mark.parametrize("path", SESSIONS, ids=name_of)
def test_every_session_of_the_fixtures_reads_back_the_same(target: Target, path: Path) -> None:
    source = open_source(str(path))
    try:
        events = list(events_of(read(source)))
        compare(events, target)
    except CannotConvert:
        assert not any(isinstance(item, Said) for item in normal_form(events))


@each_target
def test_the_session_says_where_it_was_imported_from(target: Target) -> None:
    start = 1_767_261_600_000
    other = next(name for name in TARGETS if name != target.agent)
    events: list[Event] = [
        Session(id="session", agent=other, session_id="s", cwd="/home/ana/app", created=start),
        Message(id="a", role="user", time=start, content=(Text(text="Hello"),)),
    ]
    session = read_back(written(events, target.agent))[0][0]
    assert isinstance(session, Session)
    assert session.imported_from == other
    assert session.title == f"Imported from {agent_of(other).name}: s"


@each_target
def test_what_was_imported_is_never_counted_again(target: Target) -> None:
    version = "home-0.171.0" if target.agent == "claude" else "v2.1.328"
    path = next(path for path in SESSIONS if version in str(path))
    back, _ = read_back(written(list(events_of(read(open_source(str(path))))), target.agent))
    assert [event for event in back if isinstance(event, Usage)] == []
    assert any(isinstance(event, Message) and event.tokens is not None and event.tokens.total for event in back)
