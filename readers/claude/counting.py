"""How Claude Code's tokens are counted: once a response, however many rows carry it.

A full read hands every row to the counter; `read_usage` decodes only the lines that can matter and gives the same.

Rows of one response are written while it streams, so earlier ones may hold partial counts. Of the rows with one
message id and request id the one with a stop reason counts, then the one with the greatest output, then the last.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from panscript.readers.claude.files import is_record
from panscript.readers.claude.survey import CHAIN, copied_from, is_hollow
from panscript.readers.jsonl import account, rows
from panscript.schemas import timestamps
from panscript.schemas.claude.lean import Row, Usage, UsageRow, usage_decoder
from panscript.schemas.counts import count
from panscript.schemas.events import NO_RAW, Tokens
from panscript.schemas.events import Usage as UsageEvent
from panscript.schemas.naming import billing_provider, model_name, provider_of_model
from panscript.schemas.records import Source
from panscript.schemas.report import FileReport

__all__ = ["COPIED", "FORKS_BEGIN", "MARKER", "SYNTHETIC", "Places", "UsageCounter", "read_usage", "tokens_of"]

MARKER = b'"usage":'
"""A row without these bytes carries no usage that counts."""
COPIED = (b'"requestSessionId"', b'"forkedFrom"')
"""A row without these bytes does not say that it was copied from another session."""
FORKS_BEGIN = 8
"""A fork copies from its first row on: where so many rows carry usage and nothing says that it was copied, only rows
that carry usage are asked."""
SYNTHETIC = "<synthetic>"


def tokens_of(usage: Usage) -> Tokens:
    """The counts of one row, in disjoint buckets."""
    output = count(usage.output_tokens)
    write = count(usage.cache_creation_input_tokens)
    read = count(usage.cache_read_input_tokens)
    fresh = count(usage.input_tokens)
    details, creation = usage.output_tokens_details, usage.cache_creation
    return Tokens(
        input=fresh,
        output=output,
        reasoning=min(output, count(details.thinking_tokens)) if details is not None else 0,
        cache_read=read,
        cache_write=write,
        cache_write_1h=min(write, count(creation.ephemeral_1h_input_tokens)) if creation is not None else 0,
        total=fresh + output + read + write,
    )


class UsageCounter:
    """Feed it every row that may carry usage, in file order; `events` gives what was billed, by time."""

    def __init__(self, report: FileReport, *, own: bool, raw: bool = False) -> None:
        """`own`: sub-agent rows are the conversation of this file."""
        self._report = report
        self._own = own
        self._raw = raw
        self._number = 0
        self._kept: dict[tuple[str, str], tuple[tuple[bool, int, int], int, UsageEvent]] = {}
        self._main: set[str] = set()
        """Message ids that stand in rows of the main conversation."""
        self._copied: set[str] = set()
        """Rows that say where they were copied from."""
        self._to_settle = FORKS_BEGIN
        self._skipped: dict[str, int] = {}

    def add(self, place: str, row: Row | UsageRow, raw: bytes) -> None:
        """Count this row, or say why not. Rows without a usage object are no business of this counter.

        `place` is the line, with the number of the record on it where there are several.
        """
        self._number = number = self._number + 1
        message = row.message
        usage = message.usage if message is not None and row.type == "assistant" else None
        if row.imported_from is not None:
            # It was used up elsewhere, and is counted there.
            usage = None
        copied = False
        if row.request_session_id is not None or row.forked_from is not None:
            copied = (usage is not None or self._to_settle != 0) and self._inherit(row)
        if usage is None or message is None:
            if message is None and row.type == "assistant" and not copied:
                self._skip("invalid_assistant_message")
            return
        self._to_settle -= self._to_settle > 0
        side = bool(row.is_sidechain)
        if message.id and not side:
            self._main.add(message.id)
        if copied:
            return
        if message.model == SYNTHETIC or row.is_api_error_message:
            self._skip("synthetic_message")
            return
        tokens = tokens_of(usage)
        if not (tokens.total or tokens.cache_write_1h):
            self._skip("no_token_usage")
            return
        time = timestamps.parse(row.timestamp)
        if time is None:
            self._skip("invalid_timestamp")
            return
        model, request = model_name(message.model), row.request_id or row.request_id_snake or ""
        key = (message.id, request) if message.id else (row.uuid or f"{time} {model}", "\0")
        rank = (message.stop_reason is not None, tokens.output, number)
        kept = self._kept.get(key)
        if kept is not None and kept[0] > rank:
            return
        raw_provider = message.provider
        event = UsageEvent(
            id=f"usage:{place}",
            time=time,
            agent_id=row.agent_id,
            tokens=tokens,
            model=model,
            provider=billing_provider(raw_provider) or provider_of_model(model),
            raw_provider=raw_provider,
            response=message.id,
            message_id=message.id,
            request_id=request or None,
            cwd=row.cwd,
            single_request=True,
            told=True,
            session_id=row.session_id,
            raw=msgspec.Raw(raw.strip()) if self._raw else NO_RAW,
        )
        self._kept[key] = (rank, number if not side else -1 - number, event)

    def _skip(self, code: str) -> None:
        self._skipped[code] = self._skipped.get(code, 0) + 1

    def _inherit(self, row: Row | UsageRow) -> bool:
        """What stands before a row that was copied from another session is that session's, and so is this row."""
        if row.type not in CHAIN or (row.is_sidechain and not self._own) or copied_from(row) is None:
            return False
        self._to_settle = -1
        # A repeat of a copied row says nothing of what stands before it.
        if row.uuid is None or row.uuid not in self._copied:
            self._kept.clear()
            self._skipped.clear()
        if row.uuid is not None:
            self._copied.add(row.uuid)
        return True

    def events(self) -> Iterator[UsageEvent]:
        """What was billed, sorted by time; a sub-agent's replay of a row of the main conversation is left out."""
        for code, times in self._skipped.items():
            self._report.skip(code, times)
        counted = [
            (event.time or 0, abs(order), event)
            for (name, _), (_, order, event) in self._kept.items()
            if order >= 0 or name not in self._main
        ]
        counted.sort(key=lambda item: item[:2])
        for _, _, event in counted:
            yield event


