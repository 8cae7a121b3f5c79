"""Sessions of other agents, converted by our program: the real Claude Code lists them, sends what is meant, goes on."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from panscript.readers import read_events
from panscript.schemas.agents import agent
from panscript.schemas.claude.record_names import HEAD_TYPE
from panscript.schemas.events import Event, Session, Usage
from panscript.schemas.terminal import one_line
from panscript.stages import prepare
from panscript.writers.targets import targets
from tests.real_agents.claude.agent import PROMPT, Claude, Listed, Restored, Task, turns_of
from tests.real_agents.claude.rules import (
    as_imported,
    as_meant,
    as_sent,
    flat,
    refused,
    thoughts,
    unsigned,
    without_thoughts,
)
from tests.real_agents.conversions import PI_SOURCES, SOURCES, Conversion, Source, convert, convert_all
from tests.real_agents.meant import Said, Turn, joined, meant
from tests.real_agents.model import INPUT_TOKENS, OUTPUT_TOKENS, REPLY, StandInModel, stand_in_model

FOREIGN = [source for source in (*SOURCES, *PI_SOURCES) if source.agent != "claude"]
OWN = [source for source in SOURCES if source.agent == "claude"]
# With calls, reasoning, pictures, a compaction that kept some, commands that the person ran.
FORKED = ["codex/home-0.171.0/01a22b0a-a2cb-7010-9815-b4252868bfef", "pi/pi/agent-run", "pi/pi/compacted"]
# Beside the sessions that Codex gets.
TITLES = "session_index.jsonl"
NEW = (Turn("user", (Said(PROMPT),)), Turn("assistant", (Said(REPLY),)))


@dataclass
class Tried:
    """One source with everything known of it."""

    events: list[Event]
    conversion: Conversion
    file: Path | None = None
    listed: dict[str, Listed] = field(default_factory=dict)
    restored: Restored = field(default_factory=lambda: Restored(False, "nothing was resumed"))
    home: Conversion | None = None


def origin(file: Path) -> str | None:
    """The id of the session that a transcript was made from, as its import record says."""
    for line in file.read_text(encoding="utf-8").split("\n"):
        row = json.loads(line) if line else {}
        if row.get("type") == HEAD_TYPE:
            return str(row["data"]["sourceSessionId"])
    return None


def main_file(conversion: Conversion, session: Session) -> Path | None:
    """The transcript that the session itself became."""
    return next((file for file in conversion.files if origin(file) == session.session_id), None)


def head(events: list[Event]) -> Session:
    """What the whole session is."""
    (session,) = (event for event in events if isinstance(event, Session))
    return session


def heard(file: Path) -> list[Turn]:
    """What is meant to be sent of a file, as our reader reads it."""
    return meant(prepare(read_events(str(file))))


@pytest.fixture(scope="module")
def tried(claude: Claude, tmp_path_factory: pytest.TempPathFactory) -> dict[Source, Tried]:
    """All sources converted, listed, resumed with one more prompt, and brought home."""
    folder = tmp_path_factory.mktemp("converted")
    done = {
        source: Tried(list(prepare(read_events(str(source.path)))), conversion)
        for source, conversion in convert_all(FOREIGN, "claude", folder).items()
    }
    for one in done.values():
        one.file = main_file(one.conversion, head(one.events))
    written = {source: one.file for source, one in done.items() if one.file is not None}
    if not written:
        pytest.fail(f"nothing was converted: {next(iter(done.values())).conversion.finished}", pytrace=False)
    for source, listed in zip(written, claude.lists([done[s].conversion.folder for s in written]), strict=True):
        done[source].listed = listed
    tasks = [Task(file, file.stem, file.with_suffix("")) for file in written.values()]
    with stand_in_model() as model:
        for source, restored in zip(written, claude.resume_all(tasks, model), strict=True):
            done[source].restored = restored
    grown = {source: done[source].restored.grown for source in written if done[source].restored.ok}
    with ThreadPoolExecutor(2) as workers:
        back = workers.map(lambda item: bring_home(item[0], item[1], folder), grown.items())
        for source, home in zip(grown, back, strict=True):
            done[source].home = home
    return done


def bring_home(source: Source, grown: Path, folder: Path) -> Conversion:
    """Convert what the agent went on with for the agent that it came from, or, until that is written, for Pi."""
    place = folder / f"home-{source.home.name}-{source.session_id}"
    target = source.agent if source.agent in targets() else "pi"
    return convert(Source(grown, grown.parent), target, place)


@pytest.fixture(params=FOREIGN, ids=str)
def source(request: pytest.FixtureRequest) -> Source:
    chosen = request.param
    assert isinstance(chosen, Source)
    return chosen


@pytest.fixture
def one(source: Source, tried: dict[Source, Tried]) -> Tried:
    """The source's conversion, which must have been a success."""
    found = tried[source]
    assert found.conversion.finished.code == 0, found.conversion.finished.stderr
    assert found.file is not None
    return found


