"""Copies between sessions: each thing is told once, where it belongs, whatever the order of the files."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.builders import assistant, call, result_row, user, write_rows
from tests.cli.program import panscript
from tests.readers.pi.sessions import HEADER, answer, prompt
from tests.sessions import FIXTURES

A, B = "aaaaaaaa-0000-4000-8000-000000000000", "bbbbbbbb-0000-4000-8000-000000000000"


def lines(folder: Path, *args: object) -> list[dict[str, Any]]:
    """What `events` prints."""
    done = panscript("events", *args, "--text", "--quiet", cwd=folder)
    assert done.code == 0, done.err
    return [json.loads(line) for line in done.out.splitlines()]


def told(found: list[dict[str, Any]], *kinds: str) -> Counter[tuple[str, ...]]:
    """Kind, session and what is told, without regard to order."""
    keys = ("text", "name", "status", "message_id", "output_tokens")
    return Counter(
        (line["kind"], line["session_id"], *(str(line[key]) for key in keys if key in line))
        for line in found
        if line["kind"] in (kinds or ("usage", "message", "tool_call"))
    )


def under(session: str, *rows: dict[str, Any], **more: Any) -> list[dict[str, Any]]:
    """The same rows in the file of another session."""
    return [{**row, "sessionId": session, **more} for row in rows]


OLD = [
    user("u1", None, "first", 1),
    assistant("a1", "u1", [{"type": "text", "text": "on it"}, call("toolu_1", x=1)], 2),
    result_row("r1", "a1", "toolu_1", "done", 3),
    assistant("a2", "r1", "ready", 4),
]


@pytest.fixture
def resumed(tmp_path: Path) -> list[Path]:
    """A session, and one that an old version resumed from it into a file of its own, its rows copied without a mark."""
    first = write_rows(tmp_path / f"{A}.jsonl", under(A, *OLD))
    rows = [*OLD, user("u2", "a2", "second", 60), assistant("a3", "u2", "more", 61)]
    return [first, write_rows(tmp_path / f"{B}.jsonl", under(B, *rows))]


def test_what_an_old_resume_copied_is_told_once_for_the_session_that_began_first(
    tmp_path: Path, resumed: list[Path]
) -> None:
    found = told(lines(tmp_path, *resumed))
    assert found == Counter(
        [
            ("message", A, "first"),
            ("message", A, "on it", "msg_a1"),
            ("tool_call", A, "Bash", "ok", "msg_a1"),
            ("message", A, "ready", "msg_a2"),
            ("usage", A, "msg_a1", "5"),
            ("usage", A, "msg_a2", "5"),
            ("message", B, "second"),
            ("message", B, "more", "msg_a3"),
            ("usage", B, "msg_a3", "5"),
        ]
    )


def test_the_order_of_files_changes_nothing_and_no_dedupe_tells_all(tmp_path: Path, resumed: list[Path]) -> None:
    assert told(lines(tmp_path, *resumed)) == told(lines(tmp_path, *reversed(resumed)))
    both = told(lines(tmp_path, *resumed, "--no-dedupe"))
    assert both == sum((told(lines(tmp_path, path)) for path in resumed), Counter())
    assert both.total() == 15


def test_each_session_keeps_its_own_facts(tmp_path: Path, resumed: list[Path]) -> None:
    facts = [line for line in lines(tmp_path, *resumed) if line["kind"] == "session_meta" and "cwd" in line]
    assert [fact["session_id"] for fact in facts] == [A, B]


def test_prompts_whose_rows_got_new_ids_in_a_copy_are_copies_before_a_copied_answer(tmp_path: Path) -> None:
    copies = [{**row, "uuid": f"new-{row['uuid']}"} for row in OLD]
    own = user("u9", None, "first", 90)
    files = [
        write_rows(tmp_path / f"{A}.jsonl", under(A, *OLD)),
        write_rows(tmp_path / f"{B}.jsonl", under(B, *copies, own)),
    ]
    for order in (files, files[::-1]):
        assert [line["text"] for line in lines(tmp_path, *order) if line["kind"] == "message"].count("first") == 2
    assert told(lines(tmp_path, *files), "message")["message", B, "first"] == 1


def test_a_call_that_only_the_copy_saw_answered_is_told_with_its_result_where_it_was_asked(tmp_path: Path) -> None:
    files = [
        write_rows(tmp_path / f"{A}.jsonl", under(A, *OLD[:2])),
        write_rows(tmp_path / f"{B}.jsonl", under(B, *OLD)),
    ]
    for order in (files, files[::-1]):
        assert told(lines(tmp_path, *order), "tool_call") == Counter([("tool_call", A, "Bash", "ok", "msg_a1")])


def test_sessions_that_say_the_same_at_the_same_time_are_no_copies(tmp_path: Path) -> None:
    files = []
    for name in (A, B):
        rows = [user(f"u-{name}", None, "hello", 1), assistant(f"a-{name}", f"u-{name}", "hi", 2)]
        files.append(write_rows(tmp_path / f"{name}.jsonl", under(name, *rows)))
    assert told(lines(tmp_path, *files)).total() == 6


@pytest.fixture
def replayed(tmp_path: Path) -> list[Path]:
    """A session, and a sub-agent of it that began with its conversation: same responses, new requests, new rows."""
    main = write_rows(tmp_path / f"{A}.jsonl", under(A, *OLD))
    rows = [
        user("w1", None, "first", 1),
        assistant(
            "w2", "w1", [{"type": "text", "text": "on it"}, call("toolu_1", x=1)], 2, message="msg_a1", request="r-x"
        ),
        result_row("w3", "w2", "toolu_1", "forked", 5),
        user("w4", "w3", "your task", 6),
        assistant("w5", "w4", [{"type": "text", "text": "mine"}, call("toolu_2")], 7),
        result_row("w6", "w5", "toolu_2", "done", 8),
    ]
    folder = tmp_path / A / "subagents"
    agent = write_rows(folder / "agent-f1.jsonl", under(A, *rows, isSidechain=True, agentId="f1"))
    agent.with_suffix(".meta.json").write_text('{"agentType": "fork", "isFork": true}')
    return [main, agent]


def test_what_a_sub_agent_replays_of_its_parent_is_told_by_the_parent(tmp_path: Path, replayed: list[Path]) -> None:
    child = f"{A}/f1"
    expected = told(lines(tmp_path, replayed[0], "--no-dedupe"))
    assert expected["message", child, "first"] == 1
    for order in (replayed, replayed[::-1], replayed[:1]):
        found = told(lines(tmp_path, *order))
        assert {key: times for key, times in found.items() if key[1] == child} == {
            ("message", child, "your task"): 1,
            ("message", child, "mine", "msg_w5"): 1,
            ("tool_call", child, "Bash", "ok", "msg_w5"): 1,
        }
        assert Counter(key for key in found if key[0] == "usage") == Counter(
            [("usage", A, "msg_a1", "5"), ("usage", A, "msg_a2", "5"), ("usage", A, "msg_w5", "5")]
        )


def test_one_session_in_two_homes_is_told_once_and_from_the_fuller_file(tmp_path: Path) -> None:
    early = under(A, *OLD[:1], assistant("a1", "u1", [{"type": "text", "text": "on it"}], 2, output=1, stop=None))
    files = [
        write_rows(tmp_path / "old" / f"{A}.jsonl", early),
        write_rows(tmp_path / "new" / f"{A}.jsonl", under(A, *OLD)),
    ]
    alone = told(lines(tmp_path, files[1]))
    assert told(lines(tmp_path, *files)) == told(lines(tmp_path, *files[::-1])) == alone


COPIED = [prompt("e1", None, "first", 1), answer("e2", "e1", "yes", 2, usage={"input": 3, "output": 4})]


def forks(folder: Path, *, parent: bool, link: str = "2026-01-01T10-00-00-000Z_s-1.jsonl") -> list[Path]:
    """Two forks of one Pi session, in two projects, and the session itself."""
    files = []
    if parent:
        files.append(write_rows(folder / "2026-01-01T10-00-00-000Z_s-1.jsonl", [HEADER, *COPIED]))
    for number in (2, 3):
        time = f"2026-01-01T1{number}:00:00.000Z"
        head = {**HEADER, "id": f"s-{number}", "timestamp": time, "parentSession": link, "cwd": f"/home/p{number}"}
        own = answer("e9", "e2", f"own {number}", 0, usage={"input": 1, "output": number}, responseId=f"r{number}")
        own["timestamp"] = f"2026-01-01T1{number}:01:00.000Z"
        files.append(write_rows(folder / f"2026-01-01T1{number}-00-00-000Z_s-{number}.jsonl", [head, *COPIED, own]))
    return files


EXPECTED = Counter(
    [
        ("message", "s-1", "first"),
        ("message", "s-1", "yes"),
        ("usage", "s-1", "4"),
        ("message", "s-2", "own 2", "r2"),
        ("usage", "s-2", "r2", "2"),
        ("message", "s-3", "own 3", "r3"),
        ("usage", "s-3", "r3", "3"),
    ]
)


@pytest.mark.parametrize("parent", [True, False])
@pytest.mark.parametrize("link", ["2026-01-01T10-00-00-000Z_s-1.jsonl", "/gone/2026-01-01T10-00-00-000Z_s-1.jsonl"])
def test_what_forks_copied_is_told_once_for_their_parent(tmp_path: Path, link: str, *, parent: bool) -> None:
    files = forks(tmp_path, parent=parent, link=link)
    for order in itertools.permutations(files):
        assert told(lines(tmp_path, *order)) == EXPECTED


def test_a_fork_alone_tells_for_a_parent_that_is_not_read(tmp_path: Path) -> None:
    parent, fork, _ = forks(tmp_path, parent=True)
    assert told(lines(tmp_path, fork))["usage", "s-1", "4"] == 1
    assert told(lines(tmp_path, fork, parent))["usage", "s-1", "4"] == 1


def test_what_is_twice_in_one_file_stays_twice(tmp_path: Path) -> None:
    rows = [HEADER, *COPIED, {**COPIED[1], "id": "e3"}]
    here = write_rows(tmp_path / "a" / "2026-01-01T10-00-00-000Z_s-1.jsonl", rows)
    there = write_rows(tmp_path / "b" / "2026-01-01T10-00-00-000Z_s-1.jsonl", rows)
    assert told(lines(tmp_path, here, there), "usage") == Counter({("usage", "s-1", "4"): 2})


def test_one_thread_in_two_files_is_told_once(tmp_path: Path) -> None:
    rollouts = sorted((FIXTURES / "codex/home-0.130.0").rglob("rollout-*.jsonl"))
    thread = max(rollouts, key=lambda path: path.stat().st_size)
    rows = thread.read_bytes().splitlines(keepends=True)
    whole = tmp_path / "a" / thread.name
    cut = tmp_path / "b" / thread.name
    for path, content in ((whole, rows), (cut, rows[: len(rows) * 2 // 3])):
        path.parent.mkdir()
        path.write_bytes(b"".join(content))
    alone = told(lines(tmp_path, whole))
    assert told(lines(tmp_path, cut, whole)) == told(lines(tmp_path, whole, cut)) == alone


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25)
@given(data=st.data())
def test_whatever_resumes_copied_every_order_tells_the_same(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("sessions")
    rows: list[dict[str, Any]] = []
    files = []
    for number in range(data.draw(st.integers(2, 4))):
        start = data.draw(st.integers(0, len(rows)))
        history = rows[start:] if data.draw(st.booleans()) else []
        name = f"s{number}"
        own = []
        for turn in range(data.draw(st.integers(1, 3))):
            second = number * 100 + turn * 10
            own += [user(f"u{number}{turn}", None, f"{number} {turn}", second)]
            own += [assistant(f"a{number}{turn}", f"u{number}{turn}", "same", second + 1)]
        rows = [*history, *own]
        files.append(write_rows(folder / f"{name}.jsonl", under(name, *rows)))
    orders = data.draw(st.lists(st.permutations(files), min_size=2, max_size=3))
    first, *others = [told(lines(folder, *order)) for order in orders]
    assert all(other == first for other in others)
    names = [key[2:] for key in first if key[0] == "usage"]
    assert len(names) == len(set(names))


def chain(folder: Path, middle: str) -> list[Path]:
    """A session and, of a fork of it, the fork; the fork in the middle is not there. Its copies have the same ids."""
    first = write_rows(folder / "2026-01-01T10-00-00-000Z_s-1.jsonl", [HEADER, *COPIED])
    head = {**HEADER, "id": "s-3", "timestamp": "2026-01-01T13:00:00.000Z", "parentSession": middle, "cwd": "/home/p3"}
    # What the one that is missing said itself is told for it.
    between = answer("e5", "e2", "between", 0, usage={"input": 1, "output": 7})
    between["timestamp"] = "2026-01-01T12:01:00.000Z"
    own = answer("e9", "e5", "yes", 0, usage={"input": 3, "output": 4})
    own["timestamp"] = "2026-01-01T13:01:00.000Z"
    return [first, write_rows(folder / "2026-01-01T13-00-00-000Z_s-3.jsonl", [head, *COPIED, between, own])]


def test_what_a_missing_parent_copied_itself_is_told_by_the_session_that_said_it(tmp_path: Path) -> None:
    files = chain(tmp_path, "/gone/2026-01-01T12-00-00-000Z_s-2.jsonl")
    expected = Counter(
        [
            ("message", "s-1", "first"),
            ("message", "s-1", "yes"),
            ("usage", "s-1", "4"),
            ("message", "s-2", "between"),
            ("usage", "s-2", "7"),
            ("message", "s-3", "yes"),
            ("usage", "s-3", "4"),
        ]
    )
    for order in itertools.permutations(files):
        found = lines(tmp_path, *order)
        assert told(found) == expected
        # The model was told with the answer that was copied, so the missing one states nothing new.
        assert {line["session_id"] for line in found if line["kind"] == "session_meta"} == {"s-1", "s-3"}
    assert told(lines(tmp_path, *files, "--kinds", "usage")) == Counter(
        {key: times for key, times in expected.items() if key[0] == "usage"}
    )


def test_an_entry_of_another_id_is_no_copy_of_a_missing_parent_s(tmp_path: Path) -> None:
    first, fork = chain(tmp_path, "/gone/2026-01-01T12-00-00-000Z_s-2.jsonl")
    write_rows(first, [HEADER, COPIED[0], {**COPIED[1], "id": "e7"}])
    found = told(lines(tmp_path, first, fork))
    assert (found["usage", "s-1", "4"], found["usage", "s-2", "4"], found["message", "s-2", "yes"]) == (1, 1, 1)


@pytest.mark.parametrize("names", [("a", "b"), ("b", "a")])
def test_usage_counts_what_a_missing_parent_copied_once(tmp_path: Path, names: tuple[str, str]) -> None:
    store = tmp_path / "home/.pi/agent/sessions"
    for name, file in zip(names, chain(tmp_path, "/gone/2026-01-01T12-00-00-000Z_s-2.jsonl"), strict=True):
        (store / name).mkdir(parents=True)
        file.rename(store / name / file.name)
    done = panscript("usage", "--home", "home", "--by", "session", "--json", cwd=tmp_path)
    rows = {row["session"]: (row["events"], row["output_tokens"]) for row in json.loads(done.out)["rows"]}
    assert rows == {"s-1": (1, 4), "s-2": (1, 7), "s-3": (1, 4)}
    assert "1 copies of other sessions' responses" in done.err


def forked(folder: Path, names: tuple[str, str], *, meta: bool, uuid: str, second: int = 3) -> Path:
    """A session with a sub-agent and a fork of that, which holds its response under a new request id."""
    of = dict(zip(("first", "fork"), names, strict=True))
    file = write_rows(folder / f"{A}.jsonl", under(A, assistant("a0", None, "main", 1, request="r0")))
    side: dict[str, Any] = {"isSidechain": True}
    retried = assistant("w2", "w1", "again", 4, **side, request="r3", agentId=of["first"])
    retried["message"]["id"] = "msg_w1"
    rows = [assistant("w1", None, "one", 3, **side, request="r1", agentId=of["first"]), retried]
    agents = file.with_suffix("") / "subagents"
    write_rows(agents / f"agent-{of['first']}.jsonl", under(A, *rows))
    copy = assistant(uuid, None, "one", second, **side, request="r9", agentId=of["fork"])
    copy["message"]["id"] = "msg_w1"
    own = assistant("w3", uuid, "two", 9, **side, request="r2", agentId=of["fork"])
    write_rows(agents / f"agent-{of['fork']}.jsonl", under(A, copy, own))
    if meta:
        facts = {"agentType": "fork", "isFork": True, "parentAgentId": of["first"]}
        (agents / f"agent-{of['fork']}.meta.json").write_text(json.dumps(facts))
    return file


@pytest.mark.parametrize("names", [("aaaa", "bbbb"), ("bbbb", "aaaa")])
@pytest.mark.parametrize(
    ("meta", "uuid", "second"), [(True, "w1", 3), (True, "w8", 3), (True, "w8", 5), (False, "w1", 3)]
)
def test_what_a_fork_of_a_sub_agent_copied_counts_once_and_a_retry_counts(
    tmp_path: Path, names: tuple[str, str], meta: bool, uuid: str, second: int
) -> None:
    store = tmp_path / "home/.claude/projects/-a"
    store.mkdir(parents=True)
    forked(store, names, meta=meta, uuid=uuid, second=second)
    found = lines(tmp_path, "--home", "home")
    billed = sorted((line["message_id"], line["request_id"]) for line in found if line["kind"] == "usage")
    # Without a word on which is the fork, either request may be the one that counts.
    assert [name for name, _ in billed] == ["msg_a0", "msg_w1", "msg_w1", "msg_w3"]
    if meta:
        assert billed[1:3] == [("msg_w1", "r1"), ("msg_w1", "r3")]
        told_by = {line["text"]: line["session_id"] for line in found if line["kind"] == "message"}
        assert told_by["one"] == f"{A}/{names[0]}"
    done = panscript("usage", "--home", "home", "--json", cwd=tmp_path)
    assert json.loads(done.out)["totals"]["events"] == 4


def test_forks_that_name_each_other_are_read(tmp_path: Path) -> None:
    store = tmp_path / "home/.claude/projects/-a"
    store.mkdir(parents=True)
    file = forked(store, ("aaaa", "bbbb"), meta=True, uuid="w1")
    facts = {"isFork": True, "parentAgentId": "bbbb"}
    (file.with_suffix("") / "subagents/agent-aaaa.meta.json").write_text(json.dumps(facts))
    assert told(lines(tmp_path, "--home", "home"), "usage").total() == 4
    done = panscript("usage", "--home", "home", "--json", cwd=tmp_path)
    assert json.loads(done.out)["totals"]["events"] == 4
