"""What OpenClaw's requests cost."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from panscript.readers.context import Context
from panscript.readers.discovery import discover
from panscript.readers.openclaw import resolve
from panscript.readers.opening import read
from panscript.schemas import timestamps
from panscript.schemas.events import Message, Tokens, Usage
from panscript.schemas.records import Source
from panscript.schemas.report import FileReport
from tests.readers.openclaw.making import HEADER, answer, entry, said, write
from tests.repository import ROOT

REAL = ROOT / "fixtures/openclaw/home"


def billed(source: Source) -> list[Usage]:
    return [event for record in read(source) for event in record.events if isinstance(event, Usage)]


def tokens(folder: Path, usage: Any, line: dict[str, Any] | None = None) -> Tokens | None:
    row = {**answer("a", None, "x", usage=usage), **({"usage": line} if line is not None else {})}
    events = said(resolve(str(write(folder / "s1.jsonl", [HEADER, row]))))
    found = [event.tokens for event in events if isinstance(event, Usage)]
    told = [event.tokens for event in events if isinstance(event, Message)]
    assert not found or told == found
    return found[0] if found else None


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        (
            {"input": 60, "output": 20, "cacheRead": 500, "cacheWrite": 10, "totalTokens": 590, "cost": {"total": 0.5}},
            Tokens(input=60, output=20, cache_read=500, cache_write=10, total=590, cost=0.5),
        ),
        (
            {"prompt_tokens": 300, "completion_tokens": 30, "cached": 250, "total_tokens": 330},
            Tokens(input=50, output=30, cache_read=250, total=330),
        ),
        (
            {"inputTokens": 5, "outputTokens": 6, "cacheReadTokens": 7},
            Tokens(input=5, output=6, cache_read=7, total=18),
        ),
        (
            {"input_tokens": 5, "output_tokens": 6, "cache_write": 2, "reasoning_output_tokens": 3, "cost_usd": "0.25"},
            Tokens(input=5, output=6, cache_write=2, reasoning=3, total=13, cost=0.25),
        ),
        ({"prompt_tokens": 3, "cached_input_tokens": 9}, Tokens(cache_read=9, total=9)),
        ({"input": 0, "output": 0}, None),
    ],
)
def test_counts_under_every_name(tmp_path: Path, usage: Any, expected: Tokens | None) -> None:
    assert tokens(tmp_path, usage) == expected


def test_counts_of_the_line_go_before_those_of_its_message(tmp_path: Path) -> None:
    found = tokens(tmp_path, {"input": 1, "output": 2, "cacheRead": 3}, {"output": 20})
    assert found == Tokens(input=1, output=20, cache_read=3, total=24)


def test_only_answers_are_billed(tmp_path: Path) -> None:
    rows = [
        entry("a", None, message={"role": "user", "content": "x", "usage": {"input": 5}}),
        entry("b", "a", 2, "compaction", summary="s", usage={"input": 5}),
    ]
    events = said(resolve(str(write(tmp_path / "s1.jsonl", [HEADER, *rows]))))
    assert not [event for event in events if isinstance(event, Usage)]


def test_model_and_time_come_from_what_stood_before(tmp_path: Path) -> None:
    change = entry("m", None, 0, "model_change", provider="openai-codex", modelId="GPT-8")
    bare = {"type": "message", "message": {"role": "assistant", "content": [], "usage": {"input": 5}}}
    path = write(tmp_path / "s1.jsonl", [HEADER, change, bare, answer("a", None, "x"), bare])
    first, second = billed(resolve(str(path)))
    assert (first.model, first.provider, first.raw_provider) == ("gpt-8", "openai", "openai-codex")
    assert (second.model, first.time) == ("gpt-9", timestamps.parse("2026-05-06T08:00:00Z"))


def test_what_cannot_be_counted_is_said(tmp_path: Path) -> None:
    row = {"type": "message", "message": {"role": "assistant", "content": [], "usage": {"input": 5}}}
    headless = {"type": "session", "version": 3, "id": "s1", "cwd": "/home"}
    report = FileReport(path="")
    said(resolve(str(write(tmp_path / "s1.jsonl", [headless, row, answer("a", None, "x", usage={})]))), report)
    assert report.skipped == {"invalid_timestamp": 1, "no_token_usage": 1}


def test_the_agents_own_sessions_cost_what_was_billed() -> None:
    found = {
        source.id[:8]: [
            sum(getattr(event.tokens, name) for event in billed(source))
            for name in ("input", "output", "cache_read", "cache_write")
        ]
        + [len(billed(source))]
        for source in discover(Context.at(REAL), ["openclaw"])
    }
    assert found == {"22222222": [1015, 215, 5000, 250, 5], "59bc02e8": [2030, 430, 10000, 500, 10]}
