"""What Antigravity's requests cost."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from panscript.readers.antigravity.wire import WireError, fields
from panscript.readers.opening import open_source, recognise
from panscript.schemas.events import Message, Tokens, Usage
from panscript.schemas.report import FileReport
from tests.readers.antigravity.making import (
    BEGAN,
    ID,
    database,
    line,
    log,
    message,
    prompt,
    request,
    said,
    sources,
    stamp,
)


def billed(root: Path, report: FileReport | None = None) -> list[Usage]:
    (source,) = sources(root)
    return [event for event in said(source, report, raw=True) if isinstance(event, Usage)]


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        (
            ((2, 2000), (3, 90), (5, 1500), (9, 60), (10, 30)),
            Tokens(input=2000, output=90, reasoning=30, cache_read=1500, total=3590),
        ),
        (((2, 10), (9, 5), (10, 3)), Tokens(input=10, output=8, reasoning=3, total=18)),
        (((2, 10), (4, 7)), Tokens(input=10, total=10)),
    ],
)
def test_counts(tmp_path: Path, usage: tuple[tuple[int, int], ...], expected: Tokens) -> None:
    database(tmp_path, requests=[request(*usage, (11, "r1"))])
    (found,) = billed(tmp_path)
    assert found.tokens == expected
    assert (found.model, found.provider, found.message_id, found.single_request) == ("gemini-3-pro", None, "r1", True)
    assert found.time == (BEGAN + 1) * 1000 + 250


def test_a_response_counts_once(tmp_path: Path) -> None:
    database(
        tmp_path,
        requests=[request((2, 5), (11, "r1")), request((2, 5), (11, "r1")), request((2, 5)), request((2, 5))],
    )
    assert [event.id for event in billed(tmp_path)] == ["usage:1", "usage:3", "usage:4"]


def test_a_response_that_could_not_be_counted_is_known(tmp_path: Path) -> None:
    report = FileReport(path="")
    database(tmp_path, requests=[request((11, "r1")), request((2, 5), (11, "r1"))])
    assert billed(tmp_path, report) == []
    assert report.skipped == {"no_token_usage": 1}


def test_what_cannot_be_counted_is_said(tmp_path: Path) -> None:
    report = FileReport(path="")
    torn = request((2, 5))[:-3]
    nothing = message((2, 1))
    database(
        tmp_path, requests=[b"\xff", torn, nothing, None, message((1, message((3, 1)))), request((2, 5), seconds=None)]
    )
    assert billed(tmp_path, report) == []
    assert report.skipped == {"invalid_payload": 4, "no_token_usage": 1, "invalid_timestamp": 1}


def test_a_request_without_a_time_has_that_of_the_conversation(tmp_path: Path) -> None:
    database(tmp_path, requests=[request((2, 5), seconds=None)], about=message((2, stamp(7))))
    assert [event.time for event in billed(tmp_path)] == [(BEGAN + 7) * 1000]


def test_other_fields_of_any_kind_are_stepped_over(tmp_path: Path) -> None:
    other = b"\x09" + bytes(8) + b"\x15" + bytes(4)
    database(tmp_path, requests=[other + request((2, 5))])
    assert [event.tokens.input for event in billed(tmp_path)] == [5]


def test_a_database_without_requests_costs_nothing(tmp_path: Path) -> None:
    database(tmp_path, requests=None)
    report = FileReport(path="")
    assert billed(tmp_path, report) == []
    assert not report.skipped


@pytest.mark.parametrize("packed", [False, True])
def test_counts_stand_on_the_answer_that_came_of_the_request(tmp_path: Path, packed: bool) -> None:
    row = request((2, 5), (11, "r1"), steps=() if packed else (1, 2))
    database(tmp_path, requests=[row + (message((2, b"\x01\x02")) if packed else b""), request((2, 6), steps=[9])])
    log(tmp_path, [prompt(0, "hello"), line(1, "PLANNER_RESPONSE", "hi")])
    (source,) = sources(tmp_path)
    (answer,) = (event for event in said(source) if isinstance(event, Message) and event.role == "assistant")
    assert (answer.tokens, answer.model, answer.message_id) == (Tokens(input=5, total=5), "gemini-3-pro", "r1")
    assert [event.told for event in billed(tmp_path)] == [True, False]
    assert [event.id for event in said(source, told_usage=False) if isinstance(event, Usage)] == ["usage:2"]


@pytest.mark.parametrize("data", [b"\x08", b"\x0a\x05a", b"\x03", b"\x00\x01", b"\xff" * 11, b"\x09\x01"])
def test_bytes_that_are_no_message(data: bytes) -> None:
    with pytest.raises(WireError):
        fields(data)
    assert fields(b"\x08\x05" + data, whole=False).number(1) == 5


def test_a_database_without_requests_is_one_all_the_same(tmp_path: Path) -> None:
    for table in ("trajectory_meta", "trajectory_metadata_blob"):
        path = tmp_path / table / "conversations" / f"{ID}.db"
        path.parent.mkdir(parents=True)
        connection = sqlite3.connect(path)
        connection.execute(f"CREATE TABLE {table} (id text PRIMARY KEY, data blob)")
        connection.close()
        assert recognise(str(path)) == "antigravity"
        report = FileReport(path="")
        assert [type(event).__name__ for event in said(open_source(str(path)), report)] == ["Session", "End"]
        assert (report.skipped, report.complete) == ({}, True)
