"""What only the contexts of Kimi CLI tell: the summaries that compactions left, in the order of the compactions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from panscript.readers.kimi.content import text_of
from panscript.readers.kimi.files import CONTEXT, is_record, rotated
from panscript.readers.lines import lines
from panscript.readers.tolerant import recover
from panscript.schemas.errors import SourceError
from panscript.schemas.kimi.lean import CliRow, cli_decoder
from panscript.schemas.records import Source

__all__ = ["Summaries", "rows_of", "summary_in"]

_INTRODUCTION = "Previous context has been compacted"
_AHEAD = 8
"""Lines before the first message of a context: the system prompt, a checkpoint, a size."""


def summary_in(row: CliRow) -> str | None:
    """The summary that a message of a context holds, without its introduction; None when it holds none."""
    if row.role not in ("user", "assistant") or isinstance(row.content, str):
        return None
    parts = [part for part in row.content or () if part.type == "text" and part.text]
    if not parts or _INTRODUCTION not in (parts[0].text or "")[:200]:
        return None
    return text_of(parts[1:])


def rows_of(raw: bytes) -> list[CliRow]:
    """The rows of one line."""
    try:
        return [cli_decoder.decode(raw)]
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return recover(raw, cli_decoder, is_record).rows


class Summaries:
    """Give one for each compaction, counted from 0, of `times` in all."""

    def __init__(self, source: Source, times: int) -> None:
        self._found = list(_summaries(source)) if times else []
        # Contexts that are gone were the first ones.
        self._gone = times - len(self._found)

    def of(self, number: int) -> str | None:
        """The summary of this compaction; None when no context holds it."""
        place = number - self._gone
        return self._found[place] if 0 <= place < len(self._found) else None


def _summaries(source: Source) -> Iterator[str]:
    folder = Path(source.path).parent
    last = None
    for path in (*rotated(folder), folder / CONTEXT):
        found = _first_summary(str(path))
        # A context that was reverted begins like the one before it.
        if found is not None and found != last:
            yield found
        last = found or last


def _first_summary(path: str) -> str | None:
    try:
        for row in _first(line.raw for line in lines(path)):
            if row.role is not None and not row.role.startswith("_"):
                return summary_in(row)
    except SourceError:
        pass
    return None


def _first(raws: Iterable[bytes]) -> Iterator[CliRow]:
    for number, raw in enumerate(raws):
        if number >= _AHEAD:
            return
        yield from rows_of(raw)
