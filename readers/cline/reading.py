"""Reading a session of the family: every record of its files with its events."""

from __future__ import annotations

from collections.abc import Iterator

from panscript.readers.cline.events import Translator
from panscript.readers.cline.interface import Shower
from panscript.readers.cline.survey import Part, Survey, survey
from panscript.readers.cline.usage import of_manifest, of_request, tokens_of_request, usage_of_message
from panscript.readers.digest import source_files
from panscript.readers.elements import Piece
from panscript.readers.options import ReadOptions
from panscript.schemas.errors import NotATranscript
from panscript.schemas.events import End, Event, Meta, Session, Usage
from panscript.schemas.naming import encodable, first_words
from panscript.schemas.records import Origin, Record, RecordClass, Source
from panscript.schemas.report import FileReport

__all__ = ["read"]


def read(source: Source, *, report: FileReport, options: ReadOptions = ReadOptions()) -> Iterator[Record]:
    """Every record of the session with its events; the first event is the `Session`.

    The elements of its arrays are records, and so is what stands between them. Raises `SourceError`s; nothing is opened
    before the first `next()`.
    """
    found = survey(source, report)
    report.agent, report.session_id = source.agent, encodable(found.session_id)
    for part in found.parts:
        if part.is_silent:
            report.skip_line("invalid_messages_data", 1)
            report.warn("partly_read", f"{part.name} holds no array of messages; nothing of it was read")
    if not found.understood:
        raise NotATranscript("there is no task in it", path=source.path)
    reading = _Reading(source, found, report, options)
    if source.missing or found.is_manifest:
        report.complete = False
    start: list[Event] = [_session(source, found, options), *_facts(found)]
    line = 1
    for file, part in enumerate(found.parts):
        if part.document.damaged:
            report.complete = False
        for piece in part.pieces:
            kind, events = reading.piece(part, piece)
            if start:
                events, start = start + events, []
                kind = "used" if kind in ("state", "blank") else kind
            report.count(kind)
            raw = piece.raw
            yield Record(Origin(file, piece.offset, len(raw), piece.line), raw, kind, tuple(events))
            line = piece.line
    last: list[Event] = [*start, End(id="end")]
    total = of_manifest(found, report, keep=options.raw) if found.is_manifest and options.usage else None
    if total is not None:
        last.append(total)
    yield Record(Origin(len(found.parts) - 1, 0, 0, line), b"", "end", tuple(last))


class _Reading:
    def __init__(self, source: Source, found: Survey, report: FileReport, options: ReadOptions) -> None:
        self._found, self._report, self._options = found, report, options
        self._apart = source.agent == "cline"
        self._translator = Translator(found, report, apart=self._apart)
        self._shower = Shower(found, report, alone=not found.messages)
        self._answered = set(found.answers.values())

    def piece(self, part: Part, piece: Piece) -> tuple[RecordClass, list[Event]]:
        """The class of a stretch of a file and what it says."""
        element = piece.element
        if element is None:
            if piece.broken:
                self._report.skip_line("json_parse_error", piece.line)
                return "skipped", []
            return "state" if piece.raw.strip(b"[], \t\r\n\0\xef\xbb\xbf") else "blank", []
        if part.form == "api":
            return self._message(part, element, piece.raw)
        return self._shown(part, element, piece.raw)

    def _message(self, part: Part, element: int, raw: bytes) -> tuple[RecordClass, list[Event]]:
        message = part.messages.get(element)
        if message is None:
            return "skipped", []
        if part.messages is not self._found.messages:
            return "twin", []
        kind, events = self._translator.message(element, message, raw)
        if element not in self._found.answers:
            time = self._translator.time(element, message)
            used = usage_of_message(element, message, time, self._found, raw, self._report, keep=self._options.raw)
            self._bill(used, events)
        return kind, events

    def _shown(self, part: Part, element: int, raw: bytes) -> tuple[RecordClass, list[Event]]:
        row = part.shown.get(element)
        if row is None:
            return "skipped", []
        if part.shown is not self._found.shown:
            return "twin", []
        kind, events = self._shower.row(element, row, raw)
        spent = self._found.requests.get(element)
        if spent is None:
            return kind, events
        told = element in self._answered and tokens_of_request(spent, apart=self._apart) is not None
        used = of_request(
            element,
            spent,
            self._found,
            raw,
            self._report,
            apart=self._apart,
            told=told,
            keep=self._options.raw,
        )
        self._bill(used, events)
        return ("used" if used is not None else kind), events

    def _bill(self, used: Usage | None, events: list[Event]) -> None:
        if used is not None and self._options.usage and (self._options.told_usage or not used.told):
            events.append(used)


def _facts(found: Survey) -> list[Event]:
    facts = found.facts
    if not (facts.title or found.cwd or facts.version or found.parent or facts.forked_from):
        return []
    parent = found.parent or facts.forked_from
    meta = Meta(
        id="meta:session",
        time=found.first,
        cwd=found.cwd,
        title=facts.title,
        version=facts.version,
        parent_session_id=parent,
    )
    return [meta]


def _session(source: Source, found: Survey, options: ReadOptions) -> Session:
    facts = found.facts
    return Session(
        id="session",
        time=found.first,
        agent=source.agent,
        session_id=encodable(found.session_id),
        files=source_files(source) if options.digest else (),
        cwd=found.cwd,
        title=facts.title,
        first_prompt=first_words(found.first_prompt),
        version=facts.version,
        model=found.model,
        provider=found.default_provider(None),
        parent_session_id=found.parent,
        forked_from=facts.forked_from,
        created=found.first,
        modified=found.last,
        complete=all(part.whole for part in found.parts) and not source.missing and not found.is_manifest,
    )
