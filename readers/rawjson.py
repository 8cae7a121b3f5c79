"""JSON that is passed on as it stands: the few bytes of it that no reader after us could take are replaced."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import msgspec

from panscript.readers.tolerant import recover, repaired
from panscript.schemas.events import NO_RAW

__all__ = ["PADDING", "InnerItems", "clean_raw"]

PADDING = b"\0\xef\xbb\xbf \t\r\n"
"""What may stand around a record or a document."""


class _Holder(msgspec.Struct):
    value: msgspec.Raw = msgspec.Raw(b"null")


_holder = msgspec.json.Decoder(_Holder)


def clean_raw(raw: msgspec.Raw | bytes) -> msgspec.Raw:
    """The same JSON on one line, in valid UTF-8 and without unpaired surrogates; bytes that need nothing are kept.

    The decoder steps over what it does not look into, so such a value may hold anything.
    """
    text = bytes(raw)
    one_line = b"\n" not in text and b"\r" not in text
    has_halves = b"\\ud" in text or b"\\uD" in text
    # A `Raw` has been gone through by a decoder, bytes perhaps by none.
    if isinstance(raw, msgspec.Raw) and one_line and not has_halves and (text.isascii() or _is_utf8(text)):
        return raw
    try:
        value = msgspec.json.decode(text)
        if one_line:
            return raw if isinstance(raw, msgspec.Raw) else msgspec.Raw(text)
        # Written again, it has no line ends between its values.
        return msgspec.Raw(msgspec.json.encode(value))
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        pass
    found = recover(b'{"value":' + text + b"}", _holder, _any)
    return found.rows[0].value if found.rows else msgspec.Raw(msgspec.json.encode(text.decode("utf-8", "replace")))


def _is_utf8(text: bytes) -> bool:
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True


def _any(value: dict[str, Any]) -> bool:
    return "value" in value


class InnerItems:
    """The items of a list in a record, as they stand there: decoded once a record, and only when one is asked for.

    `ways` are paths of names; the list is at the first of them where the record has anything. What is no list is the
    only item.
    """

    def __init__(self) -> None:
        self._text = b""
        self._ways: tuple[tuple[str, ...], ...] = ()
        self._items: list[msgspec.Raw] = []
        self._below: InnerItems | None = None
        self._entered: tuple[list[msgspec.Raw], int] | None = None
        """The item that was gone into last, as the list it is of and its place there."""
        self._inside = b""

    def clean(self, text: bytes, index: int, *ways: tuple[str, ...]) -> msgspec.Raw:
        """One item, for blocks that nobody understands; nothing where there is none."""
        # As bytes: the decoder has stepped over it, and it keeps the whole record no longer.
        return clean_raw(found) if (found := self.item(text, index, *ways)) else NO_RAW

    def deep(
        self, text: bytes, places: Sequence[int], ways: tuple[tuple[str, ...], ...], *within: tuple[str, ...]
    ) -> msgspec.Raw:
        """The same of an item of a list in an item, and so on. `within`: where an item has its own list."""
        first, *rest = places
        if not rest:
            return self.clean(text, first, *ways)
        self._find(text, ways)
        if self._entered is None or self._entered[0] is not self._items or self._entered[1] != first:
            self._entered = self._items, first
            self._inside = self.item(text, first, *ways)
        self._below = self._below or InnerItems()
        return self._below.deep(self._inside, rest, within, *within)

    def item(self, text: bytes, index: int, *ways: tuple[str, ...]) -> bytes:
        """The same with whatever stands in it."""
        self._find(text, ways)
        return bytes(self._items[index]) if index < len(self._items) else b""

    def _find(self, text: bytes, ways: tuple[tuple[str, ...], ...]) -> None:
        if text is not self._text or ways != self._ways:
            self._text, self._ways, self._items = text, ways, _items(text, ways)


def _items(text: bytes, ways: tuple[tuple[str, ...], ...]) -> list[msgspec.Raw]:
    for way in ways:
        try:
            found: Any = _along(way).decode(text)
            for _ in way:
                found = found and found.inner
            value = bytes(found or b"null")
            if value != b"null":
                return _list.decode(value) if value.startswith(b"[") else [msgspec.Raw(value)]
        except msgspec.ValidationError:
            # Something else stands on the way.
            continue
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            # Elements of documents come as they stand, also where they had to be mended to be read.
            mended = repaired(text)
            return _items(mended[0], ways) if mended is not None and mended[0] != text else []
    return []


_list = msgspec.json.Decoder(list[msgspec.Raw])


@lru_cache(maxsize=64)
def _along(way: tuple[str, ...]) -> msgspec.json.Decoder[Any]:
    """Goes one way into an object and steps over all else in it."""
    kind: Any = msgspec.Raw
    for name in reversed(way):
        inner = ("inner", kind if kind is msgspec.Raw else kind | None, msgspec.field(default=None, name=name))
        kind = msgspec.defstruct("Step", [inner])
    return msgspec.json.Decoder(kind)
