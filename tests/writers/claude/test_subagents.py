"""Where a session lies among those of Claude Code, and what its sub-agents are beside it."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from panscript.readers.validation import validate
from panscript.schemas.events import Event, Session
from panscript.writers.claude import beside, file_name, session_id
from panscript.writers.claude.place import project
from tests.builders import answer, asked, result, session, spoken
from tests.strategies import sessions
from tests.writers.claude.written import OPTIONS, Written

ROOT = "22222222-2222-4222-8222-222222222222"
PARENT = "33333333-3333-4333-8333-333333333333"
BELOW = {"root_session": ROOT, "parent_session": PARENT}


def _sub_agent(**more: Any) -> Session:
    return session(**{"agent": "codex", "session_id": "sub", "parent_session_id": "main", **more})


def _options(**more: Any) -> Any:
    return msgspec.structs.replace(OPTIONS, **{**BELOW, **more})


def test_the_rows_of_a_sub_agent_name_it_and_the_session_that_a_person_talks_to() -> None:
    out = Written([spoken("t", "count", role="system", injected="task"), answer("a", "2")], first=_sub_agent(), **BELOW)
    assert {line["sessionId"] for line in out.lines} == {ROOT}
    agents = {row["agentId"] for row in out.rows}
    assert len(agents) == 1
    assert re.fullmatch(r"a[0-9a-f]{16}", agents.pop())
    assert all(row["isSidechain"] for row in out.rows)
    assert out.head["parentSourceSessionId"] == "main"


def test_it_has_no_title_of_its_own_among_its_rows() -> None:
    assert Written([spoken("t")], first=_sub_agent(title="T"), **BELOW).of("custom-title") == []


def test_that_nobody_typed_its_task_goes_without_saying() -> None:
    out = Written([spoken("t", "count", role="system", injected="task")], first=_sub_agent(), **BELOW)
    assert out.listed("tasks") == []


def test_it_lies_in_the_folder_of_the_session_under_the_name_of_its_agent() -> None:
    out = Written([spoken("t")], first=_sub_agent(), **BELOW)
    agent = out.rows[0]["agentId"]
    assert file_name(_sub_agent(), _options()) == f"-home-dev-app/{ROOT}/subagents/agent-{agent}.jsonl"
    assert file_name(_sub_agent(session_id="other"), _options()) != file_name(_sub_agent(), _options())


@pytest.mark.parametrize(
    ("facts", "description"),
    [
        ({"title": "Count\nthem"}, "Count them"),
        ({"first_prompt": "count the files"}, "count the files"),
        ({}, "sub"),
        ({"title": "x" * 300}, "x" * 200),
    ],
)
def test_its_facts_lie_beside_it(facts: dict[str, str], description: str) -> None:
    (meta,) = beside(_sub_agent(**facts), _options())
    assert meta.path == file_name(_sub_agent(), _options()).replace(".jsonl", ".meta.json")
    assert msgspec.json.decode(meta.content) == {"agentType": "imported", "description": description}
    assert not meta.is_line


def test_a_session_of_its_own_has_nothing_beside_it() -> None:
    assert list(beside(session(), OPTIONS)) == []


def test_the_names_of_a_sub_agents_rows_are_its_own() -> None:
    events: list[Event] = [spoken("u"), answer("a", "x", asked("c")), result("r", "c")]
    main, sub = Written(events, first=session(agent="codex")), Written(events, first=_sub_agent(), **BELOW)
    assert not {row["uuid"] for row in main.rows} & {row["uuid"] for row in sub.rows}
    assert not {row["message"].get("id") for row in main.of("assistant")} & {
        row["message"].get("id") for row in sub.of("assistant")
    }


@pytest.mark.parametrize(
    ("cwd", "name"),
    [
        ("/home/dev/app", "-home-dev-app"),
        ("/home/dev/my.proj_x y", "-home-dev-my-proj-x-y"),
        ("/", "-"),
        ("/home/ä", "-home--"),
        ("/home/\U0001f600", "-home---"),
        ("C:\\Users\\x", "C--Users-x"),
    ],
)
def test_a_project_is_called_what_the_agent_calls_it(cwd: str, name: str) -> None:
    assert project(cwd) == name
    assert file_name(session(cwd=cwd), OPTIONS).split("/")[0] == name


def _hash(text: str) -> int:
    """The sum over all units, the later ones counting less; as a number of 32 bits with a sign."""
    data = text.encode("utf-16-be", "surrogatepass")
    units = [int.from_bytes(data[at : at + 2], "big") for at in range(0, len(data), 2)]
    total: int = sum(unit * 31**power for power, unit in enumerate(reversed(units)))
    return (total + 2**31) % 2**32 - 2**31


@given(st.text(st.characters(exclude_characters="\0"), min_size=190, max_size=260) | st.just("/" + "x" * 199))
def test_a_long_name_is_cut_and_told_from_others_by_a_hash(cwd: str) -> None:
    name = project(cwd)
    units = len(cwd.encode("utf-16-le", "surrogatepass")) // 2
    if units <= 200:
        assert len(name) == units
        return
    start, _, digits = name[:200], name[200], name[201:]
    assert name[200] == "-"
    assert re.fullmatch(r"[A-Za-z0-9-]{200}", start)
    assert re.fullmatch(r"0|[1-9a-z][0-9a-z]{0,5}", digits)
    assert int(digits, 36) == abs(_hash(cwd))


def test_the_hash_is_that_of_the_whole_path() -> None:
    one, two = project("/" + "x" * 300 + "a"), project("/" + "x" * 300 + "b")
    assert one[:201] == two[:201] == "-" + "x" * 199 + "-"
    assert abs(int(one[201:], 36) - int(two[201:], 36)) == 1


@pytest.mark.parametrize(
    ("facts", "cwd"),
    [
        ({"session_id": "../../etc/passwd"}, None),
        ({"cwd": "/../../x"}, None),
        ({"cwd": ".."}, None),
        ({"cwd": "/" + "x" * 5000}, None),
        ({"cwd": "/home/ä/\x00\n\x1b[2J"}, None),
        ({"cwd": ""}, None),
        ({"cwd": None}, None),
        ({}, "/../.."),
    ],
)
@pytest.mark.parametrize("below", [False, True])
def test_hostile_names_stay_inside_the_folder(facts: dict[str, Any], cwd: str | None, below: bool) -> None:
    options = _options(cwd=cwd) if below else msgspec.structs.replace(OPTIONS, cwd=cwd)
    parts = file_name(session(**facts), options).split("/")
    assert len(parts) == (4 if below else 2)
    for part in parts:
        assert re.fullmatch(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,254}", part)


def test_the_id_is_the_same_for_the_same_source_and_another_for_another_import() -> None:
    names = [
        session_id(each, msgspec.structs.replace(OPTIONS, number=number))
        for each in (session(), session(session_id="x"), session(agent="codex"))
        for number in (0, 1)
    ]
    assert len(set(names)) == len(names)
    assert session_id(session(title="T", cwd="/x"), OPTIONS) == names[0]


@given(sessions(), st.booleans(), st.booleans())
def test_what_is_written_breaks_no_rule_of_the_agents_files(events: list[Event], every: bool, below: bool) -> None:
    first, *rest = events
    assert isinstance(first, Session)
    out = Written(rest, first=first, all_branches=every, **(BELOW if below else {}))
    with tempfile.TemporaryDirectory() as folder:
        options = _options() if below else OPTIONS
        path = Path(folder, file_name(first, options))
        path.parent.mkdir(parents=True)
        path.write_bytes(out.bytes)
        assert validate(str(path)).problems == []
