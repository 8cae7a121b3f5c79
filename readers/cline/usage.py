"""How tokens are counted.

In a task folder each request says what it used where the person was shown it; what sub-agents and deleted requests used
stands beside. Cline keeps the buckets apart; Roo's and Kilo's input holds what came from a cache and went into one
whenever it is as large as both. In a session since 2026 each response says it, and its input holds both.
"""

from __future__ import annotations

from panscript.readers.cline.requests import Spent
from panscript.readers.cline.survey import Survey
from panscript.readers.rawjson import clean_raw
from panscript.schemas.cline.lean import Message, Metrics
from panscript.schemas.counts import count
from panscript.schemas.events import NO_RAW, Tokens, Usage
from panscript.schemas.naming import billing_provider, model_name
from panscript.schemas.report import FileReport

__all__ = ["of_manifest", "of_request", "tokens_of_message", "tokens_of_request", "usage_of_message"]


def tokens_of_request(spent: Spent, *, apart: bool) -> Tokens | None:
    """What a request used; `apart`: its input holds nothing of caches. None when it says nothing."""
    found = spent.request
    if found is None:
        return None
    read, write = count(found.cache_reads), count(found.cache_writes)
    fresh = count(found.tokens_in)
    return _tokens(fresh if apart else _fresh(fresh, read, write), count(found.tokens_out), read, write, found.cost)


def tokens_of_message(message: Message) -> Tokens | None:
    """What a response says it used."""
    return _of_metrics(message.metrics)


def _of_metrics(found: Metrics | None) -> Tokens | None:
    if found is None:
        return None
    read, write = count(found.cache_read_tokens), count(found.cache_write_tokens)
    fresh = _fresh(count(found.input_tokens), read, write)
    cost = found.cost if found.cost is not None else found.total_cost
    return _tokens(fresh, count(found.output_tokens), read, write, cost)


def _fresh(given: int, read: int, write: int) -> int:
    return given - read - write if given >= read + write else given


def _tokens(fresh: int, output: int, read: int, write: int, cost: object) -> Tokens | None:
    dollars = _dollars(cost)
    total = fresh + output + read + write
    if not total and dollars is None:
        return None
    return Tokens(input=fresh, output=output, cache_read=read, cache_write=write, total=total, cost=dollars)


def _dollars(value: object) -> float | None:
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            return None
    return float(value) if isinstance(value, int | float) and 0 < value < 1e12 else None


def of_request(
    element: int, spent: Spent, survey: Survey, raw: bytes, report: FileReport, *, apart: bool, told: bool, keep: bool
) -> Usage | None:
    """What a message that was shown says was used. `told`: a response carries the same; `keep`: with its raw."""
    if spent.request is None:
        report.skip("invalid_payload")
        return None
    tokens = tokens_of_request(spent, apart=apart)
    if tokens is None:
        report.skip("no_token_usage")
        return None
    if spent.time is None:
        report.skip("invalid_timestamp")
        return None
    provider = spent.provider or survey.default_provider(spent.time) or spent.request.api_protocol
    return Usage(
        id=f"usage:{element + 1}",
        time=spent.time,
        tokens=tokens,
        model=model_name(spent.model or survey.default_model(spent.time)),
        provider=billing_provider(provider),
        raw_provider=provider or None,
        told=told,
        raw=clean_raw(raw) if keep else NO_RAW,
    )


def usage_of_message(
    element: int, message: Message, time: int | None, survey: Survey, raw: bytes, report: FileReport, *, keep: bool
) -> Usage | None:
    """What a response of a session since 2026 used."""
    if message.role != "assistant" or message.metrics is None or message.metrics.input_tokens is None:
        return None
    tokens = tokens_of_message(message)
    if tokens is None:
        report.skip("no_token_usage")
        return None
    if time is None:
        report.skip("invalid_timestamp")
        return None
    info = message.model_info
    provider = (info.provider or info.provider_id if info is not None else None) or survey.facts.provider
    model = (info.id or info.model_id if info is not None else None) or survey.facts.model
    return Usage(
        id=f"usage:{element + 1}",
        time=time,
        tokens=tokens,
        model=model_name(model),
        provider=billing_provider(provider),
        raw_provider=provider,
        message_id=str(message.id) if message.id is not None else None,
        cwd=survey.cwd,
        told=True,
        raw=clean_raw(raw) if keep else NO_RAW,
    )


def of_manifest(survey: Survey, report: FileReport, *, keep: bool) -> Usage | None:
    """The total of a session of which only the manifest is left."""
    facts = survey.facts
    manifest = facts.manifest
    tokens = _of_metrics(manifest.metadata.usage if manifest is not None and manifest.metadata is not None else None)
    if tokens is None:
        report.skip("no_token_usage")
        return None
    if facts.created is None:
        report.skip("invalid_timestamp")
        return None
    data = next((part.data for part in survey.parts if part.data), b"")
    return Usage(
        id="usage:manifest",
        time=facts.created,
        tokens=tokens,
        model=model_name(facts.model),
        provider=billing_provider(facts.provider),
        raw_provider=facts.provider,
        cwd=survey.cwd,
        raw=clean_raw(data.strip(b"\0\xef\xbb\xbf \t\r\n")) if keep else NO_RAW,
    )
