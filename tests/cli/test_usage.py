"""`panscript usage`: exact on homes whose usage is known, and what it prints."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from panscript.cli.usage_table import print_table
from panscript.stages.totals import Group, Sum, Totals
from tests.builders import assistant, write_rows
from tests.cli.program import environment, panscript
from tests.found import READ
from tests.sessions import FIXTURES

HOME = FIXTURES / "usage-home"
THREE = ("--from", "claude,codex,pi")
CASES = sorted((FIXTURES / "cases").glob("*/home"))
CODEX_HOMES = sorted((FIXTURES / "codex").glob("home-*"))
SUMS = ("input_tokens", "output_tokens", "reasoning_tokens", "cache_read_tokens", "cache_write_tokens", "total_tokens")
KEYS = ("agent", "model", "provider", "session", "project", "day")
_BUCKETS = ("inputTokens", "outputTokens", "reasoningTokens", "cacheReadTokens", "cacheWriteTokens", "totalTokens")
Found = dict[tuple[str | None, ...], list[int]]


def _usage(cwd: Path, *args: object) -> dict[str, Any]:
    done = panscript("usage", "--json", "--timezone", "UTC", *args, cwd=cwd)
    assert done.code == 0, done.err
    found: dict[str, Any] = json.loads(done.out)
    return found


def _summed(rows: Iterable[tuple[tuple[str | None, ...], dict[str, Any]]]) -> Found:
    found: Found = {}
    for keys, row in rows:
        sums = found.setdefault(keys, [0] * (len(SUMS) + 1))
        for place, name in enumerate(SUMS):
            sums[place] += row[name]
        sums[-1] += row.get("events", 1)
    return found


def _rows(document: dict[str, Any], keys: Iterable[str] = KEYS) -> Found:
    return _summed((tuple(row[key] for key in keys), row) for row in document["rows"])


@pytest.mark.parametrize("agent", READ)
def test_each_agent_and_model_has_its_tokens(agent: str, tmp_path: Path) -> None:
    target = json.loads((HOME / "expected-target.json").read_text())
    wanted = {
        row["model"]: (row["events"], *(row[name] for name in _BUCKETS))
        for row in target["totals"]
        if row["source"] == agent
    }
    found = _usage(tmp_path, "--home", HOME, "--from", agent, "--by", "agent,model")
    assert {row["model"]: (row["events"], *(row[name] for name in SUMS)) for row in found["rows"]} == wanted


def test_the_sums_are_those_that_were_written_down_beside_the_sessions(tmp_path: Path) -> None:
    expected = json.loads((HOME / "expected.json").read_text())
    wanted = _summed((tuple((row | {"day": row["timestamp"][:10]})[key] for key in KEYS), row) for row in expected)
    found = _usage(tmp_path, "--home", HOME, *THREE, "--by", ",".join(KEYS))
    assert _rows(found) == wanted
    assert found["totals"]["events"] == len(expected)
    costs = [row["cost_usd"] for row in expected if row["cost_usd"] is not None]
    assert found["totals"]["cost_usd"] == pytest.approx(sum(costs))


@pytest.mark.parametrize("home", CODEX_HOMES, ids=lambda home: home.name)
def test_every_codex_thread_took_what_the_service_billed(home: Path, tmp_path: Path) -> None:
    manifest = json.loads((FIXTURES / "codex/MANIFEST.json").read_text())
    billed = {
        thread.get("thread_id", thread["files"][0].removesuffix(".jsonl")[-36:]): thread["own_usage"]
        for thread in manifest.get(home.name, ())
        if thread.get("own_usage")
    }
    found = _usage(tmp_path, "--home", tmp_path, "--root", f"codex={home}", "--by", "session")
    told = {
        row["session"]: {
            "responses": row["events"],
            "input_tokens": row["input_tokens"] + row["cache_read_tokens"] + row["cache_write_tokens"],
            "cached_input_tokens": row["cache_read_tokens"],
            "output_tokens": row["output_tokens"],
            "reasoning_output_tokens": row["reasoning_tokens"],
        }
        for row in found["rows"]
    }
    assert told == {name: usage for name, usage in billed.items() if usage["responses"]}


def _places(tmp_path: Path) -> list[tuple[str, list[object]]]:
    """Every home and every folder of sessions there is, and all of an agent's folders together."""
    empty: list[object] = ["--home", tmp_path]
    roots = {
        "claude": sorted((FIXTURES / "claude").glob("v*")),
        "codex": CODEX_HOMES,
        "pi": [FIXTURES / "pi"],
    }
    places: list[tuple[str, list[object]]] = [(home.parent.name, ["--home", home]) for home in [*CASES, HOME]]
    for agent, folders in roots.items():
        together = [part for folder in folders for part in ("--root", f"{agent}={folder}")]
        places.append((agent, [*empty, "--from", agent, *together]))
    return places


