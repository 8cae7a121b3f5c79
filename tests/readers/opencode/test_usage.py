"""How OpenCode's tokens are counted."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from panscript.readers.billing import billed, of_event
from panscript.readers.opencode.usage import tokens_of
from panscript.schemas.events import Message, Tokens, Usage
from panscript.schemas.opencode.lean import Cache
from panscript.schemas.opencode.lean import Tokens as Stated
from panscript.schemas.report import FileReport
from tests.billing import same
from tests.found import sources as found_sources
from tests.readers.opencode.making import BEGAN, answered, asked, database, events, finish, of, sources, text, tool


def usage(found: list[Any]) -> list[Usage]:
    return [event for event in found if isinstance(event, Usage) and event.inherited_from is None]


def test_each_request_of_the_real_session_was_billed_what_it_was_answered_with() -> None:
    (source,) = (each for each in found_sources("opencode") if "usage-home" not in each.path)
    tokens = Tokens(input=200, output=45, reasoning=12, cache_read=1000, total=1245, cost=0.00039)
    found = events(source)
    assert [event.tokens for event in usage(found)] == [tokens, tokens]
    assert all(event.told and event.single_request for event in usage(found))
    assert [m.tokens for m in found if isinstance(m, Message) and m.role == "assistant"] == [tokens, tokens]


@pytest.mark.parametrize(
    ("output", "reasoning", "total", "whole", "sum_"),
    [
        (50, 15, 160, 50, 160),  # the sum without reasoning is the total: it is inside
        (50, 15, 175, 65, 175),
        (50, 15, None, 50, 160),
        (10, 15, None, 25, 135),
    ],
)
def test_whether_output_holds_the_reasoning(
    output: int, reasoning: int, total: int | None, whole: int, sum_: int
) -> None:
    stated = Stated(total=total, input=100, output=output, reasoning=reasoning, cache=Cache(read=8, write=2))
    tokens = tokens_of(stated, None)
    assert (tokens.output, tokens.reasoning, tokens.total) == (whole, reasoning, sum_)


def test_steps_count_and_the_message_around_them_does_not(tmp_path: Path) -> None:
    start = {"type": "step-start"}
    message = answered(start, text("a"), finish(), start, text("b"), finish(), cost=1.0, tokens={"input": 99})
    found = usage(of(tmp_path, message))
    assert [event.tokens.input for event in found] == [10, 10]
    assert [event.tokens.cost for event in found] == [0.5, 0.5]
    assert len({event.response for event in found}) == 2


def test_a_message_without_steps_counts_itself(tmp_path: Path) -> None:
    (event,) = usage(of(tmp_path, answered(text("a"), cost=1.0, tokens={"input": 99, "output": 1})))
    assert (event.tokens.input, event.tokens.total, event.tokens.cost, event.message_id) == (99, 100, 1.0, "m1")


def test_a_response_without_counts_and_cost_is_counted_as_skipped(tmp_path: Path) -> None:
    report = FileReport(path="")
    assert usage(of(tmp_path, answered(text("a"), tokens={"input": 0}), report=report)) == []
    assert report.skipped == {"missing_usage_signal": 1}


def test_a_summary_is_billed_too(tmp_path: Path) -> None:
    (event,) = usage(of(tmp_path, answered(text("what was"), finish(), summary=True)))
    assert not event.told


def test_what_was_taken_back_was_billed(tmp_path: Path) -> None:
    found = usage(of(tmp_path, answered(text("x"), finish()), revert=json.dumps({"messageID": "m1"})))
    assert len(found) == 1


@pytest.mark.parametrize(("root", "cwd"), [("/p", "/p"), ("/", "/w")])
def test_the_folder_is_that_of_the_project(tmp_path: Path, root: str, cwd: str) -> None:
    (event,) = usage(of(tmp_path, answered(finish(), path={"cwd": "/w", "root": root})))
    assert event.cwd == cwd


@pytest.mark.parametrize("cost", [True, "much", [], float("nan"), None])
def test_a_cost_that_is_none_is_left_out(tmp_path: Path, cost: Any) -> None:
    (event,) = usage(of(tmp_path, answered(text("x"), cost=cost, tokens={"input": 3})))
    assert event.tokens.cost is None


def test_what_a_fork_copied_is_counted_where_it_was_said(tmp_path: Path) -> None:
    said = [asked(text("one"), at=BEGAN), answered(text("two"), finish(), at=BEGAN + 5)]
    copy = [asked(text("one"), at=BEGAN), answered(text("two"), finish(), at=BEGAN + 5)]
    more = [*copy, answered(text("three"), finish(), at=BEGAN + 900_000)]
    fork = {"id": "ses_2", "title": "a title (fork #1)", "time_created": BEGAN + 800_000}
    original, forked = sources(database(tmp_path / "opencode.db", ({}, said), (fork, more)))
    assert len(usage(events(original))) == 1
    found = events(forked)
    assert [event.inherited_from for event in found if isinstance(event, Message)] == ["ses_1", "ses_1", None]
    assert len(usage(found)) == 1


def test_the_short_way_to_what_was_billed_gives_the_same(tmp_path: Path) -> None:
    start = {"type": "step-start"}
    talk = [
        asked(text("one")),
        answered(start, text("a"), finish(), start, text("step-finish"), finish(cost=0.25)),
        answered(text("b"), cost=1.0, tokens={"input": 99}),
        answered(text("what was"), finish(), summary=True),
        answered(error={"name": "APIError", "data": {"message": "overloaded"}}, cost=0),
        answered(start, tool("c"), cost=0.0, tokens=None),
    ]
    path = database(tmp_path / "opencode.db", ({"revert": json.dumps({"messageID": "m4"})}, talk))
    for source in (*sources(path), *found_sources("opencode")):
        # What tells copies apart is added later.
        rows = [replace(row, key=0) for row in billed(source, report=FileReport(path=""))]
        assert rows == [of_event(event, source.id) for event in usage(events(source))]
        assert rows


def test_a_database_of_kilo_code_is_billed_the_short_way_too(tmp_path: Path) -> None:
    path = database(tmp_path / "kilo.db", ({}, [asked(text("one")), answered({"type": "step-start"}, finish())]))
    source = replace(next(iter(sources(path))), agent="kilocode")
    report = FileReport(path="")
    assert same(source) == len(list(billed(source, report=report))) == 1
    assert report.scan == "usage"


def test_copies_of_what_is_gone_count(tmp_path: Path) -> None:
    found = of(tmp_path, answered(finish(), at=BEGAN), title="a title (fork #1)", time_created=BEGAN + 800_000)
    assert len(usage(found)) == 1


def test_a_response_without_any_time_is_told_by_both_ways(tmp_path: Path) -> None:
    path = database(tmp_path / "opencode.db", ({}, [asked(text("one")), answered(text("two"), cost=1.0)]))
    with sqlite3.connect(path) as db:
        db.execute("UPDATE message SET time_created = 0, data = json_remove(data, '$.time')")
    db.close()
    (source,) = sources(path)
    full, short = FileReport(path=""), FileReport(path="")
    assert not usage(events(source, full))
    assert not list(billed(source, report=short))
    assert full.skipped == short.skipped == {"missing_timestamp": 1}
