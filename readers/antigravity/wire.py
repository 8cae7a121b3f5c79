"""Messages of Protocol Buffers without a description of them: fields by their number, as they stand in the bytes."""

from __future__ import annotations

from collections.abc import Iterator

__all__ = ["Fields", "WireError", "fields"]

_LONGEST = 10
"""Bytes of a number."""
_WHOLE, _EIGHT, _BYTES, _FOUR = 0, 1, 2, 5
_WIDTH = {_EIGHT: 8, _FOUR: 4}
_MASK = (1 << 64) - 1


class WireError(ValueError):
    """The bytes are no message, or break off in one."""


class Fields:
    """The fields of a message. Of a field that is there more than once the first is taken, but by `each`."""

    def __init__(self) -> None:
        self._numbers: dict[int, list[int]] = {}
        self._bytes: dict[int, list[bytes]] = {}

    def add(self, field: int, value: int | bytes) -> None:
        """Another field."""
        if isinstance(value, int):
            self._numbers.setdefault(field, []).append(value)
        else:
            self._bytes.setdefault(field, []).append(value)

    def number(self, field: int) -> int:
        """A whole number, 0 where it is missing."""
        found = self._numbers.get(field)
        return found[0] if found else 0

    def data(self, field: int) -> bytes | None:
        """The bytes of a field; None where it is missing."""
        found = self._bytes.get(field)
        return found[0] if found else None

    def text(self, field: int) -> str:
        """A text, "" where it is missing; bytes that are no UTF-8 become the replacement character."""
        return (self.data(field) or b"").decode("utf-8", "replace")

    def message(self, field: int, *, whole: bool = True) -> Fields | None:
        """A message inside of this one; None where it is missing. Raises `WireError` unless it need not be `whole`."""
        found = self.data(field)
        return None if found is None else fields(found, whole=whole)

    def each(self, field: int) -> list[bytes]:
        """The bytes of every field of this number."""
        return self._bytes.get(field, [])

    def numbers(self, field: int) -> list[int]:
        """Every number of a field that may be there often, one by one or many in one. Raises `WireError`."""
        found = list(self._numbers.get(field, ()))
        for packed in self._bytes.get(field, ()):
            at = 0
            while at < len(packed):
                value, at = _varint(packed, at)
                found.append(value)
        return found


def fields(data: bytes, *, whole: bool = True) -> Fields:
    """The fields of a message. Raises `WireError`; where it need not be `whole`, gives those before the damage."""
    found = Fields()
    try:
        for field, value in _walk(data):
            found.add(field, value)
    except WireError:
        if whole:
            raise
    return found


def _walk(data: bytes) -> Iterator[tuple[int, int | bytes]]:
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        field, kind = key >> 3, key & 7
        if not field:
            raise WireError("a field has the number 0")
        if kind == _WHOLE:
            value, at = _varint(data, at)
            yield field, value
            continue
        if kind == _BYTES:
            size, at = _varint(data, at)
        elif kind in _WIDTH:
            size = _WIDTH[kind]
        else:
            raise WireError("a field is of a kind that there is not")
        if at + size > len(data):
            raise WireError("a field goes beyond the end")
        if kind == _BYTES:
            yield field, data[at : at + size]
        at += size


def _varint(data: bytes, at: int) -> tuple[int, int]:
    # Almost all are one byte.
    if at < len(data) and (first := data[at]) < 0x80:
        return first, at + 1
    value = 0
    for number, byte in enumerate(data[at : at + _LONGEST]):
        value |= (byte & 0x7F) << (7 * number)
        if byte < 0x80:
            return value & _MASK, at + number + 1
    raise WireError("a number does not end")
