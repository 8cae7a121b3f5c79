"""What holds for every thread, whatever bytes it is made of."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.builders import mutated
from tests.promises import check_file
from tests.sessions import FIXTURES

THREADS = sorted((FIXTURES / "amp/home/.local/share/amp/threads").iterdir())


@pytest.mark.parametrize("path", THREADS, ids=lambda path: path.stem[-12:])
def test_damaged_threads_keep_every_promise(path: Path, tmp_path: Path) -> None:
    chance = random.Random(path.name)
    original = path.read_bytes()
    copy = tmp_path / path.name
    for _ in range(60):
        copy.write_bytes(mutated(original, chance))
        check_file("amp", copy)


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
    check_file("amp", path)