def test_claude_lists_the_session_as_an_import(one: Tried) -> None:
    assert one.file is not None
    session, row = head(one.events), one.listed[one.file.stem]
    title = one_line(session.title or session.first_prompt or session.session_id)
    if session.imported_from is not None:
        title = title.removeprefix(f"Imported from {agent(session.imported_from).name}: ")
    assert row.title == row.custom_title
    assert row.title == f"Imported from {agent(session.agent).name}: {title}"[:200]
    assert row.cwd == (session.cwd or "/")
    assert row.rows > 0


def test_its_sub_agents_stand_beside_it(source: Source, one: Tried, tried: dict[Source, Tried]) -> None:
    assert one.file is not None
    sessions = {head(other.events).session_id: other for known, other in tried.items() if known.home == source.home}
    family = {head(one.events).session_id}
    while more := {name for name, o in sessions.items() if head(o.events).parent_session_id in family} - family:
        family |= more
    agents = one.listed[one.file.stem].agents
    beside = {name: one.file.with_suffix("") / "subagents" / f"agent-{name}.jsonl" for name in agents}
    assert sorted(str(origin(file)) for file in beside.values()) == sorted(family - {head(one.events).session_id})
    for name, file in beside.items():
        sent = as_sent(turns_of(agents[name].messages))
        expected = as_imported(meant(sessions[str(origin(file))].events), sent)
        # What the SDK shows is not a request yet.
        assert flat(without_thoughts(as_meant(sent))) == flat(without_thoughts(expected))


def test_the_request_is_what_is_meant(one: Tried) -> None:
    assert one.restored.ok, one.restored.error
    assert one.restored.prompted
    sent = as_sent(one.restored.turns)
    assert flat(without_thoughts(sent)) == flat(without_thoughts(as_imported(meant(one.events), sent)))


def test_only_reasoning_that_the_vendor_signed_is_sent(one: Tried) -> None:
    known = [thought for thought in thoughts(meant(one.events)) if thought.signature]
    assert [thought for thought in thoughts(one.restored.turns) if thought not in known] == []


def test_the_api_takes_the_request(one: Tried) -> None:
    assert refused(one.restored.messages) == []


def test_the_agent_only_appends(one: Tried) -> None:
    assert one.restored.kept
    assert one.restored.forks == ()


def test_the_new_turn_is_read_behind_everything_else(one: Tried) -> None:
    assert flat(as_read(heard(one.restored.grown))) == flat(continued(one.events))


def test_only_the_new_answer_counts(one: Tried) -> None:
    assert counted(one.restored.grown) == [(INPUT_TOKENS, OUTPUT_TOKENS)]


@pytest.mark.parametrize("name", FORKED)
def test_a_fork_of_an_import_says_and_counts_the_same(
    claude: Claude, model: StandInModel, tried: dict[Source, Tried], name: str
) -> None:
    one = next(one for source, one in tried.items() if str(source) == name)
    assert one.file is not None
    restored = claude.resume(Task(one.file, one.file.stem), model, "--fork-session")
    (fork,) = restored.forks
    assert restored.grown.read_bytes() == one.file.read_bytes()
    # The import record stays behind, and with it what it holds of reasoning.
    expected = without_thoughts(continued(one.events))
    assert flat(without_thoughts(as_read(heard(fork)))) == flat(expected)
    assert counted(fork) == [(INPUT_TOKENS, OUTPUT_TOKENS)]


def counted(file: Path) -> list[tuple[int, int]]:
    """The tokens that our reader counts for a file."""
    usage = [event for event in read_events(str(file)) if isinstance(event, Usage)]
    return [(one.tokens.input, one.tokens.output) for one in usage]


def test_the_session_comes_home_with_the_new_turn(one: Tried) -> None:
    assert one.home is not None
    assert one.home.finished.code == 0, one.home.finished.stderr
    files = [file for file in one.home.files if file.name != TITLES]
    # Sub-agents come along, each as a session that names another one.
    alone = [file for file in files if head(list(read_events(str(file)))).parent_session_id is None]
    (file,) = alone if len(files) > 1 else files
    assert one.file is not None
    assert len(files) == 1 + len(one.listed[one.file.stem].agents)
    assert flat(as_read(heard(file))) == flat(continued(one.events))


def as_read(turns: list[Turn]) -> list[Turn]:
    return unsigned(as_imported(turns))


def continued(events: list[Event]) -> list[Turn]:
    """What was meant, with the prompt and the answer behind it."""
    return joined((turn.role, turn.parts) for turn in (*as_read(meant(events)), *NEW))


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> dict[Source, Conversion]:
    return convert_all(OWN, "claude", tmp_path_factory.mktemp("copied"))


@pytest.mark.parametrize("source", OWN, ids=str)
def test_its_own_sessions_stay_as_they_are(source: Source, copied: dict[Source, Conversion]) -> None:
    """What the agent makes of them, the tests of the judge say."""
    done = copied[source]
    assert done.finished.code == 0, done.finished.stderr
    (file,) = (file for file in done.files if file.name == source.path.name)
    assert file.read_bytes() == source.path.read_bytes()
