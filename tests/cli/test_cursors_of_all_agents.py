"""A second read with the cursor of the first tells nothing again, whatever agent wrote the session."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from panscript.schemas.records import Source
from tests.cli.program import panscript
from tests.found import FOUND, name_of


@pytest.mark.parametrize("source", [source for source in FOUND if source.agent_id is None], ids=name_of)
def test_a_second_read_tells_nothing_again(source: Source, tmp_path: Path) -> None:
    path, cursor, report = source.transcripts[-1].path, tmp_path / "cursor.json", tmp_path / "report.json"
    options = ("--from", source.agent, "--cursor", cursor, "--report", report, "--quiet")
    first = panscript("events", path, *options, cwd=tmp_path)
    assert first.code == 0, first.err
    assert all(file["restarted"] for file in json.loads(report.read_text())["files"])
    second = panscript("events", path, *options, cwd=tmp_path)
    assert (second.code, second.out) == (0, b""), second.err
    assert not any(file["restarted"] for file in json.loads(report.read_text())["files"])
