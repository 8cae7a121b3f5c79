"""What counts as billed, and what its events say."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from panscript.readers.pi import resolve, usage
from panscript.schemas.events import Event, Message, Usage
from panscript.schemas.report import FileReport
from panscript.stages.projections import project
from tests.readers.pi.sessions import HEADER, answer, at, entry, events, prompt, read_file, session, write_file
from tests.repository import ROOT

FIXTURES = ROOT / "fixtures/pi"
COUNTS = {"input": 10, "output": 4, "cacheRead": 2, "cacheWrite": 1}


def _billed(path: Path, **options: bool) -> list[Usage]:
    return [event for event in events(path, **options) if isinstance(event, Usage)]


@pytest.mark.parametrize(
    ("name", "tokens", "cost"),
    [
        ("agent-run", (800, 160, 4000, 0), 0.006),
        ("compacted", (4900, 175, 0, 0), 0.017325),
        ("entry-v1", (60, 12, 0, 0), 0.009),
        ("entry-v2", (4, 1, 0, 0), 0.003),
        ("forked", (2100, 72, 0, 0), 0.00738),
        ("import-recommended", (0, 0, 0, 0), 0.0),
        ("tree", (3000, 102, 0, 0), 0.01053),
    ],
)
def test_totals_are_those_that_pi_itself_shows(name: str, tokens: tuple[int, ...], cost: float) -> None:
    found = [event.tokens for event in _billed(FIXTURES / f"{name}.jsonl")]
    sums = tuple(sum(getattr(t, bucket) for t in found) for bucket in ("input", "output", "cache_read", "cache_write"))
    assert sums == tokens
    assert sum(t.cost or 0 for t in found) == pytest.approx(cost)


def _one(tmp_path: Path, *rows: dict[str, Any], header: dict[str, Any] | None = None) -> Usage:
    [found] = _billed(write_file(tmp_path, [header or HEADER, *rows]))
    return found


def test_counts_on_the_line_win_over_those_of_the_message(tmp_path: Path) -> None:
    row = answer("a", None, "x", usage={"input": 1, "output": 1}) | {"usage": {"input": 9, "output": 3}}
    found = _one(tmp_path, row)
    assert (found.tokens.input, found.tokens.output, found.tokens.total) == (9, 3, 12)
    assert [e.tokens for e in events(write_file(tmp_path, [HEADER, row])) if isinstance(e, Message)] == [found.tokens]


@pytest.mark.parametrize("name", ["reasoning", "reasoningTokens", "reasoningOutput", "outputReasoning"])
def test_reasoning_has_had_four_names(tmp_path: Path, name: str) -> None:
    assert _one(tmp_path, answer("a", None, "x", usage=COUNTS | {name: 3})).tokens.reasoning == 3


@pytest.mark.parametrize(("declared", "total"), [(99, 99), (0, 17), (None, 17), ("20", 20)])
def test_a_declared_total_counts_when_there_is_one(tmp_path: Path, declared: object, total: int) -> None:
    assert _one(tmp_path, answer("a", None, "x", usage=COUNTS | {"totalTokens": declared})).tokens.total == total


@pytest.mark.parametrize(
    ("cost", "dollars"),
    [({"total": 0.5}, 0.5), ({"total": -1}, 0.0), ({"total": "0.25"}, 0.25), ({"total": " "}, None), ({}, None)],
)
def test_a_cost_is_a_number_that_was_recorded(tmp_path: Path, cost: dict[str, object], dollars: float | None) -> None:
    assert _one(tmp_path, answer("a", None, "x", usage=COUNTS | {"cost": cost})).tokens.cost == dollars


def test_the_model_is_the_messages_else_the_one_last_chosen(tmp_path: Path) -> None:
    change = entry("model_change", "m", None, provider="openai-codex", modelId="GPT-5")
    tool = {"role": "toolResult", "toolCallId": "x", "content": [], "usage": COUNTS}
    rows = [HEADER, change, answer("a", "m", "x", usage=COUNTS), entry("message", "b", "a", message=tool)]
    found = _billed(write_file(tmp_path, rows))
    assert [(e.model, e.provider, e.raw_provider) for e in found] == [
        ("demo-1", "demo", "demo"),
        ("gpt-5", "openai", "openai-codex"),
    ]
    assert [(e.told, e.single_request) for e in found] == [(True, True), (False, False)]


def test_usage_entries_and_summaries_are_counted(tmp_path: Path) -> None:
    rows = [
        HEADER,
        prompt("a", None, "one"),
        entry("usage", "b", "a", kind="cache_warm", provider="demo", model="warm", usage=COUNTS),
        entry("branch_summary", "c", "b", fromId="a", summary="s", usage=COUNTS),
        entry("compaction", "d", "c", summary="s", firstKeptEntryId="d", tokensBefore=1, usage=COUNTS),
    ]
    found = _billed(write_file(tmp_path, rows))
    assert [(e.model, e.told) for e in found] == [("warm", False), (None, False), (None, False)]


def test_the_folder_is_that_of_the_line_the_message_or_the_header(tmp_path: Path) -> None:
    rows = [
        HEADER | {"path": {"root": "/repo", "cwd": "/repo/a"}},
        answer("a", None, "x", usage=COUNTS),
        answer("b", "a", "x", usage=COUNTS, cwd="/message"),
        answer("c", "b", "x", usage=COUNTS, cwd="/message") | {"cwd": "/line"},
    ]
    assert [event.cwd for event in _billed(write_file(tmp_path, rows))] == ["/repo", "/message", "/line"]


def test_a_time_is_the_lines_the_messages_or_the_headers(tmp_path: Path) -> None:
    bare = answer("a", None, "x", usage=COUNTS) | {"timestamp": "soon"}
    timed = answer("b", "a", "x", usage=COUNTS, timestamp=1767261700000) | {"timestamp": None}
    found = _billed(write_file(tmp_path, [HEADER, bare, timed]))
    assert [event.time for event in found] == [1767261600000, 1767261700000]


def test_what_cannot_be_counted_is_skipped_with_a_reason(tmp_path: Path) -> None:
    rows: list[dict[str, Any] | bytes] = [
        {"type": "session", "version": 3, "id": "x"},
        answer("a", None, "x", usage={"input": 0, "output": 0}),
        answer("b", "a", "x", usage=COUNTS) | {"timestamp": None},
        b'{"type":"message","message":{"usage":\n',
        b'{"type":"message",\n',
    ]
    _, report = read_file(write_file(tmp_path, rows, "x.jsonl"))
    assert report.skipped == {
        "no_token_usage": 1,
        "invalid_timestamp": 1,
        "json_parse_error": 1,
        "other_json_parse_error": 1,
    }


def test_imported_messages_are_never_counted(tmp_path: Path) -> None:
    path = write_file(tmp_path, [HEADER, answer("a", None, "x", usage=COUNTS, api="imported-claude")])
    assert _billed(path) == []
    assert read_file(path)[1].skipped == {}


def test_counting_alone_looks_only_at_lines_that_may_count(tmp_path: Path) -> None:
    rows: list[dict[str, Any] | bytes] = [HEADER, prompt("a", None, "one"), b"broken\n"]
    rows += [answer("b", "a", "x", usage=COUNTS), b'{"usage" broken\n']
    path = write_file(tmp_path, rows)
    report = FileReport(path=str(path))
    assert list(usage(resolve(str(path)), report=report)) == _billed(path)
    assert (report.scan, report.skipped, report.records) == ("usage", {"json_parse_error": 1}, 0)


def test_usage_that_a_message_tells_can_be_left_out() -> None:
    path = FIXTURES / "compacted.jsonl"
    assert [event.tokens.input for event in _billed(path, told_usage=False)] == [400]
    assert _billed(path, usage=False) == []


def test_the_record_can_go_with_its_counts(tmp_path: Path) -> None:
    path = write_file(tmp_path, [HEADER, answer("a", None, "x", usage=COUNTS)])
    [found] = _billed(path, raw=True)
    assert bytes(found.raw) == path.read_bytes().splitlines()[1]


# Forks

PARENT, FORK = "5a00000a-0000-4000-8000-00000000000a", "5a00001b-0000-4000-8000-0000000010bb"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home folder with a session and its fork, which names its parent's file in a way that is not found."""
    shutil.copytree(ROOT / "fixtures/cases/fork-copies-parent-entries/home", tmp_path / "home")
    return tmp_path / "home"


