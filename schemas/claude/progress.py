"""Payloads of `progress` rows, an open union told apart by `type`; about 2.1.1x to 2.1.9x.

They repeat what other rows say. `agent_progress` holds copies of sub-agent messages with usage: never count them.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import msgspec

from panscript.schemas.claude.base import UNKNOWN_TAG, Native, Number

__all__ = [
    "PROGRESS",
    "AgentProgress",
    "BashProgress",
    "HookProgress",
    "McpProgress",
    "PowershellProgress",
    "Progress",
    "QueryUpdate",
    "SearchResultsReceived",
    "SkillProgress",
    "UnknownProgress",
    "WaitingForTask",
]


class BashProgress(Native, frozen=True, kw_only=True, tag="bash_progress"):
    """Output of a running shell command so far."""

    output: str | None = None
    """Last lines of the output."""
    full_output: str | None = None
    """Whole output so far."""
    elapsed_time_seconds: Number | None = None
    """Seconds since the start."""
    total_lines: int | None = None
    """Lines so far."""
    total_bytes: int | None = None
    """Bytes so far."""
    task_id: str | None = None
    """Id of the shell task."""
    timeout_ms: Number | None = None
    """Time limit in milliseconds."""


class PowershellProgress(Native, frozen=True, kw_only=True, tag="powershell_progress"):
    """Output of a running PowerShell command so far."""

    output: str | None = None
    """Last lines of the output."""
    full_output: str | None = None
    """Whole output so far."""
    elapsed_time_seconds: Number | None = None
    """Seconds since the start."""
    total_lines: int | None = None
    """Lines so far."""
    total_bytes: int | None = None
    """Bytes so far."""
    task_id: str | None = None
    """Id of the shell task."""
    timeout_ms: Number | None = None
    """Time limit in milliseconds."""


class AgentProgress(Native, frozen=True, kw_only=True, tag="agent_progress"):
    """A message of a running sub-agent, copied with its usage."""

    message: Any = None
    """The sub-agent's row, a copy."""
    normalized_messages: list[Any] | None = None
    """Rows before it, copies; older versions."""
    prompt: str | None = None
    """Prompt of the sub-agent."""
    agent_id: str | None = None
    """Id of the sub-agent."""
    agent_type: str | None = None
    """Type of the sub-agent."""
    is_built_in: bool | None = None
    """True for an agent type that comes with the program."""
    description: str | None = None
    """Short description of the task."""
    resume: str | None = None
    """Id of the resumed agent."""
    resolved_model: str | None = None
    """Model the sub-agent runs on."""
    models_used: list[str] | None = None
    """Models it has used."""


class SkillProgress(Native, frozen=True, kw_only=True, tag="skill_progress"):
    """A message of a running skill, copied."""

    message: Any = None
    """The row, a copy."""
    prompt: str | None = None
    """Prompt of the skill's agent."""
    agent_id: str | None = None
    """Id of the skill's agent."""
    agent_type: str | None = None
    """Type of the skill's agent."""
    description: str | None = None
    """Short description of the task."""


class HookProgress(Native, frozen=True, kw_only=True, tag="hook_progress"):
    """A hook has started."""

    hook_event: str | None = None
    """Event, such as `PreToolUse`."""
    hook_name: str | None = None
    """Event and matcher, such as `PreToolUse:Bash`."""
    command: str | None = None
    """Command of the hook."""
    prompt_text: str | None = None
    """Prompt of a prompt hook."""
    status_message: str | None = None
    """Message shown meanwhile."""


class McpProgress(Native, frozen=True, kw_only=True, tag="mcp_progress"):
    """State of a running MCP call."""

    status: str | None = None
    """`started`, `progress`, `completed`, `failed`."""
    server_name: str | None = None
    """Name of the MCP server."""
    tool_name: str | None = None
    """Name of the tool."""
    progress: Number | None = None
    """Progress the server told."""
    total: Number | None = None
    """Total the server told."""
    progress_message: str | None = None
    """Message the server told."""
    elapsed_time_ms: Number | None = None
    """Milliseconds since the start."""


class QueryUpdate(Native, frozen=True, kw_only=True, tag="query_update"):
    """The query of a running web search."""

    query: str | None = None
    """The query so far."""


class SearchResultsReceived(Native, frozen=True, kw_only=True, tag="search_results_received"):
    """A running web search got results."""

    result_count: int | None = None
    """Number of hits."""
    query: str | None = None
    """The query."""


class WaitingForTask(Native, frozen=True, kw_only=True, tag="waiting_for_task"):
    """A call waits for a background task."""

    task_description: str | None = None
    """Description of the task."""
    task_type: str | None = None
    """Type of the task."""


class UnknownProgress(Native, frozen=True, kw_only=True, tag=UNKNOWN_TAG):
    """Progress of a kind this schema does not know."""

    kind: str
    """The type as written."""
    body: dict[str, Any]
    """The whole payload as written."""


Progress: TypeAlias = (
    BashProgress
    | PowershellProgress
    | AgentProgress
    | SkillProgress
    | HookProgress
    | McpProgress
    | QueryUpdate
    | SearchResultsReceived
    | WaitingForTask
    | UnknownProgress
)

PROGRESS: dict[str, type[msgspec.Struct]] = {
    "bash_progress": BashProgress,
    "powershell_progress": PowershellProgress,
    "agent_progress": AgentProgress,
    "skill_progress": SkillProgress,
    "hook_progress": HookProgress,
    "mcp_progress": McpProgress,
    "query_update": QueryUpdate,
    "search_results_received": SearchResultsReceived,
    "waiting_for_task": WaitingForTask,
}
"""Progress payload structs by their `type`."""
