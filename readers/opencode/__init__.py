"""OpenCode: a SQLite database for all sessions since February 2026, before that a tree of JSON files, and exports.

Odd about it: a message is a row and each of its parts another; a result is a part of the message that asks for it; a
fork copies messages under new ids and does not say so. Kilo Code 7 is a copy of OpenCode with a database of its own.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from panscript.readers.digest import Digest
from panscript.readers.opencode.events import Translator
from panscript.readers.opencode.files import detect, layout, resolve
from panscript.readers.opencode.forms import Form, opened
from panscript.readers.opencode.store import TABLES
from panscript.readers.opencode.survey import Survey, survey
from panscript.readers.opencode.usage import Counter
from panscript.readers.options import ReadOptions
from panscript.schemas.errors import NotATranscript
from panscript.schemas.events import End, Event, Meta, Session, Usage
from panscript.schemas.records import Origin, Record, Source
from panscript.schemas.report import FileReport

__all__ = ["TABLES", "detect", "layout", "read", "resolve"]


def read(source: Source, *, report: FileReport, options: ReadOptions = ReadOptions()) -> Iterator[Record]:
    """Every record of the session with its events; the first event is the `Session`.

    Of a database a record is a message with its parts, as a JSON object. Raises `SourceError`s; nothing is opened
    before the first `next()`.
    """
    digest = Digest(source, options)
    with opened(source, options) as form:
        found = survey(form, digest)
        report.agent, report.session_id = source.agent, form.facts.session_id
        if not found.understood:
            raise NotATranscript("nothing of it is a session of OpenCode", path=source.path)
        if not form.headed:
            report.complete = False
            report.warn("header_missing", "the file has no readable header; id and time come from its name")
        if form.elsewhere:
            report.warn("not_read", "messages of the session stand in a table that is not read")
        session = replace(_session(source, form, found), files=digest.files())
        yield from _records(form, found, session, report, options)


def _records(form: Form, found: Survey, session: Session, report: FileReport, options: ReadOptions) -> Iterator[Record]:
    counter = Counter(report, raw=options.raw) if options.usage else None
    translator = Translator(found, form.facts, report, counter)
    start: list[Event] = [session]
    line = 0
    for number, turn in enumerate(form.turns()):
        kind = turn.piece.kind
        events: list[Event] = [_meta(session, form)] if turn.is_head else []
        if kind == "skipped" and turn.piece.stored and not turn.is_head:
            kind, events = translator.turn(number, turn)
        if not options.told_usage:
            events = [event for event in events if not (isinstance(event, Usage) and event.told)]
        for place, piece in enumerate((turn.piece, *turn.more)):
            raw, line = piece.raw, piece.line
            piece.account(report)
            record = kind if not place else piece.kind
            report.count(record)
            said = (*start, *events) if not place else ()
            yield Record(Origin(piece.file, piece.offset, len(raw), line, piece.place), raw, record, said)
            start = []
    yield Record(Origin(0, 0, 0, line), b"", "end", (*start, End(id="end")))


def _meta(session: Session, form: Form) -> Meta:
    return Meta(
        id="meta",
        time=session.created,
        cwd=session.cwd,
        title=session.title,
        version=session.version,
        git_branch=session.git_branch,
        parent_session_id=form.facts.parent,
    )


def _session(source: Source, form: Form, found: Survey) -> Session:
    facts, clock = form.facts, found.clock
    times = [time for time in (facts.created, clock.first) if time is not None]
    ends = [time for time in (facts.updated, clock.last) if time is not None]
    return Session(
        id="session",
        time=min(times, default=None),
        agent=source.agent,
        session_id=facts.session_id,
        cwd=facts.cwd,
        title=facts.title,
        first_prompt=found.first_prompt,
        version=facts.version,
        model=found.model or facts.model,
        provider=found.provider or facts.provider,
        git_branch=facts.git_branch,
        parent_session_id=source.parent or facts.parent,
        created=min(times, default=None),
        modified=max(ends, default=None),
        complete=not found.damaged and form.headed and not form.elsewhere,
    )
