"""Sessions imported into Codex' own store: the real Codex finds and continues them, with what was said since."""

from __future__ import annotations

from pathlib import Path

import pytest

from panscript.readers import read_events
from panscript.stages import prepare
from tests.builders import assistant, user, write_rows
from tests.real_agents.codex.agent import Codex, Verdict
from tests.real_agents.codex.comparison import told_otherwise
from tests.real_agents.conversions import panscript
from tests.real_agents.machine import MORE, NAME, PROMPT, TALK
from tests.real_agents.machine import Machine as AnyMachine
from tests.real_agents.model import REPLY, stand_in_model


class Machine(AnyMachine):
    """One with Codex on it."""

    @property
    def files(self) -> list[Path]:
        """The threads in Codex' store."""
        return sorted((self.home / ".codex" / "sessions").glob("*/*/*/rollout-*.jsonl"))

    def bring(self, *options: str) -> Path:
        """Import the session into the project; gives its path."""
        options = ("--to", "codex", *options)
        finished = panscript("import", self.source, "--cwd", self.project, *options, home=self.home)
        assert finished.code == 0, finished.stderr
        return Path(finished.stdout.splitlines()[0])

    def judged(self, codex: Codex) -> dict[Path, Verdict]:
        """What Codex makes of its store."""
        index = (self.home / ".codex" / "session_index.jsonl").read_bytes()
        with stand_in_model() as model:
            verdicts = codex.check(self.files, session_index=index, prompt=PROMPT, model=model)
        assert [verdict.refusals for verdict in verdicts] == [{}] * len(verdicts)
        return {verdict.file: verdict for verdict in verdicts}

    def told_otherwise(self, verdict: Verdict) -> list[str]:
        """What Codex tells of the import otherwise than the source means it."""
        return told_otherwise(prepare(read_events(str(self.source))), verdict.told, home=False)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine.made(tmp_path)


def test_codex_finds_the_import_where_it_looks_for_sessions(codex: Codex, machine: Machine) -> None:
    write_rows(
        machine.source.with_suffix("") / "subagents" / "agent-k.jsonl",
        [
            user("s", None, "count", isSidechain=True, agentId="k"),
            assistant("t", "s", "2", isSidechain=True, agentId="k"),
        ],
    )
    path = machine.bring()
    verdicts = machine.judged(codex)
    main = verdicts.pop(path)
    (child,) = verdicts.values()
    assert main.listed is not None
    assert child.listed is not None
    assert (main.listed.name, main.listed.cwd, main.listed.plainly) == (NAME, str(machine.project), True)
    assert machine.told_otherwise(main) == []
    assert not child.listed.plainly
    assert child.listed.source["subAgent"]["thread_spawn"]["parent_thread_id"] == main.thread
    assert child.texts("agentMessage") == ["2"]


def test_the_command_line_goes_on_with_an_import(codex: Codex, machine: Machine) -> None:
    with stand_in_model() as model:
        finished, _ = codex.prompt(machine.bring(), PROMPT, cwd=machine.project, model=model)
    assert (finished.code, finished.stdout.strip()) == (0, REPLY), finished.stderr


def test_what_was_said_since_comes_with_the_next_import(codex: Codex, machine: Machine) -> None:
    path = machine.bring("--once")
    before = path.read_bytes()
    assert machine.bring("--once") == path
    write_rows(machine.source, TALK + MORE)
    # The same thread or, as long as a thread cannot be added to, another one.
    grown = machine.bring("--once")
    assert path.read_bytes().startswith(before)
    verdict = machine.judged(codex)[grown]
    assert machine.told_otherwise(verdict) == []
    assert verdict.texts("userMessage") == ["hello", "and now?"]
    assert verdict.listed is not None
    assert verdict.listed.name == NAME


def test_what_codex_went_on_with_is_not_touched(codex: Codex, machine: Machine) -> None:
    path = machine.bring("--once")
    left = machine.judged(codex)[path].left
    assert left is not None
    path.write_bytes(left.read_bytes())
    before = path.read_bytes()
    assert machine.bring("--once") == path
    write_rows(machine.source, TALK + MORE)
    other = machine.bring("--once")
    assert other != path
    assert path.read_bytes() == before
    assert machine.told_otherwise(machine.judged(codex)[other]) == []
