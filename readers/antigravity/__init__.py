"""Antigravity, its command line `agy` and its editor: `~/.gemini/antigravity-cli/conversations/<id>.db`, one SQLite
database a conversation, and a log of JSON lines below `brain/<id>/`.

Odd about it: the database holds Protocol Buffers that nobody describes, of which a few fields are known; the log has
the texts but no ids of calls; what a person typed stands in it between things that the agent added; prompts of all
conversations stand once more in `history.jsonl`, which alone says surely where they were typed. Only the log can be
read of older conversations, which are encrypted. A document that another program exported is read where it lies beside.
"""

from __future__ import annotations

from collections.abc import Iterator

from panscript.readers.antigravity.events import Translator
from panscript.readers.antigravity.files import detect, layout, resolve
from panscript.readers.antigravity.forms import Conversation, Piece, opened
from panscript.readers.antigravity.store import OTHER_TABLES, TABLES
from panscript.readers.antigravity.survey import Survey, survey
from panscript.readers.antigravity.usage import Counter
from panscript.readers.digest import Digest
from panscript.readers.options import ReadOptions
from panscript.schemas.errors import NotATranscript
from panscript.schemas.events import End, Event, Meta, Session, SourceFile
from panscript.schemas.records import Origin, Record, RecordClass, Source
from panscript.schemas.report import FileReport

__all__ = ["OTHER_TABLES", "TABLES", "detect", "layout", "read", "resolve"]


def read(source: Source, *, report: FileReport, options: ReadOptions = ReadOptions()) -> Iterator[Record]:
    """Every record of the conversation with its events; the first event is the `Session`.

    Rows of the database are JSON objects, their bytes in base64. Raises `SourceError`s; nothing is opened before the
    first `next()`.
    """
    digest = Digest(source, options)
    with opened(source, options) as conversation:
        child = source.parent is not None or conversation.about.parent is not None
        found = survey(conversation, digest, child=child)
        report.agent, report.session_id = source.agent, source.id
        if found.seen and not found.understood:
            raise NotATranscript("nothing in it is a step of Antigravity", path=source.path)
        if conversation.lost:
            report.complete = False
            report.warn("not_read", "the database beside the log is damaged or encrypted; what was billed stands in it")
        session = _session(source, conversation, found, digest.files())
        yield from _records(conversation, found, session, report, options, child=child)


def _records(
    conversation: Conversation,
    found: Survey,
    session: Session,
    report: FileReport,
    options: ReadOptions,
    *,
    child: bool,
) -> Iterator[Record]:
    translator = Translator(found, report, child=child)
    counter = Counter(found, conversation.about.created, report, raw=options.raw) if options.usage else None
    start: list[Event] = [session]
    if session.cwd or session.git_branch:
        start.append(Meta(id="meta", time=session.created, cwd=session.cwd, git_branch=session.git_branch))
    file = line = responses = 0
    for number, piece in enumerate(conversation.pieces()):
        file, line, raw = piece.file, piece.line, piece.raw
        _account(piece, report)
        kind: RecordClass
        events: list[Event] = []
        if piece.repeats:
            kind = "twin"
        elif piece.step is not None:
            kind, events = translator.step(number, piece, piece.step)
        elif piece.is_head:
            kind = "used"
        elif piece.request is not None:
            responses += 1
            kind = "twin" if responses in found.repeated else "used"
            billed = counter.add(piece) if counter is not None else None
            if billed is not None and (options.told_usage or not billed.told):
                events.append(billed)
        elif piece.between:
            kind = "state" if raw.strip(b", \t\r\n\0\xef\xbb\xbf") else "blank"
        else:
            kind = "blank" if piece.trouble is not None and piece.trouble.blank else "skipped"
        report.count(kind)
        yield Record(Origin(file, piece.offset, len(raw), line, piece.place), raw, kind, (*start, *events))
        start = []
    yield Record(Origin(file, 0, 0, line), b"", "end", (*start, End(id="end")))


def _account(piece: Piece, report: FileReport) -> None:
    """Count what the tolerant decoder had to do. Lines of the log hold no usage."""
    trouble = piece.trouble
    if trouble is None:
        return
    if trouble.skip is not None:
        code = "other_json_parse_error" if trouble.skip == "json_parse_error" else trouble.skip
        report.skip_line(code, piece.line)
    for note in trouble.notes:
        report.change(note)


def _session(source: Source, conversation: Conversation, found: Survey, files: tuple[SourceFile, ...]) -> Session:
    about = conversation.about
    times = [time for time in (about.created, found.clock.first) if time is not None]
    return Session(
        id="session",
        time=min(times, default=None),
        agent=source.agent,
        session_id=source.id,
        files=files,
        cwd=conversation.cwd(),
        first_prompt=found.first_prompt,
        model=found.model,
        git_branch=about.git_branch,
        parent_session_id=source.parent or about.parent,
        created=min(times, default=None),
        modified=found.clock.last,
        complete=not found.damaged and not conversation.lost,
    )
