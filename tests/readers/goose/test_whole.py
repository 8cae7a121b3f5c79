"""What holds for every Goose session, whole or damaged."""

from __future__ import annotations

import random
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from panscript.readers.goose import read, resolve
from panscript.readers.opening import open_sources
from panscript.schemas.errors import PanscriptError
from panscript.schemas.goose.content import CONTENT
from panscript.schemas.report import FileReport
from tests.builders import mutated
from tests.promises import check
from tests.readers.goose.making import call, database, result, said, sources, text
from tests.repository import ROOT

REAL = ROOT / "fixtures/goose/home/.local/share/goose/sessions/sessions.db"


def test_damaged_databases(tmp_path: Path) -> None:
    chance = random.Random(1)
    original = REAL.read_bytes()
    copy = tmp_path / "sessions.db"
    (source,) = sources(REAL)
    for _ in range(150):
        copy.write_bytes(mutated(original, chance))
        damaged = msgspec.structs.replace(source, files=(msgspec.structs.replace(source.files[0], path=str(copy)),))
        check(damaged)
        with suppress(PanscriptError):
            open_sources(str(copy))


@given(
    st.binary(max_size=200)
    | st.lists(st.sampled_from([b'{"role":"user"', b'"content":[]', b"}", b"\n", b'"', b"{", b"[1]", b"\0"])).map(
        b"".join
    )
)
def test_any_bytes_give_records_or_an_error_of_ours(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "any.jsonl"
    path.write_bytes(data)
    check(resolve(str(path)))


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 1 << 70) | st.floats() | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["type", "id", "text", "data", "toolCall", "toolResult", "status", "value", "content", "name"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)
TAGS = [str(struct.__struct_config__.tag) for struct in CONTENT]
ITEMS = st.lists(
    VALUES | st.dictionaries(st.sampled_from(["id", "text", "toolCall", "toolResult"]), VALUES), max_size=3
)


@given(st.lists(st.tuples(st.sampled_from(["user", "assistant", "x"]), st.sampled_from(TAGS), ITEMS), max_size=6))
def test_any_values_in_the_columns_give_records(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str, list[object]]]
) -> None:
    path = tmp_path_factory.mktemp("any") / "sessions.db"
    messages = []
    for role, tag, items in rows:
        tagged = [{**item, "type": tag} if isinstance(item, dict) else item for item in items]
        messages.append({**said(role, *tagged), "message_id": tag, "metadata_json": '{"userVisible":false}'})
    database(path, messages)
    check(sources(path)[0])


def test_two_reads_are_equal(tmp_path: Path) -> None:
    (source,) = sources(
        database(tmp_path / "sessions.db", [said("assistant", text("a"), call()), said("user", result())])
    )
    reports = FileReport(path=""), FileReport(path="")
    first, second = (list(read(source, report=report)) for report in reports)
    assert first == second
    assert reports[0] == reports[1]
