"""Which files are Qwen Code sessions, which belong together, and what was written in 2025."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from panscript.readers.context import Context
from panscript.readers.discovery import discover, full_id
from panscript.readers.opening import open_source
from panscript.readers.qwen import detect, layout, read, resolve
from panscript.schemas.errors import NotATranscript, SourceError
from panscript.schemas.events import ToolResult
from panscript.schemas.records import Source
from panscript.schemas.report import FileReport
from tests.readers.qwen.sessions import ID, answer, of, row, said, session, usage, user, write
from tests.repository import ROOT


def _found(home: Path, problems: list[SourceError] | None = None) -> list[Source]:
    told = problems if problems is not None else []
    return list(discover(Context.at(home), ["qwen"], told.append))


def test_the_recorded_session_says_what_was_done() -> None:
    (source,) = _found(ROOT / "fixtures/qwen/home")
    found = [event for record in read(source, report=FileReport(path="")) for event in record.events]
    assert [kind for kind, _ in said(found)] == ["user", "assistant", "assistant"]
    results = [(event.status, event.duration_ms) for event in found if isinstance(event, ToolResult)]
    assert results == [("ok", 132), ("error", 94)]
    # The agent's own account of the run: two requests, 2,400 in, 2,000 of them cached, 90 out, 24 of them thoughts.
    tokens = [event.tokens for event in usage(found)]
    assert (sum(t.input for t in tokens), sum(t.cache_read for t in tokens)) == (400, 2000)
    assert (sum(t.output for t in tokens), sum(t.reasoning for t in tokens)) == (90, 24)
    assert sum(t.total for t in tokens) == 2490


def test_sub_agents_are_sessions_that_their_session_pays_for(tmp_path: Path) -> None:
    project = tmp_path / ".qwen/projects/-home-ana-app"
    main = write(project / f"chats/{ID}.jsonl", [user("u", None, "hi"), answer("a", "u", "ho")])
    own: dict[str, Any] = {"agentId": "explore-1", "isSidechain": True}
    rows = [user("t", None, "find it", **own), answer("b", "t", "found", **own)]
    child = write(project / f"subagents/{ID}/agent-explore-1.jsonl", rows)
    (source,) = _found(tmp_path)
    (below,) = source.children
    assert (below.agent_id, below.parent, full_id(below)) == ("explore-1", ID, f"{ID}/explore-1")
    assert resolve(str(main)).children[0].path == str(child)
    found = of(child)
    facts = session(found)
    assert (facts.session_id, facts.parent_session_id, facts.billed_to) == (f"{ID}/explore-1", ID, ID)
    assert said(found) == [("task", "find it"), ("assistant", "found")]
    assert [event.agent_id for event in usage(found)] == ["explore-1"]
    assert layout(str(child)) == f"-home-ana-app/subagents/{ID}/agent-explore-1.jsonl"
    main.unlink()
    (orphan,) = _found(tmp_path)
    assert full_id(orphan) == f"{ID}/explore-1"


def test_rows_of_a_sub_agent_inside_a_session_are_not_the_sessions(tmp_path: Path) -> None:
    side: dict[str, Any] = {"agentId": "explore-1", "isSidechain": True}
    rows = [user("u", None, "hi"), user("t", "u", "find it", **side), answer("b", "t", "found", **side)]
    found = of(write(tmp_path / f"{ID}.jsonl", [*rows, answer("a", "b", "ho")]))
    assert (session(found).session_id, session(found).first_prompt) == (ID, "hi")
    assert {event.id: event.agent_id for event in found}["b"] == "explore-1"
    assert [event.agent_id for event in usage(found)] == ["explore-1", None]
    assert said(found)[1] == ("task", "find it")


def test_archived_sessions_are_found(tmp_path: Path) -> None:
    path = write(tmp_path / f".qwen/projects/-home-ana-app/chats/archive/{ID}.jsonl", [user("u", None, "hi")])
    assert [source.path for source in _found(tmp_path)] == [str(path)]
    assert layout(str(path)) == f"-home-ana-app/chats/archive/{ID}.jsonl"


def test_files_beside_sessions_are_passed_by_without_a_word(tmp_path: Path) -> None:
    chats = tmp_path / ".qwen/projects/-home-ana-app/chats"
    write(chats / f"{ID}.jsonl", [user("u", None, "hi")])
    write(chats / "prompts.jsonl", [{"prompt": "hi"}])
    (chats / f"{ID}.worktree.json").write_text("{}")
    problems: list[SourceError] = []
    assert len(_found(tmp_path, problems)) == 1
    assert problems == []
    write(chats / f"{ID.replace('1', '2')}.jsonl", [{"prompt": "hi"}])
    assert len(_found(tmp_path, problems)) == 1
    assert len(problems) == 1


def test_what_a_fork_copied_is_inherited_where_its_source_is_there(tmp_path: Path) -> None:
    chats = tmp_path / ".qwen/projects/-home-ana-app/chats"
    other = "22222222-aaaa-4000-8000-000000000002"
    copied: dict[str, Any] = {"sessionId": other, "forkedFrom": {"sessionId": ID, "messageUuid": "u"}}
    rows = [user("u", None, "hi", **copied), answer("a", "u", "ho", **copied), user("v", "a", "new", sessionId=other)]
    fork = write(chats / f"{other}.jsonl", rows)
    assert {event.inherited_from for event in of(fork)} == {None}, "nobody else tells it"
    write(chats / f"{ID}.jsonl", [user("u", None, "hi"), answer("a", "u", "ho")])
    report = FileReport(path="")
    found = of(fork, report)
    assert session(found).forked_from == ID
    assert {event.id: event.inherited_from for event in found}["a"] == ID
    assert {event.id: event.inherited_from for event in found}["v"] is None
    assert report.classes == {"inherited": 2, "used": 1}


@pytest.mark.parametrize("kind", ["qwen", "gemini"])
def test_a_session_of_2025_is_read(tmp_path: Path, kind: str) -> None:
    path = tmp_path / f".qwen/tmp/{'ab' * 32}/chats/session-2025-10-01T10-00-11111111.json"
    path.parent.mkdir(parents=True)
    time = "2025-10-01T10:00:00.000Z"
    counts = {"input": 1000, "output": 60, "cached": 900, "thoughts": 20, "tool": 0, "total": 1060}
    said_then = [
        {"id": "u", "timestamp": time, "type": "user", "content": "hi"},
        {"id": "a", "timestamp": time, "type": kind, "content": "ho", "tokens": counts, "model": "qwen3-coder-plus"},
    ]
    head = {"sessionId": ID, "projectHash": "ab" * 32, "startTime": time, "lastUpdated": time}
    path.write_text(json.dumps({**head, "messages": said_then}, indent=2))
    assert open_source(str(path)).agent == "qwen"
    (source,) = _found(tmp_path)
    assert source.id == ID
    found = of(path)
    assert said(found) == [("user", "hi"), ("assistant", "ho")]
    (billed,) = usage(found)
    assert (billed.tokens.input, billed.tokens.output, billed.tokens.reasoning, billed.provider) == (100, 60, 20, None)


def test_sessions_are_told_by_their_content() -> None:
    assert detect(json.dumps(user("u", None, "hi")).encode()) >= 100
    assert detect(json.dumps(row("system", "s", None, subtype="ui_telemetry", systemPayload={})).encode()) >= 100
    claude = {"uuid": "u", "parentUuid": None, "sessionId": "s", "type": "user", "message": {"content": "hi"}}
    assert detect(json.dumps(claude).encode()) == 0
    assert detect(b"") == 0


def test_foreign_and_damaged_files(tmp_path: Path) -> None:
    path = write(tmp_path / f"{ID}.jsonl", [{"a": 1}])
    with pytest.raises(NotATranscript):
        of(path)
    lines = [
        json.dumps(user("u", None, "hi")),
        json.dumps(answer("a", "u", "ho"))[:50],
        json.dumps(user("v", "u", "on")),
    ]
    path.write_text("\n".join(lines))
    report = FileReport(path="")
    found = of(path, report)
    assert [text for _, text in said(found)] == ["hi", "on"]
    assert (report.skipped_lines, report.skipped_at[0].line, session(found).complete) == (1, 2, False)


@pytest.mark.parametrize("kind", ["[]", "{}", "1"])
def test_what_is_glued_onto_a_torn_line_may_have_any_type(tmp_path: Path, kind: str) -> None:
    path = write(tmp_path / f"projects/a/chats/{ID}.jsonl", [user("u", None, "hello")])
    torn = '{"uuid":"x","pa' + f'{{"uuid":"y","timestamp":"2026-10-01T10:00:00.000Z","type":{kind}}}\n'
    with path.open("a", encoding="utf-8") as file:
        file.write(torn)
    report = FileReport(path="")
    assert said(of(path, report)) == [("user", "hello")]
    assert report.skipped == {"other_json_parse_error": 1}
