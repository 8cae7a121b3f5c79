"""Compactions and branches in a Claude Code transcript: what the agent keeps in view, and what it goes on from."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from panscript.schemas.events import Compaction, Event, Session, Shell, Summary
from panscript.stages.normal_form import CommandRun, Compacted, normal_form
from tests.builders import START, answer, asked, result, session, spoken
from tests.writers.claude.written import Written
from tests.writers.round_trip import plain, read_back, written

TALK: list[Event] = [
    spoken("u", "x" * 40, parent=None, seconds=1),
    answer("a", "y" * 40, parent="u", seconds=2),
    spoken("v", "z" * 40, parent="a", seconds=3),
    answer("b", "w" * 40, parent="v", seconds=4),
]


def _compaction(name: str = "c", parent: str = "b", summary: str = "so far", **more: Any) -> Compaction:
    return Compaction(id=name, parent=parent, summary=summary, time=START + 5000, **more)


def _uuids(out: Written) -> dict[str, str]:
    """The row of each text that stands for itself, of each answer and of each boundary."""
    found: dict[str, str] = {}
    for row in out.rows:
        if row.get("subtype") == "compact_boundary":
            found[f"boundary {sum(name.startswith('boundary') for name in found)}"] = row["uuid"]
        elif "message" not in row:
            continue
        elif isinstance(content := row["message"]["content"], str):
            found[content[:6]] = row["uuid"]
        else:
            found[content[0].get("text", "")[:6]] = row["uuid"]
    return found


def _facts(out: Written, number: int = 0) -> dict[str, Any]:
    facts: dict[str, Any] = out.of("compact_boundary")[number]["compactMetadata"]
    return facts


def test_a_compaction_is_a_boundary_and_a_summary() -> None:
    out = Written([*TALK, _compaction(tokens_before=999, trigger="manual"), answer("d", "on", parent="c")])
    boundary, summary, later = out.rows[-3:]
    assert (
        boundary.items()
        >= {
            "type": "system",
            "subtype": "compact_boundary",
            "parentUuid": None,
            "logicalParentUuid": out.rows[3]["uuid"],
            "content": "Conversation compacted",
            "level": "info",
            "isMeta": False,
            "compactMetadata": {"trigger": "manual", "preTokens": 999},
        }.items()
    )
    assert summary["message"] == {"role": "user", "content": "so far"}
    assert summary["isCompactSummary"]
    assert summary["isVisibleInTranscriptOnly"]
    assert (summary["parentUuid"], later["parentUuid"]) == (boundary["uuid"], summary["uuid"])


@pytest.mark.parametrize(("trigger", "written"), [(None, "auto"), ("auto", "auto"), ("overflow", "auto")])
def test_what_set_it_off_is_said_in_the_agents_words(trigger: str | None, written: str) -> None:
    assert _facts(Written([*TALK, _compaction(trigger=trigger)]))["trigger"] == written


def test_without_a_count_the_size_is_estimated() -> None:
    assert _facts(Written([*TALK, _compaction()]))["preTokens"] == 40


def test_what_it_kept_is_named_by_its_first_and_its_last_row() -> None:
    out = Written([*TALK, _compaction(first_kept="v")])
    named = _uuids(out)
    assert _facts(out)["preservedSegment"] == {
        "headUuid": named["zzzzzz"],
        "tailUuid": named["wwwwww"],
        "anchorUuid": named["so far"],
    }


def test_a_kept_answer_begins_with_its_first_row() -> None:
    events = [*TALK, answer("d", "one", asked("k"), parent="b", seconds=5), result("r", "k", parent="d", seconds=6)]
    out = Written([*events, _compaction(parent="r", first_kept="d")])
    segment = _facts(out)["preservedSegment"]
    assert segment["headUuid"] == out.rows[4]["uuid"]
    assert segment["tailUuid"] == out.rows[6]["uuid"]


@pytest.mark.parametrize("kept", [None, "gone"])
def test_one_that_kept_nothing_names_nothing(kept: str | None) -> None:
    out = Written([*TALK, _compaction(first_kept=kept)])
    assert _facts(out).keys() == {"trigger", "preTokens"}
    assert out.report.changed.get("compaction_kept_nothing", 0) == (kept is not None)


def test_it_may_keep_from_injected_text_or_from_a_later_part_of_a_response() -> None:
    parts: list[Event] = [
        answer("a1", "one", response="m", closes=False),
        answer("a2", "two", response="m"),
        spoken("i", "note", role="system", injected="reminder"),
        spoken("w", "later"),
    ]
    for kept, place in (("a2", 1), ("i", 3)):
        out = Written([spoken("u"), *parts, _compaction(first_kept=kept, parent="w")])
        assert _facts(out)["preservedSegment"]["headUuid"] == out.rows[place]["uuid"]


@pytest.mark.parametrize("excluded", [False, True])
def test_it_may_keep_from_a_command_of_the_person_on(excluded: bool) -> None:
    ran = Shell(id="s", command="ls", output="a", parent="b", excluded=excluded, time=START + 4500)
    events = [session(), *TALK, ran, _compaction(parent="s", first_kept="s")]
    back, _ = read_back(written(events, "claude"))
    assert [item.first_kept for item in normal_form(back) if isinstance(item, Compacted)] == [4]


@pytest.mark.parametrize("every", [False, True])
def test_what_is_kept_from_before_an_earlier_one_is_named_row_by_row(every: bool) -> None:
    events = [
        *TALK,
        _compaction("c", first_kept="v", summary="first"),
        spoken("w", "later", parent="c", seconds=6),
        _compaction("e", "w", summary="second", first_kept="b"),
        spoken("x", "after", parent="e", seconds=7),
    ]
    out = Written(events, all_branches=every)
    named = _uuids(out)
    assert _facts(out)["preservedSegment"]["headUuid"] == named["zzzzzz"]
    uuids = [named["wwwwww"], named["later"]]
    assert _facts(out, 1)["preservedMessages"] == {
        "anchorUuid": named["second"],
        "uuids": uuids,
        "allUuids": uuids,
    }
    assert "preservedSegment" not in _facts(out, 1)
    assert out.of("compact_boundary")[1]["logicalParentUuid"] == named["later"]


def test_a_second_one_that_keeps_only_what_came_after_the_first_names_a_segment() -> None:
    events = [*TALK, _compaction(summary="first"), spoken("w", "later", parent="c", seconds=6)]
    out = Written([*events, _compaction("e", "w", summary="second", first_kept="w")])
    named = _uuids(out)
    assert _facts(out, 1)["preservedSegment"]["headUuid"] == named["later"]


def test_one_at_the_very_beginning_follows_nothing() -> None:
    out = Written([_compaction(parent="gone"), spoken("w", "later", parent="c")])
    assert out.rows[0]["parentUuid"] is None
    assert "logicalParentUuid" not in out.rows[0]


@pytest.mark.parametrize("every", [False, True])
@pytest.mark.parametrize("first_kept", [None, "u", "a", "v", "b", "later"])
def test_compactions_come_back_with_what_they_kept(first_kept: str | None, every: bool) -> None:
    events: list[Event] = [
        session(),
        *TALK,
        _compaction("c", first_kept="a", summary="first"),
        spoken("later", "later", parent="c", seconds=6),
        _compaction("e", "later", summary="second", first_kept=first_kept),
        spoken("x", "after", parent="e", seconds=7),
    ]
    kept = [item.first_kept for item in normal_form(events) if isinstance(item, Compacted)]
    back, _ = read_back(written(events, "claude", all_branches=every))
    assert [item.first_kept for item in normal_form(back) if isinstance(item, Compacted)] == kept


BRANCHES: list[Event] = [
    spoken("u", "root", parent=None, seconds=1),
    answer("a", "one", parent="u", seconds=2),
    spoken("v", "live", parent="a", seconds=3),
    answer("b", asked("c"), parent="v", seconds=4),
    result("r", "c", parent="b", seconds=5),
    spoken("w", "other", parent="a", live=False, seconds=6),
    answer("d", "three", parent="w", live=False, seconds=7),
    spoken("x", "anew", parent=None, live=False, seconds=8),
]


def test_all_branches_hang_where_they_were_left() -> None:
    out = Written(BRANCHES, all_branches=True)
    named = _uuids(out)
    parents = {row["uuid"]: row["parentUuid"] for row in out.rows}
    assert parents[named["root"]] is parents[named["anew"]] is None
    assert parents[named["other"]] == parents[named["live"]] == named["one"]
    assert parents[named["three"]] == named["other"]
    assert out.report.lost == {}


def test_the_row_that_is_written_last_is_where_the_agent_goes_on() -> None:
    out = Written(BRANCHES, first=session(title="T"), all_branches=True)
    last = out.rows[-1]
    assert (last["type"], last["subtype"]) == ("system", "informational")
    assert last["content"] == "Imported from Claude Code: T: the branch that goes on"
    assert out.path() == [*out.rows[:5], last]
    assert out.gathered("kinds") == {last["uuid"]: "supplied"}


def test_a_live_branch_that_is_last_anyway_needs_no_row() -> None:
    live = spoken("y", "on", parent="r", seconds=9)
    out = Written([*BRANCHES, live], all_branches=True)
    assert out.of("informational") == []
    assert out.rows[-1]["message"]["content"] == "on"


def test_the_live_branch_alone_counts_what_it_leaves_out() -> None:
    out = Written(BRANCHES)
    assert out.kinds == ["user", "text", "user", "tool_use", "user"]
    assert out.path() == out.rows
    assert out.report.lost == {"branch": 3}


def test_every_branch_that_begins_with_an_answer_is_begun_by_a_row_of_its_own() -> None:
    out = Written([answer("a", "1", parent=None, live=False), answer("b", "2", parent=None)], all_branches=True)
    assert [row.get("isMeta") for row in out.rows] == [True, None, True, None]
    assert len({row["uuid"] for row in out.rows}) == 4
    assert out.path() == out.rows[2:]


def test_a_compaction_on_a_branch_follows_that_branch() -> None:
    left = msgspec.structs.replace(_compaction("c", "d", first_kept="w"), live=False)
    out = Written([*BRANCHES, left, spoken("y", "on", parent="r", seconds=9)], all_branches=True)
    named = _uuids(out)
    assert out.of("compact_boundary")[0]["logicalParentUuid"] == named["three"]
    segment = _facts(out)["preservedSegment"]
    assert (segment["headUuid"], segment["tailUuid"]) == (named["other"], named["three"])


def test_what_stands_only_in_the_record_hangs_on_its_branch() -> None:
    aside: list[Event] = [
        spoken("i", "note", role="system", injected="hook", parent="d", live=False, seconds=8),
        Summary(id="s", text="left", parent="d", leaf="d", live=False, time=START),
    ]
    out = Written([*BRANCHES, *aside, spoken("y", "on", parent="r", seconds=9)], all_branches=True)
    three = _uuids(out)["three"]
    assert [(text["kind"], text["after"]) for text in out.listed("context")] == [("hook", three), ("summary", three)]


def test_a_command_that_the_model_did_not_see_is_on_its_branch() -> None:
    ran = Shell(id="s", command="ls", output="a", parent="r", excluded=True, time=START + 9000)
    out, one = (written([session(), *BRANCHES, ran], "claude", all_branches=every) for every in (True, False))
    assert plain(read_back(out)[0]) == plain(read_back(one)[0])
    assert isinstance(plain(read_back(out)[0])[-1], CommandRun)


def test_all_branches_come_back_and_the_live_one_is_the_same() -> None:
    events: list[Event] = [session(), *BRANCHES]
    back, _ = read_back(written(events, "claude", all_branches=True))
    assert isinstance(back[0], Session)
    texts = [(m.live, m.content[0].text) for m in back if type(m).__name__ == "Message" and m.role == "user"]  # type: ignore[union-attr]
    assert texts == [(True, "root"), (True, "live"), (False, "other"), (False, "anew")]
