"""What a home with sessions of every agent was billed, agent by agent, as it was written down beside the sessions."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from panscript.cli.everything import read_everything
from panscript.readers.context import Context
from panscript.readers.opening import read
from panscript.readers.options import ReadOptions
from panscript.schemas.events import Usage
from panscript.schemas.projections import UsageLine
from panscript.schemas.records import Source
from tests.found import READ, sources
from tests.sessions import FIXTURES

HOME = FIXTURES / "usage-home"
EVENTS: list[dict[str, Any]] = json.loads((HOME / "expected-target.json").read_bytes())["events"]


def _of_the_home(agent: str) -> list[Source]:
    return [source for source in sources(agent) if source.path.startswith(f"{HOME}/")]


def _usage(source: Source, **options: bool) -> list[Usage]:
    records = read(source, options=ReadOptions(**options))
    return [event for record in records for event in record.events if isinstance(event, Usage)]


def _place(event: dict[str, Any]) -> tuple[str, str]:
    return event["sessionId"], event["timestamp"]


@pytest.mark.parametrize("agent", READ)
def test_usage_is_what_was_billed(agent: str) -> None:
    told = [
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
            **({} if line.cost_usd is msgspec.UNSET else {"costUsd": line.cost_usd}),
        }
        for line in read_everything(Context.at(HOME), agents=[agent], kinds=["usage"])
        if isinstance(line, UsageLine)
    ]
    wanted = [event for event in EVENTS if event["source"] == agent]
    assert sorted(told, key=_place) == sorted(wanted, key=_place)


@pytest.mark.parametrize("agent", READ)
def test_usage_comes_where_it_is_asked_for(agent: str) -> None:
    for source in _of_the_home(agent):
        every = _usage(source)
        assert _usage(source, usage=False) == []
        assert _usage(source, told_usage=False) == [event for event in every if not event.told]
        records = [bytes(event.raw) for event in _usage(source, raw=True)]
        assert len(records) == len(every)
        assert all(isinstance(json.loads(record), dict) for record in records)
