"""What a session of Kimi CLI or Kimi Code was billed, from one pass over its lines that steps over what was said."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from panscript.readers.ends import began, ended
from panscript.readers.jsonl import rows
from panscript.readers.kimi import cli, code, code_events
from panscript.readers.kimi.cli_survey import Spending, innermost, missing
from panscript.readers.kimi.code_survey import is_hollow, is_known
from panscript.readers.kimi.files import Elsewhere, default_model, form_of, is_record, state_of
from panscript.readers.scan import Scan
from panscript.schemas import timestamps
from panscript.schemas.billing import Billed
from panscript.schemas.events import Usage
from panscript.schemas.kimi.lean import UsageCliRow, UsageCodeRow, usage_cli_decoder, usage_code_decoder
from panscript.schemas.naming import encodable
from panscript.schemas.records import Source
from panscript.schemas.report import FileReport

__all__ = ["began", "billed", "ended"]


def billed(source: Source, *, report: FileReport) -> Iterator[Billed]:
    """What was billed, in the order of the lines. Raises `SourceError`s; nothing is opened before the first `next()`.

    What a sub-agent used is billed to the session that began it.
    """
    find = _of_code if form_of(source.transcripts[-1].path) == "code" else _of_cli
    session = report.session_id = cli.session_id(source)
    yield from find(source, encodable(source.parent) if source.parent else session, report)


def _of_code(source: Source, session: str, report: FileReport) -> Iterator[Billed]:
    scan, is_fork = Scan(source, report, code.USAGE), code.forked_from(state_of(source)) is not None
    events: list[Usage] = []
    for parsed in scan.readable(rows([source.transcripts[-1].path], usage_code_decoder, is_record)):
        row: UsageCodeRow = parsed.row
        scan.understood = scan.understood or is_known(row.type)
        if is_hollow(row):
            report.skip_line("message_invalid_message", parsed.line)
        if row.kind == "event":
            continue
        if row.type == "forked" and is_fork:
            # What stands before it was copied.
            events.clear()
        elif row.type == "usage.record" and row.usage_scope == "turn":
            time = timestamps.parse(row.time)
            tokens = code_events.spent_of(row, time, report)
            if tokens is not None:
                events.append(code_events.usage_of(row, time, tokens, id="usage"))
    scan.judge("no line of it is of Kimi Code")
    yield from scan.billed(events, session)


def _of_cli(source: Source, session: str, report: FileReport) -> Iterator[Billed]:
    scan, spending = Scan(source, report, cli.USAGE), Spending()
    for parsed in scan.readable(rows([file.path for file in source.transcripts], usage_cli_decoder, is_record)):
        row: UsageCliRow = parsed.row
        if (code := missing(row)) is not None:
            report.skip_line(code, parsed.line)
        if row.role is not None or row.message is None or row.message.type is None:
            scan.understood = scan.understood or row.role is not None or row.type == "metadata"
            continue
        scan.understood = True
        message, agent = innermost(row.message)
        if message.type == "StatusUpdate" and message.payload is not None and message.payload.token_usage is not None:
            time, payload = timestamps.parse(row.timestamp), message.payload
            assert payload.token_usage is not None
            spending.add(scan.number, parsed.place, time, payload.token_usage, payload.message_id, agent)
    scan.judge("no line of it is of Kimi CLI")
    spending.tell(report)
    model, elsewhere = default_model(source), Elsewhere(Path(source.path).parent)
    own = (spent for spent in spending.spent() if spent.agent_id is None or not elsewhere.tells(spent.agent_id))
    yield from scan.billed((cli.usage_of(spent, source, model) for spent in own), session)
