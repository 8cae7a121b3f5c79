"""A second read with the cursor of the first tells nothing again, whatever agent wrote the session."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from pathlib import Path

import pytest

from panscript.schemas.records import Source
from tests.cli.program import panscript
from tests.found import FOUND, name_of
from tests.sessions import FIXTURES


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


def test_what_is_written_beside_a_session_that_did_not_grow_is_told(tmp_path: Path) -> None:
    shutil.copytree(FIXTURES / "copilot/home", tmp_path / "home")
    telemetry = tmp_path / "home/.copilot/otel/with-content.jsonl"
    lines = telemetry.read_bytes().splitlines(keepends=True)
    told: list[str] = []
    for many in (16, 48, len(lines), len(lines)):
        telemetry.write_bytes(b"".join(lines[:many]))
        asked = ("--home", tmp_path / "home", "--from", "copilot", "--kinds", "usage")
        plain = panscript("events", *asked, cwd=tmp_path).out.splitlines()
        new = panscript("events", *asked, "--cursor", "c.json", cwd=tmp_path).out.splitlines()
        told.extend(line.decode() for line in new)
        assert Counter(told) == Counter(line.decode() for line in plain)
