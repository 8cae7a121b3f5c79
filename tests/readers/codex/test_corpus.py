"""Threads that real Codex programs wrote, from 0.8 to 0.171, against what was said to them and what they were billed.

The expectations were written down from the scripts that the threads were made with, not from what the reader gives.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
import zstandard

from panscript.readers.codex import layout, read, usage
from panscript.readers.codex.files import resolve
from panscript.schemas.events import (
    Compaction,
    Event,
    Message,
    Session,
    Shell,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    Usage,
)
from panscript.schemas.projections import MessageLine, ToolCallLine
from panscript.schemas.records import Record, Source
from panscript.schemas.report import FileReport
from panscript.stages.projections import project
from tests.repository import ROOT

CODEX = ROOT / "fixtures" / "codex"


class Thread(msgspec.Struct):
    """One thread of the manifest."""

    scenario: str
    files: list[str]
    thread_id: str | None = None
    own_usage: dict[str, int] | None = None
    children: list[str] | None = None
    parent: str | None = None


def _threads() -> list[tuple[str, Thread]]:
    manifest = msgspec.json.decode((CODEX / "MANIFEST.json").read_bytes(), type=dict[str, list[Thread]])
    return [(home, thread) for home, threads in manifest.items() for thread in threads]


THREADS = _threads()
NAMES = [f"{home[5:]} {thread.scenario}" for home, thread in THREADS]
every_thread = pytest.mark.parametrize(("home", "thread"), THREADS, ids=NAMES)


@cache
def _read(path: str) -> tuple[Source, list[Record], FileReport]:
    source = resolve(path)
    report = FileReport(path=path)
    return source, list(read(source, report=report)), report


def _of(home: str, thread: Thread) -> tuple[Source, list[Record], FileReport]:
    return _read(str(CODEX / home / thread.files[0]))


def _named(name: str) -> tuple[Source, list[Event]]:
    """The thread of this home and scenario, and its events."""
    source, records, _ = _of(*THREADS[NAMES.index(name)])
    return source, [event for record in records for event in record.events]


def _unpacked(path: str) -> bytes:
    content = Path(path).read_bytes()
    return zstandard.ZstdDecompressor().decompress(content) if path.endswith(".zst") else content


@every_thread
def test_records_joined_are_the_files(home: str, thread: Thread) -> None:
    """The raws of the records are each file of the thread, byte for byte, of a compressed one its text."""
    source, records, report = _of(home, thread)
    for place, file in enumerate(source.files):
        assert b"".join(r.raw for r in records if r.origin.file == place) == _unpacked(file.path)
    assert sum(report.classes.values()) == report.records == len(records) - 1
    assert not report.skipped
    assert not report.unknown


@every_thread
def test_usage_is_what_the_service_billed(home: str, thread: Thread) -> None:
    """One event a response, with the tokens that the service counted for this thread, copies left out."""
    _, records, _ = _of(home, thread)
    billed = [event for record in records for event in record.events if isinstance(event, Usage)]
    found = {
        "responses": len(billed),
        "input_tokens": sum(u.tokens.input + u.tokens.cache_read + u.tokens.cache_write for u in billed),
        "cached_input_tokens": sum(u.tokens.cache_read for u in billed),
        "output_tokens": sum(u.tokens.output for u in billed),
        "reasoning_output_tokens": sum(u.tokens.reasoning for u in billed),
    }
    assert found == (thread.own_usage or dict.fromkeys(found, 0))
    assert all(u.tokens.total == u.tokens.input + u.tokens.cache_read + u.tokens.output for u in billed)


@every_thread
def test_the_short_way_to_usage_gives_the_same(home: str, thread: Thread) -> None:
    """Reading only what counts gives the same events in the same order; only their place in the thread is not told."""
    source, records, _ = _of(home, thread)
    full = [event for record in records for event in record.events if isinstance(event, Usage)]
    fast = list(usage(source, report=FileReport(path=source.path)))
    assert [_counted(event) for event in fast] == [_counted(event) for event in full]


def _counted(event: Usage) -> Usage:
    return msgspec.structs.replace(event, id="", response=None, live=True)


@every_thread
def test_usage_stands_after_the_response_it_is_for(home: str, thread: Thread) -> None:
    """Each usage event names a response whose last part came before it; only a summary that was not kept has none."""
    _, records, _ = _of(home, thread)
    closed: set[str | None] = set()
    nameless = 0
    for event in (event for record in records for event in record.events):
        if isinstance(event, Message) and event.response and event.closes:
            assert event.response not in closed
            closed.add(event.response)
        if isinstance(event, Usage):
            nameless += event.response is None
            assert event.response is None or event.response in closed
    assert nameless == (1 if home == "home-0.130.0" and thread.scenario == "compacted" else 0)


# Messages with text of the person, the model and the agent itself; calls that went well and that failed.
SAID = {
    "plain": (2, 2, 4, 0, 0),
    "tools": (1, 2, 2, 7, 5),
    "aborted": (4, 2, 4, 0, 1),
    "compacted": (2, 3, 2, 0, 0),
    "usershell": (1, 1, 3, 0, 0),
    "reverted": (3, 3, 2, 0, 0),
    "threeturns": (3, 3, 2, 0, 0),
    "subagent-fresh": (2, 2, 3, 2, 0),
    "subagent-fork": (2, 2, 3, 2, 0),
    "plan": (1, 1, 2, 0, 0),
    "archived": (1, 1, 2, 0, 0),
    "resumed": (2, 2, 2, 0, 0),
    "forked": (1, 1, 0, 0, 0),
    "child of subagent-fresh": (0, 1, 3, 1, 0),
    "child of subagent-fork": (0, 1, 2, 1, 0),
    "0.130.0 exec-tools+resume": (2, 2, 2, 3, 1),
    "0.130.0 rollback": (3, 3, 2, 0, 0),
    "0.130.0 compacted": (2, 2, 4, 0, 0),
    "0.130.0 aborted": (3, 2, 3, 0, 1),
    "0.130.0 child of subagent-fork": (0, 1, 3, 0, 0),
    "0.8.0 exec-tools": (1, 0, 0, 2, 2),
    "0.20.0 exec-tools": (1, 2, 0, 3, 1),
    "0.44.0 exec-tools+resume": (2, 3, 2, 3, 1),
    "0.98.0 exec-tools+resume": (2, 2, 6, 3, 1),
    "0.153.0 exec-tools+resume": (2, 2, 2, 2, 2),
    "0.130.0-resumed-by-0.171.0 0.130 exec file resumed by 0.171 (both usage systems in one file)": (3, 3, 6, 3, 1),
}


@every_thread
def test_messages_and_calls_are_those_of_the_script(home: str, thread: Thread) -> None:
    """Each thing said is one message of who said it, and each call has the outcome it had."""
    scenario = thread.scenario.removesuffix(" (compressed)")
    key = f"{home[5:]} {scenario}"
    wanted = SAID[key] if key in SAID else SAID[scenario.removesuffix("-paginated").removesuffix("-legacy")]
    _, records, _ = _of(home, thread)
    lines = list(project(records, text=True))
    roles = Counter(line.role for line in lines if isinstance(line, MessageLine))
    calls = Counter(line.status for line in lines if isinstance(line, ToolCallLine))
    assert (roles["user"], roles["assistant"], roles["system"], calls["ok"], calls["error"]) == wanted
    assert not calls["unknown"]


@every_thread
def test_threads_keep_their_ids_and_know_their_family(home: str, thread: Thread) -> None:
    """A thread keeps its own id; its sub-agents are its children, and they name it as their parent."""
    source, records, _ = _of(home, thread)
    session = next(event for event in records[0].events if isinstance(event, Session))
    assert session.session_id == source.id
    assert source.agent_id is None
    assert source.id in (thread.thread_id, *([] if thread.thread_id else [source.id]))
    if thread.children is not None:
        assert [child.id for child in source.children] == thread.children
        assert all(child.parent == source.id for child in source.children)
    if thread.parent is not None:
        assert session.parent_session_id == source.parent == thread.parent


@pytest.mark.parametrize("place", [0, 1])
def test_a_revert_is_one_session_of_two_files(place: int) -> None:
    """Whichever file is named, the thread is read from both; what was taken back is dead, but billed."""
    thread = next(thread for _, thread in THREADS if thread.scenario == "reverted-paginated")
    source, records, _ = _read(str(CODEX / "home-0.171.0" / thread.files[place]))
    assert [(Path(file.path).name, file.role) for file in source.files] == [
        (Path(thread.files[0]).name, "main"),
        (Path(thread.files[1]).name, "segment"),
    ]
    said = [event for record in records for event in record.events if isinstance(event, Message)]
    talk = {_text(event): event for event in said if event.role != "system"}
    assert [text for text, event in talk.items() if event.live] == ["Q1", "A1", "Q3", "A3"]
    assert talk["Q3"].parent == talk["Q2"].parent == talk["A1"].id


def test_a_rollback_leaves_its_turns_behind() -> None:
    """After a rollback the next question follows what stood before the turns that were dropped."""
    _, events = _named("0.130.0 rollback")
    talk = {_text(e): e for e in events if isinstance(e, Message) and e.role != "system"}
    assert {text: event.live for text, event in talk.items()} == {
        "Q1": True, "A1": True, "Q2": False, "A2": False, "Q3": True, "A3": True,
    }  # fmt: skip
    assert talk["Q3"].parent == talk["A1"].id


@pytest.mark.parametrize(
    ("name", "parent", "talk"),
    [
        (
            "0.171.0 forked-paginated",
            "01a22b0a-ca0f-7bb0-8dcd-c1c5a1997a3b",
            ["Count one", "One.", "Count two", "Two."],
        ),
        ("0.171.0 forked-legacy", "01a22b0a-fa49-7233-be7a-3d571617ee5e", ["Count one", "One.", "Count two", "Two."]),
        (
            "0.130.0 forked",
            "01a22b0c-86a8-78b3-9802-cb738bc066bd",
            ["Count one", "One.", "Run long", "", "Stop then", "Ok."],
        ),
        (
            "0.171.0 child of subagent-fork-paginated",
            "01a22b0a-bf71-7d02-900f-f129ffe36bba",
            ["Earlier question", "Delegate this"],
        ),
        (
            "0.171.0 child of subagent-fork-legacy",
            "01a22b0a-eeea-7542-977d-645dc144599e",
            ["Earlier question", "Delegate this"],
        ),
        (
            "0.130.0 child of subagent-fork",
            "01a22b0c-8dc6-7ee1-a24d-48288518e8eb",
            ["Earlier question", "Delegate this"],
        ),
    ],
)
def test_what_another_thread_said_is_inherited(name: str, parent: str, talk: list[str]) -> None:
    """What a fork copied or builds on stands before its own part, names whose it is, and is no part of its account."""
    source, events = _named(name)
    inherited = [e for e in events if isinstance(e, Message) and e.role in ("user", "assistant") and e.inherited_from]
    assert [_text(event) for event in inherited] == talk
    assert {event.inherited_from for event in inherited} == {parent}
    own = [e for e in events if isinstance(e, Message) and e.inherited_from is None and e.injected != "developer"]
    first = next(e for e in own if e.role == "user" or e.injected == "task")
    assert first.parent is not None
    _, records, _ = _read(source.path)
    assert not {r.kind for r in records if any(_copied(event) for event in r.events)} - {"inherited"}


def _copied(event: Event) -> bool:
    return event.inherited_from is not None


def test_the_items_of_one_response_are_one_group() -> None:
    """Reasoning, text and calls up to the outputs are one response, which its last item closes."""
    _, events = _named("0.171.0 tools-paginated")
    answers = [event for event in events if isinstance(event, Message) and event.role == "assistant"]
    first = [event for event in answers if event.response == answers[0].response]
    assert [type(event.content[0]) for event in first] == [Thinking, Text, ToolCall]
    assert [event.closes for event in first] == [False, False, True]
    assert first[0].content == (Thinking(text="List the files first", signature="ZW5jcnlwdGVk"),)
    assert len({event.response for event in answers}) == 10
    assert all(isinstance(event.content[0], ToolCall | Text | Thinking) for event in answers)


@pytest.mark.parametrize("dialect", ["paginated", "legacy"])
def test_tools_keep_their_names_outcomes_and_pictures(dialect: str) -> None:
    """MCP tools are named by server and tool; an error told only by an event counts; pictures are pictures."""
    _, events = _named(f"0.171.0 tools-{dialect}")
    calls = {b.id: b for e in events if isinstance(e, Message) for b in e.content if isinstance(b, ToolCall)}
    results = {event.call_id: event for event in events if isinstance(event, ToolResult)}
    assert calls["call_mcp"].name == "mcp__demo__lookup"
    assert calls["ws_1"].name == "web_search"
    assert calls["call_patch"].custom
    assert (calls["call_patch"].text or "").startswith("*** Begin Patch")
    assert bytes(calls["call_ls"].arguments) == b'{"cmd": "ls; cat hello.txt", "workdir": "/home/dev/app"}'
    assert {name: result.status for name, result in results.items() if result.status != "ok"} == dict.fromkeys(
        ["call_fail", "call_badpatch", "call_mcp2", "call_plan", "call_unknown"], "error"
    )
    (picture,) = results["call_img"].content
    assert picture.media_type == "image/png"  # type: ignore[union-attr]
    prompt = next(event for event in events if isinstance(event, Message) and event.role == "user")
    assert [type(block).__name__ for block in prompt.content] == ["Text", "Image", "Image"]
    assert (results["call_ls"].duration_ms is not None) == (dialect == "paginated")


def test_the_old_wrapper_gives_its_text_and_stands_beside_it() -> None:
    """Of the JSON wrapper of old versions a result holds the text; the wrapper is kept whole."""
    _, events = _named("0.20.0 exec-tools")
    failed = next(e for e in events if isinstance(e, ToolResult) and e.call_id == "call_fail")
    assert failed.content == (Text(text="oops\n"),)
    assert failed.status == "error"
    assert msgspec.json.decode(failed.details)["metadata"]["exit_code"] == 3


@pytest.mark.parametrize("dialect", ["paginated", "legacy"])
def test_a_compaction_is_its_summary_and_what_it_kept(dialect: str) -> None:
    """The items that replace the history are no messages; what they keep of the person is told within the summary."""
    _, events = _named(f"0.171.0 compacted-{dialect}")
    (compaction,) = [event for event in events if isinstance(event, Compaction)]
    assert compaction.summary.startswith("Another language model started")
    assert "SUMMARY: user said hi, we replied." in compaction.summary
    assert compaction.summary.endswith("Hi, remember the number 7")
    assert compaction.summary.count("SUMMARY") == 1
    assert compaction.tokens_before == 5240


@pytest.mark.parametrize("dialect", ["paginated", "legacy"])
def test_a_command_of_the_person_is_a_command(dialect: str) -> None:
    """`!cmd` is the command, its output and its status, beside the text that the model was given."""
    _, events = _named(f"0.171.0 usershell-{dialect}")
    (shell,) = [event for event in events if isinstance(event, Shell)]
    assert (shell.command, shell.output, shell.exit_code) == ("echo from user", "from user\n", 0)


@pytest.mark.parametrize("dialect", ["paginated", "legacy"])
def test_a_partial_answer_says_that_it_was_aborted(dialect: str) -> None:
    """A response that was cut off while it streamed is kept and marked; one that failed is told by a notice."""
    _, events = _named(f"0.171.0 aborted-{dialect}")
    faults = [(e.fault, e.injected, _text(e)) for e in events if isinstance(e, Message) and e.fault]
    assert faults[0] == ("aborted", None, "Partial answer that stays")
    assert faults[1][:2] == ("error", "agent_notice")
    assert len(faults) == 2


def test_session_facts() -> None:
    """Name, prompt, folder, branch, version, provider, and the model of the last turn."""
    _, events = _named("0.171.0 plain-legacy")
    session = events[0]
    assert isinstance(session, Session)
    facts: dict[str, Any] = {
        "title": "Greeting and sums", "first_prompt": "Hello there", "cwd": "/home/dev/app", "git_branch": "main",
        "version": "0.171.0", "provider": "fake", "model": "gpt-5.4", "complete": True, "forked_from": None,
    }  # fmt: skip
    assert {name: getattr(session, name) for name in facts} == facts
    models = [e.model for e in events if isinstance(e, Message) and e.role == "assistant"]
    assert (models[0], models[-1]) == ("gpt-5.5", "gpt-5.4")


@every_thread
def test_layout_is_the_place_in_the_tree(home: str, thread: Thread) -> None:
    """A copy is laid where Codex looks for it."""
    for file in thread.files:
        assert layout(str(CODEX / home / file)) == file.removeprefix("sessions/")


def _text(event: Message) -> str:
    return "\n".join(block.text for block in event.content if isinstance(block, Text))
