"""The short way to what was billed gives what the usage events give, on every session and on damaged ones."""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from panscript.readers.billing import billed, in_order
from panscript.readers.blocks import blocks
from panscript.readers.codex.files import resolve as resolve_codex
from panscript.readers.lines import open_bytes
from panscript.readers.opening import open_source
from panscript.schemas.errors import PanscriptError, SourceNotFound
from panscript.schemas.records import Source
from panscript.schemas.report import FileReport
from tests.billing import SCANNED, same
from tests.builders import SESSION, assistant, mutated, user, write_rows
from tests.found import FOUND, homes
from tests.found import name_of as found_name
from tests.sessions import SESSIONS, name_of

FORK = "22222222-2222-4222-8222-222222222222"
THREAD = "01a00000-0000-7000-8000-000000000001"
Row = dict[str, Any]
BESIDE = {"copilot", "droid", "goose"}
"""Agents whose counts stand beside the conversation, so that most of its lines are not looked at."""
DAMAGED = [source for source in FOUND if source.agent in SCANNED | BESIDE]
BYTES = 1_000_000
"""How much of a session is damaged in all, unless it is small enough for 200 times."""


@pytest.mark.parametrize("source", FOUND, ids=found_name)
def test_every_session_on_a_machine_is_billed_what_its_usage_events_say(source: Source) -> None:
    same(source)


