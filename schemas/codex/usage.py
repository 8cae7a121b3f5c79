"""Token counts, rate limits and credits.

Two systems live in the files. `token_usage_record` lines (since 0.153) hold one exact count per answer of the API.
`token_count` events (since 0.2x) hold a running total that is repeated, estimated after a compaction and carried over
into forks. `input_tokens` includes `cached_input_tokens`, `output_tokens` includes `reasoning_output_tokens`, and
`total_tokens` is input plus output.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from panscript.schemas.codex.base import Wire
from panscript.schemas.codex.vocabulary import ResponseId, SessionId, ThreadId, TurnId, UnixSeconds

__all__ = [
    "CreditsSnapshot",
    "PlanType",
    "RateLimitSnapshot",
    "RateLimitWindow",
    "SpendControlLimit",
    "TokenUsage",
    "TokenUsageInfo",
    "TokenUsageRecord",
]

PlanType = Annotated[
    str,
    Meta(
        examples=[
            "free",
            "go",
            "plus",
            "pro",
            "prolite",
            "promax",
            "team",
            "self_serve_business_prolite",
            "self_serve_business_usage_based",
            "business",
            "ent26",
            "enterprise_cbp_automation",
            "enterprise_cbp_usage_based",
            "enterprise",
            "edu",
            "edu_plus",
            "edu_pro",
            "sci",
            "sci_plus",
            "unknown",
        ]
    ),
]
RateLimitReached = Annotated[
    str,
    Meta(
        examples=[
            "rate_limit_reached",
            "workspace_owner_credits_depleted",
            "workspace_member_credits_depleted",
            "workspace_owner_usage_limit_reached",
            "workspace_member_usage_limit_reached",
        ]
    ),
]


class TokenUsage(Wire):
    """Tokens of one answer, one turn or one thread."""

    input_tokens: int  # all of the prompt, cached part included
    cached_input_tokens: int | None = None  # read from the cache
    cache_write_input_tokens: int | None = None  # written to the cache; since 0.153
    output_tokens: int  # all of the answer, reasoning included
    reasoning_output_tokens: int | None = None  # spent on thinking
    total_tokens: int | None = None  # input plus output


class TokenUsageInfo(Wire):
    """`token_count.info`: the running total and the last answer's share of it."""

    total_token_usage: TokenUsage  # since the thread began; a fork goes on from its parent's total
    last_token_usage: TokenUsage  # the last answer; an estimate after a compaction or a rollback
    model_context_window: int | None = None  # tokens the model can hold
    last_usage_includes_reasoning: bool | None = None  # since 0.171


class TokenUsageRecord(Wire):
    """Payload of `token_usage_record` (since 0.153): what one answer of the API cost."""

    thread_id: ThreadId  # differs from the file's own id on lines a fork copied
    turn_id: TurnId
    session_id: SessionId
    root_turn_id: TurnId  # the turn of the root agent this one serves
    response_id: ResponseId  # one record an answer
    usage: TokenUsage  # this answer
    turn_token_usage: TokenUsage  # the turn so far
    thread_token_usage: TokenUsage  # the thread so far, counted from the first record


class RateLimitWindow(Wire):
    """How much of one rate limit window is used."""

    used_percent: float  # 0 to 100
    window_minutes: int | None = None  # length of the window
    resets_at: UnixSeconds | None = None  # since about 0.4x
    resets_in_seconds: int | None = None  # before `resets_at`


class CreditsSnapshot(Wire):
    """Credits of the account."""

    has_credits: bool
    unlimited: bool
    balance: str | None = None  # a decimal number as text


class SpendControlLimit(Wire):
    """The spending limit of one member of a workspace."""

    limit: str  # a decimal number as text
    used: str  # a decimal number as text
    remaining_percent: int  # 0 to 100
    resets_at: UnixSeconds


class RateLimitSnapshot(Wire):
    """`token_count.rate_limits`: what the API said about the account's limits."""

    primary: RateLimitWindow | None = None  # the short window
    secondary: RateLimitWindow | None = None  # the long window
    credits: CreditsSnapshot | None = None  # since about 0.6x
    individual_limit: SpendControlLimit | None = None  # since 0.15x
    limit_id: str | None = None  # which limit this is; since 0.1xx
    limit_name: str | None = None  # its name for people
    normal_model_slug: str | None = None  # the model this limit stands in for; since 0.171
    plan_type: PlanType | None = None  # the account's plan
    rate_limit_reached_type: RateLimitReached | None = None  # set once a limit stops the work
    spend_control_reached: bool | None = None  # since 0.15x
    primary_used_percent: float | None = None  # flat form of the first versions with limits
    primary_window_minutes: int | None = None  # the same
    primary_to_secondary_ratio_percent: float | None = None  # the same
    secondary_used_percent: float | None = None  # the same
    secondary_window_minutes: int | None = None  # the same
