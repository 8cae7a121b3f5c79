"""What holds for every Qwen Code session, whole or damaged."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from panscript.readers.qwen import resolve
from panscript.schemas.qwen import PAYLOADS, decode_record, json_schema, payload_of, unknown_fields
from panscript.schemas.qwen.lean import KNOWN_SUBTYPES
from panscript.schemas.records import SessionFile, Source
from tests.builders import mutated
from tests.promises import check
from tests.readers.qwen.sessions import answer, call, result, state, user
from tests.repository import ROOT

FIXTURES = sorted(
    path
    for home in ("qwen/home", "usage-home")
    for path in (ROOT / "fixtures" / home).glob(".qwen/projects/*/chats/*.jsonl")
)
MUTATIONS = 150


def _alone(path: Path) -> Source:
    return Source(agent="qwen", id="any", files=(SessionFile(str(path)),))


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.stem)
def test_every_field_of_a_real_line_is_described(path: Path) -> None:
    for line in path.read_bytes().splitlines():
        payload_of(decode_record(line))
        assert unknown_fields(line) == []


def test_a_new_field_is_told_with_its_path() -> None:
    line = json.dumps({**state("s", None, "custom_title", {"customTitle": "x", "color": 1}), "new": 2}).encode()
    assert unknown_fields(line) == ["$.new", "$.systemPayload.color"]


def test_every_payload_that_is_described_is_one_that_the_reader_knows() -> None:
    assert PAYLOADS.keys() <= KNOWN_SUBTYPES
    assert {"ChatRecord", "UiTelemetry", "ChatCompression", "Line"} <= json_schema()["$defs"].keys()


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.stem)
def test_two_reads_are_equal(path: Path) -> None:
    assert check(resolve(str(path))) == check(resolve(str(path)))


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.stem)
def test_damaged_files_keep_every_promise(path: Path, tmp_path: Path) -> None:
    chance = random.Random(path.name)
    original = path.read_bytes()
    copy = tmp_path / path.name
    for _ in range(MUTATIONS):
        copy.write_bytes(mutated(original, chance))
        check(resolve(str(copy)))


@given(
    st.binary(max_size=200)
    | st.lists(st.sampled_from([b'{"uuid":"a","type":"user"', b"}", b"\n", b'"', b"{", b"[1]", b"\0", b"[", b","])).map(
        b"".join
    ),
    st.sampled_from(["any.json", "any.jsonl"]),
)
def test_any_bytes_give_records_or_an_error_of_ours(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, name: str
) -> None:
    path = tmp_path_factory.getbasetemp() / name
    path.write_bytes(data)
    check(_alone(path))


IDS = st.sampled_from(["a", "b", "c", "d", "session", "end", "a:1", "meta:a", "line:1", "b#4"])
PARENTS = st.none() | IDS
HISTORY = {
    "compressedHistory": [{"role": "user", "parts": [{"text": "s"}]}, {"role": "user", "parts": [{"text": "x"}]}]
}


@given(
    st.lists(
        st.one_of(
            st.builds(lambda name, parent: user(name, parent, "x"), IDS, PARENTS),
            st.builds(lambda name, parent, called: answer(name, parent, [call(called)]), IDS, PARENTS, IDS),
            st.builds(lambda name, parent, called: result(name, parent, called, {}), IDS, PARENTS, IDS),
            st.builds(lambda name, parent: state(name, parent, "rewind"), IDS, PARENTS),
            st.builds(lambda name, parent: state(name, parent, "ui_telemetry"), IDS, PARENTS),
            st.builds(lambda name, parent: state(name, parent, "chat_compression", HISTORY), IDS, PARENTS),
        ),
        min_size=1,
        max_size=12,
    )
)
def test_tangled_parents_lose_nothing_and_name_nothing_twice(
    tmp_path_factory: pytest.TempPathFactory, rows: list[object]
) -> None:
    path = tmp_path_factory.getbasetemp() / "tangle.jsonl"
    path.write_bytes(b"".join(json.dumps(row).encode() + b"\n" for row in rows))
    assert check(_alone(path)) is not None
