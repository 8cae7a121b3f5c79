"""What a session was billed: of a database only messages and what their steps used are read, not what was said."""

from __future__ import annotations

from collections.abc import Iterator

from panscript.readers.billing import of_event
from panscript.readers.databases import is_database
from panscript.readers.opencode import read
from panscript.readers.opencode.events import Translator
from panscript.readers.opencode.forms import opened
from panscript.readers.opencode.survey import Survey
from panscript.readers.opencode.usage import Counter
from panscript.schemas.billing import Billed
from panscript.schemas.events import Event, Session, Usage
from panscript.schemas.records import Source
from panscript.schemas.report import FileReport

__all__ = ["billed"]


def billed(source: Source, *, report: FileReport) -> Iterator[Billed]:
    """What was billed, in the order of the messages. Raises `SourceError`s."""
    session = source.id
    for event in _steps(source, report) if is_database(source.path) else _all(source, report):
        if isinstance(event, Session):
            session = event.session_id
        elif isinstance(event, Usage) and event.inherited_from is None:
            yield of_event(event, session)


def _all(source: Source, report: FileReport) -> Iterator[Event]:
    for record in read(source, report=report):
        yield from record.events


def _steps(source: Source, report: FileReport) -> Iterator[Event]:
    with opened(source, steps_only=True) as form:
        report.agent, report.session_id, report.scan = source.agent, form.facts.session_id, "usage"
        # Nothing of what only the end tells is said of usage.
        translator = Translator(Survey(), form.facts, report, Counter(report, raw=False))
        for number, turn in enumerate(form.turns()):
            if not turn.is_head:
                report.count("used")
                turn.piece.account(report)
                yield from translator.turn(number, turn)[1]
