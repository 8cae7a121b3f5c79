"""Rows of Goose's `sessions.db`, schema versions 1 to 17; a field names the version that brought its column.

Columns that hold JSON text are described as what the text holds.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from panscript.schemas.goose.content import Content, Metadata

__all__ = ["LedgerRow", "MessageRow", "ModelConfig", "SessionRow"]

_Count = int | UnsetType | None
_Text = str | UnsetType | None


class _Row(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A row; columns that a version does not have are missing."""


class ModelConfig(_Row, kw_only=True, omit_defaults=True):
    """The model that a session uses."""

    model_name: str
    context_limit: _Count = UNSET
    temperature: float | UnsetType | None = UNSET
    max_tokens: _Count = UNSET
    toolshim: bool | UnsetType = UNSET
    toolshim_model: _Text = UNSET


class SessionRow(_Row, kw_only=True, omit_defaults=True):
    """A row of `sessions`."""

    id: str
    """`<YYYYMMDD>_<number on that day>`; of sessions taken over from files `<YYYYMMDD>_<HHMMSS>`."""
    name: _Text = UNSET
    """The title (4)."""
    description: _Text = UNSET
    """The title before version 4; empty now."""
    user_set_name: int | bool | UnsetType | None = UNSET
    session_type: _Text = UNSET
    """user, scheduled, sub_agent, hidden, terminal, gateway, acp (5)."""
    working_dir: str
    created_at: _Text = UNSET
    """UTC without a zone, `YYYY-MM-DD HH:MM:SS`."""
    updated_at: _Text = UNSET
    extension_data: dict[str, Any] | UnsetType | None = UNSET
    total_tokens: _Count = UNSET
    """Of the latest request only, as the next two."""
    input_tokens: _Count = UNSET
    output_tokens: _Count = UNSET
    cache_read_tokens: _Count = UNSET
    """(14)"""
    cache_write_tokens: _Count = UNSET
    accumulated_total_tokens: _Count = UNSET
    """Of the whole session; cached tokens are part of the input."""
    accumulated_input_tokens: _Count = UNSET
    accumulated_output_tokens: _Count = UNSET
    accumulated_cache_read_tokens: _Count = UNSET
    """(14)"""
    accumulated_cache_write_tokens: _Count = UNSET
    accumulated_cost: float | UnsetType | None = UNSET
    """US dollars (13)."""
    schedule_id: _Text = UNSET
    recipe_json: Any = UNSET
    user_recipe_values_json: Any = UNSET
    """(2)"""
    provider_name: _Text = UNSET
    """(6)"""
    model_config_json: ModelConfig | UnsetType | None = UNSET
    """(6)"""
    goose_mode: _Text = UNSET
    """(8)"""
    thread_id: _Text = UNSET
    """(10), gone later"""
    archived_at: _Text = UNSET
    """(12)"""
    project_id: _Text = UNSET
    parent_session_id: _Text = UNSET
    """The session that this one is a sub-agent of (15)."""
    parent_delegation: Any = UNSET
    """(17)"""


class MessageRow(_Row, kw_only=True, omit_defaults=True):
    """A row of `messages`; their order is that of `created_timestamp`, then `id`."""

    id: int
    message_id: _Text = UNSET
    """The vendor's id of the response, or one of Goose's own (7)."""
    session_id: str
    role: str
    """user, assistant; Goose passes by all others."""
    content_json: list[Content]
    created_timestamp: int
    """Seconds since 1970 UTC; what is above 10^10 is milliseconds."""
    timestamp: _Text = UNSET
    tokens: _Count = UNSET
    """Never filled."""
    metadata_json: Metadata | UnsetType | None = UNSET
    """(3)"""


class LedgerRow(_Row, kw_only=True, omit_defaults=True):
    """A row of `usage_ledger`: one request to a model (15)."""

    id: int
    session_id: str
    created_timestamp: int | str | UnsetType | None = UNSET
    model: _Text = UNSET
    input_tokens: _Count = UNSET
    output_tokens: _Count = UNSET
    total_tokens: _Count = UNSET
    cache_read_tokens: _Count = UNSET
    cache_write_tokens: _Count = UNSET
    cost: float | UnsetType | None = UNSET
    cost_source: _Text = UNSET
    """provider_reported, estimated, carried_forward."""
    is_compaction: int | bool | UnsetType | None = UNSET
