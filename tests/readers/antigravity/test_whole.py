"""What holds for every conversation of Antigravity, whole or damaged."""

from __future__ import annotations

import random
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from panscript.readers.antigravity import read, resolve
from panscript.readers.antigravity.responses import response_of
from panscript.readers.antigravity.steps import step_of_row
from panscript.readers.context import Context
from panscript.readers.discovery import discover
from panscript.schemas.antigravity.records import LogLine
from panscript.schemas.errors import NotATranscript
from panscript.schemas.report import FileReport
from tests.builders import mutated
from tests.promises import check
from tests.readers.antigravity.making import called, line, log, message, prompt, request, step
from tests.repository import ROOT

(REAL,) = discover(Context.at(ROOT / "fixtures/usage-home"), ["antigravity"])
STEP = step(15, (20, message((1, "ok"), (3, "hm"), (7, called()))))


def test_damaged_copies(tmp_path: Path) -> None:
    chance = random.Random(4)
    originals = [Path(file.path).read_bytes() for file in REAL.files]
    for _ in range(150):
        files = []
        for number, (file, data) in enumerate(zip(REAL.files, originals, strict=True)):
            copy = tmp_path / str(number) / Path(file.path).name
            copy.parent.mkdir(exist_ok=True)
            copy.write_bytes(mutated(data, chance) if chance.random() < 0.7 else data)
            files.append(msgspec.structs.replace(file, path=str(copy)))
        check(msgspec.structs.replace(REAL, files=tuple(files)))


@given(
    st.binary(max_size=200)
    | st.lists(st.sampled_from([b'{"step_index":1', b"}", b"\n", b'"', b"\\", b"{", b"[1]", b"\0"])).map(b"".join)
)
def test_any_bytes_give_records_or_an_error_of_ours(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "any-antigravity" / "transcript.jsonl"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(data)
    check(resolve(str(path)))


KINDS = ["USER_INPUT", "PLANNER_RESPONSE", "RUN_COMMAND", "CHECKPOINT", "OTHER", ""]
SOURCES = ["MODEL", "USER_EXPLICIT", "SYSTEM", "OTHER"]


@given(
    st.lists(st.tuples(st.none() | st.integers(-1, 3), st.sampled_from(KINDS), st.sampled_from(SOURCES)), max_size=9)
)
def test_any_order_of_steps(tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[int | None, str, str]]) -> None:
    rows = [line(index, kind, "x", source, tool_calls=[{"name": "a"}]) for index, kind, source in steps]
    check(resolve(str(log(tmp_path_factory.getbasetemp() / "any-order", rows))))


@given(st.binary(max_size=80), st.integers(0, 20))
def test_any_bytes_in_rows(data: bytes, place: int) -> None:
    whole = request((2, 5), (11, "r"), steps=[1])
    for each in (data, whole[:place] + data + whole[place:]):
        assert response_of(each).tokens.total >= 0
    for each in (data, STEP[:place] + data + STEP[place:]):
        found = step_of_row(1, 15, 3, each, data)
        assert msgspec.json.encode(found)


def test_nothing_understood_is_no_transcript(tmp_path: Path) -> None:
    path = tmp_path / "transcript.jsonl"
    path.write_bytes(b'{"kind":"other"}\n')
    with pytest.raises(NotATranscript):
        list(read(resolve(str(path)), report=FileReport(path="")))


def test_the_schema_takes_the_lines_of_the_log() -> None:
    for raw in Path(REAL.files[0].path).read_bytes().splitlines():
        assert msgspec.json.decode(raw, type=LogLine).step_index >= 0
    assert prompt(0, "x")["type"] == "USER_INPUT"
