"""How large a context is, about, as Pi itself estimates it: a quarter of its characters, as JavaScript counts them."""

from __future__ import annotations

import msgspec

__all__ = ["IMAGE", "length", "tokens"]

IMAGE = 4800
"""Characters that a picture counts for."""


_PIECE = 1 << 16
"""Characters counted at a time, so that a long text is not held twice."""


def length(text: str) -> int:
    """UTF-16 code units."""
    if text.isascii():
        return len(text)
    pieces = (text[start : start + _PIECE] for start in range(0, len(text), _PIECE))
    return sum(len(piece.encode("utf-16-le", "surrogatepass")) for piece in pieces) // 2


def raw_length(raw: msgspec.Raw) -> int:
    """UTF-16 code units of JSON text."""
    text = bytes(raw)
    return len(text) if text.isascii() else length(text.decode("utf-8", "replace"))


def tokens(characters: int) -> int:
    """Tokens of one message of so many characters."""
    return -(-characters // 4)
