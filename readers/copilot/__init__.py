"""GitHub Copilot CLI: event logs below `~/.copilot/session-state/<session id>/`, telemetry below `~/.copilot/otel/`.

Odd about it: what a request cost stands in up to four places (telemetry, the event log, its shutdown records, an index
database), of which one is counted: telemetry, else the log; the log has the conversation, that of sub-agents in the
same file; and a message, its call and the call's start say the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from panscript.readers.copilot.events import Translator
from panscript.readers.copilot.files import Workspace, detect, is_record, is_telemetry, layout, resolve, workspace_of
from panscript.readers.copilot.logged import MARKER, Logged
from panscript.readers.copilot.otel import Counted, Telemetry, merged, skip, telemetry, usage_of
from panscript.readers.copilot.spans import read_telemetry
from panscript.readers.copilot.survey import Survey, survey
from panscript.readers.digest import source_files
from panscript.readers.jsonl import rows, surveyed
from panscript.readers.lines import lines
from panscript.readers.options import ReadOptions
from panscript.schemas.copilot.lean import row_decoder
from panscript.schemas.errors import NotATranscript, SourceError
from panscript.schemas.events import End, Event, Session, Usage
from panscript.schemas.naming import encodable, first_words
from panscript.schemas.records import Origin, Record, Source
from panscript.schemas.report import FileReport

__all__ = ["counted_beside", "detect", "id_in", "layout", "read", "resolve"]


def read(source: Source, *, report: FileReport, options: ReadOptions = ReadOptions()) -> Iterator[Record]:
    """Every record of the session with its events; the first event is the `Session`.

    What the session cost comes after the end: from the telemetry beside its log, else from the log. Raises
    `SourceError`s; nothing is opened before the first `next()`.
    """
    if is_telemetry(source.files[0].path):
        yield from read_telemetry(source, report=report, options=options)
        return
    found = survey(source)
    session = id_in(found, source)
    report.agent, report.session_id = source.agent, session
    if found.seen and not found.understood:
        raise NotATranscript("no line of it is an event of Copilot", path=source.path)
    yield from _records(source, session, found, report, options)


def _records(source: Source, session: str, found: Survey, report: FileReport, options: ReadOptions) -> Iterator[Record]:
    counted = list(counted_beside(source, session, report))
    workspace = workspace_of(source)
    known = {each.response: each.tokens for _, each in counted if each.response}
    start: tuple[Event, ...] = (_session(source, session, found, workspace, options),)
    translator = Translator(found, workspace, report, known)
    logged = Logged(report) if options.usage and not counted else None
    line = 0
    records = rows([source.files[0].path], row_decoder, is_record)
    for number, parsed in surveyed(records, found.records, report, MARKER if logged is not None else None):
        line, row = parsed.line, parsed.row
        if logged is not None and row is not None:
            logged.row(row, parsed.place, parsed.json if options.raw else b"")
        kind, events = parsed.unread if row is None else translator.row(number, row, parsed.json, line, parsed.turn)
        report.count(kind)
        yield parsed.record(kind, (*start, *events))
        start = ()
    billed: Iterable[Usage] = ()
    if logged is not None:
        billed = logged.usage(translator.told)
    elif options.usage:
        billed = _usage(source, counted, translator.told, raw=options.raw)
    wanted = (usage for usage in billed if options.told_usage or not usage.told)
    yield Record(Origin(0, 0, 0, line), b"", "end", (*start, End(id="end"), *wanted))


def id_in(found: Survey, source: Source) -> str:
    """The session id that a log states, else that of the source."""
    return encodable((found.session or "").strip()) or source.id


def counted_beside(source: Source, session: str, report: FileReport) -> Iterator[tuple[str, Counted]]:
    """The records of the telemetry beside the log that tell what this session cost, with their files."""
    files: list[tuple[str, Telemetry]] = []
    for file in source.files[1:]:
        if file.role != "side" or file.path.endswith(".yaml"):
            continue
        try:
            found = telemetry(file.path)
        except SourceError as problem:
            report.complete = False
            report.warn("base_missing", f"telemetry of the session cannot be read: {problem.message}")
            continue
        skip(found, report, session)
        for code, times in found.bad_lines.items():
            report.skip(code, times)
        files.append((file.path, found))
    for (path, _), counted in zip(files, merged([found for _, found in files]), strict=True):
        yield from ((path, each) for each in counted if each.session == session)


def _usage(source: Source, counted: list[tuple[str, Counted]], told: set[str], *, raw: bool) -> Iterator[Usage]:
    places = {file.path: number for number, file in enumerate(source.files)}
    texts: dict[str, dict[int, bytes]] = {}
    for path, each in counted:
        if raw and path not in texts:
            texts[path] = _lines_of(path, {other.line for name, other in counted if name == path})
        name = f"usage:{places[path]}:{each.line}" + (f".{each.turn}" if each.turn else "")
        text = texts[path].get(each.line, b"") if raw else b""
        yield usage_of(each, name, session=None, told=each.response in told, raw=text)


def _lines_of(path: str, wanted: set[int]) -> dict[int, bytes]:
    """Some lines of a file, where records were asked for."""
    return {number: raw for raw, _, number in lines(path) if number in wanted}


def _session(source: Source, session: str, found: Survey, workspace: Workspace, options: ReadOptions) -> Session:
    created = found.created if found.created is not None else found.clock.first
    return Session(
        id="session",
        time=created,
        agent=source.agent,
        session_id=session,
        files=source_files(source) if options.digest else (),
        cwd=found.cwd or workspace.cwd,
        title=workspace.title,
        first_prompt=first_words(found.first_prompt),
        version=found.version,
        model=found.model,
        provider=found.provider,
        git_branch=found.branch or workspace.branch,
        parent_session_id=found.parent,
        created=created,
        modified=found.clock.last,
        complete=not found.damaged and not source.missing,
    )
