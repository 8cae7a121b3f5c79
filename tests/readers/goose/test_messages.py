"""What the messages of a Goose session mean."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import pytest

from panscript.schemas.events import (
    COMPACTION_SUMMARY,
    TASK,
    Compaction,
    Event,
    File,
    Image,
    Message,
    Opaque,
    Session,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
)
from panscript.schemas.report import FileReport
from tests.readers.goose.making import BEGAN, call, database, events, hidden, records, result, said, text

Kind = TypeVar("Kind", bound=Event)


def those(kind: type[Kind], found: list[Event]) -> list[Kind]:
    return [event for event in found if isinstance(event, kind)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "sessions.db"


def test_what_the_row_says_of_the_session(path: Path) -> None:
    database(path, [said("user", text(" hello\n there "))])
    session = events(path)[0]
    assert isinstance(session, Session)
    assert (session.session_id, session.title, session.cwd) == ("20260101_1", "a title", "/home/dev/app")
    assert (session.model, session.provider, session.first_prompt) == ("GPT-9", "openai", "hello there")
    assert (session.created, session.modified) == (BEGAN * 1000, (BEGAN + 3600) * 1000), "times without a zone are UTC"
    assert session.complete


def test_the_description_is_the_title_of_older_versions(path: Path) -> None:
    database(path, sessions=[{"name": "", "description": "old title"}])
    assert events(path)[0].title == "old title"  # type: ignore[union-attr]


def test_messages_come_by_time_and_then_by_number(path: Path) -> None:
    late, early = {"created_timestamp": BEGAN + 9}, {"created_timestamp": BEGAN}
    database(
        path, [said("user", text("3"), **late), said("user", text("1"), **early), said("user", text("2"), **early)]
    )
    assert [event.content for event in those(Message, events(path))] == [(Text(text=each),) for each in "123"]


@pytest.mark.parametrize("time", [BEGAN + 5, (BEGAN + 5) * 1000])
def test_seconds_and_milliseconds(path: Path, time: int) -> None:
    database(path, [said("user", text("x"), created_timestamp=time)])
    assert those(Message, events(path))[0].time == (BEGAN + 5) * 1000


def test_parts_of_a_response_share_its_id_and_the_last_closes_it(path: Path) -> None:
    database(
        path,
        [
            said("user", text("go")),
            said("assistant", {"type": "thinking", "thinking": "hm", "signature": ""}, text("first")),
            said("assistant", call("c1")),
            said("user", result("c1", "done")),
            said("assistant", text("end")),
        ],
    )
    answers = [event for event in those(Message, events(path)) if event.role == "assistant"]
    assert [(event.response, event.closes) for event in answers] == [("m1", False), ("m1", True), ("m4", True)]
    assert answers[0].content == (Thinking(text="hm"), Text(text="first"))
    assert [event.model for event in answers] == ["GPT-9"] * 3


def test_the_parent_of_each_is_the_one_before(path: Path) -> None:
    database(path, [said("user", text("go")), said("assistant", text("a"), call("c")), said("user", result("c", "x"))])
    chained = [event for event in events(path) if isinstance(event, Message | ToolResult)]
    assert [(event.id, event.parent) for event in chained] == [("m0", None), ("m1", "m0"), ("m2", "m1")]


def test_a_result_is_no_word_of_the_user(path: Path) -> None:
    database(path, [said("assistant", call("c")), said("user", result("c", "out", structuredContent={"exit_code": 0}))])
    (answer,) = those(ToolResult, events(path))
    assert (answer.call_id, answer.status, answer.content) == ("c", "ok", (Text(text="out"),))
    assert msgspec.json.decode(answer.details) == {"exit_code": 0}
    assert [event.role for event in those(Message, events(path))] == ["assistant"]


FAILED: list[tuple[dict[str, Any], str]] = [
    ({"status": "success", "value": {"content": [text("no such file")], "isError": True}}, "no such file"),
    ({"status": "error", "error": "it was denied"}, "it was denied"),
    ({"status": "error", "error": {"code": -1, "message": "it was denied"}}, "it was denied"),
]


@pytest.mark.parametrize(("outcome", "words"), FAILED)
def test_a_result_fails_by_its_status_or_by_what_it_says(path: Path, outcome: dict[str, Any], words: str) -> None:
    database(path, [said("user", {"type": "toolResponse", "id": "c", "toolResult": outcome})])
    (answer,) = those(ToolResult, events(path))
    assert (answer.status, answer.content) == ("error", (Text(text=words),))


def test_older_results_are_the_items_themselves(path: Path) -> None:
    outcome = {"status": "success", "value": [text("a"), {"type": "image", "data": "AAAA", "mimeType": "image/png"}]}
    database(path, [said("user", {"type": "toolResponse", "id": "c", "toolResult": outcome})])
    (answer,) = those(ToolResult, events(path))
    assert answer.content == (Text(text="a"), Image(media_type="image/png", data="AAAA"))


def test_what_a_tool_says_once_more_for_the_person_is_left_out(path: Path) -> None:
    shown, sent = ({"audience": [who], "priority": 0.0} for who in ("user", "assistant"))
    value = {"content": [text("to the model", annotations=sent), text("to the eye", annotations=shown)]}
    only = {"content": [text("to the eye", annotations=shown)]}
    database(
        path,
        [
            said("user", {"type": "toolResponse", "id": "a", "toolResult": {"status": "success", "value": value}}),
            said("user", {"type": "toolResponse", "id": "b", "toolResult": {"status": "success", "value": only}}),
        ],
    )
    assert [event.content for event in those(ToolResult, events(path))] == [
        (Text(text="to the model"),),
        (Text(text="to the eye"),),
    ]


def test_documents_links_and_recordings_in_results(path: Path) -> None:
    items = [
        {"type": "resource", "resource": {"uri": "file:///a", "mimeType": "text/plain", "text": "inside"}},
        {"type": "resource_link", "uri": "file:///b", "name": "b"},
        {"type": "audio", "data": "AAAA", "mimeType": "audio/wav"},
    ]
    outcome = {"status": "success", "value": {"content": items}}
    database(path, [said("user", {"type": "toolResponse", "id": "c", "toolResult": outcome})])
    assert those(ToolResult, events(path))[0].content == (
        File(media_type="text/plain", name="file:///a", data="inside"),
        File(name="b", url="file:///b"),
        File(media_type="audio/wav", data="AAAA"),
    )


def test_calls_with_arguments_and_whether_they_are_answered(path: Path) -> None:
    database(
        path, [said("assistant", call("a", "dev__shell", command="ls"), call("b")), said("user", result("a", "x"))]
    )
    (message,) = those(Message, events(path))
    one, other = message.content
    assert isinstance(one, ToolCall)
    assert isinstance(other, ToolCall)
    assert (one.name, msgspec.json.decode(one.arguments), one.answered) == ("dev__shell", {"command": "ls"}, True)
    assert not other.answered


def test_a_call_that_could_not_be_understood(path: Path) -> None:
    outcome = {"status": "error", "error": "-32602: bad arguments"}
    database(path, [said("assistant", {"type": "toolRequest", "id": "c", "toolCall": outcome})])
    assert those(Message, events(path))[0].content == (
        ToolCall(id="c", name="", text="-32602: bad arguments", answered=False),
    )


def test_calls_that_the_program_around_answers(path: Path) -> None:
    outcome = {"status": "success", "value": {"name": "pick", "arguments": {}}}
    database(path, [said("assistant", {"type": "frontendToolRequest", "id": "c", "toolCall": outcome})])
    (found,) = those(Message, events(path))[0].content
    assert isinstance(found, ToolCall)
    assert found.name == "pick"


def test_thinking_in_every_form(path: Path) -> None:
    items = [
        {"type": "thinking", "thinking": "a", "signature": "sig"},
        {"type": "redactedThinking", "data": "secret"},
        {"type": "reasoning", "text": "b"},
    ]
    database(path, [said("assistant", *items)])
    assert those(Message, events(path))[0].content == (
        Thinking(text="a", signature="sig"),
        Thinking(signature="secret", redacted=True),
        Thinking(text="b"),
    )


def test_pictures(path: Path) -> None:
    database(path, [said("user", {"type": "image", "data": "AAAA", "mimeType": "image/png"})])
    assert those(Message, events(path))[0].content == (Image(media_type="image/png", data="AAAA"),)


def test_what_program_and_person_tell_each_other_is_state(path: Path) -> None:
    items = [
        {"type": "toolConfirmationRequest", "id": "c", "toolName": "shell", "arguments": {}, "prompt": "May I?"},
        {"type": "actionRequired", "data": {"actionType": "elicitation", "message": "?"}},
        {"type": "systemNotification", "notificationType": "inlineMessage", "msg": "done"},
        {"type": "contextLengthExceeded", "msg": "too long"},
        {"type": "summarizationRequested", "msg": "x"},
        {"type": "conversationCompacted", "msg": "x"},
    ]
    report = FileReport(path="")
    database(path, [said("assistant", item) for item in items])
    found = records(path, report)
    assert [record.kind for record in found[1:-1]] == ["state"] * 6
    assert not report.unknown
    assert not report.skipped


def test_unknown_items_and_roles_are_kept(path: Path) -> None:
    report = FileReport(path="")
    database(path, [said("user", text("a"), {"type": "hologram", "x": 1}), said("robot", text("b"))])
    found = those(Opaque, events(path, report))
    assert [(each.name, msgspec.json.decode(each.data).get("x")) for each in found] == [
        ("hologram", 1),
        ("robot", None),
    ]
    assert report.unknown == {"hologram": 1, "robot": 1}


def test_a_compaction(path: Path) -> None:
    database(
        path,
        [
            said("user", text("old question"), **hidden("agent")),
            said("assistant", text("old answer"), **hidden("agent")),
            said("user", text("What happened so far"), **hidden("user")),
            said("assistant", text("go on, do not mention it"), **hidden("user")),
            said("user", text("new question")),
        ],
    )
    found = events(path)
    (compaction,) = those(Compaction, found)
    assert (compaction.summary, compaction.first_kept, compaction.parent) == ("What happened so far", None, "m1")
    told = [(event.role, event.injected, event.hidden) for event in those(Message, found)]
    assert told == [
        ("user", None, False),
        ("assistant", None, False),
        ("system", COMPACTION_SUMMARY, False),
        ("system", "agent_only", True),
        ("user", None, False),
    ]


def test_a_second_compaction_hides_the_first_summary_from_all(path: Path) -> None:
    both = {"metadata_json": '{"userVisible":false,"agentVisible":false}'}
    database(
        path,
        [
            said("user", text("1"), **hidden("agent")),
            said("user", text("summary of 1"), **both),
            said("assistant", text("go on"), **both),
            said("user", text("2"), **hidden("agent")),
            said("user", text("summary of 1 and 2"), **hidden("user")),
            said("assistant", text("go on"), **hidden("user")),
        ],
    )
    assert [event.summary for event in those(Compaction, events(path))] == ["summary of 1", "summary of 1 and 2"]


def test_what_a_compaction_kept(path: Path) -> None:
    database(
        path,
        [
            said("user", text("1"), **hidden("agent")),
            said("user", text("2")),
            said("user", text("summary"), **hidden("user")),
        ],
    )
    assert [event.first_kept for event in those(Compaction, events(path))] == ["m1"]


def test_a_summary_of_one_call_is_no_compaction(path: Path) -> None:
    database(
        path,
        [
            said("user", text("1")),
            said("assistant", call("c"), **hidden("agent")),
            said("user", result("c", "x"), **hidden("agent")),
            said("user", text("it listed the files"), **hidden("user")),
        ],
    )
    found = events(path)
    assert those(Compaction, found) == []
    assert [event.injected for event in those(Message, found)] == [None, None, "agent_only"]


def test_what_a_sub_agent_is_told_nobody_typed(path: Path) -> None:
    database(path, [said("user", text("do it"))], sessions=[{"session_type": "sub_agent"}])
    found = events(path)
    assert [(event.role, event.injected) for event in those(Message, found)] == [("system", TASK)]
    assert found[0].first_prompt is None  # type: ignore[union-attr]


def test_messages_with_one_id_have_names_of_their_own(path: Path) -> None:
    ids = ["same", "same", None, "session", "a:b"]
    database(path, [said("assistant", text("x"), message_id=each) for each in ids])
    assert [event.id for event in those(Message, events(path))] == ["same", "same#3", "line:4", "session#5", "a:b#6"]


def test_records_are_rows_as_json(path: Path) -> None:
    database(path, [said("user", text("hi"), **hidden("agent"))])
    rows = [msgspec.json.decode(record.raw) for record in records(path) if record.raw]
    assert rows[0]["working_dir"] == "/home/dev/app"
    assert rows[1]["content_json"] == [{"type": "text", "text": "hi"}]
    assert rows[1]["metadata_json"] == {"userVisible": True, "agentVisible": False}
    assert [record.origin.line for record in records(path)] == [1, 2, 2]


def test_columns_that_nobody_knows_are_in_the_record(path: Path) -> None:
    database(path, [said("user", text("hi"))])
    connection = sqlite3.connect(path)
    connection.execute("""ALTER TABLE messages ADD COLUMN 'ne"w' TEXT DEFAULT 'later'""")
    connection.commit()
    connection.close()
    assert msgspec.json.decode(records(path)[1].raw)['ne"w'] == "later"


@pytest.mark.parametrize("content", ["", "no json", '[{"type":"text","te', "5", "null"])
def test_a_message_that_cannot_be_read_costs_that_message(path: Path, content: str) -> None:
    report = FileReport(path="")
    database(path, [said("user", text("a")), {"role": "user", "content_json": content}, said("user", text("b"))])
    found = events(path, report)
    assert [event.content for event in those(Message, found)] == [(Text(text="a"),), (Text(text="b"),)]
    if content != "null":
        assert report.skipped == {"other_json_parse_error": 1}
        assert [(each.line, each.code) for each in report.skipped_at] == [(3, "other_json_parse_error")]
        assert not found[0].complete  # type: ignore[union-attr]


def test_values_of_other_types_cost_those_values(path: Path) -> None:
    report = FileReport(path="")
    row = {"role": "user", "content_json": '["bare", {"type":"text","text":5}, 7]', "metadata_json": "no json"}
    database(path, [row, said("user", text("b"), metadata_json="[1]")])
    found = those(Message, events(path, report))
    assert found[0].content[0] == Text(text="bare")
    assert found[1].content == (Text(text="b"),)
    assert report.changed
    assert not report.skipped


def test_text_that_is_no_utf8(path: Path) -> None:
    database(path, [said("user", text("a"))])
    connection = sqlite3.connect(path)
    connection.execute(
        "UPDATE messages SET content_json = CAST(x'5b7b2274797065223a2274657874222c2274657874223a22ff227d5d' AS TEXT)"
    )
    connection.commit()
    connection.close()
    assert those(Message, events(path))[0].content == (Text(text="�"),)
