"""Telemetry that lies in several files: backups, other homes, what one trace left in two of them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from panscript.readers.copilot import read
from panscript.readers.copilot.files import telemetry_only
from panscript.readers.copilot.otel import merged, telemetry
from panscript.readers.options import ReadOptions
from panscript.schemas.events import Usage
from panscript.schemas.report import FileReport
from tests.cli.program import panscript
from tests.readers.copilot.logs import answer, events, export, span, start, user, write
from tests.sessions import FIXTURES

COPILOT = FIXTURES / "usage-home/.copilot"


def _spent(cwd: Path, *asked: object) -> dict[str, Any]:
    done = panscript("usage", "--from", "copilot", *asked, "--json", cwd=cwd)
    assert done.code == 0, done.err
    totals: dict[str, Any] = json.loads(done.out)["totals"]
    told = panscript("events", "--from", "copilot", *asked, "--kinds", "usage", cwd=cwd)
    assert len(told.out.splitlines()) == totals["events"]
    return totals


def _roots(*folders: Path) -> list[str]:
    return [part for folder in folders for part in ("--root", f"copilot={folder}")]


@pytest.mark.parametrize("below", ["", "otel"])
def test_telemetry_in_two_homes_counts_once(tmp_path: Path, below: str) -> None:
    homes = [tmp_path / "one", tmp_path / "two"]
    for home in homes:
        shutil.copytree(COPILOT, home)
    one, two = (home / below for home in homes)
    alone = _spent(tmp_path, *_roots(one))
    assert (alone["events"], alone["total_tokens"]) == (2, 1113)
    assert _spent(tmp_path, *_roots(one, two)) == alone


def test_a_session_is_not_counted_by_its_log_where_telemetry_of_another_root_counts_it(tmp_path: Path) -> None:
    logs, home = tmp_path / "logs", tmp_path / "home"
    shutil.copytree(COPILOT / "session-state", logs)
    shutil.copytree(COPILOT, home)
    alone = _spent(tmp_path, *_roots(home))
    assert _spent(tmp_path, *_roots(logs, home / "otel")) == alone
    assert _spent(tmp_path, *_roots(logs, home)) == alone


def test_a_backup_beside_the_telemetry_counts_once_and_what_only_it_has_counts_too(tmp_path: Path) -> None:
    log = write(tmp_path, [start(), user(1, "hi"), answer(2, "ho")])
    rows = [span("s1", 1), span("s2", 2), span("", 3)]
    export(tmp_path, rows)
    export(tmp_path, [*rows, span("s4", 4)], "a-backup.jsonl")
    assert [each.message_id for each in events(log) if isinstance(each, Usage)] == ["r1", "r2", "r3", "r4"]
    assert _spent(tmp_path, "--home", tmp_path)["events"] == 4


def test_of_records_without_any_id_a_file_may_say_the_same_twice(tmp_path: Path) -> None:
    nameless = span("", 1)
    nameless["attributes"].pop("gen_ai.response.id")
    nameless.pop("traceId")
    one = telemetry(str(export(tmp_path, [nameless, nameless])))
    two = telemetry(str(export(tmp_path, [{"note": 1}, nameless, nameless, nameless], "b.jsonl")))
    assert [[each.line for each in kept] for kept in merged([one, two])] == [[1, 2], [4]]


def test_the_sum_of_a_trace_does_not_count_where_another_file_has_its_requests(tmp_path: Path) -> None:
    whole = span("s0", 1, name="invoke_agent")
    whole["attributes"] |= {"gen_ai.operation.name": "invoke_agent"}
    one, two = (
        telemetry(str(export(tmp_path, [row], name))) for row, name in ((whole, "a.jsonl"), (span("s1", 1), "b.jsonl"))
    )
    assert [len(kept) for kept in merged([one, two])] == [0, 1]


def test_a_conversation_without_a_log_tells_each_request_once(tmp_path: Path) -> None:
    paths = [str(export(tmp_path, [span("s1", 1), span("s2", 2)], name)) for name in ("a.jsonl", "b.jsonl")]
    source = telemetry_only("cop-1", paths)
    records = list(read(source, report=FileReport(path=paths[0]), options=ReadOptions()))
    assert [each.id for record in records for each in record.events if isinstance(each, Usage)] == [
        "usage:0:1",
        "usage:0:2",
    ]


def test_a_file_that_many_sessions_ask_for_is_read_again_only_when_it_changed(tmp_path: Path) -> None:
    path = str(export(tmp_path, [span("s1", 1)]))
    before = telemetry(path)
    assert telemetry(path) is before
    export(tmp_path, [span("s1", 1), span("s2", 2)])
    assert [len(each.counted) for each in (before, telemetry(path))] == [1, 2]
