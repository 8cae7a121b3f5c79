"""The real Claude Code: it resumes a session in a home of its own, and the Agent SDK lists sessions as it does."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import msgspec

from tests.real_agents.meant import Call, Media, Part, Ran, Result, Said, Thought, Turn, digest, joined
from tests.real_agents.model import StandInModel
from tests.real_agents.npm import Installed, UnavailableError
from tests.real_agents.process import TookTooLongError, private_environment, run

__all__ = ["PROMPT", "Claude", "Listed", "Restored", "Subagent", "Task", "turns_of"]

PROMPT = "What did we talk about?"
Record = dict[str, Any]
_HERE = Path(__file__).parent
_SECONDS = 60.0
_KEY = "none-sk-ant-stand-in-key"
_LONGEST_FOLDER = 200
_STREAMS = re.compile(r"<bash-stdout>(.*?)</bash-stdout>(?:<bash-stderr>(.*?)</bash-stderr>)?\s*", re.DOTALL)
_COMMAND = re.compile(r"<bash-input>(.*?)</bash-input>\s*", re.DOTALL)


class Subagent(msgspec.Struct):
    """A sub-agent's transcript as the SDK finds it beside its parent; ``call`` is the parent's tool call."""

    messages: list[Record]
    call: str | None


class Listed(msgspec.Struct, rename="camel"):
    """A row of the list of sessions."""

    session_id: str
    title: str
    rows: int
    agents: dict[str, Subagent]
    custom_title: str | None = None
    first_prompt: str | None = None
    cwd: str | None = None


@dataclass(frozen=True)
class Task:
    """A session to be resumed: its file, and the folder of the same name with what belongs to it, if there is one."""

    file: Path
    session_id: str
    companion: Path | None = None


@dataclass(frozen=True)
class Restored:
    """What came of one resume."""

    ok: bool
    error: str
    turns: list[Turn] = field(default_factory=list)
    """The conversation that was sent to the model, without the new prompt."""
    prompted: bool = False
    """The new prompt stood at its end."""
    messages: list[Record] = field(default_factory=list)
    """The same as it was sent."""
    grown: Path = Path()
    """The file as the agent left it."""
    forks: tuple[Path, ...] = ()
    """Other session files that it wrote."""
    kept: bool = False
    """What stood in the file is still there, before what was added."""


class Claude:
    """An installed Claude Code that works below ``folder`` and sees nothing of this user's own."""

    def __init__(self, installed: Installed, listing: Installed, folder: Path) -> None:
        # The command of the package is a script that looks for this program; it is started directly here.
        found = sorted(installed.folder.glob("node_modules/@anthropic-ai/claude-code-*/claude*"))
        if not found:
            raise UnavailableError("the package of @anthropic-ai/claude-code for this platform is not there")
        self.program = found[0]
        self._node = listing.node
        self._folder = folder.resolve()
        self._numbers = count(1)
        # node looks for the SDK beside the importing file.
        (folder / "node_modules").symlink_to(listing.folder / "node_modules", target_is_directory=True)
        shutil.copy(_HERE / "sessions.mjs", folder)

    def lists(self, projects: Sequence[Path]) -> list[dict[str, Listed]]:
        """The sessions that are listed, by id, for each folder given, which is laid out as the projects folder."""
        homes = [self._folder / f"listed-{next(self._numbers):03}" for _ in projects]
        for home, folder in zip(homes, projects, strict=True):
            home.mkdir()
            (home / "projects").symlink_to(folder.resolve(), target_is_directory=True)
        command: list[str | Path] = [self._node, self._folder / "sessions.mjs", *homes]
        guard = (_HERE.parent / "loopback.mjs").as_uri()
        env = private_environment(self._folder / "node-home", NODE_OPTIONS=f"--import={guard}")
        finished = run(command, cwd=self._folder, env=env, timeout=_SECONDS)
        if finished.code:
            raise AssertionError(f"listing ended with {finished.code}: {finished.stderr}")
        lines = [line for line in finished.stdout.split("\n") if line]
        found = [msgspec.json.decode(line, type=list[Listed]) for line in lines]
        return [{row.session_id: row for row in rows} for rows in found]

    def resume_all(self, tasks: Iterable[Task], model: StandInModel) -> list[Restored]:
        """Resume each of them, two at a time."""
        with ThreadPoolExecutor(2) as workers:
            return list(workers.map(lambda task: self.resume(task, model), tasks))

    def resume(self, task: Task, model: StandInModel, *options: str) -> Restored:
        """Put the session into a fresh home and go on with it there."""
        home = self._folder / f"{next(self._numbers):03}"
        project = home / "project"
        project.mkdir(parents=True)
        place = home / ".claude" / "projects" / _folder_name(project) / f"{task.session_id}.jsonl"
        place.parent.mkdir(parents=True)
        shutil.copyfile(task.file, place)
        if task.companion is not None and task.companion.is_dir():
            shutil.copytree(task.companion, place.with_suffix(""))
        return self.go_on(place, project, model, *options)

    def go_on(self, place: Path, project: Path, model: StandInModel, *options: str) -> Restored:
        """Run ``claude -p PROMPT --resume ID`` in the project, for a session that lies where the agent looks for it.

        :param place: ``.claude/projects/FOLDER/ID.jsonl`` below some home folder.
        """
        settings = place.parents[2]
        (settings / ".claude.json").write_text(json.dumps(_state(project)), encoding="utf-8")
        before = place.read_bytes()
        prefix = f"/{next(self._numbers)}"
        command: list[str | Path] = [self.program, "-p", PROMPT, "--resume", place.stem, *options]
        env = _environment(settings.parent, f"{model.url}{prefix}")
        try:
            finished = run(command, cwd=project, env=env, timeout=_SECONDS)
        except TookTooLongError as reason:
            return Restored(False, str(reason), grown=place)
        asked = [request.body for request in model.asked_below(f"{prefix}/") if request.body.get("tools")]
        error = "" if finished.code == 0 and asked else f"{finished.code}: {finished.stderr}{finished.stdout}"[:800]
        messages = asked[0]["messages"] if asked else []
        turns, prompted = _without_prompt(turns_of(messages))
        forks = tuple(path for path in sorted(place.parent.glob("*.jsonl")) if path != place)
        kept = place.read_bytes().startswith(before)
        return Restored(not error, error, turns, prompted, messages, place, forks, kept)


