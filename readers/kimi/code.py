"""Reading an agent of a session of Kimi Code: the wire of the session itself, or that of a sub-agent."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from panscript.readers.digest import source_files
from panscript.readers.jsonl import rows, surveyed
from panscript.readers.kimi.cli import session_id
from panscript.readers.kimi.code_events import CodeTranslator
from panscript.readers.kimi.code_survey import CodeSurvey, survey_code
from panscript.readers.kimi.files import is_record, state_of
from panscript.readers.options import ReadOptions
from panscript.readers.rawjson import clean_raw
from panscript.schemas.errors import NotATranscript
from panscript.schemas.events import End, Event, Meta, Session, Usage
from panscript.schemas.kimi.lean import Custom, State, code_decoder
from panscript.schemas.naming import encodable, first_words
from panscript.schemas.records import Origin, Record, Source
from panscript.schemas.report import FileReport

__all__ = ["USAGE", "forked_from", "read_code"]

USAGE = b'"usage.record"'
"""A line without these bytes carries no counts."""
_FORK = "fork"


def read_code(source: Source, *, report: FileReport, options: ReadOptions) -> Iterator[Record]:
    """Every record of the session with its events; the first event is the `Session`."""
    found = survey_code(source)
    session = session_id(source)
    report.agent, report.session_id = source.agent, session
    if found.seen and not found.understood:
        raise NotATranscript("no line of it is of Kimi Code", path=source.path)
    state = state_of(source)
    start: list[Event] = [_session(source, session, found, state, options)]
    title = state.title or None if source.agent_id is None else None
    cwd = _cwd(state)
    if title or cwd:
        start.append(Meta(id="meta:session", time=found.clock.first, cwd=cwd, title=title))
    origin = forked_from(state)
    translator = CodeTranslator(found, report, source.agent_id, origin, usage=options.usage, told=options.told_usage)
    line = 0
    records = rows([source.transcripts[-1].path], code_decoder, is_record)
    for number, parsed in surveyed(records, found.records, report, USAGE):
        line, row = parsed.line, parsed.row
        kind, events = parsed.unread if row is None else translator.row(number, row, parsed.json, parsed.place, line)
        if options.raw:
            events = [_with_raw(event, parsed.json) for event in events]
        found.branches.passed(number)
        report.count(kind)
        yield parsed.record(kind, (*start, *events))
        start = []
    yield Record(Origin(0, 0, 0, line), b"", "end", (*start, End(id="end")))


def _with_raw(event: Event, text: bytes) -> Event:
    return msgspec.structs.replace(event, raw=clean_raw(text.strip())) if isinstance(event, Usage) else event


def forked_from(state: State) -> str | None:
    """The session that the first records were copied from."""
    custom = state.custom or Custom()
    found = state.forked_from or (custom.parent_session_id if custom.kind == _FORK else None)
    return encodable(found) if found else None


def _cwd(state: State) -> str | None:
    return state.cwd or state.work_dir or (state.custom or Custom()).cwd or None


def _session(source: Source, session: str, found: CodeSurvey, state: State, options: ReadOptions) -> Session:
    own = source.agent_id is None
    custom = state.custom or Custom()
    parent = encodable(source.parent) if source.parent is not None else None
    other = encodable(custom.parent_session_id) if own and custom.parent_session_id else None
    return Session(
        id="session",
        time=found.clock.first,
        agent=source.agent,
        session_id=session,
        files=source_files(source) if options.digest else (),
        cwd=_cwd(state) or found.cwd,
        title=state.title or None if own else None,
        first_prompt=first_words(found.first_prompt),
        model=found.model,
        provider=found.provider,
        parent_session_id=parent or (other if custom.kind != _FORK else None),
        billed_to=parent,
        forked_from=forked_from(state) if own else None,
        created=found.clock.first,
        modified=found.clock.last,
        complete=not found.damaged and not source.missing,
    )
