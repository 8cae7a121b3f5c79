"""What was billed, by the short way and by the usage events of a full read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from panscript.readers.billing import billed
from panscript.readers.opening import reader
from panscript.schemas.billing import Billed
from panscript.schemas.errors import PanscriptError
from panscript.schemas.events import Session, Usage
from panscript.schemas.records import Source
from panscript.schemas.report import FileReport

__all__ = ["SCANNED", "same"]

SCANNED = {"dsh", "gemini", "kimi", "openclaw", "qwen"}
"""Agents whose lines are all looked at, so that whatever is wrong with one is told."""


def _told(source: Source, report: FileReport) -> Counter[object]:
    """What the events of a full read say was billed."""
    found: Counter[object] = Counter()
    session = ""
    for record in reader(source.agent).read(source, report=report):
        for event in record.events:
            if isinstance(event, Session):
                session = event.billed_to or event.session_id
            if isinstance(event, Usage) and event.inherited_from is None:
                tokens = event.tokens
                counts = (tokens.input, tokens.output, tokens.reasoning, tokens.cache_read, tokens.cache_write)
                payer = (event.session_id or session, event.model, event.provider, event.cwd)
                found[(payer, event.time, counts, tokens.total, tokens.cost)] += 1
    return found


def _plain(rows: Iterable[Billed]) -> Counter[object]:
    found: Counter[object] = Counter()
    for row in rows:
        counts = (row.input, row.output, row.reasoning, row.cache_read, row.cache_write)
        found[(tuple(row.payer), row.time, counts, row.total, row.cost)] += 1
    return found


def same(source: Source) -> int:
    """Asserts that both ways are the same; gives the number of responses."""
    full = FileReport(path="")
    try:
        told = _told(source, full)
    except PanscriptError:
        return 0
    fast = FileReport(path="")
    assert _plain(billed(source, report=fast)) == told
    if source.agent in SCANNED:
        assert fast.skipped == full.skipped
        assert fast.skipped_lines == full.skipped_lines
    if source.agent in ("copilot", "droid", "goose"):
        assert fast.skipped.get("json_parse_error") == full.skipped.get("json_parse_error")
    codes = ("no_token_usage", "invalid_timestamp", "missing_usage_signal", "missing_timestamp")
    for code in ("synthetic_message", *codes):
        assert fast.skipped.get(code) == full.skipped.get(code), code
    return sum(told.values())