def test_usage_is_the_sum_of_the_usage_that_events_prints(tmp_path: Path) -> None:
    """Both leave out the same copies, and keep the same one of each."""
    compared = 0
    for name, place in _places(tmp_path):
        printed = panscript("events", "--kinds", "usage", *place, cwd=tmp_path)
        events = [json.loads(line) for line in printed.out.splitlines()]
        told = _summed(
            (
                (
                    *(event["source"], event.get("model"), event.get("provider"), event["session_id"]),
                    *(event.get("repo_root"), event["timestamp"][:10]),
                ),
                {key: event.get(key, 0) for key in SUMS},
            )
            for event in events
        )
        assert _rows(_usage(tmp_path, *place, "--by", ",".join(KEYS))) == told, name
        compared += len(events)
    assert compared > 200


def test_the_shape_of_the_document(tmp_path: Path) -> None:
    found = _usage(tmp_path, "--home", HOME, "--from", "claude", "--by", "month,agent")
    counts = {name: found["totals"][name] for name in SUMS}
    assert found["rows"] == [
        {"month": "2026-05", "agent": "claude", **counts, "cost_usd": None, "events": 5, "sessions": 3}
    ]
    assert list(found["rows"][0])[:2] == ["month", "agent"]
    assert found["totals"] == {**counts, "cost_usd": None, "events": 5, "sessions": 3}


def test_rows_are_agent_and_model_unless_asked(tmp_path: Path) -> None:
    assert list(_usage(tmp_path, "--home", HOME)["rows"][0])[:2] == ["agent", "model"]


def test_no_sessions_are_an_empty_document_and_no_error(tmp_path: Path) -> None:
    found = _usage(tmp_path, "--home", tmp_path)
    assert found["rows"] == []
    assert found["totals"]["total_tokens"] == found["totals"]["events"] == found["totals"]["sessions"] == 0
    said = panscript("usage", "--home", tmp_path, cwd=tmp_path)
    assert (said.code, said.out, said.err) == (0, b"", "no usage was found\n")


def test_a_window_is_of_instants_and_its_end_is_out(tmp_path: Path) -> None:
    bounds = ["--since", "2026-05-02T09:00:20Z", "--until", "2026-05-02T11:00:20+01:00"]
    found = _usage(tmp_path, "--home", HOME, "--from", "codex", *bounds)
    assert found["totals"]["events"] == 3


def test_days_begin_where_the_zone_says(tmp_path: Path) -> None:
    row = assistant("a", None, "x", timestamp="2026-03-01T23:30:00.000Z")
    write_rows(_project(tmp_path) / "s.jsonl", [row])
    args = ["usage", "--json", "--home", tmp_path, "--by", "day", "--timezone"]
    days = [json.loads(panscript(*args, zone, cwd=tmp_path).out)["rows"][0]["day"] for zone in ("UTC", "Asia/Tokyo")]
    assert days == ["2026-03-01", "2026-03-02"]


