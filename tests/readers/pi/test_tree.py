"""Which entries are one conversation, and which branch of it is live."""

from __future__ import annotations

from pathlib import Path

import pytest

from panscript.schemas.events import Compaction, Message, Summary
from tests.readers.pi.sessions import HEADER, answer, entry, events, prompt, read_file, spoken, write_file
from tests.repository import ROOT

TREE = ROOT / "fixtures/pi/tree.jsonl"


def test_the_last_line_is_the_leaf_of_the_live_branch() -> None:
    stream = events(TREE)
    assert spoken(stream) == [
        "Plan the release.",
        "Option A: ship Friday. Option B: ship Monday.",
        "Take option B instead.",
        "Shipping on Monday.",
    ]
    assert spoken(stream, live=False) == [
        "Release notes live in CHANGES.txt",
        "hidden reminder",
        "Take option A.",
        "Shipping on Friday.",
    ]


def test_a_summary_of_a_branch_stands_where_the_new_branch_begins() -> None:
    [summary] = [event for event in events(TREE) if isinstance(event, Summary)]
    assert (summary.leaf, summary.parent, summary.live) == ("0b285b7b", "0b285b7b", True)


def test_hidden_notes_of_extensions_are_hidden_and_shown_ones_are_not() -> None:
    notes = [event for event in events(TREE) if isinstance(event, Message) and event.role == "system"]
    assert [(note.injected, note.hidden) for note in notes] == [("note", False), ("note", True)]


def test_a_label_on_an_earlier_entry_makes_that_entry_the_leaf(tmp_path: Path) -> None:
    rows = [HEADER, prompt("a", None, "one"), answer("b", "a", "two"), prompt("c", "b", "three")]
    path = write_file(tmp_path, [*rows, entry("label", "d", "b", targetId="b", label="here")])
    assert spoken(events(path)) == ["one", "two"]
    assert spoken(events(path), live=False) == ["three"]


def test_a_second_root_leaves_the_first_conversation_behind(tmp_path: Path) -> None:
    rows = [
        HEADER,
        entry("model_change", "m", None, provider="demo", modelId="x"),
        prompt("a", "m", "one"),
        entry("model_change", "n", None, provider="demo", modelId="y"),
        prompt("b", "n", "other"),
    ]
    stream, report = events(write_file(tmp_path, rows)), read_file(write_file(tmp_path, rows))[1]
    assert spoken(stream) == ["other"]
    assert [event.parent for event in stream if isinstance(event, Message)] == [None, None]
    assert report.warnings == []


def test_a_dangling_parent_is_reported_and_joined_to_the_record_before_it(tmp_path: Path) -> None:
    path = write_file(tmp_path, [HEADER, prompt("a", None, "one"), answer("b", "gone", "two")])
    records, report = read_file(path)
    assert spoken(event for record in records for event in record.events) == ["one", "two"]
    assert [warning.code for warning in report.warnings] == ["parent_missing"]


@pytest.mark.parametrize(
    "rows",
    [
        [prompt("a", "a", "one")],
        [prompt("a", "b", "one"), answer("b", "a", "two")],
        [prompt("a", "c", "one"), answer("b", "a", "two"), prompt("c", "b", "three")],
        [prompt("a", "b", "one"), entry("label", "b", "a", targetId="a")],
    ],
    ids=["itself", "two", "three", "through a label"],
)
def test_a_circle_of_parents_is_reported_and_cut(tmp_path: Path, rows: list[dict[str, object]]) -> None:
    records, report = read_file(write_file(tmp_path, [HEADER, *rows]))
    assert len(spoken(event for record in records for event in record.events)) == len(
        [row for row in rows if row["type"] == "message"]
    )
    assert [warning.code for warning in report.warnings] == ["cycle"]


def test_an_id_that_stands_twice_gives_two_events_and_later_entries_follow_the_second(tmp_path: Path) -> None:
    rows = [HEADER, prompt("a", None, "one"), answer("a", "a", "two"), prompt("b", "a", "three")]
    records, report = read_file(write_file(tmp_path, rows))
    said = [event for record in records for event in record.events if isinstance(event, Message)]
    assert [(event.id, event.parent) for event in said] == [("a", None), ("a#3", "a"), ("b", "a#3")]
    assert "id_repeated" in [warning.code for warning in report.warnings]


def test_a_compaction_names_the_first_event_it_keeps() -> None:
    [found] = [event for event in events(ROOT / "fixtures/pi/compacted.jsonl") if isinstance(event, Compaction)]
    assert (found.first_kept, found.tokens_before) == ("6d410395", 4200)


def test_in_version_1_a_compaction_names_an_entry_by_its_number() -> None:
    [found] = [event for event in events(ROOT / "fixtures/pi/entry-v1.jsonl") if isinstance(event, Compaction)]
    assert found.first_kept == "line:6"


@pytest.mark.parametrize(("kept", "expected"), [("m", "b"), ("c", None), ("gone", None), ("a", "a")])
def test_what_a_compaction_keeps_begins_with_something_that_was_said(
    tmp_path: Path, kept: str, expected: str | None
) -> None:
    rows = [
        HEADER,
        prompt("a", None, "one"),
        entry("model_change", "m", "a", provider="demo", modelId="x"),
        answer("b", "m", "two"),
        entry("compaction", "c", "b", summary="So far.", firstKeptEntryId=kept, tokensBefore=7),
    ]
    [found] = [event for event in events(write_file(tmp_path, rows)) if isinstance(event, Compaction)]
    assert found.first_kept == expected
