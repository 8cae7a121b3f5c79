"""Sessions of all agents, converted by our program and listed, shown, sent and continued by the real Codex."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from panscript.readers import open_source, read, read_events
from panscript.readers.discovery import family
from panscript.schemas.agents import agent
from panscript.schemas.events import TASK, Event, Message, Session, Text, ToolCall, ToolResult
from panscript.schemas.terminal import one_line
from panscript.stages import events_of, prepare
from panscript.writers.codex import beside
from panscript.writers.options import WriteOptions
from tests.real_agents.codex.agent import Codex, Verdict
from tests.real_agents.codex.comparison import differences, sent, told_otherwise
from tests.real_agents.codex.request import turns_of
from tests.real_agents.codex.rules import refused
from tests.real_agents.conversions import (
    PI_SOURCES,
    SOURCES,
    Conversion,
    Source,
    convert,
    convert_all,
    panscript,
    squeezed,
)
from tests.real_agents.meant import Said, Turn, meant
from tests.real_agents.model import REPLY, stand_in_model
from tests.repository import ROOT

PROMPT = "What did we talk about?"
# Bare lines without an envelope: a copy is as little read by this Codex as the original.
BARE = {"home-0.8.0", "home-0.20.0"}
ALL = [s for s in (*SOURCES, *PI_SOURCES) if s.home.name not in BARE and s.path.parent.name != "archived_sessions"]
FOREIGN = [source for source in ALL if source.agent != "codex"]
# Sessions with a fault or something odd in them, one a folder.
ODD = [
    file
    for place in (".claude/projects/*", ".pi/agent/sessions/*")
    for file in sorted((ROOT / "fixtures" / "cases").glob(f"*/home/{place}/*.jsonl"))
]
# Characters of an output that a person is shown at least, white space not counted.
_SHOWN = 1000
Turns = list[Turn]


@dataclass(frozen=True)
class Tried:
    """One session, as our reader has it, and what Codex makes of the file it was converted to."""

    source: Source
    events: list[Event]
    verdict: Verdict

    @property
    def session(self) -> Session:
        """What the session is as a whole."""
        first = self.events[0]
        assert isinstance(first, Session)
        return first

    @property
    def home(self) -> bool:
        """The session stays at its agent."""
        return self.source.agent == "codex"


def events_in(path: str, member: str) -> list[Event]:
    """One session of a family as our program takes it; `member` is the path of its own file."""
    chosen = next(one for one in family(open_source(path)) if one.path == member)
    return sent(prepare(events_of(read(chosen))))


def written(conversion: Conversion) -> list[tuple[str, Path]]:
    """The session files that were written, each with the path of the session it was made from."""
    told = json.loads((conversion.folder.parent / "report.json").read_bytes())["files"]
    return [
        (session["path"], Path(file))
        for session in told
        for file in session["written"]
        if Path(file).name.startswith("rollout-")
    ]


def index_line(source: Source) -> bytes:
    """What an import would put into the index of threads; a conversion leaves the index to its agent."""
    session = events_in(str(source.path), str(source.path))[0]
    assert isinstance(session, Session)
    options = WriteOptions(imported_at=session.created or 0, importer="panscript")
    return b"".join(file.content for file in beside(session, options))


@pytest.fixture(scope="module")
def conversions(tmp_path_factory: pytest.TempPathFactory) -> dict[Source, Conversion]:
    """All sources converted."""
    return convert_all(ALL, "codex", tmp_path_factory.mktemp("converted"), "--report", "report.json")


@pytest.fixture(scope="module")
def tried(codex: Codex, conversions: dict[Source, Conversion]) -> dict[Source, list[Tried]]:
    """All files judged, those of one home together: sessions of other homes may have the same ids."""
    found: dict[Source, list[Tried]] = {}
    for home in dict.fromkeys(source.home for source in ALL):
        done = {s: c for s, c in conversions.items() if s.home == home and c.finished.code == 0}
        files = {file: (source, name) for source, c in done.items() for name, file in written(c)}
        index = b"".join(index_line(source) for source in done if source.agent != "codex")
        # Copies of one base stand in several conversions.
        alone = {file.name: file for file in files}
        with stand_in_model() as model:
            verdicts = codex.check(list(alone.values()), session_index=index, prompt=PROMPT, model=model)
        by_thread = {verdict.thread: verdict for verdict in verdicts}
        for file, (source, name) in files.items():
            verdict = next(v for thread, v in by_thread.items() if thread in file.name)
            if source not in found or all(t.verdict is not verdict for t in found[source]):
                found.setdefault(source, []).append(Tried(source, events_in(str(source.path), name), verdict))
    return found


def succeeded(source: Source, conversions: dict[Source, Conversion], tried: dict[Source, list[Tried]]) -> list[Tried]:
    """The session and its sub-agents; the conversion must have been a success."""
    finished = conversions[source].finished
    assert finished.code == 0, finished.stderr
    assert tried[source]
    return tried[source]


@pytest.fixture(params=FOREIGN, ids=str)
def imported(
    request: pytest.FixtureRequest, conversions: dict[Source, Conversion], tried: dict[Source, list[Tried]]
) -> list[Tried]:
    """A session of another agent and its sub-agents."""
    return succeeded(request.param, conversions, tried)


def test_codex_lists_the_session(imported: list[Tried]) -> None:
    for one in imported:
        listed = one.verdict.listed
        messages = [event for event in one.events if isinstance(event, Message)]
        if not any(event.role == "user" or event.injected == TASK for event in messages):
            # A sub-agent that was started to warm up: nobody told it anything, and Codex has nothing to list it by.
            assert listed is None
            continue
        assert listed is not None
        assert listed.cwd == one.session.cwd
        # Sub-agents are only listed where they are asked for.
        assert listed.plainly is (one.session.parent_session_id is None)
        times = [event.time for event in messages if event.role != "system" and event.time is not None]
        assert listed.updated == times[-1] // 1000
        if one.session.first_prompt:
            assert squeezed([listed.preview]).startswith(squeezed([one.session.first_prompt]))


def test_codex_lists_the_session_under_its_name(imported: list[Tried]) -> None:
    (main,) = (one for one in imported if one.session.parent_session_id is None)
    assert main.verdict.listed is not None
    assert main.verdict.listed.name == title(main.session)


def title(session: Session) -> str:
    """What an import is called: where it comes from, and what it was called there."""
    name = one_line(session.title or session.first_prompt or session.session_id)
    if session.imported_from is not None:
        name = name.removeprefix(f"Imported from {agent(session.imported_from).name}: ")
    return f"Imported from {agent(session.agent).name}: {name}"[:200]


@pytest.mark.parametrize("source", ALL, ids=str)
def test_the_model_is_told_what_was_meant(
    source: Source, conversions: dict[Source, Conversion], tried: dict[Source, list[Tried]]
) -> None:
    for one in succeeded(source, conversions, tried):
        assert one.verdict.refusals == {}
        assert told_otherwise(one.events, one.verdict.told, home=one.home) == []


def test_the_api_takes_the_request(imported: list[Tried]) -> None:
    for one in imported:
        assert refused(one.verdict.asked) == []
        assert [item for item in one.verdict.asked if item.get("encrypted_content")] == []


def case(file: Path) -> str:
    """A short name for test ids."""
    return f"{file.relative_to(ROOT / 'fixtures' / 'cases').parts[0]}/{file.stem}"


@pytest.mark.parametrize("file", ODD, ids=case)
def test_odd_sessions_come_through(codex: Codex, tmp_path: Path, file: Path) -> None:
    conversion = convert(Source(file, file.parent), "codex", tmp_path / "converted", "--report", "report.json")
    assert conversion.finished.code == 0, conversion.finished.stderr
    made = {made.name: path for path, made in written(conversion)}
    with stand_in_model() as model:
        verdicts = codex.check([made for _, made in written(conversion)], prompt=PROMPT, model=model)
    for verdict in verdicts:
        assert verdict.refusals == {}
        assert verdict.listed is not None
        assert refused(verdict.asked) == []
        assert told_otherwise(events_in(str(file), made[verdict.file.name]), verdict.told, home=False) == []


def test_calls_are_shown_with_what_came_of_them(imported: list[Tried]) -> None:
    for one in imported:
        shown = {item["id"]: item for item in one.verdict.shown}
        results = {event.call_id: event for event in one.events if isinstance(event, ToolResult)}
        for call in calls(one.events):
            item = shown[call.id]
            assert call.name in json.dumps(item, ensure_ascii=False)
            result = results[call.id]
            assert item["status"] == ("failed" if result.status == "error" else "completed")
            texts = [block.text for block in result.content if isinstance(block, Text)]
            assert [text for text in texts if not is_shown(text, item)] == []


def calls(events: list[Event]) -> Iterator[ToolCall]:
    for event in events:
        if isinstance(event, Message):
            yield from (block for block in event.content if isinstance(block, ToolCall))


def is_shown(text: str, item: dict[str, Any]) -> bool:
    """Whether an item holds the text, or begins it and says that it goes on: what is sent stands elsewhere."""
    wanted = squeezed([text])
    shown = [squeezed([string]) for string in strings(item)]
    return wanted in shown or any(s[-1:] == "…" and len(s) > _SHOWN and wanted.startswith(s[:-1]) for s in shown)


def strings(value: Any) -> Iterator[str]:
    """Every text in a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from strings(inner)


