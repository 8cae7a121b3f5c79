"""What holds for every Gemini CLI session, whole or damaged."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from panscript.cli.copying import clean
from panscript.readers.gemini import read, resolve
from panscript.schemas.gemini import decode_line, json_schema, unknown_fields
from panscript.schemas.records import SessionFile, Source
from panscript.schemas.report import FileReport
from panscript.stages.redaction import Redactor
from tests.builders import mutated
from tests.promises import check
from tests.readers.gemini.sessions import META, answer, call, user
from tests.repository import ROOT

FIXTURES = sorted(
    path for home in ("gemini/home", "usage-home") for path in (ROOT / "fixtures" / home).glob(".gemini/tmp/*/chats/*")
)
MUTATIONS = 150


def _alone(path: Path) -> Source:
    return Source(agent="gemini", id="any", files=(SessionFile(str(path)),))


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.stem)
def test_every_field_of_a_real_line_is_described(path: Path) -> None:
    for line in path.read_bytes().splitlines():
        decode_line(line)
        assert unknown_fields(line) == []


def test_a_new_field_is_told_with_its_path() -> None:
    assert unknown_fields(b'{"id":"a","toolCalls":[{"id":"c","color":1}],"new":2}') == ["$.toolCalls[0].color", "$.new"]
    assert {"Line", "Checkpoint", "LoggedPrompt", "Projects"} <= json_schema()["$defs"].keys()


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
    | st.lists(
        st.sampled_from(
            [b'{"id":"a","type":"user"', b"}", b"\n", b'"', b"{", b"[1]", b"\0", b'{"messages":[', b",", b"]"]
        )
    ).map(b"".join),
    st.sampled_from(["any.json", "any.jsonl"]),
)
def test_any_bytes_give_records_or_an_error_of_ours(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, name: str
) -> None:
    path = tmp_path_factory.getbasetemp() / name
    path.write_bytes(data)
    check(_alone(path))


IDS = st.sampled_from(["a", "b", "c", "d", "session", "end", "a:1", "meta:a", "compaction:1", "b#4"])
MESSAGES = st.one_of(
    st.builds(lambda name: user(name, "said"), IDS),
    st.builds(lambda name: user(name, [{"text": "<state_snapshot>s</state_snapshot>"}]), IDS),
    st.builds(lambda name: answer(name, "told"), IDS),
    st.builds(lambda name, called: answer(name, "", toolCalls=[call(called, "r")]), IDS, IDS),
    st.builds(lambda name: user(name, [{"functionResponse": {"id": "a", "name": "x", "response": {}}}]), IDS),
)


@given(
    st.lists(
        MESSAGES
        | st.builds(lambda name: {"$rewindTo": name}, IDS)
        | st.builds(lambda rows: {"$set": {"messages": rows}}, st.lists(MESSAGES, max_size=4)),
        max_size=12,
    )
)
def test_tangled_logs_name_nothing_twice(tmp_path_factory: pytest.TempPathFactory, rows: list[object]) -> None:
    path = tmp_path_factory.getbasetemp() / "session-tangle.jsonl"
    path.write_bytes(b"".join(json.dumps(row).encode() + b"\n" for row in [META, *rows]))
    assert check(_alone(path)) is not None


@pytest.mark.parametrize("indent", [None, 2])
def test_secrets_in_messages_are_replaced_and_every_other_byte_is_kept(tmp_path: Path, indent: int | None) -> None:
    secret = "gh" + "p_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
    path = tmp_path / "session-x.json"
    rows = [user("u1", f"my token is {secret}"), answer("g1", "ok")]
    path.write_text(json.dumps({**META, "messages": rows, "summary": "A title"}, indent=indent))
    report = FileReport(path="")
    redactor = Redactor()
    out = b"".join(clean(record, redactor, report) for record in read(_alone(path), report=report))
    assert out == path.read_bytes().replace(secret.encode(), b"[REDACTED:github-token:1]")
    assert report.lost == {}
