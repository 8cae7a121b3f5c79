"""What was billed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from panscript.readers.cline.reading import read
from panscript.schemas.events import Message, Usage
from panscript.schemas.report import FileReport
from tests.found import sources
from tests.readers.cline.tasks import START, assistant, events_of, only, request, shown, task, text, user


@pytest.mark.parametrize("agent", ["cline", "roocode", "kilocode"])
def test_a_request_of_the_hand_made_home_that_says_nothing_is_skipped(agent: str) -> None:
    (source,) = (source for source in sources(agent) if "usage-home" in source.path)
    report = FileReport(path="")
    list(read(source, report=report))
    assert report.skipped == {"no_token_usage": 1}


def test_each_session_is_billed_what_it_says_in_all() -> None:
    for source in sources("cline"):
        if "usage-home" in source.path:
            continue
        events = [event for record in read(source, report=FileReport(path="")) for event in record.events]
        billed = [event.tokens for event in events if isinstance(event, Usage)]
        classic = source.path.endswith("ui_messages.json")
        assert sum(each.input for each in billed) == (410 if classic else 400)
        assert sum(each.output for each in billed) == (75 if classic else 90)
        assert sum(each.cache_read for each in billed) == 2000
        cost = sum(each.cost or 0 for each in billed)
        assert cost == pytest.approx(0.0023 if classic else 0)
        told = [event.tokens for event in events if isinstance(event, Message) and event.tokens is not None]
        assert told == billed


@pytest.mark.parametrize(
    ("agent", "given", "fresh"),
    [("cline", 512, 512), ("roocode", 512, 12), ("kilocode", 512, 12), ("roocode", 400, 400)],
)
def test_whose_input_holds_what_caches_hold(tmp_path: Path, agent: str, given: int, fresh: int) -> None:
    used = {"tokensIn": given, "tokensOut": 1, "cacheReads": 400, "cacheWrites": 100}
    events = events_of(task(tmp_path, [user(text("x"))], [request(1, used=used)]), agent)
    assert only(events, Usage).tokens.input == fresh


def test_sub_agents_and_deleted_requests_count(tmp_path: Path) -> None:
    rows = [request(1), request(2, "subagent_usage"), request(3, "deleted_api_reqs")]
    events = events_of(task(tmp_path, [user(text("x"))], rows))
    assert [event.time for event in events if isinstance(event, Usage)] == [START + 1000, START + 2000, START + 3000]


def test_what_says_nothing_is_skipped(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [
        request(1, used={"request": "still running"}),
        request(2, used={"tokensIn": 0, "tokensOut": 0, "cost": 0}),
        shown(3, "api_req_started", "no JSON"),
        {"type": "say", "say": "api_req_started", "text": '{"tokensIn": 1}'},
    ]
    report = FileReport(path="")
    events = events_of(task(tmp_path, [user(text("x"))], rows), report=report)
    assert not [event for event in events if isinstance(event, Usage)]
    assert report.skipped == {"no_token_usage": 2, "invalid_payload": 1, "invalid_timestamp": 1}


def test_a_cost_alone_is_a_signal(tmp_path: Path) -> None:
    events = events_of(task(tmp_path, [user(text("x"))], [request(1, used={"cost": 0.5})]))
    assert only(events, Usage).tokens.cost == 0.5


def test_a_request_names_its_model_else_the_metadata_does(tmp_path: Path) -> None:
    info = {"modelId": "A", "providerId": "openai-native"}
    metadata = {"model_usage": [{"ts": START + 1500, "model_id": "B", "model_provider_id": "bedrock"}]}
    rows = [request(1, modelInfo=info), request(2)]
    events = events_of(task(tmp_path, [user(text("x"))], rows, task_metadata=metadata))
    found = [event for event in events if isinstance(event, Usage)]
    assert [(event.model, event.provider) for event in found] == [("a", "openai"), ("b", "bedrock")]


def test_responses_get_the_tokens_and_times_of_their_requests(tmp_path: Path) -> None:
    api = [user(text("<task>go</task>")), assistant(text("one")), user(text("<feedback>on</feedback>"))]
    api.append(assistant(text("two")))
    rows = [
        shown(0, "task", "go"),
        request(1, used={"tokensIn": 1}),
        shown(2, "text", "one"),
        shown(3, "user_feedback", "on"),
        request(4, used={"tokensIn": 2}),
        shown(5, "text", "two"),
    ]
    said = [event for event in events_of(task(tmp_path, api, rows)) if isinstance(event, Message)]
    assert [event.time for event in said] == [START, START + 2000, START + 4000, START + 5000]
    assert [event.tokens.input for event in said if event.tokens is not None] == [1, 2]


def test_a_request_made_again_is_counted_and_the_last_one_answered(tmp_path: Path) -> None:
    rows = [request(1, conversationHistoryIndex=0, used={"tokensIn": 1})]
    rows.append(request(2, conversationHistoryIndex=0, used={"tokensIn": 2}))
    api = [user(text("<task>go</task>")), assistant(text("one"))]
    events = events_of(task(tmp_path, api, rows))
    assert [(event.tokens.input, event.told) for event in events if isinstance(event, Usage)] == [(1, False), (2, True)]
    assert [e.tokens.input for e in events if isinstance(e, Message) and e.tokens is not None] == [2]
