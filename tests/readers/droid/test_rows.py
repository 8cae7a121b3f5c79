"""What each row of a Droid session means."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from panscript.readers.context import Context
from panscript.readers.discovery import discover, family
from panscript.readers.droid import detect, read, resolve
from panscript.schemas.errors import NotATranscript
from panscript.schemas.events import (
    AGENT_NOTICE,
    TASK,
    Compaction,
    Event,
    Image,
    Message,
    Meta,
    Opaque,
    Session,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
)
from panscript.schemas.records import Record
from panscript.schemas.report import FileReport
from tests.builders import events, said, write_rows
from tests.sessions import FIXTURES

HOME = FIXTURES / "droid" / "home"
FOLDER = HOME / ".factory/sessions/-home-dev-app"
FIRST = "83dda79a-c3f5-429c-bc8d-8824d3b538d1"
FORK = "33238297-b57a-40cb-9d36-28580a0c2c7d"
CHILD = "557bed6c-40e0-46ee-aa4e-4548571c7078"
START = {"type": "session_start", "id": "s1", "title": "A title", "version": 2, "cwd": "/home/dev/app"}


def message(name: str, role: str, content: Any, parent: str | None = None, **more: Any) -> dict[str, Any]:
    """A message row."""
    row = {"type": "message", "id": name, "timestamp": "2026-05-04T08:00:01.000Z"}
    return row | ({"parentId": parent} if parent else {}) | {"message": {"role": role, "content": content, **more}}


def records(folder: Path, *rows: Any, report: FileReport | None = None) -> list[Record]:
    path = write_rows(folder / "s1.jsonl", [START, *rows])
    return list(read(resolve(str(path)), report=report if report is not None else FileReport(path="")))


def stream(folder: Path, *rows: Any) -> list[Event]:
    return events(records(folder, *rows))


def of(name: str) -> list[Event]:
    return events(read(resolve(str(FOLDER / f"{name}.jsonl")), report=FileReport(path="")))


def messages(found: list[Event]) -> list[Message]:
    return [event for event in found if isinstance(event, Message)]


def test_the_header_says_id_title_and_folder(tmp_path: Path) -> None:
    session = stream(tmp_path, message("a", "user", "hi"))[0]
    assert isinstance(session, Session)
    assert (session.session_id, session.title, session.cwd) == ("s1", "A title", "/home/dev/app")
    assert session.first_prompt == "hi"


def test_an_older_header_has_its_facts_one_level_down(tmp_path: Path) -> None:
    row = {"type": "session_start", "sessionTitle": "T", "session": {"id": "s9", "cwd": "/home/dev/old"}}
    path = write_rows(tmp_path / "x.jsonl", [row])
    session = events(read(resolve(str(path)), report=FileReport(path="")))[0]
    assert isinstance(session, Session)
    assert (session.session_id, session.title, session.cwd) == ("s9", "T", "/home/dev/old")


def test_a_real_session_reads_as_it_went() -> None:
    found = [line.split(":")[0] for line in said(of(FIRST))]
    assert found == [
        *["context", "user", "assistant", "ok", "ok", "assistant", "error"],
        *["assistant", "error", "error", "assistant"],
    ]
    answer = messages(of(FIRST))[2]
    assert [type(block) for block in answer.content] == [Thinking, Text, ToolCall, ToolCall]
    assert answer.model == "custom:Fake-One-0"
    assert answer.provider == "anthropic"


def test_context_before_the_first_prompt_was_not_typed() -> None:
    context = messages(of(FIRST))[0]
    assert (context.role, context.injected, context.hidden) == ("system", "context", True)


def test_a_finished_background_task_was_not_typed() -> None:
    notice = next(event for event in messages(of(FORK)) if event.id.startswith("task-completion:"))
    assert (notice.role, notice.injected, notice.hidden) == ("system", "task_notification", True)


def test_the_signature_of_a_wire_that_has_none_is_dropped() -> None:
    plain = messages(of("f943d5a0-7d5f-4141-8ee3-ee8f24447127"))[2].content[0]
    assert isinstance(plain, Thinking)
    assert plain.signature is None
    signed = messages(of(FIRST))[2].content[0]
    assert isinstance(signed, Thinking)
    assert signed.signature == "ZmFrZS1zaWduYXR1cmU="


def test_what_a_fork_copied_belongs_to_its_source() -> None:
    found = of(FORK)
    session = found[0]
    assert isinstance(session, Session)
    assert session.forked_from == FIRST
    copied = [event for event in messages(found) if event.inherited_from == FIRST]
    assert copied[-1].id == "84bfff1d-7052-441a-8e6d-cd8aaa79137e"
    own = [event for event in messages(found) if event.inherited_from is None]
    assert own[0].content == (Text(text="ask a helper"),)


def test_a_sub_agent_is_a_session_below_the_one_that_called_it() -> None:
    sources = list(discover(Context.at(HOME), ["droid"]))
    assert [source.id for source in sources] == [FORK, FIRST, "f943d5a0-7d5f-4141-8ee3-ee8f24447127"]
    assert [(member.id, member.parent) for member in family(sources[0])] == [(FORK, None), (CHILD, FORK)]
    assert [child.id for child in resolve(str(FOLDER / f"{FORK}.jsonl")).children] == [CHILD]


def test_nobody_typed_the_first_prompt_of_a_sub_agent() -> None:
    found = of(CHILD)
    session = found[0]
    assert isinstance(session, Session)
    assert session.parent_session_id == FORK
    assert [event.injected for event in messages(found) if event.role == "system"] == ["context", TASK]
    assert not any(event.role == "user" for event in messages(found))


def test_a_row_of_results_alone_is_no_message(tmp_path: Path) -> None:
    call = {"type": "tool_use", "id": "c1", "name": "Execute", "input": {"command": "ls"}}
    result = {"type": "tool_result", "tool_use_id": "c1", "content": [{"type": "text", "text": "a.txt"}]}
    found = stream(tmp_path, message("a", "assistant", [call]), message("b", "user", [result], "a"))
    assert [type(event) for event in found if isinstance(event, Message | ToolResult)] == [Message, ToolResult]
    answer = messages(found)[0].content[0]
    assert isinstance(answer, ToolCall)
    assert bytes(answer.arguments) == b'{"command": "ls"}'
    assert answer.answered


def test_reminders_in_a_prompt_are_told_apart(tmp_path: Path) -> None:
    blocks = [
        {"type": "text", "text": "<system-reminder>be brief</system-reminder>"},
        {"type": "text", "text": "hello <system-reminder>x</system-reminder>"},
    ]
    found = stream(tmp_path, message("a", "user", blocks))
    assert said(found) == [
        "reminder: <system-reminder>be brief</system-reminder> <system-reminder>x</system-reminder>",
        "user: hello",
    ]


@pytest.mark.parametrize(
    ("more", "injected", "hidden"),
    [
        ({"hookEventName": "Stop"}, "hook", False),
        ({"visibility": "llm_only"}, "hidden", True),
        ({"hiddenFromUserViews": True}, "hidden", True),
        ({"isUserVisible": False}, "hidden", True),
        ({"visibility": "user_only"}, "notice", False),
    ],
)
def test_rows_that_no_person_typed(tmp_path: Path, more: dict[str, Any], injected: str, hidden: bool) -> None:
    found = messages(stream(tmp_path, message("a", "user", "x", **more)))[0]
    assert (found.role, found.injected, found.hidden) == ("system", injected, hidden)


def test_what_only_the_person_was_told_is_no_answer(tmp_path: Path) -> None:
    found = messages(stream(tmp_path, message("a", "assistant", "Sorry.", visibility="user_only")))[0]
    assert found.injected == AGENT_NOTICE


def test_a_picture_in_a_prompt(tmp_path: Path) -> None:
    source = {"type": "base64", "media_type": "image/png", "data": "AAAA"}
    found = messages(stream(tmp_path, message("a", "user", [{"type": "image", "source": source}])))[0]
    assert found.content == (Image(media_type="image/png", data="AAAA"),)


def test_a_compaction_keeps_what_follows_its_anchor(tmp_path: Path) -> None:
    state = {"type": "compaction_state", "id": "k", "summaryText": "S", "anchorMessage": {"id": "b", "index": 1}}
    found = stream(
        tmp_path,
        message("a", "user", "one"),
        message("b", "assistant", "two", "a"),
        message("c", "user", "three", "b"),
        state,
        message("d", "assistant", "four", "c"),
    )
    compaction = next(event for event in found if isinstance(event, Compaction))
    assert (compaction.summary, compaction.first_kept, compaction.parent) == ("S", "c", "c")


def test_an_edited_prompt_leaves_the_first_one_on_a_dead_branch(tmp_path: Path) -> None:
    found = messages(
        stream(
            tmp_path,
            message("a", "user", "one"),
            message("b", "assistant", "1", "a"),
            message("c", "user", "two", "b"),
            message("d", "assistant", "2", "c"),
            message("e", "user", "three", "b"),
        )
    )
    assert [(event.id, event.parent, event.live) for event in found] == [
        ("a", None, True),
        ("b", "a", True),
        ("c", "b", False),
        ("d", "c", False),
        ("e", "b", True),
    ]


def test_the_model_of_the_settings_is_told_where_no_message_names_one() -> None:
    path = FIXTURES / "usage-home/.factory/sessions/-home-dev-proj/0197dddd-0000-4000-8000-000000000002.jsonl"
    found = events(read(resolve(str(path)), report=FileReport(path="")))
    assert [event.model for event in found if isinstance(event, Meta)] == ["gpt-5.2"]


def test_types_that_are_not_known_are_kept(tmp_path: Path) -> None:
    report = FileReport(path="")
    rows = [{"type": "hologram", "id": "h"}, message("a", "user", [{"type": "smell", "x": 1}])]
    found = events(records(tmp_path, *rows, report=report))
    assert report.unknown == {"hologram": 1, "smell": 1}
    assert [bytes(event.data) for event in found if isinstance(event, Opaque)] == [
        b'{"type": "hologram", "id": "h"}',
        b'{"type": "smell", "x": 1}',
    ]


def test_one_bad_line_costs_that_line(tmp_path: Path) -> None:
    report = FileReport(path="")
    found = records(tmp_path, b'{"type":"message","id":"x","mess\n', message("a", "user", "hi"), report=report)
    assert said(found) == ["user: hi"]
    assert report.skipped == {"other_json_parse_error": 1}
    assert not report.complete


def test_a_value_of_a_wrong_type_costs_that_value(tmp_path: Path) -> None:
    row = message("a", "user", "hi")
    row["parentId"] = 7
    assert said(records(tmp_path, row)) == ["user: hi"]


def test_a_file_in_which_nothing_is_understood_is_refused(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "x.jsonl", [{"a": 1}])
    with pytest.raises(NotATranscript):
        list(read(resolve(str(path)), report=FileReport(path="")))


def test_rows_are_known_with_and_without_their_header() -> None:
    assert detect(b'{"type":"session_start","id":"a"}\n') == 100
    assert detect(b'{"type":"session_start","id":"a","ti') == 60
    assert detect(b'{"type":"todo_state","id":"a"}\n') == 70
    assert detect(b'{"type":"session","version":3,"id":"a"}\n') == 0
    assert detect(b"") == 0
