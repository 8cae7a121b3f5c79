"""The second decoder: what stands behind msgspec when a line is not what the fast one takes.

Agents write unpaired surrogates, NaN, NUL padding, bytes that are no UTF-8, two records on one line, half a record
with the next one glued on, and values of types nobody expected. One bad value costs that value, one bad line costs
that line; a fragment never becomes a record.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator
from typing import Any, Generic, TypeVar

import msgspec

__all__ = ["Recovered", "recover", "repaired"]

Row = TypeVar("Row", bound=msgspec.Struct)

_MOST_TRIES = 64
"""Places in a damaged line at which a complete record is looked for."""
_MOST_PRUNED = 200
"""Rounds of leaving values of a wrong type out of one record."""
_IN_A_ROW = 8
_MOST_IN_ITEM = 20
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_BOM = b"\xef\xbb\xbf"
_LIMIT = 1 << 63


def _integer(text: str) -> int | float:
    """A whole number; one of thousands of digits, which `int` refuses, is taken for infinite."""
    return int(text) if len(text) < 4000 else math.inf


_decoder = json.JSONDecoder(strict=False, parse_int=_integer)


class Recovered(msgspec.Struct, Generic[Row]):
    """What a difficult line turned out to be."""

    rows: list[Row] = []
    raws: list[bytes] = []
    """The JSON each row was decoded from, cleaned."""
    blank: bool = False
    skip: str | None = None
    """Code of the damage when something on the line was given up."""
    notes: list[str] = []
    """Codes of what was changed to read it."""


def recover(
    raw: bytes, decoder: msgspec.json.Decoder[Row], is_record: Callable[[dict[str, Any]], bool]
) -> Recovered[Row]:
    """Read a line that the fast decoder refused. Never raises.

    `is_record` says whether an object found beside damage has the envelope of a whole record.
    """
    found: Recovered[Row] = Recovered()
    trimmed = raw.strip(b"\0\t\n\r ")
    if trimmed.startswith(_BOM):
        trimmed = trimmed[3:].strip(b"\0\t\n\r ")
    if not trimmed:
        found.blank = bool(raw)
        found.skip = None if raw else "undecodable_jsonl_frame"
        return found
    if len(trimmed) != len(raw.strip(b"\t\n\r ")):
        found.notes.append("padding_removed")
    text = trimmed.decode("utf-8", "replace")
    if "�" in text and "�".encode() not in trimmed:
        found.notes.append("bytes_repaired")
    try:
        values, whole = _values(text, is_record)
        if not whole:
            found.skip = "json_parse_error"
            if values:
                found.notes.append("line_recovered")
        elif len(values) > 1:
            found.notes.append("line_split")
        for value in values:
            _add(found, _clean(value, found.notes), decoder)
    except RecursionError:
        found.rows.clear()
        found.skip = "json_parse_error"
    if not found.rows and found.skip is None:
        found.skip = "not_an_object"
    return found


def repaired(raw: bytes) -> tuple[bytes, list[str]] | None:
    """One JSON value as every decoder takes it, and the codes of what was changed; None where it is none."""
    text = raw.decode("utf-8", "replace")
    notes = ["bytes_repaired"] if "�" in text and "�".encode() not in raw else []
    try:
        return msgspec.json.encode(_clean(_decoder.decode(text.strip("\0\ufeff \t\r\n")), notes)), notes
    except (ValueError, RecursionError):
        return None


def _values(text: str, is_record: Callable[[dict[str, Any]], bool]) -> tuple[list[Any], bool]:
    """The complete JSON values of a line, and whether they are all of it."""
    values: list[Any] = []
    at = 0
    while at < len(text):
        try:
            value, at = _decoder.raw_decode(text, at)
        except ValueError:
            break
        values.append(value)
        while at < len(text) and text[at] in "\0\t\n\r ":
            at += 1
    if at >= len(text):
        return values, True
    # Something is damaged: from here on only objects that carry a record's envelope are believed.
    values = [value for value in values if isinstance(value, dict) and is_record(value)]
    return values + list(_tail(text, at, is_record)), False


def _tail(text: str, at: int, is_record: Callable[[dict[str, Any]], bool]) -> Iterator[Any]:
    """The record that was glued onto a torn one: it must reach the end of the line."""
    for tries, start in enumerate(re.finditer(r'\{"', text[at + 1 :])):
        if tries == _MOST_TRIES:
            return
        try:
            value, end = _decoder.raw_decode(text, at + 1 + start.start())
        except (ValueError, RecursionError):
            continue
        if end == len(text) and is_record(value) and not _belongs(text[at : at + 1 + start.start()]):
            yield value
            return


def _belongs(torn: str) -> bool:
    """Whether an object after this piece of a record would be a value of that record."""
    rest = _STRING.sub("", torn)
    return '"' not in rest and rest.rstrip()[-1:] in (":", ",", "[")


def _add(found: Recovered[Row], value: Any, decoder: msgspec.json.Decoder[Row]) -> None:
    if not isinstance(value, dict):
        return
    for tries in range(_MOST_PRUNED):
        raw = msgspec.json.encode(value)
        try:
            found.rows.append(decoder.decode(raw))
            found.raws.append(raw)
            return
        except msgspec.ValidationError as problem:
            steps = _steps(str(problem))
            # Where one item of a list is wrong there are often many: then each is looked at by itself.
            codes = _prune_items(value, steps, decoder) if tries % _IN_A_ROW == _IN_A_ROW - 1 else _prune(value, steps)
            if not codes:
                break
            found.notes.extend(codes)
    found.skip = "json_parse_error"


_Steps = list[tuple[str, str]]
"""A path into a value: (key, "") or ("", index)."""


def _steps(problem: str) -> _Steps:
    """The path in the message of a validation error; empty when it points at the whole."""
    _, _, path = problem.rpartition(" - at `$")
    return re.findall(r"\.([^.\[`]+)|\[(\d+|\.\.\.)\]", path.rstrip("`"))


def _prune_items(value: Any, steps: _Steps, decoder: msgspec.json.Decoder[Row]) -> list[str]:
    """Make every item of the list on this path one that the decoder takes, each tried alone."""
    last = max((place for place, (_, index) in enumerate(steps) if index), default=-1)
    if last < 0:
        return _prune(value, steps)
    items = value
    try:
        for name, index in steps[:last]:
            items = items[name] if name else items[int(index)]
    except (KeyError, IndexError, TypeError, ValueError):
        return []
    if not isinstance(items, list):
        return []
    codes = _objects(items)
    for place, item in enumerate(items):
        alone: Any = [item]
        for name, index in reversed(steps[:last]):
            alone = {name: alone} if name else [{}] * int(index) + [alone]
        for _ in range(_MOST_IN_ITEM):
            try:
                decoder.decode(msgspec.json.encode(alone))
                break
            except msgspec.ValidationError as problem:
                wrong = _prune(alone, _steps(str(problem)))
                codes.extend(wrong)
                if not wrong:
                    break
        else:
            items[place] = {}
    return codes or _prune(value, steps)


def _prune(value: Any, steps: _Steps) -> list[str]:
    """Take out the value at the end of the path; gives what was changed, nothing when it cannot be reached."""
    if not steps:
        return []
    for name, index in steps[:-1]:
        try:
            value = value[name] if name else value[int(index)]
        except (KeyError, IndexError, TypeError, ValueError):
            return []
    name, index = steps[-1]
    try:
        if name:
            del value[name]
            return ["value_ignored"]
        if isinstance(value, list) and isinstance(value[int(index)], dict):
            value[int(index)] = {}
            return ["value_ignored"]
    except (KeyError, IndexError, TypeError, ValueError):
        return []
    return _objects(value) if isinstance(value, list) else []


def _objects(items: list[Any]) -> list[str]:
    """Make every item an object, in its place: bare text becomes a block of text."""
    codes = []
    for place, item in enumerate(items):
        if isinstance(item, str):
            items[place] = {"type": "text", "text": item}
            codes.append("text_as_block")
        elif not isinstance(item, dict):
            items[place] = {}
            codes.append("value_ignored")
    return codes


def _clean(value: Any, notes: list[str]) -> Any:
    """The same value with everything that cannot be encoded replaced."""
    if isinstance(value, str):
        if value.isascii():
            return value
        try:
            value.encode()
        except UnicodeEncodeError:
            if "surrogates_repaired" not in notes:
                notes.append("surrogates_repaired")
            # Two halves that stand next to each other become one character, a lonely one becomes U+FFFD.
            return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        return value
    if isinstance(value, dict):
        return {_clean(key, notes): _clean(item, notes) for key, item in value.items()}
    if isinstance(value, list):
        return [_clean(item, notes) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        notes.append("number_repaired")
        return None
    if isinstance(value, int) and not -_LIMIT <= value < 2 * _LIMIT:
        notes.append("number_repaired")
        return float(value) if abs(value) < 1 << 1000 else None
    return value
