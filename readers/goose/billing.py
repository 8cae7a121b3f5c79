"""What a Goose session was billed: in a database its row and the ledger say it, so that no message is read."""

from __future__ import annotations

from collections.abc import Iterator

from panscript.readers.billing import of_event, of_full_read
from panscript.readers.databases import is_database
from panscript.readers.digest import Digest
from panscript.readers.goose.forms import opened
from panscript.readers.goose.survey import survey
from panscript.readers.goose.usage import Counter
from panscript.readers.options import ReadOptions
from panscript.schemas.billing import Billed
from panscript.schemas.events import Usage
from panscript.schemas.records import Source
from panscript.schemas.report import FileReport

__all__ = ["billed"]


def billed(source: Source, *, report: FileReport) -> Iterator[Billed]:
    """What was billed, request by request, then the rest. Other forms than the database are read in full.

    Raises `SourceError`s; nothing is opened before the first `next()`.
    """
    if not is_database(source.transcripts[-1].path):
        yield from of_full_read(source, report=report)
        return
    report.agent, report.scan = source.agent, "usage"
    for event in _events(source, report):
        report.count("used")
        yield of_event(event, report.session_id or source.id)


def _events(source: Source, report: FileReport) -> Iterator[Usage]:
    with opened(source, only_usage=True) as form:
        facts = form.facts
        report.session_id, began = facts.session_id, facts.created
        if began is None:
            began = survey(form, Digest(source, ReadOptions())).clock.first
        counter = Counter(facts, began, report)
        events = [counter.request(piece.billed, b"") for piece in form.pieces() if piece.billed is not None]
    yield from (event for event in events if event is not None)
    yield from counter.rest(b"")
