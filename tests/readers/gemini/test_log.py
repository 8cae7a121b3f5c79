"""What the lines of a Gemini CLI session mean."""

from __future__ import annotations

import json
from pathlib import Path

from panscript.schemas.events import (
    AGENT_NOTICE,
    Compaction,
    Image,
    Message,
    Meta,
    Opaque,
    Shell,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
)
from panscript.schemas.report import FileReport
from tests.readers.gemini.sessions import answer, call, events, of, said, session, time, usage, user, write

CONTEXT = "<session_context>\nToday is Thursday.\n</session_context>"


def test_a_repeated_message_stands_at_its_first_place_in_its_last_version(tmp_path: Path) -> None:
    found = events(
        tmp_path, user("u1", "hi"), answer("g1", "one"), user("u2", "more"), answer("g1", "two"), answer("g2", "three")
    )
    assert said(found) == [("user", "hi"), ("assistant", "two"), ("user", "more"), ("assistant", "three")]


def test_a_repeated_message_is_billed_once(tmp_path: Path) -> None:
    early = answer("g1", "one", tokens=None)
    (billed,) = usage(events(tmp_path, user("u1", "hi"), early, answer("g1", "one"), answer("g1", "one")))
    tokens = billed.tokens
    assert (tokens.input, tokens.cache_read, tokens.output, tokens.reasoning, tokens.total) == (42, 60, 15, 5, 117)
    assert (billed.provider, billed.model, billed.single_request) == ("google", "gemini-3-pro", True)


def test_a_rewind_leaves_a_message_and_all_behind_it(tmp_path: Path) -> None:
    found = events(
        tmp_path, user("u1", "hi"), answer("g1", "ho"), user("u2", "no"), {"$rewindTo": "u2"}, user("u3", "yes")
    )
    assert said(found) == [("user", "hi"), ("assistant", "ho"), ("user", "yes")]
    assert said(found, live=False) == [("user", "no")]
    by_id = {event.id: event for event in found}
    assert by_id["u3"].parent == by_id["u2"].parent == "g1"


def test_a_rewind_at_the_end_of_the_file_leaves_nothing_behind_it(tmp_path: Path) -> None:
    found = events(tmp_path, user("u1", "hi"), answer("g1", "ho"), user("u2", "no"), {"$rewindTo": "u2"})
    assert said(found) == [("user", "hi"), ("assistant", "ho")]


def test_a_rewind_to_a_message_that_is_not_there_leaves_all(tmp_path: Path) -> None:
    found = events(tmp_path, user("u1", "hi"), answer("g1", "ho"), {"$rewindTo": "x"}, user("u2", "again"))
    assert said(found) == [("user", "again")]
    assert len(usage(found)) == 1, "what was left was billed, too"


def test_the_first_context_comes_in_a_change_and_is_nobodys_message(tmp_path: Path) -> None:
    found = events(tmp_path, {"$set": {"messages": [user("c", [{"text": CONTEXT}])]}}, user("u1", "hi"))
    assert said(found) == [("session_context", CONTEXT), ("user", "hi")]
    assert session(found).first_prompt == "hi"


def test_messages_that_replace_others_are_a_compaction(tmp_path: Path) -> None:
    summary = "<state_snapshot>\nthey said hi\n</state_snapshot>"
    rows = [user("u1", "hi"), answer("g1", "ho"), user("u2", "more"), answer("g2", "yes")]
    made_up = {"id": "a", "timestamp": time(9), "type": "gemini", "content": [{"text": "Got it."}]}
    found = events(
        tmp_path,
        *rows,
        {"$set": {"messages": [user("s", [{"text": summary}], 9), made_up, rows[2], rows[3]]}},
        user("u3", "go on", 10),
    )
    (compaction,) = [event for event in found if isinstance(event, Compaction)]
    assert (compaction.summary, compaction.first_kept, compaction.parent) == (summary, "u2", "g2")
    assert said(found)[4:] == [(AGENT_NOTICE, "Got it."), ("user", "go on")]
    assert len(usage(found)) == 2


def test_a_summary_that_was_written_down_before_it_replaced_others_is_the_compaction(tmp_path: Path) -> None:
    summary = user("s", [{"text": "<state_snapshot>all</state_snapshot>"}], 9)
    found = events(
        tmp_path, user("u1", "hi"), answer("g1", "ho"), summary, {"$set": {"messages": [summary]}}, user("u2", "on", 11)
    )
    (compaction,) = [event for event in found if isinstance(event, Compaction)]
    assert compaction.summary.startswith("<state_snapshot>")
    assert [role for role, _ in said(found)] == ["user", "assistant", "compaction_summary", "user"]


