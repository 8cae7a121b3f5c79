"""What a Copilot session was billed. Telemetry says it; of the event log is read what says which session it is."""

from __future__ import annotations

from collections.abc import Iterator

from panscript.readers.billing import of_event
from panscript.readers.copilot import counted_beside, id_in
from panscript.readers.copilot.files import is_telemetry
from panscript.readers.copilot.otel import Counted, skip, usage_of
from panscript.readers.copilot.spans import read_whole
from panscript.readers.copilot.survey import survey
from panscript.schemas.billing import Billed
from panscript.schemas.errors import NotATranscript
from panscript.schemas.records import Source
from panscript.schemas.report import FileReport

__all__ = ["billed"]


def billed(source: Source, *, report: FileReport) -> Iterator[Billed]:
    """What was billed, in the order of the telemetry. Damaged lines of a log are not told: none could hold usage that
    counts. Raises `SourceError`s; nothing is opened before the first `next()`."""
    report.agent, report.scan = source.agent, "usage"
    of_telemetry = is_telemetry(source.files[0].path)
    for each in _telemetry(source, report) if of_telemetry else _beside(source, report):
        report.count("used")
        session = each.session if of_telemetry and each.session != source.id else None
        yield of_event(usage_of(each, "usage", session=session), report.session_id or source.id)


def _telemetry(source: Source, report: FileReport) -> Iterator[Counted]:
    found, one = read_whole(source)
    report.session_id = source.id
    for file in found:
        skip(file, report, one)
        report.skipped_lines += file.damaged
        for code, times in file.bad_lines.items():
            report.complete = False
            report.skip(code, times)
        yield from (each for each in file.counted if one is None or each.session == one)


def _beside(source: Source, report: FileReport) -> Iterator[Counted]:
    found = survey(source, lambda found: found.has_start)
    if found.seen and not found.understood:
        raise NotATranscript("no line of it is an event of Copilot", path=source.path)
    report.session_id = id_in(found, source)
    for _, each in counted_beside(source, report.session_id, report):
        yield each