def _project(home: Path) -> Path:
    folder = home / ".claude/projects/-home-dev-app"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def test_without_a_zone_days_are_those_of_this_machine(tmp_path: Path) -> None:
    row = assistant("a", None, "x", timestamp="2026-03-01T23:30:00.000Z")
    write_rows(_project(tmp_path) / "s.jsonl", [row])
    days = [json.loads(_in_zone(zone, tmp_path))["rows"][0]["day"] for zone in ("UTC", "Asia/Tokyo")]
    assert days == ["2026-03-01", "2026-03-02"]


def _in_zone(zone: str, home: Path) -> bytes:
    command = [sys.executable, "-m", "panscript.cli", "usage", "--json", "--by", "day", "--home", str(home)]
    return subprocess.run(
        command, env={**environment(home), "TZ": zone}, cwd=home, capture_output=True, check=True
    ).stdout


@pytest.mark.parametrize(
    "args",
    [
        ["--by", "agent,colour"],
        ["--by", ""],
        ["--timezone", "Mars/Olympus"],
        ["--timezone", "../../etc/passwd"],
        ["--since", "2026-05-02T09:00"],
        ["--from", "nobody"],
        ["session.jsonl"],
    ],
    ids=" ".join,
)
def test_what_makes_no_sense_is_wrong_usage(args: list[str], tmp_path: Path) -> None:
    done = panscript("usage", *args, "--home", tmp_path, cwd=tmp_path)
    assert (done.code, done.out) == (2, b"")


def test_the_table_has_sums_of_its_parts_and_says_what_was_left_out(tmp_path: Path) -> None:
    done = panscript("usage", "--home", HOME, *THREE, cwd=tmp_path)
    assert done.code == 0
    assert done.out.decode().splitlines()[:2] == [
        "AGENT   MODEL                     INPUT  OUTPUT  REASONING  CACHE READ  CACHE WRITE  TOTAL   COST",
        "pi                                  129      76         15         306           41    552  $0.51",
    ]
    assert done.out.decode().splitlines()[-1].split() == "total 2,092 561 105 5,176 241 8,070 $0.51".split()
    assert done.complaints == [
        "left out: 1 json_parse_error, 2 no_token_usage, 1 synthetic_message, 3 copies of other sessions' responses"
    ]


def test_a_group_of_one_row_has_no_sub_total(tmp_path: Path) -> None:
    done = panscript("usage", "--home", HOME, "--from", "claude", "--by", "week,agent", cwd=tmp_path)
    assert len(done.out.splitlines()) == 2
    assert done.out.splitlines()[1].startswith(b"2026-W19  claude")


def test_names_from_sessions_cannot_move_the_cursor(tmp_path: Path) -> None:
    write_rows(_project(tmp_path) / "s.jsonl", [assistant("a", None, "x", cwd="/home/\x1b[2Jdev\nx")])
    done = panscript("usage", "--home", tmp_path, "--by", "project", cwd=tmp_path)
    assert b"\x1b" not in done.out
    assert len(done.out.splitlines()) == 2
    found = _usage(tmp_path, "--home", tmp_path, "--by", "project")
    assert found["rows"][0]["project"] == "/home/\x1b[2Jdev\nx"


def test_what_cannot_be_read_is_said_and_the_others_count(tmp_path: Path) -> None:
    shutil.copytree(HOME, tmp_path / "home")
    broken = tmp_path / "home/.codex/sessions/2026/05/02/rollout-broken.jsonl.zst"
    broken.write_bytes(b"\x28\xb5\x2f\xfd damaged")
    (tmp_path / "home/.claude/projects/-home-dev-proj/notes.jsonl").write_text("not a session\n" * 100)
    done = panscript("usage", "--json", "--home", tmp_path / "home", *THREE, cwd=tmp_path)
    assert done.code == 0
    assert json.loads(done.out)["totals"]["events"] == 16
    assert ", 2 files or folders that were not read" in done.complaints[-1]
    quiet = panscript("usage", "--json", "--quiet", "--home", tmp_path / "home", *THREE, cwd=tmp_path)
    assert (quiet.out, quiet.err) == (done.out, "")


