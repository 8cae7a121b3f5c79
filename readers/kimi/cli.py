"""Reading a session of Kimi CLI: its context, then its wire, then what it was billed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from panscript.readers.digest import source_files
from panscript.readers.jsonl import rows, surveyed
from panscript.readers.kimi.cli_events import CliTranslator
from panscript.readers.kimi.cli_survey import CliSurvey, Spent, survey_cli
from panscript.readers.kimi.contexts import Summaries
from panscript.readers.kimi.files import cwd_of, default_model, form_of, is_record, state_of
from panscript.readers.options import ReadOptions
from panscript.readers.rawjson import clean_raw
from panscript.schemas.errors import NotATranscript
from panscript.schemas.events import NO_RAW, End, Event, Meta, Session, Usage
from panscript.schemas.kimi.lean import State, cli_decoder
from panscript.schemas.naming import encodable, first_words, model_name
from panscript.schemas.records import Origin, Record, Source
from panscript.schemas.report import FileReport

__all__ = ["USAGE", "read_cli", "session_id", "usage_of"]

_PROVIDER = "moonshot"
_NEWER = 1_776_698_890_072
"""2026-04-20T15:28:10.072Z: when the model that is asked by default changed."""
USAGE = b'"token_usage"'
"""A line without these bytes carries no counts."""


def read_cli(source: Source, *, report: FileReport, options: ReadOptions) -> Iterator[Record]:
    """Every record of the session with its events; the first event is the `Session`."""
    found = survey_cli(source)
    session = session_id(source)
    report.agent, report.session_id = source.agent, session
    if found.seen and not found.understood:
        raise NotATranscript("no line of it is of Kimi CLI", path=source.path)
    state, cwd, model = state_of(source), cwd_of(source), default_model(source)
    start: list[Event] = [_session(source, session, found, state, cwd, model, options)]
    if cwd or state.custom_title or model:
        title = state.custom_title or None
        start.append(Meta(id="meta:session", time=found.clock.first, cwd=cwd, title=title, model=model))
    folder = Path(source.path).parent
    summaries = Summaries(source, found.compactions)
    translator = CliTranslator(found, report, summaries, folder, child=source.agent_id is not None)
    names = [_name(file.path, len(source.transcripts)) for file in source.transcripts]
    raws: dict[int, msgspec.Raw] = dict.fromkeys((spent.record for spent in found.spent), NO_RAW)
    line = 0
    records = rows([file.path for file in source.transcripts], cli_decoder, is_record)
    for number, parsed in surveyed(records, found.records, report, USAGE):
        line, row = parsed.line, parsed.row
        place = f"{names[parsed.file]}:{parsed.place}"
        kind, events = parsed.unread if row is None else translator.row(number, row, parsed.json, place, line)
        if options.raw and number in raws:
            raws[number] = clean_raw(parsed.json.strip())
        report.count(kind)
        yield parsed.record(kind, (*start, *events))
        start = []
    last: list[Event] = [*start, End(id="end")]
    if options.usage:
        found.spending.tell(report)
        for spent in found.spent:
            if spent.agent_id is not None and translator.elsewhere.tells(spent.agent_id):
                continue
            told = spent.closing >= 0 and not found.from_context
            if options.told_usage or not told:
                last.append(usage_of(spent, source, model, raws[spent.record], told=told))
    yield Record(Origin(max(0, len(names) - 1), 0, 0, line), b"", "end", tuple(last))


def session_id(source: Source) -> str:
    """What a session is called: a sub-agent with the session that began it."""
    return encodable(f"{source.parent or 'unknown'}/{source.agent_id}" if source.agent_id else source.id)


def _name(path: str, files: int) -> str:
    """What the lines of a file are called in ids; a session of one file needs no name for it."""
    return form_of(path) if files > 1 else "line"


def usage_of(
    spent: Spent, source: Source, model: str | None, raw: msgspec.Raw = NO_RAW, *, told: bool = False
) -> Usage:
    """The event of a response; `model`: the configured one."""
    return Usage(
        id=f"usage:{spent.place}",
        time=spent.time,
        agent_id=spent.agent_id or source.agent_id,
        tokens=spent.tokens,
        model=_model(model, spent.time),
        provider=_PROVIDER,
        message_id=spent.message_id,
        told=told,
        raw=raw,
    )


def _model(configured: str | None, time: int) -> str:
    """The model is not recorded: it is the configured one, else what was asked by default at the time."""
    return model_name(configured) or ("kimi-k2.5" if time < _NEWER else "kimi-k2.6")


def _session(
    source: Source,
    session: str,
    found: CliSurvey,
    state: State,
    cwd: str | None,
    model: str | None,
    options: ReadOptions,
) -> Session:
    billed = found.spent[-1] if found.spent else None
    parent = encodable(source.parent) if source.parent is not None else None
    return Session(
        id="session",
        time=found.clock.first,
        agent=source.agent,
        session_id=session,
        files=source_files(source) if options.digest else (),
        cwd=cwd,
        title=state.custom_title or state.title or (state.description if source.agent_id else None) or None,
        first_prompt=first_words(found.first_prompt),
        model=model or (_model(None, billed.time) if billed is not None else None),
        parent_session_id=parent,
        billed_to=parent,
        created=found.clock.first,
        modified=found.clock.last,
        complete=not found.damaged and not source.missing,
    )
