"""What holds for every Pi session, whole or damaged."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from panscript.readers.options import ReadOptions
from panscript.readers.pi import read, resolve, usage
from panscript.schemas.errors import PanscriptError
from panscript.schemas.events import Message, Usage
from panscript.schemas.records import Record, Source
from panscript.schemas.report import FileReport
from panscript.stages.pipe import events_of
from tests.builders import mutated
from tests.promises import check
from tests.repository import ROOT

FIXTURES = sorted([*(ROOT / "fixtures/pi").glob("*.jsonl"), *(ROOT / "fixtures/cases").glob("*/home/.pi/**/*.jsonl")])
MUTATIONS = 200


def _name(path: Path) -> str:
    return path.stem[-20:]


def _all(source: Source, report: FileReport, **options: bool) -> list[Record]:
    return list(read(source, report=report, options=ReadOptions(**options)))


def _usage_of_both(source: Source) -> tuple[list[Usage] | None, list[Usage] | None]:
    try:
        full = [event for event in events_of(_all(source, FileReport(path=""))) if isinstance(event, Usage)]
    except PanscriptError:
        return None, None
    return full, list(usage(source, report=FileReport(path="")))


@pytest.mark.parametrize("path", FIXTURES, ids=_name)
def test_records_are_the_file_and_ids_are_unique(path: Path) -> None:
    check(resolve(str(path)))


@pytest.mark.parametrize("path", FIXTURES, ids=_name)
def test_two_reads_are_equal(path: Path) -> None:
    reports = FileReport(path=""), FileReport(path="")
    assert _all(resolve(str(path)), reports[0]) == _all(resolve(str(path)), reports[1])
    assert reports[0] == reports[1]


@pytest.mark.parametrize("path", FIXTURES, ids=_name)
def test_counting_alone_gives_the_events_of_a_full_read(path: Path) -> None:
    full, fast = _usage_of_both(resolve(str(path)))
    assert fast == full


@pytest.mark.parametrize("path", FIXTURES, ids=_name)
def test_damaged_files_keep_every_promise(path: Path, tmp_path: Path) -> None:
    chance = random.Random(path.name)
    original = path.read_bytes()
    copy = tmp_path / path.name
    for _ in range(MUTATIONS):
        copy.write_bytes(mutated(original, chance))
        source = resolve(str(copy))
        check(source)
        full, fast = _usage_of_both(source)
        if full is not None:
            assert fast == full


@given(
    st.binary(max_size=200)
    | st.lists(st.sampled_from([b'{"type":"message"', b"}", b"\n", b'"', b"\\", b"{", b"[1]", b"\0"])).map(b"".join)
)
def test_any_bytes_give_records_or_an_error_of_ours(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "any.jsonl"
    path.write_bytes(data)
    check(Source(agent="pi", id="any", files=resolve(str(path)).files))


IDS = st.sampled_from(["a", "b", "c", "d", "session", "end", "a:1", "meta:a", "line:1", "b#4", "imported:1"])


@st.composite
def _tangle(draw: st.DrawFn) -> list[dict[str, object]]:
    """Entries whose ids repeat, whose parents are missing, later, or their own descendants."""
    rows: list[dict[str, object]] = [{"type": "session", "version": 3, "id": "s", "timestamp": "2026-01-01T00:00:00Z"}]
    for number in range(draw(st.integers(1, 10))):
        head: dict[str, object] = {"id": draw(IDS), "parentId": draw(st.none() | IDS)}
        said = {"role": "user", "content": f"{number}"}
        call = {"type": "toolCall", "id": draw(IDS), "name": "x", "arguments": {}}
        entry: dict[str, object] = draw(
            st.sampled_from(
                [
                    {"type": "message", "message": said},
                    {"type": "message", "message": {"role": "assistant", "content": [call]}},
                    {"type": "message", "message": {"role": "toolResult", "toolCallId": "a", "content": []}},
                    {"type": "compaction", "summary": "s", "firstKeptEntryId": draw(IDS)},
                    {"type": "branch_summary", "summary": "s"},
                    {"type": "label", "targetId": "a"},
                    {"type": "future"},
                ]
            )
        )
        rows.append(entry | head)
    return rows


@given(_tangle())
def test_tangled_parents_lose_nothing_and_name_nothing_twice(
    tmp_path_factory: pytest.TempPathFactory, rows: list[dict[str, object]]
) -> None:
    path = tmp_path_factory.getbasetemp() / "tangle.jsonl"
    path.write_bytes(b"".join(json.dumps(row).encode() + b"\n" for row in rows))
    check(resolve(str(path)))
    stream = list(events_of(_all(resolve(str(path)), FileReport(path=""))))
    said = [event for event in stream if isinstance(event, Message) and event.role == "user"]
    assert len(said) == sum(row.get("message", {}).get("role") == "user" for row in rows)  # type: ignore[attr-defined]
