"""What a Qwen Code session was billed, from one pass over its rows that steps over what was said."""

from __future__ import annotations

from collections.abc import Iterator

from panscript.readers.ends import began, ended
from panscript.readers.jsonl import rows
from panscript.readers.qwen import EARLY, MARKER, is_early
from panscript.readers.qwen.files import Beside, is_record
from panscript.readers.qwen.survey import is_hollow, is_known
from panscript.readers.qwen.usage import tokens_of
from panscript.readers.recordings import billing
from panscript.readers.scan import Scan
from panscript.schemas import timestamps
from panscript.schemas.billing import Billed
from panscript.schemas.events import Usage
from panscript.schemas.naming import encodable, model_name
from panscript.schemas.qwen.lean import UsageMetadata, UsageRow, usage_decoder
from panscript.schemas.records import Source
from panscript.schemas.report import FileReport

__all__ = ["began", "billed", "ended"]


def billed(source: Source, *, report: FileReport) -> Iterator[Billed]:
    """What was billed, in the order of the rows. Raises `SourceError`s; nothing is opened before the first `next()`."""
    if is_early(source):
        yield from billing.billed(source, EARLY, None, report=report)
        return
    scan, beside = Scan(source, report, MARKER), Beside(source.path)
    agent, session = source.agent_id, None
    events: list[Usage | None] = []
    for parsed in scan.readable(rows([file.path for file in source.transcripts], usage_decoder, is_record)):
        row: UsageRow = parsed.row
        if not is_known(row):
            continue
        if not scan.understood and row.is_sidechain:
            agent = agent or row.agent_id
        scan.understood = True
        session = session or row.session_id
        if is_hollow(row):
            report.skip_line("message_invalid_message", parsed.line)
        elif row.type == "assistant" and row.usage_metadata is not None:
            events.append(_event(row, row.usage_metadata, beside, report))
    scan.judge("no line of it is a Qwen Code row")
    own = session or encodable(source.id)
    if agent is not None:
        # Of sub-agents the session that began them is billed.
        own = (encodable(source.parent) if source.parent is not None else session) or _of_nobody(agent)
    report.session_id = own
    yield from scan.billed(events, own)


def _of_nobody(agent: str) -> str:
    return f"unknown/{encodable(agent)}"


def _event(row: UsageRow, spent: UsageMetadata, beside: Beside, report: FileReport) -> Usage | None:
    tokens, time = tokens_of(spent, row.model), timestamps.parse(row.timestamp)
    if not tokens.total:
        report.skip("no_token_usage")
        return None
    if time is None:
        report.skip("invalid_timestamp")
        return None
    origin = row.forked_from.session_id if row.forked_from is not None else None
    return Usage(
        id="usage",
        time=time,
        inherited_from=origin if origin is not None and beside.holds(origin) else None,
        tokens=tokens,
        model=model_name(row.model),
        message_id=row.uuid,
    )
