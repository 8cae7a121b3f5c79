"""The forms a session of OpenCode comes in, and where they are found."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from panscript.readers.billing import billed
from panscript.readers.context import Context, Place
from panscript.readers.discovery import discover, family
from panscript.readers.opencode.files import detect, layout
from panscript.readers.opening import open_source, open_sources, recognise
from panscript.schemas.errors import NotATranscript, SourceError
from panscript.schemas.events import Message, Session, Text, Usage
from panscript.schemas.report import FileReport
from tests.readers.opencode.making import (
    answered,
    asked,
    database,
    dumped,
    events,
    export,
    finish,
    put,
    sources,
    text,
    tree,
)
from tests.repository import ROOT

TALK = [asked(text("one")), answered(text("two"), finish())]


def said(found: list[object]) -> list[str]:
    blocks = (block for event in found if isinstance(event, Message) for block in event.content)
    return [block.text for block in blocks if isinstance(block, Text)]


def talk() -> list[tuple[dict[str, object], list[dict[str, object]]]]:
    return [(dict(info), list(parts)) for info, parts in TALK]


def test_the_database_and_the_export_of_it_say_the_same() -> None:
    fixtures = ROOT / "fixtures/opencode"
    (path,) = (fixtures / "exported").iterdir()
    rows = events(open_source(str(fixtures / "home/.local/share/opencode/opencode.db")))
    document = events(open_source(str(path)))
    assert rows == document


@pytest.mark.parametrize("older", [False, True])
def test_a_tree_of_files(tmp_path: Path, older: bool) -> None:
    file = tree(tmp_path, talk(), older=older)
    (source,) = sources(tmp_path)
    assert (source.id, source.path) == ("ses_1", str(file))
    found = events(source)
    assert said(list(found)) == ["one", "two"]
    assert [event.tokens.input for event in found if isinstance(event, Usage)] == [10]


@pytest.mark.parametrize("older", [False, True])
def test_any_file_of_a_tree_leads_to_its_session(tmp_path: Path, older: bool) -> None:
    session = tree(tmp_path, talk(), older=older)
    for file in sorted(tmp_path.rglob("*.json")):
        assert recognise(str(file)) == "opencode"
        source = open_source(str(file))
        assert (source.id, source.path) == ("ses_1", str(session)), file
        assert layout(str(file)) == str(file.relative_to(tmp_path))
        assert [each.path for each in sources(file)] == [str(session)]


def test_messages_of_a_tree_are_in_the_order_of_their_times(tmp_path: Path) -> None:
    first, second = talk()
    first[0]["at"] = 1767261600000 + 9000
    (source,) = sources(tree(tmp_path, [first, second]).parent)
    assert said(list(events(source))) == ["two", "one"]


def test_ids_are_those_of_the_paths(tmp_path: Path) -> None:
    file = tree(tmp_path, talk())
    moved = json.loads(file.read_text())
    put(file, {**moved, "id": "ses_old"})
    (source,) = sources(tmp_path)
    found = next(event for event in events(source) if isinstance(event, Session))
    assert found.session_id == "ses_1"


def test_sub_agents_in_a_tree_are_children(tmp_path: Path) -> None:
    tree(tmp_path, talk())
    child = tree(tmp_path, [asked(text("task"))], id="ses_2", parentID="ses_1")
    (source,) = discover(Context.at(tmp_path, {"opencode": (tmp_path,)}), ["opencode"])
    assert [(each.id, each.parent) for each in source.children] == [("ses_2", "ses_1")]
    assert open_source(str(source.path)).children == source.children
    assert open_source(str(child)).parent == "ses_1"


def test_what_the_database_took_over_is_read_there(tmp_path: Path) -> None:
    tree(tmp_path, talk())
    tree(tmp_path, talk(), id="ses_0")
    database(tmp_path / "opencode.db", ({}, talk()))
    assert [(each.id, Path(each.path).name) for each in sources(tmp_path)] == [
        ("ses_1", "opencode.db"),
        ("ses_0", "ses_0.json"),
    ]


def test_sessions_of_a_database_with_their_sub_agents(tmp_path: Path) -> None:
    path = database(
        tmp_path / "opencode.db", ({}, []), ({"id": "ses_2", "parent_id": "ses_1"}, []), ({"id": "ses_3"}, [])
    )
    found = open_sources(str(path))
    assert [(source.id, [child.id for child in source.children]) for source in found] == [
        ("ses_1", ["ses_2"]),
        ("ses_3", []),
    ]


def test_older_databases_lack_columns(tmp_path: Path) -> None:
    path = tmp_path / "opencode.db"
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE session (id TEXT)")
        db.execute("CREATE TABLE message (id TEXT, session_id TEXT, data TEXT)")
        db.execute("CREATE TABLE part (id TEXT, message_id TEXT, data TEXT)")
        db.execute("INSERT INTO session VALUES ('s')")
        db.execute(
            "INSERT INTO message VALUES ('m', 's', ?)", (dumped({"role": "user", "time": {"created": 1767261600000}}),)
        )
        db.execute("INSERT INTO part VALUES ('p', 'm', ?)", (dumped(text("hello")),))
    db.close()
    (source,) = sources(path)
    found = events(source)
    assert said(list(found)) == ["hello"]
    assert found[0].time == 1767261600000


def test_messages_in_tables_to_come_are_spoken_of(tmp_path: Path) -> None:
    path = database(tmp_path / "opencode.db", ({}, []))
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE session_message (id TEXT, session_id TEXT)")
        db.execute("INSERT INTO session_message VALUES ('m', 'ses_1')")
    db.close()
    report = FileReport(path="")
    events(sources(path)[0], report)
    assert [warning.code for warning in report.warnings] == ["not_read"]


def test_other_databases_are_passed_by(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "cache.db") as db:
        db.execute("CREATE TABLE session (id TEXT)")
    db.close()
    assert sources(tmp_path) == []


def test_the_database_of_kilo_code_is_its_own(tmp_path: Path) -> None:
    folder = tmp_path / ".local/share/kilo"
    folder.mkdir(parents=True)
    path = database(folder / "kilo.db", ({}, talk()))
    (source,) = discover(Context.at(tmp_path), ["kilocode"])
    assert (source.agent, source.id) == ("kilocode", "ses_1")
    assert said(list(events(source))) == ["one", "two"]
    assert open_source(str(path)).agent == "kilocode"
    assert list(discover(Context.at(tmp_path), ["opencode"])) == []


def test_a_database_that_is_named_after_neither_is_decided_by_the_person(tmp_path: Path) -> None:
    path = database(tmp_path / "sessions.db", ({}, talk()))
    for agent in ("opencode", "kilocode"):
        assert open_source(str(path), agent).agent == agent


def test_an_export_is_opencodes_unless_kilo_code_is_named(tmp_path: Path) -> None:
    path = export(tmp_path / "export.json", talk())
    assert open_source(str(path)).agent == "opencode"
    source = open_source(str(path), "kilocode")
    assert source.agent == "kilocode"
    assert said(list(events(source))) == ["one", "two"]


@pytest.mark.parametrize(
    "start",
    [
        b'{"id":"prj_1","worktree":"/w","time":{"created":1}}',
        b'[{"file":"a","additions":1}]',
        b'{"info":{"id":"x"}}',
        b'{"sessionID":"abc","type":"x"}\n',
        b"",
    ],
)
def test_other_files_are_not_taken(start: bytes) -> None:
    assert detect(start) == 0


def test_a_torn_file_is_still_known(tmp_path: Path) -> None:
    data = export(tmp_path / "e.json", talk()).read_bytes()
    assert detect(data[: len(data) // 2]) > 0
    assert detect(b'{\n  "id": "msg_1",\n  "sessionID": "ses_1",\n  "role": "us') > 0


def test_a_torn_export_gives_what_is_whole(tmp_path: Path) -> None:
    path = export(tmp_path / "e.json", [*talk(), asked(text("three"))])
    path.write_bytes(path.read_bytes()[:-60])
    source = open_source(str(path))
    report = FileReport(path="")
    found = events(source, report)
    assert said(list(found)) == ["one", "two"]
    assert sum(report.skipped.values()) == 1
    assert isinstance(found[0], Session)
    assert not found[0].complete


def test_a_message_that_is_no_json_costs_itself(tmp_path: Path) -> None:
    path = database(tmp_path / "opencode.db", ({}, [*talk(), asked(text("three"))]))
    with sqlite3.connect(path) as db:
        db.execute("UPDATE message SET data = '{\"role\":' WHERE id = 'm1'")
        db.execute("UPDATE part SET data = 'x' WHERE id = 'm2p0'")
    db.close()
    report = FileReport(path="")
    found = events(sources(path)[0], report)
    # What is left of the first tells by its parts whose it was.
    assert said(list(found)) == ["one", "three"]
    assert report.skipped == {"invalid_data_json": 2}


@pytest.mark.parametrize(
    ("data", "code"), [(None, "missing_data_json"), ("", "invalid_data_json"), ("[1]", "invalid_data_json")]
)
def test_a_row_without_json_is_told_by_both_ways(tmp_path: Path, data: str | None, code: str) -> None:
    path = database(tmp_path / "opencode.db", ({}, [*talk(), answered(text("four"), cost=1.0)]))
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE loose AS SELECT * FROM message")
        db.execute("DROP TABLE message")
        db.execute("ALTER TABLE loose RENAME TO message")
        db.execute("UPDATE message SET data = ? WHERE id = 'm3'", (data,))
    db.close()
    (source,) = sources(path)
    full, short = FileReport(path=""), FileReport(path="")
    events(source, full)
    list(billed(source, report=short))
    assert full.skipped == short.skipped == {code: 1}
    assert full.skipped_lines == short.skipped_lines == 1
    assert not full.complete
    assert not short.complete


def test_a_file_of_a_tree_that_is_damaged_costs_itself(tmp_path: Path) -> None:
    file = tree(tmp_path, talk())
    (tmp_path / "storage/part/msg_1/prt_0.json").write_text('{"id": "prt_0", "type": "te')
    (tmp_path / "storage/message/ses_1/msg_3.json").write_text("")
    report = FileReport(path="")
    found = events(open_source(str(file)), report)
    assert said(list(found)) == ["two"]
    assert report.skipped == {"json_parse_error": 2}


def test_what_is_nothing_of_opencodes_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "ses_1.json"
    path.write_text('{"id": 3}')
    with pytest.raises(NotATranscript):
        open_source(str(path))
    with pytest.raises(NotATranscript):
        events(open_source(str(path), "opencode"))
    problems: list[SourceError] = []
    from panscript.readers.opencode.discovery import discover as search

    assert list(search("opencode", [Place(tmp_path)], problems.append)) == []
    assert len(problems) == 1
    assert list(family(open_source(str(tree(tmp_path / "t", talk())))))
