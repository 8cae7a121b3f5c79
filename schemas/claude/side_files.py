"""Files beside the transcripts: prompt history, titles, sub-agent facts, tasks, workflow journals.

`memory/` and `file-history/` hold plain text; `tool-results/<id>.txt` is the full text of one tool result.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import msgspec

from panscript.schemas.claude.base import UNKNOWN_TAG, Native

__all__ = [
    "SIDE_FILES",
    "AgentMeta",
    "CustomTitleFile",
    "HistoryLine",
    "PastedContent",
    "TaskFile",
    "UnknownWorkflowLine",
    "WorkflowFailed",
    "WorkflowLine",
    "WorkflowRestored",
    "WorkflowRestoring",
    "WorkflowResult",
    "WorkflowStarted",
]


class PastedContent(Native, frozen=True, kw_only=True):
    """Something pasted into a prompt."""

    id: int | None = None
    """Number of the placeholder."""
    type: str | None = None
    """`text` or `image`."""
    content: str | None = None
    """The text."""
    content_hash: str | None = None
    """Check sum of a long text kept elsewhere."""
    media_type: str | None = None
    """MIME type of an image."""
    filename: str | None = None
    """Name of an image."""


class HistoryLine(Native, frozen=True, kw_only=True):
    """One line of `history.jsonl`: a prompt as typed, `!cmd` and `/cmd` included; interactive only."""

    display: str
    """The prompt."""
    pasted_contents: dict[str, PastedContent] | None = None
    """What was pasted, by number."""
    timestamp: int | None = None
    """Milliseconds since 1970."""
    project: str | None = None
    """Working folder."""
    session_id: str | None = None
    """The session."""


class CustomTitleFile(Native, frozen=True, kw_only=True):
    """`custom-title.json`: copy of the title after /rename; 2.1.3xx."""

    custom_title: str
    """The title."""


class AgentMeta(Native, frozen=True, kw_only=True):
    """`agent-<id>.meta.json`: facts of a sub-agent; late 2.1.x."""

    agent_type: str
    """Type of the sub-agent."""
    is_built_in: bool | None = None
    """True for a type that comes with the program."""
    description: str | None = None
    """Short description of the task."""
    tool_use_id: str | None = None
    """Call that started it."""
    spawn_depth: int | None = None
    """1 for a sub-agent of the main agent."""
    parent_agent_id: str | None = None
    """Agent that started it, if nested."""
    name: str | None = None
    """Its name."""
    model: str | None = None
    """Model it runs on."""
    picked_effort_model: str | None = None
    """Model the effort was chosen for."""
    effort: str | None = None
    """Effort."""
    spawn_mode: str | None = None
    """Permission mode it was started with."""
    request_shape: str | None = None
    """`foreground` or `background`."""
    request_non_interactive: bool | None = None
    """True if nobody can be asked."""
    launched_with_defaults: bool | None = None
    """True if nothing special was set."""
    finished: bool | None = None
    """True once it is done."""
    stopped_by_user: bool | None = None
    """True if the person stopped it."""
    run_limits: str | None = None
    """Limits it runs under."""
    workflow_phase: str | None = None
    """Phase of the workflow it belongs to."""
    in_workflow_run: bool | None = None
    """True in a workflow."""
    cwd: str | None = None
    """Its folder."""
    worktree_path: str | None = None
    """Its git worktree."""
    inherited_worktree_path: str | None = None
    """Git worktree of its parent."""
    spawned_with_worktree: bool | None = None
    """True if it was given a worktree."""
    plugin_steered: bool | None = None
    """True if a plugin steered it."""
    mod_shaped: bool | None = None
    """Internal mark."""
    takes_no_hooks: bool | None = None
    """True if no hooks run for it."""
    require_can_use_tool: bool | None = None
    """True if each call is asked for."""
    is_fork: bool | None = None
    """True for a fork of the conversation."""
    is_observer: bool | None = None
    """True for an observer."""
    task_kind: str | None = None
    """Kind of task."""
    restart_resumes: int | None = None
    """Times it was resumed after a restart."""
    restart_resumes_set_back_by: str | None = None
    """What set that number back."""


class TaskFile(Native, frozen=True, kw_only=True):
    """`tasks/<session>/<n>.json`: a task of the TaskCreate list."""

    id: str
    """Number of the task."""
    subject: str
    """Title."""
    description: str | None = None
    """Description."""
    active_form: str | None = None
    """Title as an activity."""
    status: str | None = None
    """`pending`, `in_progress`, `completed`."""
    owner: str | None = None
    """Agent that works on it."""
    blocks: list[str] | None = None
    """Tasks that wait for it."""
    blocked_by: list[str] | None = None
    """Tasks it waits for."""
    metadata: dict[str, Any] | None = None
    """Data of the model; open."""


class WorkflowStarted(Native, frozen=True, kw_only=True, tag="started"):
    """An agent of a workflow was started."""

    key: str | None = None
    """Step."""
    agent_id: str | None = None
    """The agent."""


class WorkflowResult(Native, frozen=True, kw_only=True, tag="result"):
    """An agent of a workflow gave its result."""

    key: str | None = None
    """Step."""
    agent_id: str | None = None
    """The agent."""
    result: Any = None
    """The result."""
    foreign_artifact_content: bool | None = None
    """True if it holds content of others."""
    remote_control_device_report: bool | None = None
    """True if a device reported it."""
    tools_used: list[str] | None = None
    """Tools it used."""
    session_id: str | None = None
    """The session."""


class WorkflowFailed(Native, frozen=True, kw_only=True, tag="failed"):
    """An agent of a workflow failed."""

    key: str | None = None
    """Step."""
    agent_id: str | None = None
    """The agent."""


class WorkflowRestoring(Native, frozen=True, kw_only=True, tag="restoring"):
    """The journal is being copied."""


class WorkflowRestored(Native, frozen=True, kw_only=True, tag="restored"):
    """The journal was copied."""


class UnknownWorkflowLine(Native, frozen=True, kw_only=True, tag=UNKNOWN_TAG):
    """A line whose type this schema does not know."""

    kind: str
    """The type as written."""
    body: dict[str, Any]
    """The whole line as written."""


WorkflowLine: TypeAlias = (
    WorkflowStarted | WorkflowResult | WorkflowFailed | WorkflowRestoring | WorkflowRestored | UnknownWorkflowLine
)

SIDE_FILES: dict[str, type[msgspec.Struct]] = {
    "history.jsonl": HistoryLine,
    "projects/*/*/custom-title.json": CustomTitleFile,
    "projects/*/*/subagents/**/agent-*.meta.json": AgentMeta,
    "tasks/*/*.json": TaskFile,
}
"""What one document, or one line of a `.jsonl` file, holds, by its place below the base folder.

Beside these, `WorkflowLine` is a line of `projects/*/*/subagents/workflows/*/journal.jsonl`.
"""
