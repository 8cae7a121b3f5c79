"""Qwen Code: JSON lines at `~/.qwen/projects/<folder of the cwd>/chats/<session id>.jsonl`.

Odd about it: rows are a tree, and state rows are links of it; a row may be written in pieces that share a uuid; results
and calls stand in Google's form, tokens as well, but counted as the provider counts; titles are written again and
again. What was written in 2025 has the form of Gemini CLI (`~/.qwen/tmp/<hash>/chats/session-*.json`).
"""

from __future__ import annotations

from collections.abc import Iterator

from panscript.readers import recordings
from panscript.readers.digest import source_files
from panscript.readers.jsonl import rows, surveyed
from panscript.readers.options import ReadOptions
from panscript.readers.qwen.events import Translator
from panscript.readers.qwen.files import detect, is_record, is_recording, layout, resolve
from panscript.readers.qwen.survey import Survey, survey
from panscript.readers.recordings.files import start_of
from panscript.readers.recordings.rows import is_document
from panscript.schemas.errors import NotATranscript
from panscript.schemas.events import End, Event, Session
from panscript.schemas.naming import encodable, first_words
from panscript.schemas.qwen.lean import row_decoder
from panscript.schemas.records import Origin, Record, Source
from panscript.schemas.report import FileReport

__all__ = ["EARLY", "MARKER", "detect", "is_early", "layout", "read", "resolve"]

EARLY = recordings.Kind(name="Qwen Code", thoughts_apart=None, single_request=False)
MARKER = b'"usageMetadata"'
"""A line without these bytes carries no counts."""


def is_early(source: Source) -> bool:
    """Whether the session has the form of 2025."""
    start = start_of(source.path)
    return start is not None and (is_recording(start) or is_document(source.path))


def read(source: Source, *, report: FileReport, options: ReadOptions = ReadOptions()) -> Iterator[Record]:
    """Every record of the session with its events; the first event is the `Session`.

    Raises `SourceError`s; nothing is opened before the first `next()`.
    """
    if is_early(source):
        yield from recordings.read(source, EARLY, None, report=report, options=options)
        return
    found = survey(source)
    agent = source.agent_id or found.agent_id
    session = _session(source, found, agent, options)
    report.agent, report.session_id = source.agent, session.session_id
    if found.seen and not found.understood:
        raise NotATranscript("no line of it is a Qwen Code row", path=source.path)
    if found.orphaned:
        report.warn("parent_missing", f"{found.orphaned} rows name a parent that is not in the file before them")
    translator = Translator(found, source, report, options, agent)
    yield from _records(source, found, translator, [session], report)


def _records(
    source: Source, found: Survey, translator: Translator, start: list[Event], report: FileReport
) -> Iterator[Record]:
    line = 0
    records = rows([file.path for file in source.transcripts], row_decoder, is_record)
    for number, parsed in surveyed(records, len(found.flags), report, MARKER):
        line = parsed.line
        if parsed.row is None:
            kind, events = parsed.unread
            translator.passed(number)
        else:
            kind, events = translator.row(number, parsed.row, parsed.json, parsed.place, line)
        report.count(kind)
        yield parsed.record(kind, (*start, *events))
        start = []
    yield Record(Origin(0, 0, 0, line), b"", "end", (*start, End(id="end")))


def _session(source: Source, found: Survey, agent: str | None, options: ReadOptions) -> Session:
    own = found.session_id or encodable(source.id)
    parent = encodable(source.parent) if source.parent is not None else found.session_id
    return Session(
        id="session",
        time=found.clock.first,
        agent=source.agent,
        session_id=f"{parent or 'unknown'}/{encodable(agent)}" if agent is not None else own,
        files=source_files(source) if options.digest else (),
        cwd=found.cwd,
        title=found.title,
        first_prompt=first_words(found.first_prompt),
        version=found.version,
        model=found.model,
        git_branch=found.git_branch,
        parent_session_id=parent if agent is not None else found.parent_session,
        billed_to=parent if agent is not None else None,
        forked_from=found.forked_from,
        created=found.clock.first,
        modified=found.clock.last,
        complete=not found.damaged and not source.missing,
    )
