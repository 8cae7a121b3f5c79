"""The extension inside the real Pi: a session of another agent is chosen, imported, opened and continued."""

from __future__ import annotations

import json
import os
import shutil
import sys
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

import pytest

from panscript.cli.version import VERSION
from panscript.writers.pi import extension
from tests.builders import SESSION, assistant, user, write_rows
from tests.real_agents.conversions import panscript
from tests.real_agents.model import INPUT_TOKENS, OUTPUT_TOKENS, REPLY, StandInModel
from tests.real_agents.pi.agent import Pi
from tests.real_agents.pi.rpc import Rpc, rpc
from tests.real_agents.process import private_environment
from tests.repository import ROOT

CODEX = ROOT / "fixtures/codex/home-0.171.0/sessions/2026/11/30"
THREAD = "rollout-2026-11-30T06-00-59-01a22b0a-d1e8-77c3-9fed-bef152ce32c4.jsonl"
COMMAND = "/import-session"
NOTICE = "Imported from Claude Code: usage excluded"


@dataclass(frozen=True)
class Machine:
    """A home with a project, a session of Claude Code in it, one of Codex elsewhere, and a model to go on with."""

    home: Path
    pi: Pi
    model: StandInModel

    @property
    def project(self) -> Path:
        """The folder in which Pi runs."""
        return self.home / "code" / "my.app"

    @property
    def claude(self) -> Path:
        """The session of Claude Code."""
        return self.home / ".claude" / "projects" / "-code" / f"{SESSION}.jsonl"

    @property
    def agent_folder(self) -> Path:
        """Pi's settings and extensions."""
        return self.home / ".pi" / "agent"

    def install(self) -> Path:
        """Install the extension as a person does."""
        finished = panscript("extension", "install", "pi", home=self.home)
        assert finished.code == 0, finished.stderr
        return Path(finished.stdout.removesuffix("\n"))

    def environment(self, **more: str) -> dict[str, str]:
        """Variables for Pi in this home; what it starts finds the program of this working tree."""
        quiet = {name: value for name, value in self.pi.environment().items() if name.startswith(("PI_", "NODE_"))}
        return private_environment(self.home, PYTHONPATH=str(ROOT / ".src"), **quiet) | more

    def start(self, *arguments: str | Path, **more: str) -> AbstractContextManager[Rpc]:
        """Start Pi in the project."""
        return rpc(self.pi, *arguments, cwd=self.project, env=self.environment(**more))


@pytest.fixture
def machine(pi: Pi, model: StandInModel, tmp_path: Path) -> Machine:
    made = Machine(tmp_path.resolve(), pi, model)
    made.project.mkdir(parents=True)
    rows = [user("u", None, "hello there", 1), assistant("a", "u", "hi", 2)]
    write_rows(made.claude, [{**row, "cwd": str(made.project)} for row in rows])
    threads = made.home / ".codex/sessions/2026/11/30"
    threads.mkdir(parents=True)
    shutil.copy(CODEX / THREAD, threads)
    made.agent_folder.mkdir(parents=True)
    loopback = {
        "baseUrl": f"{model.url}/rpc/v1",
        "apiKey": "none",
        "api": "openai-completions",
        "models": [{"id": "stand-in", "cost": {"input": 1, "output": 1, "cacheRead": 1, "cacheWrite": 1}}],
    }
    settings = {"providers": {"loopback": loopback}}
    (made.agent_folder / "models.json").write_text(json.dumps(settings), encoding="utf-8")
    return made


def chosen(running: Rpc, begin: str) -> None:
    """Choose the entry that begins like this from the list that is open."""
    request = running.until(type="extension_ui_request", method="select")
    (option,) = [each for each in request["options"] if each.startswith(begin)]
    running.send(type="extension_ui_response", id=request["id"], value=option)


def notices(running: Rpc) -> list[tuple[str, str]]:
    """What was notified so far: kind and first line."""
    return [(each["notifyType"], each["message"].split("\n")[0]) for each in running.shown("notify")]


def status(running: Rpc) -> str | None:
    """The status line as it is now."""
    shown = [each.get("statusText") for each in running.shown("setStatus") if each["statusKey"] == "panscript"]
    return shown[-1] if shown else None


