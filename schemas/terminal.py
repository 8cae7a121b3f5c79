"""Text that is safe to show: whole escape sequences and control characters removed, or shown as escapes."""

from __future__ import annotations

import re

__all__ = ["one_line", "shown", "visible"]

_SEQUENCES = re.compile(
    r"""
    (?:\x1b\]|\x9d) [^\x07\x1b\x9c]* (?:\x07|\x1b\\|\x9c)?      # operating system commands, such as window titles
    | (?:\x1b[PX^_]|[\x90\x98\x9e\x9f]) [^\x1b\x9c]* (?:\x1b\\|\x9c)?  # device control, application strings
    | (?:\x1b\[|\x9b) [0-?]* [ -/]* [@-~]?                      # colours, cursor movement
    | \x1b [ -/]* [0-~]?                                        # everything else that begins with ESC
    """,
    re.VERBOSE,
)
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029\ufeff]")
_ENDS = {"\t": "\\t", "\n": "\\n", "\r": "\\r"}
_SURROGATES = re.compile("[\ud800-\udfff]")
_NAMED = re.compile(rf"{_CONTROLS.pattern}|{_SURROGATES.pattern}|[\t\n]")


def shown(text: str) -> str:
    """The text without anything that moves a cursor, changes colours or turns the reading direction.

    Line feeds and tabs stay; bytes of file names that are no text become visible escapes.
    """
    text = _SURROGATES.sub(lambda found: f"\\x{ord(found.group()) & 0xFF:02x}", text)
    return _CONTROLS.sub("", _SEQUENCES.sub("", text))


def one_line(text: str) -> str:
    """The same on one line, with runs of white space as one space."""
    return " ".join(shown(text).split())


def visible(text: str) -> str:
    """The text with every character that `shown` would take out as an escape, line feeds and tabs too: for names, of
    which nothing may be missing."""
    return _NAMED.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    character = found.group()
    if character in _ENDS:
        return _ENDS[character]
    code = ord(character)
    # Bytes of a file's name that are no text stand as U+DC80 to U+DCFF.
    return f"\\x{code & 0xFF:02x}" if code < 0x100 or 0xDC80 <= code < 0xDD00 else f"\\u{code:04x}"
