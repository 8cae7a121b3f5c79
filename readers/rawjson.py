"""JSON that is passed on as it stands: the few bytes of it that no reader after us could take are replaced."""

from __future__ import annotations

from typing import Any

import msgspec

from panscript.readers.tolerant import recover

__all__ = ["clean_raw"]


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
