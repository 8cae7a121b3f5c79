"""Shapes of `toolUseResult` of the tools for agents, tasks, plans, questions and schedules."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from panscript.schemas.claude.base import ApiNative, Native, Number
from panscript.schemas.claude.blocks import Block
from panscript.schemas.claude.rows import Todo
from panscript.schemas.claude.usage import Usage

__all__ = [
    "AgentCompletedResult",
    "AgentLaunchedResult",
    "AgentRemoteResult",
    "AskUserQuestionResult",
    "CreatedTask",
    "CronCreateResult",
    "CronDeleteResult",
    "CronJob",
    "CronListResult",
    "EnterPlanModeResult",
    "EnterWorktreeResult",
    "ExitPlanModeResult",
    "ExitWorktreeResult",
    "MonitorResult",
    "ProposeGoalResult",
    "ProposeSkillsResult",
    "Question",
    "QuestionAnnotation",
    "QuestionOption",
    "ReportFindingsResult",
    "ScheduleWakeupResult",
    "SkillResult",
    "StatusChange",
    "TaskCreateResult",
    "TaskDetail",
    "TaskGetResult",
    "TaskLine",
    "TaskListResult",
    "TaskOutputResult",
    "TaskOutputTask",
    "TaskStopResult",
    "TaskUpdateResult",
    "TeammateSpawnedResult",
    "TodoWriteResult",
    "ToolStats",
    "WorkflowResultLaunched",
]


class TodoWriteResult(Native, frozen=True, kw_only=True):
    """TodoWrite; off by default since 2.1.142."""

    old_todos: list[Todo]
    """List before."""
    new_todos: list[Todo]
    """List after."""
    verification_nudge_needed: bool | None = None
    """True if a check is due."""


class CreatedTask(Native, frozen=True, kw_only=True):
    """Task that was made."""

    id: str
    """Its number."""
    subject: str
    """Its title."""
    description: str | None = None
    """Its description."""


class TaskCreateResult(Native, frozen=True, kw_only=True):
    """TaskCreate."""

    task: CreatedTask
    """The task."""


class TaskDetail(Native, frozen=True, kw_only=True):
    """A task."""

    id: str
    """Its number."""
    subject: str
    """Its title."""
    description: str
    """Its description."""
    status: str
    """`pending`, `in_progress`, `completed`."""
    blocks: list[str]
    """Tasks that wait for it."""
    blocked_by: list[str]
    """Tasks it waits for."""


class TaskGetResult(Native, frozen=True, kw_only=True):
    """TaskGet."""

    task: TaskDetail | None
    """The task, or null."""


class StatusChange(Native, frozen=True, kw_only=True):
    """Change of a state."""

    from_: str | None = None
    """Before."""
    to: str | None = None
    """After."""


class TaskUpdateResult(Native, frozen=True, kw_only=True):
    """TaskUpdate."""

    success: bool
    """True if done."""
    task_id: str
    """The task."""
    updated_fields: list[str]
    """What changed."""
    error: str | None = None
    """Error."""
    status_change: StatusChange | None = None
    """Change of the state."""
    verification_nudge_needed: bool | None = None
    """True if a check is due."""


class TaskLine(Native, frozen=True, kw_only=True):
    """A task in a list."""

    id: str
    """Its number."""
    subject: str
    """Its title."""
    status: str
    """State."""
    owner: str | None = None
    """Agent that works on it."""
    blocked_by: list[str] | None = None
    """Tasks it waits for."""


class TaskListResult(Native, frozen=True, kw_only=True):
    """TaskList."""

    tasks: list[TaskLine]
    """The tasks."""


class ToolStats(Native, frozen=True, kw_only=True):
    """Calls a sub-agent made."""

    read_count: int | None = None
    """Files read."""
    search_count: int | None = None
    """Searches."""
    bash_count: int | None = None
    """Commands."""
    edit_file_count: int | None = None
    """Files edited."""
    lines_added: int | None = None
    """Lines added."""
    lines_removed: int | None = None
    """Lines removed."""
    other_tool_count: int | None = None
    """Other calls."""
    frame_count: int | None = None
    """Artifacts."""


class AgentCompletedResult(Native, frozen=True, kw_only=True):
    """Task or Agent that ran to its end."""

    status: Literal["completed"]
    """Always `completed`."""
    agent_id: str | None = None
    """The sub-agent; absent in 1.0.x."""
    agent_type: str | None = None
    """Its type."""
    prompt: str | None = None
    """Its prompt."""
    content: list[Block] | None = None
    """Its answer."""
    total_duration_ms: Number | None = None
    """Milliseconds."""
    total_tokens: int | None = None
    """Tokens of the last response."""
    total_tool_use_count: int | None = None
    """Calls made."""
    usage: Usage | None = None
    """Usage of the LAST response, a copy: never count it."""
    tools_used: list[str] | None = None
    """Tools it used."""
    tool_stats: ToolStats | None = None
    """Calls it made."""
    resolved_model: str | None = None
    """Model it ran on."""
    models_used: list[str] | None = None
    """Models it used."""
    worktree_path: str | None = None
    """Its git worktree."""
    worktree_branch: str | None = None
    """Branch of that."""


class AgentLaunchedResult(Native, frozen=True, kw_only=True):
    """Agent that runs in the background; its answer comes as a task notification."""

    status: Literal["async_launched"]
    """Always `async_launched`."""
    agent_id: str
    """The sub-agent."""
    is_async: bool | None = None
    """Always true."""
    description: str | None = None
    """Short description of the task."""
    prompt: str | None = None
    """Its prompt."""
    output_file: str | None = None
    """File of its output."""
    can_read_output_file: bool | None = None
    """True if the model can read that."""
    can_continue_agent: bool | None = None
    """True if it takes further messages."""
    resolved_model: str | None = None
    """Model it runs on."""
    models_used: list[str] | None = None
    """Models it used."""


class AgentRemoteResult(Native, frozen=True, kw_only=True):
    """Agent that runs in a remote session."""

    status: Literal["remote_launched"]
    """Always `remote_launched`."""
    task_id: str
    """The task."""
    session_url: str | None = None
    """Address of the session."""
    description: str | None = None
    """Short description of the task."""
    prompt: str | None = None
    """Its prompt."""
    output_file: str | None = None
    """File of its output."""


class TeammateSpawnedResult(ApiNative, frozen=True, kw_only=True):
    """Agent started as a member of a team."""

    status: Literal["teammate_spawned"]
    """Always `teammate_spawned`."""
    prompt: str | None = None
    """Its prompt."""
    teammate_id: str | None = None
    """Id in the team."""
    agent_id: str | None = None
    """The agent."""
    agent_type: str | None = None
    """Its type."""
    resolved_model: str | None = msgspec.field(name="resolvedModel", default=None)
    """Model it runs on."""
    model: str | None = None
    """Its model."""
    name: str | None = None
    """Its name."""
    color: str | None = None
    """Its color."""
    tmux_session_name: str | None = None
    """tmux session."""
    tmux_window_name: str | None = None
    """tmux window."""
    tmux_pane_id: str | None = None
    """tmux pane."""
    team_name: str | None = None
    """The team."""
    is_splitpane: bool | None = None
    """True in a split pane."""
    plan_mode_required: bool | None = None
    """True if it must plan first."""


class TaskStopResult(ApiNative, frozen=True, kw_only=True):
    """TaskStop."""

    message: str
    """What happened."""
    task_id: str
    """The task."""
    task_type: str | None = None
    """Its type."""
    command: str | None = None
    """Its command or description."""


class TaskOutputTask(Native, frozen=True, kw_only=True):
    """A background task and its output."""

    task_id: str | None = msgspec.field(name="task_id", default=None)
    """The task."""
    task_type: str | None = msgspec.field(name="task_type", default=None)
    """Its type."""
    status: str | None = None
    """State."""
    description: str | None = None
    """Description."""
    output: str | None = None
    """Output."""
    exit_code: int | None = None
    """Exit code."""
    error: str | None = None
    """Error."""
    prompt: str | None = None
    """Prompt of an agent."""
    result: str | None = None
    """Answer of an agent."""


class TaskOutputResult(ApiNative, frozen=True, kw_only=True):
    """TaskOutput: reads a background task."""

    retrieval_status: str
    """`success`, `timeout`, `not_ready`."""
    task: TaskOutputTask | None = None
    """The task, or null."""


class WorkflowResultLaunched(Native, frozen=True, kw_only=True):
    """Workflow that runs in the background."""

    status: Literal["async_launched", "remote_launched"]
    """Where it runs."""
    task_id: str
    """The task."""
    task_type: str | None = None
    """`local_workflow` or `remote_agent`."""
    workflow_name: str | None = None
    """Name of the workflow."""
    run_id: str | None = None
    """The run."""
    summary: str | None = None
    """What it does."""
    transcript_dir: str | None = None
    """Folder of its transcripts."""
    script_path: str | None = None
    """File of its script."""
    session_url: str | None = None
    """Address of a remote session."""
    warning: str | None = None
    """Warning."""
    error: str | None = None
    """Error."""


class ExitPlanModeResult(Native, frozen=True, kw_only=True):
    """ExitPlanMode."""

    plan: str | None
    """The plan."""
    is_agent: bool | None = None
    """True in a sub-agent."""
    file_path: str | None = None
    """File of the plan."""
    has_task_tool: bool | None = None
    """True if agents can be started."""
    plan_was_edited: bool | None = None
    """True if the person changed it."""
    awaiting_leader_approval: bool | None = None
    """True if the team's leader must agree."""
    request_id: str | None = None
    """Request to the leader."""


