"""What Copilot's telemetry says of costs, and whose they are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from panscript.readers.context import Context
from panscript.readers.copilot import read
from panscript.readers.copilot.otel import telemetry
from panscript.readers.discovery import discover
from panscript.readers.options import ReadOptions
from panscript.schemas.errors import PanscriptError
from panscript.schemas.events import Event, Message, Session, Usage
from panscript.schemas.records import Source
from panscript.schemas.report import FileReport
from tests.readers.copilot.logs import START, answer, events, export, span, start, user, write


def _raise(problem: PanscriptError) -> None:
    raise problem


def _found(home: Path, **variables: str) -> list[Source]:
    return list(discover(Context(home, variables), ["copilot"], _raise))


def _read(source: Source, report: FileReport | None = None, **options: bool) -> list[Event]:
    account = report if report is not None else FileReport(path="")
    return [each for record in read(source, report=account, options=ReadOptions(**options)) for each in record.events]


def _usage(found: list[Event]) -> list[Usage]:
    return [each for each in found if isinstance(each, Usage)]


def _with(row: dict[str, Any], **attributes: Any) -> dict[str, Any]:
    """The same record with other attributes; None takes one out."""
    merged = row["attributes"] | {name.replace("__", "."): value for name, value in attributes.items()}
    return row | {"attributes": {name: value for name, value in merged.items() if value is not None}}


def test_the_prompt_as_logged_holds_what_the_cache_gave_and_took(tmp_path: Path) -> None:
    (found,) = _usage(events(export(tmp_path, [span("s1", 1)])))

    tokens = found.tokens
    assert (tokens.input, tokens.cache_read, tokens.cache_write) == (250, 700, 50)
    assert (tokens.output, tokens.reasoning, tokens.total) == (80, 12, 1080)
    assert (found.model, found.provider, found.cwd, found.message_id) == ("gpt-5.2", None, None, "r1")
    assert found.time == START + 1500


def test_a_total_that_is_declared_counts(tmp_path: Path) -> None:
    row = _with(span("s1", 1), **{"gen_ai.usage.total_tokens": 2000})

    assert _usage(events(export(tmp_path, [row])))[0].tokens.total == 2000


def test_values_may_be_wrapped_and_counts_text(tmp_path: Path) -> None:
    row = _with(
        span("s1", 1),
        **{
            "gen_ai.conversation.id": {"stringValue": "other"},
            "gen_ai.usage.input_tokens": {"value": "900"},
            "gen_ai.usage.cache_read.input_tokens": None,
            "gen_ai.usage.cache_read_input_tokens": {"intValue": "800"},
            "gen_ai.usage.cache_write.input_tokens": None,
            "gen_ai.usage.cache_creation_input_tokens": 60,
        },
    )

    (found,) = telemetry(str(export(tmp_path, [row]))).counted

    assert (found.session, found.tokens.input, found.tokens.cache_read, found.tokens.cache_write) == (
        "other",
        40,
        800,
        60,
    )


def test_of_records_of_one_request_the_most_exact_counts(tmp_path: Path) -> None:
    roll_up = _with(span("s0", 1, name="invoke_agent"), **{"gen_ai.operation.name": "invoke_agent"})
    log = _with(span("s2", 9, name=None, body="GenAI inference: gpt-5.2"), **{"gen_ai.operation.name": None})
    same_response = _with(log, **{"gen_ai.response.id": "r1"})
    turn = _with(span("s3", 9, name=None, body="copilot_chat.agent.turn 1"), **{"gen_ai.operation.name": None})
    tool = _with(span("s4", 1, name="execute_tool bash"), **{"gen_ai.operation.name": "execute_tool"})

    found = telemetry(str(export(tmp_path, [roll_up, same_response, span("s1", 1), span("s1", 1), log, turn, tool])))

    assert [(each.line, each.rank) for each in found.counted] == [(3, 1), (5, 2)]


def test_spans_of_one_trace_are_requests_of_their_own(tmp_path: Path) -> None:
    rows = [span("s1", 1), span("s2", 2, traceId="t1")]

    assert len(_usage(events(export(tmp_path, rows)))) == 2


@pytest.mark.parametrize(
    ("times", "meant"),
    [
        ({"endTime": None, "startTime": [1778227208, 0]}, 1778227208000),
        ({"endTime": None, "startTime": None, "hrTime": [1778227208, 1_000_000]}, 1778227208001),
        ({"endTime": "2026-05-08T08:00:10.500Z"}, 1778227210500),
        ({"endTime": None, "startTime": None, "timestamp": 1778227208}, 1778227208000),
        ({"endTime": None, "startTime": None, "timeUnixNano": "1778227208000000000"}, 1778227208000),
        ({"endTime": [1, 2, 3], "startTime": None}, None),
    ],
)
def test_times_are_read_in_every_form(tmp_path: Path, times: dict[str, Any], meant: int | None) -> None:
    report = FileReport(path="")

    found = _usage(events(export(tmp_path, [span("s1", 1, **times)]), report))

    assert [each.time for each in found] == ([meant] if meant is not None else [])
    assert report.skipped == ({} if meant is not None else {"invalid_timestamp": 1})


def test_a_request_without_tokens_is_counted_as_such(tmp_path: Path) -> None:
    names = ("input_tokens", "output_tokens", "cache_read.input_tokens", "cache_write.input_tokens")
    empty = _with(span("s1", 1), **{f"gen_ai.usage.{name}": None for name in (*names, "reasoning.output_tokens")})
    report = FileReport(path="")

    assert _usage(events(export(tmp_path, [empty]), report)) == []
    assert report.skipped == {"no_token_usage": 1}


def test_a_session_has_the_costs_that_telemetry_tells_of_it(tmp_path: Path) -> None:
    export(tmp_path, [span("s1", 1), span("s2", 2, "cop-2")])
    export(tmp_path, [span("s3", 3)], "sub/b.jsonl")
    path = write(tmp_path, [start(), user(1, "hi"), answer(2, "ok", apiCallId="r1")])

    sources = _found(tmp_path)
    by_id = {source.id: source for source in sources}

    assert [source.id for source in sources] == ["cop-2", "cop-1"]
    found = _read(by_id["cop-1"])
    assert [each.message_id for each in _usage(found)] == ["r1", "r3"]
    assert [each.told for each in _usage(found)] == [True, False]
    assert [each.tokens is not None for each in found if isinstance(each, Message)] == [False, True]
    assert _usage(events(path)) == _usage(found)
    other = _read(by_id["cop-2"])
    assert isinstance(other[0], Session)
    assert (other[0].session_id, [each.message_id for each in _usage(other)]) == ("cop-2", ["r2"])


def test_counts_that_a_message_carries_are_told_once_where_it_is_asked_for(tmp_path: Path) -> None:
    export(tmp_path, [span("s1", 1)])
    path = write(tmp_path, [start(), user(1, "hi"), answer(2, "ok", apiCallId="r1")])

    assert _usage(events(path, told_usage=False)) == []


def test_telemetry_by_itself_tells_of_every_conversation_in_it(tmp_path: Path) -> None:
    path = export(tmp_path, [span("s1", 1), span("s2", 2, "cop-2")])

    found = events(path)

    assert [(each.session_id, each.message_id) for each in _usage(found)] == [("cop-1", "r1"), ("cop-2", "r2")]


def test_the_record_is_given_where_it_is_asked_for(tmp_path: Path) -> None:
    export(tmp_path, [span("s0", 7, "cop-2"), span("s1", 1)])
    path = write(tmp_path, [start(), user(1, "hi")])

    (found,) = _usage(events(path, raw=True))

    assert b'"s1"' in bytes(found.raw)


def test_the_file_that_a_variable_names_is_read_once(tmp_path: Path) -> None:
    inside = export(tmp_path, [span("s1", 1)])
    outside = tmp_path / "elsewhere.log"
    outside.write_bytes(export(tmp_path / "x", [span("s2", 2, "cop-2")]).read_bytes())

    assert [source.id for source in _found(tmp_path, COPILOT_OTEL_FILE_EXPORTER_PATH=str(outside))] == [
        "cop-1",
        "cop-2",
    ]
    assert [source.id for source in _found(tmp_path, COPILOT_OTEL_FILE_EXPORTER_PATH=str(inside))] == ["cop-1"]


def test_a_damaged_line_of_telemetry_costs_itself(tmp_path: Path) -> None:
    path = export(tmp_path, [span("s1", 1), span("s2", 2)])
    path.write_bytes(path.read_bytes().replace(b'{"type": "span", "traceId": "t1"', b'{"type": "span, "traceId": "t1"'))
    report = FileReport(path="")

    assert [each.message_id for each in _usage(events(path, report))] == ["r2"]
    assert report.skipped == {"json_parse_error": 1}


def test_metrics_are_sums_and_never_counted(tmp_path: Path) -> None:
    metric = {
        "type": "metric",
        "name": "x",
        "dataPoints": [{"attributes": {"gen_ai.operation.name": "chat"}, "value": 9}],
    }

    assert len(_usage(events(export(tmp_path, [metric, span("s1", 1)])))) == 1
