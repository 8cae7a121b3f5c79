"""Hard cases, converted with the live branch and with all of them: the real Claude Code sends what is meant."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

from panscript.readers import read_events
from panscript.stages import prepare
from tests.real_agents.claude.agent import PROMPT, Claude, Restored, Task
from tests.real_agents.claude.hard import HARD, write_hard
from tests.real_agents.claude.rules import as_imported, as_sent, flat, refused, thoughts, unsigned, without_thoughts
from tests.real_agents.conversions import Conversion, Source, convert
from tests.real_agents.meant import Said, Turn, joined, meant
from tests.real_agents.model import REPLY, stand_in_model

Case = tuple[str, str]
CASES: list[Case] = [(name, branch) for name in HARD for branch in ("active", "all")]
NEW = (Turn("user", (Said(PROMPT),)), Turn("assistant", (Said(REPLY),)))


@dataclass(frozen=True)
class Tried:
    """One case with everything known of it."""

    turns: list[Turn]
    restored: Restored
    home: Conversion


@pytest.fixture(scope="module")
def tried(claude: Claude, tmp_path_factory: pytest.TempPathFactory) -> dict[Case, Tried]:
    """All cases converted, resumed with one more prompt, and converted back."""
    folder = tmp_path_factory.mktemp("hard")
    sources = {name: Source(write_hard(name, folder), folder) for name in HARD}

    def converted(case: Case) -> Conversion:
        name, branch = case
        return convert(sources[name], "claude", folder / f"{name}-{branch}", "--branch", branch)

    def home(item: tuple[Case, Restored]) -> Conversion:
        (name, branch), restored = item
        return convert(Source(restored.grown, folder), "pi", folder / f"{name}-{branch}-home")

    with ThreadPoolExecutor(2) as workers:
        done = dict(zip(CASES, workers.map(converted, CASES), strict=True))
        for case, conversion in done.items():
            assert conversion.finished.code == 0, (case, conversion.finished.stderr)
        tasks = [Task(conversion.files[0], conversion.files[0].stem) for conversion in done.values()]
        with stand_in_model() as model:
            restored = dict(zip(CASES, claude.resume_all(tasks, model), strict=True))
        homes = dict(zip(CASES, workers.map(home, restored.items()), strict=True))
    return {case: Tried(heard(sources[case[0]].path), restored[case], homes[case]) for case in CASES}


@pytest.fixture(params=CASES, ids="-".join)
def one(request: pytest.FixtureRequest, tried: dict[Case, Tried]) -> Tried:
    return tried[request.param]


def heard(file: Path) -> list[Turn]:
    """What is meant to be sent of a file, as our reader reads it."""
    return meant(prepare(read_events(str(file))))


def test_the_request_is_what_is_meant(one: Tried) -> None:
    assert one.restored.ok, one.restored.error
    assert one.restored.prompted
    assert one.restored.kept
    sent = as_sent(one.restored.turns)
    assert flat(without_thoughts(sent)) == flat(without_thoughts(as_imported(one.turns, sent)))
    assert refused(one.restored.messages) == []


def test_only_reasoning_that_the_vendor_signed_is_sent(one: Tried) -> None:
    known = [thought for thought in thoughts(one.turns) if thought.signature]
    assert [thought for thought in thoughts(one.restored.turns) if thought not in known] == []


def test_the_session_comes_home_with_the_new_turn(one: Tried) -> None:
    assert one.home.finished.code == 0, one.home.finished.stderr
    (file,) = one.home.files
    before = unsigned(as_imported(one.turns))
    continued = joined((turn.role, turn.parts) for turn in (*before, *NEW))
    assert flat(unsigned(as_imported(heard(file)))) == flat(continued)
