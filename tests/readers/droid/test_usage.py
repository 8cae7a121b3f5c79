"""What Droid's sessions were billed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from panscript.readers.context import Context
from panscript.readers.discovery import discover
from panscript.readers.droid import read, resolve
from panscript.readers.opening import open_source
from panscript.readers.options import ReadOptions
from panscript.schemas.events import Session, Usage
from panscript.schemas.report import FileReport
from tests.builders import events, write_rows
from tests.sessions import FIXTURES

START = {"type": "session_start", "id": "s1", "cwd": "/home/dev/app"}
SPENT = {"inputTokens": 5, "outputTokens": 4, "cacheReadTokens": 3, "cacheCreationTokens": 2, "thinkingTokens": 1}


def billed(path: Path, report: FileReport | None = None, **options: bool) -> list[Usage]:
    found = read(resolve(str(path)), report=report or FileReport(path=""), options=ReadOptions(**options))
    return [event for event in events(list(found)) if isinstance(event, Usage)]


def session(folder: Path, settings: Any, *rows: Any) -> Path:
    path = write_rows(folder / "s1.jsonl", [START, *rows])
    text = settings if isinstance(settings, bytes) else json.dumps(settings).encode()
    (folder / "s1.settings.json").write_bytes(text)
    return path


def said(name: str, time: str) -> dict[str, Any]:
    return {"type": "message", "id": name, "timestamp": time, "message": {"role": "user", "content": name}}


@pytest.mark.parametrize(
    ("name", "tokens"),
    [
        ("83dda79a", (810, 170, 200, 4000)),
        ("33238297", (620, 140, 150, 3000)),
        ("557bed6c", (415, 95, 100, 2000)),
        ("f943d5a0", (846, 206, 0, 4000)),
    ],
)
def test_a_session_was_billed_what_the_server_sent(name: str, tokens: tuple[int, ...]) -> None:
    path = next((FIXTURES / "droid/home/.factory/sessions").glob(f"*/{name}*.jsonl"))
    (usage,) = billed(path)
    found = usage.tokens
    assert (found.input, found.output, found.cache_write, found.cache_read) == tokens
    assert found.total == sum(tokens)


def test_the_time_is_that_of_the_first_request(tmp_path: Path) -> None:
    settings = {"tokenUsage": SPENT, "providerLockTimestamp": "2026-05-04T08:00:05.000Z"}
    path = session(tmp_path, settings, said("a", "2026-05-04T08:00:01.000Z"))
    assert billed(path)[0].time == 1_777_881_605_000


def test_else_that_of_the_first_message(tmp_path: Path) -> None:
    path = session(tmp_path, {"tokenUsage": SPENT}, said("a", "2026-05-04T08:00:01.000Z"))
    assert billed(path)[0].time == 1_777_881_601_000


def test_a_fork_takes_the_time_of_its_own_first_message(tmp_path: Path) -> None:
    settings = {"tokenUsage": SPENT, "providerLockTimestamp": "2026-05-04T08:00:00.000Z"}
    header = START | {"parent": "s0", "forkedAtMessageId": "a"}
    path = session(tmp_path, settings)
    write_rows(path, [header, said("a", "2026-05-04T08:00:01.000Z"), said("b", "2026-05-04T09:00:00.000Z")])
    assert billed(path)[0].time == 1_777_885_200_000


def test_without_any_time_it_is_left_out(tmp_path: Path) -> None:
    report = FileReport(path="")
    assert billed(session(tmp_path, {"tokenUsage": SPENT}), report) == []
    assert report.skipped == {"invalid_timestamp": 1}


@pytest.mark.parametrize(
    ("settings", "code"),
    [
        ({"model": "gpt-5.2"}, "no_token_usage"),
        ({"tokenUsage": {"inputTokens": 0}}, "no_token_usage"),
        (b"not json", "invalid_settings_data"),
        (b"", None),
    ],
)
def test_settings_that_say_nothing(tmp_path: Path, settings: Any, code: str | None) -> None:
    report = FileReport(path="")
    assert billed(session(tmp_path, settings, said("a", "2026-05-04T08:00:01.000Z")), report) == []
    assert report.skipped == ({code: 1} if code else {})


def test_totals_that_include_others_are_never_counted(tmp_path: Path) -> None:
    settings = {"inclusiveTokenUsage": SPENT, "providerLockTimestamp": "2026-05-04T08:00:00.000Z"}
    assert billed(session(tmp_path, settings)) == []


def test_the_model_is_that_of_the_settings_then_of_the_messages_then_of_the_context(tmp_path: Path) -> None:
    context = said("a", "2026-05-04T08:00:01.000Z")
    context["message"]["content"] = [{"type": "text", "text": "<system-reminder>\nModel: GPT-X\n</system-reminder>"}]
    answer = said("b", "2026-05-04T08:00:02.000Z")
    answer["message"] = {"role": "assistant", "content": "x", "modelId": "Claude-Y"}
    assert billed(session(tmp_path, {"tokenUsage": SPENT}, context))[0].model == "gpt-x"
    assert billed(session(tmp_path, {"tokenUsage": SPENT}, context, answer))[0].model == "claude-y"
    assert billed(session(tmp_path, {"tokenUsage": SPENT, "model": "Z"}, context, answer))[0].model == "z"


def test_settings_whose_rows_are_gone_still_say_what_was_billed(tmp_path: Path) -> None:
    path = tmp_path / "s1.settings.json"
    settings = {"tokenUsage": SPENT, "providerLock": "openai", "providerLockTimestamp": "2026-05-04T08:00:00.000Z"}
    path.write_text(json.dumps(settings))
    found = events(list(read(open_source(str(path)), report=FileReport(path=""))))
    assert isinstance(found[0], Session)
    assert not found[0].complete
    assert [event.tokens.total for event in found if isinstance(event, Usage)] == [14]


def test_copies_of_earlier_settings_are_not_looked_at(tmp_path: Path) -> None:
    folder = tmp_path / ".factory/sessions/-home-dev-app"
    folder.mkdir(parents=True)
    session(folder, {"tokenUsage": SPENT}, said("a", "2026-05-04T08:00:01.000Z"))
    (folder / "s1.settings.json.bak").write_text("{}")
    assert len(list(discover(Context.at(tmp_path), ["droid"]))) == 1


def test_the_raw_of_usage_is_the_settings(tmp_path: Path) -> None:
    path = session(tmp_path, {"tokenUsage": SPENT}, said("a", "2026-05-04T08:00:01.000Z"))
    assert json.loads(bytes(billed(path, raw=True)[0].raw)) == {"tokenUsage": SPENT}