def _files(home: Path) -> tuple[Path, Path]:
    parent, fork = sorted(home.rglob("*.jsonl"))
    return parent, fork


def _link(home: Path) -> Path:
    fork = _files(home)[1]
    fork.write_bytes(fork.read_bytes().replace(b"@HOME@", str(home).encode()))
    return fork


def test_a_fork_of_a_session_that_is_there_inherits_what_it_copied(home: Path) -> None:
    fork = _link(home)
    stream = events(fork)
    copied = [event.id for event in stream if event.inherited_from is not None]
    assert copied == ["b0000001", "meta:b0000002", "b0000002", "usage:3"]
    assert {event.inherited_from for event in stream} == {None, PARENT}
    assert session(fork).forked_from == PARENT
    assert [record.kind for record in read_file(fork)[0]] == ["used", "inherited", "inherited", "used", "used", "end"]


def test_what_a_fork_inherits_is_told_once_over_both_files(home: Path) -> None:
    _link(home)
    lines = [line for path in _files(home) for line in project(read_file(path)[0], kinds=("usage", "message"))]
    by_session = [(line.session_id, line.__struct_config__.tag) for line in lines]
    assert {key: by_session.count(key) for key in by_session} == {
        (PARENT, "message"): 4,
        (PARENT, "usage"): 2,
        (FORK, "message"): 2,
        (FORK, "usage"): 1,
    }