def test_masked_results_keep_their_messages(tmp_path: Path) -> None:
    long, short = answer("g1", "", toolCalls=[call("c", "x" * 50)]), answer("g1", "", toolCalls=[call("c", "masked")])
    found = events(tmp_path, user("u1", "hi"), long, {"$set": {"messages": [user("u1", "hi"), short]}})
    assert not [event for event in found if isinstance(event, Compaction)]
    (result,) = [event for event in found if isinstance(event, ToolResult)]
    assert result.content == (Text(text="masked"),)


def test_what_was_taken_back_at_the_end_is_not_live(tmp_path: Path) -> None:
    rows = [user("u1", "hi"), answer("g1", "ho"), user("u2", "stop")]
    found = events(tmp_path, *rows, {"$set": {"messages": rows[:2]}}, user("u3", "other"))
    assert said(found) == [("user", "hi"), ("assistant", "ho"), ("user", "other")]
    assert said(found, live=False) == [("user", "stop")]


def test_results_stand_in_the_call_and_are_not_told_again(tmp_path: Path) -> None:
    again = user("r", [{"functionResponse": {"id": "c", "name": "read_file", "response": {"output": "text"}}}])
    report = FileReport(path="")
    found = events(
        tmp_path, user("u1", "hi"), answer("g1", "look", toolCalls=[call("c", "text")]), again, report=report
    )
    (result,) = [event for event in found if isinstance(event, ToolResult)]
    assert (result.call_id, result.name, result.status, result.content) == (
        "c",
        "read_file",
        "ok",
        (Text(text="text"),),
    )
    assert report.classes == {"used": 3, "twin": 1}


def test_a_result_that_only_stands_in_the_persons_message_is_told_there(tmp_path: Path) -> None:
    parts = [{"functionCall": {"id": "c", "name": "ls", "args": {"a": 1}}}]
    answered = user("r", [{"functionResponse": {"id": "c", "name": "ls", "response": {"error": "no"}}}])
    found = events(tmp_path, user("u1", "hi"), answer("g1", parts), answered)
    (message,) = [event for event in found if isinstance(event, Message) and event.role == "assistant"]
    (asked,) = [block for block in message.content if isinstance(block, ToolCall)]
    assert (asked.id, asked.name, bytes(asked.arguments), asked.answered) == ("c", "ls", b'{"a": 1}', True)
    (result,) = [event for event in found if isinstance(event, ToolResult)]
    assert (result.call_id, result.status, result.content) == ("c", "error", (Text(text="no"),))


def test_a_call_in_content_and_in_the_list_is_one(tmp_path: Path) -> None:
    parts = [{"text": "see"}, {"functionCall": {"id": "c", "name": "read_file", "args": {}}}]
    found = events(tmp_path, user("u1", "hi"), answer("g1", parts, toolCalls=[call("c", "x"), call("d")]))
    blocks = [block for event in found if isinstance(event, Message) for block in event.content]
    asked = [(block.id, block.answered) for block in blocks if isinstance(block, ToolCall)]
    assert asked == [("c", True), ("d", True)], "a call that is done is answered, without a result, too"


def test_status_tells_how_a_call_ended(tmp_path: Path) -> None:
    failed = [{"functionResponse": {"id": "b", "name": "x", "response": {"error": "broken"}}}]
    calls = [
        call("a", "fine"),
        call("b", failed, "error"),
        call("c", status="cancelled", resultDisplay="stopped"),
        call("d", status="executing"),
    ]
    found = events(tmp_path, user("u1", "hi"), answer("g1", "", toolCalls=calls))
    results = [event for event in found if isinstance(event, ToolResult)]
    assert [(event.call_id, event.status) for event in results] == [("a", "ok"), ("b", "error"), ("c", "error")]
    assert results[2].content == (Text(text="stopped"),)
    asked = [block for event in found if isinstance(event, Message) for block in event.content]
    assert [block.answered for block in asked if isinstance(block, ToolCall)] == [True, True, True, False]


def test_pictures_beside_a_result_belong_to_it(tmp_path: Path) -> None:
    picture = {"inlineData": {"mimeType": "image/png", "data": "aGk="}}
    result = [{"functionResponse": {"id": "c", "name": "x", "response": {"output": "1 picture"}}}, picture]
    diff = {"fileDiff": "-a\n+b"}
    found = events(tmp_path, user("u1", "hi"), answer("g1", "", toolCalls=[call("c", result, resultDisplay=diff)]))
    (told,) = [event for event in found if isinstance(event, ToolResult)]
    assert told.content == (Text(text="1 picture"), Image(media_type="image/png", data="aGk="))
    assert b"fileDiff" in bytes(told.details)


def test_results_of_parallel_calls_that_came_together_are_told_apart(tmp_path: Path) -> None:
    picture = {"inlineData": {"mimeType": "image/png", "data": "aGk="}}
    both = [
        {"functionResponse": {"id": "c", "name": "x", "response": {"output": "one"}}},
        picture,
        {"functionResponse": {"id": "d", "name": "x", "response": {"output": "two"}}},
    ]
    found = events(tmp_path, user("u1", "hi"), answer("g1", "", toolCalls=[call("c", both), call("d", both)]))
    results = [event.content for event in found if isinstance(event, ToolResult)]
    assert results == [(Text(text="one"), Image(media_type="image/png", data="aGk=")), (Text(text="two"),)]


