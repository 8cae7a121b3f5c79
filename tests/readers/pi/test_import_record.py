"""What panscript noted when it wrote a session is read back with it."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import msgspec

from panscript.schemas.events import (
    TASK,
    Event,
    Message,
    Opaque,
    Session,
    Summary,
    Text,
    Thinking,
    Tokens,
    ToolCall,
    ToolResult,
)
from panscript.stages.prepare import prepare
from panscript.writers.options import WriteOptions
from panscript.writers.targets import write
from tests.readers.pi.sessions import answer, events, prompt, session, spoken

START = 1_767_261_600_000


def _session(**facts: Any) -> Session:
    return Session(id="session", agent="claude", session_id="home", cwd="/home/ana/app", created=START, **facts)


def _said(name: str, role: str, *blocks: Any, time: int | None = START, **more: Any) -> Message:
    return Message(id=name, role=role, content=blocks, time=time, **more)  # type: ignore[arg-type]


def _written(folder: Path, *stream: Event, **options: Any) -> Path:
    sink = io.BytesIO()
    chosen = WriteOptions(imported_at=START, importer="panscript test", **options)
    write("pi", prepare(iter(stream)), sink, options=chosen)
    path = folder / "imported.jsonl"
    path.write_bytes(sink.getvalue())
    return path


def _messages(path: Path) -> list[Message]:
    return [event for event in events(path) if isinstance(event, Message)]


def test_tokens_and_cost_of_imported_answers_come_back(tmp_path: Path) -> None:
    tokens = Tokens(input=3, output=5, reasoning=1, cache_read=7, cache_write=9, cache_write_1h=2, total=24, cost=0.5)
    path = _written(
        tmp_path,
        _session(),
        _said("a", "user", Text(text="Hi")),
        _said("b", "assistant", Text(text="Hello"), model="m", provider="p", tokens=tokens, time=START + 1),
    )
    assert [message.tokens for message in _messages(path)] == [None, tokens]


def test_times_come_back_as_they_were_logged(tmp_path: Path) -> None:
    path = _written(
        tmp_path,
        _session(),
        _said("a", "user", Text(text="1"), time=START + 9),
        _said("b", "user", Text(text="2"), time=START),
        _said("c", "user", Text(text="3"), time=None),
    )
    assert [message.time for message in _messages(path)] == [START + 9, START, None]


def test_call_ids_names_and_text_arguments_come_back(tmp_path: Path) -> None:
    calls = [
        ToolCall(id="a b", name="do.it", arguments=msgspec.Raw(b'{"x":1}')),
        ToolCall(id="c", name="", text="free text", custom=True),
        ToolCall(id="d", name="raw", text="not json {"),
        ToolCall(id="e", name="list", arguments=msgspec.Raw(b"[1]")),
    ]
    results = [ToolResult(id=f"r{c.id}", call_id=c.id, time=START + 2, content=(Text(text="ok"),)) for c in calls]
    path = _written(
        tmp_path,
        _session(),
        _said("u", "user", Text(text="Go")),
        _said("m", "assistant", *calls, model="m", provider="p", time=START + 1),
        *results,
    )
    found = [block for message in _messages(path) for block in message.content if isinstance(block, ToolCall)]
    assert [(c.id, c.name, c.text, c.custom, bytes(c.arguments)) for c in found] == [
        ("a b", "do.it", None, False, b'{"x":1}'),
        ("c", "", "free text", True, b""),
        ("d", "raw", "not json {", False, b""),
        ("e", "list", "[1]", False, b""),
    ]
    answered = [(event.call_id, event.name) for event in events(path) if isinstance(event, ToolResult)]
    assert answered == [("a b", "do.it"), ("c", None), ("d", "raw"), ("e", "list")]


def test_injected_text_comes_back_where_it_stood(tmp_path: Path) -> None:
    long = "x" * 120_001
    path = _written(
        tmp_path,
        _session(),
        _said("s", "system", Text(text="rules"), injected="rules"),
        _said("a", "user", Text(text="Hi"), time=START + 1),
        _said("t", "system", Text(text=long), injected="reminder", time=START + 2),
        _said("b", "assistant", Text(text="Hello"), model="m", time=START + 3),
    )
    found = _messages(path)
    assert spoken(found) == ["rules", "Hi", long, "Hello"]
    assert [(m.role, m.injected, m.hidden) for m in found] == [
        ("system", "rules", True),
        ("user", None, False),
        ("system", "reminder", True),
        ("assistant", None, False),
    ]
    assert [m.parent for m in found] == [None, *(m.id for m in found[:-1])]


def test_opaque_records_and_summaries_come_back(tmp_path: Path) -> None:
    path = _written(
        tmp_path,
        _session(),
        _said("a", "user", Text(text="Hi")),
        Opaque(id="o", name="news", data=msgspec.Raw(b'{"n":1}')),
        Summary(id="s", text="Elsewhere.", time=START + 1),
        Summary(id="t", parent="a", leaf="a", text="Here.", time=START + 2),
        _said("b", "user", Text(text="On"), time=START + 3),
    )
    stream = events(path)
    assert [(e.name, bytes(e.data)) for e in stream if isinstance(e, Opaque)] == [("news", b'{"n":1}')]
    assert [(e.text, e.leaf is None, e.time) for e in stream if isinstance(e, Summary)] == [
        ("Elsewhere.", True, START + 1),
        ("Here.", False, START + 2),
    ]


def test_thinking_that_no_answer_followed_comes_back(tmp_path: Path) -> None:
    path = _written(
        tmp_path,
        _session(),
        _said("a", "user", Text(text="Hi")),
        _said("b", "assistant", Thinking(text="Hm."), model="m", time=START + 5),
    )
    last = _messages(path)[-1]
    assert (last.role, last.content, last.time) == ("assistant", (Thinking(text="Hm."),), START + 5)


def test_a_sub_agents_task_is_no_prompt_of_a_person(tmp_path: Path) -> None:
    path = _written(
        tmp_path,
        _session(parent_session_id="mother"),
        _said("a", "system", Text(text="Find it."), injected=TASK),
        _said("b", "user", Text(text="Faster."), time=START + 1),
        parent_file="/home/ana/sessions/2026-01-01T09-00-00-000Z_parent-import.jsonl",
    )
    assert [(m.role, m.injected) for m in _messages(path)] == [("system", TASK), ("user", None)]
    found = session(path)
    assert (found.parent_session_id, found.forked_from, found.imported_from) == ("parent-import", None, "claude")


def test_what_was_said_after_the_import_is_pis_own(tmp_path: Path) -> None:
    path = _written(tmp_path, _session(), _said("a", "user", Text(text="Hi")))
    last = json.loads(path.read_bytes().splitlines()[-1])["id"]
    rows = [prompt("n1", last, "More", 30), answer("n2", "n1", "Sure", 31, usage={"input": 5, "output": 1}, api="x")]
    with path.open("a") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
    found = _messages(path)
    assert spoken(found) == ["Hi", "More", "Sure"]
    assert found[-1].tokens == Tokens(input=5, output=1, total=6)


def test_a_record_in_several_parts_comes_back_whole(tmp_path: Path) -> None:
    stream: list[Event] = [_session()]
    for number in range(40):
        stream.append(_said(f"u{number}", "user", Text(text=f"{number}"), time=START + 3 * number))
        stream.append(
            _said(f"s{number}", "system", Text(text="y" * 40_000), injected=f"k{number}", time=START + 3 * number + 1)
        )
        tokens = Tokens(input=number + 1, total=number + 1)
        stream.append(
            _said(f"a{number}", "assistant", Text(text="ok"), model="m", tokens=tokens, time=START + 3 * number + 2)
        )
    path = _written(tmp_path, *stream)
    assert path.read_bytes().count(b'"import.part"') > 2
    found = _messages(path)
    assert [m.injected for m in found if m.role == "system"] == [f"k{number}" for number in range(40)]
    assert [m.tokens.input for m in found if m.tokens is not None] == list(range(1, 41))


def test_a_record_of_another_program_is_data_of_an_extension() -> None:
    from tests.repository import ROOT

    assert session(ROOT / "fixtures/pi/tree.jsonl").imported_from is None


def test_a_damaged_record_costs_only_itself(tmp_path: Path) -> None:
    path = _written(
        tmp_path,
        _session(),
        _said("a", "user", Text(text="Hi")),
        _said("b", "assistant", Text(text="Hello"), model="m", tokens=Tokens(input=1, total=1), time=START + 1),
    )
    lines = path.read_bytes().splitlines(keepends=True)
    wrong = b'"texts":5,"usage":{'
    path.write_bytes(
        b"".join(line.replace(b'"usage":{', wrong) if b'"import.part"' in line else line for line in lines)
    )
    found = _messages(path)
    assert spoken(found) == ["Hi", "Hello"]
    assert [message.tokens for message in found] == [None, None]
