"""What holds for every OpenClaw session, whole or damaged."""

from __future__ import annotations

import json
import random
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from panscript.readers.context import Context
from panscript.readers.discovery import discover
from panscript.readers.openclaw import read, resolve
from panscript.schemas.errors import NotATranscript
from panscript.schemas.openclaw.lines import LINES
from panscript.schemas.records import Source
from panscript.schemas.report import FileReport
from tests.builders import mutated
from tests.promises import check
from tests.readers.openclaw.making import HEADER, answer, call, entry, result, sources, user, write
from tests.repository import ROOT

REAL = sorted(discover(Context.at(ROOT / "fixtures/openclaw/home"), ["openclaw"]), key=lambda source: source.id)


@pytest.mark.parametrize("source", REAL, ids=lambda source: source.id[:8])
def test_damaged_copies(source: Source, tmp_path: Path) -> None:
    chance = random.Random(source.id)
    original = Path(source.path).read_bytes()
    copy = tmp_path / Path(source.path).name
    for _ in range(60):
        copy.write_bytes(mutated(original, chance))
        check(msgspec.structs.replace(source, files=(msgspec.structs.replace(source.files[0], path=str(copy)),)))


@given(
    st.binary(max_size=200)
    | st.lists(st.sampled_from([b'{"type":"message"', b"}", b"\n", b'"', b"\\", b"{", b"[1]", b"\0"])).map(b"".join)
)
def test_any_bytes_give_records_or_an_error_of_ours(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "any-openclaw.jsonl"
    path.write_bytes(data)
    check(resolve(str(path)))


_ODD = st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.lists(st.integers(), max_size=2)
_USAGE = st.dictionaries(st.sampled_from(["input", "output", "prompt_tokens", "cached", "cost", "total"]), _ODD)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.none() | st.sampled_from("abc"), _USAGE, _ODD), max_size=8))
def test_any_tangle_of_lines(tmp_path_factory: pytest.TempPathFactory, tangle: list[tuple[object, ...]]) -> None:
    rows: list[dict[str, object]] = [HEADER]
    for name, parent, usage, odd in tangle:
        assert isinstance(name, str)
        above = parent if isinstance(parent, str) else None
        rows += [
            answer(name, above, "x", call(), usage=usage, provenance=odd),
            result(name + "r", name, "out", details={"status": odd, "exitCode": odd}),
            entry(name + "n", name, 4, "reset"),
            user(name + "u", name, "x"),
        ]
    check(resolve(str(write(tmp_path_factory.getbasetemp() / "tangle-openclaw.jsonl", rows))))


def test_nothing_understood_is_no_transcript(tmp_path: Path) -> None:
    path = tmp_path / "other.jsonl"
    path.write_bytes(b'{"kind":"other"}\n')
    with pytest.raises(NotATranscript):
        list(read(resolve(str(path)), report=FileReport(path="")))


def test_the_schema_takes_what_the_agent_wrote() -> None:
    """Every line decodes as a struct of its type, and nothing in it is unknown to that but details of tools."""
    kinds = {struct.__struct_config__.tag: struct for struct in LINES}
    seen = set()
    for source in REAL:
        for record in read(source, report=FileReport(path="")):
            if record.raw:
                kind = json.loads(record.raw)["type"]
                msgspec.json.decode(record.raw, type=kinds[kind])
                seen.add(kind)
    assert {"session", "message", "model_change", "custom", "thinking_level_change"} <= seen


def test_the_place_of_a_database_is_the_same_for_all_its_sessions() -> None:
    found = sources(ROOT / "fixtures/openclaw/home/.openclaw/agents")
    assert [source.id[:8] for source in found] == ["59bc02e8", "22222222"]
