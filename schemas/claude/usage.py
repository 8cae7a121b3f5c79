"""Token usage of one API response, as Claude Code copies it from the API into `message.usage`.

Every sub-field may be null. `input_tokens` excludes cache: the prompt's size is input + cache creation + cache read.
Which row of a response holds the final `output_tokens` depends on the version: 2.1.30 never writes it, 2.1.328
writes it on every row.
"""

from __future__ import annotations

from typing import Any

from panscript.schemas.claude.base import ApiNative

__all__ = [
    "CacheCreation",
    "OutputTokensDetails",
    "ServerToolUse",
    "Usage",
    "UsageIteration",
]


class CacheCreation(ApiNative, frozen=True, kw_only=True):
    """Cache writes split by lifetime; the two add up to `cache_creation_input_tokens`. Since about 1.0.8x."""

    ephemeral_5m_input_tokens: int | None = None
    """Tokens written to the five-minute cache."""
    ephemeral_1h_input_tokens: int | None = None
    """Tokens written to the one-hour cache."""


class ServerToolUse(ApiNative, frozen=True, kw_only=True):
    """Calls of tools that run on the API's side, billed apart from tokens."""

    web_search_requests: int | None = None
    """Web searches made."""
    web_fetch_requests: int | None = None
    """Web pages fetched; 2.1.x."""


class OutputTokensDetails(ApiNative, frozen=True, kw_only=True):
    """What `output_tokens` consists of; 2.1.3xx."""

    thinking_tokens: int | None = None
    """Thinking tokens, already inside `output_tokens`."""


class UsageIteration(ApiNative, frozen=True, kw_only=True):
    """One pass of a server-side loop. The top level already holds the sum: do not add these."""

    type: str | None = None
    """Kind of pass, `message` seen."""
    input_tokens: int | None = None
    """Prompt tokens of this pass, without cache."""
    output_tokens: int | None = None
    """Tokens this pass produced."""
    cache_creation_input_tokens: int | None = None
    """Tokens this pass wrote to the cache."""
    cache_read_input_tokens: int | None = None
    """Tokens this pass read from the cache."""
    cache_creation: CacheCreation | None = None
    """Cache writes of this pass split by lifetime."""


class Usage(ApiNative, frozen=True, kw_only=True):
    """Usage of one response. 1.0.x has the four counts and `service_tier`; the rest came with 2.1.x."""

    input_tokens: int | None = None
    """Prompt tokens that were not in the cache."""
    output_tokens: int | None = None
    """Produced tokens, thinking included; 1 or so while only message_start is known."""
    cache_creation_input_tokens: int | None = None
    """Tokens written to the cache."""
    cache_read_input_tokens: int | None = None
    """Tokens read from the cache."""
    cache_creation: CacheCreation | None = None
    """Cache writes split by lifetime."""
    service_tier: str | None = None
    """`standard`, `default`, `priority`, ...; null on synthetic rows."""
    server_tool_use: ServerToolUse | None = None
    """Calls of server-side tools."""
    inference_geo: str | None = None
    """Region of the inference, often empty."""
    iterations: list[UsageIteration] | None = None
    """Passes of a server-side loop, already summed above."""
    speed: str | None = None
    """`standard` or `fast`."""
    output_tokens_details: OutputTokensDetails | None = None
    """Parts of `output_tokens`."""
    fallback_credit: Any = None
    """Credit for a response of a fallback model; only null seen."""