def test_messages_are_shown(imported: list[Tried]) -> None:
    for one in imported:
        for role, task, kind in (("user", TASK, "userMessage"), ("assistant", "", "agentMessage")):
            said = [e for e in one.events if isinstance(e, Message) and (e.role == role or e.injected == task)]
            texts = (block.text for event in said for block in event.content if isinstance(block, Text))
            assert squeezed(texts) == squeezed(one.verdict.texts(kind))


def test_the_session_comes_home_with_what_was_said_since(imported: list[Tried], tmp_path: Path) -> None:
    main = next(one for one in imported if one.session.parent_session_id is None)
    left = main.verdict.left
    assert left is not None
    where = ("--to", main.source.agent, "-o", tmp_path / "home", "--report", "home.json")
    finished = panscript("convert", left, *where, "--no-redact", home=tmp_path)
    assert finished.code == 0, finished.stderr
    first = json.loads((tmp_path / "home.json").read_bytes())["files"][0]["written"][0]
    back = meant(prepare(read_events(first)))
    new = [Turn("user", (Said(PROMPT),)), Turn("assistant", (Said(REPLY),))]
    assert differences(with_new(meant(main.events), new), back, home=False) == []


@pytest.mark.parametrize(
    "name",
    ["claude/v2.1.328/10000000-0000-4000-8000-000000000002", "claude/v2.1.328/10000000-0000-4000-8000-000000000007"],
)
def test_the_command_line_goes_on_in_the_chosen_project(codex: Codex, tmp_path: Path, name: str) -> None:
    source = next(source for source in ALL if str(source) == name)
    project = tmp_path / "project"
    project.mkdir()
    options = ("--cwd", project, "--no-subagents", "--report", "report.json")
    ((_, file),) = written(convert(source, "codex", tmp_path / "converted", *options))
    with stand_in_model() as model:
        finished, left = codex.prompt(file, PROMPT, cwd=project, model=model)
        (request,) = model.requests
    assert (finished.code, finished.stdout.strip()) == (0, REPLY), finished.stderr
    assert turns_of(request.body["input"])[-1].parts[-1] == Said(PROMPT)
    assert left.read_bytes().startswith(file.read_bytes())
    first, *_ = events = sent(prepare(read_events(str(left))))
    assert isinstance(first, Session)
    assert first.cwd == str(project)
    before = meant(prepare(read_events(str(source.path))))
    new = [Turn("user", (Said(PROMPT),)), Turn("assistant", (Said(REPLY),))]
    assert differences(with_new(before, new), meant(events), home=False) == []


def with_new(turns: Turns, new: Turns) -> Turns:
    """The conversation with new turns at its end."""
    if turns and turns[-1].role == new[0].role:
        return [*turns[:-1], Turn(turns[-1].role, turns[-1].parts + new[0].parts), *new[1:]]
    return [*turns, *new]