def _session_of(event: Event) -> str | None:
    return event.session_id if isinstance(event, Usage | Message) else None


def test_without_its_parent_a_fork_tells_what_it_copied_under_the_parents_id(home: Path) -> None:
    fork = _files(home)[1]
    stream = events(fork)
    assert [event.inherited_from for event in stream if event.inherited_from] == []
    told = [(event.id, _session_of(event)) for event in stream if isinstance(event, Usage | Message)]
    assert told == [
        ("b0000001", PARENT),
        ("b0000002", PARENT),
        ("usage:3", PARENT),
        ("b0000005", None),
        ("b0000006", None),
        ("usage:5", None),
    ]
    sessions = {line.session_id for line in project(read_file(fork)[0], kinds=("message", "usage"))}
    assert sessions == {PARENT, FORK}


def test_copies_are_equal_to_their_originals_so_that_they_can_be_told_apart_from_new_counts(home: Path) -> None:
    parent, fork = _files(home)
    [copy] = [event for event in _billed(fork) if event.session_id == PARENT]
    original = _billed(parent)[0]
    assert (copy.time, copy.tokens, copy.model, copy.provider, copy.message_id, copy.cwd) == (
        original.time,
        original.tokens,
        original.model,
        original.provider,
        original.message_id,
        original.cwd,
    )


def test_a_parent_named_relative_to_the_file_is_found(tmp_path: Path) -> None:
    write_file(tmp_path, [HEADER | {"id": "old"}], "old.jsonl")
    fork = write_file(tmp_path, [HEADER | {"timestamp": at(30), "parentSession": "old.jsonl"}, prompt("a", None, "x")])
    assert {event.inherited_from for event in events(fork) if isinstance(event, Message)} == {"old"}


def test_counting_alone_knows_forks_too(home: Path) -> None:
    for path in (_files(home)[1], _link(home)):
        assert list(usage(resolve(str(path)), report=FileReport(path=""))) == _billed(path)
