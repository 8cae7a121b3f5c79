"""How Qwen Code's tokens are counted: once a row of type `assistant`; telemetry says the same again."""

from __future__ import annotations

from panscript.schemas.counts import count
from panscript.schemas.events import Tokens
from panscript.schemas.qwen.lean import UsageMetadata

__all__ = ["tokens_of"]


def tokens_of(usage: UsageMetadata, model: str | None) -> Tokens:
    """The counts in disjoint buckets.

    Providers do not agree whether thoughts are a part of the candidates; the total tells, or else the kind of model.
    """
    prompt, output = count(usage.prompt_token_count), count(usage.candidates_token_count)
    thoughts, cached = count(usage.thoughts_token_count), count(usage.cached_content_token_count)
    total = count(usage.total_token_count)
    apart = total >= prompt + output + thoughts if total else (model or "").lower().startswith("gemini")
    generated = output + thoughts if apart else output
    fresh = max(0, prompt - cached)
    return Tokens(
        input=fresh,
        output=generated,
        reasoning=min(thoughts, generated),
        cache_read=cached,
        total=total or fresh + generated + cached,
    )
