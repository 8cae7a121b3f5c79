"""DeepSeek Harness: JSON lines, mostly zstd-compressed, below `~/.dsh/sessions/--<cwd>--/<session id>/`.

Odd about it: every flush is a frame of its own, so a crash tears the last one only; what is said stands in several
events (the queue, the message, the call), of which one counts; a fork begins with its parent's events, counts
included; and the model's view is rewritten by events that repeat earlier ones. Format versions 0 to 4 are read.
"""

from __future__ import annotations

from collections.abc import Iterator

from panscript.readers.digest import source_files
from panscript.readers.dsh.events import Translator
from panscript.readers.dsh.files import Header, detect, is_record, layout, resolve
from panscript.readers.dsh.survey import Survey, survey
from panscript.readers.jsonl import rows, surveyed
from panscript.readers.options import ReadOptions
from panscript.schemas.dsh.lean import row_decoder
from panscript.schemas.errors import NotATranscript
from panscript.schemas.events import End, Event, Session, Usage
from panscript.schemas.naming import first_words
from panscript.schemas.records import Origin, Record, Source
from panscript.schemas.report import FileReport

__all__ = ["MARKER", "detect", "layout", "read", "resolve"]

MARKER = b'"usage"'
"""A line without these bytes carries no counts."""


def read(source: Source, *, report: FileReport, options: ReadOptions = ReadOptions()) -> Iterator[Record]:
    """Every record of the session with its events; the first event is the `Session`.

    Raises `SourceError`s; nothing is opened before the first `next()`.
    """
    found = survey(source)
    header = found.header
    assert header is not None
    report.agent, report.session_id = source.agent, header.session_id
    if found.seen and not found.understood:
        raise NotATranscript("no line of it is an event of the DeepSeek Harness", path=source.path)
    if not header.found and found.seen:
        report.complete = False
        report.warn("header_missing", "the file has no readable header; the id comes from its name")
    yield from _records(source, found, header, report, options)


def _records(
    source: Source, found: Survey, header: Header, report: FileReport, options: ReadOptions
) -> Iterator[Record]:
    start: list[Event] = [_session(source, found, header, options)]
    translator = Translator(found, report, raw=options.raw)
    line = 0
    records = rows([source.files[-1].path], row_decoder, is_record)
    for number, parsed in surveyed(records, found.records, report, MARKER):
        line, row = parsed.line, parsed.row
        kind, events = parsed.unread if row is None else translator.row(number, row, parsed.json, line, parsed.turn)
        report.count(kind)
        yield parsed.record(kind, (*start, *_wanted(events, options)))
        start = []
    events = [*start, *_wanted(translator.end(), options), End(id="end")]
    yield Record(Origin(0, 0, 0, line), b"", "end", tuple(events))


def _wanted(events: list[Event], options: ReadOptions) -> list[Event]:
    if options.usage and options.told_usage:
        return events
    return [event for event in events if not isinstance(event, Usage) or (options.usage and not event.told)]


def _session(source: Source, found: Survey, header: Header, options: ReadOptions) -> Session:
    created = header.created if header.created is not None else found.clock.first
    return Session(
        id="session",
        time=created,
        agent=source.agent,
        session_id=header.session_id,
        files=source_files(source) if options.digest else (),
        cwd=header.cwd,
        title=found.title,
        first_prompt=first_words(found.first_prompt),
        model=found.model,
        provider=found.provider,
        parent_session_id=header.parent if header.is_child else None,
        forked_from=header.parent if found.boundary >= 0 or not header.is_child else None,
        created=created,
        modified=found.clock.last,
        complete=header.found and not found.damaged and not source.missing,
    )
