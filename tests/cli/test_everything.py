"""Reading everything as a library, and the window of `events`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from panscript.cli.everything import read_everything
from panscript.readers.context import Context
from panscript.readers.dependencies import parse_dependencies
from panscript.readers.opening import open_source
from panscript.schemas.errors import NotATranscript, SourceNotFound, UnknownAgent, WrongBound
from panscript.schemas.projections import MessageLine, content_hash, session_key
from panscript.schemas.report import FileReport
from tests.builders import assistant, user, write_rows
from tests.cli.program import panscript
from tests.readers.trees import claude_row, claude_session, codex_thread, pi_session
from tests.sessions import FIXTURES


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home folder with sessions of three agents."""
    claude_session(tmp_path / ".claude/projects/-a", "c2")
    claude_session(tmp_path / ".claude/projects/-a", "c1")
    codex_thread(tmp_path / ".codex/sessions/2026/03/01", 1)
    pi_session(tmp_path / ".pi/agent/sessions/--a--/x.jsonl", "p1")
    return tmp_path


def sessions(home: Path, **options: Any) -> list[str]:
    """The sessions that say something, in order."""
    return list(dict.fromkeys(line.session_id for line in read_everything(Context.at(home), **options)))


def test_agents_come_in_the_order_of_the_table_and_files_by_path(home: Path) -> None:
    order = ["p1", "01990000-0000-7000-8000-000000000001", "c1", "c2"]
    assert sessions(home) == sessions(home, agents=["claude", "codex", "pi"]) == order
    assert sessions(home, dedupe=False) == order
    assert sessions(home, agents=["claude", "pi"]) == ["p1", "c1", "c2"]


def test_it_is_what_events_prints(home: Path) -> None:
    done = panscript("events", "--home", home, "--text", "--raw", cwd=home)
    printed = [json.loads(line) for line in done.out.splitlines()]
    lines = list(read_everything(Context.at(home), text=True, raw=True))
    assert [line.session_id for line in lines] == [line["session_id"] for line in printed]
    assert {session_key(line) for line in lines} == {f"{line['source']}\0{line['session_id']}" for line in printed}


@pytest.mark.parametrize("kinds", [(), ("thoughts",)])
def test_no_kind_or_one_that_is_not_there_gives_nothing(home: Path, kinds: tuple[str, ...]) -> None:
    assert list(read_everything(Context.at(home), kinds=kinds)) == []


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"agents": ["nobody"]}, UnknownAgent),
        ({"agents": ["pi"], "roots": {"claude": [Path("/")]}}, UnknownAgent),
        ({"roots": {"nobody": [Path("/")]}}, UnknownAgent),
        ({"roots": {"pi": []}}, UnknownAgent),
        ({"since": "2026-01-31T12:00:00"}, WrongBound),
        ({"until": "tomorrow"}, WrongBound),
    ],
)
def test_what_makes_no_sense_is_refused_before_anything_is_read(
    tmp_path: Path, options: dict[str, Any], error: type[Exception]
) -> None:
    with pytest.raises(error):
        read_everything(Context.at(tmp_path / "not there"), **options)


def test_nothing_is_opened_before_it_is_asked_for(home: Path) -> None:
    lines = read_everything(Context.at(home), roots={"pi": [home / "gone"]})
    with pytest.raises(SourceNotFound):
        next(lines)


def _broken(home: Path) -> Path:
    """A session that discovery takes at its name, since its first records are long, and that is none."""
    return write_rows(home / ".claude/projects/-a/c0.jsonl", [b"no json " * 10_000 + b"\n"])


def test_without_a_callback_what_cannot_be_read_is_raised(home: Path) -> None:
    _broken(home)
    with pytest.raises(NotATranscript):
        list(read_everything(Context.at(home)))


def test_with_a_callback_it_is_told_and_the_others_go_on(home: Path) -> None:
    broken = _broken(home)
    (home / ".claude/projects/-a/dead.jsonl").symlink_to("nowhere")
    told: list[FileReport] = []
    assert sessions(home, agents=["claude"], on_diagnostics=told.append) == ["c1", "c2"]
    found = {Path(account.path).name: account for account in told}
    assert set(found) == {"dead.jsonl", broken.name, "c1.jsonl", "c2.jsonl"}
    for name in ("dead.jsonl", broken.name):
        assert [warning.code for warning in found[name].warnings] == ["not_read"]
    assert (found["c1.jsonl"].records, found["c1.jsonl"].complete) == (1, True)


