"""What the records of Kimi Code mean."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from panscript.readers.context import Context
from panscript.readers.discovery import discover, family, full_id
from panscript.readers.kimi import detect, read, resolve
from panscript.schemas.errors import NotATranscript
from panscript.schemas.events import (
    SHELL,
    TASK,
    Compaction,
    Event,
    Opaque,
    Session,
    Shell,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
)
from panscript.schemas.report import FileReport
from panscript.stages.merge import merge
from tests.builders import events, said, write_rows
from tests.readers.kimi.sessions import code, codes, messages, records, usage_of
from tests.sessions import FIXTURES

HOME = FIXTURES / "kimi" / "home"
REAL = next((HOME / ".kimi-code").rglob("wire.jsonl"))


def text(words: str) -> list[dict[str, str]]:
    return [{"type": "text", "text": words}]


def put(role: str, words: str, kind: str | None = None, **more: Any) -> dict[str, Any]:
    """A message put into the context."""
    origin = {"origin": {"kind": kind}} if kind else {}
    return codes("context.append_message", message={"role": role, "content": text(words), **origin, **more})


def loop(kind: str, **payload: Any) -> dict[str, Any]:
    """A piece of a step."""
    return codes("context.append_loop_event", event={"type": kind, **payload})


def answer(step: str, words: str) -> list[dict[str, Any]]:
    part = loop("content.part", stepUuid=step, part={"type": "text", "text": words})
    return [loop("step.begin", uuid=step), part, loop("step.end", uuid=step)]


def stream(folder: Path, *rows: Any) -> list[Event]:
    return events(records(code(folder, *rows)))


def alive(found: list[Event]) -> list[str]:
    return [said([event])[0] for event in messages(found) if event.live]


def test_a_real_session_reads_as_it_went() -> None:
    found = events(records(REAL))
    assert [line.split(":")[0] for line in said(found)] == [
        *["system_prompt", "user", "injection", "injection"],
        *["assistant", "assistant", "assistant", "assistant", "error", "ok", "assistant"],
    ]
    merged = messages(list(merge(found)))
    assert [type(block) for block in merged[4].content] == [Thinking, Text, ToolCall, ToolCall]
    assert (merged[4].model, merged[4].provider) == ("fake-1", "openai")


def test_its_facts_stand_beside_it_and_in_it() -> None:
    session = events(records(REAL))[0]
    assert isinstance(session, Session)
    assert session.session_id == "session_09a41e22-5a76-49d4-80f3-482c320a1df2"
    assert (session.cwd, session.model, session.first_prompt) == ("/home/dev/app", "fake-1", "What files are here?")


def test_copies_for_observers_are_twins() -> None:
    kinds = [record.kind for record in records(REAL) if b'"kind":"event"' in record.raw]
    assert len(kinds) == 7
    assert set(kinds) == {"twin"}


def test_a_result_has_its_duration_and_its_note() -> None:
    results = [event for event in events(records(REAL)) if isinstance(event, ToolResult)]
    assert [(result.status, result.duration_ms) for result in results] == [("error", 26), ("ok", 56)]
    assert json.loads(bytes(results[1].details))["note"].startswith("<system>1 line read")


@pytest.mark.parametrize("kind", ["injection", "system_trigger", "hook_result", "task", "cron_job", "skill_activation"])
def test_who_else_puts_messages_there(tmp_path: Path, kind: str) -> None:
    found = messages(stream(tmp_path, put("user", "x", kind)))[0]
    assert (found.role, found.injected) == ("system", kind)


@pytest.mark.parametrize("kind", ["user", None])
def test_what_a_person_typed(tmp_path: Path, kind: str | None) -> None:
    assert said(stream(tmp_path, put("user", "x", kind))) == ["user: x"]


def test_a_migrated_session_has_whole_messages(tmp_path: Path) -> None:
    flat = {"type": "function", "id": "c1", "name": "Read", "arguments": '{"path": "a"}'}
    nested = {"type": "function", "id": "c2", "function": {"name": "Bash", "arguments": "{}"}}
    found = stream(
        tmp_path,
        put("user", "hi"),
        put("assistant", "looking", toolCalls=[flat, nested]),
        put("tool", "out", toolCallId="c1", isError=True),
        put("tool", "fine", toolCallId="c2"),
    )
    assert said(found) == ["user: hi", "assistant: looking <ToolCall> <ToolCall>", "error: out", "ok: fine"]
    calls = [block for block in messages(found)[1].content if isinstance(block, ToolCall)]
    assert [(call.name, call.answered) for call in calls] == [("Read", True), ("Bash", True)]


def test_an_undo_takes_the_last_turns_away(tmp_path: Path) -> None:
    rows = [put("user", "one"), *answer("s1", "1"), put("user", "two"), *answer("s2", "2")]
    found = stream(tmp_path, *rows, codes("context.undo", count=1), put("user", "three"), *answer("s3", "3"))
    assert alive(found) == ["user: one", "assistant: 1", "user: three", "assistant: 3"]
    three = next(event for event in messages(found) if event.content == (Text(text="three"),))
    one = next(event for event in messages(found) if event.content == (Text(text="1"),))
    assert three.parent == one.id


def test_an_undo_at_the_end_leaves_what_came_before(tmp_path: Path) -> None:
    rows = [put("user", "one"), *answer("s1", "1"), put("user", "two"), *answer("s2", "2")]
    assert alive(stream(tmp_path, *rows, codes("context.undo", count=1))) == ["user: one", "assistant: 1"]
    assert alive(stream(tmp_path, *rows, codes("context.undo", count=2))) == []


def test_an_undo_of_more_turns_than_there_are_does_nothing(tmp_path: Path) -> None:
    assert alive(stream(tmp_path, put("user", "one"), codes("context.undo", count=2))) == ["user: one"]


def test_a_clear_takes_everything_away_but_the_system_prompt(tmp_path: Path) -> None:
    bind = codes("profile.bind", systemPrompt="P", environmentDisclosure={"cwd": "/home/dev/app"})
    found = stream(tmp_path, bind, put("user", "one"), codes("context.clear"), put("user", "two"))
    assert alive(found) == ["system_prompt: P", "user: two"]
    session = found[0]
    assert isinstance(session, Session)
    assert (session.cwd, session.first_prompt) == ("/home/dev/app", "two")


def test_a_compaction_keeps_what_it_did_not_count(tmp_path: Path) -> None:
    rows = [put("user", "one"), *answer("s1", "1"), put("user", "two"), *answer("s2", "2")]
    found = stream(tmp_path, *rows, codes("context.apply_compaction", summary="S", compactedCount=2))
    compaction = next(event for event in found if isinstance(event, Compaction))
    two = next(event for event in messages(found) if event.content == (Text(text="two"),))
    assert (compaction.summary, compaction.first_kept) == ("S", two.id)


def test_sub_agents_lie_beside_the_session(tmp_path: Path) -> None:
    home = tmp_path / ".kimi-code"
    path = code(home, put("user", "hi"))
    usage = {"inputOther": 3, "output": 1}
    code(home, put("user", "do it"), codes("usage.record", usageScope="turn", usage=usage), agent="a1")
    (source,) = discover(Context.at(tmp_path), ["kimi"])
    assert [full_id(member) for member in family(source)] == ["session_1", "session_1/a1"]
    assert [full_id(child) for child in resolve(str(path)).children] == ["session_1/a1"]
    child = events(list(read(source.children[0], report=FileReport(path=""))))
    assert isinstance(child[0], Session)
    assert (child[0].parent_session_id, child[0].billed_to) == ("session_1", "session_1")
    assert [message.injected for message in messages(child)] == [TASK]
    assert [usage.agent_id for usage in usage_of(child)] == ["a1"]


@pytest.mark.parametrize(
    "state",
    [
        {"cwd": "/home/dev/x"},
        {"workDir": "/home/dev/x", "createdAt": "2026-01-01T00:00:00Z"},
        {"custom": {"cwd": "/home/dev/x"}},
    ],
)
def test_where_it_ran_in_all_versions_of_the_state(tmp_path: Path, state: dict[str, Any]) -> None:
    path = code(tmp_path, put("user", "hi"))
    (path.parents[2] / "state.json").write_text(json.dumps(state | {"title": "T"}))
    session = events(records(path))[0]
    assert isinstance(session, Session)
    assert (session.cwd, session.title) == ("/home/dev/x", "T")


def test_a_fork_and_a_child_name_their_parent(tmp_path: Path) -> None:
    path = code(tmp_path, put("user", "hi"))
    found = []
    for kind in ("fork", "child"):
        state = {"custom": {"parent_session_id": "session_0", "kind": kind}}
        (path.parents[2] / "state.json").write_text(json.dumps(state))
        session = events(records(path))[0]
        assert isinstance(session, Session)
        found.append((session.forked_from, session.parent_session_id))
    assert found == [("session_0", None), (None, "session_0")]


def test_without_a_request_the_model_is_the_one_that_the_agent_is_bound_to(tmp_path: Path) -> None:
    found = stream(tmp_path, codes("profile.bind", modelAlias="kimi-code/k2"), put("user", "a"), *answer("s1", "1"))
    assert [message.model for message in messages(found)] == [None, "k2"]
    assert isinstance(found[0], Session)
    assert found[0].model == "k2"


def test_what_a_fork_copied_belongs_to_its_source(tmp_path: Path) -> None:
    usage = codes("usage.record", usageScope="turn", usage={"inputOther": 3})
    rows = [put("user", "one"), usage, codes("forked"), put("user", "two"), usage]
    path = code(tmp_path, *rows)
    (path.parents[2] / "state.json").write_text(json.dumps({"forkedFrom": "session_0"}))
    found = records(path)
    assert [event.inherited_from for event in messages(events(found))] == ["session_0", None]
    assert [event.inherited_from for event in usage_of(events(found))] == ["session_0", None]
    assert [record.kind for record in found] == ["state", "inherited", "inherited", "state", "used", "used", "end"]


def test_a_command_that_the_person_ran(tmp_path: Path) -> None:
    def shell(words: str, phase: str) -> dict[str, Any]:
        origin = {"kind": "shell_command", "phase": phase}
        return codes("context.append_message", message={"role": "user", "content": text(words), "origin": origin})

    found = stream(
        tmp_path,
        shell("<bash-input>\nls &amp;&amp; pwd\n</bash-input>", "input"),
        shell("<bash-stdout>a</bash-stdout><bash-stderr>b</bash-stderr>", "output"),
    )
    shells = [event for event in found if isinstance(event, Shell)]
    assert [(event.command, event.output) for event in shells] == [("ls && pwd", None), (None, "a\nb")]
    assert [message.injected for message in messages(found)] == [SHELL, SHELL]


def test_a_compaction_of_newer_versions_keeps_no_end_of_the_conversation(tmp_path: Path) -> None:
    more = {"compactedCount": 1, "keptUserMessageCount": 1, "tokensBefore": 900}
    rows = [put("user", "one"), *answer("s1", "1"), codes("context.apply_compaction", summary="S", **more)]
    (compaction,) = [event for event in stream(tmp_path, *rows) if isinstance(event, Compaction)]
    assert (compaction.summary, compaction.first_kept, compaction.tokens_before) == ("S", None, 900)


def test_a_summary_of_old_versions_is_a_message(tmp_path: Path) -> None:
    summary = {"role": "user", "content": text("S")}
    rows = [put("user", "one"), codes("context.apply_compaction", summary=summary, count=1)]
    assert [event.summary for event in stream(tmp_path, *rows) if isinstance(event, Compaction)] == ["S"]


def test_types_that_are_not_known_are_kept_and_bookkeeping_is_state(tmp_path: Path) -> None:
    report = FileReport(path="")
    rows = [codes("goal.set"), codes("hologram.shown"), loop("smell", x=1), codes("context.odd")]
    found = records(code(tmp_path, put("user", "hi"), *rows), report)
    assert report.unknown == {"hologram.shown": 1, "smell": 1, "context.odd": 1}
    assert [event.name for event in events(found) if isinstance(event, Opaque)] == [
        "hologram.shown",
        "smell",
        "context.odd",
    ]
    assert [record.kind for record in found] == ["state", "used", "state", "opaque", "opaque", "opaque", "end"]


def test_nothing_understood_is_refused(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "s/agents/main/wire.jsonl", [{"a": 1}])
    with pytest.raises(NotATranscript):
        records(path)


def test_what_a_wire_looks_like() -> None:
    assert detect(REAL.read_bytes()) == 95
    assert detect(b'{"type":"usage.record","time":1778576400000}\n') == 80
