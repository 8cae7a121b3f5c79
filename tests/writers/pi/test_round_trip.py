"""What is written for Pi and read back says the same, but for what Pi cannot hold."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given

from panscript.readers.opening import open_source, read
from panscript.schemas.errors import CannotConvert
from panscript.schemas.events import Event, Message, Session, Text, Usage
from panscript.stages.normal_form import Said, normal_form
from panscript.stages.pipe import events_of
from tests.sessions import SESSIONS, name_of
from tests.strategies import sessions
from tests.writers.round_trip import TARGETS, compare, plain, read_back, written

TARGET = TARGETS["pi"]


@given(sessions())
def test_a_session_reads_back_the_same(events: list[Event]) -> None:
    compare(events, TARGET)


@given(sessions(turns=3))
def test_what_was_read_back_can_be_written_and_read_again(events: list[Event]) -> None:
    once, _ = read_back(written(events, TARGET.agent))
    again, _ = read_back(written(once, TARGET.agent))
    assert plain(again) == plain(once)


@given(sessions())
def test_all_branches_are_written_and_the_live_one_reads_back_the_same(events: list[Event]) -> None:
    one, _ = read_back(written(events, TARGET.agent))
    every, report = read_back(written(events, TARGET.agent, all_branches=True))
    assert report.warnings == []
    assert plain(every) == plain(one)


@pytest.mark.parametrize("path", SESSIONS, ids=name_of)
def test_every_session_of_the_fixtures_reads_back_the_same(path: Path) -> None:
    source = open_source(str(path))
    try:
        events = list(events_of(read(source)))
        compare(events, TARGET)
    except CannotConvert:
        assert not any(isinstance(item, Said) for item in normal_form(events))


def test_the_session_says_where_it_was_imported_from() -> None:
    start = 1_767_261_600_000
    events: list[Event] = [
        Session(id="session", agent="claude", session_id="s", cwd="/home/ana/app", created=start),
        Message(id="a", role="user", time=start, content=(Text(text="Hello"),)),
    ]
    session = read_back(written(events, TARGET.agent))[0][0]
    assert isinstance(session, Session)
    assert session.imported_from == "claude"
    assert session.title == "Imported from Claude Code: s"


def test_what_was_imported_is_never_counted_again() -> None:
    path = next(path for path in SESSIONS if "v2.1.328" in str(path))
    back, _ = read_back(written(list(events_of(read(open_source(str(path))))), TARGET.agent))
    assert [event for event in back if isinstance(event, Usage)] == []
    assert any(isinstance(event, Message) and event.tokens is not None and event.tokens.total for event in back)
