"""How the tokens of Claude Code are counted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from panscript.readers.claude import resolve, usage
from panscript.schemas.events import Message, Usage
from panscript.schemas.report import FileReport
from tests.builders import SESSION, START, assistant, events, read_rows, user, write_rows

FORK = "22222222-2222-4222-8222-222222222222"


def _counted(tmp_path: Path, *rows: Any, report: FileReport | None = None) -> list[Usage]:
    """The usage events of both ways of reading, which are the same."""
    full = [e for e in events(read_rows(tmp_path, rows, report=report)) if isinstance(e, Usage)]
    path = write_rows(tmp_path / f"{SESSION}.jsonl", rows)
    fast = FileReport(path="")
    assert list(usage(resolve(str(path)), report=fast)) == full
    assert fast.scan == "usage"
    return full


def _outputs(tmp_path: Path, *rows: Any, report: FileReport | None = None) -> list[int]:
    return [event.tokens.output for event in _counted(tmp_path, *rows, report=report)]


@pytest.mark.parametrize(
    ("parts", "counted"),
    [
        ([(1, None), (9, "end_turn"), (1, None)], [9]),
        ([(1, None), (50, None), (9, "end_turn")], [9]),
        ([(1, None), (50, None), (2, None)], [50]),
        ([(5, "end_turn"), (7, "end_turn")], [7]),
    ],
    ids=["a stop reason", "a stop reason before the greatest", "the greatest", "the greatest of those that stopped"],
)
def test_one_response_counts_once(tmp_path: Path, parts: list[tuple[int, str | None]], counted: list[int]) -> None:
    rows = [assistant(f"a{n}", None, "x", n, message="m", output=o, stop=s) for n, (o, s) in enumerate(parts)]
    assert _outputs(tmp_path, *rows) == counted


def test_of_equal_counts_the_last_row_is_the_one(tmp_path: Path) -> None:
    (event,) = _counted(tmp_path, *(assistant(f"a{n}", None, "x", n, message="m") for n in range(3)))
    assert (event.id, event.time) == ("usage:3", START + 2000)


def test_a_retry_under_a_new_request_id_counts_apart(tmp_path: Path) -> None:
    rows = [
        assistant("a", None, "x", message="m", request="r1"),
        assistant("b", "a", "x", 1, message="m", request="r2"),
    ]
    assert len(_counted(tmp_path, *rows)) == 2


def test_without_a_request_id_the_message_id_alone_is_the_key(tmp_path: Path) -> None:
    rows = [assistant(n, None, "x", message="m", request=None) for n in "abc"]
    (event,) = _counted(tmp_path, *rows)
    assert (event.message_id, event.request_id) == ("m", None)


def test_the_request_id_in_snake_case_is_one_too(tmp_path: Path) -> None:
    (event,) = _counted(tmp_path, assistant("a", None, "x", request=None, request_id="r"))
    assert event.request_id == "r"


def test_without_a_message_id_each_row_counts(tmp_path: Path) -> None:
    rows = [assistant(n, None, "x", request=None) for n in "abab"]
    for one in rows:
        del one["message"]["id"]
    assert len(_counted(tmp_path, *rows)) == 2


def test_a_sub_agents_replay_of_the_main_conversation_is_not_counted(tmp_path: Path) -> None:
    rows = [
        assistant("s1", None, "x", message="m", request="other", isSidechain=True, agentId="k", output=3),
        assistant("a", None, "x", 1, message="m", output=4),
        assistant("s2", None, "x", 2, message="own", isSidechain=True, agentId="k", output=5),
    ]
    counted = _counted(tmp_path, *rows)
    assert [(e.tokens.output, e.agent_id) for e in counted] == [(4, None), (5, "k")]


def test_tokens_are_disjoint(tmp_path: Path) -> None:
    row = assistant("a", None, "x")
    row["message"]["usage"] = {
        "input_tokens": 10,
        "output_tokens": 20,
        "cache_read_input_tokens": 30,
        "cache_creation_input_tokens": 40,
        "cache_creation": {"ephemeral_5m_input_tokens": 25, "ephemeral_1h_input_tokens": 15},
        "output_tokens_details": {"thinking_tokens": 99},
        "iterations": [{"input_tokens": 1000}],
    }
    (event,) = _counted(tmp_path, row)
    tokens = event.tokens
    assert (tokens.input, tokens.output, tokens.cache_read, tokens.cache_write) == (10, 20, 30, 40)
    assert (tokens.cache_write_1h, tokens.reasoning, tokens.total) == (15, 20, 100)
    assert (event.provider, event.model, event.single_request) == ("anthropic", "claude-sonnet-4-5", True)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"message": None}, "invalid_assistant_message"),
        ({"isApiErrorMessage": True}, "synthetic_message"),
        ({"timestamp": "soon"}, "invalid_timestamp"),
        ({"message": {"id": "m", "usage": {"input_tokens": 0}}}, "no_token_usage"),
        ({"message": {"id": "m", "usage": {"input_tokens": -5, "output_tokens": "many"}}}, "no_token_usage"),
        ({"message": {"id": "m", "model": "<synthetic>", "usage": {"input_tokens": 9}}}, "synthetic_message"),
    ],
)
def test_rows_that_count_nothing_say_why(tmp_path: Path, change: dict[str, Any], code: str) -> None:
    report = FileReport(path="")
    row = {**assistant("a", None, "x"), **change}
    read_rows(tmp_path, [user("u", None, "x"), row], report=report)
    assert report.skipped[code] == 1
    assert _counted(tmp_path, user("u", None, "x"), row) == []


def test_copies_of_usage_in_other_places_are_no_usage(tmp_path: Path) -> None:
    tokens = {"input_tokens": 5, "output_tokens": 5}
    rows = [
        user("u", None, "x", toolUseResult={"usage": tokens}),
        {"type": "progress", "uuid": "p", "parentUuid": "u", "data": {"message": {"usage": tokens}}},
        {"type": "cost-state", "sessionId": SESSION, "modelUsage": {"m": tokens}, "usage": tokens},
        {"type": "api-request", "sessionId": SESSION, "message": {"usage": tokens}},
    ]
    assert _counted(tmp_path, *rows) == []


def test_events_are_sorted_by_time(tmp_path: Path) -> None:
    rows = [assistant("a", None, "x", 5), assistant("b", "a", "x", 1), assistant("c", "b", "x", 5)]
    assert [e.message_id for e in _counted(tmp_path, *rows)] == ["msg_b", "msg_a", "msg_c"]


def test_a_damaged_line_counts_nothing_and_is_counted_where_it_could_hold_usage(tmp_path: Path) -> None:
    torn = b'{"type":"assistant","message":{"usage":{"output_tokens":7}\n'
    rows = [user("u", None, "x"), torn, b'{"type":"user\n', assistant("a", "u", "x")]
    report = FileReport(path="")
    assert _outputs(tmp_path, *rows, report=report) == [5]
    assert report.skipped == {"json_parse_error": 1, "other_json_parse_error": 1}
    fast = FileReport(path="")
    list(usage(resolve(str(write_rows(tmp_path / f"{SESSION}.jsonl", rows))), report=fast))
    assert (fast.skipped, fast.skipped_lines) == ({"json_parse_error": 1}, 1)


def test_raw_records_come_along_when_asked_for(tmp_path: Path) -> None:
    row = assistant("a", None, "x")
    (event,) = [e for e in events(read_rows(tmp_path, [row], raw=True)) if isinstance(e, Usage)]
    assert b'"msg_a"' in bytes(event.raw)


COPIED = [
    user("u1", None, "one"),
    assistant("a1", "u1", "x", 1, requestSessionId=FORK),
    user("u2", "a1", "two", 2),
    assistant("a2", "u2", "x", 3, requestSessionId=FORK),
]
OWN = [user("u3", "a2", "three", 4), assistant("a3", "u3", "x", 5)]


def test_what_a_fork_copied_is_its_parents(tmp_path: Path) -> None:
    records = read_rows(tmp_path, [*COPIED, *OWN])
    assert [r.kind for r in records] == ["inherited"] * 4 + ["used"] * 2 + ["end"]
    marks = [e.inherited_from for e in events(records) if isinstance(e, Message)]
    assert marks == [FORK] * 4 + [None] * 2
    assert [e.message_id for e in _counted(tmp_path, *COPIED, *OWN)] == ["msg_a3"]


def test_every_row_before_one_marked_as_copied_is_a_copy(tmp_path: Path) -> None:
    mark = {"forkedFrom": {"sessionId": FORK, "messageUuid": "x"}}
    rows = [user("u1", None, "one"), assistant("a1", "u1", "x"), user("u2", "a1", "two", 2, **mark), *OWN]
    assert [e.message_id for e in _counted(tmp_path, *rows)] == ["msg_a3"]


def test_a_session_that_names_itself_is_no_fork(tmp_path: Path) -> None:
    rows = [user("u", None, "x"), assistant("a", "u", "x", requestSessionId=SESSION)]
    assert len(_counted(tmp_path, *rows)) == 1


def test_a_replay_of_a_copied_response_by_a_sub_agent_is_not_counted(tmp_path: Path) -> None:
    replay = assistant("s", None, "x", 9, message="msg_a1", request="new", isSidechain=True, agentId="k")
    assert [e.message_id for e in _counted(tmp_path, *COPIED, *OWN, replay)] == ["msg_a3"]


def test_rows_that_are_logged_again_after_a_fork_do_not_take_its_own_counts_away(tmp_path: Path) -> None:
    assert [e.message_id for e in _counted(tmp_path, *COPIED, *OWN, *COPIED)] == ["msg_a3"]
