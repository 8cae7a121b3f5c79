"""Cline's sessions since summer 2026: `<id>.json`, the manifest, and `<id>.messages.json`, what was said."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from panscript.schemas.cline.api import ApiMessage

__all__ = ["Manifest", "SessionDocument"]


class _Named(msgspec.Struct, kw_only=True, omit_defaults=True, rename="camel"):
    """Names are in camel case."""


class SessionUsage(_Named, kw_only=True):
    """Totals of a session."""

    input_tokens: int | UnsetType = UNSET  # with what was read from a cache
    output_tokens: int | UnsetType = UNSET
    cache_read_tokens: int | UnsetType = UNSET
    cache_write_tokens: int | UnsetType = UNSET
    total_cost: float | UnsetType = UNSET  # US dollars


class Fork(_Named, kw_only=True):
    """Where a session was forked from."""

    forked_from_session_id: str | UnsetType = UNSET
    forked_at: str | UnsetType = UNSET
    source: str | UnsetType = UNSET


class Metadata(_Named, kw_only=True):
    """What the program keeps beside a session."""

    title: str | UnsetType = UNSET
    total_cost: float | UnsetType = UNSET
    usage: SessionUsage | UnsetType = UNSET
    aggregate_usage: SessionUsage | UnsetType = UNSET  # sub-agents included
    aggregated_agents_cost: float | UnsetType = UNSET
    session_history_origin: dict[str, Any] | UnsetType = UNSET  # mode, version
    fork: Fork | UnsetType = UNSET
    checkpoint: Any = UNSET


class Manifest(msgspec.Struct, kw_only=True, omit_defaults=True):
    """The facts of a session. Times are ISO 8601 text."""

    version: int | UnsetType = UNSET  # 1
    session_id: str | UnsetType = UNSET  # <milliseconds since 1970 UTC>_<5 characters>
    source: str | UnsetType = UNSET  # cli, vscode
    pid: int | UnsetType = UNSET
    started_at: str | UnsetType = UNSET
    ended_at: str | UnsetType | None = UNSET
    exit_code: int | UnsetType | None = UNSET
    status: str | UnsetType = UNSET  # running, completed, failed, cancelled, idle
    interactive: bool | UnsetType = UNSET
    provider: str | UnsetType = UNSET
    model: str | UnsetType = UNSET
    cwd: str | UnsetType = UNSET
    workspace_root: str | UnsetType = UNSET
    team_name: str | UnsetType | None = UNSET
    enable_tools: bool | UnsetType = UNSET
    enable_spawn: bool | UnsetType = UNSET
    enable_teams: bool | UnsetType = UNSET
    parent_session_id: str | UnsetType | None = UNSET  # sub-agent
    parent_agent_id: str | UnsetType | None = UNSET
    agent_id: str | UnsetType | None = UNSET
    is_subagent: bool | UnsetType | None = UNSET
    prompt: str | UnsetType | None = UNSET
    metadata: Metadata | UnsetType | None = UNSET
    messages_path: str | UnsetType | None = UNSET  # absolute


class Origin(_Named, kw_only=True):
    """The program that wrote a document."""

    source: str | UnsetType = UNSET
    mode: str | UnsetType = UNSET
    session_id: str | UnsetType = UNSET
    version: str | UnsetType = UNSET


class SessionDocument(msgspec.Struct, kw_only=True, omit_defaults=True):
    """What was said."""

    version: int | UnsetType = UNSET  # 1
    updated_at: str | UnsetType = UNSET  # ISO 8601
    agent: str | UnsetType = UNSET  # lead
    session_id: str | UnsetType = msgspec.field(name="sessionId", default=UNSET)
    origin: Origin | UnsetType = UNSET
    messages: list[ApiMessage] | UnsetType = UNSET
    system_prompt: str | UnsetType = UNSET
