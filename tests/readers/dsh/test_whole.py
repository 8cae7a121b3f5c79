"""What holds for every log of the DeepSeek Harness, whole or damaged, and for a home full of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from panscript.readers.billing import billed
from panscript.readers.context import Context
from panscript.readers.discovery import discover, family
from panscript.readers.dsh import detect, layout, read, resolve
from panscript.readers.dsh.discovery import discover as discover_logs
from panscript.readers.finding import Problems
from panscript.readers.opening import detect as detect_any
from panscript.schemas.errors import PanscriptError
from panscript.schemas.events import Event, Message, ToolCall, ToolResult
from panscript.schemas.records import Source
from panscript.schemas.report import FileReport
from tests.builders import mutated
from tests.promises import check_file
from tests.readers.dsh.logs import answer, header, packed, plain, text, user, write
from tests.repository import ROOT

HOME = ROOT / "fixtures/dsh/home"
USAGE_HOME = ROOT / "fixtures/usage-home"
LOGS = sorted(path for home in (HOME, USAGE_HOME) for path in home.glob(".dsh/sessions/*/*/session*"))
KNOWN = {
    # requests, input, output; each also read 1000 from a cache, compactions included
    "session-2291a695-4e45-4566-81ca-0c488018ffd2": (11, 2286, 526),
    "8702f4af-ecb0-441b-aab0-31d7df4b6da2": (2, 419, 99),
    "d1a9dbc8-8e1f-4efa-8ebd-6b9842e9d316": (2, 429, 109),
    "session-9cb188c8-7c8b-4aa8-94e1-4a2e69730f29": (5, 614 + 203 + 206, 134 + 43 + 46),
}


def _raise(problem: PanscriptError) -> None:
    raise problem


def _sessions(home: Path) -> dict[str, Source]:
    found = discover(Context.at(home), ["dsh"], _raise)
    return {member.id: member for source in found for member in family(source)}


def _events(source: Source) -> list[Event]:
    return [event for record in read(source, report=FileReport(path="")) for event in record.events]


def test_every_session_costs_what_was_billed() -> None:
    found = {}
    for name, source in _sessions(HOME).items():
        rows = list(billed(source, report=FileReport(path="")))
        assert sum(row.cache_read for row in rows) == 1000 * len(rows)
        found[name] = (len(rows), sum(row.input for row in rows), sum(row.output for row in rows))
    assert found == KNOWN


def test_sub_agents_are_children_of_the_session_that_started_them() -> None:
    found = {
        source.id: [child.id for child in source.children] for source in discover(Context.at(HOME), ["dsh"], _raise)
    }

    assert found == {
        "session-2291a695-4e45-4566-81ca-0c488018ffd2": [
            "8702f4af-ecb0-441b-aab0-31d7df4b6da2",
            "d1a9dbc8-8e1f-4efa-8ebd-6b9842e9d316",
        ],
        "session-9cb188c8-7c8b-4aa8-94e1-4a2e69730f29": [],
    }


def test_a_session_that_is_named_by_its_path_brings_its_sub_agents() -> None:
    main = next(path for path in LOGS if "2291a695" in str(path))

    assert [child.id[:8] for child in resolve(str(main)).children] == ["8702f4af", "d1a9dbc8"]


def test_every_call_of_the_real_sessions_has_its_result() -> None:
    calls = {"session-2291": 7, "8702f4af": 1, "d1a9dbc8": 1, "session-9cb1": 1}
    for name, source in _sessions(HOME).items():
        own = [event for event in _events(source) if event.inherited_from is None]
        asked = [
            block.id
            for event in own
            if isinstance(event, Message)
            for block in event.content
            if isinstance(block, ToolCall)
        ]
        answers = [event.call_id for event in own if isinstance(event, ToolResult)]
        assert sorted(asked) == sorted(answers)
        assert next(number for start, number in calls.items() if name.startswith(start)) == len(asked)


def test_of_several_generations_of_a_log_the_newest_is_the_session(tmp_path: Path) -> None:
    path = write(tmp_path / ".dsh", [header(), user(0, "hi"), answer(1, text("ok"))])
    path.with_name("session.jsonl").write_bytes(plain([header(version=0), user(0, "hi")]))
    path.with_name("session.v10.jsonl.zstd").write_bytes(packed(plain([header(), user(0, "hi")])))
    path.with_name("session.v04.jsonl").write_bytes(b"not a log's name")
    path.with_name("session.lock").write_bytes(b"1")

    (source,) = _sessions(tmp_path).values()

    assert Path(source.path).name == "session.v10.jsonl.zstd"


def test_the_variable_moves_the_place(tmp_path: Path) -> None:
    write(tmp_path / "elsewhere", [header(), user(0, "hi")])
    context = Context(tmp_path, {"DSH_HOME": str(tmp_path / "elsewhere")})

    assert len(list(discover(context, ["dsh"], _raise))) == 1


def test_no_other_agent_takes_a_log() -> None:
    for path in LOGS:
        from panscript.readers.lines import head

        assert list(detect_any(head(str(path)))) == ["dsh"]


def test_a_session_of_another_agent_is_no_log() -> None:
    pi = b'{"type":"session","version":3,"id":"x","timestamp":"2026-01-01T00:00:00Z","cwd":"/"}\n'

    assert detect(pi) == 0


def test_a_log_lies_below_its_project_and_session(tmp_path: Path) -> None:
    path = tmp_path / "session.v4.jsonl"
    path.write_bytes(plain([header(id="a/b", cwd="/home/dev/my app")]))

    assert layout(str(path)) == "--home-dev-my~0020app--/a~002Fb/session.v4.jsonl"


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.parent.name[-8:])
def test_damaged_logs_keep_every_promise(path: Path, tmp_path: Path) -> None:
    import random

    from panscript.readers.lines import lines

    chance = random.Random(path.parent.name)
    for original in (path.read_bytes(), b"".join(line.raw for line in lines(str(path)))):
        copy = tmp_path / path.name
        for _ in range(60):
            copy.write_bytes(mutated(original, chance))
            check_file("dsh", copy)


@given(
    st.binary(max_size=200)
    | st.lists(st.sampled_from([b'{"type":"user/message"', b'"data":{', b"}", b"\n", b'"', b"{", b"[1]", b"\0"])).map(
        b"".join
    )
)
def test_any_bytes_give_records_or_an_error_of_ours(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "session.jsonl"
    path.write_bytes(data)
    check_file("dsh", path)


def test_searching_goes_on_where_a_file_is_none(tmp_path: Path) -> None:
    path = write(tmp_path / ".dsh", [header(), user(0, "hi")])
    other = path.parent.parent / "other" / "session.jsonl"
    other.parent.mkdir()
    other.write_bytes(b"nonsense\n")
    problems: list[PanscriptError] = []
    report: Problems = problems.append

    found = list(discover_logs("dsh", Context.at(tmp_path).places("dsh"), report))

    assert len(found) == 1
    assert [problem.path for problem in problems] == [str(other)]