def read_usage(source: Source, *, report: FileReport, raw: bool = False) -> Iterator[UsageEvent]:
    """The usage events of a full read, in the same order, from one pass that decodes only the lines that matter.

    Raises `SourceError`s; damaged lines that could hold no usage are not noticed.
    """
    report.agent, report.scan = source.agent, "usage"
    counter = UsageCounter(report, own=source.agent_id is not None, raw=raw)
    paths = [file.path for file in source.transcripts]
    place = Places()
    for parsed in rows(paths, usage_decoder, is_record, _matters):
        if parsed.trouble is not None and MARKER in parsed.raw:
            account(parsed, report)
        name = place.of(parsed.line, first=bool(parsed.raw))
        if parsed.row is None:
            report.count("skipped")
            continue
        counter.add(name, parsed.row, parsed.json)
        if is_hollow(parsed.row):
            report.skip_line(f"message_invalid_{parsed.row.type}_message", parsed.line)
            report.count("skipped")
            continue
        report.count("used" if parsed.row.type == "assistant" else "state")
    yield from counter.events()


def _matters(raw: bytes) -> bool:
    return MARKER in raw or COPIED[0] in raw or COPIED[1] in raw


class Places:
    """Names for records by their line; a record that is not the first on its line takes a number."""

    def __init__(self) -> None:
        self._more = 0

    def of(self, line: int, *, first: bool) -> str:
        """The name of the next record."""
        if first:
            self._more = 0
            return str(line)
        self._more += 1
        return f"{line}.{self._more}"