def test_thoughts_are_thinking(tmp_path: Path) -> None:
    thoughts = [{"subject": "Plan", "description": "Look first.", "timestamp": time(1)}]
    found = events(tmp_path, user("u1", "hi"), answer("g1", "ok", thoughts=thoughts))
    (message,) = [event for event in found if isinstance(event, Message) and event.role == "assistant"]
    assert message.content == (Thinking(text="**Plan** Look first."), Text(text="ok"))
    in_content = [{"text": "Look first.", "thought": True, "thoughtSignature": "s"}, {"text": "ok"}]
    found = events(tmp_path, user("u1", "hi"), answer("g1", in_content, thoughts=thoughts))
    (message,) = [event for event in found if isinstance(event, Message) and event.role == "assistant"]
    assert message.content == (Thinking(text="Look first.", signature="s"), Text(text="ok"))


def test_what_the_agent_puts_into_a_prompt_is_not_the_persons(tmp_path: Path) -> None:
    content = [
        {"text": "what is in @a.txt?"},
        {"text": "\n--- Content from referenced files ---"},
        {"text": "\nContent from @a.txt:\n"},
        {"text": "hello"},
        {"text": "\n--- End of content ---"},
        {"text": "<hook_context>be kind</hook_context>"},
    ]
    found = events(tmp_path, user("u1", content))
    assert [kind for kind, _ in said(found)] == ["user", "file_mention", "hook_context"]
    assert said(found)[0] == ("user", "what is in @a.txt?")


def test_commands_of_the_interface_are_not_said_to_the_model(tmp_path: Path) -> None:
    found = events(tmp_path, user("u1", "/stats"), user("u2", "?"), user("u3", "hi"))
    assert [kind for kind, _ in said(found)] == ["command", "command", "user"]
    assert session(found).first_prompt == "hi"


def test_a_command_that_the_person_ran_is_one(tmp_path: Path) -> None:
    text = (
        "I ran the following shell command:\n```sh\nls -l\n```\n\nThis produced the following result:\n```\na.txt\n```"
    )
    found = events(tmp_path, user("u1", [{"text": text}]))
    (shell,) = [event for event in found if isinstance(event, Shell)]
    assert (shell.command, shell.output) == ("ls -l", "a.txt")
    assert session(found).first_prompt is None


def test_notices_of_the_screen_are_no_answers(tmp_path: Path) -> None:
    notice = {"id": "n", "timestamp": time(2), "type": "error", "content": "[API Error: 500]"}
    found = events(tmp_path, user("u1", "hi"), notice, {**notice, "id": "m", "type": "info", "content": "done"})
    assert said(found) == [("user", "hi"), (AGENT_NOTICE, "[API Error: 500]"), (AGENT_NOTICE, "done")]


def test_the_last_summary_is_the_title(tmp_path: Path) -> None:
    found = events(tmp_path, user("u1", "hi"), {"$set": {"summary": "One"}}, {"$set": {"summary": "Two"}})
    assert session(found).title == "Two"
    assert [event.title for event in found if isinstance(event, Meta) and event.title] == ["One", "Two"]


def test_what_is_not_known_is_kept_and_counted(tmp_path: Path) -> None:
    report = FileReport(path="")
    strange = {"id": "s", "timestamp": time(2), "type": "oracle", "content": "?"}
    part = answer("g", [{"text": "a"}, {"hologram": 1}])
    found = events(tmp_path, user("u1", "hi"), strange, {"type": "future"}, part, report=report)
    opaque = {event.name: bytes(event.data) for event in found if isinstance(event, Opaque)}
    assert opaque.keys() == {"oracle", "future", "part"}
    assert opaque["part"] == b'{"hologram": 1}'
    assert report.unknown == {"oracle": 1, "future": 1, "part": 1}
    assert report.classes == {"used": 4, "opaque": 1}


def test_a_message_that_came_back_after_it_was_left_is_billed_once(tmp_path: Path) -> None:
    found = events(tmp_path, user("u1", "hi"), answer("g1", "ho"), {"$rewindTo": "g1"}, answer("g1", "ho"))
    assert len(usage(found)) == 1
    assert said(found) == [("user", "hi"), ("assistant", "ho")]


def test_the_record_of_usage_is_the_messages_own(tmp_path: Path) -> None:
    path = write(tmp_path / "session-x.jsonl", [{"$set": {"messages": [user("u1", "hi"), answer("g1", "ho")]}}])
    (billed,) = usage(of(path, raw=True))
    assert json.loads(bytes(billed.raw)) == answer("g1", "ho")
