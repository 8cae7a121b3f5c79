"""Secrets whose names stand elsewhere: in the head of a table's column, in the kind of a Kubernetes manifest.

Each function takes a text and where in it a rule of the kind `block` matched, and yields the spans of secrets.
"""

import re
from collections.abc import Callable, Iterator, Mapping

from panscript.stages.redaction.judge import is_secret
from panscript.stages.redaction.names import secret_class

__all__ = ["BLOCKS"]

_NUMBERED = r"(?:[ \t]{0,20}[0-9]{1,6}(?:\t|\u2192|:[ ]?))?[+>]?"
_LINE = re.compile(rf"(?P<number>{_NUMBERED})(?P<indent>[ ]*)(?P<rest>[^\r\n]*)(?:\r\n?|\n|\Z)")
_DATA = re.compile(r"data:\s*")
_ENCODED = re.compile(r"[A-Za-z0-9_.-]{1,200}:[ ]{1,4}[\"']?(?P<value>[A-Za-z0-9+/]{6,}={0,2})[\"']?\s*")
_CERTIFICATE = "LS0tLS1CRUdJTiBDRVJU"
_RULER = re.compile(rf"{_NUMBERED}[ \t|:+-]*--[ \t|:+-]*")
_CELL = re.compile(r"[^|\r\n]+")
_STRING = re.compile(r"'((?:[^'\r\n]|'')*)'|[^,()'\r\n]+")
_LONGEST = 20_000  # characters of a manifest before and after its kind


def _manifest(text: str, match: re.Match[str]) -> Iterator[tuple[int, int]]:
    """The values under `data` of the YAML document around `kind: Secret`."""
    low = max(0, match.start() - _LONGEST)
    start = max(text.rfind("\n---", low, match.start()), text.rfind("\n", low, low + 1), low)
    end = text.find("\n---", match.end(), match.end() + _LONGEST)
    depth: int | None = None
    for line in _LINE.finditer(text, start, min(len(text), match.end() + _LONGEST) if end < 0 else end):
        rest, indent = line["rest"], len(line["indent"])
        if not rest.strip():
            if line.end() == len(text):
                break
            continue
        if depth is None or indent <= depth:
            depth = indent if _DATA.fullmatch(rest) else None
        elif (
            (entry := _ENCODED.fullmatch(rest))
            and len(entry["value"]) % 4 == 0
            and not entry["value"].startswith(_CERTIFICATE)
        ):
            at = line.start("rest")
            yield at + entry.start("value"), at + entry.end("value")


def _columns(text: str, match: re.Match[str]) -> Iterator[tuple[int, int]]:
    """The cells of a table below a head that says secret."""
    kinds = {
        place: kind
        for place, cell in enumerate(_CELL.finditer(match["head"]))
        if (kind := secret_class(cell[0].strip(" \t`*_")))
    }
    if not kinds:
        return
    for line in _LINE.finditer(text, match.end()):
        if _RULER.fullmatch(line[0].rstrip()):
            continue
        if "|" not in line[0]:
            break
        cells = list(_CELL.finditer(text, line.start(), line.end()))
        for place, kind in kinds.items():
            if place < len(cells):
                value = cells[place][0].strip(" \t`*")
                if is_secret(kind, value, "told"):
                    start = cells[place].start() + cells[place][0].index(value)
                    yield start, start + len(value)


def _inserted(text: str, match: re.Match[str]) -> Iterator[tuple[int, int]]:
    """The strings of an INSERT in the places of columns that say secret."""
    for place, column in enumerate(match["columns"].split(",")):
        kind = secret_class(column.strip(' \t\r\n`"[]'))
        if kind is None:
            continue
        values = [each for each in _STRING.finditer(text, *match.span("values")) if each[0].strip()]
        if place < len(values) and values[place][1] and is_secret(kind, values[place][1], "told"):
            yield values[place].span(1)


BLOCKS: Mapping[str, Callable[[str, re.Match[str]], Iterator[tuple[int, int]]]] = {
    "kubernetes-secret": _manifest,
    "secret-column": _columns,
    "sql-insert": _inserted,
}
