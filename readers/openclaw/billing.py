"""What an OpenClaw session was billed, from one pass over its lines that steps over what was said."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from panscript.readers.openclaw import placed
from panscript.readers.openclaw.forms import Form, opened
from panscript.readers.pi.files import header_of, is_known
from panscript.readers.pi.survey import begins, is_hollow
from panscript.readers.pi.usage import MARKER, UsageCounter
from panscript.readers.scan import Scan
from panscript.schemas.billing import Billed
from panscript.schemas.events import Usage
from panscript.schemas.openclaw.lean import UsageEntry
from panscript.schemas.records import Source
from panscript.schemas.report import FileReport

__all__ = ["billed"]


def billed(source: Source, *, report: FileReport) -> Iterator[Billed]:
    """What was billed, in the order of the lines. Raises `SourceError`s; nothing is opened before the first `next()`.

    Rows of a database are read as lines of a file are.
    """
    scan = Scan(source, report, MARKER)
    with opened(source, only_usage=True) as form:
        events = list(_events(source, form, scan, report))
    scan.judge("no line of it is of OpenClaw")
    yield from scan.billed(events, report.session_id or source.id)


def _events(source: Source, form: Form, scan: Scan, report: FileReport) -> Iterator[Usage | None]:
    counter: UsageCounter | None = None
    whole = b""
    for parsed in scan.readable(form.lines()):
        row: UsageEntry = parsed.row
        whole = parsed.raw or whole
        scan.understood = scan.understood or is_known(row)
        if counter is None:
            if begins(row):
                continue
            found = header_of(replace(source, files=source.transcripts), row if row.type == "session" else None)
            header = placed(found, source, form)
            report.session_id = header.session_id
            counter = UsageCounter(header, report)
        if is_hollow(row):
            report.skip_line("message_invalid_message", parsed.line)
        elif row.usage is not None or row.type == "model_change":
            yield counter.add(row, whole, parsed.line)
