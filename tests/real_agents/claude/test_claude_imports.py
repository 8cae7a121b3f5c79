"""Sessions imported into Claude Code's own store: it finds them in their project, whatever that is called."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from panscript.readers import read_events
from panscript.stages import prepare
from tests.real_agents.claude.agent import PROMPT, Claude
from tests.real_agents.claude.rules import as_imported, as_sent, flat, without_thoughts
from tests.real_agents.conversions import PI_SOURCES, SOURCES, Source, panscript
from tests.real_agents.meant import Said, Turn, meant
from tests.real_agents.model import REPLY, StandInModel
from tests.real_agents.process import Finished

SOURCE = next(source for source in PI_SOURCES if source.session_id == "agent-run")
PROJECTS = ["app", "my app.v2_Ü\U0001f600", "a" * 70 + "/" + "b" * 70 + "/" + "ü" * 70]


@dataclass
class Machine:
    """A home folder with a project in it."""

    home: Path
    project: Path

    def bring(self, source: Source | Path, *options: str) -> tuple[Path, Finished]:
        """`panscript import`: the file and what was said."""
        path = source.path if isinstance(source, Source) else source
        arguments: list[str | Path] = ["import", path, "--to", "claude", "--cwd", self.project, "--no-redact", *options]
        finished = panscript(*arguments, home=self.home)
        assert finished.code == 0, finished.stderr
        return Path(finished.stdout.split("\n")[0]), finished


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    home, project = tmp_path / "home", tmp_path / "app"
    home.mkdir()
    project.mkdir()
    return Machine(home, project)


@pytest.mark.parametrize("name", PROJECTS, ids=["plain", "odd", "long"])
def test_the_agent_finds_an_import_in_its_project(
    claude: Claude, machine: Machine, model: StandInModel, tmp_path: Path, name: str
) -> None:
    machine.project = tmp_path / name
    machine.project.mkdir(parents=True, exist_ok=True)
    path, _ = machine.bring(SOURCE)
    restored = claude.go_on(path, machine.project, model)
    assert restored.ok, restored.error
    sent = as_sent(restored.turns)
    expected = as_imported(meant(prepare(read_events(str(SOURCE.path)))), sent)
    assert flat(without_thoughts(sent)) == flat(without_thoughts(expected))
    assert restored.kept
    (listed,) = claude.lists([path.parents[1]])
    assert listed[path.stem].cwd == str(machine.project)


def test_an_import_that_was_gone_on_with_is_left_as_it_is(
    claude: Claude, machine: Machine, model: StandInModel
) -> None:
    path, _ = machine.bring(SOURCE, "--once")
    again, _ = machine.bring(SOURCE, "--once")
    assert again == path
    assert claude.go_on(path, machine.project, model).ok
    grown = path.read_bytes()
    assert machine.bring(SOURCE, "--once")[0] == path
    assert path.read_bytes() == grown
    restored = claude.go_on(path, machine.project, model)
    assert restored.ok, restored.error
    said = as_sent(restored.turns)[-2:]
    assert Said(PROMPT) in said[0].parts
    assert said[1] == Turn("assistant", (Said(REPLY),))


def test_what_came_since_an_import_comes_with_the_next_one(
    claude: Claude, machine: Machine, model: StandInModel, tmp_path: Path
) -> None:
    lines = SOURCE.path.read_bytes().splitlines(keepends=True)
    source = tmp_path / "session.jsonl"
    source.write_bytes(b"".join(lines[:11]))
    first, _ = machine.bring(source, "--once")
    earlier = first.read_bytes()
    source.write_bytes(b"".join(lines))
    path, _ = machine.bring(source, "--once")
    assert first.read_bytes().startswith(earlier)
    restored = claude.go_on(path, machine.project, model)
    assert restored.ok, restored.error
    sent = as_sent(restored.turns)
    expected = as_imported(meant(prepare(read_events(str(source)))), sent)
    assert flat(without_thoughts(sent)) == flat(without_thoughts(expected))


def test_sub_agents_are_imported_beside_their_session(claude: Claude, machine: Machine) -> None:
    source = next(s for s in SOURCES if s.session_id == "01a22b0c-8dc6-7ee1-a24d-48288518e8eb")
    path, _ = machine.bring(source)
    (listed,) = claude.lists([path.parents[1]])
    assert set(listed) == {path.stem}
    assert len(listed[path.stem].agents) == 1
