"""Sessions that are one JSON document.

What decoders refuse and agents write is mended as in lines; what should be the messages but is no array is said.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from panscript.readers.opening import open_source, read
from panscript.schemas.errors import NotATranscript
from panscript.schemas.events import Message, Session, Text
from panscript.schemas.report import FileReport

Value = dict[str, Any] | list[Any]
ODD = "a \ud83d b"
MENDED = "a � b"
THREAD = "T-5b000060-0000-4000-8000-000000000060"
TASK = "tasks/1780308000123"
TIME = 1_780_308_000_000


def _amp(said: str, title: str) -> tuple[str, Value]:
    message = {"role": "user", "messageId": 0, "content": [{"type": "text", "text": said}], "meta": {"sentAt": TIME}}
    return f"threads/{THREAD}.json", {"v": 1, "id": THREAD, "created": TIME, "title": title, "messages": [message]}


def _shown(said: str, _title: str) -> tuple[str, Value]:
    return f"{TASK}/ui_messages.json", [{"ts": TIME, "type": "say", "say": "task", "text": said}]


def _seen(said: str, _title: str) -> tuple[str, Value]:
    block = {"type": "text", "text": f"<task>\n{said}\n</task>"}
    return f"{TASK}/api_conversation_history.json", [{"role": "user", "content": [block], "ts": TIME}]


def _cline(said: str, _title: str) -> tuple[str, Value]:
    message = {"id": "1", "role": "user", "content": [{"type": "text", "text": said}], "ts": TIME}
    return "1_a/1_a.messages.json", {"version": 1, "agent": "lead", "sessionId": "1_a", "messages": [message]}


def _gemini(said: str, title: str) -> tuple[str, Value]:
    message = {"id": "u", "timestamp": "2026-06-01T10:00:00Z", "type": "user", "content": said}
    head = {"sessionId": "5b000002", "projectHash": "ab" * 32, "startTime": "2026-06-01T10:00:00Z", "summary": title}
    return "chats/session-2026-06-01T10-00-5b000002.json", {**head, "messages": [message]}


def _saved_chat(said: str, _title: str) -> tuple[str, Value]:
    return "checkpoint-a.json", {"history": [{"role": "user", "parts": [{"text": said}]}]}


def _bare_chat(said: str, _title: str) -> tuple[str, Value]:
    return "checkpoint-b.json", [{"role": "user", "parts": [{"text": said}]}]


def _opencode(said: str, title: str) -> tuple[str, Value]:
    info = {"id": "msg_1", "sessionID": "ses_1", "role": "user", "time": {"created": TIME}}
    part = {"id": "prt_1", "messageID": "msg_1", "sessionID": "ses_1", "type": "text", "text": said}
    about = {"id": "ses_1", "title": title, "directory": "/w", "time": {"created": TIME}}
    return "export.json", {"info": about, "messages": [{"info": info, "parts": [part]}]}


def _goose(said: str, title: str) -> tuple[str, Value]:
    message = {"id": "m", "role": "user", "created": TIME // 1000, "content": [{"type": "text", "text": said}]}
    head = {"id": "20260601_1", "working_dir": "/w", "name": title, "extension_data": {}}
    return "export.json", {**head, "conversation": [message]}


FORMS = [_amp, _shown, _seen, _cline, _gemini, _saved_chat, _bare_chat, _opencode, _goose]
TITLED = [_amp, _gemini, _opencode, _goose]
Form = Callable[[str, str], tuple[str, Value]]


def _written(folder: Path, form: Form, change: Callable[[str], str] = str) -> Path:
    name, value = form(ODD, ODD)
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(change(json.dumps(value, indent=1)))
    return path


def _read(path: Path, agent: str | None = None) -> tuple[Session, list[str], FileReport]:
    report = FileReport(path="")
    records = list(read(open_source(str(path), agent), report=report))
    assert b"".join(record.raw for record in records) == path.read_bytes()
    found = [event for record in records for event in record.events]
    (session,) = [event for event in found if isinstance(event, Session)]
    said = [
        block.text
        for event in found
        if isinstance(event, Message) and event.role == "user"
        for block in event.content
        if isinstance(block, Text)
    ]
    return session, said, report


@pytest.mark.parametrize("form", FORMS)
def test_half_of_a_surrogate_pair_costs_only_itself(form: Form, tmp_path: Path) -> None:
    session, said, report = _read(_written(tmp_path, form))
    assert said == [MENDED]
    assert (report.skipped_lines, report.skipped, report.warnings) == (0, {}, [])
    assert report.changed["surrogates_repaired"] == (2 if form in TITLED else 1)
    missing = form in (_shown, _seen)
    assert session.complete == report.complete == (not missing)
    assert session.title == (MENDED if form in TITLED else None)


@pytest.mark.parametrize("number", ["NaN", "-Infinity"])
@pytest.mark.parametrize("form", FORMS)
def test_a_number_that_json_does_not_know_costs_only_itself(form: Form, number: str, tmp_path: Path) -> None:
    def change(text: str) -> str:
        return text.replace("\\ud83d", "c").replace("{}", "null").replace("}", f', "odd": {number}}}')

    path = _written(tmp_path, form, change)
    _, said, report = _read(path)
    assert said == ["a c b"]
    assert (report.skipped_lines, report.skipped) == (0, {})
    assert set(report.changed) == {"number_repaired"}


@pytest.mark.parametrize(
    ("form", "name"),
    [(_amp, "messages"), (_gemini, "messages"), (_opencode, "messages"), (_goose, "conversation")],
)
@pytest.mark.parametrize("value", ["x", 1, {"a": {}}])
def test_messages_that_are_no_array_are_no_empty_success(form: Form, name: str, value: object, tmp_path: Path) -> None:
    def change(text: str) -> str:
        return json.dumps({**json.loads(text), name: value})

    session, said, report = _read(_written(tmp_path, form, change))
    assert said == []
    assert (report.skipped, report.skipped_lines) == ({"invalid_messages_array": 1}, 1)
    assert [warning.code for warning in report.warnings] == ["partly_read"]
    assert not report.complete
    assert not session.complete


@pytest.mark.parametrize("form", [_amp, _gemini, _opencode])
def test_messages_that_are_missing_are_no_empty_success(form: Form, tmp_path: Path) -> None:
    def change(text: str) -> str:
        return json.dumps({name: value for name, value in json.loads(text).items() if name != "messages"})

    _, _, report = _read(_written(tmp_path, form, change))
    assert report.skipped == {"invalid_messages_array": 1}


@pytest.mark.parametrize("form", [_shown, _seen])
def test_what_the_other_file_of_a_task_holds_is_read(form: Form, tmp_path: Path) -> None:
    broken = _written(tmp_path, form, lambda text: json.dumps({"a": 1}))
    with pytest.raises(NotATranscript):
        _read_report(broken)
    _written(tmp_path, _seen if form is _shown else _shown)
    report = _read_report(broken)
    assert (report.skipped, report.skipped_lines) == ({"invalid_messages_data": 1}, 1)
    assert [warning.message for warning in report.warnings] == [
        f"{broken.name} holds no array of messages; nothing of it was read"
    ]
    assert not report.complete


def _read_report(path: Path) -> FileReport:
    report = FileReport(path="")
    list(read(open_source(str(path), "cline"), report=report))
    return report


def test_a_message_of_a_gemini_document_that_is_no_object_is_one_that_is_skipped(tmp_path: Path) -> None:
    def change(text: str) -> str:
        value = json.loads(text)
        return json.dumps({**value, "messages": [5, *value["messages"], "x"]})

    _, said, report = _read(_written(tmp_path, _gemini, change))
    assert said == [MENDED]
    assert report.skipped == {"invalid_message": 2}


def test_a_thread_whose_id_nothing_says_is_told(tmp_path: Path) -> None:
    path = _written(tmp_path, _amp, lambda text: text.replace('"id"', '"no"').replace('"v"', '"nextMessageId"'))
    report = FileReport(path="")
    list(read(open_source(str(path), "amp"), report=report))
    # The name of the file says it.
    assert (report.session_id, report.skipped) == (THREAD, {})
    other = path.rename(path.with_name("thread.json"))
    report = FileReport(path="")
    list(read(open_source(str(other), "amp"), report=report))
    assert (report.session_id, report.skipped) == ("thread", {"invalid_thread_id": 1})
    assert [warning.code for warning in report.warnings] == ["header_missing"]


FAMILY = ("roocode", "kilocode")
TORN: list[tuple[Form, str | None]] = [
    # A bare array of a conversation that is torn is refused as a whole.
    *((form, None) for form in FORMS if form is not _bare_chat),
    *((form, agent) for form in (_shown, _seen) for agent in FAMILY),
]


@pytest.mark.parametrize("style", [{"separators": (",", ":")}, {"indent": 1}])
@pytest.mark.parametrize(("form", "agent"), TORN)
def test_a_torn_document_is_never_told_as_whole(
    form: Form, agent: str | None, style: dict[str, Any], tmp_path: Path
) -> None:
    name, value = form("a", "b")
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    (listed,) = [value] if isinstance(value, list) else [each for each in value.values() if isinstance(each, list)]
    whole = json.dumps(value, **style)
    first = whole.rindex("}", 0, whole.rindex("]")) + 1
    listed.append(json.loads(json.dumps(listed[0])))
    whole = json.dumps(value, **style)
    # From right behind the first element to before the last bracket.
    for end in range(first, len(whole)):
        path.write_text(whole[:end])
        session, _, report = _read(path, agent)
        assert not session.complete, whole[:end]
        assert not report.complete, whole[:end]
        # What is counted is told on stderr, and refused by `--strict`.
        assert report.skipped_lines == 1, whole[:end]
