"""What sessions of Kimi CLI and Kimi Code were billed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from panscript.schemas.report import FileReport
from tests.builders import events
from tests.readers.kimi.sessions import cli, code, codes, records, status, usage_of, wire
from tests.sessions import FIXTURES

PROMPT = wire("TurnBegin", user_input="hi")


@pytest.mark.parametrize("form", [".kimi", ".kimi-code"])
def test_real_sessions_were_billed_two_responses_each(form: str) -> None:
    path = next((FIXTURES / "kimi/home" / form).rglob("wire.jsonl"))
    found = usage_of(events(records(path)))
    assert [(u.tokens.input, u.tokens.output, u.tokens.cache_read) for u in found] == [(200, 45, 1000)] * 2


def test_of_several_counts_for_one_message_the_largest_is_right(tmp_path: Path) -> None:
    rows = [PROMPT, status("m", 5, seconds=1), status("m", 9, seconds=2), status("m", 7, seconds=3)]
    assert [u.tokens.input for u in usage_of(events(records(cli(tmp_path, rows))))] == [9]


def test_of_equal_ones_the_newest(tmp_path: Path) -> None:
    rows = [PROMPT, status("m", 9, seconds=2), status("m", 9, seconds=5)]
    (usage,) = usage_of(events(records(cli(tmp_path, rows))))
    assert usage.time == 1_778_572_805_000


def test_counts_without_a_message_count_each(tmp_path: Path) -> None:
    rows = [PROMPT, status(None, 9), status(None, 9)]
    assert len(usage_of(events(records(cli(tmp_path, rows))))) == 2


def test_a_status_without_counts_is_nothing_and_one_of_zeros_is_left_out(tmp_path: Path) -> None:
    report = FileReport(path="")
    rows = [PROMPT, wire("StatusUpdate", token_usage=None, message_id="m"), status("n", 0, 0)]
    assert usage_of(events(records(cli(tmp_path, rows), report))) == []
    assert report.skipped == {"no_token_usage": 1}


def test_counts_without_a_time_are_left_out(tmp_path: Path) -> None:
    report = FileReport(path="")
    row = status("m", 5) | {"timestamp": None}
    assert usage_of(events(records(cli(tmp_path, [PROMPT, row]), report))) == []
    assert report.skipped == {"invalid_timestamp": 1}


@pytest.mark.parametrize(("time", "model"), [(1_776_698_890.0, "kimi-k2.5"), (1_776_698_891.0, "kimi-k2.6")])
def test_the_model_is_what_was_asked_by_default_at_the_time(tmp_path: Path, time: float, model: str) -> None:
    row = status("m", 5) | {"timestamp": time}
    assert [u.model for u in usage_of(events(records(cli(tmp_path, [PROMPT, row]))))] == [model]


def test_the_configured_model_wins(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{"model": "Kimi-X", "providers": {"p": {"api_key": 1}}}')
    assert [u.model for u in usage_of(events(records(cli(tmp_path, [PROMPT, status("m", 5)]))))] == ["kimi-x"]


def spent(fresh: int, scope: str | None = "turn", **more: Any) -> dict[str, Any]:
    usage = {"inputOther": fresh, "output": 1, "inputCacheRead": 2, "inputCacheCreation": 3}
    return codes("usage.record", usageScope=scope, usage=usage, model="kimi-code/Kimi-K2", **more)


def test_kimi_code_counts_records_of_turns_only(tmp_path: Path) -> None:
    end = codes("context.append_loop_event", event={"type": "step.end", "usage": {"inputOther": 5}})
    found = usage_of(events(records(code(tmp_path, spent(5), end, spent(5, "session"), spent(5, None)))))
    assert [(u.tokens.total, u.model, u.provider) for u in found] == [(11, "kimi-k2", "moonshot")]


def test_kimi_code_counts_alike_responses_each(tmp_path: Path) -> None:
    assert len(usage_of(events(records(code(tmp_path, spent(5), spent(5)))))) == 2


def test_kimi_code_leaves_out_what_has_no_counts_or_no_time(tmp_path: Path) -> None:
    report = FileReport(path="")
    bare = codes("usage.record", usageScope="turn")
    zeros = codes("usage.record", usageScope="turn", usage={"inputOther": 0})
    assert usage_of(events(records(code(tmp_path, bare, zeros, spent(5) | {"time": None}), report))) == []
    assert report.skipped == {"no_token_usage": 2, "invalid_timestamp": 1}


def test_usage_that_a_message_carries_can_be_left_out() -> None:
    for path in (FIXTURES / "kimi/home").rglob("wire.jsonl"):
        assert usage_of(events(records(path, told_usage=False))) == []
        assert usage_of(events(records(path, usage=False))) == []


def test_the_raw_of_usage_is_the_line_that_carries_it() -> None:
    for path in (FIXTURES / "kimi/home").rglob("wire.jsonl"):
        for usage in usage_of(events(records(path, raw=True))):
            assert bytes(usage.raw) + b"\n" in path.read_bytes()
