"""How Amp's tokens are counted.

The ledger has one event for each thing that was billed, without the tokens of caches, which stand on the message that
the event names. A thread without a ledger has not asked a model itself or is older: then its messages tell.

An event for a sub-agent is the sum of what the sub-agent's own thread lists; where that thread is there, it counts.
Requests to vendors other than Anthropic put what was not cached where writes to the cache stand; it is left there.
"""

from __future__ import annotations

from panscript.readers.amp.survey import Survey
from panscript.readers.rawjson import clean_raw
from panscript.schemas import timestamps
from panscript.schemas.amp.lean import LedgerEvent, Message
from panscript.schemas.counts import count
from panscript.schemas.events import NO_RAW, Tokens, Usage
from panscript.schemas.naming import model_name
from panscript.schemas.report import FileReport

__all__ = ["Counter", "tokens_of"]


def tokens_of(message: Message) -> Tokens | None:
    """What a response says that it used."""
    spent = message.usage
    if spent is None:
        return None
    return _tokens(count(spent.input_tokens), count(spent.output_tokens), message)


def _tokens(fresh: int, output: int, message: Message | None) -> Tokens:
    spent = message.usage if message is not None else None
    read = count(spent.cache_read_input_tokens) if spent is not None else 0
    write = count(spent.cache_creation_input_tokens) if spent is not None else 0
    return Tokens(input=fresh, output=output, cache_read=read, cache_write=write, total=fresh + output + read + write)


class Counter:
    """Asked about each element in the order of the document."""

    def __init__(self, survey: Survey, report: FileReport, *, raw: bool) -> None:
        self._survey, self._report, self._raw = survey, report, raw
        self._seen: set[str] = set()
        self._by_id: dict[str, tuple[int, Message]] = {}
        for element, message in survey.messages.items():
            # Real threads have the one, the other is what some counters look for.
            for name in (message.message_id, message.id):
                if name is not None:
                    self._by_id.setdefault(str(name), (element, message))

    def message(self, element: int, message: Message, raw: bytes, inherited: str | None) -> Usage | None:
        """What a response was billed, in a thread without a ledger."""
        if self._survey.ledger or message.role != "assistant" or message.usage is None:
            return None
        name = f"message:{message.message_id if message.message_id is not None else element}"
        if name in self._seen:
            return None
        self._seen.add(name)
        stated = timestamps.parse(message.usage.timestamp)
        time = stated if stated is not None else timestamps.parse(message.timestamp)
        found = tokens_of(message)
        model = message.usage.model or message.model
        return self._usage(name, time, found or Tokens(), model, raw, told=True, inherited=inherited)

    def event(self, element: int, event: LedgerEvent, raw: bytes) -> Usage | None:
        """What an event of the ledger says; None where something else says it, too."""
        name = f"{event.id}" if event.id is not None else f"event:{element}"
        if name in self._seen:
            return None
        self._seen.add(name)
        if event.operation_type == "subagent" and event.subagent_thread_id in self._survey.counted_there:
            return None
        if event.tokens is None:
            self._report.skip("no_token_usage")
            return None
        own = event.operation_type in (None, "inference") and event.to_message_id is not None
        _, message = self._by_id.get(str(event.to_message_id), (0, None)) if own else (0, None)
        found = _tokens(count(event.tokens.input), count(event.tokens.output), message)
        told = message is not None and tokens_of(message) == found
        return self._usage(name, timestamps.parse(event.timestamp), found, event.model, raw, told=told)

    def _usage(
        self,
        name: str,
        time: int | None,
        tokens: Tokens,
        model: str | None,
        raw: bytes,
        *,
        told: bool,
        inherited: str | None = None,
    ) -> Usage | None:
        if not tokens.total:
            self._report.skip("no_token_usage")
            return None
        time = time if time is not None else self._survey.created
        if time is None:
            self._report.skip("invalid_timestamp")
            return None
        return Usage(
            id=f"usage:{name}",
            time=time,
            inherited_from=inherited,
            tokens=tokens,
            model=model_name(model),
            told=told,
            raw=clean_raw(raw) if self._raw else NO_RAW,
        )
