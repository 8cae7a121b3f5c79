"""The extension inside the real Pi: a session of another agent is chosen, imported, opened and continued."""

from __future__ import annotations

import json
import shutil
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
