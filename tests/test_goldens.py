"""Goldens of real transcripts: the class and the events of every record, and the Pi session that becomes of them."""

from __future__ import annotations

import io
import os
from pathlib import Path

import msgspec
import pytest

from panscript.readers import ReadOptions, open_source, read
from panscript.schemas.errors import CannotConvert
from panscript.schemas.report import FileReport
from panscript.stages import events_of, prepare
from panscript.writers import WriteOptions, write
from tests.repository import ROOT
from tests.sessions import FIXTURES, SESSIONS, name_of

GOLDENS = FIXTURES / "goldens"
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
    report = FileReport(path=relative)
    lines = [
        msgspec.json.encode({"line": record.origin.line, "file": record.origin.file, "class": record.kind})
        + b"".join(b"\n  " + msgspec.json.encode(event) for event in record.events)
        for record in read(open_source(relative), report=report, options=ReadOptions(digest=True))
    ]
    lines.append(msgspec.json.encode({"report": report}))
    _compare(GOLDENS / f"{name_of(path)}.records", b"\n".join(lines) + b"\n", accept)


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
    assert {path.name for path in GOLDENS.iterdir()} == wanted