def test_a_session_is_chosen_imported_and_opened_inside_of_pi(machine: Machine) -> None:
    machine.install()
    with machine.start() as pi:
        asked = pi.begin("prompt", message=COMMAND)
        request = pi.until(type="extension_ui_request", method="select")
        first, other = request["options"]
        assert first.startswith("[Claude Code] hello there · 2 messages · ")
        assert other == "All projects …"
        pi.send(type="extension_ui_response", id=request["id"], value=first)
        assert pi.answer(asked)["success"]
        assert notices(pi) == [("info", NOTICE)]
        assert status(pi) == "imported from Claude Code · usage excluded"
        stats = pi.ask("get_session_stats")
        messages = pi.ask("get_messages")["messages"]
        name = pi.ask("get_state")["sessionName"]
    assert set(stats["tokens"].values()) == {0}
    assert stats["cost"] == 0
    assert Path(stats["sessionFile"]).is_relative_to(machine.agent_folder / "sessions")
    texts = [block["text"] for each in messages if each["role"] != "system" for block in each["content"]]
    assert texts == ["hello there", "hi"]
    assert name == "Imported from Claude Code: hello there"


def test_words_after_the_command_filter_the_sessions_of_all_projects_where_this_one_has_none(machine: Machine) -> None:
    machine.install()
    with machine.start() as pi:
        asked = pi.begin("prompt", message=f"{COMMAND} codex see PICTURE")
        request = pi.until(type="extension_ui_request", method="select")
        assert [each.split(" · ")[:2] for each in request["options"]] == [
            ["[Codex] Do the work, see picture", "/home/dev/app"],
            ["This project …"],
        ]
        pi.send(type="extension_ui_response", id=request["id"], value=request["options"][0])
        assert pi.answer(asked)["success"]
        assert notices(pi) == [("info", "Imported from Codex: usage excluded")]
        stats = pi.ask("get_session_stats")
    assert set(stats["tokens"].values()) == {0}
    assert stats["cost"] == 0
    assert stats["userMessages"] > 0
    assert stats["toolCalls"] == stats["toolResults"] > 0


def test_an_opened_import_goes_on_and_only_what_is_new_is_counted(machine: Machine) -> None:
    machine.install()
    with machine.start() as pi:
        asked = pi.begin("prompt", message=COMMAND)
        chosen(pi, "All projects")
        chosen(pi, "[Claude Code] hello there")
        pi.answer(asked)
        pi.ask("prompt", message="And now?")
        pi.until(type="agent_settled")
        said = pi.ask("get_last_assistant_text")["text"]
        tokens = pi.ask("get_session_stats")["tokens"]
    assert said == REPLY
    assert (tokens["input"], tokens["output"]) == (INPUT_TOKENS, OUTPUT_TOKENS)
    (request,) = machine.model.asked_below("/rpc/")
    told = json.dumps(request.body["messages"])
    assert "hello there" in told
    assert "And now?" in told


def test_a_session_that_is_chosen_again_is_opened_again(machine: Machine) -> None:
    machine.install()
    files = []
    with machine.start() as pi:
        for _ in range(2):
            asked = pi.begin("prompt", message=COMMAND)
            chosen(pi, "[Claude Code]")
            pi.answer(asked)
            files.append(pi.ask("get_session_stats")["sessionFile"])
        said = pi.shown("notify")[-1]["message"]
    assert files[0] == files[1]
    assert said == f"{NOTICE}\nunchanged since it was imported"


def test_the_status_line_says_at_the_start_that_a_session_is_an_import_and_goes_with_it(machine: Machine) -> None:
    imported = panscript("import", machine.claude, "--cwd", machine.project, home=machine.home)
    machine.install()
    with machine.start("--session", imported.stdout.removesuffix("\n")) as pi:
        pi.ask("get_state")
        assert status(pi) == "imported from Claude Code · usage excluded"
        pi.ask("new_session")
        assert status(pi) is None
        assert notices(pi) == []


def test_nothing_happens_when_nothing_is_chosen(machine: Machine) -> None:
    machine.install()
    with machine.start() as pi:
        before = pi.ask("get_state")["sessionId"]
        asked = pi.begin("prompt", message=COMMAND)
        request = pi.until(type="extension_ui_request", method="select")
        pi.send(type="extension_ui_response", id=request["id"], cancelled=True)
        pi.answer(asked)
        assert pi.ask("get_state")["sessionId"] == before
        assert notices(pi) == []
    assert list(machine.agent_folder.rglob("*.jsonl")) == []


