"""Goldens of real transcripts: the class and the events of every record, and the Pi session that becomes of them."""

from __future__ import annotations

import io
import os
from pathlib import Path

import msgspec
import pytest

from panscript.readers import ReadOptions, open_source, read
from panscript.schemas.errors import CannotConvert
from panscript.schemas.records import Source
from panscript.schemas.report import FileReport
from panscript.stages import events_of, prepare
from panscript.writers import WriteOptions, write
from tests.found import FOUND
from tests.found import name_of as found_name
from tests.repository import ROOT
from tests.sessions import FIXTURES, SESSIONS, agent_of, name_of

GOLDENS = FIXTURES / "goldens"
OTHERS = [source for source in FOUND if source.agent not in {agent_of(path) for path in SESSIONS}]
"""Sessions of the agents whose fixtures are laid out as in a home folder."""
OPTIONS = WriteOptions(imported_at=1_767_225_600_000, importer="panscript golden")


@pytest.fixture(autouse=True)
def _from_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    """Paths in goldens are those a person in the repository sees."""
    monkeypatch.chdir(ROOT)


def _compare(path: Path, found: bytes, accept: bool) -> None:
    found = found.replace(f"{ROOT}/".encode(), b"")
    if accept:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(found)
        return
    assert path.exists(), "there is no golden yet: run with --accept, then read it"
    assert found.decode().splitlines() == path.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("path", SESSIONS, ids=name_of)
def test_every_record_has_its_class_and_its_events(path: Path, accept: bool) -> None:
    relative = os.path.relpath(path)
    told = _told(open_source(relative), FileReport(path=relative))
    _compare(GOLDENS / f"{name_of(path)}.records", told, accept)


@pytest.mark.parametrize("source", OTHERS, ids=found_name)
def test_every_session_of_a_home_folder_has_its_records(source: Source, accept: bool) -> None:
    report = FileReport(path=os.path.relpath(source.path))
    _compare(GOLDENS / f"{found_name(source)}.records", _told(source, report), accept)


def _told(source: Source, report: FileReport) -> bytes:
    """Class and events of every record, and the account."""
    lines = [
        msgspec.json.encode({"line": record.origin.line, "file": record.origin.file, "class": record.kind})
        + b"".join(b"\n  " + msgspec.json.encode(event) for event in record.events)
        for record in read(source, report=report, options=ReadOptions(digest=True))
    ]
    lines.append(msgspec.json.encode({"report": report}))
    return b"\n".join(lines) + b"\n"


@pytest.mark.parametrize("path", SESSIONS, ids=name_of)
def test_every_session_becomes_the_same_pi_session(path: Path, accept: bool) -> None:
    relative = os.path.relpath(path)
    report = FileReport(path=relative)
    records = read(open_source(relative), report=report, options=ReadOptions(digest=True, told_usage=False))
    sink = io.BytesIO()
    try:
        write("pi", prepare(events_of(records), report=report), sink, options=OPTIONS, report=report)
    except CannotConvert as refused:
        sink = io.BytesIO(f"refused: {refused.message}\n".encode())
    _compare(GOLDENS / f"{name_of(path)}.pi.jsonl", sink.getvalue(), accept)


def test_no_golden_stands_without_its_session() -> None:
    names = {name_of(path) for path in SESSIONS}
    assert len(names) == len(SESSIONS)
    wanted = {f"{name}{kind}" for name in names for kind in (".records", ".pi.jsonl")}
    wanted |= {f"{found_name(source)}.records" for source in OTHERS}
    assert {path.name for path in GOLDENS.iterdir()} == wanted
