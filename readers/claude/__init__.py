"""Claude Code: JSON lines below `~/.claude/projects/<folder of the cwd>/<session id>.jsonl`, since 2025.

Odd about it: one response stands on several rows, one block each, with results between them at times; parallel
results hang beside the chain; a compaction boundary has no parent; usage is final only in some versions.
"""

from __future__ import annotations

from collections.abc import Iterator

from panscript.readers.claude.counting import MARKER, Places, UsageCounter
from panscript.readers.claude.counting import read_usage as usage
from panscript.readers.claude.events import Translator
from panscript.readers.claude.files import detect, is_record, layout, meta_file, resolve
from panscript.readers.claude.recording import imported as recorded
from panscript.readers.claude.survey import Survey, survey
from panscript.readers.digest import source_files
from panscript.readers.imported import Imported
from panscript.readers.jsonl import rows, surveyed
from panscript.readers.options import ReadOptions
from panscript.schemas.claude.lean import row_decoder
from panscript.schemas.errors import NotATranscript
from panscript.schemas.events import End, Event, Session
from panscript.schemas.naming import encodable, first_words
from panscript.schemas.plural import times
from panscript.schemas.records import Origin, Record, Source
from panscript.schemas.report import FileReport

__all__ = ["detect", "layout", "read", "resolve", "usage"]


def read(source: Source, *, report: FileReport, options: ReadOptions = ReadOptions()) -> Iterator[Record]:
    """Every record of the session with its events; the first event is the `Session`.

    Raises `SourceError`s; nothing is opened before the first `next()`.
    """
    own = source.agent_id is not None
    found = survey(source, own=own)
    report.agent, report.session_id = source.agent, _session_id(source, found)
    if found.orphaned:
        report.warn(
            "parent_missing",
            times(found.orphaned, "record names", "records name") + " a parent that is not in the file",
        )
    if not found.understood and (found.damaged or found.strange):
        raise NotATranscript("no line of it is a Claude Code row", path=source.path)
    record = recorded(source.transcripts[-1].path) if found.recorded else None
    try:
        yield from _records(source, found, record, report, options)
    finally:
        if record is not None:
            record.close()


def _records(
    source: Source, found: Survey, record: Imported | None, report: FileReport, options: ReadOptions
) -> Iterator[Record]:
    own = source.agent_id is not None
    start: list[Event] = [_session(source, found, options)]
    translator = Translator(found, report, record, own=own)
    counter = UsageCounter(report, own=own, raw=options.raw) if options.usage and options.told_usage else None
    places = Places()
    line = 0
    records = rows([file.path for file in source.transcripts], row_decoder, is_record)
    for number, parsed in surveyed(records, len(found.flags), report, MARKER):
        line, row, text = parsed.line, parsed.row, parsed.json
        place = places.of(line, first=not parsed.turn)
        kind, events = parsed.unread if row is None else translator.row(number, row, text, place, line)
        if counter is not None and row is not None:
            counter.add(place, row, text)
        translator.passed(number)
        report.count(kind)
        yield parsed.record(kind, (*start, *events))
        start = []
    last: list[Event] = [*start, *translator.foreign_summaries(), End(id="end")]
    if counter is not None:
        last.extend(counter.events())
    yield Record(Origin(0, 0, 0, line), b"", "end", tuple(last))


def _session_id(source: Source, found: Survey) -> str:
    if source.agent_id is not None:
        return encodable(f"{source.parent or found.session_id or 'unknown'}/{source.agent_id}")
    return found.session_id or encodable(source.id)


def _parent(source: Source, found: Survey) -> str | None:
    parent = source.parent or found.session_id
    return encodable(parent) if parent is not None else None


def _description(source: Source) -> str | None:
    return meta_file(source.path).description if source.agent_id is not None else None


def _session(source: Source, found: Survey, options: ReadOptions) -> Session:
    return Session(
        id="session",
        time=found.clock.first,
        agent=source.agent,
        session_id=_session_id(source, found),
        files=source_files(source) if options.digest else (),
        cwd=found.cwd,
        title=found.title or found.ai_title or found.last_summary or _description(source),
        first_prompt=first_words(found.first_prompt),
        version=found.version,
        model=found.model,
        provider=found.provider,
        git_branch=found.git_branch,
        parent_session_id=_parent(source, found) if source.agent_id is not None else None,
        billed_to=_parent(source, found) if source.agent_id is not None else None,
        forked_from=found.forked_from,
        created=found.clock.first,
        modified=found.clock.last,
        complete=not found.damaged and not source.missing,
        imported_from=found.head.source if found.head is not None else None,
    )
