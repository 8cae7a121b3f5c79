"""Checks for agents without rules of their own here: what the reader gave up or did not know is told.

Whether the agent itself minds calls and results that do not fit is not known: they are warnings. In a database the
place is the name of the row.
"""

from __future__ import annotations

from panscript.readers.opening import open_sources, read
from panscript.readers.options import ReadOptions
from panscript.readers.validation.pairs import Pairs, short
from panscript.readers.validation.problems import Findings, Severity
from panscript.schemas.errors import NotATranscript
from panscript.schemas.events import Message, Opaque, ToolCall, ToolResult
from panscript.schemas.records import Source
from panscript.schemas.report import FileReport

__all__ = ["check"]

_UNREAD = "it cannot be read"
_HOLLOW = ("schema.wrong_type", "what it should say is missing or no object")
_WRONG = {
    "not_an_object": ("line.not_an_object", _UNREAD),
    "undecodable_jsonl_frame": ("line.torn", _UNREAD),
    "message_invalid_message": _HOLLOW,
    "invalid_payload": _HOLLOW,
}
_WHOLE = "$"
"""The place of what is so of a whole line."""


def check(path: str, agent: str, found: Findings) -> None:
    """Check every session of the file. Raises `SourceError`s."""
    for source in open_sources(path, agent):
        _check(source, found)


def _check(source: Source, found: Findings) -> None:
    report = FileReport(path=source.path)
    pairs = Pairs()
    told = 0
    try:
        for record in read(source, report=report, options=ReadOptions(usage=False)):
            line, place = record.origin.line, record.origin.row or _WHOLE
            told = _skipped(found, report, told, place)
            for event in record.events:
                if isinstance(event, Message):
                    for block in event.content:
                        if isinstance(block, ToolCall) and block.id and pairs.call(block.id, line, place) is not None:
                            what = f"there is a call {short(block.id)} already"
                            _add(found, line, place, "call.duplicate", what, "warning")
                elif isinstance(event, ToolResult):
                    if pairs.result(event.call_id, line, place) is not None:
                        what = f"the call {short(event.call_id)} has a result already"
                        _add(found, line, place, "result.duplicate", what, "warning")
                elif isinstance(event, Opaque) and found.strict:
                    _add(found, line, place, "schema.unknown_type", f"the type {short(event.name)} is not known")
    except NotATranscript as error:
        found.add(None, "file.not_understood", error.message)
    _skipped(found, report, told, _WHOLE)
    found.records += report.records
    for name, line, place in pairs.unanswered():
        _add(found, line, place, "call.unanswered", f"the call {short(name)} has no result")
    for name, line, place in pairs.orphans():
        what = f"the result answers the call {short(name)}, which is not in the file"
        _add(found, line, place, "result.orphan", what, "warning")


def _skipped(found: Findings, report: FileReport, told: int, place: str) -> int:
    """Note what was given up since; gives how much of that there is in all."""
    for skipped in report.skipped_at[told:]:
        code, what = _WRONG.get(skipped.code, ("line.not_json", _UNREAD))
        _add(found, skipped.line, place, code, what)
    return len(report.skipped_at)


def _add(found: Findings, line: int, place: str, code: str, what: str, severity: Severity | None = None) -> None:
    """Note a problem of a line, or of a row of a database."""
    found.add(line if place == _WHOLE else None, code, what, place, severity=severity)
