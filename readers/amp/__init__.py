"""Amp: one JSON document a thread, `~/.local/share/amp/threads/T-<uuid>.json`, since 2025.

Odd about it: what was billed stands in a ledger of its own; a fork copies the messages of its source with their counts;
what a sub-agent used is listed in its own thread and once more, as a sum, in the thread it worked for.
"""

from __future__ import annotations

from collections.abc import Iterator

from panscript.readers.amp.events import Translator
from panscript.readers.amp.files import detect, layout, resolve
from panscript.readers.amp.survey import LEDGER, MESSAGES, Survey, survey
from panscript.readers.amp.usage import Counter
from panscript.readers.digest import source_files
from panscript.readers.elements import NO_MESSAGES, Piece, warn_of
from panscript.readers.options import ReadOptions
from panscript.schemas.errors import NotATranscript
from panscript.schemas.events import End, Event, Meta, Session
from panscript.schemas.naming import encodable, first_words
from panscript.schemas.records import Origin, Record, RecordClass, Source
from panscript.schemas.report import FileReport

__all__ = ["detect", "layout", "read", "resolve"]


def read(source: Source, *, report: FileReport, options: ReadOptions = ReadOptions()) -> Iterator[Record]:
    """Every record of the thread with its events; the first event is the `Session`.

    Its messages and the events of its ledger are records, and so is what stands between them. Raises `SourceError`s;
    nothing is opened before the first `next()`.
    """
    found = survey(source, report)
    report.agent, report.session_id = source.agent, encodable(found.session_id)
    if not found.understood:
        report.skip_line("invalid_thread_data", 1)
        raise NotATranscript("this is no thread of Amp", path=source.path)
    if found.document.damaged:
        report.complete = False
    if not found.is_named:
        report.skip("invalid_thread_id")
        report.warn("header_missing", "the thread does not say its id; it is called like its file")
    if found.is_silent:
        report.skip_line(NO_MESSAGES, 1)
        warn_of(NO_MESSAGES, report)
    translator = Translator(found, report)
    counter = Counter(found, report, raw=options.raw)
    start: list[Event] = [_session(source, found, options), *_facts(found)]
    for piece in found.pieces:
        kind, events = _piece(piece, found, translator, counter, report, options)
        if start:
            events, start = start + events, []
            kind = "used" if kind in ("state", "blank") else kind
        report.count(kind)
        raw = piece.raw
        yield Record(Origin(0, piece.offset, len(raw), piece.line), raw, kind, tuple(events))
    last = found.pieces[-1].line if found.pieces else 1
    yield Record(Origin(0, 0, 0, last), b"", "end", (*start, End(id="end")))


def _piece(
    piece: Piece,
    found: Survey,
    translator: Translator,
    counter: Counter,
    report: FileReport,
    options: ReadOptions,
) -> tuple[RecordClass, list[Event]]:
    element = piece.element
    if element is None:
        if piece.broken:
            report.skip_line("json_parse_error", piece.line)
            return "skipped", []
        return "state" if piece.raw.strip(b", \t\r\n\0\xef\xbb\xbf") else "blank", []
    if piece.array == MESSAGES:
        message = found.messages.get(element)
        if message is None:
            return "skipped", []
        kind, events = translator.message(element, message, piece.raw)
        inherited = found.forked_from if kind == "inherited" else None
        billed = counter.message(element, message, piece.raw, inherited)
        if billed is not None and options.usage and options.told_usage:
            events.append(billed)
        return kind, events
    assert piece.array == LEDGER
    event = found.ledger.get(element)
    if event is None:
        return "skipped", []
    billed = counter.event(element, event, piece.raw)
    if billed is None:
        return "twin", []
    wanted = options.usage and (options.told_usage or not billed.told)
    return "used", [billed] if wanted else []


def _facts(found: Survey) -> list[Event]:
    facts = Meta(
        id="meta:thread",
        time=found.created,
        cwd=found.cwd,
        title=found.title,
        git_branch=found.branch,
        version=found.version,
        parent_session_id=found.parent,
    )
    return [facts] if found.cwd or found.title or found.branch or found.version or found.parent else []


def _session(source: Source, found: Survey, options: ReadOptions) -> Session:
    return Session(
        id="session",
        time=found.first,
        agent=source.agent,
        session_id=encodable(found.session_id),
        files=source_files(source) if options.digest else (),
        cwd=found.cwd,
        title=found.title,
        first_prompt=first_words(found.first_prompt),
        version=found.version,
        model=found.model,
        git_branch=found.branch,
        parent_session_id=found.main,
        forked_from=found.forked_from,
        created=found.first,
        modified=found.last,
        complete=not found.document.damaged and found.whole and not source.missing,
    )
