"""Characters at which programs other than ours break lines, although JSON lets them stand in a string."""

from __future__ import annotations

__all__ = ["escaped"]


def escaped(raw: bytes) -> bytes:
    """JSON text with U+2028, U+2029 and U+0085 written as escapes; the same object when there are none."""
    if raw.isascii():
        return raw
    if b"\xe2\x80" in raw:
        raw = raw.replace(b"\xe2\x80\xa8", b"\\u2028").replace(b"\xe2\x80\xa9", b"\\u2029")
    return raw.replace(b"\xc2\x85", b"\\u0085") if b"\xc2\x85" in raw else raw
