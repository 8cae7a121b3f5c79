"""What every reader keeps, over the whole table of agents."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import msgspec
import pytest

from panscript.readers.databases import is_database
from panscript.readers.digest import source_files
from panscript.readers.lines import open_bytes
from panscript.readers.opening import read, reader
from panscript.readers.options import ReadOptions
from panscript.schemas.agents import KINDS, agent
from panscript.schemas.errors import SourceError
from panscript.schemas.events import Message, Session, ToolResult, Usage
from panscript.schemas.records import Source
from panscript.schemas.report import FileReport
from panscript.stages.merge import merge
from panscript.stages.pairing import pair
from tests.found import FOUND, READ, name_of, sources

_SQLITE = b"SQLite format 3\0"
_ODD = [b"\n", b"null", b'"', b"\xff", b"{}", b"[1", b"\\ud800", b"1e999"]


def _open_files() -> set[str]:
    found = set()
    for name in Path("/proc/self/fd").iterdir():
        try:
            found.add(str(name.readlink()))
        except OSError:
            continue
    return found


def _records(source: Source, report: FileReport | None = None) -> list[object]:
    return list(read(source, report=report, options=ReadOptions(raw=True)))


@pytest.mark.parametrize("agent_id", READ)
def test_every_agent_has_sessions_in_the_fixtures(agent_id: str) -> None:
    assert sources(agent_id)


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="open files are counted in /proc")
@pytest.mark.parametrize("source", FOUND, ids=name_of)
def test_nothing_is_open_before_the_first_record_and_after_an_early_stop(source: Source) -> None:
    before = _open_files()
    records = read(source)
    assert _open_files() == before
    next(records)
    records.close()  # type: ignore[attr-defined]
    assert _open_files() == before


@pytest.mark.parametrize("source", FOUND, ids=name_of)
def test_two_reads_give_the_same(source: Source) -> None:
    assert msgspec.json.encode(_records(source)) == msgspec.json.encode(_records(source))


@pytest.mark.parametrize("source", FOUND, ids=name_of)
def test_the_first_event_is_the_session_and_ids_are_unique(source: Source) -> None:
    report = FileReport(path=source.path)
    events = [event for record in read(source, report=report) for event in record.events]
    assert isinstance(events[0], Session)
    assert events[0].agent == source.agent
    ids = [event.id for event in events]
    assert len(ids) == len(set(ids))
    assert report.records == sum(report.classes.values())
    known: set[str] = set()
    for event in events:
        # A parent is said before its children.
        assert event.parent is None or event.parent in known, event
        known.add(event.id)


@pytest.mark.parametrize("source", FOUND, ids=name_of)
def test_the_raws_joined_are_the_files(source: Source) -> None:
    raws: dict[int, list[bytes]] = {}
    for record in read(source):
        raws.setdefault(record.origin.file, []).append(record.raw)
    for number, file in enumerate(source.transcripts):
        with open_bytes(file.path) as plain:
            content = plain.read()
        if not content.startswith(_SQLITE):
            assert b"".join(raws.get(number, [])) == content


@pytest.mark.parametrize("source", FOUND, ids=name_of)
def test_the_digests_are_those_of_the_files_or_in_a_database_of_the_records(source: Source) -> None:
    session = next(iter(read(source, options=ReadOptions(digest=True)))).events[0]
    assert isinstance(session, Session)
    assert session.files == source_files(source)
    if is_database(source.transcripts[-1].path):
        raws = [b"".join(record.raw for record in read(source))]
    else:
        raws = [Path(file.path).read_bytes() for file in source.transcripts]
    said = [(file.bytes, file.sha256) for file in session.files]
    assert said == [(len(raw), hashlib.sha256(raw).hexdigest()) for raw in raws]


@pytest.mark.parametrize("source", FOUND, ids=name_of)
def test_only_kinds_that_the_table_names_come_out(source: Source) -> None:
    kinds = set(agent(source.agent).kinds)
    assert kinds <= set(KINDS)
    events = [event for record in read(source) for event in record.events]
    if "usage" not in kinds:
        assert not any(isinstance(event, Usage) for event in events)
    if "message" not in kinds:
        assert not any(isinstance(event, Message) for event in events)
    if "tool_call" not in kinds:
        assert not any(isinstance(event, ToolResult) for event in events)


@pytest.mark.parametrize("source", FOUND, ids=name_of)
def test_what_was_read_can_be_merged_and_paired(source: Source) -> None:
    events = [event for record in read(source) for event in record.events]
    assert len(list(pair(merge(events)))) >= 1


@pytest.mark.parametrize("source", FOUND, ids=name_of)
def test_damaged_copies_raise_nothing_but_our_errors(source: Source, tmp_path: Path) -> None:
    """Every file of the session with bytes changed, cut and put in, ten times over."""
    import random

    chance = random.Random(name_of(source))
    originals = {file.path: Path(file.path).read_bytes() for file in source.files}
    for turn in range(10):
        files = []
        for number, file in enumerate(source.files):
            data = bytearray(originals[file.path])
            for _ in range(chance.randint(1, 6)):
                if not data:
                    break
                place = chance.randrange(len(data))
                what = chance.randrange(4)
                if what == 0:
                    data[place] = chance.randrange(256)
                elif what == 1:
                    del data[place : place + chance.randint(1, 40)]
                elif what == 2:
                    data[place:place] = chance.choice(
                        [b"\n", b"null", b'"', b"\xff", b"{}", b"[1", b"\\ud800", b"1e999"]
                    )
                else:
                    del data[place:]
            # Names stay: some of them say what a file is.
            path = tmp_path / str(turn) / str(number) / Path(file.path).name
            path.parent.mkdir(parents=True)
            path.write_bytes(bytes(data))
            files.append(msgspec.structs.replace(file, path=str(path)))
        damaged = msgspec.structs.replace(source, files=tuple(files), children=())
        try:
            for _ in read(damaged, report=FileReport(path="")):
                pass
        except SourceError:
            continue


@pytest.mark.parametrize("agent_id", READ)
def test_whose_a_file_is_can_always_be_asked(agent_id: str) -> None:
    """Beginnings of everybody's files, damaged, and JSON of any shape."""
    import random

    chance = random.Random(agent_id)
    starts = [Path(source.files[-1].path).read_bytes()[:4096] for source in FOUND]
    odd = [b"", b"{}", b"[]", b"null", b'{"type":{}}', b'{"type":[1],"id":{}}', b'{"message":1,"uuid":[]}', b"\xff" * 9]
    lines = [line for start in starts for line in start.split(b"\n")[:3]]
    for start in [*odd, *starts, *lines]:
        for _ in range(5):
            data = bytearray(start)
            for _ in range(chance.randint(0, 4)):
                if data:
                    place = chance.randrange(len(data))
                    data[place : place + chance.randint(0, 3)] = chance.choice(_ODD)
            sure = reader(agent_id).detect(bytes(data))
            assert 0 <= sure <= 101
            # What a reader takes carries its sign, else the reader would never be asked.
            assert not sure or re.search(agent(agent_id).sign, data)
