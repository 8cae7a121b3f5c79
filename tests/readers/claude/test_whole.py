"""What holds for every Claude Code transcript, whole or damaged."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from panscript.readers.claude import read, resolve, usage
from panscript.readers.options import ReadOptions
from panscript.schemas.errors import PanscriptError
from panscript.schemas.events import End, Event, Session, Usage
from panscript.schemas.records import Record, Source
from panscript.schemas.report import FileReport
from tests.builders import SESSION, assistant, call, events, mutated, read_rows, result_row, user, write_rows
from tests.promises import check
from tests.repository import ROOT
from tests.sessions import name_of

FIXTURES = sorted(
    [
        *(ROOT / "fixtures/claude").glob("*/projects/**/*.jsonl"),
        *(ROOT / "fixtures/cases").glob("*/home/.claude/projects/**/*.jsonl"),
    ]
)
MUTATIONS = 200


def _name(path: Path) -> str:
    return name_of(path) if "claude" in path.relative_to(ROOT).parts else path.stem[-12:]


def _all(source: Source, report: FileReport, **options: bool) -> list[Record]:
    return list(read(source, report=report, options=ReadOptions(**options)))


def _usage_of_both(source: Source) -> tuple[list[Usage] | None, list[Usage] | None]:
    try:
        full = [event for event in events(_all(source, FileReport(path=""))) if isinstance(event, Usage)]
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
    for _ in range(MUTATIONS if len(original) < 60_000 else MUTATIONS // 10):
        copy.write_bytes(mutated(original, chance))
        source = resolve(str(copy))
        check(source)
        full, fast = _usage_of_both(source)
        assert fast == full


@given(
    st.binary(max_size=200)
    | st.lists(st.sampled_from([b'{"type":"user"', b"}", b"\n", b'"', b"\\", b"{", b"[1]", b"\0"])).map(b"".join)
)
def test_any_bytes_give_records_or_an_error_of_ours(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "any.jsonl"
    path.write_bytes(data)
    check(Source(agent="claude", id="any", files=resolve(str(path)).files))


UUIDS = st.sampled_from(["a", "b", "c", "d", "session", "end", "a:1", "meta:a", "line:1"])


@st.composite
def _tangle(draw: st.DrawFn) -> list[dict[str, object]]:
    """Rows whose uuids repeat, whose parents are missing, later, or their own descendants."""
    rows: list[dict[str, object]] = []
    for number in range(draw(st.integers(1, 10))):
        uuid, parent = draw(UUIDS), draw(st.none() | UUIDS)
        kind = draw(st.integers(0, 5))
        more: dict[str, Any] = {"isSidechain": True} if draw(st.integers(0, 6)) == 0 else {}
        if kind == 0:
            rows.append(user(uuid, parent, f"prompt {number}", number, **more))
        elif kind == 1:
            rows.append(assistant(uuid, parent, f"answer {number}", number, message=draw(UUIDS), **more))
        elif kind == 2:
            rows.append(assistant(uuid, parent, [call(draw(UUIDS))], number, message=draw(UUIDS), **more))
        elif kind == 3:
            rows.append(result_row(uuid, parent or "a", draw(UUIDS), f"result {number}", number, **more))
        elif kind == 4:
            rows.append({"type": "summary", "summary": f"summary {number}", "leafUuid": uuid})
        else:
            leaf = {"leafUuid": uuid, "explicit": draw(st.booleans())}
            rows.append({"type": "last-prompt", "sessionId": SESSION, **leaf})
    return rows


@given(_tangle())
def test_tangled_parents_lose_nothing_and_name_nothing_twice(
    tmp_path_factory: pytest.TempPathFactory, rows: list[dict[str, object]]
) -> None:
    path = write_rows(tmp_path_factory.getbasetemp() / f"{SESSION}.jsonl", rows)
    source = resolve(str(path))
    try:
        _all(source, FileReport(path=""))
    except PanscriptError:
        assert all(row["type"] in ("last-prompt", "summary") for row in rows)
        return
    check(source)
    full, fast = _usage_of_both(source)
    assert fast == full


def test_a_file_that_grows_while_it_is_read_is_read_as_it_was(tmp_path: Path) -> None:
    path = write_rows(tmp_path / f"{SESSION}.jsonl", [user("a", None, "first"), assistant("b", "a", "answer")])
    report = FileReport(path="")
    records = read(resolve(str(path)), report=report)
    first = next(records)
    with path.open("ab") as file:
        file.write(b'{"type":"user","uuid":"c","parentUuid":"b","message":{"role":"user","content":"later"}}\n' * 3)
    rest = list(records)
    assert len(rest) == 2
    assert [w.code for w in report.warnings] == ["file_changed"]
    assert first.kind == "used"


def test_nothing_is_opened_before_the_first_record(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "s.jsonl", [user("a", None, "x")])
    source = resolve(str(path))
    path.unlink()
    records = read(source, report=FileReport(path=""))
    with pytest.raises(PanscriptError):
        next(records)


def test_closing_early_closes_the_file(tmp_path: Path) -> None:
    records = read(
        resolve(str(write_rows(tmp_path / "s.jsonl", [user("a", None, "x")] * 3))), report=FileReport(path="")
    )
    next(records)
    records.close()  # type: ignore[attr-defined]
    assert list(records) == []


@pytest.mark.parametrize(
    "rows",
    [
        [{"display": "hello", "project": "/", "timestamp": 1}],
        [{"type": "future", "sessionId": "s"}],
        [b"no json\n"],
        [b"[1]\n"],
        [{"type": "user"}],
    ],
)
def test_a_file_in_which_nothing_is_understood_is_an_error(tmp_path: Path, rows: list[object]) -> None:
    with pytest.raises(PanscriptError):
        read_rows(tmp_path, rows)


def test_an_empty_file_is_an_empty_session(tmp_path: Path) -> None:
    records = read_rows(tmp_path, [])
    stream: list[Event] = events(records)
    assert [type(event) for event in stream] == [Session, End]
