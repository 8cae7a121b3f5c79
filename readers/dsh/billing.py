"""What a session was billed. Copies that forks took from a session that is not there are known by their content."""

from __future__ import annotations

from collections.abc import Iterator

from panscript.readers.billing import forget, of_event
from panscript.readers.dsh import MARKER, read
from panscript.readers.dsh.files import header_of, is_known, is_record
from panscript.readers.dsh.spending import Spending
from panscript.readers.jsonl import rows
from panscript.readers.scan import Scan
from panscript.schemas.billing import Billed
from panscript.schemas.dsh.lean import usage_decoder
from panscript.schemas.events import Session, Usage
from panscript.schemas.records import Source
from panscript.schemas.report import FileReport

__all__ = ["began", "billed", "ended"]


def billed(source: Source, *, report: FileReport) -> Iterator[Billed]:
    """What was billed, in the order of the log. Raises `SourceError`s.

    A log is read in full where only what was said tells when a response was given up.
    """
    scan, spending = Scan(source, report, MARKER), Spending(source.files[-1].path)
    for parsed in scan.readable(rows([source.files[-1].path], usage_decoder, is_record)):
        scan.understood = scan.understood or is_known(parsed.row)
        spending.row(scan.number, parsed.row, parsed.line)
    scan.judge("no line of it is an event of the DeepSeek Harness")
    spending.end()
    seen: dict[int, int] = {}
    if spending.is_doubtful:
        forget(report)
        yield from _of_full_read(source, report, seen)
        return
    spending.tell(report)
    report.session_id = spending.header.session_id
    for event in spending.events():
        if event.inherited_from is None:
            report.count("used")
            yield _row(event, report.session_id, seen)


def _of_full_read(source: Source, report: FileReport, seen: dict[int, int]) -> Iterator[Billed]:
    session = source.id
    for record in read(source, report=report):
        for event in record.events:
            if isinstance(event, Session):
                session = event.session_id
            elif isinstance(event, Usage) and event.inherited_from is None:
                yield _row(event, session, seen)


def _row(event: Usage, session: str, seen: dict[int, int]) -> Billed:
    row = of_event(event, session)
    content = (event.message_id, row.time, row.input, row.output, row.reasoning, row.cache_read, row.cache_write)
    key = hash((row.payer, content))
    # The second of two that are alike has a key of its own, so that it is no copy of the first.
    times = seen[key] = seen.get(key, 0) + 1
    row.key = (key if times == 1 else hash((key, times))) or 1
    # A fork that tells for a parent that is not there holds what that one had copied from sessions before, too.
    row.response = hash((content, row.payer[1:3], row.total)) or 1
    row.replayed = event.session_id is not None
    return row


def began(source: Source) -> int | None:
    """When the session began, in milliseconds since 1970 UTC: a fork after those whose events it holds."""
    return header_of(source.path).created


def ended(_: Source) -> int | None:
    """Sessions that began at once hold nothing of each other."""
    return None
