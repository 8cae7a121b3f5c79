"""How Goose's tokens are counted: one total a session, and each request by itself where there is a ledger of them.

The ledger begins with schema version 15, so a session may have used more than is in it: the rest is counted when the
session began. A session that names no model was never asked anything, or is too old to say.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from panscript.readers.goose.facts import Facts, tokens_of
from panscript.readers.rawjson import clean_raw
from panscript.schemas import timestamps
from panscript.schemas.counts import count
from panscript.schemas.events import NO_RAW, Tokens, Usage
from panscript.schemas.naming import billing_provider, model_name
from panscript.schemas.report import FileReport

__all__ = ["Counter"]

_FORWARDED = "carried_forward"
"""Source of a row that is no request of its own."""


class Counter:
    """Feed it every row of the ledger, then ask for the rest."""

    def __init__(self, facts: Facts, began: int | None, report: FileReport, *, raw: bool = False) -> None:
        """`began`: when the session did, in milliseconds since 1970 UTC."""
        self._facts = facts
        self._began = began
        self._report = report
        self._raw = raw
        self._rows = 0
        self._counted = Tokens()

    def request(self, values: Mapping[str, Any], raw: bytes) -> Usage | None:
        """What a row of the ledger says was billed."""
        self._rows += 1
        tokens = tokens_of(
            count(values.get("input_tokens")),
            count(values.get("output_tokens")),
            count(values.get("total_tokens")),
            cache_read=count(values.get("cache_read_tokens")),
            cache_write=count(values.get("cache_write_tokens")),
            cost=values.get("cost"),
        )
        if not (tokens.total or tokens.cost):
            self._report.skip("no_token_usage")
            return None
        time = timestamps.parse(values.get("created_timestamp")) or self._began
        if time is None:
            self._report.skip("invalid_timestamp")
            return None
        self._counted = _both(self._counted, tokens)
        single = values.get("cost_source") != _FORWARDED
        own = values.get("model")
        model = own if isinstance(own, str) and own.strip() else self._facts.model
        return self._event(f"usage:{self._rows}", time, tokens, model, raw, single=single)

    def rest(self, raw: bytes) -> Iterator[Usage]:
        """What the session was billed beyond that. `raw` is the record that says so."""
        facts = self._facts
        if not facts.configured:
            return
        if facts.broken:
            self._report.skip("invalid_model_config")
        tokens = _beyond(facts.tokens, self._counted) if self._rows else facts.tokens
        if not (tokens.total or tokens.input or tokens.output or tokens.cost):
            if not self._rows:
                self._report.skip("no_token_usage")
            return
        if self._began is None:
            self._report.skip("invalid_timestamp")
            return
        yield self._event("usage", self._began, tokens, facts.model, raw, single=False)

    def _event(self, name: str, time: int, tokens: Tokens, model: str | None, raw: bytes, *, single: bool) -> Usage:
        provider = self._facts.provider
        return Usage(
            id=name,
            time=time,
            tokens=tokens,
            model=model_name(model),
            provider=billing_provider(provider),
            raw_provider=provider,
            single_request=single,
            raw=clean_raw(raw.strip(b"\0\xef\xbb\xbf \t\r\n")) if self._raw else NO_RAW,
        )


def _both(one: Tokens, other: Tokens) -> Tokens:
    costs = [cost for cost in (one.cost, other.cost) if cost is not None]
    return Tokens(
        input=one.input + other.input,
        output=one.output + other.output,
        reasoning=one.reasoning + other.reasoning,
        cache_read=one.cache_read + other.cache_read,
        cache_write=one.cache_write + other.cache_write,
        total=one.total + other.total,
        cost=sum(costs) if costs else None,
    )


def _beyond(whole: Tokens, part: Tokens) -> Tokens:
    """What the whole has more of; nothing where the part has more."""
    cost = round(whole.cost - (part.cost or 0.0), 9) if whole.cost is not None else None
    return Tokens(
        input=max(0, whole.input - part.input),
        output=max(0, whole.output - part.output),
        reasoning=max(0, whole.reasoning - part.reasoning),
        cache_read=max(0, whole.cache_read - part.cache_read),
        cache_write=max(0, whole.cache_write - part.cache_write),
        total=max(0, whole.total - part.total),
        cost=cost if cost is not None and cost > 0 else None,
    )
