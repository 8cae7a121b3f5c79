"""How OpenCode's tokens are counted: once a step, which is a request, or once a message that has no steps in it.

Its buckets are disjoint. Whether output holds the reasoning changed in 2026: with a total the sum tells, and without
one it does where it can.
"""

from __future__ import annotations

import math

from panscript.readers.opencode.facts import model_of
from panscript.readers.rawjson import clean_raw
from panscript.schemas.counts import count
from panscript.schemas.events import NO_RAW, Tokens, Usage
from panscript.schemas.naming import billing_provider, encodable, model_name
from panscript.schemas.opencode.lean import Info
from panscript.schemas.opencode.lean import Tokens as Stated
from panscript.schemas.report import FileReport

__all__ = ["Counter", "tokens_of"]


def tokens_of(stated: Stated | None, cost: object) -> Tokens:
    """Counts as OpenCode states them, in disjoint buckets with reasoning inside of output."""
    dollars = _dollars(cost)
    if stated is None:
        return Tokens(cost=dollars)
    fresh, output, reasoning = count(stated.input), count(stated.output), count(stated.reasoning)
    read = count(stated.cache.read) if stated.cache is not None else 0
    write = count(stated.cache.write) if stated.cache is not None else 0
    total = count(stated.total)
    inside = output >= reasoning and (not total or total == fresh + output + read + write)
    output += 0 if inside else reasoning
    return Tokens(
        input=fresh,
        output=output,
        reasoning=reasoning,
        cache_read=read,
        cache_write=write,
        total=total or fresh + output + read + write,
        cost=dollars,
    )


def _dollars(cost: object) -> float | None:
    if isinstance(cost, str):
        try:
            cost = float(cost)
        except ValueError:
            return None
    if isinstance(cost, bool) or not isinstance(cost, int | float):
        return None
    try:
        found = float(cost)
    except OverflowError:
        return None
    return max(0.0, found) if math.isfinite(found) else None


class Counter:
    """Asked about every response in the order of the session."""

    def __init__(self, report: FileReport, *, raw: bool) -> None:
        self._report, self._raw = report, raw

    def response(
        self,
        name: str,
        info: Info,
        tokens: Tokens,
        raw: bytes,
        *,
        time: int | None,
        told: bool,
        live: bool,
        inherited: str | None,
        response: str,
        message: str | None,
    ) -> Usage | None:
        """What a response was billed; a cost that is stated counts, even one of nothing."""
        if not tokens.total and tokens.cost is None:
            self._report.skip("missing_usage_signal")
            return None
        if time is None:
            self._report.skip("missing_timestamp")
            return None
        model = info.model_id or model_of(info.model)[0]
        provider = info.provider_id or model_of(info.model)[1]
        return Usage(
            id=name,
            time=time,
            live=live,
            inherited_from=inherited,
            tokens=tokens,
            model=model_name(model),
            provider=billing_provider(provider),
            raw_provider=provider or None,
            response=response,
            message_id=message,
            cwd=_root(info),
            single_request=True,
            told=told,
            raw=clean_raw(raw) if self._raw else NO_RAW,
        )


def _root(info: Info) -> str | None:
    """The project's folder; where there is no project the agent says `/`."""
    path = info.path
    if path is None:
        return None
    found = path.root if path.root and path.root != "/" else path.cwd or path.root
    return encodable(found) if found else None
