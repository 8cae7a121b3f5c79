"""What holds for every Droid session, whole or damaged."""

from __future__ import annotations

import random
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from panscript.readers.droid import detect
from tests.builders import mutated
from tests.promises import check_file
from tests.sessions import FIXTURES

FILES = sorted((FIXTURES / "droid/home").rglob("sessions/*/*.jsonl"))
MUTATIONS = 100


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem[:8])
def test_damaged_rows_keep_every_promise(path: Path, tmp_path: Path) -> None:
    chance = random.Random(path.name)
    copy = tmp_path / path.name
    for _ in range(MUTATIONS):
        copy.write_bytes(mutated(path.read_bytes(), chance))
        check_file("droid", copy)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem[:8])
def test_damaged_settings_keep_every_promise(path: Path, tmp_path: Path) -> None:
    chance = random.Random(path.name)
    copy = tmp_path / path.name
    copy.write_bytes(path.read_bytes())
    settings = path.with_suffix(".settings.json").read_bytes()
    for _ in range(MUTATIONS):
        copy.with_suffix(".settings.json").write_bytes(mutated(settings, chance))
        check_file("droid", copy)


PIECES = [b'{"type":"message","id":"a"', b'{"type":"session_start"', b"}", b"\n", b'"', b"\\", b"{", b"[1]", b"\0"]


@given(st.binary(max_size=200) | st.lists(st.sampled_from(PIECES)).map(b"".join))
def test_any_bytes_give_records_or_an_error_of_ours(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "any-droid.jsonl"
    path.write_bytes(data)
    assert 0 <= detect(data) <= 100
    check_file("droid", path)


IDS = st.sampled_from(["a", "b", "session", "end", "a:1", "meta:a", "line:1", "b#4", "usage:settings"])


@given(st.lists(st.tuples(IDS, st.none() | IDS, st.sampled_from(["user", "assistant", "tool", "odd"])), max_size=8))
def test_tangled_rows_lose_nothing_and_name_nothing_twice(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str | None, str]]
) -> None:
    path = tmp_path_factory.getbasetemp() / "tangle-droid.jsonl"
    made = [{"type": "session_start", "id": "s", "parent": "p", "forkedAtMessageId": "b"}] + [
        {"type": "message", "id": name, "parentId": parent, "message": {"role": role, "content": name}}
        for name, parent, role in rows
    ]
    path.write_bytes(b"".join(msgspec.json.encode(row) + b"\n" for row in made))
    check_file("droid", path)
