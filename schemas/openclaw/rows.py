"""Rows of OpenClaw's database (version 23) that tell of sessions, and an entry of the index beside older files."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

__all__ = ["ROWS", "IndexEntry", "Node", "TranscriptEvent", "Window"]

_Text = str | UnsetType | None
_Time = int | UnsetType | None


class _Row(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A row; columns that a version does not have are missing. Times are milliseconds since 1970 UTC."""


class TranscriptEvent(_Row, kw_only=True, omit_defaults=True):
    """A row of `transcript_events`: one line of a session, as JSON or compressed."""

    session_id: str
    seq: int
    """Its number in the session, from 0."""
    event_json: _Text = UNSET
    """The line; null where it is compressed."""
    event_zstd: bytes | UnsetType | None = UNSET
    """The line as one zstd frame: that of a large one (missing in older versions)."""
    event_utf8_bytes: int | UnsetType | None = UNSET
    """Bytes of the line, at most 4 MiB."""
    navigation_json: _Text = UNSET
    """What finding the branch needs of a compressed line."""
    created_at: _Time = UNSET


class IndexEntry(msgspec.Struct, kw_only=True, omit_defaults=True, rename="camel"):
    """What is said of a session beside its lines: an entry of `sessions.json`, and `entry_json` of a node.

    Its key, as `agent:main:main`, names agent and conversation; `agent:main:subagent:...` is one of a sub-agent.
    """

    session_id: str
    updated_at: _Time = UNSET
    session_file: _Text = UNSET
    label: _Text = UNSET
    display_name: _Text = UNSET
    spawned_by: _Text = UNSET
    """Key of the session that started it as a sub-agent."""
    parent_session_key: _Text = UNSET
    model: _Text = UNSET
    model_provider: _Text = UNSET
    thinking_level: _Text = UNSET
    input_tokens: int | UnsetType | None = UNSET
    """Of the latest run, as the next two; no account of what was billed."""
    output_tokens: int | UnsetType | None = UNSET
    total_tokens: int | UnsetType | None = UNSET
    context_tokens: int | UnsetType | None = UNSET
    """Size of the model's context."""
    session_started_at: _Time = UNSET
    last_interaction_at: _Time = UNSET
    last_activity_at: _Time = UNSET
    aborted_last_run: bool | UnsetType = UNSET
    skills_snapshot: Any = UNSET
    system_prompt_report: Any = UNSET


class Node(_Row, kw_only=True, omit_defaults=True):
    """A row of `session_nodes`: a conversation, whose sessions follow each other."""

    session_key: str
    current_session_id: str
    entry_json: IndexEntry | UnsetType = UNSET
    """JSON text."""
    updated_at: _Time = UNSET
    status: _Text = UNSET
    """running, done, failed, killed, timeout."""
    created_at: _Time = UNSET
    created_via: _Text = UNSET
    """operator, spawn, channel, cron, talk, run, plugin, internal."""
    parent_session_key: _Text = UNSET
    spawned_by: _Text = UNSET
    fork_source_session_key: _Text = UNSET
    fork_source_session_id: _Text = UNSET
    fork_source_entry_id: _Text = UNSET
    label: _Text = UNSET
    display_name: _Text = UNSET
    category: _Text = UNSET
    archived_at: _Time = UNSET
    last_activity_at: _Time = UNSET


class Window(_Row, kw_only=True, omit_defaults=True):
    """A row of `session_windows`: one session of a conversation."""

    session_id: str
    session_key: str
    previous_session_id: _Text = UNSET
    reason: _Text = UNSET
    """Why it began: initial, reset, rollover, fork, rewind, switch, recovery, compaction."""
    session_scope: _Text = UNSET
    """conversation, shared-main, group, channel."""
    created_at: _Time = UNSET
    updated_at: _Time = UNSET
    started_at: _Time = UNSET
    ended_at: _Time = UNSET
    status: _Text = UNSET
    chat_type: _Text = UNSET
    channel: _Text = UNSET
    model_provider: _Text = UNSET
    model: _Text = UNSET
    parent_session_key: _Text = UNSET
    spawned_by: _Text = UNSET
    display_name: _Text = UNSET


ROWS = (TranscriptEvent, Node, Window, IndexEntry)
