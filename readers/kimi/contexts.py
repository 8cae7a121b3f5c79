"""What only the contexts of Kimi CLI tell: the summaries that compactions left, in the order of the compactions.

A context that follows a compaction begins with the summary and the messages that were kept beside it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import msgspec

from panscript.readers.kimi.content import text_of
from panscript.readers.kimi.files import CONTEXT, is_record, rotated
from panscript.readers.lines import lines
from panscript.readers.tolerant import recover
from panscript.schemas.errors import SourceError
from panscript.schemas.kimi.lean import CliRow, cli_decoder
from panscript.schemas.records import Source

__all__ = ["KEPT", "Left", "Summaries", "summary_in"]

_INTRODUCTION = "Previous context has been compacted"
KEPT = 64
"""Kept messages that are counted at most."""
_AHEAD = 8
"""Lines before the first message of a context: the system prompt, a checkpoint, a size."""


class Left(NamedTuple):
    """What a compaction left."""

    summary: str
    kept: int
    """How many of the last messages stayed."""


def summary_in(row: CliRow) -> str | None:
    """The summary that a message of a context holds, without its introduction; None when it holds none."""
    if row.role not in ("user", "assistant") or isinstance(row.content, str):
        return None
    parts = [part for part in row.content or () if part.type == "text" and part.text]
    if not parts or _INTRODUCTION not in (parts[0].text or "")[:200]:
        return None
    return text_of(parts[1:])


def _rows(raw: bytes) -> list[CliRow]:
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

    def of(self, number: int) -> Left | None:
        """What this compaction left; None when no context holds it."""
        place = number - self._gone
        return self._found[place] if 0 <= place < len(self._found) else None


def _summaries(source: Source) -> Iterator[Left]:
    folder = Path(source.path).parent
    last = None
    for path in (*rotated(folder), folder / CONTEXT):
        found = _left_in(str(path))
        # A context that was reverted begins like the one before it.
        if found is not None and (last is None or found.summary != last.summary):
            yield found
        last = found or last


def _left_in(path: str) -> Left | None:
    """What stands at the start of a context that a compaction began."""
    summary: str | None = None
    kept = 0
    try:
        with closing(line.raw for line in lines(path)) as raws:
            for number, raw in enumerate(raws):
                for row in _rows(raw):
                    is_message = row.role is not None and not row.role.startswith("_")
                    if summary is None:
                        if is_message:
                            summary = summary_in(row)
                        if number >= _AHEAD or (is_message and summary is None):
                            return None
                    elif not is_message or kept >= KEPT:
                        return Left(summary, kept)
                    else:
                        kept += 1
    except SourceError:
        pass
    return Left(summary, kept) if summary is not None else None
