"""What an event log itself says was billed. It counts where no telemetry does: both tell of the same requests."""

from __future__ import annotations

from collections.abc import Container, Iterator

from msgspec.structs import replace

from panscript.readers.copilot.content import tokens_of
from panscript.readers.rawjson import clean_raw
from panscript.schemas import timestamps
from panscript.schemas.copilot.lean import Counts, Row, UsageRow
from panscript.schemas.events import NO_RAW, Usage
from panscript.schemas.report import FileReport

__all__ = ["MARKER", "Logged"]

RECORD, SHUTDOWN = "session.usage_record", "session.shutdown"
MARKER = b"session.usage_record"
"""A damaged line without these bytes held no request."""


class Logged:
    """Gathers the usage of one log: of each request, else (until early 2026) the totals at the end of the last run."""

    def __init__(self, report: FileReport) -> None:
        self._report = report
        self._requests: list[Usage] = []
        self._totals: list[Usage] = []
        self._known: set[str] = set()

    def row(self, row: Row | UsageRow, place: str, text: bytes = b"") -> None:
        """The next line of the log. `text` is its JSON where that is asked for."""
        data = row.data
        if data is None or row.type not in (RECORD, SHUTDOWN):
            return
        if row.type == SHUTDOWN:
            # They go up over all runs of the session, so the last ones say all.
            totals = data.model_metrics or {}
            said = ((name, metrics.usage) for name, metrics in totals.items() if metrics.usage is not None)
            found = (_usage(row, counts, f"{place}:{name}", name, text) for name, counts in said)
            self._totals = [usage for usage in found if usage is not None]
            return
        counts = data.usage
        if counts is None or (counts.accounting is not None and counts.accounting.usage_id in self._known):
            return
        if counts.accounting is not None and counts.accounting.usage_id:
            self._known.add(counts.accounting.usage_id)
        usage = _usage(row, counts, place, counts.model, text)
        if usage is not None:
            self._requests.append(replace(usage, single_request=True))
        else:
            self._report.skip("invalid_timestamp" if timestamps.parse(row.timestamp) is None else "no_token_usage")

    def usage(self, told: Container[str | None] = ()) -> Iterator[Usage]:
        """What was billed, in the order of the log; `told`: responses whose message carries its counts."""
        for usage in self._requests or self._totals:
            yield replace(usage, told=usage.message_id in told)


def _usage(row: Row | UsageRow, counts: Counts, place: str, model: str | None, text: bytes) -> Usage | None:
    tokens, time = tokens_of(counts), timestamps.parse(row.timestamp)
    if time is None or not (tokens.total or tokens.reasoning):
        return None
    return Usage(
        id=f"usage:0:{place}",
        time=time,
        agent_id=row.agent_id or None,
        tokens=tokens,
        model=model,
        raw_provider=counts.model_provider,
        message_id=counts.api_call_id or None,
        raw=clean_raw(text.strip(b"\0\xef\xbb\xbf \t\r\n")) if text else NO_RAW,
    )
