"""The third law: what goes to another agent and comes back is what that agent could hold, and with `--embed` the very
records, with whatever was said there since behind them."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from panscript.readers.opening import open_source, read, reader
from panscript.schemas.errors import CannotConvert
from panscript.schemas.events import Event, Session
from panscript.stages.normal_form import Injected, Said, Written, normal_form
from panscript.stages.pipe import events_of
from tests.cli.program import panscript
from tests.laws.native import ANSWER, PROMPT, say_more
from tests.sessions import SESSIONS, agent_of, name_of
from tests.strategies import sessions
from tests.writers.round_trip import TARGETS, Target, held, plain, read_back, written

CASES = [(path, there) for path in SESSIONS for there in TARGETS if there != agent_of(path)]
"""A session, and where it goes."""
NAMELESS = {"entry-v1"}
"""Sessions whose records have no ids, so that nothing hangs on them: they are converted whole when they have grown."""


def _name(value: object) -> str:
    return name_of(value) if isinstance(value, Path) else str(value)


def _there_and_back(events: list[Event], there: Target, home: Target) -> None:
    """Both ways, compared with what first the one and then the other can hold."""
    away, _ = read_back(written(events, there.agent))
    back, report = read_back(written(away, home.agent))
    assert report.skipped_lines == 0
    assert report.unknown == {}
    expected, found = plain(held(held(events, there), home)), plain(back)
    for place, (ours, theirs) in enumerate(zip(expected, found, strict=False)):
        if isinstance(ours, Said) and isinstance(theirs, Said) and ours.role == "assistant":
            expected[place] = replace(ours, model=ours.model or theirs.model)
    assert found == expected


@given(st.sampled_from(list(permutations(TARGETS, 2))), sessions())
def test_any_session_comes_home_as_the_other_agent_could_hold_it(pair: tuple[str, str], events: list[Event]) -> None:
    home, there = pair
    assert isinstance(events[0], Session)
    events[0] = replace(events[0], agent=home)
    _there_and_back(events, TARGETS[there], TARGETS[home])


@pytest.mark.parametrize(("path", "there"), CASES, ids=_name)
def test_every_session_comes_home_as_the_other_agent_could_hold_it(path: Path, there: str) -> None:
    source = open_source(str(path))
    events = list(events_of(read(source)))
    try:
        _there_and_back(events, TARGETS[there], TARGETS[source.agent])
    except CannotConvert:
        assert not any(isinstance(item, Said) for item in normal_form(events))


def _away(path: Path, there: str, folder: Path) -> Path | None:
    """The session at the other agent, its records carried along; None where there is nothing to convert."""
    out = folder / "away"
    done = panscript("convert", path, "--to", there, "--embed", "--no-redact", "--quiet", "-o", f"{out}/", cwd=folder)
    if done.code:
        assert "nothing was said" in done.err
        return None
    session = panscript("events", path, "--kinds", "session_meta", "--quiet", cwd=folder)
    assert session.code == 0
    files = sorted(out.rglob("*.jsonl"))
    return next(file for file in files if not file.name.startswith(("agent-", "session_index")) and _heads(file, path))


def _heads(file: Path, path: Path) -> bool:
    """Whether the session in this file was imported from the one in that."""
    with file.open("rb") as lines:
        return any(path.name.encode() in line for line, _ in zip(lines, range(3), strict=False))


def _own_files(path: Path) -> list[str]:
    source = open_source(str(path))
    return [file.path for file in source.transcripts if file.role != "base"]


def _home(away: Path, agent: str, folder: Path) -> dict[str, bytes]:
    """The session at home again: content of its files, by name. They lie where the agent keeps them."""
    out = folder / "home"
    done = panscript("convert", away, "--to", agent, "--no-redact", "--quiet", "-o", f"{out}/", cwd=folder)
    assert done.code == 0, done.err
    files = [file for file in out.rglob("*") if file.is_file()]
    known = {reader(agent).layout(str(path)) for path in SESSIONS if agent_of(path) == agent}
    assert {str(file.relative_to(out)) for file in files if not file.name.endswith(".meta.json")} <= known
    return {file.name: file.read_bytes() for file in files}


@pytest.mark.parametrize(("path", "there"), CASES, ids=_name)
def test_records_that_were_carried_along_come_home_byte_for_byte(path: Path, there: str, tmp_path: Path) -> None:
    away = _away(path, there, tmp_path)
    if away is None:
        return
    found = _home(away, agent_of(path) or "", tmp_path)
    # Sub-agents that went along come home as well.
    assert {Path(name).name: _unpacked(found[Path(name).name]) for name in _own_files(path)} == {
        Path(name).name: _unpacked(Path(name).read_bytes()) for name in _own_files(path)
    }


@pytest.mark.parametrize(("path", "there"), CASES, ids=_name)
def test_what_was_said_since_stands_behind_the_records(path: Path, there: str, tmp_path: Path) -> None:
    away = _away(path, there, tmp_path)
    if away is None or path.stem in NAMELESS:
        return
    say_more(away, there)
    agent = agent_of(path) or ""
    found = _home(away, agent, tmp_path)
    own = _own_files(path)
    before, after = Path(own[-1]).read_bytes(), found[Path(own[-1]).name]
    assert _unpacked(after).startswith(_unpacked(before))
    if any(file.role == "base" for file in open_source(own[-1]).files):
        # What the thread goes on from did not go along.
        return
    home = next((tmp_path / "home").rglob(Path(own[-1]).name))
    was = plain(events_of(read(open_source(own[-1]))))
    now = plain(events_of(read(open_source(str(home)))))
    assert len(now) == len(was) + 2
    assert [_text(item) for item in now[-2:]] == [PROMPT, ANSWER]
    assert now[:-2] == was


def _unpacked(data: bytes) -> bytes:
    """Content of a file that may be compressed."""
    if not data.startswith(b"\x28\xb5\x2f\xfd"):
        return data
    with zstandard.ZstdDecompressor().stream_reader(data, read_across_frames=True) as stream:
        return stream.read()


def _text(item: object) -> str:
    # Nobody typed what a sub-agent is told.
    assert isinstance(item, Said | Injected)
    return "".join(part.text for part in item.parts if isinstance(part, Written))
