"""What panscript noted when it wrote a transcript is read back with it; what came later is read as it stands."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from panscript.readers.claude import read, usage
from panscript.readers.claude.billing import billed
from panscript.readers.claude.files import resolve
from panscript.readers.claude.peek import peek
from panscript.schemas.events import (
    TASK,
    Compaction,
    Event,
    Message,
    Session,
    Shell,
    Text,
    Thinking,
    Tokens,
    ToolCall,
    ToolResult,
    Usage,
)
from panscript.schemas.report import FileReport
from panscript.stages.normal_form import Said, normal_form
from panscript.stages.prepare import prepare
from panscript.writers.claude import file_name
from panscript.writers.options import WriteOptions
from panscript.writers.targets import write
from tests.builders import START, answer, asked, at, result, session, spoken

OPTIONS = WriteOptions(imported_at=START, importer="panscript test")
CODEX = session(agent="codex", session_id="s")
TOKENS = Tokens(input=3, output=5, reasoning=1, cache_read=7, cache_write=9, cache_write_1h=2, total=24, cost=0.5)


def _written(folder: Path, *stream: Event, first: Session = CODEX, **options: Any) -> Path:
    sink = io.BytesIO()
    chosen = msgspec.structs.replace(OPTIONS, **options)
    write("claude", prepare(iter([first, *stream]), all_branches=chosen.all_branches), sink, options=chosen)
    path = folder / file_name(first, chosen)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(sink.getvalue())
    return path


def _events(path: Path, report: FileReport | None = None) -> list[Event]:
    account = report or FileReport(path=str(path))
    found = [event for record in read(resolve(str(path)), report=account) for event in record.events]
    assert account.unknown == {}
    return found


def _messages(path: Path) -> list[Message]:
    return [event for event in _events(path) if isinstance(event, Message)]


def _counts(path: Path) -> list[list[int]]:
    """Output tokens in each of the three ways to count them."""
    full = [event.tokens.output for event in _events(path) if isinstance(event, Usage)]
    short = [event.tokens.output for event in _used(path)]
    bill = sorted(each.output for each in billed(resolve(str(path)), report=FileReport(path="")))
    return [full, short, bill]


def _used(path: Path) -> list[Usage]:
    return [event for event in usage(resolve(str(path)), report=FileReport(path="")) if isinstance(event, Usage)]


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def _goes_on(path: Path, *rows: dict[str, Any]) -> None:
    """What the agent writes when the session goes on; each row hangs on the one before."""
    last = [row for row in _rows(path) if "uuid" in row][-1]
    with path.open("a") as file:
        for number, row in enumerate(rows):
            parent, last = last["uuid"], {
                "uuid": f"new-{number}",
                "sessionId": last["sessionId"],
                "cwd": "/home/dev/app",
                "version": "2.2.0",
                "isSidechain": False,
                "timestamp": at(3600 + number),
                **row,
            }  # fmt: skip
            file.write(json.dumps({"parentUuid": parent, **last}) + "\n")


def _typed(text: str, **more: Any) -> dict[str, Any]:
    return {"type": "user", "message": {"role": "user", "content": text}, **more}


def _answered(*blocks: dict[str, Any], name: str = "msg_new", output: int = 11) -> dict[str, Any]:
    said = {"id": name, "type": "message", "role": "assistant", "model": "claude-sonnet-4-5", "content": blocks}
    counts = {"input_tokens": 2, "output_tokens": output}
    message = {**said, "stop_reason": "end_turn", "usage": counts}
    return {"type": "assistant", "requestId": f"req_{name}", "message": message}


def _forked(path: Path) -> Path:
    """The copy that `--fork-session` makes: rows of the conversation under another id, and no others."""
    name = "99999999-9999-4999-8999-999999999999"
    rows = [row for row in _rows(path) if "uuid" in row]
    for row in rows:
        if row["type"] == "assistant":
            row["requestSessionId"] = row["sessionId"]
        row["sessionId"] = name
    fork = path.with_name(f"{name}.jsonl")
    fork.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return fork


def test_the_session_says_what_it_was(tmp_path: Path) -> None:
    first = session(agent="codex", session_id="s", model="m", title="T", git_branch="main")
    path = _written(tmp_path, spoken("u"), answer("a", "x", model="gpt-5"), first=first)
    (found, *_) = _events(path)
    assert isinstance(found, Session)
    assert (found.imported_from, found.model, found.cwd, found.git_branch) == (
        "codex",
        "gpt-5",
        "/home/dev/app",
        "main",
    )
    assert found.session_id == path.stem
    facts = peek(resolve(str(path)))
    assert facts is not None
    assert (facts.imported_from, facts.title, facts.first_prompt) == ("codex", "Imported from Codex: T", "hello")


def test_tokens_models_and_times_come_back(tmp_path: Path) -> None:
    path = _written(
        tmp_path,
        spoken("u", seconds=9),
        answer("a", Thinking(text="hm"), "x", asked("c"), model="m1", tokens=TOKENS, seconds=5),
        result("r", "c", seconds=None),
        answer("b", "y", model="m1", seconds=20),
        answer("c", "z", model="m2", seconds=30),
    )
    said = [item for item in normal_form(_events(path)) if isinstance(item, Said)]
    assert [item.time for item in said] == [START + 9000, START + 5000, START + 20_000, START + 30_000]
    assert [item.model for item in said] == [None, "m1", "m1", "m2"]
    assert [item.tokens for item in said] == [None, TOKENS, None, None]


def test_nothing_that_was_imported_is_counted(tmp_path: Path) -> None:
    path = _written(tmp_path, spoken("u"), answer("a", "x", asked("c"), tokens=TOKENS), result("r", "c"))
    assert _counts(path) == [[], [], []]


def test_not_even_where_a_program_filled_in_counts_for_rows_that_were_imported(tmp_path: Path) -> None:
    path = _written(tmp_path, spoken("u"), answer("a", "x", tokens=TOKENS))
    rows = _rows(path)
    for row in rows:
        if row["type"] == "assistant":
            row["message"]["usage"]["output_tokens"] = 77
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert _counts(path) == [[], [], []]
    assert [message.tokens for message in _messages(path) if message.role == "assistant"] == [TOKENS]


def test_a_fork_loses_the_record_and_keeps_the_mark(tmp_path: Path) -> None:
    path = _written(
        tmp_path, spoken("u"), answer("a", Thinking(text="hm"), "x", asked("c.1"), tokens=TOKENS), result("r", "c.1")
    )
    fork = _forked(path)
    assert _counts(fork) == [[], [], []]
    (found, *_) = _events(fork)
    assert isinstance(found, Session)
    assert found.forked_from == path.stem
    said = [item for item in normal_form(_events(fork)) if isinstance(item, Said)]
    assert [[getattr(part, "text", "call") for part in item.parts] for item in said] == [["hello"], ["x", "call"]]
    _goes_on(fork, _typed("go on"), _answered({"type": "text", "text": "on"}))
    assert _counts(fork) == [[11]] * 3


def test_what_the_agent_added_is_counted_and_read_as_it_stands(tmp_path: Path) -> None:
    path = _written(tmp_path, spoken("u"), answer("a", "x", tokens=TOKENS, model="gpt-5"))
    _goes_on(
        path,
        _typed("<system-reminder>be kind</system-reminder>", isMeta=True),
        _typed("go on"),
        _answered({"type": "thinking", "thinking": "hm", "signature": "c2ln"}),
        _answered({"type": "tool_use", "id": "t1", "name": "Bash", "input": {"_text": "x"}}),
        _typed([{"type": "tool_result", "tool_use_id": "t1", "content": "no", "is_error": True}]),  # type: ignore[arg-type]
        _typed("<bash-input>ls</bash-input>"),
        _answered({"type": "text", "text": "done"}, name="msg_newer", output=13),
    )
    assert _counts(path) == [[11, 13]] * 3
    later = [event for event in _events(path) if event.id.startswith("new-")]
    assert [type(event) for event in later] == [Message, Message, Message, Message, ToolResult, Message, Shell, Message]
    assert isinstance(later[0], Message)
    assert later[0].hidden
    call = later[3]
    assert isinstance(call, Message)
    (block,) = (block for block in call.content if isinstance(block, ToolCall))
    assert (block.text, msgspec.json.decode(block.arguments)) == (None, {"_text": "x"})
    (session_event, *_) = _events(path)
    assert isinstance(session_event, Session)
    assert (session_event.imported_from, session_event.model) == ("codex", "claude-sonnet-4-5")


def test_it_goes_on_from_the_live_branch(tmp_path: Path) -> None:
    said = [
        spoken("u", "root", parent=None),
        answer("a", "one", parent="u"),
        spoken("w", "left", parent="a", live=False),
    ]
    path = _written(tmp_path, *said, all_branches=True)
    _goes_on(path, _typed("go on"), _answered({"type": "text", "text": "on"}))
    texts = [block.text for m in _messages(path) if m.live for block in m.content if isinstance(block, Text)]
    assert texts == ["root", "one", "go on", "on"]


def test_what_was_supplied_for_the_agents_sake_is_not_read(tmp_path: Path) -> None:
    path = _written(tmp_path, answer("a", "hello"))
    assert [(m.role, m.content) for m in _messages(path)] == [("assistant", (Text(text="hello"),))]


def _notes(count: int) -> list[Event]:
    """Enough injected text for several parts of the record, an answer with tokens and an odd call after each."""
    events: list[Event] = [spoken("u")]
    for n in range(count):
        events.append(spoken(f"i{n}", str(n) * 90_000, role="system", injected="x"))
        events.append(answer(f"a{n}", asked(f"c.{n}"), tokens=Tokens(output=n + 1, total=n + 1)))
        events.append(result(f"r{n}", f"c.{n}"))
    return events


def test_parts_of_the_record_may_be_many(tmp_path: Path) -> None:
    path = _written(tmp_path, *_notes(20))
    assert path.read_bytes().count(b'"panscript-import-part"') > 2
    found = _messages(path)
    assert [m.content for m in found if m.injected == "x"] == [(Text(text=str(n) * 90_000),) for n in range(20)]
    assert [m.injected for m in found[1:]] == ["x", None] * 20
    assert [m.tokens.output for m in found if m.tokens is not None] == list(range(1, 21))


def _torn(raw: bytes) -> bytes:
    return raw[: len(raw) // 2] + b"\n"


def _gone(_: bytes) -> bytes:
    return b""


def _of_other_types(raw: bytes) -> bytes:
    row = json.loads(raw)
    row["data"] = {"usage": [], "context": 7}
    return json.dumps(row).encode() + b"\n"


@pytest.mark.parametrize("damage", [_torn, _gone, _of_other_types])
@pytest.mark.parametrize("number", [0, 1, -1])
def test_a_damaged_part_costs_that_part_only(tmp_path: Path, damage: Callable[[bytes], bytes], number: int) -> None:
    path = _written(tmp_path, *_notes(20))
    whole = _messages(path)
    lines = path.read_bytes().splitlines(keepends=True)
    parts = [at for at, line in enumerate(lines) if b'"panscript-import-part"' in line]
    lost = set(json.loads(lines[parts[number]])["data"].get("usage", {}))
    assert 0 < len(lost) < 20
    lines[parts[number]] = damage(lines[parts[number]])
    path.write_bytes(b"".join(lines))
    report = FileReport(path="")
    left = [event for event in _events(path, report) if isinstance(event, Message)]
    assert report.skipped_lines == (damage is _torn)
    answers = [message for message in left if message.role == "assistant"]
    assert {m.id for m in answers if m.tokens is None} == lost
    assert [m.content[0].id for m in answers if m.tokens is not None] == [  # type: ignore[union-attr]
        m.content[0].id  # type: ignore[union-attr]
        for m in whole
        if m.role == "assistant" and m.id not in lost
    ]
    assert len(left) < len(whole)
    assert _counts(path) == [[], [], []]


def test_without_its_head_it_is_no_import_any_more_and_nothing_is_counted(tmp_path: Path) -> None:
    path = _written(tmp_path, spoken("u"), answer("a", Thinking(text="hm"), "x", tokens=TOKENS))
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(line for line in lines if b'"panscript-import"' not in line))
    (found, *_) = _events(path)
    assert isinstance(found, Session)
    assert found.imported_from is None
    assert [m.role for m in _messages(path)] == ["user", "assistant"]
    assert _counts(path) == [[], [], []]


def test_a_record_of_another_program_is_not_believed(tmp_path: Path) -> None:
    path = _written(tmp_path, spoken("u"), answer("a", "x"), importer="somebody 1.0")
    (found, *_) = _events(path)
    assert isinstance(found, Session)
    assert found.imported_from is None


def test_a_sub_agent_is_read_with_its_record(tmp_path: Path) -> None:
    main = _written(tmp_path, spoken("u"), answer("a", "x"))
    below = {"root_session": main.stem, "parent_session": main.stem}
    first = session(agent="codex", session_id="sub", title="Count")
    path = _written(
        tmp_path,
        spoken("t", "do", role="system", injected=TASK),
        answer("b", Thinking(text="hm"), "y", tokens=TOKENS),
        first=first,
        **below,
    )
    source = resolve(str(main))
    assert [child.path for child in source.children] == [str(path)]
    (found, *_) = _events(path)
    assert isinstance(found, Session)
    assert (found.imported_from, found.parent_session_id) == ("codex", main.stem)
    said = _messages(path)
    assert [message.injected for message in said] == [TASK, None]
    assert [type(block) for block in said[1].content] == [Thinking, Text]
    assert said[1].tokens == TOKENS
    assert _counts(path) == [[], [], []]


def test_a_compaction_that_the_agent_makes_later_may_keep_what_was_imported(tmp_path: Path) -> None:
    path = _written(tmp_path, spoken("u"), answer("a", "one"), spoken("v", "more"), answer("b", "two"))
    names = [row["uuid"] for row in _rows(path) if "uuid" in row]
    segment = {"headUuid": names[2], "tailUuid": names[3], "anchorUuid": "new-1"}
    _goes_on(
        path,
        {
            "type": "system",
            "subtype": "compact_boundary",
            "logicalParentUuid": names[3],
            "compactMetadata": {"trigger": "manual", "preTokens": 9, "preservedSegment": segment},
        },
        _typed("so far", isCompactSummary=True),
    )
    (found,) = [event for event in _events(path) if isinstance(event, Compaction)]
    assert (found.summary, found.first_kept) == ("so far", names[2])
