"""Documents beside the transcripts: `state.json` of both programs, and the index of Kimi CLI's projects."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

__all__ = ["STATES", "Agent", "Approval", "CliState", "CodeState", "ProjectIndex", "Todo", "WorkDir"]

_Time = int | float | str


class _Plain(msgspec.Struct, kw_only=True, omit_defaults=True):
    """Names are in snake case."""


class Approval(_Plain, kw_only=True):
    """What the agent may do without asking."""

    yolo: bool | UnsetType = UNSET
    afk: bool | UnsetType = UNSET
    auto_approve_actions: list[str] | UnsetType = UNSET


class Todo(_Plain, kw_only=True):
    """A task."""

    title: str | UnsetType = UNSET
    status: str | UnsetType = UNSET  # pending, in_progress, done


class CliState(_Plain, kw_only=True):
    """`state.json` of a session of Kimi CLI; a missing or broken one means all defaults."""

    version: int | UnsetType = UNSET  # 1
    approval: Approval | UnsetType = UNSET
    additional_dirs: list[str] | UnsetType = UNSET
    custom_title: str | UnsetType | None = UNSET  # else the first 50 characters of the first prompt
    title_generated: bool | UnsetType = UNSET
    title_generate_attempts: int | UnsetType = UNSET
    plan_mode: bool | UnsetType = UNSET
    plan_session_id: str | UnsetType | None = UNSET
    plan_slug: str | UnsetType | None = UNSET
    wire_mtime: int | float | UnsetType | None = UNSET
    archived: bool | UnsetType = UNSET
    archived_at: _Time | UnsetType | None = UNSET
    auto_archive_exempt: bool | UnsetType = UNSET
    todos: list[Todo] | UnsetType = UNSET


class Agent(msgspec.Struct, kw_only=True, omit_defaults=True):
    """An agent of a session of Kimi Code."""

    homedir: str | UnsetType = UNSET  # absolute path of its folder
    type: str | UnsetType = UNSET  # main, or what kind of sub-agent it is
    parent_agent_id: str | UnsetType | None = msgspec.field(default=UNSET, name="parentAgentId")


class CodeState(msgspec.Struct, kw_only=True, omit_defaults=True, rename="camel"):
    """`state.json` of a session of Kimi Code. Version 1 has ISO 8601 text for times and `workDir` for `cwd`."""

    id: str | UnsetType = UNSET
    version: int | UnsetType = UNSET  # 2
    cwd: str | UnsetType = UNSET
    work_dir: str | UnsetType = UNSET
    created_at: _Time | UnsetType = UNSET  # milliseconds since 1970 UTC
    updated_at: _Time | UnsetType = UNSET
    forked_from: str | UnsetType = UNSET  # session that all before the record `forked` was copied from
    archived: bool | UnsetType = UNSET
    agents: dict[str, Agent] | UnsetType = UNSET
    custom: dict[str, Any] | UnsetType = UNSET  # cwd, parent_session_id, imported_from_kimi_cli
    title: str | UnsetType | None = UNSET
    is_custom_title: bool | UnsetType = UNSET
    last_prompt: str | UnsetType | None = UNSET
    last_turn_reason: str | UnsetType | None = UNSET  # completed, cancelled, failed


class WorkDir(_Plain, kw_only=True):
    """A project of Kimi CLI; the folder of its sessions is the MD5 of its path."""

    path: str | UnsetType = UNSET
    kaos: str | UnsetType = UNSET  # local, else what the folder's name begins with
    last_session_id: str | UnsetType | None = UNSET


class ProjectIndex(_Plain, kw_only=True):
    """`kimi.json`: a project that is not in it has no sessions for the program."""

    work_dirs: list[WorkDir] | UnsetType = UNSET


STATES = (CliState, CodeState, ProjectIndex)
