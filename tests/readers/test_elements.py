"""Documents in pieces, whole and damaged."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from panscript.readers.elements import Arrays, cut, pieces

ARRAYS = {"messages": frozenset({"b"}), "ledger.events": frozenset({"e"})}


def _elements(data: bytes, arrays: Arrays = ARRAYS) -> list[tuple[str, Any]]:
    return [(name, json.loads(bytes(raw))) for name, raw in cut(data, arrays).elements]


def test_the_elements_come_in_the_order_of_the_document() -> None:
    data = b'{"id": "x", "ledger": {"events": [{"a": 1}], "n": 2}, "messages": [{"b": 1}, {"b": 2}]}'
    found = cut(data, ARRAYS)
    assert [name for name, _ in found.elements] == ["ledger.events", "messages", "messages"]
    assert found.facts == {"id": b'"x"', "ledger.n": b"2"}
    assert not found.damaged


def test_a_document_may_be_the_array_itself() -> None:
    assert _elements(b"\xef\xbb\xbf [1, {}]\n", {"": frozenset()}) == [("", 1), ("", {})]


def test_a_torn_document_keeps_its_complete_elements() -> None:
    assert _elements(b'{"messages": [{"b": 1}, {"b": "\xc3\xa9"}, {"b": ') == [
        ("messages", {"b": 1}),
        ("messages", {"b": "é"}),
    ]


@pytest.mark.parametrize("torn", [b'{"messages": [{"b": 1}', b'{"messages": [{"b": 1}]', b'[{"b": 1}', b'[{"b": 1}, '])
def test_a_document_torn_behind_an_element_says_once_that_it_is(torn: bytes) -> None:
    found = list(pieces(torn, cut(torn, {"": frozenset({"b"}), **ARRAYS})))
    assert [piece.broken for piece in found] == [False] * (len(found) - 1) + [True]
    assert found[-1].end == len(torn)


def test_a_broken_element_costs_only_itself() -> None:
    data = b'{"messages": [{"b": 1}, {"b": x, "c": [{"d": 1}]}, {"b": 3}], "ledger": {"events": [{"e": 1}]}, "t": 1}'
    found = cut(data, ARRAYS)
    assert found.damaged
    assert [json.loads(bytes(raw)) for _, raw in found.elements] == [{"b": 1}, {"b": 3}, {"e": 1}]
    assert found.facts == {"t": b"1"}
    assert [piece.raw for piece in pieces(data, found) if piece.broken] == [b', {"b": x, "c": [{"d": 1}]}, ']


def test_behind_a_broken_member_the_arrays_are_still_found() -> None:
    assert _elements(b'{"id": nope, "messages": [{"b": 1}], "x": {}}') == [("messages", {"b": 1})]


def test_no_document_has_no_elements() -> None:
    for data in (b"", b"null", b"12", b'"text"', b"{", b"[1", b"[" * 100_000):
        assert cut(data, ARRAYS).elements == []


@given(
    st.lists(
        st.sampled_from(
            [b'{"messages":[', b'{"a":1}', b",", b"]", b"}", b'"', b"\\", b'{"', b"\n", b"\xff", b'"ledger":']
        )
    ).map(b"".join)
)
def test_the_pieces_are_the_document(data: bytes) -> None:
    found = list(pieces(data, cut(data, {"": frozenset({"a"}), **ARRAYS})))
    assert b"".join(piece.raw for piece in found) == data
    assert [piece.offset for piece in found] == [data.find(piece.raw, piece.offset) for piece in found]


def test_what_only_the_decoder_refuses_does_no_damage() -> None:
    data = rb'{"id": "\ud800", "messages": [{"b": "\udc00"}, {"b": NaN}, {"b": "' + b"\x01" + rb'"}], "t": Infinity}'
    found = cut(data, ARRAYS)
    assert not found.damaged
    assert len(found.elements) == 3
    assert found.facts == {"id": '"�"'.encode(), "t": b"null"}
    assert found.notes == ["surrogates_repaired", "number_repaired"]
    assert not any(piece.broken for piece in pieces(data, found))


def test_bytes_that_are_no_text_are_mended_in_members() -> None:
    found = cut(b'{"id": "a\xff", "messages": []}', ARRAYS)
    assert (found.facts, found.notes, found.damaged) == ({"id": '"a�"'.encode()}, ["bytes_repaired"], False)


@pytest.mark.parametrize(
    "data",
    [
        rb'{"id": "\ud800", "messages": [{"b": 1},]}',
        rb'{"id": "\ud800", "messages": [{"b": 1} {"b": 2}]}',
        rb'{"id": "\ud800", "messages": [,{"b": 1}]}',
        rb'{"id": "\ud800", "messages": [{"b": 1}],}',
        rb'{"id": "\ud800" "messages": [{"b": 1}]}',
        rb'{"id": "\ud800", "messages": [{"b": 1}]',
        rb'{"id": "\ud800", "messages": [{"b": 1}]}]',
        rb'{"id": "\ud800", "messages": [{"b": 1}]}{"id": 1}',
        rb'{"id": "\ud800", "messages": [{"b": 1},' + b"\0" * 9 + rb'{"b": 2}]}',
    ],
)
def test_what_is_no_document_is_damaged_all_the_same(data: bytes) -> None:
    found = cut(data, ARRAYS)
    assert found.damaged
    assert ("messages", b'{"b": 1}') in [(name, bytes(raw)) for name, raw in found.elements]
    assert any(piece.broken for piece in pieces(data, found))


def test_an_array_that_is_none_is_told() -> None:
    for data in (b'{"messages": {"a": 1}}', b'{"messages": null}', b'{"a": 1}', rb'{"messages": "\ud800"}'):
        assert cut(data, ARRAYS).is_no_array("messages")
    for data in (b'{"messages": []}', rb'{"a": NaN, "messages": []}', b'{"messages": "torn'):
        assert not cut(data, ARRAYS).is_no_array("messages")
