"""The real Pi: its library as the judge of session files (``check.mjs``), and its command line as a user runs it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from tests.real_agents.model import StandInModel
from tests.real_agents.npm import Installed
from tests.real_agents.process import Finished, private_environment, run

__all__ = ["Call", "Context", "Continued", "Listed", "Message", "Pairs", "Pi", "Provider", "Totals", "Verdict"]

_HERE = Path(__file__).parent
_START_SECONDS = 30.0
_FILE_SECONDS = 5.0


class _FromPi(msgspec.Struct, rename="camel"):
    pass


class Listed(_FromPi):
    """The row of /resume."""

    name: str | None
    first_message: str
    message_count: int
    cwd: str


class Call(_FromPi):
    """A tool call in an assistant message."""

    id: str
    name: str
    input: dict[str, Any]


class Message(_FromPi):
    """One thing on the live branch. ``answers`` is the id of the call that a tool result is for."""

    role: str
    text: str
    calls: list[Call] = []
    answers: str | None = None
    name: str | None = None
    error: bool = False
    api: str | None = None
    model: str | None = None


class Pairs(_FromPi):
    """Calls and results on the live branch: how many, and the ids of those that do not fit."""

    calls: int
    results: int
    orphan_calls: list[str]
    orphan_results: list[str]
    duplicate_calls: list[str]
    duplicate_results: list[str]

    @property
    def misfits(self) -> list[str]:
        """The ids of all that do not fit."""
        return self.orphan_calls + self.orphan_results + self.duplicate_calls + self.duplicate_results


class Totals(_FromPi, kw_only=True):
    """What /session adds up, in tokens and US dollars."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0
    cost: float = 0.0


class Context(_FromPi):
    """The context gauge of the footer; ``tokens`` is None where Pi shows a question mark."""

    tokens: int | None
    context_window: int
    percent: float | None


class Provider(_FromPi):
    """A request built for one provider, and why that provider would refuse it."""

    turns: int
    reasoning: int
    refused: list[str]


class Continued(_FromPi):
    """One more prompt: what Pi appended, the answer, and the numbers afterwards."""

    added: list[str]
    compactions: list[str]
    reply: str
    stop_reason: str | None
    error: str | None
    totals: Totals
    context: Context | None


class Verdict(_FromPi):
    """What Pi makes of one session file. What could not be found out is None, and its reason stands in ``errors``."""

    file: str
    loaded: bool
    errors: dict[str, str]
    unparsable: list[int]
    listed: Listed | None
    session_id: str | None = None
    duplicate_ids: int | None = None
    dangling_parents: list[str] | None = None
    messages: int | None = None
    import_head: dict[str, Any] | None = None
    conversation: list[Message] = []
    pairs: Pairs | None = None
    restores: str | None = None
    requests: dict[str, Provider] | None = None
    totals: Totals | None = None
    context: Context | None = None
    html: int | None = None
    jsonl: int | None = None
    continued: Continued | None = None

    def texts(self, role: str) -> list[str]:
        """The texts of one role on the live branch."""
        return [message.text for message in self.conversation if message.role == role]


class Pi:
    """An installed Pi that works below ``folder`` and sees nothing of this user's own Pi."""

    def __init__(self, installed: Installed, folder: Path) -> None:
        self.installed = installed
        self._folder = folder
        # The judge imports Pi's library, which node looks for beside the importing file.
        (folder / "node_modules").symlink_to(installed.folder / "node_modules", target_is_directory=True)
        for script in _HERE.glob("*.mjs"):
            shutil.copy(script, folder)

    @property
    def program(self) -> Path:
        """The script behind the command ``pi``."""
        return self.installed.program("@earendil-works/pi-coding-agent", "pi")

    def check(
        self, files: Sequence[Path], *, prompt: str | None = None, model: StandInModel | None = None
    ) -> list[Verdict]:
        """Judge the files, in one run of node. Pi works on copies.

        With ``prompt`` and ``model`` each session is continued; file number n asks below ``/n/`` of the model.
        """
        more = ["--prompt", prompt, "--model", model.url] if prompt is not None and model is not None else []
        command: list[str | Path] = [self.installed.node, self._folder / "check.mjs", *more, *files]
        limit = _START_SECONDS + _FILE_SECONDS * len(files)
        finished = run(command, cwd=self._folder, env=self.environment(), timeout=limit)
        if finished.code:
            raise AssertionError(f"the judge ended with {finished.code}: {finished.stderr}")
        return [msgspec.json.decode(line, type=Verdict) for line in finished.stdout.split("\n") if line]

    def prompt(self, file: Path, text: str, *, cwd: Path, model: StandInModel) -> Finished:
        """Run ``pi -p --session FILE TEXT``, which appends to ``file`` and asks below ``/cli/`` of the model."""
        models = {
            "baseUrl": f"{model.url}/cli/v1",
            "apiKey": "none",
            "api": "openai-completions",
            "models": [{"id": "stand-in", "cost": {"input": 1, "output": 1, "cacheRead": 1, "cacheWrite": 1}}],
        }
        settings = self._folder / "settings"
        settings.mkdir(exist_ok=True)
        (settings / "models.json").write_text(json.dumps({"providers": {"loopback": models}}), encoding="utf-8")
        return run(
            [self.installed.node, self.program, "-p", "--session", file, text],
            cwd=cwd,
            env=self.environment(PI_CODING_AGENT_DIR=str(settings)),
            timeout=_START_SECONDS,
        )

    def environment(self, **more: str) -> dict[str, str]:
        """Variables for node: a home of its own, no start-up traffic, and connections to this machine only."""
        guard = (_HERE.parent / "loopback.mjs").as_uri()
        quiet = {"PI_OFFLINE": "1", "PI_TELEMETRY": "0", "PI_SKIP_VERSION_CHECK": "1"}
        return private_environment(self._folder / "home", NODE_OPTIONS=f"--import={guard}", **quiet, **more)
