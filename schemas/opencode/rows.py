"""Rows of OpenCode's database, as version 1.18 has them; older ones lack columns. Times are milliseconds.

Columns that hold JSON text are described as what the text holds.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from panscript.schemas.opencode.messages import AssistantMessage, Revert, SessionModel, UserMessage
from panscript.schemas.opencode.parts import Part

__all__ = ["MessageRow", "PartRow", "SessionRow"]

_Text = str | UnsetType | None
_Count = int | UnsetType | None
_Time = int | UnsetType | None


class _Row(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A row; columns that a version does not have are missing."""


class SessionRow(_Row, kw_only=True):
    """A row of `session`."""

    id: str
    project_id: _Text = UNSET
    workspace_id: _Text = UNSET
    parent_id: _Text = UNSET
    """The session that started this one as a sub-agent."""
    slug: _Text = UNSET
    directory: _Text = UNSET
    path: _Text = UNSET
    title: _Text = UNSET
    version: _Text = UNSET
    summary_additions: _Count = UNSET
    summary_deletions: _Count = UNSET
    summary_files: _Count = UNSET
    summary_diffs: list[Any] | UnsetType | None = UNSET
    metadata: dict[str, Any] | UnsetType | None = UNSET
    """Since May 2026."""
    cost: float | UnsetType | None = UNSET
    """US dollars of its own messages together; as the counts below since May 2026."""
    tokens_input: _Count = UNSET
    tokens_output: _Count = UNSET
    tokens_reasoning: _Count = UNSET
    tokens_cache_read: _Count = UNSET
    tokens_cache_write: _Count = UNSET
    revert: Revert | UnsetType | None = UNSET
    permission: list[Any] | UnsetType | None = UNSET
    agent: _Text = UNSET
    model: SessionModel | UnsetType | None = UNSET
    time_created: _Time = UNSET
    time_updated: _Time = UNSET
    time_compacting: _Time = UNSET
    time_archived: _Time = UNSET


class PartRow(_Row, kw_only=True):
    """A row of `part`."""

    id: str
    message_id: str
    session_id: _Text = UNSET
    time_created: _Time = UNSET
    time_updated: _Time = UNSET
    data: Part


class MessageRow(_Row, kw_only=True):
    """A row of `message`, with those of `part` that are its own, as they are read."""

    id: str
    session_id: str
    time_created: _Time = UNSET
    """Messages are in the order of this and their id."""
    time_updated: _Time = UNSET
    data: UserMessage | AssistantMessage
    parts: list[PartRow] | UnsetType = UNSET
