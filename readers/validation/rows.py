"""Checking a file of JSON lines: what is damaged, what departs from the schema, what breaks the session's own rules.

Line by line, with nothing held but what the rules of an agent remember of it.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from typing import Any

import msgspec

from panscript.readers.lines import lines
from panscript.readers.tolerant import Recovered, recover
from panscript.readers.validation.problems import Findings, Severity
from panscript.readers.validation.shapes import failures, of_decoder, type_of
from panscript.schemas import timestamps

__all__ = ["LineRules", "Record", "check_lines", "tag_of"]

_BOM = b"\xef\xbb\xbf"
_UNKNOWN_TAG = re.compile(r"(.*\.(?:type|subtype|role|toolUseResult))=(.*)", re.DOTALL)
_LONGEST_NAME = 80

_NOTES = {
    "bytes_repaired": ("line.not_utf8", "holds bytes that are not UTF-8"),
    "surrogates_repaired": ("line.surrogate", "holds half a surrogate pair"),
    "number_repaired": ("line.number", "holds a number that JSON does not have, or one that is too large"),
    "line_split": ("line.several_records", "holds several complete records"),
}


def tag_of(value: dict[str, Any], field: str = "type") -> str | None:
    """The type, role or the like of an object; None where it is no text."""
    tag = value.get(field)
    return tag if isinstance(tag, str) else None


class _Anything(msgspec.Struct):
    """Any object at all: the tolerant decoder is asked only for clean bytes."""


_anything = msgspec.json.Decoder(_Anything)


class Record(msgspec.Struct, frozen=True):
    """One record of a file, decoded without a type."""

    value: dict[str, Any]
    raw: bytes
    """Its JSON, cleaned where the line was not clean."""
    line: int
    ordinal: int
    """Records before it in the file."""


class LineRules(ABC):
    """What an agent that writes JSON lines adds: its schema, and the rules of its sessions."""

    bom: Severity = "warning"
    """What a byte order mark at the start of the file is to the agent."""
    untagged = False
    """Whether blocks and messages without a tag count as unknown ones."""

    def __init__(self, found: Findings) -> None:
        self.found = found

    @abstractmethod
    def shape(self, value: dict[str, Any]) -> Any:
        """The struct or union for this record; None when its type is not known."""

    @abstractmethod
    def decode(self, raw: bytes) -> object:
        """Decode by the full schema. Raises `msgspec.ValidationError`."""

    @abstractmethod
    def unknown(self, raw: bytes) -> list[str]:
        """Paths of what the schema does not know: `path` of a field, `path=name` of a type."""

    @abstractmethod
    def is_record(self, value: dict[str, Any]) -> bool:
        """Whether an object found on a damaged line carries the envelope of a whole record."""

    @abstractmethod
    def severity(self, value: dict[str, Any], path: str) -> Severity:
        """How grave it is to the agent that the value at this path is missing or wrong."""

    @abstractmethod
    def record(self, record: Record) -> None:
        """Look at one record; its shape may be wrong."""

    @abstractmethod
    def end(self) -> None:
        """The file is over."""

    def time(self, value: Any, line: int, path: str, severity: Severity | None = None) -> int | None:
        """Check a time that is there; gives milliseconds since 1970 UTC. Missing ones are a matter of the schema."""
        if value is None:
            return None
        time = timestamps.parse(value)
        if time is None and isinstance(value, str | int | float) and not isinstance(value, bool):
            self.found.add(line, "time.unreadable", "this is no time", path, severity=severity)
        return time

    def counts(self, usage: Any, line: int, path: str) -> None:
        """Check that no number anywhere in a usage object is below zero."""
        if isinstance(usage, dict):
            for key, item in usage.items():
                self.counts(item, line, f"{path}.{key}")
        elif isinstance(usage, int | float) and usage < 0:
            self.found.add(line, "usage.negative", f"{usage} is below zero", path)


class _Check:
    """One pass over one file."""

    def __init__(self, rules: LineRules, found: Findings) -> None:
        self._rules = rules
        self._found = found
        self._understood = 0
        self._seen = 0

    def run(self, path: str) -> None:
        for raw, _, number in lines(path):
            stripped = raw.strip(b" \t\r\n")
            if stripped:
                self._line(stripped, number, ended=raw.endswith(b"\n"))
        if not self._seen:
            self._found.add(1, "file.empty", "there is nothing in the file")
        elif not self._understood:
            self._found.add(1, "file.not_understood", "not one record is of a type that the agent writes")
        self._rules.end()

    def _line(self, raw: bytes, number: int, *, ended: bool) -> None:
        try:
            value = msgspec.json.decode(raw)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as problem:
            self._damaged(raw, number, problem, ended=ended)
            return
        self._seen += 1
        if isinstance(value, dict):
            self._record(value, raw, number)
        else:
            self._found.add(number, "line.not_an_object", "the line is JSON, but no object")

    def _damaged(self, raw: bytes, number: int, problem: Exception, *, ended: bool) -> None:
        found = recover(raw, _anything, self._rules.is_record)
        if found.blank:
            return
        self._seen += 1
        self._padding(raw, number, found)
        for note in dict.fromkeys(found.notes):
            if note in _NOTES and found.skip != "json_parse_error":
                code, what = _NOTES[note]
                self._found.add(number, code, f"the line {what}")
        if found.skip == "not_an_object":
            self._found.add(number, "line.not_an_object", "the line is JSON, but no object")
        elif found.skip is not None:
            self._found.add(number, *_damage(found, problem, ended=ended))
        for cleaned in found.raws:
            self._record(msgspec.json.decode(cleaned), cleaned, number)

    def _padding(self, raw: bytes, number: int, found: Recovered[_Anything]) -> None:
        if "padding_removed" not in found.notes:
            return
        if raw.lstrip(b"\0").startswith(_BOM):
            severity = self._rules.bom if number == 1 else "warning"
            self._found.add(number, "line.bom", "the line begins with a byte order mark", severity=severity)
        if raw.startswith(b"\0") or raw.endswith(b"\0"):
            self._found.add(number, "line.padding", "NUL bytes stand around the record")

    def _record(self, value: dict[str, Any], raw: bytes, number: int) -> None:
        rules, found = self._rules, self._found
        shape = rules.shape(value)
        if shape is not None:
            self._understood += 1
            self._shape(value, raw, number, shape)
        if found.strict:
            self._unknown(raw, number)
        rules.record(Record(value, raw, number, found.records))
        found.records += 1

    def _shape(self, value: dict[str, Any], raw: bytes, number: int, shape: Any) -> None:
        try:
            self._rules.decode(raw)
        except (msgspec.DecodeError, RecursionError) as problem:
            wrong = list(failures(value, type_of(shape), untagged=self._rules.untagged)) or [of_decoder(problem)]
            for path, code, message in wrong:
                self._found.add(number, code, message, path, severity=self._rules.severity(value, path))

    def _unknown(self, raw: bytes, number: int) -> None:
        try:
            unknown = self._rules.unknown(raw)
        except (msgspec.DecodeError, RecursionError):
            return
        for what in unknown:
            tagged = _UNKNOWN_TAG.fullmatch(what)
            if tagged is None:
                self._found.add(number, "schema.unknown_field", "the schema has no such field", what)
            else:
                path, name = tagged.groups()
                message = f"the schema has no type `{name[:_LONGEST_NAME]}` here"
                self._found.add(number, "schema.unknown_type", message, path)


def _damage(found: Recovered[_Anything], problem: Exception, *, ended: bool) -> tuple[str, str]:
    """Code and message for a line of which something was given up."""
    if found.raws:
        return "line.glued", "a torn record with a complete one behind it; only the complete one is read"
    if not ended:
        return "line.torn", "the file ends in the middle of this record"
    why = (
        "nested too deeply" if isinstance(problem, RecursionError) else str(problem).removeprefix("JSON is malformed: ")
    )
    return "line.not_json", f"not JSON: {why}"


def check_lines(path: str, rules: LineRules, found: Findings) -> None:
    """Check every line of a file. Raises `SourceError`s when it cannot be read."""
    _Check(rules, found).run(path)
