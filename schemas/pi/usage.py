"""Token counts and their price, as Pi writes them into assistant messages, tool results and some entries."""

from msgspec import UNSET, UnsetType, field

from panscript.schemas.pi.base import Base, Number

__all__ = ["Cost", "ServerToolUse", "Usage"]


class Cost(Base, kw_only=True):
    """Price of one request in USD, by Pi's own catalog unless said otherwise."""

    input: Number  # fresh prompt tokens
    output: Number  # answer tokens, reasoning included
    cache_read: Number  # prompt tokens served from cache
    cache_write: Number  # prompt tokens written to cache
    total: Number  # what Pi adds up; the billed sum where the provider reports one
    total_from_provider: bool | UnsetType = UNSET  # true: `total` was billed by the provider (not in 0.74.2)


class ServerToolUse(Base, kw_only=True):
    """Requests to tools that ran at the provider (omp)."""

    web_search: Number | UnsetType = UNSET  # searches made
    web_fetch: Number | UnsetType = UNSET  # pages fetched


class Usage(Base, kw_only=True):
    """Tokens of one request; the four buckets are disjoint, reasoning lies inside `output`."""

    input: Number  # prompt tokens neither read from nor written to cache
    output: Number  # answer tokens, reasoning included
    cache_read: Number  # prompt tokens served from cache
    cache_write: Number  # prompt tokens written to cache, whatever their lifetime
    cost: Cost  # Pi fails on a file where it is missing
    total_tokens: Number | UnsetType = UNSET  # input + output + both caches; missing in files of 2025
    # Part of `cache_write` kept for an hour (Anthropic only; not in 0.74.2).
    cache_write_1h: Number | UnsetType = field(name="cacheWrite1h", default=UNSET)
    reasoning: Number | UnsetType = UNSET  # part of `output` spent on thinking, where the provider says (not in 0.74.2)
    reasoning_tokens: Number | UnsetType = UNSET  # omp's name for `reasoning`
    premium_requests: Number | UnsetType = UNSET  # omp: requests counted against a Copilot plan
    server: ServerToolUse | UnsetType = UNSET  # omp: tools that ran at the provider
