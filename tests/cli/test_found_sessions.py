"""Sessions that are named by id, and `events` of everything that is found."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from panscript.cli.main import main
from tests.readers.trees import claude_row, claude_session, codex_thread, pi_session, write


def run(*args: object) -> Result:
    """Run the program."""
    return CliRunner().invoke(main, [str(arg) for arg in args])


def events(*args: object) -> list[dict[str, Any]]:
    """The lines of `events`."""
    result = run("events", *args)
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home folder with three sessions of one agent, and one of others."""
    folder = tmp_path / "home/.claude/projects/-a"
    for name in ("abcd1", "abcd2", "other"):
        claude_session(folder, name)
    write(folder / "abcd1/subagents/agent-feed.jsonl", claude_row("abcd1", isSidechain=True, agentId="feed"))
    codex_thread(tmp_path / "home/.codex/sessions/2026/03/01", 1)
    pi_session(tmp_path / "home/.pi/agent/sessions/--a--/x.jsonl", "p1")
    return tmp_path / "home"


def _sessions(lines: list[dict[str, Any]]) -> list[str]:
    return list(dict.fromkeys(line["session_id"] for line in lines if line["kind"] == "message"))


@pytest.mark.parametrize("name", ["other", "o", "oth"])
def test_a_session_is_named_by_its_id_or_the_beginning_of_it(home: Path, name: str) -> None:
    assert _sessions(events(name, "--home", home)) == ["other"]


def test_a_session_brings_its_sub_agents_and_a_sub_agent_comes_alone(home: Path) -> None:
    assert _sessions(events("abcd1", "--home", home)) == ["abcd1", "abcd1/feed"]
    assert _sessions(events("abcd1/feed", "--home", home)) == ["abcd1/feed"]


def test_a_root_says_where_the_id_is_looked_for(home: Path, tmp_path: Path) -> None:
    claude_session(tmp_path / "elsewhere", "other2")
    assert _sessions(events("other", "--home", home, "--root", f"claude={tmp_path}/elsewhere")) == ["other2"]


def test_an_id_that_means_several_is_refused_with_the_candidates(home: Path) -> None:
    result = run("events", "abcd", "--home", home)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == (
        "panscript: abcd: several sessions have an id that begins like this (claude abcd1, claude abcd2)\n"
    )


def test_the_same_id_in_two_places_is_refused_with_the_paths(home: Path) -> None:
    again = claude_session(home / ".claude/projects/-b", "other")
    result = run("events", "other", "--home", home)
    assert result.exit_code == 1
    assert str(again) in result.stderr


def test_one_id_at_two_agents_is_told_apart_by_the_agent(home: Path) -> None:
    pi_session(home / ".pi/agent/sessions/--a--/y.jsonl", "other")
    result = run("events", "oth", "--home", home)
    assert result.stderr == (
        "panscript: oth: several sessions have an id that begins like this "
        "(pi other, claude other; --from pi or --from claude)\n"
    )


def test_the_agent_narrows_the_search(home: Path) -> None:
    pi_session(home / ".pi/agent/sessions/--a--/y.jsonl", "other3")
    assert run("events", "othe", "--home", home).exit_code == 1
    assert _sessions(events("othe", "--home", home, "--from", "pi")) == ["other3"]


@pytest.mark.parametrize("name", ["none", "none.jsonl", "./none", "/none/at/all", "a b"])
def test_what_is_neither_file_nor_session_is_one_line(home: Path, name: str) -> None:
    result = run("events", name, "--home", home)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith(f"panscript: {name}: there is no such file")
    assert result.stderr.count("\n") == 1


def test_a_path_is_a_path_even_when_it_looks_like_an_id(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    claude_session(tmp_path, "file").rename(tmp_path / "other")
    monkeypatch.chdir(tmp_path)
    assert _sessions(events("other", "--home", home)) == ["file"]


def test_events_without_source_are_those_of_every_session_in_order(home: Path) -> None:
    lines = events("--home", home)
    assert list(dict.fromkeys(line["source"] for line in lines)) == ["pi", "codex", "claude"]
    claude = _sessions([line for line in lines if line["source"] == "claude"])
    assert claude == ["abcd1", "abcd1/feed", "abcd2", "other"]
    assert {line["source"] for line in events("--home", home, "--from", "claude,pi")} == {"claude", "pi"}


def test_what_cannot_be_read_is_a_warning_and_stands_in_the_report(home: Path, tmp_path: Path) -> None:
    folder = home / ".claude/projects/-a"
    (folder / "dead.jsonl").symlink_to("nowhere")
    # Recognised by nothing, but too large to be sure of it.
    (folder / "large.jsonl").write_text("no json\n" * 10_000)
    report = tmp_path / "report.json"
    result = run("events", "--home", home, "--from", "claude", "--report", report)
    assert result.exit_code == 0
    assert _sessions([json.loads(line) for line in result.stdout.splitlines()])[-1] == "other"
    files = {Path(file["path"]).name: file for file in json.loads(report.read_text())["files"]}
    for name in ("dead.jsonl", "large.jsonl"):
        assert files[name]["complete"] is False
        assert [warning["code"] for warning in files[name]["warnings"]] == ["not_read"]
        assert f"/{name}: " in result.stderr
    assert run("events", "--home", home, "--from", "claude", "--quiet").stderr == ""


def test_a_source_named_by_hand_that_cannot_be_read_fails(home: Path) -> None:
    large = home / ".claude/projects/-a/large.jsonl"
    large.write_text("no json\n" * 10)
    result = run("events", large, "--home", home)
    assert result.exit_code == 1
    assert result.stderr.startswith(f"panscript: {large}: ")


def test_a_source_is_of_one_agent(home: Path) -> None:
    assert run("events", "other", "--home", home, "--from", "claude,pi").exit_code == 2


def test_the_full_stream_of_everything_names_every_session(home: Path) -> None:
    sessions = [line for line in events("--home", home, "--full") if line["event"] == "session"]
    assert [session["session_id"] for session in sessions][-4:] == ["abcd1", "abcd1/feed", "abcd2", "other"]