def turns_of(messages: Iterable[Record]) -> list[Turn]:
    """The messages of a request to the Anthropic API as turns."""
    return joined((message["role"], _parts(message["content"])) for message in messages)


def _parts(content: str | list[Record]) -> list[Part]:
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    return [part for block in blocks for part in _part(block)]


def _part(block: Record) -> list[Part]:
    kind = block["type"]
    if kind == "text":
        return [_typed(block["text"])]
    if kind == "tool_use":
        return [Call(block["id"], block["name"], block["input"])]
    if kind == "thinking":
        return [Thought(block["thinking"], block.get("signature"))]
    if kind == "redacted_thinking":
        return [Thought("", block["data"])]
    if kind in {"image", "document"}:
        return [Media(digest(block["source"]["data"]))]
    if kind == "tool_result":
        inner = _parts(block.get("content") or [])
        texts = tuple(part.text for part in inner if isinstance(part, Said))
        media = tuple(part.digest for part in inner if isinstance(part, Media))
        return [Result(block["tool_use_id"], texts, bool(block.get("is_error")), media)]
    raise AssertionError(f"a block of type {kind} was sent")


def _typed(text: str) -> Part:
    """What a text is: a command that the person ran with ``!``, what it printed, or just text."""
    if command := _COMMAND.fullmatch(text):
        return Ran(command[1], None)
    if streams := _STREAMS.fullmatch(text):
        return Ran(None, "\n".join(stream for stream in streams.groups() if stream))
    return Said(text)


def _without_prompt(turns: list[Turn]) -> tuple[list[Turn], bool]:
    # Behind the prompt the agent may describe the environment, in a message of its own role.
    said = [turn for turn in turns if turn.role != "system"]
    if not said or said[-1].role != "user" or Said(PROMPT) not in said[-1].parts:
        return turns, False
    *before, last = said
    rest = tuple(part for part in last.parts if part != Said(PROMPT))
    return [*before, Turn("user", rest)] if rest else before, True


def _folder_name(cwd: Path) -> str:
    """The name of a project's folder. Longer ones get a hash, which a test does not need."""
    name = re.sub(r"[^a-zA-Z0-9]", "-", str(cwd))
    if len(name) > _LONGEST_FOLDER:
        raise UnavailableError(f"the folder for tests has too long a name: {cwd}")
    return name


def _state(project: Path) -> Record:
    """What the agent would have asked at its first start."""
    return {
        "hasCompletedOnboarding": True,
        "theme": "dark",
        "customApiKeyResponses": {"approved": [_KEY[-20:]], "rejected": []},
        "projects": {str(project): {"hasTrustDialogAccepted": True}},
    }


def _environment(home: Path, url: str) -> dict[str, str]:
    """Its own home, a key that opens nothing, nothing sent beside the request, and a proxy that is not there."""
    nowhere = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"), "http://127.0.0.1:9")
    direct = dict.fromkeys(("NO_PROXY", "no_proxy"), "127.0.0.1")
    quiet = (
        "DISABLE_AUTOUPDATER",
        "DISABLE_TELEMETRY",
        "DISABLE_ERROR_REPORTING",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
    )
    own = {"CLAUDE_CONFIG_DIR": str(home / ".claude"), "ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": _KEY}
    return private_environment(home, **own, **dict.fromkeys(quiet, "1"), **nowhere, **direct)
