"""Droid: JSON lines below `~/.factory/sessions/<folder of the cwd>/<session id>.jsonl`, since 2025.

Odd about it: what a session used is one total in a settings file beside the rows; a sub-agent is a session of its own
that names the one which started it; a fork begins with copies of its source's rows; much that stands in user rows was
put there by the agent.
"""

from __future__ import annotations

from collections.abc import Iterator

from panscript.readers.digest import source_files
from panscript.readers.droid.events import Translator
from panscript.readers.droid.files import SETTINGS, detect, is_record, layout, read_settings, resolve
from panscript.readers.droid.survey import Survey, survey
from panscript.readers.droid.usage import usage_of
from panscript.readers.jsonl import rows, surveyed
from panscript.readers.options import ReadOptions
from panscript.schemas.droid.lean import Settings, row_decoder
from panscript.schemas.errors import NotATranscript
from panscript.schemas.events import End, Event, Session
from panscript.schemas.naming import encodable, first_words
from panscript.schemas.plural import times
from panscript.schemas.records import Origin, Record, Source
from panscript.schemas.report import FileReport

__all__ = ["detect", "layout", "read", "resolve"]

_WIRES = frozenset({"generic-chat-completion-api"})
"""What stands for the provider where only the wire is known."""


def read(source: Source, *, report: FileReport, options: ReadOptions = ReadOptions()) -> Iterator[Record]:
    """Every record of the session with its events; the first event is the `Session`.

    Raises `SourceError`s; nothing is opened before the first `next()`.
    """
    data, settings = read_settings(source)
    if source.transcripts[-1].path.endswith(SETTINGS):
        yield from _settings_alone(source, data, settings, report, options)
        return
    found = survey(source)
    report.agent, report.session_id = source.agent, encodable(found.session_id)
    if found.seen and not found.understood:
        raise NotATranscript("no line of it is a Droid row", path=source.path)
    if found.header is None and found.seen:
        report.complete = False
        report.warn("header_missing", "the file has no readable header; the id comes from its name")
    if found.orphaned:
        report.warn(
            "parent_missing",
            times(found.orphaned, "row names", "rows name") + " a parent that is not in the file before it",
        )
    yield from _records(source, found, data, settings, report, options)


def _records(
    source: Source, found: Survey, data: bytes, settings: Settings | None, report: FileReport, options: ReadOptions
) -> Iterator[Record]:
    start: list[Event] = [_session(source, found, settings, options)]
    child = source.parent is not None or (found.header is not None and bool(found.header.calling_session_id))
    model = settings.model or None if settings is not None else None
    translator = Translator(found, report, child=child, provider=_provider(settings), model=model)
    line = 0
    records = rows([source.transcripts[-1].path], row_decoder, is_record)
    for number, parsed in surveyed(records, len(found.flags), report, None):
        line, row = parsed.line, parsed.row
        kind, events = parsed.unread if row is None else translator.row(number, row, parsed.json, line, parsed.turn)
        found.branches.passed(number)
        report.count(kind)
        yield parsed.record(kind, (*start, *events))
        start = []
    last: list[Event] = [*start, End(id="end")]
    billed = usage_of(data, settings, found, report, raw=options.raw) if options.usage else None
    if billed is not None:
        last.append(billed)
    yield Record(Origin(0, 0, 0, line), b"", "end", tuple(last))


def _settings_alone(
    source: Source, data: bytes, settings: Settings | None, report: FileReport, options: ReadOptions
) -> Iterator[Record]:
    """A session whose rows are gone: what is left says what it was billed."""
    report.agent, report.session_id = source.agent, encodable(source.id)
    report.complete = False
    if data.strip() and settings is None:
        raise NotATranscript("these are no settings of Droid", path=source.path)
    billed = usage_of(data, settings, None, report, raw=options.raw) if options.usage else None
    time = billed.time if billed is not None else None
    session = Session(
        id="session",
        time=time,
        agent=source.agent,
        session_id=encodable(source.id),
        files=source_files(source) if options.digest else (),
        model=settings.model if settings is not None else None,
        provider=_provider(settings),
        created=time,
        modified=time,
        complete=False,
    )
    report.count("used")
    yield Record(Origin(0, 0, len(data), 1), data, "used", (session,))
    last: tuple[Event, ...] = (End(id="end"), billed) if billed is not None else (End(id="end"),)
    yield Record(Origin(0, 0, 0, 1), b"", "end", last)


def _provider(settings: Settings | None) -> str | None:
    locked = settings.provider_lock if settings is not None else None
    return locked if locked and locked not in _WIRES else None


def _session(source: Source, found: Survey, settings: Settings | None, options: ReadOptions) -> Session:
    header = found.header
    return Session(
        id="session",
        time=found.clock.first,
        agent=source.agent,
        session_id=encodable(found.session_id),
        files=source_files(source) if options.digest else (),
        cwd=found.cwd,
        title=found.title,
        first_prompt=first_words(found.first_prompt),
        model=found.model or (settings.model if settings is not None else None) or found.named_model,
        provider=_provider(settings),
        parent_session_id=(header.calling_session_id or None if header is not None else None) or source.parent,
        forked_from=found.forked_from,
        created=found.clock.first,
        modified=found.clock.last,
        complete=header is not None and not found.damaged and not source.missing,
    )
