"""What panscript noted when it wrote a thread is read back with it, and what came later is read as it stands."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import msgspec

from panscript.readers.codex import read, usage
from panscript.readers.codex.files import resolve
from panscript.readers.codex.peek import peek
from panscript.schemas.events import (
    Compaction,
    Event,
    Message,
    Session,
    Shell,
    Thinking,
    Tokens,
    ToolResult,
    Usage,
)
from panscript.schemas.report import FileReport
from panscript.stages.normal_form import Compacted, Said, normal_form
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