@pytest.mark.parametrize("source", DAMAGED, ids=found_name)
def test_damage_to_any_file_of_a_session_costs_both_ways_thesame(source: Source, tmp_path: Path) -> None:
    """What lies beside the session stays where it is: it may name the model or say what is a copy."""
    (home,) = (home for home in homes(source.agent) if Path(source.path).is_relative_to(home))
    copy = Path(shutil.copytree(home, tmp_path / "home"))
    files = tuple(replace(file, path=str(copy / Path(file.path).relative_to(home))) for file in source.files)
    moved = replace(source, files=files, children=())
    contents = {file.path: Path(file.path).read_bytes() for file in files}
    unpacked = {file.path: _unpacked(file.path) for file in files}
    chance = random.Random(found_name(source))
    for _ in range(min(200, BYTES // (sum(map(len, contents.values())) + 1) + 5)):
        path = Path(chance.choice(files).path)
        path.write_bytes(mutated(chance.choice([contents, unpacked])[str(path)], chance))
        same(moved)
        path.write_bytes(contents[str(path)])


def _unpacked(path: str) -> bytes:
    with open_bytes(path) as file:
        return file.read()


@pytest.mark.parametrize("agent", sorted(SCANNED | BESIDE - {"goose"}))
def test_a_session_of_lines_is_not_read_in_full(agent: str) -> None:
    scans = set()
    for source in FOUND:
        if source.agent == agent and source.path.endswith((".jsonl", ".zstd")):
            report = _report()
            list(billed(source, report=report))
            scans.add(report.scan)
    assert scans == {"usage"}


@pytest.mark.parametrize("path", SESSIONS, ids=name_of)
def test_every_session_is_billed_what_its_usage_events_say(path: Path) -> None:
    same(open_source(str(path)))


@pytest.mark.parametrize("path", [path for path in SESSIONS if path.suffix == ".jsonl"], ids=name_of)
def test_damage_costs_both_ways_thesame(path: Path, tmp_path: Path) -> None:
    chance = random.Random(path.name)
    original = path.read_bytes()
    copy = tmp_path / path.name
    for _ in range(10 if len(original) < 60_000 else 2):
        copy.write_bytes(mutated(original, chance))
        try:
            source = open_source(str(copy))
        except PanscriptError:
            continue
        same(source)


def test_nothing_is_opened_before_the_first_row(tmp_path: Path) -> None:
    rows = billed(Source(agent="claude", id="x", files=resolve_codex(str(tmp_path / "gone")).files), report=_report())
    with pytest.raises(SourceNotFound):
        next(rows)


def _report() -> FileReport:
    return FileReport(path="")


# Claude Code


def _claude(folder: Path, rows: Iterable[Any], name: str = SESSION) -> Source:
    return open_source(str(write_rows(folder / f"{name}.jsonl", rows)), "claude")


_marks = st.sampled_from([{}, {}, {}, {"requestSessionId": FORK}, {"forkedFrom": {"sessionId": FORK}}])
_claude_rows = st.lists(
    st.builds(
        lambda kind, n, message, request, output, stop, side, mark: (
            user(f"u{n}", None, "x", n, **mark)
            if kind == "user"
            else assistant(
                f"a{n}",
                None,
                "x",
                n,
                message=message,
                request=request,
                output=output,
                stop=stop,
                isSidechain=side,
                **mark,
            )
        ),
        st.sampled_from(["user", "assistant", "assistant", "assistant"]),
        st.integers(0, 30),
        st.sampled_from(["m1", "m2", "m3", "m4"]),
        st.sampled_from([None, "r1", "r2"]),
        st.integers(0, 5),
        st.sampled_from([None, "end_turn"]),
        st.booleans(),
        _marks,
    ),
    max_size=25,
)


@given(rows=_claude_rows)
def test_any_order_of_rows_copies_and_replays_is_counted_alike(
    rows: list[Row], tmp_path_factory: pytest.TempPathFactory
) -> None:
    same(_claude(tmp_path_factory.mktemp("any"), [user("u", None, "hello"), *rows]))


def test_the_best_row_of_a_response_may_come_late_and_far_away(tmp_path: Path) -> None:
    filling = [user(f"u{n}", None, "x" * 9000, n) for n in range(100)]
    rows = [assistant("a", None, "x", message="m", output=1, stop=None), *filling]
    rows += [assistant("b", None, "x", 200, message="m", output=50)]
    (row,) = billed(_claude(tmp_path, rows), report=_report())
    assert row.output == 50


def test_a_mark_of_a_copy_behind_many_own_responses_changes_nothing(tmp_path: Path) -> None:
    rows = [assistant(f"a{n}", None, "x", n) for n in range(12)]
    rows.append(user("u", None, "x", 20, forkedFrom={"sessionId": FORK, "messageUuid": "x"}))
    assert same(_claude(tmp_path, rows)) == 12


def test_of_two_copies_the_session_that_began_first_is_read_first(tmp_path: Path) -> None:
    later = _claude(tmp_path, [assistant("b", None, "x", 100)], name="aaaa")
    earlier = _claude(tmp_path, [assistant("a", None, "x", 0)], name="bbbb")
    assert list(in_order([later, earlier])) == [earlier, later]


def test_of_sessions_that_began_alike_the_one_that_ended_first_is_read_first(tmp_path: Path) -> None:
    first = assistant("a", None, "x", 0)
    gone_on = _claude(tmp_path, [first, assistant("c", None, "x", 500)], name="aaaa")
    original = _claude(tmp_path, [first, assistant("b", None, "x", 100)], name="bbbb")
    assert list(in_order([gone_on, original])) == [original, gone_on]


# Codex


def _line(kind: str, payload: Row, second: int = 0) -> Row:
    return {"timestamp": f"2026-05-06T10:{second // 60:02d}:{second % 60:02d}.000Z", "type": kind, "payload": payload}


def _turn(number: int) -> str:
    return f"01a00001-0000-7000-8000-0000000000{number:02d}"


def _context(turn: int, model: str) -> Row:
    return _line("turn_context", {"turn_id": _turn(turn), "cwd": "/p", "model": model}, turn)


def _record(turn: int | None, response: str, tokens: int = 10) -> Row:
    named = {"turn_id": _turn(turn)} if turn is not None else {}
    usage = {"input_tokens": tokens, "output_tokens": 1}
    payload = {"thread_id": THREAD, **named, "response_id": response, "usage": usage}
    return _line("token_usage_record", payload, turn or 0)


def _said(size: int = 10) -> Row:
    return _line(
        "response_item", {"type": "message", "role": "assistant", "content": [{"type": "x", "text": "y" * size}]}
    )


HEADER = _line("session_meta", {"id": THREAD, "cwd": "/p", "model_provider": "openai"})


def _codex(folder: Path, rows: Iterable[Row]) -> Source:
    name = f"rollout-2026-05-06T10-00-00-{THREAD}.jsonl"
    return open_source(str(write_rows(folder / name, rows)), "codex")


def _models(source: Source) -> list[str | None]:
    return [row.payer.model for row in billed(source, report=_report())]


@pytest.mark.parametrize("size", [10, 200_000], ids=["in one block", "over many blocks"])
def test_a_turn_whose_context_stands_among_the_records_of_another_has_its_own_model(tmp_path: Path, size: int) -> None:
    rows = [HEADER, _context(1, "one"), _record(1, "a"), _said(size), _context(2, "two"), _said(size)]
    rows += [_record(1, "b"), _said(size), _record(2, "c"), _said(size), _context(3, "three"), _record(3, "d")]
    source = _codex(tmp_path, rows)
    assert same(source) == 4
    assert _models(source) == ["one", "one", "two", "three"]


def test_a_record_that_names_no_turn_is_of_the_last_one(tmp_path: Path) -> None:
    rows = [HEADER, _context(1, "one"), _record(1, "a"), _context(2, "two"), _record(1, "b"), _record(None, "c")]
    source = _codex(tmp_path, rows)
    assert same(source) == 3
    assert _models(source) == ["one", "one", "two"]


def test_a_record_that_was_glued_onto_a_torn_line_counts(tmp_path: Path) -> None:
    source = _codex(tmp_path, [HEADER, _context(1, "one"), _said(9000), _record(1, "a")])
    path = Path(source.path)
    lines = path.read_bytes().split(b"\n")
    path.write_bytes(b"\n".join([*lines[:2], lines[2][:-300] + lines[3], b""]))
    assert same(source) == 1


_codex_rows = st.lists(
    st.one_of(
        st.builds(_context, st.integers(1, 4), st.sampled_from(["one", "two"])),
        st.builds(_record, st.none() | st.integers(1, 5), st.sampled_from("abcdefghij"), st.integers(0, 9)),
        st.builds(_said),
        st.builds(
            lambda n: _line("event_msg", {"type": "token_count", "info": {"total_token_usage": {"input_tokens": n}}}),
            st.integers(0, 9),
        ),
        st.builds(lambda n: _line("event_msg", {"type": "task_started", "turn_id": _turn(n)}), st.integers(1, 4)),
        st.builds(lambda n: {"payload": {"type": "x", "n": n}, "type": "response_item"}, st.integers(0, 9)),
    ),
    max_size=25,
)


@given(rows=_codex_rows)
def test_any_order_of_contexts_records_and_totals_is_counted_alike(
    rows: list[Row], tmp_path_factory: pytest.TempPathFactory
) -> None:
    # A turn has one context: what stands twice under one id is the same.
    model = {_turn(n): f"model-{n}" for n in range(9)}
    for row in rows:
        if row["type"] == "turn_context":
            row["payload"]["model"] = model[row["payload"]["turn_id"]]
    same(_codex(tmp_path_factory.mktemp("any"), [HEADER, *rows]))


# Blocks


def test_blocks_are_whole_lines_and_together_the_file(tmp_path: Path) -> None:
    chance = random.Random(1)
    content = b"".join(
        bytes(chance.choices(b"abc ", k=chance.choice([0, 10, 3000, 700_000]))) + b"\n" for _ in range(40)
    )
    for end in (b"", b"torn"):
        path = tmp_path / "lines"
        path.write_bytes(content + end)
        found = [bytes(buffer[:size]) for buffer, size in blocks(str(path))]
        assert b"".join(found) == content + end
        assert all(block.endswith(b"\n") for block in found[: -1 if end else None])


def test_an_empty_file_has_no_blocks(tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    assert list(blocks(str(tmp_path / "empty"))) == []
