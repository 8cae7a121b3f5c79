"""An exported session of Goose, and the lines of the files it wrote before it had a database (until autumn 2025)."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from panscript.schemas.goose.content import Content, Metadata
from panscript.schemas.goose.rows import ModelConfig

__all__ = ["Export", "FirstLine", "Message"]

_Count = int | UnsetType | None
_Text = str | UnsetType | None


class Message(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A message: every line of a file but the first, and every item of `conversation`."""

    role: str
    created: int
    """Seconds since 1970 UTC."""
    content: list[Content]
    id: _Text = UNSET
    metadata: Metadata | UnsetType | None = UNSET


class _Totals(msgspec.Struct, kw_only=True, omit_defaults=True):
    """Token counts of a session: of the latest request, and `accumulated` of all."""

    total_tokens: _Count = UNSET
    input_tokens: _Count = UNSET
    output_tokens: _Count = UNSET
    accumulated_total_tokens: _Count = UNSET
    accumulated_input_tokens: _Count = UNSET
    accumulated_output_tokens: _Count = UNSET


class FirstLine(_Totals, kw_only=True, omit_defaults=True):
    """The first line of a file; a first line that is none is a message."""

    working_dir: str
    description: _Text = UNSET
    """The title."""
    schedule_id: _Text = UNSET
    message_count: _Count = UNSET
    extension_data: dict[str, Any] | UnsetType | None = UNSET
    recipe: Any = UNSET


class ExportUsage(msgspec.Struct, kw_only=True, omit_defaults=True):
    """Token counts as newer exports have them (schema 14)."""

    input_tokens: _Count = UNSET
    output_tokens: _Count = UNSET
    total_tokens: _Count = UNSET
    cache_read_input_tokens: _Count = UNSET
    cache_write_input_tokens: _Count = UNSET


class Export(_Totals, kw_only=True, omit_defaults=True):
    """What `goose session export --format json` prints."""

    id: str
    working_dir: str
    name: _Text = UNSET
    description: _Text = UNSET
    """Another name of `name`."""
    user_set_name: bool | UnsetType = UNSET
    session_type: _Text = UNSET
    created_at: _Text = UNSET
    """RFC 3339."""
    updated_at: _Text = UNSET
    extension_data: dict[str, Any] | UnsetType | None = UNSET
    accumulated_cost: float | UnsetType | None = UNSET
    usage: ExportUsage | UnsetType | None = UNSET
    accumulated_usage: ExportUsage | UnsetType | None = UNSET
    schedule_id: _Text = UNSET
    recipe: Any = UNSET
    user_recipe_values: Any = UNSET
    conversation: list[Message] | UnsetType | None = UNSET
    message_count: _Count = UNSET
    provider_name: _Text = UNSET
    model_config: ModelConfig | UnsetType | None = UNSET
    goose_mode: _Text = UNSET
    archived_at: _Text = UNSET
    project_id: _Text = UNSET
    parent_session_id: _Text = UNSET
