"""The document that another program exports from a database; made up, since no real one was seen."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import msgspec
import pytest

from panscript.readers.antigravity import detect, resolve
from panscript.readers.opening import open_source, recognise
from panscript.schemas.antigravity.records import TrajectoryDocument
from panscript.schemas.errors import NotATranscript
from panscript.schemas.events import Message, Session, ToolCall, ToolResult, Usage
from panscript.schemas.records import Source
from panscript.schemas.report import FileReport
from tests.readers.antigravity.making import (
    ID,
    database,
    line,
    log,
    message,
    prompt,
    records,
    request,
    said,
    sources,
    step,
)

TALK = ["user", "assistant"]


def _time(second: int) -> str:
    return f"2026-06-01T10:00:{second:02}.000Z"


def _step(kind: str, second: int, **members: Any) -> dict[str, Any]:
    return {"type": f"CORTEX_STEP_TYPE_{kind}", "metadata": {"createdAt": _time(second)}, **members}


def _request(*steps: int, second: int = 2, **usage: str) -> dict[str, Any]:
    counts = {"inputTokens": "19733", "outputTokens": "30", "thinkingOutputTokens": "10", "cacheReadTokens": "5"}
    chat = {"model": "Gemini-3", "usage": {**counts, **usage}, "chatStartMetadata": {"createdAt": _time(second)}}
    return {"stepIndices": list(steps), "chatModel": chat}


def _document() -> dict[str, Any]:
    calls = [
        {"id": "c1", "name": "run_command", "argumentsJson": '{"CommandLine":"ls"}'},
        {"id": "c2", "name": "view_file", "argumentsJson": '{"AbsolutePath":'},
    ]
    steps = [
        _step("USER_INPUT", 1, userInput={"userResponse": "hi there"}),
        _step("PLANNER_RESPONSE", 2, plannerResponse={"thinking": "hm", "response": "look", "toolCalls": calls}),
        _step("RUN_COMMAND", 3, status="CORTEX_STEP_STATUS_DONE", runCommand={"combinedOutput": {"full": "a.txt"}}),
        _step("VIEW_FILE", 4, status="CORTEX_STEP_STATUS_ERROR", viewFile={"lines": 3}),
    ]
    return {"trajectoryId": "t", "cascadeId": ID, "steps": steps, "generatorMetadata": [_request(1)]}


def _written(root: Path, value: Any) -> Path:
    path = root / "conversations" / f"{ID}.trajectory.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value, indent=1))
    return path


def _roles(source: Source, report: FileReport | None = None) -> list[str]:
    return [event.role for event in said(source, report) if isinstance(event, Message)]


def _usage(source: Source, report: FileReport | None = None) -> list[Usage]:
    return [event for event in said(source, report) if isinstance(event, Usage)]


def test_alone_it_says_everything(tmp_path: Path) -> None:
    path = _written(tmp_path, _document())
    msgspec.json.decode(path.read_bytes(), type=TrajectoryDocument)
    assert recognise(str(path)) == "antigravity"
    source = open_source(str(path))
    report = FileReport(path="")
    found = records(source, report)
    assert b"".join(record.raw for record in found) == path.read_bytes()
    session, *events = [event for record in found for event in record.events]
    assert isinstance(session, Session)
    assert (session.session_id, session.first_prompt, session.model) == (ID, "hi there", "gemini-3")
    assert session.complete
    assert [event.role for event in events if isinstance(event, Message)] == TALK
    (answer,) = [event for event in events if isinstance(event, Message) and event.role == "assistant"]
    calls = [block for block in answer.content if isinstance(block, ToolCall)]
    assert [(call.id, call.name, call.answered) for call in calls] == [
        ("c1", "run_command", True),
        ("c2", "view_file", True),
    ]
    # Arguments that are no JSON stay what they are.
    assert (bytes(calls[0].arguments), calls[1].text) == (b'{"CommandLine":"ls"}', '{"AbsolutePath":')
    results = [event for event in events if isinstance(event, ToolResult)]
    assert [(each.call_id, each.status, each.content[0].text) for each in results] == [  # type: ignore[union-attr]
        ("c1", "ok", "a.txt"),
        ("c2", "error", '{"lines":3}'),
    ]
    (usage,) = [event for event in events if isinstance(event, Usage)]
    tokens = usage.tokens
    assert (tokens.input, tokens.output, tokens.reasoning, tokens.cache_read) == (19733, 30, 10, 5)
    assert (tokens.total, usage.told) == (19768, True)
    assert (report.skipped, report.complete) == ({}, True)


@pytest.mark.parametrize(
    ("chat", "code"),
    [
        (None, "invalid_payload"),
        ({"model": "x"}, "no_token_usage"),
        ({"usage": {"inputTokens": "0", "outputTokens": "x"}}, "no_token_usage"),
        ({"usage": {"inputTokens": "1"}}, "invalid_timestamp"),
    ],
)
def test_a_request_that_cannot_be_counted_is_told(tmp_path: Path, chat: object, code: str) -> None:
    value = {**_document(), "generatorMetadata": [{"stepIndices": [1], "chatModel": chat}]}
    report = FileReport(path="")
    assert _usage(resolve(str(_written(tmp_path, value))), report) == []
    assert report.skipped == {code: 1}


def test_beside_a_database_nothing_is_counted_or_said_twice(tmp_path: Path) -> None:
    path = _written(tmp_path, _document())
    rows = [(14, step(14)), (15, step(15)), (21, step(21)), (8, step(8))]
    base = database(tmp_path, requests=[request((2, 19733), (3, 30), (5, 5), steps=[1])], steps=rows)
    (source,) = sources(tmp_path)
    assert [file.path for file in source.files] == [str(path), str(base)]
    assert resolve(str(path)).files == resolve(str(base)).files == source.files
    assert _roles(source) == TALK
    (usage,) = _usage(source)
    assert (usage.tokens.input, usage.model) == (19733, "gemini-3-pro")
    report = FileReport(path="")
    records(source, report)
    # Four steps of the database, one request of the document.
    assert report.classes["twin"] == 5


def test_what_the_database_has_more_is_read(tmp_path: Path) -> None:
    _written(tmp_path, _document())
    typed = step(14, (19, b"\x12\x04more"), source=4)
    rows = [(14, step(14)), (15, step(15)), (21, step(21)), (8, step(8)), (14, typed)]
    database(tmp_path, requests=[request((2, 1)), request((2, 2))], steps=rows)
    (source,) = sources(tmp_path)
    assert _roles(source) == [*TALK, "user"]
    assert [usage.tokens.input for usage in _usage(source)] == [1, 2]


def test_of_a_database_without_requests_the_document_says_them(tmp_path: Path) -> None:
    path = _written(tmp_path, _document())
    database(tmp_path, requests=None)
    assert [usage.tokens.input for usage in _usage(resolve(str(path)))] == [19733]


def test_beside_a_log_it_knows_the_calls(tmp_path: Path) -> None:
    path = _written(tmp_path, _document())
    calls = [{"name": "run_command", "args": {}}, {"name": "view_file", "args": {}}]
    place = log(
        tmp_path,
        [prompt(0, "hi"), line(1, "PLANNER_RESPONSE", "ok", tool_calls=calls), line(2, "RUN_COMMAND", "a.txt")],
    )
    (source,) = sources(tmp_path)
    assert [file.path for file in source.files] == [str(place), str(path)]
    results = [event for event in said(source) if isinstance(event, ToolResult)]
    assert [(each.call_id, each.content[0].text) for each in results] == [("c1", "a.txt")]  # type: ignore[union-attr]
    assert len(_usage(source)) == 1


def test_damage_costs_what_is_damaged(tmp_path: Path) -> None:
    whole = json.dumps(_document())
    report = FileReport(path="")
    source = resolve(str(_written(tmp_path, whole.replace('"hi there"', '"hi there'))))
    assert _roles(source, report) == ["assistant"]
    assert len(_usage(source)) == 1
    assert not report.complete
    # Where its steps have lost their numbers, the database is asked.
    database(tmp_path, steps=[(14, step(14, (19, b"\x12\x02hi"), source=4))])
    assert _roles(resolve(source.path)) == ["user"]


def test_half_of_a_surrogate_pair_does_no_damage(tmp_path: Path) -> None:
    path = _written(tmp_path, json.dumps(_document()).replace("hi there", "hi \\ud800"))
    report = FileReport(path="")
    assert _roles(resolve(str(path)), report) == TALK
    assert (report.skipped, report.changed) == ({}, {"surrogates_repaired": 1})


OTHER = "01974444-0000-4000-8000-00000000ffff"


def _talk(root: Path) -> None:
    steps = [(14, step(14, (19, message((2, "in the database"))), source=4))]
    database(root, steps=steps, requests=[request((2, 5))])


def test_what_another_conversation_said_is_not_mixed_in(tmp_path: Path) -> None:
    _talk(tmp_path)
    path = _written(tmp_path, {**_document(), "cascadeId": OTHER})
    found = {source.id: source for source in sources(tmp_path)}
    assert {name: [Path(file.path).suffix for file in source.files] for name, source in found.items()} == {
        ID: [".db"],
        OTHER: [".json"],
    }
    assert (_roles(found[ID]), _roles(found[OTHER])) == (["user"], TALK)
    assert resolve(str(path)) == found[OTHER]
    (session,) = [event for event in said(found[OTHER]) if isinstance(event, Session)]
    assert session.session_id == OTHER


def test_a_document_and_a_database_that_were_renamed_alike_are_one(tmp_path: Path) -> None:
    _talk(tmp_path)
    path = _written(tmp_path, {**_document(), "cascadeId": OTHER})
    with sqlite3.connect(path.with_name(f"{ID}.db")) as db:
        db.execute("CREATE TABLE trajectory_meta (trajectory_id text, cascade_id text)")
        db.execute("INSERT INTO trajectory_meta VALUES ('t', ?)", (OTHER,))
    db.close()
    (source,) = sources(tmp_path)
    assert (source.id, len(source.files)) == (ID, 2)
    assert resolve(str(path)) == source


def test_a_document_beside_the_log_of_another_conversation_is_one_by_itself(tmp_path: Path) -> None:
    log(tmp_path, [prompt(0, "in the log")])
    _written(tmp_path, {**_document(), "cascadeId": OTHER})
    assert sorted((source.id, _roles(source)) for source in sources(tmp_path)) == [
        (ID, ["user", "system"]),
        (OTHER, TALK),
    ]


@pytest.mark.parametrize(
    ("stated", "name"), [(ID, ID), ("", "session"), (" \n", "session"), (None, "session"), (7, "session")]
)
def test_a_document_without_a_name_has_an_id(tmp_path: Path, stated: object, name: str) -> None:
    path = _written(tmp_path, {**_document(), "cascadeId": stated})
    path = path.rename(path.with_name(".trajectory.json"))
    (source,) = sources(tmp_path)
    assert (source.id, _roles(source)) == (name, TALK)
    assert resolve(str(path)) == source


def test_what_steps_say_of_other_conversations_names_none(tmp_path: Path) -> None:
    document = _document()
    document["steps"][0]["metadata"]["cascadeId"] = OTHER
    assert resolve(str(_written(tmp_path, {"steps": document.pop("steps"), **document}))).id == ID


def test_what_holds_no_steps_is_none(tmp_path: Path) -> None:
    for value in ({"trajectoryId": "t", "cascadeId": ID, "steps": {}}, {"trajectoryId": "t", "cascadeId": ID}):
        with pytest.raises(NotATranscript):
            said(resolve(str(_written(tmp_path, value))))
    assert detect(b'{"trajectoryId": 1}') == detect(b'{"cascadeId": "x"}') == 0
