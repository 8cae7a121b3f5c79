"""Goose: a SQLite database in `~/.local/share/goose/sessions` for all sessions, since autumn 2025.

Odd about it: parts of one response are messages of their own, and so is each result, as a message of the user; what a
session used is one total until schema version 15; times are seconds. Before the database each session was a file of
JSON lines beside it, which the database takes over once; exported sessions are JSON documents. All three are read.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from msgspec.structs import replace

from panscript.readers.digest import Digest
from panscript.readers.elements import warn_of
from panscript.readers.goose.events import Translator
from panscript.readers.goose.files import detect, layout, resolve
from panscript.readers.goose.forms import Form, Piece, opened
from panscript.readers.goose.store import TABLES
from panscript.readers.goose.survey import Survey, survey
from panscript.readers.goose.usage import Counter
from panscript.readers.options import ReadOptions
from panscript.schemas.errors import NotATranscript
from panscript.schemas.events import End, Event, Meta, Session
from panscript.schemas.records import Origin, Record, RecordClass, Source
from panscript.schemas.report import FileReport

__all__ = ["TABLES", "detect", "layout", "read", "resolve"]

_NEAR = 4
"""Records between two messages that are looked over."""


def read(source: Source, *, report: FileReport, options: ReadOptions = ReadOptions()) -> Iterator[Record]:
    """Every record of the session with its events; the first event is the `Session`.

    Rows of a database are JSON objects, in the order of the messages. Raises `SourceError`s; nothing is opened before
    the first `next()`.
    """
    digest = Digest(source, options)
    with opened(source, options) as form:
        found = survey(form, digest)
        report.agent, report.session_id = source.agent, form.facts.session_id
        if found.seen and not found.understood:
            raise NotATranscript("nothing of it is a session of Goose", path=source.path)
        if found.seen and not found.headed:
            report.complete = False
            report.warn("header_missing", "the file has no readable header; id and time come from its name")
        session = replace(_session(source, form, found), files=digest.files())
        yield from _records(form, found, session, report, options)


def _records(form: Form, found: Survey, session: Session, report: FileReport, options: ReadOptions) -> Iterator[Record]:
    facts = form.facts
    translator = Translator(found, facts, report)
    began = facts.created if facts.created is not None else found.clock.first
    counter = Counter(facts, began, report, raw=options.raw) if options.usage else None
    start: list[Event] = [session]
    head, line = b"", 0
    for number, (piece, following) in enumerate(_ahead(form.pieces())):
        raw, line = piece.raw, piece.line
        events: list[Event] = []
        kind: RecordClass = piece.kind
        _account(piece, report)
        if piece.is_head:
            head = raw
            events = [_meta(session)]
        elif piece.row is not None:
            kind, events = translator.row(number, piece, following)
        elif piece.billed is not None and counter is not None:
            billed = counter.request(piece.billed, raw)
            events = [billed] if billed is not None else []
        report.count(kind)
        yield Record(Origin(0, piece.offset, len(raw), line, piece.place), raw, kind, (*start, *events))
        start = []
    rest = list(counter.rest(head)) if counter is not None else []
    yield Record(Origin(0, 0, 0, line), b"", "end", (*start, End(id="end"), *rest))


def _ahead(pieces: Iterator[Piece]) -> Iterator[tuple[Piece, Piece | None]]:
    """Each record with the message after it, where that is near: what stands between messages says nothing."""
    waiting: deque[Piece] = deque()
    for piece in pieces:
        waiting.append(piece)
        while len(waiting) > 1 and (waiting[-1].row is not None or len(waiting) > _NEAR):
            yield waiting.popleft(), waiting[-1]
    while waiting:
        yield waiting.popleft(), None


def _account(piece: Piece, report: FileReport) -> None:
    """Count what the tolerant decoder had to do."""
    trouble = piece.trouble
    if trouble is None:
        return
    if trouble.skip is not None:
        code = "other_json_parse_error" if trouble.skip == "json_parse_error" else trouble.skip
        report.skip_line(code, piece.line)
        warn_of(code, report)
    for note in trouble.notes:
        report.change(note)


def _meta(session: Session) -> Meta:
    return Meta(
        id="meta",
        time=session.created,
        cwd=session.cwd,
        title=session.title,
        model=session.model,
        provider=session.provider,
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
        model=facts.model,
        provider=facts.provider,
        parent_session_id=source.parent or facts.parent,
        created=min(times, default=None),
        modified=max(ends, default=None),
        complete=not found.damaged and (found.headed or not found.seen),
    )
