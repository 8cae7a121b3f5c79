"""Which files are Gemini CLI sessions, which belong together, and what tells the project's folder."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from panscript.readers.context import Context
from panscript.readers.dependencies import parse_dependencies
from panscript.readers.discovery import discover
from panscript.readers.gemini import detect, layout, read, resolve
from panscript.readers.opening import open_source
from panscript.schemas.errors import NotATranscript, SourceUnreadable
from panscript.schemas.events import End, Message, ToolResult
from panscript.schemas.records import Source
from panscript.schemas.report import FileReport
from tests.readers.gemini.sessions import META, answer, call, of, said, session, time, usage, user, write
from tests.repository import ROOT

ID = META["sessionId"]
FIXTURE = ROOT / "fixtures/gemini/home"
NAME = "session-2026-10-01T10-00-11111111"


def _found(home: Path) -> list[Source]:
    return list(discover(Context.at(home), ["gemini"]))


def _document(path: Path, messages: list[Any], *, indent: int | None = 2, **more: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    head = {key: value for key, value in META.items() if key != "kind"}
    path.write_text(json.dumps({**head, "messages": messages, **more}, indent=indent), encoding="utf-8")
    return path


def test_the_recorded_session_says_what_was_done() -> None:
    (source,) = _found(FIXTURE)
    found = [event for record in read(source, report=FileReport(path="")) for event in record.events]
    assert [kind for kind, _ in said(found)] == ["session_context", "user", "assistant", "assistant"]
    results = [event.status for event in found if isinstance(event, ToolResult)]
    assert results == ["ok", "error"]
    assert [(each.tokens.input, each.tokens.output, each.tokens.cache_read) for each in usage(found)] == [
        (200, 45, 1000),
        (200, 45, 1000),
    ]
    assert session(found).cwd == "/home/dev/app"
    assert session(found).first_prompt == "What files are here?"


@pytest.mark.parametrize("indent", [None, 2])
def test_a_document_is_cut_into_its_messages(tmp_path: Path, indent: int | None) -> None:
    rows = [user("u1", "hi"), answer("g1", "ho"), user("u2", "on")]
    path = _document(tmp_path / f"{NAME}.json", rows, indent=indent, summary="A title")
    report = FileReport(path="")
    records = list(read(resolve(str(path)), report=report))
    assert b"".join(record.raw for record in records) == path.read_bytes()
    assert [record.kind for record in records] == ["used", "used", "state", "used", "state", "used", "state", "end"]
    found = [event for record in records for event in record.events]
    assert said(found) == [("user", "hi"), ("assistant", "ho"), ("user", "on")]
    assert session(found).title == "A title"
    assert isinstance(found[-1], End)
    assert json.loads(records[3].raw)["id"] == "g1"
    assert records[3].origin.line == path.read_bytes()[: records[3].origin.offset].count(b"\n") + 1


def test_a_document_on_a_line_of_a_log_is_read_as_well(tmp_path: Path) -> None:
    path = write(tmp_path / f"{NAME}.jsonl", [user("u2", "more")], meta={**META, "messages": [user("u1", "hi")]})
    assert said(of(path)) == [("user", "hi"), ("user", "more")]


def test_of_a_torn_document_the_whole_messages_are_read(tmp_path: Path) -> None:
    path = _document(tmp_path / f"{NAME}.json", [user("u1", "hi"), answer("g1", "ho"), user("u2", "lost")])
    data = path.read_bytes()
    path.write_bytes(data[: data.index(b"lost")])
    report = FileReport(path="")
    records = list(read(resolve(str(path)), report=report))
    assert b"".join(record.raw for record in records) == path.read_bytes()
    found = [event for record in records for event in record.events]
    assert said(found) == [("user", "hi"), ("assistant", "ho")]
    assert session(found).session_id == ID
    assert not session(found).complete
    assert (report.skipped_lines, report.complete) == (1, False)


def test_damage_in_one_message_costs_that_message(tmp_path: Path) -> None:
    path = _document(tmp_path / f"{NAME}.json", [user("u1", "hi"), user("u2", "BROKEN"), user("u3", "on")])
    path.write_bytes(path.read_bytes().replace(b'"BROKEN"', b'"bro"ken"'))
    report = FileReport(path="")
    assert said(of(path, report)) == [("user", "hi"), ("user", "on")]
    assert report.skipped == {"json_parse_error": 1}


def test_a_document_that_only_the_tolerant_decoder_takes_is_read_whole(tmp_path: Path) -> None:
    path = _document(tmp_path / f"{NAME}.json", [user("u1", "hi"), answer("g1", "LONE")])
    path.write_bytes(path.read_bytes().replace(b"LONE", b"a\\ud83d!"))
    report = FileReport(path="")
    assert said(of(path, report)) == [("user", "hi"), ("assistant", "a�!")]
    assert report.skipped == {}


def test_a_document_that_is_too_large_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = _document(tmp_path / f"{NAME}.json", [user("u1", "hi")])
    monkeypatch.setattr("panscript.readers.document.load.__defaults__", (100,))
    with pytest.raises(SourceUnreadable, match="larger than"):
        of(path)


def test_a_resumed_document_and_its_log_are_one_session(tmp_path: Path) -> None:
    chats = tmp_path / ".gemini/tmp/app/chats"
    rows = [user("u1", "hi"), answer("g1", "ho")]
    _document(chats / f"{NAME}.json", rows)
    path = write(chats / f"{NAME}.jsonl", [*rows, user("u2", "on"), answer("g2", "yes")])
    (source,) = _found(tmp_path)
    assert [Path(file.path).suffix for file in source.files] == [".json", ".jsonl"]
    assert [file.role for file in source.files] == ["segment", "main"]
    assert [Path(file.path).name for file in resolve(str(path)).files] == [f"{NAME}.json", f"{NAME}.jsonl"]
    found = of(path)
    assert said(found) == [("user", "hi"), ("assistant", "ho"), ("user", "on"), ("assistant", "yes")]
    assert len(usage(found)) == 2


def test_a_second_file_that_a_resume_opened_belongs_to_the_session(tmp_path: Path) -> None:
    chats = tmp_path / ".gemini/tmp/app/chats"
    write(chats / f"{NAME}.jsonl", [user("u1", "hi"), answer("g1", "ho")])
    write(chats / "session-2026-10-02T10-00-11111111.jsonl", [{"$set": {"summary": "Later"}}])
    write(chats / "session-2026-10-03T10-00-22222222.jsonl", [user("x", "other")], meta={**META, "sessionId": "2" * 8})
    one, other = _found(tmp_path)
    assert (len(one.files), len(other.files)) == (2, 1)
    assert session([e for record in read(one, report=FileReport(path="")) for e in record.events]).title == "Later"


def test_sub_agents_are_sessions_of_their_own(tmp_path: Path) -> None:
    chats = tmp_path / ".gemini/tmp/app/chats"
    main = write(
        chats / f"{NAME}.jsonl", [user("u1", "hi"), answer("g1", "", toolCalls=[call("c", "x", agentId="sub")])]
    )
    meta = {**META, "sessionId": "sub", "kind": "subagent", "directories": ["/home/dev/app"]}
    child = write(chats / str(ID) / "sub.jsonl", [user("t", "find it"), answer("g2", "found")], meta=meta)
    (source,) = _found(tmp_path)
    assert [(each.id, each.parent) for each in source.children] == [("sub", ID)]
    assert resolve(str(main)).children[0].path == str(child)
    assert resolve(str(child)).parent == ID
    found = of(child)
    assert said(found) == [("task", "find it"), ("assistant", "found")]
    assert (session(found).session_id, session(found).parent_session_id) == ("sub", ID)
    assert session(found).cwd == "/home/dev/app"
    assert layout(str(child)) == f"app/chats/{ID}/sub.jsonl"


def test_long_results_beside_a_session_are_a_part_of_it(tmp_path: Path) -> None:
    project = tmp_path / ".gemini/tmp/app"
    path = write(project / f"chats/{NAME}.jsonl", [user("u1", "hi")])
    output = project / f"tool-outputs/session-{ID}/shell_c.txt"
    output.parent.mkdir(parents=True)
    output.write_text("all of it")
    (source,) = _found(tmp_path)
    assert [(file.path, file.role) for file in source.files] == [(str(path), "main"), (str(output), "side")]
    assert [file.path for file in source.transcripts] == [str(path)]
    assert resolve(str(path)).files == source.files
    assert layout(str(output)) == f"app/tool-outputs/session-{ID}/shell_c.txt"
    assert said(of(path)) == [("user", "hi")]


def test_the_registry_names_the_projects_folder(tmp_path: Path) -> None:
    path = write(tmp_path / "tmp/app-1/chats" / f"{NAME}.jsonl", [user("u1", "hi")])
    assert session(of(path)).cwd is None
    registry = tmp_path / "projects.json"
    registry.write_text('{"projects": {"/home/ana/app": "app", "/srv/app": "app-1"}}')
    assert session(of(path)).cwd == "/srv/app"
    assert str(registry) in parse_dependencies(resolve(str(path)))
    registry.write_text('{"projects": ["damaged"]}')
    (tmp_path / "tmp/app-1/.project_root").write_text("/srv/marked")
    assert session(of(path)).cwd == "/srv/marked"


def test_the_hash_of_the_folder_tells_it_where_it_is_registered(tmp_path: Path) -> None:
    digest = hashlib.sha256(b"/srv/app").hexdigest()
    path = write(tmp_path / f"tmp/{digest}/chats/{NAME}.jsonl", [user("u1", "hi")])
    (tmp_path / "projects.json").write_text('{"projects": {"/srv/app": "app"}}')
    assert session(of(path)).cwd == "/srv/app"
    other = write(tmp_path / f"tmp/old/chats/{NAME}.jsonl", [user("u1", "hi")], meta={**META, "projectHash": digest})
    assert session(of(other)).cwd == "/srv/app"


def test_usage_names_the_projects_folder(tmp_path: Path) -> None:
    path = write(tmp_path / "tmp/app/chats" / f"{NAME}.jsonl", [user("u1", "hi"), answer("g", "ho")])
    (tmp_path / "projects.json").write_text('{"projects": {"/srv/app": "app"}}')
    assert usage(of(path))[0].cwd == "/srv/app"


@pytest.mark.parametrize("bare", [True, False])
def test_a_saved_chat_is_read_where_it_is_named(tmp_path: Path, bare: bool) -> None:
    history = [
        {"role": "user", "parts": [{"text": "hi"}]},
        {"role": "model", "parts": [{"text": "ho"}, {"functionCall": {"name": "ls", "args": {}}}]},
    ]
    path = tmp_path / ".gemini/tmp/app/checkpoint-try.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(history if bare else {"history": history}, indent=2))
    assert open_source(str(path)).agent == "gemini"
    report = FileReport(path="")
    found = of(path, report)
    assert said(found) == [("user", "hi"), ("assistant", "ho")]
    assert not report.unknown, "what stands around the messages is no record"
    assert len({event.id for event in found}) == len(found)
    assert _found(tmp_path) == [], "it repeats what a session says"


def test_sessions_are_told_by_their_content() -> None:
    line = json.dumps(META).encode()
    assert detect(line + b"\n") >= 90
    assert detect(json.dumps({**META, "messages": []}, indent=2).encode()) >= 90
    assert detect(json.dumps(user("u", "hi")).encode()) >= 50
    assert detect(b'{"type":"session","version":3,"id":"x"}\n') == 0
    assert detect(b"") == 0


def test_blank_and_foreign_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "tmp/app/chats" / f"{NAME}.jsonl"
    path.parent.mkdir(parents=True)
    path.write_bytes(b'{"a": 1}\n[2]\n')
    with pytest.raises(NotATranscript):
        of(path)
    path.write_bytes(b"")
    assert [type(event).__name__ for event in of(path)] == ["Session", "End"]


def test_a_torn_line_costs_that_line(tmp_path: Path) -> None:
    path = write(tmp_path / f"{NAME}.jsonl", [user("u1", "hi"), answer("g1", "ho")])
    data = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(data[0] + data[1][:40] + data[2] + b"{not json\n")
    report = FileReport(path="")
    assert said(of(path, report)) == [("assistant", "ho")]
    assert report.skipped_lines == 2
    assert {each.line for each in report.skipped_at} == {2, 3}


def test_two_messages_on_one_line_are_both_read_in_their_last_version(tmp_path: Path) -> None:
    path = write(tmp_path / f"{NAME}.jsonl", [user("u1", "old"), user("u2", "on")])
    welded = json.dumps(answer("g1", "ho", second=5)) + json.dumps(user("u1", "new"))
    path.write_text(path.read_text() + welded + "\n")
    found = of(path)
    assert said(found) == [("user", "new"), ("user", "on"), ("assistant", "ho")]
    assert all(not isinstance(event, Message) or event.time for event in found), time(1)


def test_a_log_without_its_header_is_read_and_told(tmp_path: Path) -> None:
    path = tmp_path / f"{NAME}.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in (user("u1", "hi"), answer("g1", "ho"))))
    report = FileReport(path="")
    found = [event for record in read(resolve(str(path)), report=report) for event in record.events]
    assert said(found) == [("user", "hi"), ("assistant", "ho")]
    assert session(found).session_id == NAME
    assert [warning.code for warning in report.warnings] == ["header_missing"]
    assert (report.complete, report.skipped) == (False, {})
