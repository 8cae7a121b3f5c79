"""What panscript noted when it wrote a thread is read back with it, and what came later is read as it stands."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from panscript.readers.codex import read, usage
from panscript.readers.codex.files import resolve
from panscript.readers.codex.peek import peek
from panscript.schemas.events import (
    TASK,
    Compaction,
    Event,
    Message,
    Opaque,
    Session,
    Shell,
    Summary,
    Text,
    Thinking,
    Tokens,
    ToolCall,
    ToolResult,
    Usage,
)
from panscript.schemas.report import FileReport
from panscript.stages.normal_form import CommandRun, Compacted, Result, Said, normal_form
from panscript.stages.prepare import prepare
from panscript.writers.codex import file_name
from panscript.writers.options import WriteOptions
from panscript.writers.targets import write
from tests.builders import START, answer, asked, at, result, session, spoken

OPTIONS = WriteOptions(imported_at=START, importer="panscript test")


def _written(folder: Path, *stream: Event, first: Session | None = None, **options: Any) -> Path:
    sink = io.BytesIO()
    head = first or session()
    chosen = msgspec.structs.replace(OPTIONS, **options)
    write("codex", prepare(iter([head, *stream])), sink, options=chosen)
    path = folder / file_name(head, chosen).rpartition("/")[2]
    path.write_bytes(sink.getvalue())
    return path


def _events(path: Path) -> list[Event]:
    report = FileReport(path=str(path))
    found = [event for record in read(resolve(str(path)), report=report) for event in record.events]
    assert report.unknown == {}
    return found


def _messages(path: Path) -> list[Message]:
    return [event for event in _events(path) if isinstance(event, Message)]


def _append(path: Path, *payloads: tuple[str, dict[str, Any]]) -> None:
    """What Codex writes when the thread goes on."""
    with path.open("a") as file:
        for kind, payload in payloads:
            file.write(json.dumps({"timestamp": at(3600), "type": kind, "payload": payload}) + "\n")


def test_the_session_says_what_it_was(tmp_path: Path) -> None:
    path = _written(tmp_path, spoken("u"), answer("a", "x"), first=session(model="m", title="T"))
    (found, *_) = _events(path)
    assert isinstance(found, Session)
    assert (found.imported_from, found.model, found.version) == ("claude", "m", None)
    facts = peek(resolve(str(path)))
    assert facts is not None
    assert (facts.imported_from, facts.title) == ("claude", "Imported from Claude Code: T")


def test_tokens_models_and_times_come_back(tmp_path: Path) -> None:
    tokens = Tokens(input=3, output=5, reasoning=1, cache_read=7, cache_write=9, cache_write_1h=2, total=24, cost=0.5)
    path = _written(
        tmp_path,
        spoken("u", seconds=9),
        answer("a", Thinking(text="hm"), "x", asked("c"), model="m1", tokens=tokens, seconds=5),
        result("r", "c", seconds=None),
        answer("b", "y", model="m1", seconds=20),
        answer("c", "z", model="m2", seconds=30),
    )
    said = [item for item in normal_form(_events(path)) if isinstance(item, Said)]
    assert [item.time for item in said] == [START + 9000, START + 5000, START + 20_000, START + 30_000]
    assert [item.model for item in said] == [None, "m1", "m1", "m2"]
    assert [item.tokens for item in said] == [None, tokens, None, None]


def test_nothing_that_was_imported_is_counted(tmp_path: Path) -> None:
    path = _written(tmp_path, spoken("u"), answer("a", "x", tokens=Tokens(input=3, total=3)))
    assert not [event for event in _events(path) if isinstance(event, Usage)]
    assert list(usage(resolve(str(path)), report=FileReport(path=""))) == []


def test_call_ids_names_and_texts_come_back(tmp_path: Path) -> None:
    calls = [
        ToolCall(id="a b", name="do.it", arguments=msgspec.Raw(b'{"x":1}')),
        ToolCall(id="c", name="", text="free text", custom=True),
        ToolCall(id="d" * 70, name="raw", text="not json {"),
    ]
    results = [result(f"r{n}", call.id) for n, call in enumerate(calls)]
    path = _written(tmp_path, spoken("u"), answer("a", *calls), *results)
    found = _events(path)
    asked_for = [b for e in found if isinstance(e, Message) for b in e.content if isinstance(b, ToolCall)]
    assert [(b.id, b.name, b.text, b.custom) for b in asked_for] == [(c.id, c.name, c.text, c.custom) for c in calls]
    assert [e.call_id for e in found if isinstance(e, ToolResult)] == [c.id for c in calls]


@pytest.mark.parametrize("status", ["ok", "error"])
@pytest.mark.parametrize(
    "text", ["fine", "Exit code: 1\nno", "Exit code: 0\nyes", '{"output":"x","metadata":{"exit_code":3}}', ""]
)
def test_results_come_back_with_their_status(tmp_path: Path, status: Any, text: str) -> None:
    path = _written(tmp_path, spoken("u"), answer("a", asked("c")), result("r", "c", text, status=status))
    (found,) = (item for item in normal_form(_events(path)) if isinstance(item, Result))
    assert found.status == status
    assert [part.text for part in found.parts] == [text or "(no output)"]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "text",
    [
        "<environment_context>\n<cwd>/x</cwd>\n</environment_context>",
        "# AGENTS.md instructions\n</INSTRUCTIONS>",
        "<image>",
    ],
)
def test_what_looks_injected_stays_what_the_person_said(tmp_path: Path, text: str) -> None:
    path = _written(tmp_path, spoken("u", text), answer("a", "x"))
    said = _messages(path)[0]
    assert (said.role, said.content) == ("user", (Text(text=text),))


def test_text_that_nobody_typed_comes_back_with_its_kind(tmp_path: Path) -> None:
    path = _written(
        tmp_path,
        spoken("t", "do", role="system", injected=TASK),
        spoken("i", "note", role="system", injected="hook"),
        result("r", "nobody", "stray"),
        answer("a", "x"),
        Summary(id="s", text="sum", time=START),
        Opaque(id="o", name="news", data=msgspec.Raw(b'{"x":1}')),
    )
    found = _events(path)
    assert [m.injected for m in found if isinstance(m, Message)] == [TASK, "hook", "orphan_result", None]
    assert [e.text for e in found if isinstance(e, Summary)] == ["sum"]
    assert [(e.name, bytes(e.data)) for e in found if isinstance(e, Opaque)] == [("news", b'{"x":1}')]


@pytest.mark.parametrize(
    "ran",
    [
        Shell(id="s", command="ls", output="a\n", exit_code=0),
        Shell(id="s", command="ls", output="", exit_code=None, cancelled=True, truncated=True),
        Shell(id="s", command="x\n</command>\n<result>\n", output="</result>\nExit code: 9\n", exit_code=3),
        Shell(id="s", command="\nOutput:\n", output="\n\n", exit_code=-1),
        Shell(id="s", command="ls", output="a", exit_code=2, excluded=True),
        Shell(id="s", command="", output=""),
    ],
)
def test_commands_come_back(tmp_path: Path, ran: Shell) -> None:
    path = _written(tmp_path, spoken("u"), ran, answer("a", "x"))
    wanted = CommandRun(
        ran.command or "", ran.output or "", ran.exit_code, ran.cancelled, ran.truncated, ran.excluded, None
    )
    assert [item for item in normal_form(_events(path)) if isinstance(item, CommandRun)] == [wanted]


def test_a_compaction_comes_back_with_what_it_kept(tmp_path: Path) -> None:
    said = [spoken("u"), answer("a", "one"), spoken("v"), answer("b", "two")]
    path = _written(tmp_path, *said, Compaction(id="c", summary="sum", first_kept="v"), spoken("w"))
    (found,) = (item for item in normal_form(_events(path)) if isinstance(item, Compacted))
    assert (found.summary, found.first_kept) == ("sum", 2)


def test_what_came_later_is_read_as_codex_wrote_it(tmp_path: Path) -> None:
    path = _written(tmp_path, spoken("u"), answer("a", "x", model="m1"))
    number = len(path.read_bytes().splitlines())
    shell = "<user_shell_command>\n<command>\nls\n</command>\n<result>\nOutput:\n</result>\n</user_shell_command>"
    prompt = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "go on"}]}
    _append(
        path,
        ("turn_context", {"cwd": "/home/dev/app", "model": "gpt-5", "approval_policy": "never", "summary": "auto"}),
        ("response_item", prompt),
        ("event_msg", {"type": "user_message", "message": "go on"}),
        ("response_item", {"type": "function_call", "name": "t", "arguments": "{}", "call_id": "c"}),
        ("response_item", {"type": "function_call_output", "call_id": "c", "output": "Exit code: 1\nno"}),
        ("response_item", {**prompt, "content": [{"type": "input_text", "text": shell}]}),
    )
    found = _events(path)
    later = [event for event in found if event.id.split(":")[0].isdigit() and int(event.id.split(":")[0]) > number]
    assert [type(event) for event in later] == [Message, Message, ToolResult, Message, Shell]
    assert isinstance(later[1], Message)
    assert later[1].model == "gpt-5"
    assert isinstance(later[2], ToolResult)
    assert later[2].status == "error"


def test_a_record_that_moved_is_not_believed(tmp_path: Path) -> None:
    path = _written(tmp_path, spoken("u"), answer("a", "x", model="m1"))
    first, *rest = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(first + b"\n" + b"".join(rest))
    (found, *_) = _events(path)
    assert isinstance(found, Session)
    assert found.imported_from is None
    assert [m.model for m in _messages(path)] == [None, None]


def test_parts_of_the_record_may_be_many(tmp_path: Path) -> None:
    notes = [spoken(f"i{n}", str(n) * 90_000, role="system", injected="x", parent="u") for n in range(20)]
    path = _written(tmp_path, spoken("u"), *notes, answer("a", "x"))
    assert path.read_bytes().count(b'"panscript_import_part"') > 2
    texts = [m.content for m in _messages(path) if m.injected == "x"]
    assert texts == [note.content for note in notes]
