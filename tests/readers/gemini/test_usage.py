"""What a home with sessions of every agent was billed, as far as it is Gemini CLI's."""

from __future__ import annotations

import json

import pytest

from panscript.readers.billing import billed
from panscript.readers.context import Context
from panscript.readers.discovery import discover
from panscript.readers.opening import read
from panscript.readers.options import ReadOptions
from panscript.schemas.projections import UsageLine
from panscript.schemas.records import Source
from panscript.schemas.report import FileReport
from panscript.stages.projections import project
from tests.repository import ROOT

HOME = ROOT / "fixtures/usage-home"


def _sources() -> list[Source]:
    return list(discover(Context.at(HOME), ["gemini"]))


def test_usage_is_what_was_billed() -> None:
    expected = json.loads((HOME / "expected-target.json").read_text())["events"]
    told = [line for source in _sources() for line in project(read(source), kinds=["usage"])]
    assert [
        {
            "source": line.source,
            "sessionId": line.session_id,
            "timestamp": line.timestamp,
            "model": line.model,
            "provider": line.provider or None,
            "repoRoot": line.repo_root or None,
            "inputTokens": line.input_tokens,
            "outputTokens": line.output_tokens,
            "reasoningTokens": line.reasoning_tokens,
            "cacheReadTokens": line.cache_read_tokens,
            "cacheWriteTokens": line.cache_write_tokens,
            "totalTokens": line.total_tokens,
        }
        for line in told
        if isinstance(line, UsageLine)
    ] == [event for event in expected if event["source"] == "gemini"]


def test_adding_up_sees_the_same() -> None:
    rows = [row for source in _sources() for row in billed(source, report=FileReport(path=""))]
    assert [row.total for row in rows] == [1080, 215]


@pytest.mark.parametrize(("usage", "told", "times"), [(True, True, 2), (True, False, 0), (False, True, 0)])
def test_usage_comes_where_it_is_asked_for(usage: bool, told: bool, times: int) -> None:
    (source,) = _sources()
    options = ReadOptions(usage=usage, told_usage=told, raw=True)
    records = list(read(source, options=options))
    found = [event for record in records for event in record.events if type(event).__name__ == "Usage"]
    assert len(found) == times
    for event in found:
        assert json.loads(bytes(event.raw))  # type: ignore[union-attr]
