"""`panscript agents`: the table of agents, and what this machine holds of them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from panscript.cli import inventory
from panscript.cli.main import main
from panscript.readers.context import Context
from panscript.schemas.agents import AGENTS, agent_ids
from tests.readers.trees import claude_session, codex_thread, pi_session, write


def run(*args: object) -> Result:
    """Run the program."""
    return CliRunner().invoke(main, ["agents", *map(str, args)])


def known(*args: object) -> dict[str, dict[str, Any]]:
    """The rows of `agents --json` by agent."""
    done = run("--json", *args)
    assert (done.exit_code, done.stderr) == (0, "")
    return {row["agent"]: row for row in json.loads(done.stdout)}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home folder with sessions of three agents, and a folder of one that may not be read yet."""
    home = tmp_path / "home"
    claude_session(home / ".claude/projects/-a", "c1")
    claude_session(home / ".claude/projects/-b", "c2")
    codex_thread(home / ".codex/sessions/2026/03/01", 1)
    codex_thread(home / ".codex/archived_sessions", 2)
    pi_session(home / ".pi/agent/sessions/--a--/x.jsonl", "p1", "about trees")
    (home / ".dsh/sessions").mkdir(parents=True)
    return home


def test_json_has_every_agent_in_the_order_of_the_table(home: Path) -> None:
    rows = known("--home", home)
    assert tuple(rows) == agent_ids()
    for agent in AGENTS:
        row = rows[agent.id]
        assert row["name"] == agent.name
        assert (row["kinds"], row["storage"]) == (list(agent.kinds), list(agent.storage))
        assert (row["read"], row["written"]) == (agent.reader is not None, agent.writer is not None)


def test_what_is_there_is_found_and_counted(home: Path) -> None:
    rows = known("--home", home)
    found = {name: row["sessions"] for name, row in rows.items() if row["found"]}
    assert found["pi"] == 1
    assert (found["codex"], found["claude"]) == (2, 2)
    assert "dsh" in found
    assert rows["claude"]["locations"][0] == {"path": str(home / ".claude/projects"), "found": True}
    assert rows["qwen"]["found"] is False
    assert rows["qwen"]["sessions"] is None


def test_an_empty_home_has_nothing_and_is_no_error(tmp_path: Path) -> None:
    assert {row["found"] for row in known("--home", tmp_path).values()} == {False}


def test_a_root_replaces_the_places_of_its_agent_alone(home: Path, tmp_path: Path) -> None:
    claude_session(tmp_path / "other", "c9")
    rows = known("--home", home, "--root", f"claude={tmp_path / 'other'}")
    assert [place["path"] for place in rows["claude"]["locations"]] == [str(tmp_path / "other")]
    assert (rows["claude"]["sessions"], rows["pi"]["sessions"]) == (1, 1)


def test_the_environment_moves_an_agent_unless_home_is_given(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CODEX_HOME", str(tmp_path / "codex"))
    codex_thread(tmp_path / "codex/sessions/2026/03/01", 7)
    assert known()["codex"]["locations"][0]["path"] == str(tmp_path / "codex/sessions")
    assert known("--home", home)["codex"]["locations"][0]["path"] == str(home / ".codex/sessions")


def test_a_broken_file_costs_no_count(home: Path) -> None:
    write(home / ".claude/projects/-a/broken.jsonl", "nothing of ours")
    assert known("--home", home)["claude"]["sessions"] == 2


def test_the_table_names_every_agent_and_each_place_that_is_there(home: Path) -> None:
    lines = run("--home", home).stdout.splitlines()
    assert lines[0].split() == ["AGENT", "NAME", "READ", "WRITTEN", "STORAGE", "SESSIONS", "LOCATION"]
    named = [line.split()[0] for line in lines[1:] if not line.startswith(" ")]
    assert tuple(named) == agent_ids()
    claude = next(line for line in lines if line.startswith("claude "))
    assert claude.split("  ")[-1].strip() == "~/.claude/projects"
    places = [line.split()[-1] for line in lines]
    assert places.index("~/.codex/archived_sessions") == places.index("~/.codex/sessions") + 1
    assert next(line for line in lines if line.startswith("qwen ")).endswith("~/.qwen/projects (not found)")


def test_names_of_folders_are_shown_without_controls(tmp_path: Path) -> None:
    evil = tmp_path / "a\x1b[31mb"
    claude_session(evil / ".claude/projects/-a", "c1")
    done = run("--root", f"claude={evil / '.claude/projects'}", "--home", tmp_path)
    assert "\x1b" not in done.stdout
    assert "[31m" not in done.stdout


def test_a_terminal_breaks_long_places_and_keeps_the_rest(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    inventory.print_table(inventory.inventory(Context.at(home)), home)
    lines = re.sub(r"\x1b\[[0-9;]*m", "", capsys.readouterr().out).splitlines()
    assert max(map(len, lines)) <= 100
    assert any(line.startswith("antigravity") for line in lines)


@pytest.mark.parametrize("width", [60, 80])
def test_a_narrow_terminal_keeps_the_places_and_says_what_it_costs(
    home: Path, width: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    inventory.print_table(inventory.inventory(Context.at(home)), home)
    said = capsys.readouterr()
    lines = re.sub(r"\x1b\[[0-9;]*m", "", said.out).splitlines()
    assert max(map(len, lines)) <= width
    assert "LOCATION" in lines[0]
    assert "SESSIONS" in lines[0]
    assert "STORAGE" not in lines[0]
    assert "STORAGE" in said.err
    assert said.err.endswith("a wider terminal, a pipe or --json shows all\n")
