"""What a Copilot session was billed: as telemetry says, else its event log, of which no more is read than counts."""

from __future__ import annotations

from collections.abc import Iterator

from panscript.readers.billing import of_event
from panscript.readers.copilot import counted_beside, id_in
from panscript.readers.copilot.files import is_record, is_telemetry
from panscript.readers.copilot.logged import MARKER, Logged
from panscript.readers.copilot.otel import skip, usage_of
from panscript.readers.copilot.spans import read_whole
from panscript.readers.copilot.survey import missing, survey
from panscript.readers.jsonl import rows
from panscript.readers.scan import Scan
from panscript.schemas.billing import Billed
from panscript.schemas.copilot.lean import usage_decoder
from panscript.schemas.errors import NotATranscript
from panscript.schemas.events import Usage
from panscript.schemas.records import Source
from panscript.schemas.report import FileReport

__all__ = ["billed"]


def billed(source: Source, *, report: FileReport) -> Iterator[Billed]:
    """What was billed, in the order of the telemetry or the log. Where telemetry tells, damaged lines of the log do not
    matter and are not told. Raises `SourceError`s; nothing is opened before the first `next()`."""
    report.agent, report.scan = source.agent, "usage"
    of_telemetry = is_telemetry(source.files[0].path)
    for usage in _telemetry(source, report) if of_telemetry else _of_log(source, report):
        report.count("used")
        yield of_event(usage, report.session_id or source.id)


def _telemetry(source: Source, report: FileReport) -> Iterator[Usage]:
    found, one = read_whole(source)
    report.session_id = source.id
    for file in found:
        skip(file, report, one)
        report.skipped_lines += file.damaged
        for code, times in file.bad_lines.items():
            report.complete = False
            report.skip(code, times)
        for each in file.counted:
            if one is None or each.session == one:
                yield usage_of(each, "usage", session=each.session if each.session != source.id else None)


def _of_log(source: Source, report: FileReport) -> Iterator[Usage]:
    found = survey(source, lambda found: found.has_start)
    if found.seen and not found.understood:
        raise NotATranscript("no line of it is an event of Copilot", path=source.path)
    report.session_id = id_in(found, source)
    beside = [usage_of(each, "usage", session=None) for _, each in counted_beside(source, report.session_id, report)]
    yield from beside or _logged(source, report)


def _logged(source: Source, report: FileReport) -> Iterator[Usage]:
    logged, scan = Logged(report), Scan(source, report, MARKER)
    for parsed in scan.readable(rows([source.files[0].path], usage_decoder, is_record)):
        if (code := missing(parsed.row)) is not None:
            report.skip_line(code, parsed.line)
        logged.row(parsed.row, parsed.place)
    return logged.usage()
