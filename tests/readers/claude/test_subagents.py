"""Sub-agents of Claude Code: files of their own in two layouts, and rows inside the parent's file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from panscript.readers.claude import layout, read, resolve
from panscript.schemas.events import Event, Message, Session, ToolCall, Usage
from panscript.schemas.records import Source
from panscript.schemas.report import FileReport
from tests.builders import SESSION, assistant, call, events, read_rows, result_row, said, user, write_rows

SIDE: dict[str, Any] = {"isSidechain": True, "agentId": "k1"}
ROWS = [user("s1", None, "Count lines", **SIDE), assistant("s2", "s1", "Two", 1, **SIDE)]
MAIN = [user("u", None, "go"), assistant("a", "u", "done", 2)]


def _events(source: Source) -> list[Event]:
    return events(read(source, report=FileReport(path="")))


def _nested(tmp_path: Path) -> Path:
    main = write_rows(tmp_path / "p" / f"{SESSION}.jsonl", MAIN)
    write_rows(tmp_path / "p" / SESSION / "subagents" / "agent-k1.jsonl", ROWS)
    facts = {"agentType": "Explore", "description": "Count them", "toolUseId": "c"}
    (tmp_path / "p" / SESSION / "subagents" / "agent-k1.meta.json").write_text(json.dumps(facts))
    return main


def test_sub_agents_below_the_session_are_its_children(tmp_path: Path) -> None:
    source = resolve(str(_nested(tmp_path)))
    (child,) = source.children
    assert (child.parent, child.agent_id, child.id) == (SESSION, "k1", "k1")
    first, *rest = _events(child)
    assert isinstance(first, Session)
    assert (first.session_id, first.parent_session_id, first.billed_to) == (f"{SESSION}/k1", SESSION, SESSION)
    assert first.title == "Count them"
    assert said(rest) == ["task: Count lines", "assistant: Two"]
    assert [(e.agent_id, e.session_id) for e in rest if isinstance(e, Usage)] == [("k1", SESSION)]
    assert all(e.agent_id is None for e in rest if isinstance(e, Message))


def test_flat_sub_agents_belong_to_the_session_their_rows_name(tmp_path: Path) -> None:
    main = write_rows(tmp_path / f"{SESSION}.jsonl", MAIN)
    write_rows(tmp_path / "agent-k1.jsonl", ROWS)
    write_rows(tmp_path / "agent-k2.jsonl", [{**row, "sessionId": "other"} for row in ROWS])
    (tmp_path / "agent-empty.jsonl").touch()
    assert [child.agent_id for child in resolve(str(main)).children] == ["k1"]
    alone = resolve(str(tmp_path / "agent-k2.jsonl"))
    assert (alone.parent, alone.agent_id) == ("other", "k2")


def test_a_sub_agents_file_named_relatively_knows_its_parent(tmp_path: Path, monkeypatch: Any) -> None:
    _nested(tmp_path)
    monkeypatch.chdir(tmp_path / "p" / SESSION / "subagents")
    assert resolve("agent-k1.jsonl").parent == SESSION


def test_a_sub_agents_rows_under_any_name_are_a_sub_agents(tmp_path: Path) -> None:
    source = resolve(str(write_rows(tmp_path / "stdin.jsonl", ROWS)))
    assert (source.agent_id, source.parent) == ("k1", SESSION)
    assert said(_events(source)) == ["task: Count lines", "assistant: Two"]


def test_rows_of_sub_agents_in_the_parents_file_are_marked_and_off_the_chain(tmp_path: Path) -> None:
    rows = [MAIN[0], *ROWS, assistant("s3", "s2", [call("x")], **SIDE), result_row("s4", "s3", "x", **SIDE), MAIN[1]]
    stream = events(read_rows(tmp_path, rows))
    side = [e for e in stream if e.agent_id == "k1" and not isinstance(e, Usage)]
    assert [(e.id, e.parent) for e in side] == [("s1", None), ("s2", "s1"), ("s3", "s2"), ("s4", "s3")]
    assert not any(e.live for e in side)
    assert next(e.parent for e in stream if e.id == "a") == "u"
    assert said(side)[0] == "task: Count lines"


def test_rows_of_sub_agents_that_are_logged_again_are_twins(tmp_path: Path) -> None:
    report = FileReport(path="")
    changed = assistant("s2", "s1", "Two and a half", 1, **SIDE)
    stream = events(read_rows(tmp_path, [*MAIN, *ROWS, *ROWS, changed], report=report))
    assert report.classes == {"used": 5, "twin": 2}
    assert [e.id for e in stream if e.agent_id and isinstance(e, Message)] == ["s1", "s2", "s2#7"]


def test_sub_agents_without_a_name_are_kept_apart_from_the_main_conversation(tmp_path: Path) -> None:
    rows = [user("u", None, "go"), user("s", None, "task", isSidechain=True), assistant("a", "u", "done")]
    stream = events(read_rows(tmp_path, rows))
    assert [e.agent_id for e in stream if isinstance(e, Message)] == [None, "sidechain", None]


def test_the_place_below_the_projects_folder(tmp_path: Path) -> None:
    folder = tmp_path / ".claude" / "projects" / "-home-dev"
    assert layout(str(folder / "x" / "subagents" / "agent-k.jsonl")) == "-home-dev/x/subagents/agent-k.jsonl"
    assert layout(str(tmp_path / "elsewhere" / "x.jsonl")) == "x.jsonl"
    assert layout(str(tmp_path / "projects" / "x.jsonl")) == "x.jsonl"


def test_calls_of_the_live_end_that_nobody_answered_are_known(tmp_path: Path) -> None:
    rows = [
        assistant("a", None, [call("c1"), call("c2"), call("")]),
        result_row("r", "a", "c1"),
    ]
    stream = events(read_rows(tmp_path, rows))
    blocks = [b for e in stream if isinstance(e, Message) for b in e.content if isinstance(b, ToolCall)]
    assert [b.answered for b in blocks] == [True, False, False]
