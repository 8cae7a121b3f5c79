"""`panscript completion`: the script for a shell, and what the program answers to it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner

from panscript.cli.completing import session_ids
from panscript.cli.main import main
from panscript.schemas.agents import AGENTS, agent_ids
from panscript.schemas.projections import KINDS
from tests.readers.trees import claude_session, pi_session

READ = [agent.id for agent in AGENTS if agent.reader is not None]


def offered(*words: str) -> list[str]:
    """What is offered for the last word."""
    *before, typed = words
    found = ShellComplete(main, {}, "panscript", "_PANSCRIPT_COMPLETE").get_completions(before, typed)
    return [item.value for item in found if item.type == "plain"]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home folder with three sessions."""
    claude_session(tmp_path / ".claude/projects/-a", "5a01")
    claude_session(tmp_path / ".claude/projects/-a", "5a02")
    pi_session(tmp_path / ".pi/agent/sessions/--a--/x.jsonl", "5a03", "about trees")
    return tmp_path


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_gets_a_script_that_asks_the_program(shell: str) -> None:
    done = CliRunner().invoke(main, ["completion", shell])
    assert (done.exit_code, done.stderr) == (0, "")
    assert f"_PANSCRIPT_COMPLETE={shell}_complete" in done.stdout
    assert "panscript" in done.stdout


def test_another_shell_is_wrong_usage() -> None:
    done = CliRunner().invoke(main, ["completion", "cmd"])
    assert (done.exit_code, done.stdout) == (2, "")


@pytest.mark.parametrize(
    ("words", "values"),
    [
        (("conv",), ["convert"]),
        (("s",), ["schema", "show"]),
        (("convert", "x.jsonl", "--from", "c"), [name for name in agent_ids() if name.startswith("c")]),
        (("convert", "x.jsonl", "--to", ""), READ),
        (("convert", "x.jsonl", "--branch", ""), ["active", "all"]),
        (("show", "--to", "p"), ["pi"]),
        (("events", "--kinds", ""), list(KINDS)),
        (("events", "--kinds", "usage,mes"), ["usage,message"]),
        (("events", "--kinds", "usage,u"), []),
        (("list", "--from", "claude,"), [f"claude,{name}" for name in READ if name != "claude"]),
        (("list", "--root", "cla"), ["claude="]),
        (("schema", "p"), ["pi"]),
        (("completion", ""), ["bash", "zsh", "fish"]),
        (("show", "--tools", "f"), ["full"]),
    ],
)
def test_commands_agents_targets_and_kinds_are_offered(words: tuple[str, ...], values: list[str]) -> None:
    assert offered(*words) == values


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        (("validate", "x"), "file"),
        (("show", "x"), "file"),
        (("convert", "x.jsonl", "-o", "x"), "file"),
        (("list", "--cwd", "x"), "dir"),
        (("list", "--root", "claude=x"), "dir"),
    ],
)
def test_files_and_folders_are_left_to_the_shell(words: tuple[str, ...], kind: str) -> None:
    found = ShellComplete(main, {}, "panscript", "_").get_completions(list(words[:-1]), words[-1])
    assert kind in [item.type for item in found]


class _Clock:
    """A clock that goes on by as much at every look."""

    def __init__(self, step: float) -> None:
        self._times: Iterator[float] = (number * step for number in range(10_000))

    def __call__(self) -> float:
        return next(self._times)


def _ids(home: Path, typed: str, step: float = 0, **asked: object) -> list[str]:
    ctx = click.Context(main)
    ctx.params = {"home": str(home), **asked}
    return [item.value for item in session_ids(ctx, typed, longest=1, clock=_Clock(step))]


def test_session_ids_are_offered_by_their_beginning(home: Path) -> None:
    assert sorted(_ids(home, "5a0")) == ["5a01", "5a02", "5a03"]
    assert _ids(home, "5a02") == ["5a02"]
    assert _ids(home, "zz") == []


def test_session_ids_are_those_of_the_agent_that_is_named(home: Path) -> None:
    assert _ids(home, "5a", from_agent="pi") == ["5a03"]
    assert sorted(_ids(home, "5a", agents="claude")) == ["5a01", "5a02"]


def test_a_search_that_takes_too_long_offers_no_ids(home: Path) -> None:
    assert _ids(home, "5a", step=2) == []


def test_a_home_that_is_not_there_offers_no_ids(tmp_path: Path) -> None:
    assert _ids(tmp_path / "missing", "5a") == []


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")
def test_bash_completes_with_the_script(tmp_path: Path) -> None:
    program = tmp_path / "panscript"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m panscript.cli "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    script = CliRunner().invoke(main, ["completion", "bash"]).stdout
    # What readline would do for `panscript convert --to p<TAB>`; `compopt` works only under readline.
    asks = "compopt() { :; }; COMP_WORDS=(panscript convert --to p); COMP_CWORD=3; _panscript_completion panscript"
    done = subprocess.run(
        ["bash", "-c", f'{script}\n{asks}; echo "${{COMPREPLY[@]}}"'],
        env={
            "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(tmp_path),
            "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("pi\n", "")
