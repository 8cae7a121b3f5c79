"""Pi: JSON lines below `~/.pi/agent/sessions/--<cwd>--/<time>_<session id>.jsonl`, since November 2025.

Odd about it: the entries are a tree and the last line of the file, whatever it is, is the leaf of the live branch;
forks copy their parent's entries, counts included; version 1 has no ids; what panscript imported carries a record of
where it came from, and that is read back. omp, a fork of Pi, is read with it.
"""

from __future__ import annotations

from collections.abc import Iterator

from panscript.readers.digest import source_files
from panscript.readers.imported import Imported
from panscript.readers.jsonl import rows, surveyed
from panscript.readers.options import ReadOptions
from panscript.readers.pi.events import Translator
from panscript.readers.pi.files import Header, detect, is_record, layout, resolve
from panscript.readers.pi.recording import imported as recorded
from panscript.readers.pi.survey import Survey, survey
from panscript.readers.pi.usage import MARKER, UsageCounter, usage
from panscript.schemas.errors import NotATranscript
from panscript.schemas.events import End, Event, Session
from panscript.schemas.naming import first_words
from panscript.schemas.pi.lean import entry_decoder
from panscript.schemas.plural import times
from panscript.schemas.records import Origin, Record, Source
from panscript.schemas.report import FileReport

__all__ = ["detect", "layout", "read", "resolve", "usage"]


def read(source: Source, *, report: FileReport, options: ReadOptions = ReadOptions()) -> Iterator[Record]:
    """Every record of the session with its events; the first event is the `Session`.

    Raises `SourceError`s; nothing is opened before the first `next()`.
    """
    found = survey(source)
    header = found.header
    assert header is not None
    report.agent, report.session_id = source.agent, header.session_id
    if found.seen and not found.understood:
        raise NotATranscript("no line of it is a Pi entry", path=source.path)
    _warn(found, header, report)
    imported = recorded(source.files[-1].path) if found.recorded else None
    try:
        yield from _records(source, found, header, imported, report, options)
    finally:
        if imported is not None:
            imported.close()


def _records(
    source: Source, found: Survey, header: Header, imported: Imported | None, report: FileReport, options: ReadOptions
) -> Iterator[Record]:
    start: list[Event] = [_session(source, found, header, options)]
    translator = Translator(found, report, imported, child=source.parent is not None)
    counter = UsageCounter(header, report, raw=options.raw) if options.usage else None
    line = 0
    records = rows([source.files[-1].path], entry_decoder, is_record)
    for number, parsed in surveyed(records, len(found.flags), report, MARKER):
        line, row, text = parsed.line, parsed.row, parsed.json
        kind, events = parsed.unread if row is None else translator.row(number, row, text, line, parsed.turn)
        if counter is not None and row is not None:
            billed = counter.add(row, text, line)
            if billed is not None and (options.told_usage or not billed.told):
                events.append(billed)
        found.branches.passed(number)
        report.count(kind)
        yield parsed.record(kind, (*start, *events))
        start = []
    yield Record(Origin(0, 0, 0, line), b"", "end", (*start, End(id="end")))


def _warn(found: Survey, header: Header, report: FileReport) -> None:
    if not header.found and found.seen:
        report.complete = False
        report.warn("header_missing", "the file has no readable header; id and time come from its name")
    if found.orphaned:
        report.warn(
            "parent_missing",
            times(found.orphaned, "entry names", "entries name") + " a parent that is not in the file before it",
        )
    if found.circles:
        report.warn(
            "cycle",
            times(found.circles, "entry is its own ancestor", "entries are their own ancestors")
            + "; the circle was cut",
        )
    if found.repeated:
        report.warn("id_repeated", times(found.repeated, "entry has", "entries have") + " the id of an earlier one")


def _session(source: Source, found: Survey, header: Header, options: ReadOptions) -> Session:
    head = found.head
    # An import that belongs to a sub-agent names the file of its parent's import where a fork names its own parent's.
    is_child = head is not None and head.parent_source_session_id is not None and not found.copies
    parent = header.parent if is_child else None
    return Session(
        id="session",
        time=header.time if header.time is not None else found.clock.first,
        agent=source.agent,
        session_id=header.session_id,
        files=source_files(source) if options.digest else (),
        cwd=header.cwd,
        title=found.title,
        first_prompt=first_words(found.first_prompt),
        model=found.model,
        provider=found.provider,
        parent_session_id=source.parent or parent,
        forked_from=None if is_child else header.parent,
        created=header.time if header.time is not None else found.clock.first,
        modified=found.clock.last,
        complete=header.found and not found.damaged and not source.missing,
        imported_from=head.source if head is not None else None,
    )
