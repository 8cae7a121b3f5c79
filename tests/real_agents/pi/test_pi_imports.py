"""Sessions imported into the real Pi's own store: it finds, opens and continues them; they grow with their source."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from tests.builders import assistant, user, write_rows
from tests.real_agents.conversions import panscript
from tests.real_agents.machine import MORE, NAME, PROMPT, TALK
from tests.real_agents.machine import Machine as AnyMachine
from tests.real_agents.model import INPUT_TOKENS, OUTPUT_TOKENS, REPLY, StandInModel
from tests.real_agents.pi.agent import Pi, Totals, Verdict
from tests.real_agents.process import Finished, private_environment, run
from tests.repository import ROOT


class Machine(AnyMachine):
    """One with Pi on it."""

    @property
    def files(self) -> list[Path]:
        """The sessions in Pi's store."""
        return sorted((self.home / ".pi").rglob("*.jsonl"))

    def bring(self, *options: str) -> tuple[Path, str]:
        """Import the session into the project; gives its path, and what was said on stderr."""
        finished = panscript("import", self.source, "--cwd", self.project, *options, home=self.home)
        assert finished.code == 0, finished.stderr
        (line,) = finished.stdout.splitlines()
        return Path(line), finished.stderr


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine.made(tmp_path)


def judged(pi: Pi, path: Path) -> Verdict:
    """What Pi makes of an import; it must be sound."""
    (verdict,) = pi.check([path])
    assert (verdict.errors, verdict.unparsable, verdict.duplicate_ids, verdict.dangling_parents) == ({}, [], 0, [])
    assert verdict.pairs is not None
    assert verdict.pairs.misfits == []
    return verdict


def in_pi(pi: Pi, machine: Machine, code: str, *args: str | Path) -> str:
    """Run some JavaScript with Pi's library as `pi`, in the project and with its home; gives what it prints."""
    modules = machine.home / "node_modules"
    if not modules.exists():
        modules.symlink_to(pi.installed.folder / "node_modules", target_is_directory=True)
    script = machine.home / "script.mjs"
    script.write_text(f'const pi = await import("@earendil-works/pi-coding-agent");\n{code}', encoding="utf-8")
    env = pi.environment() | {"HOME": str(machine.home), "USERPROFILE": str(machine.home)}
    finished = run([pi.installed.node, script, *args], cwd=machine.project, env=env, timeout=30)
    assert finished.code == 0, finished.stderr
    return finished.stdout


LIST = """
const rows = await pi.SessionManager.list(process.cwd());
const found = rows.map((row) => ({ path: row.path, name: row.name, parent: row.parentSessionPath ?? null }));
console.log(JSON.stringify({ found, byId: pi.SessionManager.findById(process.cwd(), process.argv[2]) ?? null }));
"""
NOTE = """
const manager = pi.SessionManager.open(process.argv[2]);
manager.appendThinkingLevelChange("high");
manager.appendSessionInfo("my import");
"""


def test_pi_finds_the_import_where_it_looks_for_sessions(pi: Pi, machine: Machine) -> None:
    write_rows(
        machine.source.with_suffix("") / "subagents" / "agent-k.jsonl",
        [
            user("s", None, "count", isSidechain=True, agentId="k"),
            assistant("t", "s", "2", isSidechain=True, agentId="k"),
        ],
    )
    path, _ = machine.bring()
    (child,) = set(machine.files) - {path}
    session_id = json.loads(path.read_bytes().split(b"\n")[0])["id"]
    shown = json.loads(in_pi(pi, machine, LIST, session_id))
    rows = {Path(row["path"]): row for row in shown["found"]}
    assert set(rows) == {path, child}
    assert rows[path]["name"] == NAME
    assert (rows[path]["parent"], rows[child]["parent"]) == (None, str(path))
    assert shown["byId"] == str(path)
    verdict = judged(pi, path)
    assert verdict.totals == Totals()
    assert verdict.texts("assistant") == ["hi"]


def test_an_import_once_is_one_file(pi: Pi, machine: Machine) -> None:
    first, _ = machine.bring("--once")
    again, said = machine.bring("--once")
    assert again == first
    assert machine.files == [first]
    assert "unchanged since it was imported" in said
    assert judged(pi, first).totals == Totals()


