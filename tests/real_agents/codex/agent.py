"""The real Codex as the judge of session files: it lists, shows, resumes and continues them in a home of its own."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import zstandard

from tests.real_agents.codex.app_server import AppServer, RefusedError, app_server
from tests.real_agents.codex.request import turns_of
from tests.real_agents.meant import Said, Turn
from tests.real_agents.model import Request, StandInModel
from tests.real_agents.npm import Installed, UnavailableError
from tests.real_agents.process import Finished, private_environment, run

__all__ = ["Codex", "Listed", "Verdict"]

_START_SECONDS = 30.0
_FILE_SECONDS = 3.0
_NAME = re.compile(r"rollout-(\d{4})-(\d\d)-(\d\d)T[\d-]{8}-([\da-f-]{36})(?:_[\da-f-]{36})?\.jsonl(?:\.zst)?")
_PROVIDER = "stand-in"
_KINDS = (
    "cli", "vscode", "exec", "appServer", "subAgent", "subAgentReview", "subAgentCompact", "subAgentThreadSpawn",
    "subAgentOther", "unknown",
)  # fmt: skip
Record = dict[str, Any]


@dataclass(frozen=True)
class Listed:
    """The row of a list of sessions. `plainly`: it stands in the list that a person sees without asking for more;
    `updated`, in seconds since 1970, is what the list is sorted by.
    """

    name: str | None
    preview: str
    cwd: str
    source: Any
    updated: int
    plainly: bool


@dataclass
class Verdict:
    """What Codex makes of one session file; what it refused stands in `refusals`, by the name of the request.

    `shown` are the items that a person sees, `told` is what the model is told of the session before the prompt, without
    Codex' instructions and the context that it adds to every first prompt; `asked` is the same as it was sent. `left`
    is the file afterwards.
    """

    file: Path
    thread: str
    listed: Listed | None = None
    shown: list[Record] = field(default_factory=list)
    told: list[Turn] = field(default_factory=list)
    asked: list[Record] = field(default_factory=list)
    instructions: str | None = None
    refusals: dict[str, str] = field(default_factory=dict)
    left: Path | None = None

    def texts(self, kind: str) -> list[str]:
        """What the items of one type say, as they are shown."""
        return [_shown_text(item) for item in self.shown if item["type"] == kind]


class Codex:
    """An installed Codex that works below `folder` and sees nothing of this user's own Codex."""

    def __init__(self, installed: Installed, folder: Path) -> None:
        # The command of the package is a script that looks for this program and starts it; it is started directly
        # here so that ending it needs no help of the script.
        found = sorted(installed.folder.glob("node_modules/@openai/codex-*/vendor/*/bin/codex*"))
        if not found:
            raise UnavailableError("the package of @openai/codex for this platform is not there")
        self.program = found[0]
        self._folder = folder
        self._homes = 0

    def check(
        self,
        files: Sequence[Path],
        *,
        session_index: bytes | None = None,
        prompt: str | None = None,
        model: StandInModel | None = None,
    ) -> list[Verdict]:
        """Judge the threads in these files, in one run. Codex works on copies in one home of its own, so that a file
        may be the base of another one. With `prompt` and `model` each thread is continued.
        """
        top = self._home(files, model, session_index)
        # The files of one thread are its segments; the last one has the last word.
        threads = {_thread(file): file for file in files}
        verdicts = [Verdict(file, thread) for thread, file in threads.items()]
        seconds = _START_SECONDS + _FILE_SECONDS * len(files)
        env = _environment(top)
        with app_server(
            self.program, cwd=top / "project", env=env, errors=top / "errors.txt", seconds=seconds
        ) as server:
            everything, plain = _listed(server, _KINDS), _listed(server, ())
            for verdict in verdicts:
                row = everything.get(verdict.thread)
                verdict.listed = _row(row, plainly=verdict.thread in plain) if row is not None else None
                _continue(server, verdict, top, prompt, model)
        return verdicts

    def prompt(self, file: Path, text: str, *, cwd: Path, model: StandInModel) -> tuple[Finished, Path]:
        """Run ``codex exec resume ID TEXT`` in a home with a copy of this file, as a person does in a terminal.

        Gives how it ended, and the copy as Codex left it.
        """
        top = self._home([file], model, None)
        command: list[str | Path] = [self.program, "exec", "--skip-git-repo-check", "resume", _thread(file), text]
        finished = run(command, cwd=cwd, env=_environment(top), timeout=_START_SECONDS)
        return finished, top / "home" / ".codex" / _place(file)

    def _home(self, files: Sequence[Path], model: StandInModel | None, session_index: bytes | None) -> Path:
        """A folder with a home for Codex, in which these sessions are, and an empty project."""
        self._homes += 1
        top = self._folder / f"{self._homes:03}"
        home = top / "home" / ".codex"
        (top / "project").mkdir(parents=True)
        for file in files:
            place = home / _place(file)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(file, place)
        if session_index is not None:
            (home / "session_index.jsonl").write_bytes(session_index)
        (home / "config.toml").write_text(_settings(files, model), encoding="utf-8")
        return top


def _environment(top: Path) -> dict[str, str]:
    """Variables for Codex: its own home, a key that opens nothing, and a proxy that is not there."""
    nowhere = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"), "http://127.0.0.1:9")
    direct = dict.fromkeys(("NO_PROXY", "no_proxy"), "127.0.0.1")
    own = {"CODEX_HOME": str(top / "home" / ".codex"), "STAND_IN_KEY": "none", "OPENAI_API_KEY": "none"}
    return private_environment(top / "home", **own, **nowhere, **direct)


