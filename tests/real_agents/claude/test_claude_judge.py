"""The judge itself: Claude Code restores its own sessions as our reader reads them, and planted faults are seen."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from panscript.readers import read_events
from panscript.stages import prepare
from tests.real_agents.claude.agent import PROMPT, Claude, Restored, Task, turns_of
from tests.real_agents.claude.rules import as_meant, as_sent, flat, own_words, refused
from tests.real_agents.conversions import SOURCES, Source
from tests.real_agents.meant import Said, Turn, meant
from tests.real_agents.model import REPLY, StandInModel, stand_in_model

Rows = list[dict[str, Any]]

OWN = [source for source in SOURCES if source.agent == "claude"]
SESSION = "5a000001-0000-4000-8000-000000000001"
# One that the agent knows: it goes on with it, and sends reasoning of no other.
MODEL = "claude-sonnet-4-5-20250929"
TITLES = {
    "20442b62-39fb-44c6-98c1-119a0a4ec831": "my-session",
    "10000000-0000-4000-8000-000000000004": "Ask a helper",
    "20000003-0000-4000-8000-000000000002": "Look at my notes",
}


@pytest.fixture(scope="module")
def restored(claude: Claude) -> dict[Source, Restored]:
    """All sessions that Claude Code wrote itself, resumed."""
    with stand_in_model() as model:
        tasks = [Task(source.path, source.session_id, source.path.with_suffix("")) for source in OWN]
        return dict(zip(OWN, claude.resume_all(tasks, model), strict=True))


@pytest.mark.parametrize("source", OWN, ids=str)
def test_claude_restores_its_own_sessions_as_they_are_read(source: Source, restored: dict[Source, Restored]) -> None:
    one = restored[source]
    assert one.ok, one.error
    assert one.prompted
    assert one.kept
    events = list(prepare(read_events(str(source.path))))
    assert flat(as_sent(one.turns, own=own_words(events))) == flat(as_meant(meant(events)))
    assert refused(one.messages) == []


@pytest.mark.parametrize("source", OWN, ids=str)
def test_the_grown_file_holds_the_new_turn(source: Source, restored: dict[Source, Restored]) -> None:
    last = meant(prepare(read_events(str(restored[source].grown))))[-2:]
    assert last[0].parts[-1] == Said(PROMPT)
    assert last[1] == Turn("assistant", (Said(REPLY),))


def test_claude_lists_its_own_sessions(claude: Claude) -> None:
    homes = sorted({source.home for source in OWN})
    listed = claude.lists([home / "projects" for home in homes])
    assert {home: set(rows) for home, rows in zip(homes, listed, strict=True)} == {
        home: {source.session_id for source in OWN if source.home == home} for home in homes
    }
    rows = {session: row for found in listed for session, row in found.items()}
    assert {session: rows[session].title for session in TITLES} == TITLES
    assert {row.cwd for row in rows.values()} == {"/home/dev/app"}
    (agent,) = rows["10000000-0000-4000-8000-000000000004"].agents.values()
    assert agent.call == "toolu_01Fake0000000000000021"
    assert flat(turns_of(agent.messages))[0] == "user: Said(text='HELPER: count the lines of notes.txt')"


def test_the_new_answers_go_where_the_session_is(claude: Claude, model: StandInModel) -> None:
    source = OWN[-1]
    one = claude.resume(Task(source.path, source.session_id), model, "--fork-session")
    assert one.ok, one.error
    assert one.grown.read_bytes() == source.path.read_bytes()
    (fork,) = one.forks
    assert meant(prepare(read_events(str(fork))))[-1] == Turn("assistant", (Said(REPLY),))


def row(number: int, kind: str, content: Any, **more: Any) -> dict[str, Any]:
    """A row that hangs on the one before it, and whose message has an id of its own."""
    message: dict[str, Any] = {"role": kind, "content": content}
    if kind == "assistant":
        usage = dict.fromkeys(
            ("input_tokens", "output_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"), 0
        )
        message |= {
            "id": f"msg_{number}",
            "type": "message",
            "model": MODEL,
            "stop_reason": "end_turn",
        }
        message |= {"stop_sequence": None, "usage": usage}
    return {
        "parentUuid": identity(number - 1) if number > 1 else None,
        "isSidechain": False,
        "type": kind,
        "message": message,
        "uuid": identity(number),
        "timestamp": f"2026-01-02T03:04:{number:02}.000Z",
        "sessionId": SESSION,
        "cwd": "/home/dev/app",
        "version": "2.1.328",
        "userType": "external",
    } | more


def identity(number: int) -> str:
    return f"5a0000aa-0000-4000-8000-{number:012}"


def call(name: str) -> dict[str, Any]:
    return {"type": "tool_use", "id": name, "name": "Bash", "input": {"command": "ls"}}


def result(name: str) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": name, "content": "notes.txt"}


def sound() -> Rows:
    """A session without a fault."""
    rows = [
        row(1, "user", "look"),
        row(2, "assistant", [{"type": "text", "text": "I look."}]),
        row(3, "assistant", [call("toolu_1")]),
        row(4, "user", [result("toolu_1")]),
        row(5, "assistant", [{"type": "thinking", "thinking": "hm", "signature": "c2lnbmVk"}]),
        row(6, "assistant", [{"type": "text", "text": "There are notes."}]),
        row(7, "user", "and now?"),
        row(8, "assistant", [{"type": "text", "text": "Done."}]),
    ]
    # Parts of one answer, each in a row of its own.
    rows[2]["message"]["id"], rows[5]["message"]["id"] = "msg_2", "msg_5"
    return rows


def write(rows: Rows, folder: Path) -> Task:
    file = folder / f"{SESSION}.jsonl"
    file.write_text("".join(json.dumps(one) + "\n" for one in rows), encoding="utf-8")
    return Task(file, SESSION)


SOUND = [
    "user: Said(text='look')",
    "assistant: Said(text='I look.')",
    "assistant: Call(id='toolu_1', name='Bash', arguments={'command': 'ls'})",
    "user: Result(call='toolu_1', texts=('notes.txt',), error=False, media=())",
    "assistant: Thought(text='hm', signature='c2lnbmVk')",
    "assistant: Said(text='There are notes.')",
    "user: Said(text='and now?')",
    "assistant: Said(text='Done.')",
]


def test_a_session_without_a_fault_is_restored_whole(claude: Claude, model: StandInModel, tmp_path: Path) -> None:
    one = claude.resume(write(sound(), tmp_path), model)
    assert one.ok, one.error
    assert flat(as_sent(one.turns)) == SOUND
    assert refused(one.messages) == []


def root_in_the_middle(rows: Rows) -> None:
    rows[6]["parentUuid"] = None


def call_without_result(rows: Rows) -> None:
    del rows[3]
    rows[3]["parentUuid"] = rows[2]["uuid"]


def result_without_call(rows: Rows) -> None:
    rows[3]["message"]["content"][0]["tool_use_id"] = "toolu_nobody"


def thinking_without_signature(rows: Rows) -> None:
    rows[4]["message"]["content"][0]["signature"] = ""


def message_id_of_another(rows: Rows) -> None:
    """An answer on an abandoned branch, whose message id brings it into the live one."""
    abandoned = row(20, "assistant", [{"type": "text", "text": "I do not look."}], parentUuid=rows[0]["uuid"])
    abandoned["message"]["id"] = rows[7]["message"]["id"]
    rows.insert(4, abandoned)


def error_not_said(rows: Rows) -> None:
    rows[3]["message"]["content"][0]["is_error"] = True


def name_with_a_colon(rows: Rows) -> None:
    rows[2]["message"]["content"][0]["name"] = "mcp:look"


def begins_with_an_answer(rows: Rows) -> None:
    del rows[0]
    rows[0]["parentUuid"] = None


@pytest.mark.parametrize(
    "fault",
    [
        root_in_the_middle,
        call_without_result,
        result_without_call,
        thinking_without_signature,
        message_id_of_another,
        error_not_said,
        name_with_a_colon,
        begins_with_an_answer,
    ],
)
def test_a_fault_is_seen_as_a_difference(
    claude: Claude, model: StandInModel, tmp_path: Path, fault: Callable[[Rows], None]
) -> None:
    rows = sound()
    fault(rows)
    one = claude.resume(write(rows, tmp_path), model)
    assert one.ok, one.error
    assert flat(as_sent(one.turns)) != SOUND


@pytest.mark.parametrize("fault", [thinking_without_signature, name_with_a_colon, begins_with_an_answer])
def test_what_the_api_refuses_is_said(
    claude: Claude, model: StandInModel, tmp_path: Path, fault: Callable[[Rows], None]
) -> None:
    rows = sound()
    fault(rows)
    assert refused(claude.resume(write(rows, tmp_path), model).messages) != []


def test_an_abandoned_answer_is_not_sent(claude: Claude, model: StandInModel, tmp_path: Path) -> None:
    rows = sound()
    message_id_of_another(rows)
    rows[4]["message"]["id"] = "msg_20"
    assert flat(as_sent(claude.resume(write(rows, tmp_path), model).turns)) == SOUND


def test_a_missing_parent_is_healed_by_the_agent_and_seen_by_the_sdk(
    claude: Claude, model: StandInModel, tmp_path: Path
) -> None:
    rows = sound()
    rows[6]["parentUuid"] = identity(99)
    project = tmp_path / "projects" / "-home-dev-app"
    project.mkdir(parents=True)
    task = write(rows, project)
    assert flat(as_sent(claude.resume(task, model).turns)) == SOUND
    (listed,) = claude.lists([project.parent])
    assert listed[SESSION].rows == 2


def test_rows_without_a_time_are_no_session(claude: Claude, model: StandInModel, tmp_path: Path) -> None:
    rows = sound()
    for one in rows:
        del one["timestamp"]
    found = claude.resume(write(rows, tmp_path), model)
    assert not found.ok
    assert "No conversation found" in found.error
    assert model.requests == []


def test_a_name_that_is_no_uuid_is_no_session(claude: Claude, model: StandInModel, tmp_path: Path) -> None:
    task = write(sound(), tmp_path)
    assert not claude.resume(Task(task.file, "my-session"), model).ok


def test_what_is_not_there_is_not_listed(claude: Claude, tmp_path: Path) -> None:
    project = tmp_path / "projects" / "-home-dev-app"
    project.mkdir(parents=True)
    task = write(sound(), project)
    shutil.copy(task.file, project / "notes.jsonl")
    (listed,) = claude.lists([project.parent])
    assert set(listed) == {SESSION}
    assert listed[SESSION].title == "look"
