"""What holds for every thread, whatever bytes it is made of."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from panscript.readers.amp import read, resolve
from panscript.schemas.errors import PanscriptError
from panscript.schemas.events import End, Session
from panscript.schemas.report import FileReport
from tests.builders import mutated
from tests.sessions import FIXTURES

THREADS = sorted((FIXTURES / "amp/home/.local/share/amp/threads").iterdir())


def _check(path: Path) -> None:
    report = FileReport(path="")
    try:
        records = list(read(resolve(str(path)), report=report))
    except PanscriptError:
        return
    assert b"".join(record.raw for record in records) == path.read_bytes()
    assert sum(report.classes.values()) == report.records == len(records) - 1
    events = [event for record in records for event in record.events]
    assert isinstance(events[0], Session)
    assert isinstance(events[-1], End)
    assert [name for name, times in Counter(event.id for event in events).items() if times > 1] == []
    assert msgspec.json.encode(events)
    seen: set[str] = set()
    for event in events:
        assert event.parent is None or event.parent in seen
        seen.add(event.id)


@pytest.mark.parametrize("path", THREADS, ids=lambda path: path.stem[-12:])
def test_damaged_threads_keep_every_promise(path: Path, tmp_path: Path) -> None:
    chance = random.Random(path.name)
    original = path.read_bytes()
    copy = tmp_path / path.name
    for _ in range(60):
        copy.write_bytes(mutated(original, chance))
        _check(copy)


@given(
    st.binary(max_size=200)
    | st.lists(
        st.sampled_from(
            [
                b'{"id":"T-0","messages":[',
                b'{"role":"user","content":"x"}',
                b",",
                b"]",
                b"}",
                b'"',
                b"\\ud800",
                b"\n",
                b"1",
            ]
        )
    ).map(b"".join)
)
def test_any_bytes_give_records_or_an_error_of_ours(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "T-any.json"
    path.write_bytes(data)
    _check(path)
