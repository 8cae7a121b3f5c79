"""How Claude Code's tokens are counted: once a response, however many rows carry it.

Rows of one response are written while it streams, so earlier ones may hold partial counts. Of the rows with one
message id and request id the one with a stop reason counts, then the one with the greatest output, then the last.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from panscript.schemas import timestamps
from panscript.schemas.claude.lean import Row, Usage, UsageRow
from panscript.schemas.counts import count
from panscript.schemas.events import NO_RAW, Tokens
from panscript.schemas.events import Usage as UsageEvent
from panscript.schemas.naming import billing_provider, model_name, provider_of_model
from panscript.schemas.report import FileReport

__all__ = ["MARKER", "UsageCounter", "tokens_of"]

MARKER = b'"usage"'
"""A row without these bytes carries no usage that counts."""
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

    def __init__(self, report: FileReport, *, raw: bool = False) -> None:
        self._report = report
        self._raw = raw
        self._kept: dict[tuple[str, str], tuple[tuple[bool, int, int], int, UsageEvent]] = {}
        self._main: set[str] = set()
        """Message ids that stand in rows of the main conversation."""

    def add(self, number: int, row: Row | UsageRow, raw: bytes) -> None:
        """Count this row, or say why not. Rows without a usage object are no business of this counter."""
        if row.type != "assistant":
            return
        message = row.message
        if message is None:
            self._report.skip("invalid_assistant_message")
            return
        usage = message.usage
        if usage is None:
            return
        if message.model == SYNTHETIC or row.is_api_error_message:
            self._report.skip("synthetic_message")
            return
        tokens = tokens_of(usage)
        if not (tokens.total or tokens.cache_write_1h):
            self._report.skip("no_token_usage")
            return
        time = timestamps.parse(row.timestamp)
        if time is None:
            self._report.skip("invalid_timestamp")
            return
        model, request = model_name(message.model), row.request_id or row.request_id_snake or ""
        key = (message.id, request) if message.id else (row.uuid or f"{time} {model}", "\0")
        side = bool(row.is_sidechain)
        if message.id and not side:
            self._main.add(message.id)
        rank = (message.stop_reason is not None, tokens.output, number)
        kept = self._kept.get(key)
        if kept is not None and kept[0] > rank:
            return
        raw_provider = message.provider
        event = UsageEvent(
            id=f"usage:{number}",
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

    def events(self) -> Iterator[UsageEvent]:
        """What was billed, sorted by time; a sub-agent's replay of a row of the main conversation is left out."""
        counted = [
            (event.time or 0, abs(order), event)
            for (name, _), (_, order, event) in self._kept.items()
            if order >= 0 or name not in self._main
        ]
        counted.sort(key=lambda item: item[:2])
        for _, _, event in counted:
            yield event
