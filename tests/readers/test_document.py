"""A session that is one JSON document is cut into records that joined are the document."""

from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from panscript.readers.document import load, places, spans
from panscript.schemas.errors import SourceNotFound, SourceUnreadable

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


class _Document(msgspec.Struct):
    items: list[msgspec.Raw] = []


def _cut(data: bytes) -> list[tuple[bytes, int | None]]:
    return list(spans(data, places(data, msgspec.json.decode(data, type=_Document).items)))


def test_elements_and_what_is_between_them_are_records() -> None:
    assert _cut(b'{"a": 1, "items": [ {"x":1} ,\n {"x":2}], "b": 2}\n') == [
        (b'{"a": 1, "items": [ ', None),
        (b'{"x":1}', 0),
        (b" ,\n ", None),
        (b'{"x":2}', 1),
        (b'], "b": 2}\n', None),
    ]


def test_without_elements_the_document_is_one_record() -> None:
    assert _cut(b'{"items":[]}') == [(b'{"items":[]}', None)]


def test_text_that_looks_like_an_element_is_none() -> None:
    cut = _cut(b'{"note": "see {} there", "items": [{}]}')
    assert cut == [(b'{"note": "see {} there", "items": [', None), (b"{}", 0), (b"]}", None)]


@given(values, st.lists(values, max_size=6), st.sampled_from([None, 0, 2]))
def test_the_raws_joined_are_the_document(other: object, items: list[object], indent: int | None) -> None:
    data = msgspec.json.encode({"other": other, "items": items, "end": other})
    if indent is not None:
        data = msgspec.json.format(data, indent=indent)
    cut = _cut(data)
    assert b"".join(raw for raw, _ in cut) == data
    assert [msgspec.json.decode(raw) for raw, index in cut if index is not None] == items
    assert [index for _, index in cut if index is not None] == list(range(len(items)))


def test_a_document_that_is_too_large_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "large.json"
    path.write_bytes(b"[1, 2, 3]")
    assert load(str(path), limit=9) == b"[1, 2, 3]"
    with pytest.raises(SourceUnreadable, match="larger than"):
        load(str(path), limit=8)


def test_a_document_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(SourceNotFound):
        load(str(tmp_path / "none.json"))
