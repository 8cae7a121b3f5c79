"""What holds for every file of Copilot, whole or damaged, and for a home full of them."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from panscript.readers.billing import billed
from panscript.readers.context import Context
from panscript.readers.copilot import layout, read, resolve
from panscript.readers.discovery import discover
from panscript.readers.lines import head
from panscript.readers.opening import detect
from panscript.schemas.errors import PanscriptError
from panscript.schemas.events import AGENT_NOTICE, Message, ToolCall, ToolResult
from panscript.schemas.records import Source
from panscript.schemas.report import FileReport
from tests.builders import mutated
from tests.promises import check_file
from tests.repository import ROOT

FOLDER = ROOT / "fixtures/copilot"
USAGE_HOME = ROOT / "fixtures/usage-home"
FILES = sorted([*FOLDER.rglob("events.jsonl"), *(FOLDER / "home/.copilot/otel").glob("*.jsonl")])
RUN = "11111111-2222-4333-8444-5555555555"


def _raise(problem: PanscriptError) -> None:
    raise problem


def _sessions(home: Path) -> dict[str, Source]:
    return {source.id: source for source in discover(Context.at(home), ["copilot"], _raise)}


def test_every_session_costs_what_was_billed() -> None:
    found = {}
    for name, source in _sessions(FOLDER / "home").items():
        rows = list(billed(source, report=FileReport(path="")))
        sums = (
            sum(row.input for row in rows),
            sum(row.cache_read for row in rows),
            sum(row.cache_write for row in rows),
        )
        found[name] = (len(rows), *sums, sum(row.output for row in rows), sum(row.reasoning for row in rows))
    assert found == {
        f"{RUN}01": (11, 2266, 11000, 550, 506, 0),
        f"{RUN}02": (3, 606, 3000, 0, 126, 30),
        # Telemetry was not turned on: the log says it.
        f"{RUN}03": (3, 609, 3000, 150, 129, 0),
        "e17e6805-ea63-4f47-967c-a506696da89c": (1, 206, 1000, 50, 46, 0),
    }


def test_messages_carry_the_counts_of_the_log() -> None:
    found = {}
    for name, source in _sessions(FOLDER / "home").items():
        events = [event for record in read(source, report=FileReport(path="")) for event in record.events]
        counts = [event.tokens for event in events if isinstance(event, Message) and event.tokens is not None]
        found[name] = (len(counts), sum(each.input for each in counts), sum(each.output for each in counts))
    assert found == {
        f"{RUN}01": (11, 2266, 506),
        f"{RUN}02": (3, 606, 126),
        f"{RUN}03": (3, 3759 - 3150, 129),
        "e17e6805-ea63-4f47-967c-a506696da89c": (1, 206, 46),
    }


def test_every_call_of_the_real_sessions_has_its_result() -> None:
    for source in _sessions(FOLDER / "home").values():
        events = [event for record in read(source, report=FileReport(path="")) for event in record.events]
        said = [event for event in events if isinstance(event, Message)]
        asked = [block.id for event in said for block in event.content if isinstance(block, ToolCall)]
        assert sorted(asked) == sorted(event.call_id for event in events if isinstance(event, ToolResult))


def test_a_model_that_fails_leaves_prompts_without_answers() -> None:
    (path,) = (FOLDER / "model-failure").rglob("events.jsonl")

    events = [event for record in read(resolve(str(path)), report=FileReport(path="")) for event in record.events]

    said = [event for event in events if isinstance(event, Message)]
    assert [(event.role, event.injected) for event in said] == [
        ("user", None),
        ("system", "system_prompt"),
        ("assistant", AGENT_NOTICE),
        ("user", None),
        ("assistant", AGENT_NOTICE),
    ]


def test_no_other_agent_takes_these_files() -> None:
    for path in FILES:
        assert list(detect(head(str(path)))) == ["copilot"]


def test_a_file_lies_below_its_session_or_with_the_telemetry(tmp_path: Path) -> None:
    log = next(path for path in FILES if path.parent.name == f"{RUN}01")
    spans = next(path for path in FILES if path.parent.name == "otel")
    other = tmp_path / "a.jsonl"
    other.write_bytes(log.read_bytes())
    export = tmp_path / "b.jsonl"
    export.write_bytes(spans.read_bytes())

    assert layout(str(other)) == f"session-state/{RUN}01/events.jsonl"
    assert layout(str(export)) == "otel/b.jsonl"
    assert layout(str(log)).endswith(f"{RUN}01/events.jsonl")


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name[-8:]}-{path.stem}")
def test_damaged_files_keep_every_promise(path: Path, tmp_path: Path) -> None:
    chance = random.Random(path.parent.name)
    original = path.read_bytes()
    copy = tmp_path / path.name
    for _ in range(60):
        copy.write_bytes(mutated(original, chance))
        check_file("copilot", copy)


@given(
    st.binary(max_size=200)
    | st.lists(
        st.sampled_from(
            [b'{"type":"user.message"', b'"data":{', b'"attributes":{', b'"gen_ai.x":1', b",", b"}", b"\n", b'"', b"\0"]
        )
    ).map(b"".join)
)
def test_any_bytes_give_records_or_an_error_of_ours(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "events.jsonl"
    path.write_bytes(data)
    check_file("copilot", path)