class EnterPlanModeResult(Native, frozen=True, kw_only=True):
    """EnterPlanMode, and other tools that give only a message."""

    message: str
    """What happened."""


class SkillResult(Native, frozen=True, kw_only=True):
    """Skill."""

    success: bool
    """True if done."""
    command_name: str
    """The skill."""
    allowed_tools: list[str] | None = None
    """Tools it may use."""
    model: str | None = None
    """Model it runs on."""
    status: str | None = None
    """`inline` or `forked`."""
    agent_id: str | None = None
    """Agent of a forked skill."""
    result: str | None = None
    """Answer of a forked skill."""
    background: bool | None = None
    """True if it runs in the background."""
    tools_used_line: str | None = None
    """Tools a forked skill used."""


class QuestionOption(Native, frozen=True, kw_only=True):
    """A choice."""

    label: str
    """Text."""
    description: str | None = None
    """Explanation."""
    preview: str | None = None
    """Preview."""


class Question(Native, frozen=True, kw_only=True):
    """A question to the person."""

    question: str
    """The question."""
    header: str | None = None
    """Short label."""
    options: list[QuestionOption] | None = None
    """The choices."""
    multi_select: bool | None = None
    """True if several may be chosen."""


class QuestionAnnotation(Native, frozen=True, kw_only=True):
    """Notes on an answer."""

    preview: str | None = None
    """Preview of the choice."""
    notes: str | None = None
    """Notes of the person."""
    unanswered: str | None = None
    """How it went unanswered."""


