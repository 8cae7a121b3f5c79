"""What is still found in documents that are odd, damaged or torn."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from panscript.readers.elements import Arrays, cut, pieces
from panscript.readers.salvage import Salvage

ARRAYS = {"messages": frozenset({"b"}), "ledger.events": frozenset({"e"})}
LISTED = {"": frozenset({"b"})}
BYTES = b'\0!"{}[],:\\ 1'


def _elements(data: bytes, arrays: Arrays = ARRAYS) -> list[Any]:
    found = cut(data, arrays)
    assert b"".join(piece.raw for piece in pieces(data, found)) == data
    assert [bytes(element) for _, element in found.elements] == [data[start:end] for start, end in found.places]
    return [json.loads(bytes(raw), strict=False) for _, raw in found.elements]


def _document(*, arrays: Arrays, **style: Any) -> bytes:
    quoted = [{"b": "q", "c": 0}, {"b": "r"}]
    messages = [
        {"b": "one", "c": [{"t": "x"}]},
        {"b": "two", "c": [{"people": [{"b": "admin"}], "more": [1, {"b": {}}, 2], "x": 1}]},
        {"b": "three", "c": [{"messages": quoted, "x": "}]"}]},
        {"b": "four", "c": [{"t": [{"b": "dev"}]}]},
    ]
    if arrays is LISTED:
        return json.dumps(messages, **style).encode()
    tail = {"events": [{"e": 1}], "n": [{"b": 1}]}
    return json.dumps({"id": "x", "messages": messages, "ledger": tail, "more": [[{"b": 2}], {}]}, **style).encode()


@pytest.mark.parametrize("style", [{"separators": (",", ":")}, {}, {"indent": 1}])
@pytest.mark.parametrize("arrays", [ARRAYS, LISTED])
def test_a_damaged_byte_costs_the_element_it_stands_in(arrays: Arrays, style: dict[str, Any]) -> None:
    data = _document(arrays=arrays, **style)
    whole = cut(data, arrays)
    (begin, _), (_, behind) = whole.places[0], whole.places[3]
    for at in range(begin, behind):
        others = Counter(data[start:end] for start, end in whole.places if not start <= at < end)
        for byte in BYTES:
            damaged = data[:at] + bytes([byte]) + data[at + 1 :]
            found = Counter(bytes(element) for _, element in cut(damaged, arrays).elements)
            assert not others - found, (at, byte)
            # One that is damaged and can be read all the same is told as it is.
            assert (found - others).total() <= len(whole.places) - others.total(), (at, byte)


@pytest.mark.parametrize("style", [{"separators": (",", ":")}, {"indent": 1}])
def test_of_two_damaged_elements_the_second_hides_no_others(style: dict[str, Any]) -> None:
    for arrays in (ARRAYS, LISTED):
        data = _document(arrays=arrays, **style)
        damaged = data.replace(b'"two"', b'"two').replace(b'"dev"', b"dev")
        assert [element["b"] for element in _elements(damaged, arrays) if "b" in element] == ["one", "three"]


@pytest.mark.parametrize(
    ("damaged", "numbers"),
    [
        (b'{"b": 1, "c": "}{{"b": 2', [0, 2, 3, 5]),
        (b'{"b": 1, "c": !{"b": 2', [0, 2, 3, 5]),
        (b'{"b": 1, "c": 1} "}{"b": 2', [0, 1, 2, 3, 5]),
    ],
)
@pytest.mark.parametrize("margin", [b"", b"\n  "])
def test_a_lost_separator_costs_no_others_where_more_is_damaged(
    damaged: bytes, numbers: list[int], margin: bytes
) -> None:
    said = [b'{"b": %d, "c": 1}' % number for number in range(6)]
    data = b'{"messages": [' + b",".join(said).replace(said[1] + b',{"b": 2', damaged) + b"]}"
    data = data.replace(b'{"b": 4, ', b'"}{b": 4, ')
    # Where elements stand on lines of their own, one that does not is none.
    data = data.replace(b",{", b"," + margin + b"{").replace(b"[{", b"[" + margin + b"{")
    found = [element["b"] for element in _elements(data)]
    assert found == [number for number in numbers if number != 2 or not margin]


def test_in_a_torn_document_that_is_damaged_nothing_of_a_broken_element_is_one() -> None:
    data = _document(arrays=LISTED, separators=(",", ":"))
    torn = data.replace(b'"two"', b"two")[:-20]
    assert [element["b"] for element in _elements(torn, LISTED)] == ["one", "three"]
    for end in range(data.index(b"admin"), data.index(b'{"b":"three"')):
        torn = data.replace(b'"two"', b"two")[: end - 2]
        assert [element["b"] for element in _elements(torn, LISTED)] == ["one"]


def test_an_element_quoted_in_a_broken_one_is_none() -> None:
    data = b'{"messages": [{"b": 0, "c": [{"run": {"r": [{"b": "quoted"}]} !!! ,{"b": 1}]}'
    assert _elements(data) == [{"b": 1}]
    data = b'{"messages": [{"b": "see {"b": "quoted"} there"}, {"b": 1}]}'
    assert _elements(data) == [{"b": 1}]


def test_a_hole_costs_what_stood_in_it() -> None:
    data = _document(arrays=ARRAYS)
    start, end = data.index(b'"admin"'), data.index(b'{"messages": [{"b": "q"')
    for filled in (b"\0", b"!", b"\xff", b'"', b" "):
        holed = data[:start] + filled * (end - start) + data[end:]
        assert [element["b"] for element in _elements(holed) if "b" in element] == ["one", "four"]


@pytest.mark.parametrize("gap", [b"", b"\0" * 8])
@pytest.mark.parametrize("arrays", [ARRAYS, LISTED])
def test_an_element_that_is_one_without_its_inner_bracket_hides_none_behind_it(arrays: Arrays, gap: bytes) -> None:
    quoted = [{"b": "quoted", "c": [{"t": "q"}]}, {"b": "answer", "c": [{"t": "r"}]}]
    rows: list[dict[str, Any]] = [{"b": number, "id": number, "c": [{"t": "x"}]} for number in range(5)]
    rows[2]["c"][0]["in"] = {"messages": quoted}
    data = json.dumps(rows if arrays is LISTED else {"messages": rows, "t": 1}).encode()
    start = data.index(b'{"b": 2')
    lost = data.index(b'c": [{"', start)
    damaged = data[:lost] + gap + data[lost + 7 :]
    assert [element["b"] for element in _elements(damaged, arrays)] == [0, 1, 3, 4]
    assert cut(damaged, arrays).damaged
    # Where what is lost reaches into what is quoted, that is not told as said.
    lost = data.index(b'"in": {')
    damaged = data[:lost] + b'"in' + gap + data[data.index(b't": "q"', lost) :]
    assert [element["b"] for element in _elements(damaged, arrays)] == [0, 1, 2, 3, 4]
    # The first of all may be the one.
    damaged = data.replace(b'"c": [{"', b'"c' + gap, 1)
    assert [element["b"] for element in _elements(damaged, arrays)][-4:] == [1, 2, 3, 4]


def test_many_false_ends_are_gone_through_a_few_times() -> None:
    times = 2000
    data = b'{"messages": [' + b'{"b": 1}]}]}, ' * times + b'{"b": 2}]}'
    found = _Counted(data.decode("latin-1"), ARRAYS, 0, len(data))
    assert found.values < 16 * times
    assert _elements(data)[-1] == {"b": 2}


def test_of_members_of_one_name_the_last_counts() -> None:
    twice = b'"messages": [{"b": 1}, {"b": 2}], "messages": [{"b": 3}]'
    for data in (b"{" + twice + b"}", b'{"x": NaN, ' + twice + b"}"):
        found = cut(data, ARRAYS)
        assert not found.damaged
        assert _elements(data) == [{"b": 3}]
    data = b'{"ledger": {"events": [{"e": 1}]}, "messages": [{"b": 1}], "ledger": {"events": [{"e": 2}]}}'
    # In the order of the document.
    assert _elements(data) == [{"b": 1}, {"e": 2}]
    assert _elements(b'{"ledger": {"events": [{"e": 1}]}, "x": [], "x": 2}') == [{"e": 1}]


@pytest.mark.parametrize(
    "draft",
    [b'"draft": {"messages": [{"b": 0}]}', b'"draft": {"messages": []}', b'"draft": [{"messages": [{"b": 0}]}]'],
)
def test_behind_damage_an_array_that_stands_deeper_is_none(draft: bytes) -> None:
    real = b'"messages": [{"b": 1}, {"b": 2}]'
    ledger = b'"ledger": {"n": 1, "events": [{"e": 1}], "m": {}}'
    assert _elements(b'{"title": !, ' + draft + b", " + real + b"}") == [{"b": 1}, {"b": 2}]
    assert _elements(b'{"title": !, ' + real + b", " + draft + b"}") == [{"b": 1}, {"b": 2}]
    assert _elements(b'{"title": !, ' + draft + b", " + real.replace(b"2", b"!") + b"}") == [{"b": 1}]
    # Those at their depth are found in whatever order.
    data = b'{"title": !, ' + draft + b", " + ledger + b", " + real + b', "t": 1}'
    assert _elements(data) == [{"e": 1}, {"b": 1}, {"b": 2}]
    assert cut(data, ARRAYS).facts == {"ledger.m": b"{}", "t": b"1"}


@pytest.mark.parametrize(
    "begin", [b'"messages"![', b'"messages":!', b'messages": [', b'"mess\\ges": [', b'"messages": {', b'"messages: [']
)
def test_an_array_whose_beginning_is_damaged_is_found(begin: bytes) -> None:
    for other in (b"", b'"ledger": {"events": [{"e": 1}]}, ', b'"draft": {"messages": [{"b": 0}]}, '):
        data = b'{"id": 1, ' + other + begin + b'{"b": 1}, {"b": 2}], "t": 1}'
        assert [element for element in _elements(data) if "b" in element] == [{"b": 1}, {"b": 2}]


def test_an_array_of_another_name_is_not_taken_for_one() -> None:
    assert _elements(b'{"id": !, "others": [{"b": 1}], "t": 1}') == []


def test_an_array_in_an_element_that_takes_in_the_rest_is_none() -> None:
    assert _elements(b'{"messages": [{"b": 1}, {"b": 2, "ledger": {"events": [{"e": 1}]}}') == [
        {"b": 1},
        {"b": 2, "ledger": {"events": [{"e": 1}]}},
    ]


def test_two_documents_behind_one_another_are_told_once() -> None:
    one, two = b'{"messages": [{"b": 1}, {"b": 2}]}', b'{"messages": [{"b": 3}]}'
    assert _elements(one + one) == _elements(one + b"\n" + two) == _elements(two + one) == [{"b": 1}, {"b": 2}]
    # Of a torn one what is whole, and of the next nothing again.
    assert _elements(b'{"messages": [{"b": 1}, {"b": 2}, {"b": "x' + one) == [{"b": 1}, {"b": 2}]
    assert _elements(b'[{"b": 1}, {"b": "x[{"b": 1}, {"b": 2}]', LISTED) == [{"b": 1}]


class _Counted(Salvage):
    values = 0

    def _value(self, at: int) -> tuple[object, int] | None:
        self.values += 1
        return super()._value(at)


@pytest.mark.parametrize(
    "between",
    [
        b'{"b": "x"},\0\0',
        b'{"b": "x"},!!',
        b'{"b": "x" "y"},',
        b'{"b": 1, "c": [{"b": 2}]!},',
        b'{"c": {"c": [{"b": 1}, {"b": 2}], "x": !}},',
    ],
)
def test_much_damage_is_gone_through_a_few_times(between: bytes) -> None:
    times = 2000
    data = b"[" + between * times + b'{"b": "last"}]'
    found = _Counted(data.decode("latin-1"), LISTED, 0, len(data))
    assert found.values < 16 * times
    assert _elements(data, LISTED)[-1] == {"b": "last"}


def test_what_gets_ever_deeper_is_given_up() -> None:
    for begin in (b'{"b":', b'{"b":[', b'{"b":{"messages":[', b'{"b":{"c":[{"b":1}],"d":'):
        data = b'{"x": !, "messages": [{"b": 1}, ' + begin * 20_000
        found = _Counted(data.decode("latin-1"), ARRAYS, 0, len(data))
        assert found.values < 20_000
        assert [array.places for array in found.arrays()] == [[(22, 30)]]


def test_elements_that_are_alike_are_not_looked_for_one_by_one() -> None:
    # Each was looked for in all of the rest: that took minutes.
    data = b"[" + b'{"b": "x"},\0\0' * 30_000 + b"]"
    found = cut(data, LISTED)
    assert sum(piece.element is not None for piece in pieces(data, found)) == 30_000
    assert sum(piece.broken for piece in pieces(data, found)) == 29_999
