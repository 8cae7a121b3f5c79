"""What holds for every task and session, whatever bytes they are made of."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from panscript.readers.cline import resolve
from panscript.schemas.records import Source
from tests.builders import mutated
from tests.found import name_of, sources
from tests.promises import check

SOURCES = [source for agent in ("cline", "roocode", "kilocode") for source in sources(agent)]


@pytest.mark.parametrize("source", SOURCES, ids=name_of)
def test_damaged_sessions_keep_every_promise(source: Source, tmp_path: Path) -> None:
    chance = random.Random(name_of(source))
    folder = tmp_path / source.id
    shutil.copytree(Path(source.path).parent, folder)
    names = [Path(file.path).name for file in source.files]
    originals = {name: (folder / name).read_bytes() for name in names}
    for _ in range(60):
        for name in names:
            (folder / name).write_bytes(mutated(originals[name], chance))
        check(resolve(str(folder / names[0])))


_PIECES = st.sampled_from(
    [
        b"[",
        b'{"role":"user","content":"<task>x</task>"}',
        b'{"role":"assistant","content":"<read_file><path>a</path></read_file>"}',
        b'{"role":"user","content":[{"type":"text","text":"[read_file] Result:"},{"type":"text","text":"1"}]}',
        b'{"ts":1,"type":"say","say":"text","text":"x"}',
        b'{"type":"say","say":"api_req_started","text":"{\\"tokensIn\\":1}"}',
        b",",
        b"]",
        b"}",
        b'"',
        b"\\ud800",
        b"\n",
    ]
)


@pytest.mark.parametrize("name", ["api_conversation_history.json", "ui_messages.json", "a.messages.json", "a.json"])
@given(data=st.binary(max_size=200) | st.lists(_PIECES).map(b"".join))
def test_any_bytes_give_records_or_an_error_of_ours(
    tmp_path_factory: pytest.TempPathFactory, name: str, data: bytes
) -> None:
    folder = tmp_path_factory.getbasetemp() / f"any-{name}"
    folder.mkdir(exist_ok=True)
    (folder / name).write_bytes(data)
    check(resolve(str(folder / name)))
