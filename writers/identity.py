"""Names made from other names: always the same, never two alike, and only of characters that everyone takes."""

from __future__ import annotations

import hashlib
import re

__all__ = ["clean_name", "digest", "file_part", "session_uuid"]

_OTHER = re.compile(r"[^A-Za-z0-9_-]")
_NOT_IN_FILES = re.compile(r"[^A-Za-z0-9._-]")
_DEVICES = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\.|$)", re.IGNORECASE)
_LONGEST_PART = 255
_LATEST = (1 << 48) - 1


def digest(*parts: str, size: int = 8) -> str:
    """Lower-case hex digits of a hash over the parts, two for each of `size` bytes."""
    return hashlib.blake2b("\0".join(parts).encode("utf-8", "surrogatepass"), digest_size=size).hexdigest()


def session_uuid(*parts: str, time: int | None = None) -> str:
    """A UUID (version 8) that says nothing but is always the same for the same parts.

    With a `time` in milliseconds since 1970 UTC it begins with that time (version 7).
    """
    hexes = list(digest(*parts, size=16))
    hexes[12] = "8"
    if time is not None:
        hexes[:13] = f"{min(max(time, 0), _LATEST):012x}7"
    hexes[16] = "89ab"[int(hexes[16], 16) & 3]
    text = "".join(hexes)
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def clean_name(name: str, longest: int, *, letter_first: bool = False) -> str:
    """The name itself when it is made of `[A-Za-z0-9_-]` and short enough; else cleaned, cut, and with a hash added."""
    cleaned = _OTHER.sub("_", name)
    if letter_first and not (cleaned[:1].isalpha() or cleaned[:1] == "_"):
        cleaned = f"_{cleaned}"
    if cleaned == name and 0 < len(name) <= longest:
        return name
    return f"{cleaned[: longest - 9]}_{digest(name, size=4)}"


def file_part(name: str) -> str:
    """One part of a path from text that may be hostile: `[A-Za-z0-9._-]`, no leading dot, at most 255 bytes.

    A name that had to be changed beyond single characters gets a hash, so that two of them cannot collide.
    """
    cleaned = _NOT_IN_FILES.sub("_", name)
    harmless = len(cleaned) <= _LONGEST_PART and not cleaned.startswith(".") and not _DEVICES.match(cleaned)
    if cleaned and harmless and (cleaned == name or ".." not in name):
        return cleaned
    return f"{cleaned.lstrip('.')[: _LONGEST_PART - 20] or 'session'}_{digest(name, size=4)}".replace("..", "_")
