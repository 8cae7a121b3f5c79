"""OpenClaw: a SQLite database for each of its agents, `~/.openclaw/agents/<agent>/agent/openclaw-agent.sqlite`; until
2026 a file of JSON lines for each session, `agents/<agent>/sessions/<session id>.jsonl`.

The lines are Pi's in both, so Pi's translation is used. Odd about it: answers are written a second time when they are
delivered to a chat channel; a call that failed may be marked as one that did not; calls inside of a call stand between
that call and its result; counts come under the names of whatever program is behind it; large rows are compressed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from msgspec.structs import replace

from panscript.readers.digest import Digest
from panscript.readers.jsonl import surveyed
from panscript.readers.openclaw.files import detect, layout, resolve
from panscript.readers.openclaw.forms import Form, opened
from panscript.readers.openclaw.rows import COPY
from panscript.readers.openclaw.store import TABLES
from panscript.readers.options import ReadOptions
from panscript.readers.pi.events import Translator
from panscript.readers.pi.files import Header
from panscript.readers.pi.survey import Survey
from panscript.readers.pi.usage import MARKER, UsageCounter
from panscript.schemas.errors import NotATranscript
from panscript.schemas.events import End, Event, Meta, Session, SourceFile
from panscript.schemas.naming import first_words
from panscript.schemas.plural import times
from panscript.schemas.records import Origin, Record, Source
from panscript.schemas.report import FileReport

__all__ = ["TABLES", "detect", "layout", "placed", "read", "resolve"]

_CHANNEL = re.compile(r"\[\w{3} \d{4}-\d\d-\d\d \d\d:\d\d [^\]\n]{1,12}\] ")
"""When it was sent, as put before what came through a chat channel."""


class _Found(NamedTuple):
    survey: Survey
    header: Header
    child: bool


def read(source: Source, *, report: FileReport, options: ReadOptions = ReadOptions()) -> Iterator[Record]:
    """Every record of the session with its events; the first event is the `Session`.

    Rows of a database are given as the JSON they hold. Raises `SourceError`s; nothing is opened before the first
    `next()`.
    """
    digest = Digest(source, options)
    with opened(source, options) as form:
        found = _survey(source, form, digest)
        report.agent, report.session_id = source.agent, found.header.session_id
        if found.survey.seen and not found.survey.understood:
            raise NotATranscript("no line of it is of OpenClaw", path=source.path)
        _warn(found, report)
        yield from _records(form, found, _session(source, form, found, digest.files()), report, options)


def _survey(source: Source, form: Form, digest: Digest) -> _Found:
    survey = Survey(replace(source, files=source.transcripts))
    for number, parsed in enumerate(form.lines()):
        if digest.of_records:
            digest.add(parsed.raw)
        trouble = parsed.trouble
        if trouble is not None and trouble.skip is not None:
            survey.damaged += 1
        if trouble is None or not trouble.blank:
            survey.seen = True
        if parsed.row is None:
            survey.nothing()
        else:
            survey.row(number, parsed.row, parsed.line)
    survey.end()
    assert survey.header is not None
    header = survey.header = placed(survey.header, source, form)
    return _Found(survey, header, child=source.parent is not None or form.facts.is_child)


def placed(header: Header, source: Source, form: Form) -> Header:
    """The header of a session with what its place says."""
    if not form.in_database:
        return header
    # The row it is stored under is what it is known by; the database is named for all of them.
    header = header._replace(session_id=source.id, time=header.time if header.found else form.facts.created)
    if header.parent is not None:
        header = header._replace(parent_is_there=form.holds(header.parent))
    return header


def _records(form: Form, found: _Found, session: Session, report: FileReport, options: ReadOptions) -> Iterator[Record]:
    survey = found.survey
    translator = Translator(survey, report, None, child=found.child)
    counter = UsageCounter(found.header, report, raw=options.raw) if options.usage else None
    start: list[Event] = [session]
    if session.title is not None and session.title != survey.title:
        start.append(Meta(id="meta:title", time=session.created, title=session.title))
    line = 0
    for number, parsed in surveyed(form.lines(), len(survey.flags), report, MARKER):
        line, row, text = parsed.line, parsed.row, parsed.json
        kind, events = parsed.unread if row is None else translator.row(number, row, text, line, parsed.turn)
        if row is not None and row.custom_type == COPY:
            kind = "twin"
        if counter is not None and row is not None:
            billed = counter.add(row, text, line)
            if billed is not None and (options.told_usage or not billed.told):
                events.append(billed)
        survey.branches.passed(number)
        report.count(kind)
        yield parsed.record(kind, (*start, *events), form.place)
        start = []
    yield Record(Origin(0, 0, 0, line), b"", "end", (*start, End(id="end")))


def _warn(found: _Found, report: FileReport) -> None:
    survey = found.survey
    if not found.header.found and survey.seen:
        report.complete = False
        report.warn("header_missing", "the session has no readable header; id and time come from beside it")
    if survey.orphaned:
        report.warn(
            "parent_missing",
            times(survey.orphaned, "entry names", "entries name") + " a parent that does not stand before it",
        )
    if survey.circles:
        report.warn(
            "cycle",
            times(survey.circles, "entry is its own ancestor", "entries are their own ancestors")
            + "; the circle was cut",
        )
    if survey.repeated:
        report.warn("id_repeated", times(survey.repeated, "entry has", "entries have") + " the id of an earlier one")


def _session(source: Source, form: Form, found: _Found, files: tuple[SourceFile, ...]) -> Session:
    survey, header = found.survey, found.header
    began = header.time if header.time is not None else survey.clock.first
    prompt = _CHANNEL.sub("", survey.first_prompt, count=1) if survey.first_prompt else ""
    return Session(
        id="session",
        time=began,
        agent=source.agent,
        session_id=header.session_id,
        files=files,
        cwd=header.cwd,
        title=form.facts.title or survey.title,
        first_prompt=first_words(prompt) if not found.child else None,
        model=survey.model,
        provider=survey.provider,
        parent_session_id=source.parent or form.facts.parent,
        forked_from=header.parent,
        created=began,
        modified=survey.clock.last,
        complete=header.found and not survey.damaged and not source.missing,
    )
