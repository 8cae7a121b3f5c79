"""What the steps of a conversation say, in its log and in its database."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from panscript.readers.opening import open_source
from panscript.schemas.events import Event, Image, Message, Meta, Opaque, Session, Text, Thinking, ToolCall, ToolResult
from panscript.schemas.report import FileReport
from tests.readers.antigravity.making import (
    ID,
    called,
    database,
    line,
    log,
    message,
    prompt,
    records,
    request,
    said,
    sources,
    stamp,
    step,
)

CALLS = [{"name": "run_command", "args": {"CommandLine": "ls"}}, {"name": "view_file", "args": {}}]


def read_log(root: Path, *rows: Any, report: FileReport | None = None) -> list[Event]:
    log(root, rows)
    (source,) = sources(root)
    return said(source, report)


def results(events: list[Event]) -> list[tuple[str, str, str]]:
    return [
        (event.call_id, event.status, "".join(block.text for block in event.content if isinstance(block, Text)))
        for event in events
        if isinstance(event, ToolResult)
    ]


def calls(events: list[Event]) -> list[ToolCall]:
    content = (block for event in events if isinstance(event, Message) for block in event.content)
    return [block for block in content if isinstance(block, ToolCall)]


def test_what_a_person_typed_is_taken_from_what_the_agent_put_around_it(tmp_path: Path) -> None:
    session, *events = read_log(tmp_path, prompt(0, "list files"))
    assert isinstance(session, Session)
    assert session.first_prompt == "list files"
    person, added = (event for event in events if isinstance(event, Message))
    assert (person.role, person.content) == ("user", (Text(text="list files"),))
    assert (added.role, added.injected, added.hidden) == ("system", "additional_metadata", True)
    assert added.content == (Text(text="<ADDITIONAL_METADATA>\nnow\n</ADDITIONAL_METADATA>"),)


def test_an_answer_has_thinking_text_and_calls(tmp_path: Path) -> None:
    events = read_log(tmp_path, line(4, "PLANNER_RESPONSE", "ok", thinking="hm", tool_calls=CALLS))
    (answer,) = (event for event in events if isinstance(event, Message))
    assert answer.content[:2] == (Thinking(text="hm"), Text(text="ok"))
    assert [(call.id, call.name, call.answered) for call in calls(events)] == [
        ("step4-0", "run_command", False),
        ("step4-1", "view_file", False),
    ]
    assert json.loads(bytes(calls(events)[0].arguments)) == {"CommandLine": "ls"}


def test_results_follow_their_calls_in_order(tmp_path: Path) -> None:
    events = read_log(
        tmp_path,
        line(1, "PLANNER_RESPONSE", "ok", tool_calls=CALLS),
        line(2, "RUN_COMMAND", "a.txt"),
        line(3, "EPHEMERAL_MESSAGE", "remember", "SYSTEM"),
        line(4, "VIEW_FILE", "no such file", status="ERROR"),
        line(5, "LIST_DIRECTORY", "x", status="RUNNING"),
    )
    assert results(events) == [
        ("step1-0", "ok", "a.txt"),
        ("step1-1", "error", "no such file"),
        ("step5", "unknown", "x"),
    ]
    assert all(call.answered for call in calls(events))


def test_the_database_knows_which_call_a_result_is_of(tmp_path: Path) -> None:
    log(
        tmp_path,
        [
            line(0, "PLANNER_RESPONSE", "ok", tool_calls=CALLS),
            line(1, "VIEW_FILE", "text"),
            line(2, "RUN_COMMAND", "out"),
        ],
    )
    second = called("c2", "view_file", "{}")
    database(
        tmp_path,
        steps=[
            (15, step(15, (20, message((1, "ok"), (7, called()), (7, second))))),
            (8, step(8, call=second)),
            (21, step(21, (28, message((6, 3))), call=called())),
        ],
    )
    (source,) = sources(tmp_path)
    events = said(source)
    assert [call.id for call in calls(events)] == ["c1", "c2"]
    assert results(events) == [("c2", "ok", "text"), ("c1", "error", "out")]
    assert [record.kind for record in records(source)] == ["used", "used", "used", "twin", "twin", "twin", "end"]


def test_notices_of_the_agent_are_the_systems(tmp_path: Path) -> None:
    events = read_log(
        tmp_path,
        line(0, "SYSTEM_MESSAGE", "a", "SYSTEM"),
        line(1, "ERROR_MESSAGE", "b", "SYSTEM"),
        line(2, "CHECKPOINT", "c"),
        line(3, "CONVERSATION_HISTORY", "d", "SYSTEM"),
        line(4, "USER_INPUT", "e", "USER_IMPLICIT"),
    )
    found = [(event.role, event.injected, event.hidden) for event in events if isinstance(event, Message)]
    assert found == [
        ("system", "system_message", True),
        ("system", "error_message", False),
        ("system", "checkpoint", True),
        ("system", "user_implicit", False),
    ]


def test_a_step_of_nobody_is_kept_as_it_is(tmp_path: Path) -> None:
    report = FileReport(path="")
    events = read_log(tmp_path, prompt(0, "x"), line(1, "NEW_THING", "y", "MARTIAN"), report=report)
    (found,) = (event for event in events if isinstance(event, Opaque))
    assert (found.name, json.loads(bytes(found.data))["content"]) == ("NEW_THING", "y")
    assert report.unknown == {"NEW_THING": 1}


def test_a_torn_line_costs_that_line(tmp_path: Path) -> None:
    report = FileReport(path="")
    events = read_log(tmp_path, prompt(0, "x"), b'{"step_index":1,"sou', prompt(2, "y"), report=report)
    assert sum(isinstance(event, Message) and event.role == "user" for event in events) == 2
    assert report.skipped == {"other_json_parse_error": 1}


def test_without_a_log_the_database_tells(tmp_path: Path) -> None:
    picture = message((1, "aGk="), (2, "image/jpeg"))
    answer = message((1, "I will list."), (3, "hm"), (4, "sig"), (7, called()))
    listing = message((3, message((1, "src"), (2, 1))), (3, message((1, "a.txt"))))
    database(
        tmp_path,
        requests=[request((2, 5), steps=[1])],
        steps=[
            (14, step(14, (19, message((2, "list files"), (5, picture))), source=4)),
            (15, step(15, (20, answer))),
            (21, step(21, (28, message((21, message((1, "a.txt"))), (6, 3))), call=called())),
            (9, step(9, (15, listing), call=called("c2"))),
            (8, step(8, call=called("c3")), message((1, "no such file"))),
            (101, step(101, (114, message((1, "x"))), source=5)),
            (17, step(17, (24, message((1, "quota"))), source=5)),
        ],
    )
    (source,) = sources(tmp_path)
    events = said(source)
    messages = [event for event in events if isinstance(event, Message)]
    assert [event.role for event in messages] == ["user", "assistant", "system"]
    assert messages[0].content == (Text(text="list files"), Image(media_type="image/jpeg", data="aGk="))
    assert messages[1].content[:2] == (Thinking(text="hm", signature="sig"), Text(text="I will list."))
    assert messages[1].tokens is not None
    assert [call.answered for call in calls(events)] == [True]
    assert results(events) == [("c1", "error", "a.txt"), ("c2", "ok", "src/\na.txt"), ("c3", "error", "no such file")]


def test_where_it_was_held_by_the_history_else_by_itself(tmp_path: Path) -> None:
    place = message((1, message((1, "file:///home/dev/my%20app"), (4, "main"))), (2, stamp(0)))
    database(tmp_path, about=place)
    (source,) = sources(tmp_path)
    session, meta = said(source)[:2]
    assert isinstance(session, Session)
    assert isinstance(meta, Meta)
    assert (session.cwd, session.git_branch, meta.git_branch) == ("/home/dev/my app", "main", "main")
    rows = [{"conversationId": "other", "workspace": "/x"}, {"conversationId": ID, "workspace": "/home/dev/typed"}]
    (tmp_path / "history.jsonl").write_text("{torn\n" + "".join(json.dumps(row) + "\n" for row in rows))
    (session, *_) = said(source)
    assert isinstance(session, Session)
    assert session.cwd == "/home/dev/typed"


def test_sub_agents_name_the_conversation_that_started_them(tmp_path: Path) -> None:
    database(tmp_path, steps=[(14, step(14, (19, message((2, "go"))), source=4))])
    database(tmp_path, name="child", about=message((5, ID)), steps=[(14, step(14, (19, message((2, "do"))), source=4))])
    parent, child = sources(tmp_path)
    assert (parent.id, child.id, child.parent) == (ID, "child", ID)
    assert [event.injected for event in said(child) if isinstance(event, Message)] == ["task"]


def test_log_and_database_are_one_conversation_whichever_is_named(tmp_path: Path) -> None:
    text, rows = log(tmp_path, [prompt(0, "x")]), database(tmp_path)
    log(tmp_path, [prompt(0, "encrypted")], name="old")
    assert [(source.id, len(source.files)) for source in sources(tmp_path)] == [(ID, 2), ("old", 1)]
    by_log, by_rows = open_source(str(text)), open_source(str(rows))
    assert (by_log.agent, by_log.id, by_log.files) == ("antigravity", ID, by_rows.files)


def test_a_database_that_is_none_is_told(tmp_path: Path) -> None:
    log(tmp_path, [prompt(0, "x")])
    rows = database(tmp_path)
    (source,) = sources(tmp_path)
    rows.write_bytes(b"encrypted now")
    report = FileReport(path="")
    (session, *_) = said(source, report)
    assert isinstance(session, Session)
    assert not session.complete
    assert [warning.code for warning in report.warnings] == ["not_read"]


@pytest.mark.parametrize("arguments", ["{torn", "", '{"a":1}'])
def test_arguments_that_are_no_json_are_text(tmp_path: Path, arguments: str) -> None:
    database(tmp_path, steps=[(15, step(15, (20, message((7, called(arguments=arguments))))))])
    (source,) = sources(tmp_path)
    (call,) = calls(said(source))
    assert (call.text, bytes(call.arguments)) == (
        (arguments, b"") if arguments == "{torn" else (None, (arguments or "{}").encode())
    )
