"""Repetitions of rows that an agent once wrote: every time with ids, times and longer texts of their own.

What was equal within the rows stays equal within one repetition: an id and what refers to it, a text and its copies.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from datetime import datetime, timedelta
from typing import Any

from texts import Texts

__all__ = ["Row", "Varied"]

Row = dict[str, Any]
SPAN = 60_000
"""Milliseconds from one repetition to the next; the rows repeated have to be nearer together than that."""

_UUID = re.compile(r"(context-)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_NAMED = re.compile(r"(?=.*\d)[a-z_]*(?:call|toolu|msg|chatcmpl|resp|rs|bash|commentary)[_-][\w:-]+")
_RISING = re.compile(r"(msg|prt)_([0-9a-f]{12})(\w{14})")
_TIME = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?Z?")
_LAST = re.compile(r"\s*(?:</?[^<>\n]+>|\n[^\n]+)\s*\Z")
"""What has to stay the end of a text: its closing tag, or its last line."""
_TEXTS = frozenset(
    "text content thinking think output stdout stderr error message result resultDisplay detailedContent"
    " reasoningText transformedContent response_text".split()
)
_RESULTS = frozenset("output stdout stderr error result response resultDisplay toolResult".split())
_OF_RESULTS = frozenset(("tool_result", "toolResponse", "tool", "toolResult"))


class Varied:
    """Gives repetition after repetition; `keep` are the ids that stand for the session and stay what they are."""

    def __init__(self, texts: Texts, keep: Collection[str] = ()) -> None:
        self.count = 0
        """Repetitions so far."""
        self.offsets: dict[str, int] = {}
        """What is added, in the present repetition, to the numbers under these keys."""
        self._t = texts
        self._keep = frozenset(keep)
        self._ids: dict[str, str] = {}
        self._texts: dict[str, str] = {}
        self._last: str | None = None

    def again(self, rows: Iterable[Row], **offsets: int) -> list[Row]:
        """The next repetition of these rows."""
        self._ids, self._texts, self.offsets = {}, {}, offsets
        found = [self._value(row, "", False) for row in rows]
        self.count += 1
        return found

    def chain(self, rows: Iterable[Row], key: str, parent: str) -> Iterator[Row]:
        """The same rows; a row whose parent is not before it in this repetition hangs on the row before it."""
        seen: set[str] = set()
        for row in rows:
            if parent in row and row[parent] not in seen:
                row[parent] = self._last
            if key in row:
                self._last = row[key]
                seen.add(row[key])
            yield row

    def _value(self, value: Any, key: str, inside: bool) -> Any:
        if isinstance(value, dict):
            inside = inside or key in _RESULTS or value.get("type") in _OF_RESULTS or value.get("role") in _OF_RESULTS
            return {name: self._value(each, name, inside) for name, each in value.items()}
        if isinstance(value, list):
            return [self._value(each, key, inside) for each in value]
        if isinstance(value, str):
            return self._string(value, key, inside or key in _RESULTS)
        if isinstance(value, int) and not isinstance(value, bool):
            if key in self.offsets:
                return value + self.offsets[key]
            for unit in (1, 1000):
                if 17 * 10**8 < value * unit / 1000 < 19 * 10**8:
                    return value + self.count * SPAN // (1000 // unit)
        return value

    def _string(self, value: str, key: str, inside: bool) -> str:
        if key in self.offsets and value[:1].isdigit():
            number, dot, rest = value.partition(".")
            return f"{int(number) + self.offsets[key]}{dot}{rest}"
        if value in self._keep or not value:
            return value
        if _TIME.fullmatch(value):
            return self._time(value)
        if value not in self._ids and " " not in value:
            self._id(value)
        if value in self._ids:
            return self._ids[value]
        is_json = value.startswith("{") and value.endswith("}")
        return value if key not in _TEXTS or is_json else self._text(value, inside)

    def _time(self, value: str) -> str:
        moment = datetime.fromisoformat(value) + timedelta(milliseconds=self.count * SPAN)
        found = moment.isoformat(sep=value[10], timespec="milliseconds" if "." in value else "seconds")
        return found.replace("+00:00", "Z")

    def _id(self, value: str) -> None:
        if found := _UUID.fullmatch(value):
            # What is called after another id stays so.
            self._ids[value] = (found[1] or "") + self._ids.setdefault(value[len(found[1] or "") :], self._t.uuid())
        elif found := _RISING.fullmatch(value):
            self._ids[value] = f"{found[1]}_{int(found[2], 16) + (self.count * SPAN << 12):012x}{self._t.hex(14)}"
        elif _NAMED.fullmatch(value):
            self._ids[value] = f"{value}k{self.count}"

    def _text(self, value: str, inside: bool) -> str:
        if value not in self._texts:
            size = self._t.size(1_700, 1.75) if inside else self._t.size(400)
            end = _LAST.search(value)
            place = end.start() if end is not None else len(value)
            self._texts[value] = f"{value[:place]} {self._t.text(size)}{value[place:]}"
        return self._texts[value]
