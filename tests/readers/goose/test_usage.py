"""What a Goose session was billed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from panscript.cli.everything import read_everything
from panscript.readers.context import Context
from panscript.schemas.events import Tokens, Usage
from panscript.schemas.report import FileReport
from tests.billing import same
from tests.readers.goose.making import BEGAN, database, events, said, sources, text
from tests.repository import ROOT

COLUMNS = ("total", "input", "output")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "sessions.db"


def billed(path: Path, report: FileReport | None = None, **options: bool) -> list[Usage]:
    """The events; the short way to what was billed gives the same each time."""
    for source in sources(path):
        same(source)
    return [event for event in events(path, report, **options) if isinstance(event, Usage)]


def session(
    accumulated: tuple[int | None, ...], latest: tuple[int | None, ...] = (1, 1, 1), **more: Any
) -> dict[str, Any]:
    counts = {f"accumulated_{name}_tokens": number for name, number in zip(COLUMNS, accumulated, strict=True)}
    return counts | {f"{name}_tokens": number for name, number in zip(COLUMNS, latest, strict=True)} | more


def test_the_real_session_was_billed_two_requests() -> None:
    home = ROOT / "fixtures/goose/home"
    (line,) = read_everything(Context.at(home), agents=["goose"], kinds=["usage"])
    assert (line.input_tokens, line.output_tokens, line.total_tokens) == (2400, 90, 2490)  # type: ignore[union-attr]
    assert not line.single_request  # type: ignore[union-attr]


def test_the_totals_of_the_session_count_not_those_of_its_last_request(path: Path) -> None:
    database(path, sessions=[session((1300, 1000, 250), (150, 100, 50))])
    (event,) = billed(path)
    assert event.tokens == Tokens(input=1000, output=300, reasoning=50, total=1300)
    assert (event.model, event.provider, event.time) == ("gpt-9", "openai", BEGAN * 1000)
    assert not event.single_request


def test_without_totals_the_last_request_counts(path: Path) -> None:
    database(path, sessions=[session((None, None, None), (15, 10, 5))])
    assert [event.tokens for event in billed(path)] == [Tokens(input=10, output=5, total=15)]


def test_cached_tokens_are_part_of_the_input(path: Path) -> None:
    cached: dict[str, Any] = {"accumulated_cache_read_tokens": 700, "accumulated_cache_write_tokens": 100}
    database(path, sessions=[session((1050, 1000, 50), **cached)])
    expected = Tokens(input=200, output=50, cache_read=700, cache_write=100, total=1050)
    assert [event.tokens for event in billed(path)] == [expected]


def test_cached_tokens_that_cannot_be_part_of_the_input_stand_beside_it(path: Path) -> None:
    database(path, sessions=[session((1050, 100, 50), accumulated_cache_read_tokens=900)])
    expected = Tokens(input=100, output=50, cache_read=900, total=1050)
    assert [event.tokens for event in billed(path)] == [expected]


def test_a_cost(path: Path) -> None:
    database(path, sessions=[session((15, 10, 5), accumulated_cost=0.25)])
    assert billed(path)[0].tokens.cost == 0.25


@pytest.mark.parametrize("config", [None, "", " "])
def test_a_session_that_names_no_model_is_not_counted(path: Path, config: str | None) -> None:
    report = FileReport(path="")
    database(path, sessions=[session((15, 10, 5), model_config_json=config)])
    assert billed(path, report) == []
    assert report.skipped == {}


@pytest.mark.parametrize("config", ["no json", "[1]", '"x"'])
def test_a_model_that_cannot_be_read_is_said_and_the_tokens_count(path: Path, config: str) -> None:
    report = FileReport(path="")
    database(path, sessions=[session((15, 10, 5), model_config_json=config)])
    assert [(event.model, event.tokens.total) for event in billed(path, report)] == [(None, 15)]
    assert report.skipped == {"invalid_model_config": 1}


def test_a_session_without_tokens(path: Path) -> None:
    report = FileReport(path="")
    database(path, sessions=[session((None,) * 3, (None,) * 3)])
    assert billed(path, report) == []
    assert report.skipped == {"no_token_usage": 1}


def test_without_a_time_that_of_the_first_message_counts(path: Path) -> None:
    database(path, [said("user", text("x"))], sessions=[session((15, 10, 5), created_at="soon")])
    assert [event.time for event in billed(path)] == [BEGAN * 1000]


def test_without_any_time_nothing_is_counted(path: Path) -> None:
    report = FileReport(path="")
    database(path, sessions=[session((15, 10, 5), created_at="soon")])
    assert billed(path, report) == []
    assert report.skipped == {"invalid_timestamp": 1}


def test_each_request_of_the_ledger_is_counted_by_itself(path: Path) -> None:
    ledger = [
        {"model": "GPT-9", "input_tokens": 600, "output_tokens": 20, "total_tokens": 620, "cache_read_tokens": 500},
        {"model": "small", "input_tokens": 400, "output_tokens": 30, "total_tokens": 430, "cost": 0.1},
    ]
    totals = session((1050, 1000, 50), accumulated_cache_read_tokens=500, accumulated_cost=0.1)
    database(path, sessions=[totals], ledger=ledger)
    found = billed(path)
    assert [(event.model, event.time, event.single_request) for event in found] == [
        ("gpt-9", BEGAN * 1000, True),
        ("small", (BEGAN + 1) * 1000, True),
    ]
    assert [event.tokens for event in found] == [
        Tokens(input=100, output=20, cache_read=500, total=620),
        Tokens(input=400, output=30, total=430, cost=0.1),
    ]


def test_what_was_used_before_there_was_a_ledger_is_counted_too(path: Path) -> None:
    ledger = [{"model": "gpt-9", "input_tokens": 400, "output_tokens": 30, "total_tokens": 430, "cost": 0.1}]
    database(path, sessions=[session((1050, 1000, 50), accumulated_cost=0.3)], ledger=ledger)
    found = billed(path)
    assert [event.tokens for event in found] == [
        Tokens(input=400, output=30, total=430, cost=0.1),
        Tokens(input=600, output=20, total=620, cost=0.2),
    ]
    assert [event.single_request for event in found] == [True, False]


def test_a_ledger_with_more_than_the_totals_counts(path: Path) -> None:
    ledger = [{"model": "gpt-9", "input_tokens": 400, "output_tokens": 30, "total_tokens": 430}] * 3
    database(path, sessions=[session((430, 400, 30))], ledger=ledger)
    assert [event.tokens.total for event in billed(path)] == [430] * 3


def test_what_was_carried_forward_is_no_request(path: Path) -> None:
    ledger = [{"input_tokens": 10, "output_tokens": 5, "total_tokens": 15, "cost_source": "carried_forward"}, {}]
    report = FileReport(path="")
    database(path, ledger=ledger)
    assert [(event.single_request, event.model) for event in billed(path, report)] == [(False, "gpt-9")]
    assert report.skipped == {"no_token_usage": 1}


def test_usage_with_its_record_and_no_usage_at_all(path: Path) -> None:
    database(path, ledger=[{"input_tokens": 10, "output_tokens": 1, "total_tokens": 11}])
    assert all(json.loads(bytes(event.raw)) for event in billed(path, raw=True))
    assert billed(path, usage=False) == []
