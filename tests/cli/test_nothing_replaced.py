"""What a command writes beside its output never takes the place of something else."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.cli.program import panscript
from tests.sessions import FIXTURES

CLAUDE = FIXTURES / "claude/v2.1.328/projects/-home-dev-app/10000000-0000-4000-8000-000000000001.jsonl"


@pytest.mark.parametrize("option", ["--cursor", "--report"])
def test_a_transcript_is_not_replaced(tmp_path: Path, option: str) -> None:
    for name in ("a.jsonl", "b.jsonl"):
        shutil.copy(CLAUDE, tmp_path / name)

    for name in ("a.jsonl", "b.jsonl"):
        done = panscript("events", "a.jsonl", option, name, cwd=tmp_path)

        assert done.code == 1
        assert len(done.complaints) == 1
        assert "it would be replaced" in done.err
        assert (tmp_path / name).read_bytes() == CLAUDE.read_bytes()


def test_an_earlier_report_is_replaced_and_a_damaged_cursor_starts_again(tmp_path: Path) -> None:
    shutil.copy(CLAUDE, tmp_path / "a.jsonl")
    for _ in range(2):
        assert panscript("events", "a.jsonl", "--report", "r.json", "--cursor", "c.json", cwd=tmp_path).code == 0
        (tmp_path / "c.json").write_bytes((tmp_path / "c.json").read_bytes()[:20])


@pytest.mark.parametrize("zone", ["America/New_York", "Europe/Vienna", "UTC"])
@pytest.mark.parametrize("time", ["0001-01-01T00:00:00Z", "9998-12-31T23:30:00Z", "9999-12-31T23:30:00Z"])
def test_days_at_the_ends_of_the_calendar_cost_nobody_else(tmp_path: Path, zone: str, time: str) -> None:
    folder = tmp_path / ".claude/projects/-z"
    folder.mkdir(parents=True)
    row = (
        '{"type":"assistant","uuid":"x","sessionId":"77777777-0000-4000-8000-000000000001","timestamp":"%s",'
        '"requestId":"q","message":{"id":"m","role":"assistant","model":"c","content":[{"type":"text","text":"a"}],'
        '"stop_reason":"end_turn","usage":{"input_tokens":1,"output_tokens":2}}}\n'
    )
    (folder / "77777777-0000-4000-8000-000000000001.jsonl").write_text(row % time)

    for key in ("day", "week", "month"):
        assert panscript("usage", "--home", tmp_path, "--by", key, "--timezone", zone, cwd=tmp_path).code == 0