def test_what_was_imported_never_counts(tmp_path: Path) -> None:
    source = FIXTURES / "claude/v2.1.328/projects/-home-dev-app/10000000-0000-4000-8000-000000000002.jsonl"
    target = tmp_path / ".pi/agent/sessions"
    target.mkdir(parents=True)
    assert panscript("convert", source, "--to", "pi", "-o", f"{target}/", cwd=tmp_path).code == 0
    assert list(target.rglob("*.jsonl"))
    assert _usage(tmp_path, "--home", tmp_path)["rows"] == []


def test_a_continued_session_leaves_its_copies_to_the_one_before(tmp_path: Path) -> None:
    first = [assistant("a", None, "x", 0), assistant("b", "a", "x", 10)]
    own = [assistant("c", "b", "x", 100, sessionId="later")]
    copies = [{**row, "sessionId": "later"} for row in first]
    # By name the copy comes first; it ends later.
    write_rows(_project(tmp_path) / "aaaa.jsonl", [*copies, *own])
    write_rows(_project(tmp_path) / "zzzz.jsonl", [{**row, "sessionId": "earlier"} for row in first])
    found = _usage(tmp_path, "--home", tmp_path, "--by", "session")
    assert {row["session"]: row["events"] for row in found["rows"]} == {"earlier": 2, "later": 1}


def _on_a_terminal(*args: object, width: int, home: Path) -> str:
    """What the program shows on a terminal of this width."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "panscript.cli", "usage", *map(str, args)]
    surroundings = {**environment(home), "COLUMNS": str(width), "TERM": "xterm", "NO_COLOR": "1"}
    with subprocess.Popen(command, env=surroundings, cwd=home, stdout=theirs, stderr=subprocess.DEVNULL):
        os.close(theirs)
        shown = b""
        with contextlib.suppress(OSError):  # the end of a terminal
            while part := os.read(ours, 1 << 16):
                shown += part
    os.close(ours)
    return re.sub(r"\x1b\[[\d;]*m", "", shown.decode()).replace("\r\n", "\n")


def test_on_a_terminal_rows_have_bars_and_the_largest_fills_its_place(tmp_path: Path) -> None:
    shown = _on_a_terminal("--home", HOME, *THREE, width=160, home=tmp_path)
    (largest,) = [line for line in shown.splitlines() if "gpt-5.2-codex" in line]
    assert largest.rstrip().endswith("█" * 12)
    assert not re.search("[█▏]", shown.splitlines()[-1])


@pytest.mark.parametrize("width", [40, 60, 80, 100])
def test_a_narrow_terminal_costs_columns_and_never_digits(width: int, tmp_path: Path) -> None:
    shown = _on_a_terminal("--home", HOME, *THREE, "--by", "agent,model", width=width, home=tmp_path)
    lines = [line.rstrip() for line in shown.splitlines()]
    assert max(map(len, lines)) <= width
    assert "TOTAL" in lines[0]
    assert re.search(r"\b8,070\b", lines[-1])


def test_columns_without_room_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    counts = Sum(input_tokens=1_000_000, output_tokens=1_000_000, total_tokens=2_000_000)
    groups = [Group(("pi", "a-model-with-a-long-name"), counts)]
    for quiet in (False, True):
        print_table(groups, Totals(("agent", "model")), tmp_path, quiet=quiet)
        said = capsys.readouterr().err
        assert ("no room for the columns REASONING, CACHE READ, CACHE WRITE:" in said) != quiet


def test_counts_that_only_damage_explains_are_no_reason_to_stop(tmp_path: Path) -> None:
    usage = {"input_tokens": 1e300, "output_tokens": 1 << 40, "cache_read_tokens": -5}
    row = assistant("a", None, "x")
    row["message"]["usage"] = usage
    write_rows(_project(tmp_path) / "s.jsonl", [row])
    found = _usage(tmp_path, "--home", tmp_path)
    assert (found["rows"][0]["output_tokens"], found["rows"][0]["input_tokens"]) == (1 << 40, 0)
