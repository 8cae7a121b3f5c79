"""JSON text held inside a string, read without parsing: the string unescaped, and where each part came from.

Tool output is full of JSON that is cut short, mixed with prose or escaped once more than it should be, so that no
parser takes it, and of colour codes that stand in the middle of what they colour. A `View` undoes one level of
escapes, leaves colour codes out, and maps spans of the result back to the string it came from.
"""

import re
from bisect import bisect_right

__all__ = ["View", "unescape"]

_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|([\"\\/bfnrt]))|\x1b\[[0-9;?]{0,32}[A-Za-z]")
_CHARACTERS = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


class View:
    """A text one or more levels of escapes below its `source`."""

    __slots__ = ("_ends", "_parent", "_shifts", "text")

    def __init__(self, text: str, ends: list[int], shifts: list[int], parent: "View | None") -> None:
        self.text = text
        self._ends = ends
        self._shifts = shifts
        self._parent = parent

    def source(self, index: int) -> int:
        """The offset in the outermost text of the offset `index` in this one."""
        at = bisect_right(self._ends, index)
        if at:
            index += self._shifts[at - 1]
        return self._parent.source(index) if self._parent else index


def unescape(text: str, parent: View | None = None) -> View | None:
    """The view of `text` (itself the text of `parent`, if given) one level down; None when there is nothing to undo."""
    pieces: list[str] = []
    ends: list[int] = []
    shifts: list[int] = []
    done = length = 0
    for match in _ESCAPE.finditer(text):
        start, end = match.span()
        code, letter = match.groups()
        pieces.append(text[done:start])
        length += start - done
        if code or letter:
            pieces.append(chr(int(code, 16)) if code else _CHARACTERS.get(letter, letter))
            length += 1
        ends.append(length)
        shifts.append(end - length)
        done = end
    if not ends:
        return None
    pieces.append(text[done:])
    return View("".join(pieces), ends, shifts, parent)