def test_an_import_that_fails_is_one_notice_and_the_session_stays(machine: Machine) -> None:
    machine.install()
    with machine.start() as pi:
        before = pi.ask("get_state")["sessionId"]
        asked = pi.begin("prompt", message=COMMAND)
        request = pi.until(type="extension_ui_request", method="select")
        machine.claude.unlink()
        pi.send(type="extension_ui_response", id=request["id"], value=request["options"][0])
        pi.answer(asked)
        ((kind, text),) = notices(pi)
        assert kind == "error"
        assert text.startswith(f"panscript: {machine.claude}: ")
        assert status(pi) is None
        assert pi.ask("get_state")["sessionId"] == before


def test_no_sessions_at_all_is_one_notice(machine: Machine) -> None:
    shutil.rmtree(machine.home / ".claude")
    shutil.rmtree(machine.home / ".codex")
    machine.install()
    with machine.start() as pi:
        pi.ask("prompt", message=COMMAND)
        assert notices(pi) == [("error", "No sessions of other agents were found")]


def gone(machine: Machine) -> None:
    """Install an extension that calls a program which is not there any more."""
    place = machine.install()
    names = {"claude": "Claude Code", "codex": "Codex"}
    place.write_bytes(extension.content(VERSION, [str(machine.home / "gone" / "panscript")], names))


def test_a_program_that_is_not_there_is_one_notice(machine: Machine) -> None:
    gone(machine)
    with machine.start(PATH=str(machine.home)) as pi:
        pi.ask("prompt", message=COMMAND)
        ((kind, text),) = notices(pi)
    assert kind == "error"
    assert text.startswith("panscript was not found: ")


def test_a_program_that_moved_is_found_on_the_path(machine: Machine) -> None:
    gone(machine)
    folder = machine.home / "bin"
    folder.mkdir()
    (folder / "panscript").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m panscript.cli "$@"\n', encoding="utf-8")
    (folder / "panscript").chmod(0o755)
    with machine.start(PATH=f"{folder}{os.pathsep}{os.environ['PATH']}") as pi:
        asked = pi.begin("prompt", message=COMMAND)
        chosen(pi, "[Claude Code]")
        pi.answer(asked)
        assert notices(pi) == [("info", NOTICE)]


def test_what_a_terminal_would_obey_is_not_shown(machine: Machine) -> None:
    row = user("u", None, "red \x1b[31malert\x07 \u202eback", 1)
    write_rows(machine.claude, [{**row, "cwd": str(machine.project)}])
    machine.install()
    with machine.start() as pi:
        pi.begin("prompt", message=COMMAND)
        request = pi.until(type="extension_ui_request", method="select")
    assert not any(set(each) & set("\x1b\x07\u202e") for each in request["options"])
    assert request["options"][0].startswith("[Claude Code] red ")


def test_sessions_that_look_the_same_can_be_told_apart(machine: Machine) -> None:
    other = machine.claude.with_name("22222222-2222-4222-8222-222222222222.jsonl")
    text = machine.claude.read_text(encoding="utf-8")
    other.write_text(text.replace(SESSION, other.stem), encoding="utf-8")
    machine.install()
    with machine.start() as pi:
        pi.begin("prompt", message=COMMAND)
        request = pi.until(type="extension_ui_request", method="select")
    assert sorted(each.split(" · ")[-1] for each in request["options"][:2]) == [SESSION, other.stem]


@pytest.mark.skipif(os.name == "nt", reason="there are no terminals to hand to a program")
def test_in_a_terminal_the_list_narrows_with_every_letter(machine: Machine) -> None:
    from tests.real_agents.pi.terminal import terminal

    machine.install()
    command: list[str | Path] = [machine.pi.installed.node, machine.pi.program, COMMAND]
    with terminal(command, cwd=machine.project, env=machine.environment()) as screen:
        assert "Codex" not in screen.until("› Claude Code hello there").partition("Import a session")[2]
        screen.type("\t")
        screen.until("› Codex Do the work, see picture")
        screen.type("the")
        screen.until("> the")
        screen.type("re")
        assert "Codex" not in screen.until("› Claude Code hello there")
        screen.type("\r")
        opened = screen.until("imported from Claude Code · usage excluded")
    banner, notice = opened.index("Imported from Claude Code · 2"), opened.index(NOTICE)
    assert banner < opened.index("hello there", banner) < notice
    assert "Resumed session" not in opened[notice:]
