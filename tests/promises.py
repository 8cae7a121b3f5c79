"""What holds of every session, whatever bytes it is made of: whole, damaged, or no session at all."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec

from panscript.readers.databases import is_database
from panscript.readers.lines import is_packed
from panscript.readers.opening import read, reader
from panscript.schemas.errors import PanscriptError
from panscript.schemas.events import End, Event, Message, Opaque, Session, ToolCall, ToolResult
from panscript.schemas.records import Record, SessionFile, Source
from panscript.schemas.report import FileReport
from panscript.stages.pipe import events_of
from panscript.stages.prepare import prepare

__all__ = ["check", "check_file"]


def check(source: Source, *, all_files: bool = False) -> list[Event] | None:
    """Everything that holds for any bytes at all; gives the events, or None where the session is refused.

    It is refused by an error of ours, in one line. Else every record is counted in one class, the raws of each text
    file joined are that file, ids are unique, parents come before their children, all that is said can be written
    down, and the session can be made ready for a writer.

    `all_files`: records stand in side files as well (a tree of OpenCode, where each message is a file).
    """
    report = FileReport(path=source.path)
    try:
        records = list(read(source, report=report))
    except PanscriptError as problem:
        _is_told_in_one_line(problem)
        return None
    assert sum(report.classes.values()) == report.records == len(records) - 1
    _are_the_files(records, source.files if all_files else source.transcripts)
    stream = list(events_of(records))
    assert isinstance(stream[0], Session)
    # What is held back to the end follows it in the same record.
    assert records[-1].kind == "end"
    assert [type(event) for event in records[-1].events].count(End) == 1
    assert [type(event) for event in stream].count(End) == 1
    assert [name for name, times in Counter(event.id for event in stream).items() if times > 1] == []
    seen: set[str] = set()
    for event in stream:
        assert event.parent is None or event.parent in seen, "a parent comes before its children"
        seen.add(event.id)
    assert msgspec.json.encode(stream), "every text can be encoded"
    for raw in (raw for event in stream for raw in _raws(event)):
        assert b"\n" not in raw
        assert b"\r" not in raw
        json.dumps(_value(raw), ensure_ascii=False).encode()
    assert list(prepare(stream))
    return stream


def check_file(agent: str, path: Path) -> list[Event] | None:
    """The same of the session that a file belongs to, which may be refused before it is read."""
    try:
        source = reader(agent).resolve(str(path))
    except PanscriptError as problem:
        _is_told_in_one_line(problem)
        return None
    return check(source)


def _is_told_in_one_line(problem: PanscriptError) -> None:
    assert "\n" not in str(problem)


def _are_the_files(records: list[Record], files: tuple[SessionFile, ...]) -> None:
    for number, file in enumerate(files):
        if _is_text(file.path):
            raws = b"".join(record.raw for record in records if record.origin.file == number)
            assert raws == Path(file.path).read_bytes()
    assert all(record.origin.file < len(files) for record in records if record.raw)


def _is_text(path: str) -> bool:
    """Rows of a database and lines of a compressed file are not the bytes that stand there."""
    # A damaged database may not begin like one.
    return Path(path).suffix not in (".db", ".sqlite") and not is_database(path) and not is_packed(path)


def _value(raw: bytes) -> Any:
    return json.loads(raw.decode(), parse_constant=_is_no_json)


def _is_no_json(constant: str) -> None:
    raise AssertionError(f"{constant} is no JSON")


def _raws(event: Event) -> list[bytes]:
    """The JSON that stands in an event as it was logged."""
    if isinstance(event, Message):
        found = [bytes(block.arguments) for block in event.content if isinstance(block, ToolCall)]
    elif isinstance(event, ToolResult):
        found = [bytes(event.details)]
    else:
        found = [bytes(event.data)] if isinstance(event, Opaque) else []
    return [raw for raw in found if raw]
