"""Forks that are copies of files under another id, as Kimi and older versions of Qwen Code make them."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.cli.program import panscript
from tests.sessions import FIXTURES

OTHER = "cccccccc-0000-4000-8000-000000000000"
SESSIONS = {
    "kimi-cli": (
        "kimi/home",
        ".kimi/sessions/7ead144c04361150207a2f3b5e04c942/bea98915-a0f7-4f3d-8c64-7e6d510f725c",
        "bea98915-a0f7-4f3d-8c64-7e6d510f725c",
    ),
    "kimi-code": (
        "kimi/home",
        ".kimi-code/sessions/wd_app_720d8948da0b/session_09a41e22-5a76-49d4-80f3-482c320a1df2",
        "09a41e22-5a76-49d4-80f3-482c320a1df2",
    ),
    "qwen": (
        "qwen/home",
        ".qwen/projects/-home-dev-app/chats/b427ffc2-4ff3-43e9-a1f6-186de38aa7b6.jsonl",
        "b427ffc2-4ff3-43e9-a1f6-186de38aa7b6",
    ),
}


def copied(place: Path, own: str) -> Path:
    """The same session under another id, in its name and in its files."""
    fork = place.with_name(place.name.replace(own, OTHER))
    if place.is_dir():
        shutil.copytree(place, fork)
    else:
        shutil.copy(place, fork)
    for file in [fork, *fork.rglob("*")]:
        if file.is_file():
            file.write_bytes(file.read_bytes().replace(own.encode(), OTHER.encode()))
    return fork


def told(home: Path) -> Counter[tuple[str, str, str]]:
    done = panscript("events", "--home", home, "--quiet", cwd=home)
    assert done.code == 0, done.err
    found: list[dict[str, Any]] = [json.loads(line) for line in done.out.splitlines()]
    return Counter(
        (line["kind"], line["timestamp"], json.dumps(line.get("total_tokens", line.get("text_length"))))
        for line in found
        if line["kind"] != "session_meta"
    )


@pytest.mark.parametrize("name", SESSIONS)
def test_a_copy_under_another_id_says_nothing_new(tmp_path: Path, name: str) -> None:
    fixture, path, own = SESSIONS[name]
    home = tmp_path / "home"
    shutil.copytree(FIXTURES / fixture, home)
    before = told(home)
    assert {kind for kind, _, _ in before} == {"usage", "message", "tool_call"}
    fork = copied(home / path, own)
    assert told(home) == before
    done = panscript("events", fork, "--quiet", cwd=home)
    assert b'"kind":"usage"' in done.out, "on its own it says all it holds"
    spent = json.loads(panscript("usage", "--home", home, "--json", cwd=home).out)["totals"]
    assert spent["events"] == sum(times for (kind, _, _), times in before.items() if kind == "usage")


PLACES = {
    "amp": ".local/share/amp/threads",
    "antigravity": ".gemini/antigravity-cli",
    "claude": ".claude",
    "codex": ".codex",
    "droid": ".factory/sessions",
    "dsh": ".dsh/sessions",
    "gemini": ".gemini/tmp",
    "goose": ".local/share/goose",
    "kimi": ".kimi/sessions",
    "openclaw": ".openclaw",
    "opencode": ".local/share/opencode",
    "pi": ".pi/agent/sessions",
    "qwen": ".qwen/projects",
}


@pytest.mark.parametrize("agent", PLACES)
def test_the_same_sessions_in_two_places_cost_what_they_cost_in_one(tmp_path: Path, agent: str) -> None:
    roots = [tmp_path / name / PLACES[agent] for name in ("here", "there")]
    for root in roots:
        shutil.copytree(FIXTURES / "usage-home" / PLACES[agent], root)
    home = tmp_path / "empty"
    home.mkdir()

    def spent(*places: Path) -> dict[str, Any]:
        asked = [part for place in places for part in ("--root", f"{agent}={place}")]
        done = panscript("usage", "--home", home, "--from", agent, *asked, "--json", cwd=home)
        totals: dict[str, Any] = json.loads(done.out)["totals"]
        return totals

    assert spent(*roots) == spent(roots[0])
    assert spent(roots[0])["events"]
