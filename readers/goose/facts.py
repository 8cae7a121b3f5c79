"""What Goose says of a session as a whole: in a row of the database, an export, or the first line of a file."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import msgspec

from panscript.schemas import timestamps
from panscript.schemas.counts import count
from panscript.schemas.events import Tokens
from panscript.schemas.naming import encodable

__all__ = ["Facts", "facts_of", "tokens_of"]


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    """Facts of a session; None is not said."""

    session_id: str
    title: str | None = None
    cwd: str | None = None
    kind: str | None = None
    """user, sub_agent, scheduled and so on."""
    parent: str | None = None
    created: int | None = None
    updated: int | None = None
    """Milliseconds since 1970 UTC."""
    model: str | None = None
    provider: str | None = None
    configured: bool = True
    """It names a model, however badly; what names none was never asked of one, or is too old to say."""
    broken: bool = False
    """What names the model cannot be read."""
    tokens: Tokens = Tokens()
    """Of all requests together."""

    @property
    def is_child(self) -> bool:
        """Whether an agent began the session, so that nobody typed its prompts."""
        return self.parent is not None or self.kind == "sub_agent"


def facts_of(values: Mapping[str, Any], name: str) -> Facts:
    """From the columns of a row or the fields of an object, in any version; `name` is the id where none is said."""
    config = values.get("model_config_json", values.get("model_config"))
    model, broken = _model(config)
    return Facts(
        session_id=_text(values.get("id")) or name,
        title=_text(values.get("name")) or _text(values.get("description")),
        cwd=_text(values.get("working_dir")),
        kind=_text(values.get("session_type")),
        parent=_text(values.get("parent_session_id")),
        created=timestamps.parse(values.get("created_at")),
        updated=timestamps.parse(values.get("updated_at")),
        model=model,
        provider=_text(values.get("provider_name")),
        configured=not _is_blank(config),
        broken=broken,
        tokens=_totals(values),
    )


def tokens_of(
    given: int, output: int, total: int, *, cache_read: int = 0, cache_write: int = 0, cost: object = None
) -> Tokens:
    """Counts as Goose has them in disjoint buckets: cached tokens are part of what was given, unless they cannot be.

    What the total has beyond the others was reasoning.
    """
    cached = cache_read + cache_write
    apart = cached > given
    reasoning = max(0, total - given - output - (cached if apart else 0)) if total else 0
    fresh = given if apart else given - cached
    return Tokens(
        input=fresh,
        output=output + reasoning,
        reasoning=reasoning,
        cache_read=cache_read,
        cache_write=cache_write,
        total=total or fresh + output + cached,
        cost=_dollars(cost),
    )


def _totals(values: Mapping[str, Any]) -> Tokens:
    """Counts of the session; where only those of its latest request are there, these."""
    newer = {"accumulated_": values.get("accumulated_usage"), "": values.get("usage")}

    def found(name: str, spelling: str | None = None) -> int:
        for prefix, usage in newer.items():
            value = values.get(f"{prefix}{name}")
            if value is None and isinstance(usage, Mapping):
                value = usage.get(spelling or name)
            if value is not None:
                return count(value)
        return 0

    return tokens_of(
        found("input_tokens"),
        found("output_tokens"),
        found("total_tokens"),
        cache_read=found("cache_read_tokens", "cache_read_input_tokens"),
        cache_write=found("cache_write_tokens", "cache_write_input_tokens"),
        cost=values.get("accumulated_cost"),
    )


def _model(config: object) -> tuple[str | None, bool]:
    """The name of the model, and whether what says it cannot be read."""
    if _is_blank(config):
        return None, False
    if isinstance(config, str | bytes):
        try:
            config = msgspec.json.decode(config)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return None, True
    if not isinstance(config, Mapping):
        return None, True
    return _text(config.get("model_name")), False


def _is_blank(config: object) -> bool:
    return config is None or (isinstance(config, str | bytes) and not config.strip())


def _text(value: object) -> str | None:
    if isinstance(value, bytes):
        value = value.decode("utf-8", "replace")
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    return encodable(value).strip() or None if isinstance(value, str) else None


def _dollars(cost: object) -> float | None:
    if isinstance(cost, bool) or not isinstance(cost, int | float) or not math.isfinite(cost):
        return None
    return max(0.0, float(cost))
