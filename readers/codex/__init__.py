"""Codex CLI: JSON lines below `~/.codex/sessions/YYYY/MM/DD/rollout-<local time>-<thread id>.jsonl`, since 2025.

Odd about it: every text is written twice, as an item for the model and as an event for the screen; whether a call went
well stands in the words of its output; a thread may be several files and build on another thread's; forks copy.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import closing

from panscript.readers.codex.events import Translator
from panscript.readers.codex.files import detect, is_document, is_record, layout, resolve, title_of
from panscript.readers.codex.plan import plan
from panscript.readers.codex.recording import imported as recorded
from panscript.readers.codex.survey import Survey, survey
from panscript.readers.codex.usage import Copied, UsageCounter, has_marker, is_marker
from panscript.readers.digest import source_files
from panscript.readers.imported import Imported
from panscript.readers.jsonl import account, rows
from panscript.readers.lines import head
from panscript.readers.options import ReadOptions
from panscript.schemas import timestamps
from panscript.schemas.codex.lean import Line, line_decoder
from panscript.schemas.errors import NotATranscript
from panscript.schemas.events import End, Event, Session, Usage
from panscript.schemas.naming import first_words
from panscript.schemas.records import Origin, Record, Source
from panscript.schemas.report import FileReport

__all__ = ["detect", "layout", "read", "resolve", "usage"]


def read(source: Source, *, report: FileReport, options: ReadOptions = ReadOptions()) -> Iterator[Record]:
    """Every record of the thread with its events; the first event is the `Session`.

    Raises `SourceError`s; nothing is opened before the first `next()`.
    """
    found = survey(source)
    report.agent, report.session_id = source.agent, found.plan.thread
    if not found.understood and (found.damaged or found.flags):
        _refuse(source)
    if found.flags and not found.header:
        report.warn("header_missing", "the file has no readable header: its id is taken from the file name")
    for missing in source.missing:
        report.complete = False
        report.warn("base_missing", f"the thread goes on from one that is not there: {missing}")
    start: list[Event] = [_session(source, found, options)]
    own = source.files[found.plan.first_own].path
    imported = recorded(own) if found.head is not None else None
    try:
        yield from _records(source, found, imported, report, options, start)
    finally:
        if imported is not None:
            imported.close()


def _records(
    source: Source,
    found: Survey,
    imported: Imported | None,
    report: FileReport,
    options: ReadOptions,
    start: list[Event],
) -> Iterator[Record]:
    translator = Translator(found, report, imported, usage=options.usage, raw=options.raw)
    line, current = 0, -1
    for number, parsed in enumerate(rows([file.path for file in source.files], line_decoder, is_record)):
        line, row = parsed.line, parsed.row
        if parsed.file != current:
            current = parsed.file
            translator.open(found.plan.files[current])
        if parsed.trouble is not None:
            account(parsed, report, "json_parse_error" if has_marker(parsed.raw) else "other_json_parse_error")
        first = not parsed.turn
        kind, events = parsed.unread if row is None else translator.row(number, row, parsed.json, line, first=first)
        translator.passed(number)
        report.count(kind)
        yield parsed.record(kind, (*start, *events))
        start = []
    last: list[Event] = [*start, End(id="end")]
    yield Record(Origin(max(0, current), 0, 0, line), b"", "end", tuple(last))


def usage(source: Source, *, report: FileReport, options: ReadOptions = ReadOptions()) -> Iterator[Usage]:
    """What the thread was billed, in file order: what a full read gives, without reading what counts nothing.

    The events name no response, since that is only known to a full read. Raises `SourceError`s.
    """
    planned = plan(source)
    report.agent, report.session_id, report.scan = source.agent, planned.thread, "usage"
    copied = _copied(source, planned.first_own, planned.thread)
    counter = UsageCounter(planned.thread, report, raw=options.raw)
    for place, file in enumerate(source.files):
        if not planned.files[place].own:
            continue
        end = copied.end if place == planned.first_own else 0
        with closing(_markers(file.path, report)) as markers:
            for number, row, raw in markers:
                billed = counter.feed(number, row, raw, inherited=0 < number < end)
                if billed is not None:
                    yield billed


def _copied(source: Source, place: int, thread: str) -> Copied:
    """Which records of a thread's first file were copied. Only a fork is read as far as that takes."""
    copied = Copied(thread)
    with closing(_markers(source.files[place].path, None)) as markers:
        for _, row, _ in markers:
            if not copied.feed(row, timestamps.parse(row.timestamp)):
                break
    return copied


def _markers(path: str, report: FileReport | None) -> Generator[tuple[int, Line, bytes], None, None]:
    """The records that counting needs, numbered from 0."""
    number = 0
    for parsed in rows([path], line_decoder, is_record, has_marker):
        if report is not None:
            account(parsed, report)
        if parsed.row is not None and is_marker(parsed.row):
            yield number, parsed.row, parsed.json
            number += 1


def _refuse(source: Source) -> None:
    start = head(source.path, 4096).lstrip(b"\xef\xbb\xbf \t\r\n")
    if is_document(start):
        raise NotATranscript("this is one JSON document of the first Codex CLI, which cannot be read", path=source.path)
    raise NotATranscript("no line of it is a Codex record", path=source.path)


def _session(source: Source, found: Survey, options: ReadOptions) -> Session:
    first = found.plan.first
    thread = found.plan.thread
    own = source.files[found.plan.first_own].path
    return Session(
        id="session",
        time=found.clock.first,
        agent=source.agent,
        session_id=thread,
        files=source_files(source) if options.digest else (),
        cwd=found.cwd,
        title=title_of(own, thread) or found.title,
        first_prompt=first_words(found.first_prompt),
        version=found.version,
        model=found.model,
        provider=found.provider,
        git_branch=found.git_branch,
        parent_session_id=first.parent,
        forked_from=first.forked_from if first.parent is None else None,
        created=found.clock.first,
        modified=found.clock.last,
        complete=not found.damaged and not source.missing,
        imported_from=found.head.source if found.head is not None else None,
    )