class AskUserQuestionResult(Native, frozen=True, kw_only=True):
    """AskUserQuestion."""

    questions: list[Question]
    """The questions."""
    answers: dict[str, Any]
    """Answers by question."""
    response: str | None = None
    """Text typed instead."""
    annotations: dict[str, QuestionAnnotation] | None = None
    """Notes by question."""
    afk_timeout_ms: Number | None = None
    """Milliseconds after which it answered itself."""


class EnterWorktreeResult(Native, frozen=True, kw_only=True):
    """EnterWorktree."""

    worktree_path: str
    """Folder of the worktree."""
    message: str
    """What happened."""
    worktree_branch: str | None = None
    """Its branch."""


class ExitWorktreeResult(Native, frozen=True, kw_only=True):
    """ExitWorktree."""

    action: str
    """`keep` or `remove`."""
    original_cwd: str
    """Folder before."""
    worktree_path: str
    """Folder of the worktree."""
    worktree_branch: str | None = None
    """Its branch."""
    tmux_session_name: str | None = None
    """Its tmux session."""
    discarded_files: int | None = None
    """Files thrown away."""
    discarded_commits: int | None = None
    """Commits thrown away."""
    restored_cwd: str | None = None
    """Folder now."""
    original_cwd_missing: bool | None = None
    """True if the folder before is gone."""
    sandbox_note: str | None = None
    """Note on the sandbox."""
    message: str | None = None
    """What happened."""


class CronCreateResult(Native, frozen=True, kw_only=True):
    """CronCreate."""

    id: str
    """The job."""
    human_schedule: str
    """Its schedule in words."""
    recurring: bool | None = None
    """True if it repeats."""
    durable: bool | None = None
    """True if it outlives the session."""
    next_fire_at: int | None = None
    """Next run, in milliseconds since 1970."""


class CronDeleteResult(Native, frozen=True, kw_only=True):
    """CronDelete."""

    id: str
    """The job."""
    ended_loop_wakeup: bool | None = None
    """True if it ended a loop."""


class CronJob(Native, frozen=True, kw_only=True):
    """A scheduled job."""

    id: str
    """The job."""
    cron: str
    """Its schedule."""
    human_schedule: str | None = None
    """Its schedule in words."""
    prompt: str | None = None
    """Its prompt."""
    recurring: bool | None = None
    """True if it repeats."""
    durable: bool | None = None
    """True if it outlives the session."""
    next_fire_at: int | None = None
    """Next run, in milliseconds since 1970."""


class CronListResult(Native, frozen=True, kw_only=True):
    """CronList."""

    jobs: list[CronJob]
    """The jobs."""


class ScheduleWakeupResult(Native, frozen=True, kw_only=True):
    """ScheduleWakeup."""

    scheduled_for: int
    """Time, in milliseconds since 1970."""
    clamped_delay_seconds: Number | None = None
    """Delay in seconds."""
    was_clamped: bool | None = None
    """True if the delay was changed."""
    stopped: bool | None = None
    """True if the loop ended."""
    cancelled_wakeups: int | None = None
    """Wake-ups cancelled."""


class MonitorResult(Native, frozen=True, kw_only=True):
    """Monitor."""

    task_id: str
    """The task."""
    timeout_ms: Number
    """Time limit in milliseconds, 0 for none."""
    persistent: bool | None = None
    """True if there is no limit."""
    kept_in_sandbox_by_check: bool | None = None
    """True if it ran in the sandbox for a check."""


class ReportFindingsResult(Native, frozen=True, kw_only=True):
    """ReportFindings."""

    count: int
    """Number of findings."""
    findings: list[Any]
    """The findings."""
    level: str | None = None
    """Effort."""


class ProposeSkillsResult(Native, frozen=True, kw_only=True):
    """ProposeSkills."""

    proposal_count: int
    """Number of proposals."""


class ProposeGoalResult(Native, frozen=True, kw_only=True):
    """ProposeGoal."""

    condition: str
    """The goal."""
    ask_user: bool
    """True if the person was asked."""
