"""What stands in a task's folder means what its format says."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from panscript.readers.cline import detect, read, resolve
from panscript.readers.context import Context
from panscript.readers.discovery import discover
from panscript.readers.opening import open_source
from panscript.schemas.events import (
    COMPACTION_SUMMARY,
    TASK,
    Compaction,
    Event,
    Image,
    Message,
    Opaque,
    Session,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    Usage,
)
from panscript.schemas.report import FileReport
from tests.readers.cline.tasks import (
    START,
    assistant,
    events_of,
    only,
    request,
    shown,
    task,
    text,
    texts_of,
    user,
)
from tests.sessions import FIXTURES

HOME = FIXTURES / "cline/home"
CALL = {"type": "tool_use", "id": "a", "name": "read_file", "input": {"path": "x"}}
ENVIRONMENT = "<environment_details>\n# Current Workspace Directory (/home/dev/app) Files\n{}\n</environment_details>"


def _said(events: list[Event]) -> list[tuple[str, str]]:
    return [(event.role, texts_of(event)) for event in events if isinstance(event, Message)]


def _result(content: object, **more: object) -> dict[str, object]:
    return {"type": "tool_result", "tool_use_id": "a", "content": content, **more}


@pytest.mark.parametrize("tag", ["task", "feedback", "user_message", "answer", 'user_input mode="act"'])
def test_what_a_person_typed_is_taken_out_of_its_wrapping(tmp_path: Path, tag: str) -> None:
    wrapped = f"<{tag}>\ndo <b>it</b>\n</{tag.split(maxsplit=1)[0]}>"
    events = events_of(task(tmp_path, [user(text(wrapped), text(ENVIRONMENT.format("")))]))
    assert _said(events)[-1] == ("user", "do <b>it</b>")
    assert [event.injected for event in events if isinstance(event, Message)] == ["environment_details", None]


@pytest.mark.parametrize(
    "notice",
    ["[TASK RESUMPTION] go on", "[ERROR] You did not use a tool", "<explicit_instructions>x</explicit_instructions>"],
)
def test_what_the_agent_adds_is_of_the_system(tmp_path: Path, notice: str) -> None:
    assert _said(events_of(task(tmp_path, [user(text(notice))]))) == [("system", notice)]


def test_text_without_wrapping_is_the_persons(tmp_path: Path) -> None:
    assert _said(events_of(task(tmp_path, [{"role": "user", "content": "hello"}]))) == [("user", "hello")]


def test_feedback_in_a_result_is_said_by_the_person(tmp_path: Path) -> None:
    denied = "The user denied this operation and said:\n<feedback>\nnot there\n</feedback>"
    events = events_of(task(tmp_path, [assistant(CALL), user(_result(denied))]))
    result = only(events, ToolResult)
    assert (result.status, texts_of(result)) == ("error", "The user denied this operation and said:")
    assert _said(events)[-1] == ("user", "not there")


def test_blocks_of_a_response(tmp_path: Path) -> None:
    blocks = [
        {"type": "thinking", "thinking": "hm", "signature": "s"},
        {"type": "redacted_thinking", "data": "d"},
        text("I look."),
        CALL,
    ]
    picture = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AA=="}}
    events = events_of(task(tmp_path, [assistant(*blocks), user(_result([text("1"), picture]))]))
    thought, hidden, said, call = only(events, Message).content
    assert (thought.text, thought.signature) == ("hm", "s")
    assert hidden == Thinking(signature="d", redacted=True)
    assert said == Text(text="I look.")
    assert (call.name, bytes(call.arguments), call.answered) == ("read_file", b'{"path": "x"}', True)
    assert only(events, ToolResult).content == (Text(text="1"), Image(media_type="image/png", data="AA=="))


@pytest.mark.parametrize(
    ("content", "more", "status"),
    [
        ("fine", {}, "ok"),
        ("fine", {"is_error": True}, "error"),
        ("The tool execution failed with the following error: x", {}, "error"),
        ([{"query": "q", "result": "r", "success": True}], {}, "ok"),
        ([{"query": "q", "result": "", "error": "gone", "success": False}], {}, "error"),
    ],
)
def test_how_a_call_ended(tmp_path: Path, content: object, more: dict[str, object], status: str) -> None:
    events = events_of(task(tmp_path, [assistant(CALL), user(_result(content, **more))]))
    assert only(events, ToolResult).status == status


def test_the_answer_of_a_finished_task_is_text(tmp_path: Path) -> None:
    done = {"type": "tool_use", "id": "b", "name": "attempt_completion", "input": {"result": "Done."}}
    said, call = only(events_of(task(tmp_path, [assistant(done)])), Message).content
    assert said == Text(text="Done.")
    assert not call.answered


def test_calls_written_as_text(tmp_path: Path) -> None:
    written = "I write.\n<write_to_file>\n<path>a.xml</path>\n<content>\n<path>b</path>\n</content>\n</write_to_file>"
    result = user(
        text("[write_to_file for 'a.xml'] Result:"),
        text("The content was saved."),
        text("<feedback>\nnice\n</feedback>"),
        text(ENVIRONMENT.format("")),
    )
    events = events_of(task(tmp_path, [user(text("<task>go</task>")), assistant(text(written)), result]))
    said, call = next(event.content for event in events if isinstance(event, Message) and event.role == "assistant")
    assert said == Text(text="I write.")
    assert isinstance(call, ToolCall)
    assert (call.name, call.answered) == ("write_to_file", True)
    assert bytes(call.arguments) == b'{"path":"a.xml","content":"<path>b</path>"}'
    answer = only(events, ToolResult)
    assert (answer.call_id, answer.status) == (call.id, "ok")
    assert texts_of(answer) == "The content was saved."
    assert [said for role, said in _said(events) if role == "user"] == ["go", "nice"]


def test_a_written_call_without_a_result_stays_open(tmp_path: Path) -> None:
    events = events_of(task(tmp_path, [assistant(text("<list_files><path>.</path></list_files>"))]))
    (call,) = only(events, Message).content
    assert not call.answered


def test_facts_beside_the_task(tmp_path: Path) -> None:
    (tmp_path / "state").mkdir()
    item = {"id": "1", "ts": START, "task": "A title", "cwdOnTaskInitialization": "/home/dev/app", "modelId": "m"}
    (tmp_path / "state/taskHistory.json").write_text(json.dumps([{"id": "0"}, item]))
    metadata = {
        "model_usage": [{"ts": START, "model_id": "M", "model_provider_id": "openrouter"}],
        "environment_history": [{"cline_version": "3.40.0"}],
    }
    folder = task(tmp_path / "tasks/1", [user(text("<task>go</task>")), assistant(text("ok"))], task_metadata=metadata)
    session = only(events_of(folder), Session)
    assert (session.title, session.cwd, session.version) == ("A title", "/home/dev/app", "3.40.0")
    assert (session.model, session.provider, session.first_prompt) == ("M", "openrouter", "go")


def test_the_surroundings_name_folder_and_model(tmp_path: Path) -> None:
    environment = ENVIRONMENT.format("<model>claude-x</model>")
    session = only(events_of(task(tmp_path, [user(text(environment))]), "roocode"), Session)
    assert (session.cwd, session.model) == ("/home/dev/app", "claude-x")


def test_a_sub_task_is_a_child_of_the_task_that_started_it(tmp_path: Path) -> None:
    storage = tmp_path / ".config/Code/User/globalStorage/rooveterinaryinc.roo-cline/tasks"
    said = [user(text("<task>go</task>"))]
    task(storage / "one", said, [shown(1, "text", "go")], history_item={"id": "one", "workspace": "/home/dev"})
    below = task(storage / "two", said, [shown(1, "text", "go")], history_item={"id": "two", "parentTaskId": "one"})
    (root,) = discover(Context.at(tmp_path), ["roocode"])
    assert [child.id for child in root.children] == ["two"]
    events = events_of(below, "roocode")
    assert only(events, Session).parent_session_id == "one"
    assert only(events, Message).injected == TASK


def test_a_summary_replaces_what_came_before(tmp_path: Path) -> None:
    api = [
        user(text("<task>go</task>"), condenseParent="c"),
        {"role": "assistant", "content": "All was done.", "isSummary": True, "condenseId": "c"},
        user(text("<user_message>on</user_message>")),
    ]
    events = events_of(task(tmp_path, api), "roocode")
    assert only(events, Compaction).summary == "All was done."
    marks = [event.injected for event in events if isinstance(event, Message)]
    assert marks == [None, COMPACTION_SUMMARY, None]


def test_reasoning_of_its_own(tmp_path: Path) -> None:
    item = {"type": "reasoning", "summary": [{"type": "summary_text", "text": "hm"}], "encrypted_content": "e"}
    assert only(events_of(task(tmp_path, [item]), "roocode"), Message).content == (Thinking(text="hm", signature="e"),)


def test_what_was_shown_is_the_conversation_where_nothing_else_is_left(tmp_path: Path) -> None:
    rows = [
        shown(0, "task", "go", images=["data:image/png;base64,AA=="]),
        request(1),
        shown(2, "reasoning", "hm"),
        shown(3, "text", "I look."),
        shown(4, "command", "ls"),
        shown(5, "command_output", "a.txt"),
        shown(6, "user_feedback", "more"),
        shown(7, "completion_result", "Done."),
    ]
    report = FileReport(path="")
    events = events_of(task(tmp_path, None, rows), report=report)
    said = [(role, said) for role, said in _said(events) if role == "user" or said]
    assert said == [
        ("user", "go"),
        ("assistant", "hm"),
        ("assistant", "I look."),
        ("user", "more"),
        ("assistant", "Done."),
    ]
    assert texts_of(only(events, ToolResult)) == "a.txt"
    assert only(events, Usage).tokens.input == 5
    assert not report.complete


def test_shown_messages_of_unknown_kinds_are_kept(tmp_path: Path) -> None:
    report = FileReport(path="")
    events = events_of(task(tmp_path, [user(text("x"))], [shown(0, "hologram", "?")]), report=report)
    assert only(events, Opaque).name == "hologram"
    assert report.unknown == {"hologram": 1}


def test_what_is_kept_of_an_unknown_kind_is_json_that_every_reader_takes(tmp_path: Path) -> None:
    folder = task(tmp_path, [user(text("x"))], [shown(0, "hologram", "?", odd=float("nan"), control="-")])
    file = folder / "ui_messages.json"
    file.write_bytes(file.read_bytes().replace(b'"control": "-"', b'"control": "\x01"'))
    assert b"NaN" in file.read_bytes()
    assert b"\x01" in file.read_bytes()
    kept = msgspec.json.decode(only(events_of(folder), Opaque).data)
    assert (kept["say"], kept["odd"], kept["control"]) == ("hologram", None, "\x01")


def test_a_file_is_of_the_agent_in_whose_place_it_lies(tmp_path: Path) -> None:
    for agent, folder in (("kilocode", "kilocode.kilo-code"), ("roocode", "rooveterinaryinc.roo-cline")):
        storage = tmp_path / "User/globalStorage" / folder / "tasks/1"
        path = task(storage, None, [shown(0, "text", "go"), request(1)]) / "ui_messages.json"
        assert open_source(str(path)).agent == agent
    elsewhere = task(tmp_path / "1", None, [shown(0, "text", "go"), request(1)]) / "ui_messages.json"
    assert open_source(str(elsewhere)).agent == "cline"
    assert open_source(str(elsewhere), "kilocode").agent == "kilocode"


def test_files_are_recognised_by_their_content() -> None:
    for path in HOME.rglob("*.json"):
        known = path.name not in ("taskHistory.json", "task_metadata.json")
        assert (detect(path.read_bytes()) >= 50) == known, path


def test_a_session_of_2026_has_a_manifest(tmp_path: Path) -> None:
    path = next(HOME.rglob("*.messages.json"))
    source = resolve(str(path.with_name(f"{path.parent.name}.json")))
    assert [Path(file.path).name for file in source.files] == [path.name, f"{path.parent.name}.json"]
    alone = tmp_path / f"{path.parent.name}.json"
    alone.write_bytes(path.with_name(alone.name).read_bytes())
    report = FileReport(path="")
    events = [e for record in read(resolve(str(alone)), report=report) for e in record.events]
    assert only(events, Usage).tokens.total == 2490
    assert only(events, Session).title == "What files are here?"
    assert not report.complete


def test_half_of_a_surrogate_pair_in_the_list_of_tasks_costs_no_other_task_its_title(tmp_path: Path) -> None:
    folder = task(tmp_path / "tasks/t1", [user(text("<task>\nhi\n</task>"))])
    (tmp_path / "state").mkdir()
    listed = [{"id": "t0", "task": "odd \ud800"}, {"id": "t1", "task": "mine"}]
    (tmp_path / "state/taskHistory.json").write_text(json.dumps(listed))
    assert only(events_of(folder), Session).title == "mine"
