"""Reading telemetry as a session of its own: what conversations cost of which there is no event log."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from panscript.readers.copilot.otel import (
    MARKER,
    Counted,
    Telemetry,
    is_otel_row,
    merged,
    parsed_rows,
    skip,
    telemetry,
    usage_of,
)
from panscript.readers.digest import source_files
from panscript.readers.jsonl import account
from panscript.readers.options import ReadOptions
from panscript.schemas.errors import NotATranscript
from panscript.schemas.events import End, Event, Session
from panscript.schemas.records import Origin, Record, RecordClass, Source
from panscript.schemas.report import FileReport

__all__ = ["read_telemetry", "read_whole"]


def read_whole(source: Source) -> tuple[list[Telemetry], str | None]:
    """What each file says, and the session that is told: None where all that is in them is. Raises `SourceError`s."""
    found = [telemetry(file.path) for file in source.transcripts]
    if any(each.seen for each in found) and not any(each.understood for each in found):
        raise NotATranscript("no line of it is telemetry of Copilot", path=source.path)
    named = any(each.session == source.id for file in found for each in file.counted)
    own = [replace(file, counted=counted) for file, counted in zip(found, merged(found), strict=True)]
    return own, source.id if named else None


def read_telemetry(source: Source, *, report: FileReport, options: ReadOptions) -> Iterator[Record]:
    """Every record of the files. What belongs to other conversations gives no events, unless the session is the file.

    Raises `SourceError`s; nothing is opened before the first `next()`.
    """
    paths = [file.path for file in source.transcripts]
    found, one = read_whole(source)
    report.agent, report.session_id = source.agent, source.id
    start: tuple[Event, ...] = (_session(source, found, one, options),)
    line = 0
    for number, (path, told) in enumerate(zip(paths, found, strict=True)):
        skip(told, report, one)
        wanted = {(each.line, each.turn): each for each in told.counted}
        for parsed in parsed_rows(path):
            _, raw, _, line, row, trouble, turn = parsed
            if trouble is not None:
                account(parsed, report, "json_parse_error" if MARKER in raw else "other_json_parse_error")
            counted = wanted.get((line, turn))
            kind, events = parsed.unread
            if counted is not None:
                kind, events = _counted(counted, number, source.id, one, raw, options)
            elif row is not None and is_otel_row(row):
                kind = "state"
            elif row is not None:
                report.see_unknown(str(row.type or "(no type)"))
                kind = "opaque"
            report.count(kind)
            yield parsed._replace(file=number).record(kind, (*start, *events))
            start = ()
    yield Record(Origin(0, 0, 0, line), b"", "end", (*start, End(id="end")))


def _counted(
    counted: Counted, file: int, own: str, one: str | None, raw: bytes, options: ReadOptions
) -> tuple[RecordClass, list[Event]]:
    if one is not None and counted.session != one:
        return "inherited", []
    if not options.usage:
        return "used", []
    session = counted.session if counted.session != own else None
    name = f"usage:{file}:{counted.line}" if not counted.turn else f"usage:{file}:{counted.line}.{counted.turn}"
    return "used", [usage_of(counted, name, session=session, raw=raw if options.raw else b"")]


def _session(source: Source, found: list[Telemetry], one: str | None, options: ReadOptions) -> Session:
    mine = [each for file in found for each in file.counted if one is None or each.session == one]
    times = [each.time for each in mine if each.time is not None]
    return Session(
        id="session",
        time=min(times, default=None),
        agent=source.agent,
        session_id=source.id,
        files=source_files(source) if options.digest else (),
        model=next((each.model for each in reversed(mine) if each.model), None),
        created=min(times, default=None),
        modified=max(times, default=None),
        complete=not any(each.damaged for each in found),
    )
