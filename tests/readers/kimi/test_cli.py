"""What the lines of Kimi CLI's context and wire mean."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from panscript.readers.context import Context
from panscript.readers.dependencies import parse_dependencies
from panscript.readers.discovery import discover, family, full_id
from panscript.readers.kimi import detect, read, resolve
from panscript.schemas.errors import NotATranscript
from panscript.schemas.events import (
    TASK,
    Compaction,
    File,
    Image,
    Opaque,
    Session,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
)
from panscript.schemas.report import FileReport
from panscript.stages.merge import merge
from tests.builders import events, said, write_rows
from tests.readers.kimi.sessions import cli, messages, records, status, usage_of, wire
from tests.sessions import FIXTURES

HOME = FIXTURES / "kimi" / "home"
REAL = next((HOME / ".kimi").rglob("wire.jsonl"))
PROMPT = wire("TurnBegin", user_input="hi")
STEP = wire("StepBegin", n=1)
READ = "1 lines read from file starting from line 1. Total lines in file: 1. End of file reached."
CALL: dict[str, Any] = {"type": "function", "id": "c1", "function": {"name": "ReadFile", "arguments": '{"path": "a"}'}}


def test_a_real_session_reads_as_it_went() -> None:
    found = events(records(REAL))
    assert said(found) == [
        "system_prompt: You are a coding agent. (system prompt elided)",
        "user: What files are here?",
        "assistant: <Thinking>",
        "assistant: Let me look.",
        "assistant: <ToolCall>",
        "assistant: <ToolCall>",
        "error: `/home/dev/app/missing.py` does not exist.",
        'ok:      1\tprint("hi")\n',
        "assistant: The app has one file, main.py.",
    ]


def test_its_facts_stand_in_three_files() -> None:
    session = events(records(REAL))[0]
    assert isinstance(session, Session)
    assert session.cwd == "/home/dev/app"
    assert session.title == "What files are here?"
    assert session.first_prompt == "What files are here?"
    assert session.session_id == "bea98915-a0f7-4f3d-8c64-7e6d510f725c"


def test_the_parts_of_a_step_are_one_response() -> None:
    merged = messages(list(merge(events(records(REAL)))))
    assert [len(message.content) for message in merged] == [1, 1, 4, 1]
    answer = merged[2]
    assert [type(block) for block in answer.content] == [Thinking, Text, ToolCall, ToolCall]
    assert answer.tokens is not None
    assert answer.tokens.total == 1245


def test_what_the_context_says_again_is_a_twin() -> None:
    classes = [record.kind for record in records(REAL) if record.origin.file == 0]
    assert classes == [
        *["used", "state", "twin", "state", "state", "twin", "state"],
        *["twin", "twin", "state", "state", "twin", "state"],
    ]


def test_a_context_alone_is_read_without_times(tmp_path: Path) -> None:
    lines = [json.loads(line) for line in REAL.with_name("context.jsonl").read_bytes().splitlines()]
    found = events(records(cli(tmp_path, contexts=lines)))
    assert said(found) == [
        "system_prompt: You are a coding agent. (system prompt elided)",
        "user: What files are here?",
        "assistant: <Thinking> Let me look. <ToolCall> <ToolCall>",
        f'ok: <system>{READ}</system>      1\tprint("hi")\n',
        "error: <system>ERROR: `/home/dev/app/missing.py` does not exist.</system>",
        "assistant: The app has one file, main.py.",
    ]
    assert all(event.time is None for event in found)


def test_a_context_that_tells_more_than_the_wire_is_followed(tmp_path: Path) -> None:
    contexts = [{"role": "user", "content": "one"}, {"role": "user", "content": "two"}]
    path = cli(tmp_path, [wire("TurnBegin", user_input="two"), STEP, status("m", 7)], contexts)
    found = events(records(path))
    assert said(found) == ["user: one", "user: two"]
    assert [usage.tokens.input for usage in usage_of(found)] == [7]


def test_the_oldest_form_is_a_context_file_by_itself(tmp_path: Path) -> None:
    folder = tmp_path / ".kimi/sessions/0123456789abcdef0123456789abcdef"
    write_rows(folder / "u7.jsonl", [{"role": "_checkpoint", "id": 0}, {"role": "user", "content": "hi"}])
    (source,) = discover(Context.at(tmp_path), ["kimi"])
    assert source.id == "u7"
    assert said(events(list(read(source, report=FileReport(path=""))))) == ["user: hi"]


def test_a_checkpoint_that_the_model_was_told_of_is_no_prompt(tmp_path: Path) -> None:
    contexts = [{"role": "user", "content": "<system>CHECKPOINT 3</system>"}, {"role": "user", "content": "hi"}]
    assert said(events(records(cli(tmp_path, contexts=contexts)))) == ["user: hi"]


def test_text_that_the_agent_put_in_the_persons_place(tmp_path: Path) -> None:
    contexts = [{"role": "user", "content": "hi"}, {"role": "user", "content": "<system>You are late.</system>"}]
    found = messages(events(records(cli(tmp_path, contexts=contexts))))
    assert [(message.injected, message.hidden) for message in found] == [(None, False), ("system", True)]


def test_control_characters_in_a_line_do_not_cost_it(tmp_path: Path) -> None:
    path = cli(tmp_path, contexts=[b'{"role":"user","content":"a\tb"}\n'])
    assert said(events(records(path))) == ["user: a\tb"]


def test_pictures_and_recordings(tmp_path: Path) -> None:
    parts = [
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}},
        {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}},
        {"type": "audio_url", "audio_url": {"url": "data:audio/wav;base64,BBBB"}},
    ]
    found = messages(events(records(cli(tmp_path, [wire("TurnBegin", user_input=parts)]))))[0]
    assert found.content == (
        Image(media_type="image/png", data="AAAA"),
        Image(url="https://example.org/a.png"),
        File(media_type="audio/wav", data="BBBB"),
    )


@pytest.mark.parametrize(("arguments", "raw", "text"), [(None, b"{}", None), ("", b"{}", None), ("{x", b"", "{x")])
def test_arguments_that_are_missing_or_no_json(tmp_path: Path, arguments: Any, raw: bytes, text: str | None) -> None:
    call = CALL | {"function": {"name": "ReadFile", "arguments": arguments}}
    block = messages(events(records(cli(tmp_path, [PROMPT, STEP, wire("ToolCall", **call)]))))[1].content[0]
    assert isinstance(block, ToolCall)
    assert (bytes(block.arguments), block.text, block.answered) == (raw, text, False)


def test_what_a_tool_gave_back(tmp_path: Path) -> None:
    value = {"is_error": False, "output": "out", "message": "read", "display": [{"type": "brief", "text": "b"}]}
    rows = [PROMPT, STEP, wire("ToolCall", **CALL), wire("ToolResult", tool_call_id="c1", return_value=value)]
    result = next(event for event in events(records(cli(tmp_path, rows))) if isinstance(event, ToolResult))
    assert (result.content, result.status) == ((Text(text="out"),), "ok")
    assert json.loads(bytes(result.details)) == {"message": "read", "display": [{"type": "brief", "text": "b"}]}


def test_a_step_that_was_stopped(tmp_path: Path) -> None:
    rows = [PROMPT, STEP, wire("ContentPart", type="text", text="I wi"), wire("StepInterrupted"), wire("TurnEnd")]
    answer = messages(events(records(cli(tmp_path, rows))))[1]
    assert (answer.fault, answer.closes) == ("aborted", True)


def test_a_compaction_has_the_summary_and_keeps_what_the_next_context_begins_with(tmp_path: Path) -> None:
    told = "<system>Previous context has been compacted. Here is the compaction output:</system>"
    summary = {"role": "user", "content": [{"type": "text", "text": told}, {"type": "text", "text": "S"}]}
    rows = [PROMPT, wire("CompactionBegin"), wire("CompactionEnd"), wire("TurnBegin", user_input="next")]
    kept = {"role": "user", "content": "hi"}
    path = cli(tmp_path, rows, [{"role": "_system_prompt", "content": "P"}, summary, kept, {"role": "_usage"}])
    write_rows(path.with_name("context_1.jsonl"), [{"role": "user", "content": "hi"}])
    found = events(records(path))
    (compaction,) = [event for event in found if isinstance(event, Compaction)]
    assert (compaction.summary, compaction.first_kept) == ("S", messages(found)[1].id)
    assert said(found) == ["system_prompt: P", "user: hi", "user: next"]


def test_a_sub_agent_without_files_stands_in_its_parents_wire(tmp_path: Path) -> None:
    def inner(kind: str, **payload: Any) -> dict[str, Any]:
        return wire("SubagentEvent", parent_tool_call_id="c1", agent_id="a1", event={"type": kind, "payload": payload})

    usage = {"input_other": 9, "output": 1}
    rows = [
        PROMPT,
        inner("TurnBegin", user_input="do it"),
        inner("StepBegin", n=1),
        inner("ContentPart", type="text", text="done"),
        inner("StatusUpdate", token_usage=usage, message_id="m9"),
    ]
    found = events(records(cli(tmp_path, rows)))
    side = [message for message in messages(found) if message.agent_id == "a1"]
    assert [(message.role, message.injected, message.parent) for message in side] == [
        ("system", TASK, None),
        ("assistant", None, side[0].id),
    ]
    assert [(usage.agent_id, usage.tokens.input) for usage in usage_of(found)] == [("a1", 9)]


def test_a_sub_agent_with_files_is_a_session_of_its_own(tmp_path: Path) -> None:
    frame = {"type": "StatusUpdate", "payload": {"token_usage": {"input_other": 9}, "message_id": "m9"}}
    rows = [PROMPT, wire("SubagentEvent", parent_tool_call_id="c1", agent_id="a1", event=frame)]
    path = cli(tmp_path / ".kimi", rows)
    own = [wire("TurnBegin", user_input="do it"), STEP, status("m9", 9)]
    write_rows(path.parent / "subagents/a1/wire.jsonl", own)
    (source,) = discover(Context.at(tmp_path), ["kimi"])
    assert [full_id(member) for member in family(source)] == ["u1", "u1/a1"]
    assert [full_id(child) for child in resolve(str(path)).children] == ["u1/a1"]
    assert usage_of(events(list(read(source, report=FileReport(path=""))))) == []
    child = events(list(read(source.children[0], report=FileReport(path=""))))
    assert isinstance(child[0], Session)
    assert (child[0].session_id, child[0].parent_session_id, child[0].billed_to) == ("u1/a1", "u1", "u1")
    assert [message.injected for message in messages(child)] == [TASK]
    assert [usage.agent_id for usage in usage_of(child)] == ["a1"]


def test_a_damaged_line_costs_that_line(tmp_path: Path) -> None:
    report = FileReport(path="")
    path = cli(tmp_path, [PROMPT, b'{"timestamp":1,"mess\n', wire("TurnBegin", user_input="more")])
    assert said(events(records(path, report))) == ["user: hi", "user: more"]
    assert report.skipped == {"other_json_parse_error": 1}


def test_types_that_are_not_known_are_kept(tmp_path: Path) -> None:
    report = FileReport(path="")
    found = events(records(cli(tmp_path, [PROMPT, wire("Hologram", x=1)]), report))
    assert report.unknown == {"Hologram": 1}
    assert [event.name for event in found if isinstance(event, Opaque)] == ["Hologram"]


def test_nothing_understood_is_refused(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "x/context.jsonl", [{"a": 1}])
    with pytest.raises(NotATranscript):
        records(path)


def test_other_files_that_a_session_depends_on() -> None:
    names = [Path(path).name for path in parse_dependencies(resolve(str(REAL)))]
    assert names == ["context.jsonl", "state.json", "kimi.json"]


def test_what_the_files_look_like() -> None:
    assert detect(REAL.read_bytes()) == 90
    assert detect(REAL.with_name("context.jsonl").read_bytes()) == 90
    assert detect(b'{"role":"user","content":"hi"}\n') == 40
    assert detect(b'{"type":"session","id":"a"}\n') == 0
    assert detect(b"") == 0
