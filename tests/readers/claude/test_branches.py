"""Which rows of a Claude Code transcript are one conversation."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from panscript.schemas.events import Compaction, Event, Message, ToolResult
from panscript.schemas.report import FileReport
from tests.builders import SESSION, assistant, call, events, read_rows, result_row, row, user

Rows = list[dict[str, Any]]


def _tree(stream: Iterable[Event]) -> dict[str, str | None]:
    """Parent of everything said."""
    return {e.id: e.parent for e in stream if isinstance(e, Message | ToolResult | Compaction)}


def _live(stream: Iterable[Event]) -> list[str]:
    return [e.id for e in stream if isinstance(e, Message | ToolResult | Compaction) and e.live]


LINEAR = [user("u1", None, "one"), assistant("a1", "u1", "1"), user("u2", "a1", "two"), assistant("a2", "u2", "2")]


def test_a_linear_session_is_one_chain(tmp_path: Path) -> None:
    assert _tree(events(read_rows(tmp_path, LINEAR))) == {"u1": None, "a1": "u1", "u2": "a1", "a2": "u2"}


def test_a_rewind_leaves_the_earlier_answer_behind(tmp_path: Path) -> None:
    rows = [*LINEAR, user("u3", "a1", "two again"), assistant("a3", "u3", "3")]
    stream = events(read_rows(tmp_path, rows))
    assert _tree(stream)["u3"] == "a1"
    assert _live(stream) == ["u1", "a1", "u3", "a3"]


def test_a_rewind_to_the_start_begins_another_conversation(tmp_path: Path) -> None:
    rows = [*LINEAR, user("u3", None, "anew"), assistant("a3", "u3", "3")]
    stream = events(read_rows(tmp_path, rows))
    assert _tree(stream)["u3"] is None
    assert _live(stream) == ["u3", "a3"]


def test_a_rewind_to_the_start_behind_an_attachment_is_one_too(tmp_path: Path) -> None:
    first = row("attachment", "x", None, attachment={"type": "environment"})
    rows = [
        first,
        user("u1", "x", "one"),
        assistant("a1", "u1", "1"),
        user("u2", "x", "other"),
        assistant("a2", "u2", "2"),
    ]
    report = FileReport(path="")
    stream = events(read_rows(tmp_path, rows, report=report))
    assert _tree(stream)["u2"] is None
    assert _live(stream) == ["u2", "a2"]
    assert report.warnings == []


def test_attachments_in_the_chain_are_stepped_over(tmp_path: Path) -> None:
    hook = row("attachment", "x", "u1", attachment={"type": "hook_success"})
    rows = [user("u1", None, "one"), hook, row("system", "y", "x", subtype="informational"), assistant("a1", "y", "1")]
    report = FileReport(path="")
    assert _tree(events(read_rows(tmp_path, rows, report=report))) == {"u1": None, "a1": "u1"}
    assert report.classes == {"used": 2, "state": 2}
    assert report.warnings == []


def test_parallel_results_that_hang_beside_the_chain_are_all_in_it(tmp_path: Path) -> None:
    rows = [
        user("u1", None, "go"),
        assistant("a1", "u1", [call("c1")], message="m", stop="tool_use"),
        assistant("a2", "a1", [call("c2")], message="m", stop="tool_use"),
        result_row("r1", "a1", "c1"),
        result_row("r2", "a2", "c2"),
        assistant("a3", "r2", "done"),
    ]
    stream = events(read_rows(tmp_path, rows))
    assert _live(stream) == ["u1", "a1", "a2", "r1", "r2", "a3"]
    assert _tree(stream)["a3"] == "r2"
    assert _tree(stream)["r2"] == "r1"


def test_a_result_between_two_blocks_of_one_response_does_not_split_it(tmp_path: Path) -> None:
    rows = [
        user("u1", None, "go"),
        assistant("a1", "u1", [call("c1")], message="m"),
        result_row("r1", "a1", "c1"),
        assistant("a2", "r1", "and", message="m"),
        user("u2", "a2", "next"),
    ]
    stream = events(read_rows(tmp_path, rows))
    assert _live(stream) == ["u1", "a1", "r1", "a2", "u2"]
    assert [(e.id, e.closes) for e in stream if isinstance(e, Message) and e.response] == [("a1", False), ("a2", True)]


def test_a_message_id_that_comes_back_after_another_prompt_is_another_response(tmp_path: Path) -> None:
    rows = [
        user("u1", None, "one"),
        assistant("a1", "u1", "1", message="m", request=None),
        user("u2", "a1", "two"),
        assistant("a2", "u2", "2", message="m", request=None),
    ]
    stream = events(read_rows(tmp_path, rows))
    assert all(e.closes for e in stream if isinstance(e, Message))


@pytest.mark.parametrize("parent", ["nowhere", "a2"], ids=["missing", "later"])
def test_a_parent_that_is_not_there_joins_the_record_before_and_is_reported(tmp_path: Path, parent: str) -> None:
    rows = [user("u1", None, "one"), assistant("a1", parent, "1"), user("u2", "a1", "two"), assistant("a2", "u2", "2")]
    report = FileReport(path="")
    stream = events(read_rows(tmp_path, rows, report=report))
    assert _tree(stream) == {"u1": None, "a1": "u1", "u2": "a1", "a2": "u2"}
    assert [w.code for w in report.warnings] == ["parent_missing"]


def test_a_circle_of_parents_is_read_in_file_order(tmp_path: Path) -> None:
    rows = [user("u1", "a1", "one"), assistant("a1", "u1", "1"), user("u2", "u2", "two")]
    assert _live(events(read_rows(tmp_path, rows))) == ["u1", "a1", "u2"]


def test_a_compaction_goes_on_from_what_it_replaced(tmp_path: Path) -> None:
    facts = {"trigger": "manual", "preTokens": 1234, "preservedSegment": {"headUuid": "a2", "tailUuid": "a2"}}
    boundary = row(
        "system", "b", None, subtype="compact_boundary", logicalParentUuid="a2", compactMetadata=facts, content="x"
    )
    rows = [*LINEAR, boundary, user("s", "b", "A summary.", isCompactSummary=True), assistant("a3", "s", "3")]
    stream = events(read_rows(tmp_path, rows))
    compaction = next(e for e in stream if isinstance(e, Compaction))
    assert (compaction.parent, compaction.summary, compaction.first_kept) == ("a2", "A summary.", "a2")
    assert (compaction.tokens_before, compaction.trigger) == (1234, "manual")
    assert _live(stream) == ["u1", "a1", "u2", "a2", "s", "s:1", "a3"]
    system = next(e for e in stream if e.id == "s:1")
    assert isinstance(system, Message)
    assert (system.role, system.injected) == ("system", "compaction_summary")


def test_rows_that_are_logged_again_are_twins(tmp_path: Path) -> None:
    report = FileReport(path="")
    records = read_rows(tmp_path, [*LINEAR, *LINEAR], report=report)
    assert report.classes == {"used": 4, "twin": 4}
    assert _live(events(records)) == ["u1", "a1", "u2", "a2"]


def test_other_words_under_a_uuid_that_is_taken_are_kept(tmp_path: Path) -> None:
    rows = [*LINEAR, user("u2", "a1", "something else entirely"), assistant("a3", "u2", "3")]
    stream = events(read_rows(tmp_path, rows))
    again = next(e for e in stream if e.id == "u2#5")
    assert again.parent == "a1"
    assert _live(stream) == ["u1", "a1", "u2#5", "a3"]


def _last_prompt(leaf: str | None, **more: Any) -> dict[str, Any]:
    return {"type": "last-prompt", "sessionId": SESSION, "leafUuid": leaf, **more}


@pytest.mark.parametrize(
    ("tail", "live"),
    [
        ([_last_prompt("a1")], ["u1", "a1", "u2", "a2"]),
        ([_last_prompt("a1", explicit=True)], ["u1", "a1"]),
        ([_last_prompt(None, explicit=True)], []),
        ([_last_prompt("gone", explicit=True)], ["u1", "a1", "u2", "a2"]),
        ([_last_prompt("a1"), user("u3", "a2", "three")], ["u1", "a1", "u2", "a2", "u3"]),
    ],
    ids=["leaf behind the end", "explicit", "rewound to nothing", "unknown leaf", "later rows win"],
)
def test_the_live_branch_ends_at_the_head(tmp_path: Path, tail: Rows, live: list[str]) -> None:
    assert _live(events(read_rows(tmp_path, [*LINEAR, *tail]))) == live


def test_the_head_may_be_on_the_earlier_branch(tmp_path: Path) -> None:
    rows = [*LINEAR, user("u3", "a1", "other"), assistant("a3", "u3", "3"), _last_prompt("a2")]
    assert _live(events(read_rows(tmp_path, rows))) == ["u1", "a1", "u2", "a2"]
