"""The second decoder: one bad value costs that value, one bad line that line, and a fragment is never a record."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from panscript.readers.jsonl import account, rows
from panscript.readers.tolerant import Recovered, recover
from panscript.schemas.report import FileReport


class _Inner(msgspec.Struct):
    text: str | None = None
    number: float | None = None


class _Row(msgspec.Struct):
    type: str | None = None
    id: str | None = None
    inner: _Inner | None = None
    items: list[_Inner] | None = None
    data: msgspec.Raw = msgspec.Raw(b"")


DECODER = msgspec.json.Decoder(_Row)


def _is_record(value: dict[str, Any]) -> bool:
    return isinstance(value.get("type"), str) and "id" in value


def _recover(raw: bytes) -> Recovered[_Row]:
    return recover(raw, DECODER, _is_record)


def _ids(found: Recovered[_Row]) -> list[str | None]:
    return [row.id for row in found.rows]


WHOLE = b'{"type":"a","id":"1"}'
OTHER = b'{"type":"a","id":"2"}'


@pytest.mark.parametrize(
    ("raw", "ids", "skip", "notes"),
    [
        (b"\xef\xbb\xbf" + WHOLE, ["1"], None, ["padding_removed"]),
        (b"\0\0" + WHOLE + b"\0\r\n", ["1"], None, ["padding_removed"]),
        (WHOLE + OTHER + b"\n", ["1", "2"], None, ["line_split"]),
        (WHOLE + b"\0" + OTHER, ["1", "2"], None, ["line_split"]),
        (WHOLE + b"}", ["1"], "json_parse_error", ["line_recovered"]),
        (b'{"type":"a","id":"0","inner":{"te' + WHOLE, ["1"], "json_parse_error", ["line_recovered"]),
        (b'{"type":"a","id":"0","text":"{\\"type\\":\\"b\\"' + WHOLE, ["1"], "json_parse_error", ["line_recovered"]),
        (b'{"type":"a","id":"0","inner":{"text":"x"}', [], "json_parse_error", []),
        (b'{"type":"a","id":"0","inner":{"type":"b","id":"9"}', [], "json_parse_error", []),
        (b'{"type":"a","id":"0","items":[' + WHOLE, [], "json_parse_error", []),
        (b'{"type":"a","id":"0","text":"cut at a colon:' + WHOLE, ["1"], "json_parse_error", ["line_recovered"]),
        (WHOLE + b'{"text":"no envelope"}x', ["1"], "json_parse_error", ["line_recovered"]),
        (b"[1, 2]", [], "not_an_object", []),
        (b'"text"', [], "not_an_object", []),
        (b"nonsense", [], "json_parse_error", []),
        (b"{", [], "json_parse_error", []),
    ],
)
def test_lines(raw: bytes, ids: list[str], skip: str | None, notes: list[str]) -> None:
    found = _recover(raw)
    assert (_ids(found), found.skip, found.notes) == (ids, skip, notes)
    assert not found.blank


@pytest.mark.parametrize("raw", [b"\n", b"\r\n", b" \t\n", b"\0\0\0\n", b"\xef\xbb\xbf\n", b"\0 \n"])
def test_nothing_is_blank_and_no_damage(raw: bytes) -> None:
    found = _recover(raw)
    assert found.blank
    assert (found.rows, found.skip, found.notes) == ([], None, [])


@pytest.mark.parametrize(
    ("text", "expected", "note"),
    [
        (rb'"a\ud800b"', "a\ufffdb", "surrogates_repaired"),
        (rb'"a\udc00"', "a\ufffd", "surrogates_repaired"),
        (rb'"\ud83d\ude00"', "\U0001f600", None),
        (b'"a\xffb"', "a\ufffdb", "bytes_repaired"),
        (b'"a\xed\xa0\x80b"', "a\ufffd\ufffd\ufffdb", "bytes_repaired"),
        (b'"a\tb"', "a\tb", None),
    ],
)
def test_texts_that_the_fast_decoder_refuses(text: bytes, expected: str, note: str | None) -> None:
    found = _recover(b'{"type":"a","id":"1","inner":{"text":' + text + b"}}")
    (row,) = found.rows
    assert row.inner is not None
    assert row.inner.text == expected
    assert found.notes == ([note] if note else [])
    row.inner.text.encode()


def test_a_replacement_character_of_the_writer_is_no_repair() -> None:
    assert _recover('{"type":"a","id":"\ufffd"} '.encode()).notes == []


@pytest.mark.parametrize("number", [b"NaN", b"Infinity", b"-Infinity", b"1e999", b"9" * 400, b"9" * 5000])
def test_numbers_that_nobody_knows_become_null(number: bytes) -> None:
    found = _recover(b'{"type":"a","id":"1","inner":{"number":' + number + b',"text":"kept"}}')
    (row,) = found.rows
    assert row.inner == _Inner(text="kept")
    assert found.notes == ["number_repaired"]


def test_a_whole_number_beyond_64_bits_is_about_the_same_number() -> None:
    (row,) = _recover(b'{"id":"1","inner":{"number":123456789012345678901234567890},"data":NaN}').rows
    assert row.inner is not None
    assert row.inner.number == pytest.approx(1.2345678901234568e29)


@pytest.mark.parametrize(
    ("raw", "expected", "ignored"),
    [
        (b'{"type":5,"id":"1"}', _Row(id="1"), 1),
        (b'{"type":"a","id":"1","inner":[]}', _Row(type="a", id="1"), 1),
        (b'{"type":[],"id":{},"inner":{"text":1,"number":"x"}}', _Row(inner=_Inner()), 4),
        (b'{"items":[{"text":"a"},{"text":[]},5]}', _Row(items=[_Inner("a"), _Inner(), _Inner()]), 2),
    ],
)
def test_values_of_a_wrong_type_are_left_out_one_by_one(raw: bytes, expected: _Row, ignored: int) -> None:
    found = _recover(raw)
    assert found.rows == [expected]
    assert found.notes == ["value_ignored"] * ignored
    assert found.skip is None


def test_bare_text_among_objects_becomes_a_block_of_text() -> None:
    found = _recover(b'{"items":[{"text":"a"},"b",5,"c"]}')
    assert found.rows == [_Row(items=[_Inner("a"), _Inner("b"), _Inner(), _Inner("c")])]
    assert found.notes == ["text_as_block", "value_ignored", "text_as_block"]


def test_any_number_of_wrong_values_costs_only_themselves() -> None:
    items = b",".join([b'{"text":5}', b"7", b'{"text":"kept"}'] * 500)
    (row,) = _recover(b'{"id":"1","items":[' + items + b"]}").rows
    assert row.id == "1"
    assert row.items is not None
    assert [item.text for item in row.items if item.text] == ["kept"] * 500
    assert len(row.items) == 1500


def test_nesting_without_end_gives_the_line_up() -> None:
    found = _recover(b'{"id":"1","data":' + b"[" * 200_000 + b"]" * 200_000 + b"}")
    assert (found.rows, found.skip) == ([], "json_parse_error")


def test_the_json_of_a_row_is_what_it_was_decoded_from() -> None:
    found = _recover(WHOLE + b'{"type":"a","id":"2","data":"\\ud800"}')
    assert [DECODER.decode(raw) for raw in found.raws] == found.rows


PIECES = st.sampled_from(
    [WHOLE, OTHER, b'{"', b'"}', b"}", b"\\", b"\0", b"\xff", b'"type":', b'"id"', b"[", b"]", b"1", b"NaN", b","]
)


@given(st.lists(PIECES, max_size=12).map(b"".join) | st.binary(max_size=60))
def test_nothing_raises_and_what_comes_out_can_be_encoded(raw: bytes) -> None:
    found = _recover(raw)
    assert found.blank or found.rows or found.skip
    assert len(found.rows) == len(found.raws)
    msgspec.json.encode(found.rows)


def test_rows_count_each_bad_line_once(tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("rows") / "x.jsonl"
    path.write_bytes(WHOLE + b"\n\n" + WHOLE + OTHER + b"\nbad\n[]\n" + OTHER)
    report = FileReport(path="")
    parsed = list(rows([str(path)], DECODER, _is_record))
    for each in parsed:
        account(each, report)
    assert [(p.line, p.row.id if p.row else None) for p in parsed] == [
        (1, "1"),
        (2, None),
        (3, "1"),
        (3, "2"),
        (4, None),
        (5, None),
        (6, "2"),
    ]
    assert b"".join(p.raw for p in parsed) == path.read_bytes()
    assert [p.json for p in parsed if p.row] == [WHOLE + b"\n", WHOLE, OTHER, OTHER]
    assert (report.skipped_lines, report.skipped) == (2, {"json_parse_error": 1, "not_an_object": 1})
    assert [s.line for s in report.skipped_at] == [4, 5]
    assert report.changed == {"line_split": 1}
    assert not report.complete
