"""How large Pi takes a context to be: a quarter of its characters, as JavaScript counts them."""

from __future__ import annotations

import msgspec

__all__ = ["IMAGE", "length", "tokens"]

IMAGE = 4800
"""Characters that a picture counts for."""


def length(text: str) -> int:
    """UTF-16 code units."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def raw_length(raw: msgspec.Raw) -> int:
    """UTF-16 code units of JSON text."""
    text = bytes(raw)
    return len(text) if text.isascii() else length(text.decode("utf-8", "replace"))


def tokens(characters: int) -> int:
    """Tokens of one message of so many characters."""
    return -(-characters // 4)
