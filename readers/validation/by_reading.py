"""Checks for agents without rules of their own here: what the reader gave up or did not know is told.

Whether the agent itself minds calls and results that do not fit is not known: they are warnings. In a database the line
is the number of the row.
"""

from __future__ import annotations

from panscript.readers.opening import open_sources, read
from panscript.readers.options import ReadOptions
from panscript.readers.validation.pairs import Pairs, short
from panscript.readers.validation.problems import Findings
from panscript.schemas.errors import NotATranscript
from panscript.schemas.events import Message, Opaque, ToolCall, ToolResult
from panscript.schemas.records import Source
from panscript.schemas.report import FileReport

__all__ = ["check"]

_CODES = {"not_an_object": "line.not_an_object", "undecodable_jsonl_frame": "line.torn"}


def check(path: str, agent: str, found: Findings) -> None:
    """Check every session of the file. Raises `SourceError`s."""
    for source in open_sources(path, agent):
        _check(source, found)


def _check(source: Source, found: Findings) -> None:
    report = FileReport(path=source.path)
    pairs = Pairs()
    try:
        for record in read(source, report=report, options=ReadOptions(usage=False)):
            line = record.origin.line
            for event in record.events:
                if isinstance(event, Message):
                    for block in event.content:
                        if isinstance(block, ToolCall) and block.id and pairs.call(block.id, line, "$") is not None:
                            found.add(
                                line, "call.duplicate", f"there is a call {short(block.id)} already", severity="warning"
                            )
                elif isinstance(event, ToolResult):
                    if pairs.result(event.call_id, line, "$") is not None:
                        found.add(
                            line,
                            "result.duplicate",
                            f"the call {short(event.call_id)} has a result already",
                            severity="warning",
                        )
                elif isinstance(event, Opaque) and found.strict:
                    found.add(line, "schema.unknown_type", f"the type {short(event.name)} is not known")
    except NotATranscript as error:
        found.add(None, "file.not_understood", error.message)
    found.records += report.records
    for skipped in report.skipped_at:
        found.add(skipped.line, _CODES.get(skipped.code, "line.not_json"), "it cannot be read")
    for name, line, _ in pairs.unanswered():
        found.add(line, "call.unanswered", f"the call {short(name)} has no result")
    for name, line, _ in pairs.orphans():
        found.add(
            line,
            "result.orphan",
            f"the result answers the call {short(name)}, which is not in the file",
            severity="warning",
        )