def test_roots_are_looked_at_instead_of_the_usual_places(home: Path, tmp_path: Path) -> None:
    claude_session(tmp_path / "elsewhere", "c9")
    assert sessions(home, agents=["claude"], roots={"claude": [tmp_path / "elsewhere"]}) == ["c9"]


@settings(max_examples=20)
@given(split=st.integers(0, 40))
def test_a_bound_splits_everything_in_two(tmp_path_factory: pytest.TempPathFactory, split: int) -> None:
    home = tmp_path_factory.mktemp("home")
    for name, start in (("a", 0), ("b", 17)):
        rows = [
            user(f"u{name}", None, "x", start, sessionId=name),
            assistant(f"a{name}", f"u{name}", "y", start + 9, sessionId=name),
        ]
        write_rows(home / f".claude/projects/-a/{name}.jsonl", rows)
    bound = f"2026-03-02T09:00:{split:02d}Z"
    context = Context.at(home)
    before, after = list(read_everything(context, until=bound)), list(read_everything(context, since=bound))
    everything = list(read_everything(context))
    assert sorted(map(content_hash, before + after)) == sorted(map(content_hash, everything))
    assert [line for line in everything if line in before] == before


def test_the_window_applies_to_what_is_left_of_copies(tmp_path: Path) -> None:
    rows = [user("u", None, "x", 0), assistant("a", "u", "y", 9)]
    for name in ("a", "b"):
        more = [user("v", "a", "z", 60)] if name == "b" else []
        write_rows(tmp_path / f"{name}.jsonl", [{**row, "sessionId": name} for row in [*rows, *more]])
    found = panscript("events", "b.jsonl", "a.jsonl", "--since", "2026-03-02T09:00:05Z", "--quiet", cwd=tmp_path)
    lines = [json.loads(line) for line in found.out.splitlines()]
    assert [(line["kind"], line["session_id"]) for line in lines if line["kind"] != "session_meta"] == [
        ("message", "b"),
        ("message", "a"),
        ("usage", "a"),
    ]


@pytest.mark.parametrize("value", ["2026-03-02T09:00", "tomorrow", "2026-02-30", "1772442000"])
def test_a_bad_bound_is_wrong_usage(home: Path, value: str) -> None:
    for option in ("--since", "--until"):
        assert panscript("events", "--home", home, option, value, cwd=home).code == 2


def test_full_streams_have_no_window(home: Path) -> None:
    assert panscript("events", "--home", home, "--full", "--since", "2026-01-01", cwd=home).code == 2


def test_what_a_session_depends_on(tmp_path: Path) -> None:
    parent = pi_session(tmp_path / "x_p1.jsonl", "p1")
    fork = pi_session(tmp_path / "y_p2.jsonl", "p2", parentSession="x_p1.jsonl")
    assert parse_dependencies(open_source(str(fork))) == (str(parent),)
    assert parse_dependencies(open_source(str(parent))) == ()
    gone = pi_session(tmp_path / "z_p3.jsonl", "p3", parentSession="gone.jsonl")
    assert parse_dependencies(open_source(str(gone))) == ()
    child = write_rows(tmp_path / "c/subagents/agent-a.jsonl", [claude_row("c", isSidechain=True, agentId="a")])
    meta = child.with_suffix(".meta.json")
    meta.write_text("{}")
    assert parse_dependencies(open_source(str(child))) == (str(meta),)
    segments = sorted((FIXTURES / "codex").rglob("rollout-*_*.jsonl"))
    for segment in segments:
        source = open_source(str(segment))
        assert len(parse_dependencies(source)) == len(source.files) - 1


def test_a_content_hash_is_of_what_is_said_and_not_of_the_record() -> None:
    line = MessageLine(source="pi", session_id="s", timestamp=None, role="user", text_length=1)
    other = MessageLine(source="pi", session_id="s", timestamp=None, role="user", text_length=1, raw={})  # type: ignore[arg-type]
    assert content_hash(line) == content_hash(other)
    other.session_id = "t"
    assert content_hash(line) != content_hash(other)
