"""The settings file beside a Droid session, `<id>.settings.json`: one object, rewritten in place."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

__all__ = ["LastCall", "Settings", "Tag", "TokenUsage"]


class _Named(msgspec.Struct, kw_only=True, omit_defaults=True, rename="camel"):
    """Names are in camel case."""


class TokenUsage(_Named, kw_only=True):
    """Running totals in tokens; the buckets are disjoint but for reasoning."""

    input_tokens: int | float | UnsetType = UNSET  # neither read from a cache nor written to one
    output_tokens: int | float | UnsetType = UNSET  # reasoning included
    cache_creation_tokens: int | float | UnsetType = UNSET
    cache_read_tokens: int | float | UnsetType = UNSET
    thinking_tokens: int | float | UnsetType = UNSET  # the agent's own estimate, part of the output
    factory_credits: int | float | UnsetType = UNSET


class LastCall(_Named, kw_only=True):
    """Counts of the last request alone."""

    input_tokens: int | float | UnsetType = UNSET
    output_tokens: int | float | UnsetType = UNSET
    cache_read_tokens: int | float | UnsetType = UNSET


class Tag(_Named, kw_only=True):
    """What kind of session it is."""

    name: str | UnsetType = UNSET  # exec, subagent
    metadata: dict[str, Any] | UnsetType = UNSET  # of a sub-agent: callingSessionId, callingToolUseId


class Settings(_Named, kw_only=True):
    """What the session runs with, and what it has used."""

    model: str | UnsetType = UNSET  # a model of the person's own is custom:<Display-Name>-<index>
    reasoning_effort: str | UnsetType = UNSET
    interaction_mode: str | UnsetType = UNSET
    autonomy_level: str | UnsetType = UNSET
    autonomy_mode: str | UnsetType = UNSET
    tool_execution_mode: str | UnsetType = UNSET
    compaction_threshold_check_enabled: bool | UnsetType = UNSET
    allow_subagents_in_scripts: bool | UnsetType = UNSET
    provider_lock: str | UnsetType = UNSET  # the provider; for models of the person's own the wire
    provider_lock_timestamp: str | UnsetType = UNSET  # when the first request was made; a fork keeps its source's
    api_provider_lock: str | UnsetType = UNSET
    assistant_active_time_ms: int | float | UnsetType = UNSET
    archived_at: str | UnsetType = UNSET
    tags: list[Tag] | UnsetType = UNSET
    system_prompt: str | UnsetType = UNSET  # sub-agents
    disabled_tool_ids: list[str] | UnsetType = UNSET  # sub-agents
    token_usage: TokenUsage | UnsetType = UNSET  # this session's own requests; a fork starts at zero
    inclusive_token_usage: TokenUsage | UnsetType = UNSET  # may add those of child sessions
    last_call_token_usage: LastCall | UnsetType = UNSET
    child_inclusive_token_usage_by_session_id: dict[str, Any] | UnsetType = UNSET
