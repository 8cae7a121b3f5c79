"""Conversation records: the form in which Gemini CLI, and forks of 2025, keep their sessions.

Odd about it: a message is written again whenever it grows, so each stands at its first place in its last version; the
log cuts itself (`$rewindTo`) and replaces all of its messages (`$set`), which compresses, masks or takes back; results
stand in the record of the call and once more in a message of the user; no record names the project's folder.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from panscript.readers.digest import source_files
from panscript.readers.elements import warn_of
from panscript.readers.jsonl import account
from panscript.readers.options import ReadOptions
from panscript.readers.recordings.events import Translator
from panscript.readers.recordings.rows import DamagedDocument, Place, Versions, is_document, records
from panscript.readers.recordings.survey import Survey, survey
from panscript.readers.recordings.usage import Billing
from panscript.schemas.errors import NotATranscript
from panscript.schemas.events import End, Event, Session
from panscript.schemas.naming import encodable, first_words
from panscript.schemas.records import Origin, Record, RecordClass, Source
from panscript.schemas.report import FileReport

__all__ = ["MARKER", "Kind", "read"]

MARKER = b'"tokens"'
"""A line without these bytes carries no counts."""


class Kind(msgspec.Struct, frozen=True, kw_only=True):
    """What the agents that write this form do not have in common."""

    name: str
    provider: str | None = None
    """Who bills every answer."""
    thoughts_apart: bool | None = True
    """Whether `output` is without thoughts; None where the total tells."""
    single_request: bool = True


def read(
    source: Source, kind: Kind, cwd: str | None, *, report: FileReport, options: ReadOptions = ReadOptions()
) -> Iterator[Record]:
    """Every record of the session with its events; the first event is the `Session`.

    `cwd` is the project's folder, where something beside the session tells it. Raises `SourceError`s.
    """
    found = survey(source)
    if cwd is None and found.kind == "subagent" and found.directories:
        cwd = found.directories[0]
    session = _session(source, found, cwd, options)
    report.agent, report.session_id = source.agent, session.session_id
    if found.seen and not found.understood:
        if is_document(source.path):
            report.skip_line("invalid_session_data", 1)
        raise NotATranscript(f"nothing in it is a {kind.name} message", path=source.path)
    if not found.headed and found.seen and not any(is_document(file.path) for file in source.transcripts):
        report.complete = False
        report.warn("header_missing", "the file has no readable header; the id comes from its name")
    if found.repeated:
        report.warn("id_repeated", f"{found.repeated} messages have the id of an earlier one")
    billing = None
    if options.usage:
        billing = Billing(
            report=report,
            provider=kind.provider,
            cwd=cwd,
            thoughts_apart=kind.thoughts_apart,
            single_request=kind.single_request,
            raw=options.raw,
            told=options.told_usage,
        )
    versions = Versions(source)
    child = source.parent is not None or found.kind == "subagent"
    translator = Translator(found, versions, report, billing, kind.thoughts_apart, child=child)
    start: list[Event] = [session, *translator.begin({"cwd": cwd}, session.created)]
    try:
        yield from _records(source, found, translator, start, report)
    finally:
        versions.close()


def _records(
    source: Source, found: Survey, translator: Translator, start: list[Event], report: FileReport
) -> Iterator[Record]:
    whole, line = Place(0, 0, 0), 0
    for number, parsed in enumerate(records(source)):
        if number >= found.records:
            report.warn("file_changed", "the file grew while it was read; what was added is left out")
            break
        file, raw, offset, line, row, trouble, turn = parsed
        if trouble is not None:
            billed = MARKER in raw or isinstance(trouble, DamagedDocument)
            account(parsed, report, "json_parse_error" if billed else "other_json_parse_error")
            warn_of(trouble.skip or "", report)
        whole = Place(file, offset, len(raw)) if raw else whole
        kind: RecordClass
        events: list[Event]
        if row is None:
            # What stands between the messages of a document is its own bookkeeping.
            kind = "skipped" if trouble is None or not trouble.blank else "blank" if not raw.strip() else "state"
            events = []
        else:
            kind, events = translator.row(number, row, whole._replace(turn=turn), parsed.json, line)
        kind = "used" if start and kind == "state" else kind
        report.count(kind)
        yield parsed.record(kind, (*start, *events))
        start = []
    yield Record(Origin(0, 0, 0, line), b"", "end", (*start, End(id="end")))


def _session(source: Source, found: Survey, cwd: str | None, options: ReadOptions) -> Session:
    created = found.created if found.created is not None else found.clock.first
    return Session(
        id="session",
        time=created,
        agent=source.agent,
        session_id=found.session_id or encodable(source.id),
        files=source_files(source) if options.digest else (),
        cwd=cwd,
        title=found.title,
        first_prompt=first_words(found.first_prompt),
        model=found.model,
        parent_session_id=encodable(source.parent) if source.parent is not None else None,
        created=created,
        modified=found.clock.last if found.clock.last is not None else found.updated,
        complete=not found.damaged and not source.missing,
    )
