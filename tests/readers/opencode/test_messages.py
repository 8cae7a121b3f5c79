"""What the messages of OpenCode and their parts mean."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any, TypeVar

import pytest

from panscript.schemas.events import (
    AGENT_NOTICE,
    COMPACTION_SUMMARY,
    TASK,
    Compaction,
    Event,
    File,
    Image,
    Message,
    Meta,
    Opaque,
    Session,
    Shell,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
)
from panscript.schemas.report import FileReport
from tests.readers.opencode.making import BEGAN, answered, asked, finish, of, text, tool

Kind = TypeVar("Kind", bound=Event)


def only(kind: type[Kind], found: list[Event]) -> list[Kind]:
    return [event for event in found if isinstance(event, kind)]


def one(kind: type[Kind], found: list[Event]) -> Kind:
    (event,) = only(kind, found)
    return event


def test_a_prompt_and_an_answer(tmp_path: Path) -> None:
    found = of(tmp_path, asked(text("do it")), answered(text("done"), finish()))
    prompt, answer = only(Message, found)
    assert (prompt.role, prompt.content, prompt.time) == ("user", (Text(text="do it"),), BEGAN)
    assert (answer.role, answer.parent, answer.model, answer.provider) == ("assistant", "m1", "Some-Model", "openai")
    assert (answer.stop_reason, answer.message_id) == ("stop", "m2")
    session = one(Session, found)
    assert (session.title, session.cwd, session.version) == ("a title", "/w", "1.18.0")
    assert (session.first_prompt, session.model) == ("do it", "Some-Model")
    assert (session.created, session.modified) == (BEGAN, BEGAN + 60_000)


def test_a_call_and_its_result_are_one_part(tmp_path: Path) -> None:
    time = {"start": BEGAN + 1000, "end": BEGAN + 1500}
    found = of(tmp_path, answered(tool(output="a.py", metadata={"exit": 0}, time=time)))
    (call,) = one(Message, found).content
    assert isinstance(call, ToolCall)
    assert (call.id, call.name, bytes(call.arguments), call.answered) == ("c1", "bash", b'{"command": "ls"}', True)
    result = one(ToolResult, found)
    assert (result.call_id, result.status, result.content) == ("c1", "ok", (Text(text="a.py"),))
    assert (result.duration_ms, result.time, bytes(result.details)) == (500, BEGAN + 1500, b'{"exit": 0}')


@pytest.mark.parametrize(
    ("state", "status", "said"),
    [
        ({"status": "error", "error": "no such file"}, "error", "no such file"),
        ({"output": "x", "metadata": {"exit": 2}}, "error", "x"),
        ({"output": "x", "metadata": None}, "ok", "x"),
    ],
)
def test_how_a_call_ended(tmp_path: Path, state: dict[str, Any], status: str, said: str) -> None:
    result = one(ToolResult, of(tmp_path, answered(tool(**state))))
    assert (result.status, result.content) == (status, (Text(text=said),))


@pytest.mark.parametrize("status", ["pending", "running"])
def test_a_call_that_did_not_end_is_not_answered(tmp_path: Path, status: str) -> None:
    found = of(tmp_path, answered(tool(status=status)))
    (call,) = one(Message, found).content
    assert isinstance(call, ToolCall)
    assert not call.answered
    assert only(ToolResult, found) == []


def test_a_picture_that_a_tool_gives_is_in_its_result(tmp_path: Path) -> None:
    picture = {"type": "file", "mime": "image/png", "url": "data:image/png;base64,QUJD"}
    result = one(ToolResult, of(tmp_path, answered(tool(output="read", attachments=[picture]))))
    assert result.content == (Text(text="read"), Image(media_type="image/png", data="QUJD"))


def test_what_the_agent_adds_to_a_prompt_is_not_the_persons(tmp_path: Path) -> None:
    found = of(tmp_path, asked(text("look at @a"), text("Called the Read tool", synthetic=True)))
    prompt, added = only(Message, found)
    assert (prompt.role, prompt.content) == ("user", (Text(text="look at @a"),))
    assert (added.role, added.injected, added.hidden) == ("system", "synthetic", True)


def test_what_no_model_is_sent_is_no_prompt(tmp_path: Path) -> None:
    found = one(Message, of(tmp_path, asked(text("a note", ignored=True))))
    assert (found.role, found.injected) == ("system", "ignored")


@pytest.mark.parametrize(
    ("part", "block"),
    [
        ({"mime": "image/png", "url": "data:image/png;base64,QUJD"}, Image(media_type="image/png", data="QUJD")),
        ({"mime": "image/png", "url": "file:///w/a%20b.png"}, Image(media_type="image/png", path="/w/a b.png")),
        ({"mime": "image/png", "url": "https://x/a.png"}, Image(media_type="image/png", url="https://x/a.png")),
        (
            {"mime": "text/plain", "url": "file:///w/a.txt", "filename": "a.txt"},
            File(media_type="text/plain", name="a.txt", url="file:///w/a.txt"),
        ),
        (
            {"mime": "text/plain", "url": f"data:text/plain;base64,{base64.b64encode(b'hello').decode()}"},
            File(media_type="text/plain", data="hello"),
        ),
        ({"mime": "text/plain", "url": "data:text/plain,a%20b"}, File(media_type="text/plain", data="a b")),
        (
            {"mime": "application/pdf", "url": "data:application/pdf;base64,QUJD", "filename": "a.pdf"},
            File(media_type="application/pdf", name="a.pdf", data="QUJD"),
        ),
    ],
)
def test_files_in_a_prompt(tmp_path: Path, part: dict[str, Any], block: Image | File) -> None:
    assert one(Message, of(tmp_path, asked({"type": "file", **part}))).content == (block,)


@pytest.mark.parametrize(
    ("metadata", "thinking"),
    [
        ({}, Thinking(text="hm")),
        ({"anthropic": {"signature": "s"}}, Thinking(text="hm", signature="s")),
        ({"anthropic": {"redactedData": "r"}}, Thinking(text="hm", signature="r", redacted=True)),
        ({"openai": {"itemId": "i", "reasoningEncryptedContent": "e"}}, Thinking(text="hm", signature="e")),
        ({"odd": 3}, Thinking(text="hm")),
    ],
)
def test_thinking_with_what_its_vendor_wants_back(tmp_path: Path, metadata: Any, thinking: Thinking) -> None:
    part = {"type": "reasoning", "text": "hm", "metadata": metadata}
    assert one(Message, of(tmp_path, answered(part))).content == (thinking,)


def test_the_steps_of_an_older_message_are_responses_of_their_own(tmp_path: Path) -> None:
    start = {"type": "step-start"}
    found = of(tmp_path, answered(start, tool(output="x"), finish(reason="tool-calls"), start, text("done"), finish()))
    first, second = only(Message, found)
    assert first.response != second.response
    assert (first.stop_reason, second.stop_reason) == ("tool-calls", "stop")
    assert second.parent == one(ToolResult, found).id


def test_a_compaction_is_a_message_marked_as_a_summary(tmp_path: Path) -> None:
    found = of(
        tmp_path,
        asked(text("one")),
        answered(text("two")),
        asked({"type": "compaction", "auto": True, "tail_start_id": "m2"}),
        answered(text("what there was"), finish(), summary=True, parentID="m3", tokens={"input": 7, "output": 1}),
        asked(text("go on", synthetic=True)),
    )
    event = one(Compaction, found)
    assert (event.summary, event.first_kept, event.trigger, event.tokens_before) == ("what there was", "m2", "auto", 7)
    summary = next(message for message in only(Message, found) if message.parent == event.id)
    assert (summary.role, summary.injected) == ("system", COMPACTION_SUMMARY)


def test_a_summary_that_failed_is_none(tmp_path: Path) -> None:
    error = {"name": "MessageAbortedError", "data": {"message": "stopped"}}
    found = of(tmp_path, answered(text("what th"), summary=True, error=error))
    assert only(Compaction, found) == []
    assert one(Message, found).fault == "aborted"


def test_an_error_is_told_as_a_notice_of_the_agent(tmp_path: Path) -> None:
    found = of(tmp_path, answered(error={"name": "APIError", "data": {"message": "overloaded"}}))
    failed, notice = only(Message, found)
    assert (failed.fault, failed.content) == ("error", ())
    assert (notice.injected, notice.content) == (AGENT_NOTICE, (Text(text="overloaded"),))


def test_a_command_that_the_person_ran(tmp_path: Path) -> None:
    note = "The following tool was executed by the user"
    call = tool(output="a.py", metadata={"exit": 0})
    found = of(tmp_path, asked(text(note, synthetic=True)), answered(call, parentID="m1"), asked(text("now this")))
    shell = one(Shell, found)
    assert (shell.command, shell.output, shell.exit_code, shell.cancelled) == ("ls", "a.py", 0, False)
    assert [message.content for message in only(Message, found)] == [(Text(text="now this"),)]


def test_what_was_taken_back_is_not_live(tmp_path: Path) -> None:
    messages = (asked(text("one")), answered(text("two")), asked(text("three")), answered(text("four")))
    found = of(tmp_path, *messages, revert='{"messageID":"m3"}')
    assert [message.live for message in only(Message, found)] == [True, True, False, False]
    assert one(Session, found).first_prompt == "one"


def test_parts_of_a_message_are_taken_back_alone(tmp_path: Path) -> None:
    found = of(tmp_path, answered(text("one"), text("two")), revert='{"messageID":"m1","partID":"m1p1"}')
    assert [(message.content, message.live) for message in only(Message, found)] == [
        ((Text(text="one"),), True),
        ((Text(text="two"),), False),
    ]


def test_nobody_typed_the_prompt_of_a_sub_agent(tmp_path: Path) -> None:
    found = of(tmp_path, asked(text("find it")), parent_id="ses_0")
    message = one(Message, found)
    assert (message.role, message.injected) == ("system", TASK)
    session = one(Session, found)
    assert (session.parent_session_id, session.first_prompt) == ("ses_0", None)


def test_a_command_for_a_sub_agent_is_a_prompt(tmp_path: Path) -> None:
    part = {"type": "subtask", "prompt": "review it", "description": "d", "agent": "general"}
    assert one(Message, of(tmp_path, asked(part))).content == (Text(text="review it"),)


def test_placeholders_are_no_titles(tmp_path: Path) -> None:
    found = of(tmp_path, asked(text("x")), title="New session - 2026-01-01T10:00:00.000Z")
    assert one(Session, found).title is None


def test_facts_are_told_where_they_change(tmp_path: Path) -> None:
    found = of(tmp_path, answered(text("a")), answered(text("b")), answered(text("c"), modelID="Other"))
    _, *changes = only(Meta, found)
    assert [(meta.model, meta.provider, meta.cwd) for meta in changes] == [
        ("Some-Model", "openai", None),
        ("Other", None, None),
    ]


def test_unknown_parts_and_roles_are_kept(tmp_path: Path) -> None:
    report = FileReport(path="")
    found = of(tmp_path, asked(text("x"), {"type": "hologram", "n": 1}), ({"role": "narrator"}, []), report=report)
    part, message = only(Opaque, found)
    assert (part.name, bytes(part.data)) == ("hologram", b'{"type": "hologram", "n": 1}')
    assert message.name == "narrator"
    assert report.unknown == {"hologram": 1, "narrator": 1}


@pytest.mark.parametrize("kind", ["step-start", "snapshot", "patch", "agent", "retry"])
def test_the_agents_books_say_nothing(tmp_path: Path, kind: str) -> None:
    report = FileReport(path="")
    found = of(tmp_path, answered({"type": kind}), report=report)
    assert only(Message, found) == []
    assert only(Opaque, found) == []
    assert report.unknown == {}
