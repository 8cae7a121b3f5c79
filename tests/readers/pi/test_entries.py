"""What each kind of entry says."""

from __future__ import annotations

from pathlib import Path

import pytest

from panscript.schemas.errors import NotATranscript
from panscript.schemas.events import (
    TASK,
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
from tests.readers.pi.sessions import HEADER, answer, entry, events, prompt, read_file, session, spoken, write_file
from tests.repository import ROOT

FIXTURES = ROOT / "fixtures/pi"


def test_an_answer_has_its_blocks_model_tokens_and_response_id() -> None:
    said = [e for e in events(FIXTURES / "agent-run.jsonl") if isinstance(e, Message) and e.role == "assistant"]
    thought, text, *calls = said[0].content
    assert thought == Thinking(text="The user wants a count. Read the file.", signature="reasoning_content")
    assert text == Text(text="I'll read the list.")
    assert [(call.id, call.name, bytes(call.arguments)) for call in calls if isinstance(call, ToolCall)] == [
        ("call_read_1", "read", b'{"path":"todo.txt"}'),
        ("call_bash_1", "bash", b'{"command":"wc -l todo.txt"}'),
    ]
    first = said[0]
    assert (first.model, first.provider, first.message_id, first.stop_reason) == (
        "demo-large",
        "demo",
        "chatcmpl-1",
        "toolUse",
    )
    assert first.tokens is not None
    counts = first.tokens
    assert (counts.input, counts.output, counts.cache_read, counts.total) == (200, 40, 1000, 1240)
    assert (first.response, first.closes) == (None, True)


def test_results_have_status_duration_and_name() -> None:
    results = [event for event in events(FIXTURES / "agent-run.jsonl") if isinstance(event, ToolResult)]
    assert [(r.call_id, r.name, r.status, r.duration_ms) for r in results] == [
        ("call_read_1", "read", "ok", 73),
        ("call_bash_1", "bash", "ok", 71),
        ("call_read_2", "read", "error", 20),
    ]


def test_commands_of_the_person_say_how_they_ended() -> None:
    first, second = (event for event in events(FIXTURES / "compacted.jsonl") if isinstance(event, Shell))
    assert (first.command, first.output, first.exit_code, first.excluded) == ("ls", "todo.txt\n", 0, False)
    assert (second.command, second.exit_code, second.cancelled, second.excluded) == ("sleep 9", None, True, True)


def test_answers_that_failed_say_so() -> None:
    said = [e for e in events(FIXTURES / "compacted.jsonl") if isinstance(e, Message) and e.role == "assistant"]
    assert [e.fault for e in said] == [None, None, None, "aborted", "error", None]


def test_pictures_are_pictures() -> None:
    stream = events(FIXTURES / "compacted.jsonl")
    found = [b for e in stream if isinstance(e, Message | ToolResult) for b in e.content if isinstance(b, Image)]
    assert [(image.media_type, (image.data or "")[:8]) for image in found] == [("image/png", "iVBORw0K")] * 2


def test_a_call_that_no_record_answers_is_known_to_be_open(tmp_path: Path) -> None:
    calls: list[dict[str, object]] = [
        {"type": "toolCall", "id": name, "name": "x", "arguments": {}} for name in ("one", "two")
    ]
    done = entry("message", "c", "b", message={"role": "toolResult", "toolCallId": "one", "content": []})
    path = write_file(tmp_path, [HEADER, prompt("a", None, "go"), answer("b", "a", calls), done])
    found = [b for e in events(path) if isinstance(e, Message) for b in e.content if isinstance(b, ToolCall)]
    assert [(call.id, call.answered) for call in found] == [("one", True), ("two", False)]


def test_version_1_has_stable_ids_and_the_order_of_the_file() -> None:
    stream = events(FIXTURES / "entry-v1.jsonl")
    said = [event for event in stream if isinstance(event, Message | ToolResult)]
    assert [(event.id, event.parent) for event in said][:3] == [
        ("line:2", None),
        ("line:3", "line:2"),
        ("line:4", "line:3"),
    ]
    assert all(event.live for event in said)


def test_version_2_has_hook_messages() -> None:
    [hook] = [e for e in events(FIXTURES / "entry-v2.jsonl") if isinstance(e, Message) and e.role == "system"]
    assert (hook.injected, hook.hidden) == ("demo", False)


def test_facts_are_told_when_they_change() -> None:
    facts = [event for event in events(FIXTURES / "agent-run.jsonl") if isinstance(event, Meta)]
    assert [(m.cwd, m.model, m.provider, m.title) for m in facts] == [
        ("/home/ana/todo-app", None, None, None),
        (None, "demo-large", "demo", None),
        (None, None, None, "Count the to-dos"),
    ]


def test_the_session_sums_the_file_up() -> None:
    found = session(FIXTURES / "agent-run.jsonl")
    assert (found.session_id, found.cwd, found.title, found.first_prompt, found.model, found.provider) == (
        "01a22b09-c639-7521-9994-d41591d56567",
        "/home/ana/todo-app",
        "Count the to-dos",
        "How many items are in todo.txt?",
        "demo-large",
        "demo",
    )
    assert found.complete
    assert found.imported_from is None


def test_a_system_entry_with_text_is_a_message_of_the_system(tmp_path: Path) -> None:
    system = entry("message", "a", None, message={"role": "system", "content": [{"type": "text", "text": "Be kind."}]})
    [found] = [e for e in events(write_file(tmp_path, [HEADER, system])) if isinstance(e, Message)]
    assert (found.role, found.hidden, spoken([found])) == ("system", False, ["Be kind."])


def test_what_is_not_known_is_kept_whole_and_costs_nothing_beside_it(tmp_path: Path) -> None:
    rows = [
        HEADER,
        prompt("a", None, "one"),
        entry("message", "b", "a", message={"role": "narrator", "content": "aside"}),
        answer("c", "b", [{"type": "text", "text": "two"}, {"type": "dance", "steps": [1, 2]}]),
        entry("future", "d", "c", x=1),
        entry("message", "e", "d"),
    ]
    records, report = read_file(write_file(tmp_path, rows))
    stream = [event for record in records for event in record.events]
    assert spoken(stream) == ["one", "two"]
    assert report.unknown == {"narrator": 1, "dance": 1, "future": 1}
    assert report.skipped == {"message_invalid_message": 1}
    opaque = {event.name: bytes(event.data) for event in stream if isinstance(event, Opaque)}
    assert opaque["dance"] == b'{"type": "dance", "steps": [1, 2]}'
    assert set(opaque) == {"narrator", "dance", "future"}
    assert (report.classes["opaque"], report.classes["skipped"]) == (2, 1)


def test_raw_values_are_valid_on_one_line(tmp_path: Path) -> None:
    call = b'{"type":"toolCall","id":"x","name":"n","arguments":{"a":\r"\xff","b":"\\ud83d\\ude00"}}'
    line = b'{"type":"message","id":"a","parentId":null,"message":{"role":"assistant","content":[' + call + b"]}}\n"
    [found] = [e for e in events(write_file(tmp_path, [HEADER, line])) if isinstance(e, Message)]
    [block] = found.content
    assert isinstance(block, ToolCall)
    assert bytes(block.arguments) == '{"a":"\ufffd","b":"\U0001f600"}'.encode()


def test_separators_of_unicode_end_no_line() -> None:
    path = next((ROOT / "fixtures/cases/unicode-line-separators-in-strings").rglob("*.jsonl"))
    records, report = read_file(path)
    texts = "".join(spoken(event for record in records for event in record.events))
    assert report.skipped_lines == 0
    assert "ivy\u2029sheep" in texts
    assert "ivy.\u0085Sheep" in texts


def test_windows_line_ends_and_a_byte_order_mark_are_read(tmp_path: Path) -> None:
    original = write_file(tmp_path, [HEADER, prompt("a", None, "one")]).read_bytes()
    path = write_file(tmp_path, [b"\xef\xbb\xbf" + original.replace(b"\n", b"\r\n")], "crlf.jsonl")
    records, report = read_file(path)
    assert spoken(event for record in records for event in record.events) == ["one"]
    assert report.skipped_lines == 0
    assert b"".join(record.raw for record in records) == path.read_bytes()


@pytest.mark.parametrize("number", [0, 1])
def test_without_a_header_id_and_time_come_from_the_name(number: int) -> None:
    path = sorted((ROOT / "fixtures/cases/pi-header-missing-or-torn").rglob("*.jsonl"))[number]
    records, report = read_file(path)
    first = session(path)
    assert first.session_id == path.stem.partition("_")[2]
    assert first.created == 1774159200000 + number * 1_800_000
    assert (first.cwd, first.complete, report.complete) == (None, False, False)
    assert "header_missing" in [warning.code for warning in report.warnings]
    assert spoken(event for record in records for event in record.events) == ["Name the ferry.", "The Puffin."]


def test_omp_titles_models_and_roles_are_read(tmp_path: Path) -> None:
    rows = [
        {"type": "title", "v": 1, "title": "Kites", "updatedAt": "2026-01-01T10:00:00.000Z", "pad": "   "},
        HEADER | {"title": "Old name"},
        entry("model_change", "m", None, model="demo/large-1"),
        entry("message", "a", "m", message={"role": "developer", "content": "Be brief."}),
        entry("message", "b", "a", message={"role": "pythonExecution", "code": "1+1", "output": "2"}),
        entry("message", "c", "b", message={"role": "fileMention", "files": [{"path": "a.txt", "content": "A"}]}),
        entry("mode_change", "d", "c", mode="plan"),
        prompt("e", "d", "Go."),
    ]
    path = write_file(tmp_path, rows)
    stream, report = events(path), read_file(path)[1]
    assert session(path).title == "Kites"
    assert [e.injected for e in stream if isinstance(e, Message)] == ["developer", "file_mention", None]
    assert [(e.command, e.output) for e in stream if isinstance(e, Shell)] == [("1+1", "2")]
    assert [(e.model, e.provider) for e in stream if isinstance(e, Meta) and e.model] == [("large-1", "demo")]
    assert report.unknown == {}
    assert report.warnings == []


def test_omp_keeps_sub_agents_in_a_folder_and_nobody_typed_their_prompts(tmp_path: Path) -> None:
    path = write_file(tmp_path, [HEADER, prompt("a", None, "go")])
    child = write_file(tmp_path / path.stem, [HEADER | {"id": "s-2"}, prompt("a", None, "do it")], "task.jsonl")
    from panscript.readers.pi import resolve

    [found] = resolve(str(path)).children
    assert (found.id, found.parent, found.path) == ("s-2", "s-1", str(child))
    assert session(child).parent_session_id == "s-1"
    [told] = [event for event in events(child) if isinstance(event, Message)]
    assert (told.role, told.injected) == ("system", TASK)


def test_a_file_in_which_nothing_is_pis_is_an_error(tmp_path: Path) -> None:
    path = write_file(tmp_path, [{"type": "user", "uuid": "u", "message": {"role": "user"}}], "x.jsonl")
    with pytest.raises(NotATranscript):
        read_file(path)


def test_an_empty_file_is_an_empty_session(tmp_path: Path) -> None:
    records, report = read_file(write_file(tmp_path, []))
    assert [record.kind for record in records] == ["end"]
    assert session(write_file(tmp_path, [])).session_id == "s-1"
    assert report.warnings == []


def test_what_is_added_while_the_file_is_read_waits_for_the_next_read(tmp_path: Path) -> None:
    from panscript.readers.pi import read, resolve
    from panscript.schemas.report import FileReport

    path = write_file(tmp_path, [HEADER, prompt("a", None, "one")])
    report = FileReport(path=str(path))
    records = read(resolve(str(path)), report=report)
    next(records)
    with path.open("ab") as file:
        file.write(b'{"type":"message","id":"b","parentId":"a","message":{"role":"user","content":"two"}}\n')
    rest = list(records)
    assert spoken(event for record in rest for event in record.events) == ["one"]
    assert [warning.code for warning in report.warnings] == ["file_changed"]
