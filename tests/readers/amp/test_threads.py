"""What stands in an Amp thread means what its format says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from panscript.readers.amp import read, resolve
from panscript.readers.amp.files import detect
from panscript.readers.context import Context
from panscript.readers.discovery import discover, family
from panscript.readers.options import ReadOptions
from panscript.schemas.errors import NotATranscript
from panscript.schemas.events import (
    COMPACTION_SUMMARY,
    TASK,
    Compaction,
    Event,
    Image,
    Message,
    Meta,
    Opaque,
    Session,
    Shell,
    Text,
    ToolCall,
    ToolResult,
    Usage,
)
from panscript.schemas.report import FileReport
from tests.sessions import FIXTURES

HOME = FIXTURES / "amp/home"
THREADS = HOME / ".local/share/amp/threads"
MAIN = next(THREADS.glob("*ce0d-*"))
HELPER = next(THREADS.glob("*e0d6-*"))
FORK = next(THREADS.glob("*fd4c-*"))


def _events(path: Path, **options: bool) -> list[Event]:
    source = resolve(str(path))
    records = read(source, report=FileReport(path=""), options=ReadOptions(**options))
    return [event for record in records for event in record.events]


def _thread(folder: Path, *messages: dict[str, Any], **more: Any) -> Path:
    path = folder / "T-00000000-0000-4000-8000-000000000001.json"
    numbered = [{"messageId": number, **message} for number, message in enumerate(messages)]
    path.write_text(json.dumps({"v": 1, "id": path.stem, "created": 1778400000000, "messages": numbered, **more}))
    return path


def _said(*blocks: dict[str, Any], role: str = "assistant", **more: Any) -> dict[str, Any]:
    return {"role": role, "content": list(blocks), **more}


def _result(run: dict[str, Any]) -> dict[str, Any]:
    return _said({"type": "tool_result", "toolUseID": "a", "run": run}, role="user")


def _only(events: list[Event], kind: type[Event]) -> Any:
    (found,) = [event for event in events if isinstance(event, kind)]
    return found


def test_all_threads_together_are_billed_what_was_asked_of_the_model() -> None:
    sources = [each for found in discover(Context.at(HOME), ["amp"]) for each in family(found)]
    events = [event for source in sources for event in _events(Path(source.path))]
    tokens = [event.tokens for event in events if isinstance(event, Usage) and event.inherited_from is None]
    assert len(tokens) == 13
    assert sum(each.input for each in tokens) == 2769
    assert sum(each.output for each in tokens) == 689
    assert sum(each.cache_read for each in tokens) == 13000
    assert sum(each.cache_write for each in tokens) == 650


def test_a_sub_agent_is_a_child_of_the_thread_it_works_for() -> None:
    roots = list(discover(Context.at(HOME), ["amp"]))
    assert len(roots) == 3
    assert [child.id for root in roots for child in root.children] == [HELPER.stem]
    assert [child.id for child in resolve(str(MAIN)).children] == [HELPER.stem]
    session = _only(_events(HELPER), Session)
    assert session.parent_session_id == MAIN.stem
    assert session.first_prompt is None
    prompts = [event for event in _events(HELPER) if isinstance(event, Message) and event.role != "assistant"]
    assert [event.injected for event in prompts] == [TASK]


def test_the_sum_of_a_sub_agent_counts_where_its_own_thread_is_gone(tmp_path: Path) -> None:
    alone = tmp_path / MAIN.name
    alone.write_bytes(MAIN.read_bytes())
    found = [event.tokens.input for event in _events(alone) if isinstance(event, Usage)]
    assert found == [202, 204, 206, 208, 210, 212, 427, 216]


def test_what_a_fork_copied_belongs_to_its_source() -> None:
    events = _events(FORK)
    session = _only(events, Session)
    assert session.forked_from == MAIN.stem
    assert session.parent_session_id is None
    assert {event.inherited_from for event in events if isinstance(event, Message | Usage)} == {MAIN.stem}
    parents = [event.parent_session_id for event in events if isinstance(event, Meta) and event.parent_session_id]
    assert parents == [MAIN.stem]


def test_facts_of_the_session(tmp_path: Path) -> None:
    tree = {"uri": "file:///home/dev/my%20app", "repository": {"type": "git", "ref": "refs/heads/feature/x"}}
    env = {"initial": {"trees": [tree], "platform": {"clientVersion": "0.1"}}}
    path = _thread(tmp_path, _said({"type": "text", "text": "hi"}, role="user"), env=env, title="A title")
    session = _only(_events(path), Session)
    assert (session.cwd, session.git_branch) == ("/home/dev/my app", "feature/x")
    assert (session.title, session.version, session.first_prompt) == ("A title", "0.1", "hi")
    assert session.created == 1778400000000


@pytest.mark.parametrize(
    ("run", "status", "text"),
    [
        ({"status": "done", "result": {"output": "x", "exitCode": 0}}, "ok", "x"),
        ({"status": "done", "result": {"output": "x", "exitCode": 3}}, "error", "x"),
        ({"status": "done", "result": {"content": "y", "absolutePath": "/a"}}, "ok", "y"),
        ({"status": "done", "result": "plain"}, "ok", "plain"),
        ({"status": "done", "result": [1]}, "ok", "[1]"),
        ({"status": "error", "error": {"message": "gone"}}, "error", "gone"),
        ({"status": "cancelled"}, "error", ""),
        ({"status": "rejected-by-user"}, "error", ""),
        ({"status": "in-progress", "progress": {"output": "so far"}}, "unknown", "so far"),
        ({"status": "blocked-on-user"}, "unknown", ""),
    ],
)
def test_how_a_call_ended(tmp_path: Path, run: dict[str, Any], status: str, text: str) -> None:
    call = {"type": "tool_use", "id": "a", "name": "Bash", "input": {"cmd": "x"}, "complete": True}
    events = _events(_thread(tmp_path, _said(call), _result(run)))
    result = _only(events, ToolResult)
    assert (result.status, result.call_id) == (status, "a")
    assert "".join(block.text for block in result.content) == text
    asked = next(block for event in events if isinstance(event, Message) for block in event.content)
    assert isinstance(asked, ToolCall)
    assert asked.answered


def test_a_response_that_was_cancelled(tmp_path: Path) -> None:
    path = _thread(tmp_path, _said({"type": "text", "text": "I"}, state={"type": "cancelled"}))
    assert _only(_events(path), Message).fault == "aborted"


def test_an_info_message_is_of_the_system_and_a_summary_a_compaction(tmp_path: Path) -> None:
    summary = {"type": "summary", "summary": {"type": "message", "summary": "so far"}}
    path = _thread(tmp_path, _said(summary, role="info"), _said({"type": "text", "text": "note"}, role="info"))
    events = _events(path)
    assert _only(events, Compaction).summary == "so far"
    said = [(event.role, event.injected) for event in events if isinstance(event, Message)]
    assert said == [("system", COMPACTION_SUMMARY), ("system", "info")]


def test_a_command_that_the_person_ran(tmp_path: Path) -> None:
    run = {"status": "done", "result": {"output": "a.txt\n", "exitCode": 1}}
    block = {"type": "manual_bash_invocation", "args": {"cmd": "ls"}, "toolRun": run, "hidden": True}
    shell = _only(_events(_thread(tmp_path, _said(block, role="info"))), Shell)
    assert (shell.command, shell.output, shell.exit_code, shell.excluded) == ("ls", "a.txt\n", 1, True)


def test_hidden_text_was_not_typed_and_pictures_are_kept(tmp_path: Path) -> None:
    blocks: list[dict[str, Any]] = [
        {"type": "text", "text": "context", "hidden": True},
        {"type": "text", "text": "look"},
        {"type": "image", "source": {"type": "base64", "mediaType": "image/png", "data": "AA=="}},
    ]
    path = _thread(tmp_path, _said(*blocks, role="user", meta={"sentAt": 1778400001000}))
    said = [event for event in _events(path) if isinstance(event, Message)]
    assert [event.role for event in said] == ["system", "user"]
    assert said[1].content == (Text(text="look"), Image(media_type="image/png", data="AA=="))
    assert said[1].time == 1778400001000


def test_tokens_of_caches_come_from_the_message_that_the_ledger_names(tmp_path: Path) -> None:
    spent = {"inputTokens": 9, "outputTokens": 7, "cacheReadInputTokens": 20, "cacheCreationInputTokens": 4}
    event = {"id": "e", "timestamp": "2026-05-10T08:00:05.000Z", "model": "M", "toMessageId": 0}
    ledger = {"events": [event | {"tokens": {"input": 9, "output": 7}, "operationType": "inference"}]}
    found = _events(_thread(tmp_path, _said({"type": "text", "text": "x"}, usage=spent), usageLedger=ledger))
    usage = _only(found, Usage)
    tokens = usage.tokens
    assert (tokens.input, tokens.output, tokens.cache_read, tokens.cache_write, tokens.total) == (9, 7, 20, 4, 40)
    assert (usage.model, usage.told) == ("m", True)


def test_without_a_ledger_messages_are_counted_at_their_own_time_or_that_of_the_thread(tmp_path: Path) -> None:
    spent = {"model": "m", "inputTokens": 1, "timestamp": "2026-05-10T08:00:05.000Z"}
    path = _thread(tmp_path, _said(usage=spent), _said(usage={"model": "m", "outputTokens": 2}))
    assert [event.time for event in _events(path) if isinstance(event, Usage)] == [1778400005000, 1778400000000]
    assert not [event for event in _events(path, told_usage=False) if isinstance(event, Usage)]


def test_what_is_not_known_is_opaque(tmp_path: Path) -> None:
    path = _thread(tmp_path, _said({"type": "video", "url": "x"}), _said(role="oracle"))
    report = FileReport(path="")
    events = [e for record in read(resolve(str(path)), report=report) for e in record.events]
    assert [event.name for event in events if isinstance(event, Opaque)] == ["video", "oracle"]
    assert report.unknown == {"video": 1, "oracle": 1}


def test_damage_costs_the_message_it_is_in(tmp_path: Path) -> None:
    whole = MAIN.read_bytes()
    path = tmp_path / MAIN.name
    path.write_bytes(whole.replace(b'"messageId": 2,', b'"messageId": oops,'))
    report = FileReport(path="")
    events = [e for record in read(resolve(str(path)), report=report) for e in record.events]
    assert [e.message_id for e in events if isinstance(e, Message)] == ["0", "1", "3", "5", "7", "9", "10", "11", "13"]
    assert report.skipped == {"json_parse_error": 1}
    assert not report.complete
    assert len([event for event in events if isinstance(event, Usage)]) == 8
    path.write_bytes(whole[: whole.index(b'"messageId": 4,')])
    assert [e.message_id for e in _events(path) if isinstance(e, Message)] == ["0", "1", "2", "3"]


def test_what_is_no_thread_is_refused(tmp_path: Path) -> None:
    for number, text in enumerate((b"", b"{}", b"[]", b"null", b'{"a":1}', b"nothing")):
        path = tmp_path / f"T-{number}.json"
        path.write_bytes(text)
        with pytest.raises(NotATranscript):
            _events(path)


def test_threads_are_recognised_by_their_content() -> None:
    for path in THREADS.iterdir():
        assert detect(path.read_bytes()[:65536]) == 95
    assert detect(b'{"id": "T-1", "type": "message"}') == 0
