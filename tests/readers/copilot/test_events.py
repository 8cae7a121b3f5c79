"""What the lines of a Copilot event log mean."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from panscript.schemas.errors import NotATranscript
from panscript.schemas.events import (
    TASK,
    Compaction,
    File,
    Image,
    Message,
    Meta,
    Opaque,
    Session,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    Usage,
)
from panscript.schemas.report import FileReport
from tests.readers.copilot.logs import START, answer, done, event, events, request, start, user, write


def _messages(found: list[Any]) -> list[Message]:
    return [each for each in found if isinstance(each, Message)]


def _results(found: list[Any]) -> list[ToolResult]:
    return [each for each in found if isinstance(each, ToolResult)]


def test_the_session_is_told_by_its_start_and_its_workspace(tmp_path: Path) -> None:
    workspace = 'id: cop-1\ncwd: /elsewhere\nbranch: other\nname: "Say \\"hi\\""\n'

    found = events(write(tmp_path, [start(), user(1, "hi  there")], workspace=workspace))

    session = found[0]
    assert isinstance(session, Session)
    assert (session.session_id, session.title, session.first_prompt) == ("cop-1", 'Say "hi"', "hi there")
    assert (session.cwd, session.git_branch, session.version) == ("/home/dev/app", "main", "1.0.102")
    assert (session.created, session.modified) == (START, START + 1000)
    (meta,) = [each for each in found if isinstance(each, Meta)]
    assert (meta.cwd, meta.git_branch, meta.version, meta.title) == ("/home/dev/app", "main", "1.0.102", 'Say "hi"')


@pytest.mark.parametrize(
    ("written", "meant"),
    [("plain: with colon", "plain: with colon"), ("'it''s'", "it's"), ("null", None), ('"broken', "broken")],
)
def test_names_are_read_as_yaml_writes_them(tmp_path: Path, written: str, meant: str | None) -> None:
    session = events(write(tmp_path, [start(), user(1, "hi")], workspace=f"name: {written}\n"))[0]

    assert isinstance(session, Session)
    assert session.title == meant


def test_what_was_typed_is_told_and_not_what_was_sent(tmp_path: Path) -> None:
    found = events(write(tmp_path, [start(), user(1, "hi", transformedContent="<current_datetime/>hi")]))

    assert _messages(found)[0].content == (Text(text="hi"),)


@pytest.mark.parametrize(
    ("data", "role", "injected"),
    [
        ({"content": "hi"}, "user", None),
        ({"content": "hi", "source": "user"}, "user", None),
        ({"content": "rules", "source": "skill-pdf"}, "system", "skill"),
        ({"content": "<skill-context name='pdf'>"}, "system", "skill"),
        ({"content": "do it", "source": "agent-cop-1"}, "system", TASK),
    ],
)
def test_only_what_a_person_typed_is_the_persons(tmp_path: Path, data: Any, role: str, injected: str | None) -> None:
    (message,) = _messages(events(write(tmp_path, [start(), event("user.message", 1, data)])))

    assert (message.role, message.injected) == (role, injected)


def test_system_prompts_are_injected(tmp_path: Path) -> None:
    rows = [start(), event("system.message", 1, {"role": "system", "content": "a"})]
    rows.append(event("system.message", 2, {"role": "developer", "content": "b"}))

    assert [each.injected for each in _messages(events(write(tmp_path, rows)))] == ["system_prompt", "developer"]


def test_attachments_stand_behind_the_text(tmp_path: Path) -> None:
    attachments = [
        {"type": "file", "path": "/home/dev/shot.PNG", "displayName": "shot.PNG"},
        {"type": "blob", "data": "aGk=", "mimeType": "image/png", "displayName": "a"},
        {"type": "selection", "filePath": "/home/dev/a.py", "displayName": "a.py", "text": "x = 1"},
        {"type": "directory", "path": "/home/dev/app"},
    ]

    (message,) = _messages(events(write(tmp_path, [start(), user(1, "look", attachments=attachments)])))

    assert message.content == (
        Text(text="look"),
        Image(path="/home/dev/shot.PNG"),
        Image(media_type="image/png", data="aGk="),
        File(media_type="text/plain", name="a.py", data="x = 1"),
        File(name="/home/dev/app"),
    )


def test_an_answer_has_reasoning_text_and_calls_in_this_order(tmp_path: Path) -> None:
    blocks = [
        {"type": "thinking", "thinking": "hm", "signature": "c2ln"},
        {"type": "redacted_thinking", "data": "eA=="},
    ]
    row = answer(
        2,
        "look",
        reasoningText="hm",
        reasoningBlocks={"provider": "anthropic-messages", "blocks": blocks},
        toolRequests=[request("c1"), request("c2", "*** patch", "custom")],
    )

    message = _messages(events(write(tmp_path, [start(), user(1, "hi"), row, done(3, "c1")])))[1]

    assert [type(each) for each in message.content] == [Thinking, Thinking, Text, ToolCall, ToolCall]
    assert message.signer == "anthropic"
    assert message.content[0] == Thinking(text="hm", signature="c2ln")
    assert message.content[1] == Thinking(signature="eA==", redacted=True)
    assert message.content[4] == ToolCall(id="c2", name="bash", text="*** patch", custom=True, answered=False)


def test_encrypted_reasoning_is_a_signature(tmp_path: Path) -> None:
    blocks = {"provider": "openai-responses", "blocks": [{"type": "reasoning", "id": "rs_1"}]}
    row = answer(1, "ok", reasoningText="hm", reasoningOpaque="rs_1", encryptedContent="ZW5j", reasoningBlocks=blocks)

    (message,) = _messages(events(write(tmp_path, [start(), row])))

    assert message.content[0] == Thinking(text="hm", signature="ZW5j")
    assert message.signer is None


def test_reasoning_that_stands_apart_is_not_told_twice(tmp_path: Path) -> None:
    rows = [start(), event("assistant.reasoning", 1, {"reasoningId": "r", "content": "hm"})]
    rows.append(answer(2, "ok", reasoningText="hm"))

    found = _messages(events(write(tmp_path, rows)))

    assert [each.content for each in found] == [(Thinking(text="hm"),), (Text(text="ok"),)]


def test_the_start_of_a_call_says_what_its_message_said(tmp_path: Path) -> None:
    started = event("tool.execution_start", 2, {"toolCallId": "c1", "toolName": "bash", "arguments": {"command": "ls"}})

    found = _messages(events(write(tmp_path, [start(), answer(1, "", toolRequests=[request("c1")]), started])))

    assert len(found) == 1


def test_a_call_whose_message_is_lost_is_told_by_its_start(tmp_path: Path) -> None:
    started = event("tool.execution_start", 1, {"toolCallId": "c1", "toolName": "bash", "arguments": {"command": "ls"}})

    (message,) = _messages(events(write(tmp_path, [start(), started])))

    (block,) = message.content
    assert isinstance(block, ToolCall)
    assert (block.id, block.name, bytes(block.arguments)) == ("c1", "bash", b'{"command": "ls"}')


@pytest.mark.parametrize(
    ("data", "status", "text"),
    [
        ({"success": True, "result": {"content": "x"}}, "ok", "x"),
        ({"success": True, "result": {"content": "x"}, "shellExecution": {"exitCode": 0}}, "ok", "x"),
        ({"success": True, "result": {"content": "x"}, "shellExecution": {"exitCode": 3}}, "error", "x"),
        ({"success": False, "error": {"message": "no", "code": "failure"}}, "error", "no"),
        ({"success": None, "result": {"content": "x"}}, "unknown", "x"),
    ],
)
def test_a_result_fails_when_the_tool_or_the_command_did(tmp_path: Path, data: Any, status: str, text: str) -> None:
    rows = [start(), answer(1, "", toolRequests=[request("c1")]), done(2, "c1", **data)]

    (result,) = _results(events(write(tmp_path, rows)))

    assert (result.call_id, result.status, result.content) == ("c1", status, (Text(text=text),))


def test_pictures_of_a_result_are_kept(tmp_path: Path) -> None:
    parts = [{"type": "text", "text": "x"}, {"type": "image", "data": "aGk=", "mimeType": "image/png"}]
    row = done(1, "c1", result={"content": "x", "contents": parts, "detailedContent": "+x"})

    (result,) = _results(events(write(tmp_path, [start(), row])))

    assert result.content == (Text(text="x"), Image(media_type="image/png", data="aGk="))
    assert bytes(result.details) == b'"+x"'


def test_only_a_compaction_that_was_applied_is_one(tmp_path: Path) -> None:
    rows = [
        start(),
        user(1, "hi"),
        event("session.compaction_complete", 2, {"success": False, "error": "Compaction Cancelled"}),
        event(
            "session.compaction_complete",
            3,
            {"success": True, "summaryContent": "so far", "preCompactionTokens": 20450, "trigger": "manual"},
        ),
    ]

    (found,) = [each for each in events(write(tmp_path, rows)) if isinstance(each, Compaction)]

    assert (found.summary, found.tokens_before, found.trigger, found.first_kept) == ("so far", 20450, "manual", None)


def test_a_sub_agent_is_a_conversation_of_its_own_in_the_same_file(tmp_path: Path) -> None:
    rows = [
        start(),
        user(1, "hi"),
        answer(2, "", toolRequests=[request("c1")]),
        event("user.message", 3, {"content": "count", "source": "agent-cop-1"}, agentId="a1"),
        event("assistant.message", 4, {"messageId": "m4", "content": "one"}, agentId="a1"),
        done(5, "c1"),
    ]

    found = [each for each in events(write(tmp_path, rows)) if isinstance(each, Message | ToolResult)]

    assert [(each.id, each.parent, each.agent_id) for each in found] == [
        ("e1", None, None),
        ("e2", "e1", None),
        ("e3", None, "a1"),
        ("e4", "e3", "a1"),
        ("e5", "e2", None),
    ]


def test_without_telemetry_the_requests_of_the_log_are_counted_and_its_totals_are_not(tmp_path: Path) -> None:
    usage = {"model": "m", "inputTokens": 1251, "outputTokens": 41, "cacheReadTokens": 1000, "cacheWriteTokens": 50}
    shutdown = {"modelMetrics": {"m": {"usage": usage}}}
    rows = [
        start(),
        user(1, "hi"),
        event("session.usage_record", 2, {"usage": usage | {"apiCallId": "r1", "modelProvider": "anthropic"}}),
        answer(3, "ok", apiCallId="r1"),
        event("session.shutdown", 4, shutdown),
    ]

    path = write(tmp_path, rows)
    found = events(path)

    (billed,) = (each for each in found if isinstance(each, Usage))
    assert (billed.tokens.input, billed.tokens.total, billed.message_id, billed.told) == (201, 1292, "r1", True)
    assert (billed.model, billed.raw_provider, billed.single_request) == ("m", "anthropic", True)
    assert not [each for each in events(path, told_usage=False) if isinstance(each, Usage)]
    message = _messages(found)[-1]
    assert message.tokens is not None
    assert (message.tokens.input, message.tokens.cache_read, message.tokens.cache_write) == (201, 1000, 50)
    assert (message.tokens.output, message.tokens.total, message.provider) == (41, 1292, "anthropic")


def test_a_log_of_a_version_that_noted_no_requests_is_counted_by_its_last_totals(tmp_path: Path) -> None:
    def ended(number: int, **models: int) -> dict[str, Any]:
        metrics = {name: {"usage": {"inputTokens": many, "outputTokens": 1}} for name, many in models.items()}
        return event("session.shutdown", number, {"modelMetrics": metrics})

    rows = [start(), user(1, "hi"), answer(2, "ok"), ended(3, a=10), user(4, "more"), ended(5, a=30, b=5, c=0)]

    found = [each for each in events(write(tmp_path, rows)) if isinstance(each, Usage)]

    assert [(each.model, each.tokens.input, each.tokens.output) for each in found] == [
        ("a", 30, 1),
        ("b", 5, 1),
        ("c", 0, 1),
    ]
    assert not any(each.single_request for each in found)


def test_a_request_that_is_noted_twice_is_counted_once(tmp_path: Path) -> None:
    def noted(number: int, name: str, **counts: int) -> dict[str, Any]:
        usage = {"model": "m", "apiCallId": name, "accounting": {"usageId": name}} | counts
        return event("session.usage_record", number, {"usage": usage})

    rows = [
        start(),
        noted(1, "r1", inputTokens=7),
        noted(2, "r1", inputTokens=7),
        noted(3, "r2"),
        noted(4, "r3", inputTokens=9),
    ]
    report = FileReport(path="")

    found = [each for each in events(write(tmp_path, rows), report) if isinstance(each, Usage)]

    assert [(each.message_id, each.tokens.input, each.told) for each in found] == [("r1", 7, False), ("r3", 9, False)]
    assert report.skipped == {"no_token_usage": 1}


def test_a_model_that_is_changed_is_told(tmp_path: Path) -> None:
    rows = [start(selectedModel="a"), user(1, "hi"), event("session.model_change", 2, {"newModel": "b"})]

    assert [each.model for each in events(write(tmp_path, rows)) if isinstance(each, Meta)] == ["a", "b"]


def test_traces_of_a_compaction_say_nothing(tmp_path: Path) -> None:
    rows = [start(), user(1, "hi"), event("model.message", 2, {"kind": "message", "message": {"content": "hi"}})]
    report = FileReport(path="")

    assert len(_messages(events(write(tmp_path, rows), report))) == 1
    assert report.unknown == {}


def test_types_that_are_not_known_are_kept(tmp_path: Path) -> None:
    report = FileReport(path="")

    found = events(write(tmp_path, [start(), user(1, "hi"), event("future.thing", 2, {"a": 1})]), report)

    assert [each.name for each in found if isinstance(each, Opaque)] == ["future.thing"]
    assert report.unknown == {"future.thing": 1}


def test_a_torn_line_costs_itself(tmp_path: Path) -> None:
    path = write(tmp_path, [start(), user(1, "hi"), user(2, "more")])
    path.write_bytes(path.read_bytes()[:-30])
    report = FileReport(path="")

    assert [each.content for each in _messages(events(path, report))] == [(Text(text="hi"),)]
    assert report.skipped == {"other_json_parse_error": 1}
    assert [(each.line, each.code) for each in report.skipped_at] == [(3, "other_json_parse_error")]


def test_values_of_a_wrong_type_cost_themselves(tmp_path: Path) -> None:
    report = FileReport(path="")

    found = events(write(tmp_path, [start(), user(1, "hi", attachments="none", messageId=7)]), report)

    assert _messages(found)[0].content == (Text(text="hi"),)
    assert report.changed == {"value_ignored": 2}


def test_a_file_in_which_nothing_is_understood_is_none(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    path.write_bytes(b'{"some":"thing"}\nnonsense\n')

    with pytest.raises(NotATranscript):
        events(path)


def test_ids_that_repeat_are_told_apart(tmp_path: Path) -> None:
    found = _messages(events(write(tmp_path, [start(), user(1, "hi"), user(1, "hi")])))

    assert [each.id for each in found] == ["e1", "e1#3"]


def test_a_log_of_an_older_version_lies_flat(tmp_path: Path) -> None:
    path = tmp_path / ".copilot/session-state/cop-1.jsonl"
    path.parent.mkdir(parents=True)
    path.write_bytes(write(tmp_path / "x", [user(1, "hi")]).read_bytes())

    session = events(path)[0]

    assert isinstance(session, Session)
    assert session.session_id == "cop-1"
