"""Forks that are copies of files under another id, as Kimi and older versions of Qwen Code make them."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.builders import SESSION, assistant, user, write_rows
from tests.cli.program import panscript
from tests.readers.kimi.sessions import cli, code, codes, status, wire
from tests.sessions import FIXTURES

OTHER = "00000000-0000-4000-8000-000000000000"
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


def billed(home: Path) -> dict[str, int]:
    """How many responses `events` tells for each session."""
    done = panscript("events", "--home", home, "--kinds", "usage", "--quiet", cwd=home)
    return dict(Counter(json.loads(line)["session_id"] for line in done.out.splitlines()))


def counted(home: Path) -> dict[str, int]:
    """The same of `usage`."""
    done = panscript("usage", "--home", home, "--by", "session", "--json", cwd=home)
    return {row["session"]: row["events"] for row in json.loads(done.out)["rows"]}


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
    assert counted(home) == billed(home)
    assert sum(billed(home).values()) == sum(times for (kind, _, _), times in before.items() if kind == "usage")


PLACES = {
    "amp": ".local/share/amp/threads",
    "antigravity": ".gemini/antigravity-cli",
    "claude": ".claude",
    "cline": ".config/Code/User/globalStorage/saoudrizwan.claude-dev",
    "codex": ".codex",
    "copilot": ".copilot",
    "droid": ".factory/sessions",
    "dsh": ".dsh/sessions",
    "gemini": ".gemini/tmp",
    "goose": ".local/share/goose",
    "kilocode": ".config/Code/User/globalStorage/kilocode.kilo-code",
    "kimi": ".kimi/sessions",
    "openclaw": ".openclaw",
    "opencode": ".local/share/opencode",
    "pi": ".pi/agent/sessions",
    "qwen": ".qwen/projects",
    "roocode": ".config/Code/User/globalStorage/rooveterinaryinc.roo-cline",
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


KIMI, CODE = ".kimi", ".kimi-code"


def test_responses_with_names_of_their_own_are_no_copies(tmp_path: Path) -> None:
    for name, responses in {"a": ("one", "two"), "b": ("one", "three")}.items():
        cli(tmp_path / KIMI, [status(each, 5) for each in responses], name=name)
    assert sum(counted(tmp_path).values()) == sum(billed(tmp_path).values()) == 3


def test_a_fork_is_billed_what_it_added(tmp_path: Path) -> None:
    parent = [wire("TurnBegin", user_input="hi"), status("one", 5), status("two", 6, seconds=2)]
    cli(tmp_path / KIMI, parent, name="parent")
    cli(tmp_path / KIMI, [*parent[:2], status("three", 7, seconds=60)], name="fork")
    assert counted(tmp_path) == billed(tmp_path) == {"parent": 2, "fork": 1}


def test_sub_agents_that_did_the_same_at_the_same_time_are_two(tmp_path: Path) -> None:
    spent = codes("usage.record", model="k", usage={"inputOther": 5, "output": 1}, usageScope="turn")
    for agent in ("main", "agent-1", "agent-2"):
        prompt = {"role": "user", "content": [{"type": "text", "text": f"I am {agent}"}], "origin": {"kind": "user"}}
        code(tmp_path / CODE, codes("context.append_message", message=prompt), spent, agent=agent)
    assert sum(counted(tmp_path).values()) == sum(billed(tmp_path).values()) == 3
    done = panscript("events", "--home", tmp_path, "--kinds", "message", "--text", "--quiet", cwd=tmp_path)
    assert Counter(json.loads(line)["text"] for line in done.out.splitlines()) == {
        f"I am {agent}": 1 for agent in ("main", "agent-1", "agent-2")
    }


def test_what_two_agents_billed_alike_counts_for_both(tmp_path: Path) -> None:
    place = "globalStorage/saoudrizwan.claude-dev/tasks"
    tasks = FIXTURES / "usage-home/.config/Code/User" / place
    for extension in ("saoudrizwan.claude-dev", "rooveterinaryinc.roo-cline"):
        shutil.copytree(tasks, tmp_path / ".config/Code/User/globalStorage" / extension / "tasks")
    rows = json.loads(panscript("usage", "--home", tmp_path, "--by", "agent", "--json", cwd=tmp_path).out)["rows"]
    assert [(row["agent"], row["events"]) for row in rows] == [("cline", 1), ("roocode", 1)]


def test_of_two_copies_of_a_session_the_fuller_one_counts(tmp_path: Path) -> None:
    rows = [
        user("u1", None, "go", 1),
        assistant("a1", "u1", "on", 2, message="m", output=25, stop=None),
        assistant("a2", "a1", "it", 3, message="m", output=114),
    ]
    roots = [tmp_path / name / "projects" for name in ("old", "new")]
    for root, many in zip(roots, (2, 3), strict=True):
        write_rows(root / "-home-dev-app" / f"{SESSION}.jsonl", rows[:many])
    for asked in (roots, roots[::-1]):
        places = [part for root in asked for part in ("--root", f"claude={root}")]
        done = panscript("usage", "--home", tmp_path, "--from", "claude", *places, "--json", cwd=tmp_path)
        assert json.loads(done.out)["totals"]["output_tokens"] == 114
