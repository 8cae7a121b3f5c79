"""What holds for every OpenCode session, whole or damaged."""

from __future__ import annotations

import random
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from panscript.readers.opencode import read, resolve
from panscript.readers.opening import open_sources
from panscript.schemas.errors import PanscriptError
from panscript.schemas.opencode.parts import PARTS
from panscript.schemas.report import FileReport
from tests.builders import mutated
from tests.promises import check, check_file
from tests.readers.opencode.making import answered, asked, database, finish, sources, text, tool, tree
from tests.repository import ROOT

REAL = ROOT / "fixtures/opencode/home/.local/share/opencode/opencode.db"


def test_damaged_databases(tmp_path: Path) -> None:
    chance = random.Random(1)
    original = REAL.read_bytes()
    copy = tmp_path / "opencode.db"
    (source,) = sources(REAL)
    for _ in range(100):
        copy.write_bytes(mutated(original, chance))
        check(msgspec.structs.replace(source, files=(msgspec.structs.replace(source.files[0], path=str(copy)),)))
        with suppress(PanscriptError):
            open_sources(str(copy))


def test_damaged_exports(tmp_path: Path) -> None:
    chance = random.Random(2)
    (real,) = (ROOT / "fixtures/opencode/exported").iterdir()
    original = real.read_bytes()
    copy = tmp_path / "export.json"
    for _ in range(150):
        copy.write_bytes(mutated(original, chance))
        check(resolve(str(copy)))


def test_damaged_trees(tmp_path: Path) -> None:
    chance = random.Random(3)
    talk = [asked(text("one")), answered(text("two"), tool(output="x"), finish())]
    session = tree(tmp_path, talk)
    files = {path: path.read_bytes() for path in tmp_path.rglob("*.json")}
    for _ in range(80):
        for path, data in files.items():
            path.write_bytes(mutated(data, chance) if chance.random() < 0.5 else data)
        check(resolve(str(session)), all_files=True)


@given(
    st.binary(max_size=200)
    | st.lists(
        st.sampled_from([b'{"info":', b'{"id":"ses_1"', b'"messages":[', b'"parts":[]', b"}", b'"', b"]", b",", b"\0"])
    ).map(b"".join)
)
def test_any_bytes_give_records_or_an_error_of_ours(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "any.json"
    path.write_bytes(data)
    check_file("opencode", path)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 1 << 70) | st.floats() | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["type", "text", "state", "status", "input", "output", "metadata", "time", "tokens", "cache"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)
FIELDS = ["text", "state", "metadata", "tokens", "cost", "url", "mime", "callID", "tool", "time", "synthetic", "auto"]
ITEMS = st.lists(VALUES | st.dictionaries(st.sampled_from(FIELDS), VALUES), max_size=3)
INFOS = st.dictionaries(st.sampled_from(["time", "tokens", "cost", "error", "summary", "path", "model"]), VALUES)


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["user", "assistant", "x"]),
            st.sampled_from([str(part.__struct_config__.tag) for part in PARTS]),
            INFOS,
            ITEMS,
        ),
        max_size=5,
    )
)
def test_any_values_give_records(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str, dict[str, object], list[object]]]
) -> None:
    path = tmp_path_factory.mktemp("any") / "opencode.db"
    messages = []
    for role, tag, info, items in rows:
        tagged = [{**item, "type": tag} if isinstance(item, dict) else item for item in items]
        messages.append(({**info, "role": role}, tagged))
    check(sources(database(path, ({"revert": '{"messageID":"m2"}'}, messages)))[0])  # type: ignore[arg-type]


def test_two_reads_are_equal(tmp_path: Path) -> None:
    (source,) = sources(database(tmp_path / "opencode.db", ({}, [asked(text("a")), answered(tool(output="b"))])))
    reports = FileReport(path=""), FileReport(path="")
    first, second = (list(read(source, report=report)) for report in reports)
    assert first == second
    assert reports[0] == reports[1]