def _place(file: Path) -> Path:
    """Where a session file of this name lies in Codex' home."""
    found = _NAME.fullmatch(file.name)
    if file.parent.name == "archived_sessions" or not found:
        return Path(file.parent.name, file.name)
    return Path("sessions", found[1], found[2], found[3], file.name)


def _thread(file: Path) -> str:
    found = _NAME.fullmatch(file.name)
    return found[4] if found else file.stem


def _first(file: Path) -> Record:
    """The payload of the first line, or nothing."""
    data = file.read_bytes()
    if file.suffix == ".zst":
        data = zstandard.ZstdDecompressor().decompressobj().decompress(data)
    try:
        payload: Record = json.loads(data.split(b"\n", 1)[0])["payload"]
    except (ValueError, KeyError):
        return {}
    return payload


def _settings(files: Sequence[Path], model: StandInModel | None) -> str:
    """Settings for Codex: the stand-in is the model of every provider a file names, and nothing else is reached."""
    # Without a model nothing is asked; the address is that of a port nobody listens on.
    url = f"{model.url if model else 'http://127.0.0.1:9'}/v1"
    named = {str(_first(file).get("model_provider", "openai")) for file in files} - {"openai"}
    providers = "".join(
        f"[model_providers.{json.dumps(name)}]\n"
        f'name = "Stand-in"\nbase_url = "{url}"\nwire_api = "responses"\nenv_key = "STAND_IN_KEY"\n'
        "request_max_retries = 0\nstream_max_retries = 0\n"
        for name in sorted({_PROVIDER, *named})
    )
    return f"""model = "gpt-5.5"
model_provider = "{_PROVIDER}"
openai_base_url = "{url}"
approval_policy = "never"
sandbox_mode = "read-only"
check_for_update_on_startup = false
web_search = "disabled"
[analytics]
enabled = false
[feedback]
enabled = false
[features]
apps = false
plugins = false
[skills]
include_instructions = false
[skills.bundled]
enabled = false
{providers}"""


def _listed(server: AppServer, kinds: Sequence[str]) -> dict[str, Record]:
    """All rows by thread, archived ones too; without `kinds` what a list shows when nothing is asked for."""
    rows: dict[str, Record] = {}
    for archived in (False, True):
        cursor = None
        while True:
            more = {"sourceKinds": list(kinds)} if kinds else {}
            page = server.ask("thread/list", limit=100, cursor=cursor, modelProviders=[], archived=archived, **more)
            rows |= {row["id"]: row for row in page["data"]}
            cursor = page.get("nextCursor")
            if not cursor:
                break
    return rows


def _row(row: Record, *, plainly: bool) -> Listed:
    return Listed(row["name"], row["preview"], row["cwd"], row["source"], row["updatedAt"], plainly)


def _continue(server: AppServer, verdict: Verdict, top: Path, prompt: str | None, model: StandInModel | None) -> None:
    """Resume, show, and with a prompt ask the model. What is refused is noted, and nothing is asked after that."""
    step = "thread/resume"
    try:
        # The folder of the session may not be on this machine, its provider may not be the one of the settings.
        provider = _first(verdict.file).get("model_provider") or _PROVIDER
        resumed = server.ask(step, threadId=verdict.thread, cwd=str(top / "project"), modelProvider=provider)
        verdict.left = Path(resumed["thread"]["path"])
        step = "thread/read"
        thread = server.ask(step, threadId=verdict.thread, includeTurns=True)["thread"]
        verdict.shown = [item for turn in thread["turns"] for item in turn["items"]]
        if prompt is not None and model is not None:
            step = "turn/start"
            before, asked = b"".join(file.read_bytes() for file in top.rglob("rollout-*.jsonl")), len(model.requests)
            turn = server.turn(verdict.thread, prompt)
            if turn["status"] != "completed":
                raise RefusedError(str(turn))
            _take(verdict, model.requests[asked:], prompt, before)
    except RefusedError as reason:
        verdict.refusals[step] = str(reason)


def _take(verdict: Verdict, requests: Sequence[Request], prompt: str, before: bytes) -> None:
    """Divide what was asked: Codex' instructions, the session, what Codex adds, the prompt.

    What it adds has ids that stand in no file `before`; an item of the session has one that does, or none.
    """
    if len(requests) != 1:
        raise RefusedError(f"{len(requests)} requests")
    (request,) = requests
    first, *told = request.body["input"]
    if first["type"] != "message" or first["role"] != "developer":
        raise RefusedError(f"the request begins with {first}")
    verdict.instructions = first["content"][0]["text"]
    fresh = []
    while told and "id" in told[-1] and told[-1]["id"].encode() not in before:
        fresh.append(told.pop())
    if turns_of(fresh[:1]) != [Turn("user", (Said(prompt),))]:
        raise RefusedError(f"the request ends with {(fresh or told)[:1]}")
    verdict.asked, verdict.told = told, turns_of(told)


def _shown_text(item: Record) -> str:
    """What a person reads of an item that is a message or reasoning."""
    if "text" in item:
        return str(item["text"])
    pieces = (item.get("content") or []) + (item.get("summary") or [])
    return "".join(piece if isinstance(piece, str) else piece.get("text", "") for piece in pieces)