def test_an_import_grows_with_its_source(pi: Pi, machine: Machine, model: StandInModel) -> None:
    path, _ = machine.bring("--once")
    write_rows(machine.source, [*TALK, *MORE])
    again, said = machine.bring("--once")
    assert again == path
    assert "2 entries were added to the earlier import" in said
    verdict = judged(pi, path)
    assert verdict.totals == Totals()
    assert verdict.texts("user") == ["hello", "and now?"]
    assert verdict.texts("assistant") == ["hi", "done"]
    assert verdict.context is not None
    assert (verdict.context.tokens or 0) > 0
    (went_on,) = pi.check([path], prompt=PROMPT, model=model)
    assert went_on.continued is not None
    assert (went_on.continued.error, went_on.continued.reply) == (None, REPLY)
    assert went_on.continued.totals.input == INPUT_TOKENS
    assert went_on.continued.totals.output == OUTPUT_TOKENS


def test_what_pi_noted_beside_an_import_stays_when_it_grows(pi: Pi, machine: Machine) -> None:
    path, _ = machine.bring("--once")
    before = path.read_bytes()
    in_pi(pi, machine, NOTE, path)
    noted = path.read_bytes()
    assert noted.startswith(before)
    assert len(noted) > len(before)
    write_rows(machine.source, [*TALK, *MORE])
    again, _ = machine.bring("--once")
    assert again == path
    assert path.read_bytes().startswith(noted)
    verdict = judged(pi, path)
    assert verdict.texts("assistant") == ["hi", "done"]
    assert verdict.totals == Totals()
    assert verdict.listed is not None
    assert verdict.listed.name == "my import"


def test_an_import_that_pi_continued_is_left_as_it_is(pi: Pi, machine: Machine, model: StandInModel) -> None:
    path, _ = machine.bring("--once")
    finished = pi.prompt(path, PROMPT, cwd=machine.project, model=model)
    assert (finished.code, finished.stdout.strip()) == (0, REPLY), finished.stderr
    continued = path.read_bytes()
    assert machine.bring("--once")[0] == path
    write_rows(machine.source, [*TALK, *MORE])
    other, said = machine.bring("--once")
    assert other != path
    assert "it was imported once more: the import was continued in Pi" in said
    assert path.read_bytes() == continued
    old, new = judged(pi, path), judged(pi, other)
    assert old.texts("assistant") == ["hi", REPLY]
    assert old.totals is not None
    assert (old.totals.input, old.totals.output) == (INPUT_TOKENS, OUTPUT_TOKENS)
    assert new.texts("assistant") == ["hi", "done"]
    assert new.totals == Totals()


def _opened(pi: Pi, machine: Machine, model: StandInModel, *options: str) -> Finished:
    """`panscript import --open`, with a `pi` on the PATH that is the real one in print mode."""
    program = pi.installed.program("@earendil-works/pi-coding-agent", "pi")
    folder = machine.home / "bin"
    folder.mkdir()
    (folder / "pi").write_text(f'#!/bin/sh\nexec "{pi.installed.node}" "{program}" -p "$@" "{PROMPT}"\n')
    (folder / "pi").chmod(0o755)
    models = {
        "baseUrl": f"{model.url}/cli/v1",
        "apiKey": "none",
        "api": "openai-completions",
        "models": [{"id": "stand-in"}],
    }
    settings = machine.home / ".pi" / "agent"
    settings.mkdir(parents=True)
    (settings / "models.json").write_text(json.dumps({"providers": {"loopback": models}}), encoding="utf-8")
    more = {name: value for name, value in pi.environment().items() if name.startswith(("PI_", "NODE_"))}
    more |= {"PYTHONPATH": str(ROOT / ".src"), "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}
    env = private_environment(machine.home) | more
    command: list[str | Path] = [sys.executable, "-m", "panscript.cli", "import", machine.source, "--open", *options]
    return run(command, cwd=machine.home, env=env, timeout=60)


def test_open_starts_pi_on_the_session(pi: Pi, machine: Machine, model: StandInModel) -> None:
    finished = _opened(pi, machine, model, "--cwd", str(machine.project))
    assert finished.code == 0, finished.stderr
    path, reply = finished.stdout.strip().split("\n")
    assert reply == REPLY
    assert judged(pi, Path(path)).texts("user") == ["hello", PROMPT]
