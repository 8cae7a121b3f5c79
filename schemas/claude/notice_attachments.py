"""Attachments that tell the model what happened or how to go on: modes, reminders, budgets."""

from __future__ import annotations

from typing import Any

import msgspec

from panscript.schemas.claude.base import Native, Number

__all__ = [
    "NOTICE_ATTACHMENTS",
    "AdvisorStripped",
    "AdvisorTool",
    "AgentAskNotice",
    "AttentionBudget",
    "AutoMode",
    "AutoModeExit",
    "BashOutputAudienceNote",
    "BatchingReminder",
    "BatchingReminderSent",
    "BudgetUsd",
    "ClaudeAppNotice",
    "CommandPermissions",
    "ContextEfficiency",
    "CredentialOrg",
    "CriticalSystemReminder",
    "ElapsedTimeReminder",
    "GoalStatus",
    "Goals",
    "LinkedPluginToolsNote",
    "MaxTurnsReached",
    "OutputLimitNote",
    "OutputTokenUsage",
    "PlanFileReference",
    "PlanMode",
    "PlanModeExit",
    "PlanModeReentry",
    "PrefixDelta",
    "Proactivity",
    "ReadTruncationNotice",
    "SandboxInstructions",
    "SecondaryReminder",
    "SecondaryReminderSent",
    "SilentTurnReminder",
    "TaskReminder",
    "TeammateShutdownBatch",
    "ThinkingDrop",
    "ThinkingStripped",
    "TodoReminder",
    "TokenUsage",
    "ToolHostResultLines",
    "ToolHostsCorrection",
    "ToolHostsNotice",
    "ToolResultsCut",
    "ToolSearchUsageReminder",
    "TotalTokensReminder",
    "UltraEffortEnter",
    "UltraEffortExit",
    "UltrathinkEffort",
    "UnknownCommandFallback",
    "WorkflowKeywordRequest",
    "WorkflowSizeGuidelineChange",
]


class PlanMode(Native, frozen=True, kw_only=True, tag="plan_mode"):
    """Plan mode is on."""

    reminder_type: str | None = None
    """`full` or `sparse`."""
    is_sub_agent: bool | None = None
    """True in a sub-agent."""
    plan_file_path: str | None = None
    """File of the plan."""
    plan_exists: bool | None = None
    """True if there is a plan."""
    custom_instructions: str | None = None
    """Instructions for planning."""
    only_file_shown: bool | None = None
    """True if only the file is shown."""
    plan_goes_to_exit_tool: bool | None = None
    """True if the plan is given to the exit tool."""
    plan_doc_server: Any = None
    """Server of the plan document."""
    plan_doc: Any = None
    """The plan document."""


class PlanModeExit(Native, frozen=True, kw_only=True, tag="plan_mode_exit"):
    """Plan mode was left."""

    plan_file_path: str | None = None
    """File of the plan."""
    plan_exists: bool | None = None
    """True if there is a plan."""
    reuse_for_next_plan: bool | None = None
    """True if the file is used again."""


class PlanModeReentry(Native, frozen=True, kw_only=True, tag="plan_mode_reentry"):
    """Plan mode was entered again."""

    plan_file_path: str | None = None
    """File of the plan."""


class PlanFileReference(Native, frozen=True, kw_only=True, tag="plan_file_reference"):
    """The plan, kept over a compaction."""

    plan_file_path: str | None = None
    """File of the plan."""
    plan_content: str | None = None
    """The plan."""


class AutoMode(Native, frozen=True, kw_only=True, tag="auto_mode"):
    """Auto mode is on."""

    reminder_type: str | None = None
    """`full` or `sparse`; older."""
    auto_mode_consent_flow: Any = None
    """Internal mark."""
    finish_exposed_work: Any = None
    """Internal mark."""
    bash_first: bool | None = None
    """Internal mark."""
    bash_first_steer: str | None = None
    """Internal mark."""
    steer_only: bool | None = None
    """Internal mark."""
    bypass: bool | None = None
    """True if permissions are bypassed."""


class AutoModeExit(Native, frozen=True, kw_only=True, tag="auto_mode_exit"):
    """Auto mode was left."""

    bash_first: bool | None = None
    """Internal mark."""
    steer_only: bool | None = None
    """Internal mark."""
    finish_exposed_work: Any = None
    """Internal mark."""


class Proactivity(Native, frozen=True, kw_only=True, tag="proactivity"):
    """Level of acting unasked."""

    status: str | None = None
    """`active` or `withdrawn`."""
    level: str | None = None
    """The level."""
    tools: Any = None
    """Tools for it."""


class TodoReminder(Native, frozen=True, kw_only=True, tag="todo_reminder"):
    """Reminder of the todo list."""

    content: list[Any] | None = None
    """The list."""
    item_count: int | None = None
    """Its length."""


class TaskReminder(Native, frozen=True, kw_only=True, tag="task_reminder"):
    """Reminder of the task list."""

    content: list[Any] | None = None
    """The list."""
    item_count: int | None = None
    """Its length."""
    status_keeper: Any = None
    """Who keeps the state."""


class TotalTokensReminder(Native, frozen=True, kw_only=True, tag="total_tokens_reminder"):
    """Tokens that are left."""

    text: str | None = None
    """The reminder."""


class TokenUsage(Native, frozen=True, kw_only=True, tag="token_usage"):
    """Tokens of the context window."""

    used: int | None = None
    """Used."""
    total: int | None = None
    """All."""
    remaining: int | None = None
    """Left."""


class OutputTokenUsage(Native, frozen=True, kw_only=True, tag="output_token_usage"):
    """Output tokens of the turn and session."""

    turn: int | None = None
    """Of the turn."""
    session: int | None = None
    """Of the session."""
    budget: int | None = None
    """Budget."""


class BudgetUsd(Native, frozen=True, kw_only=True, tag="budget_usd"):
    """Dollars of the budget."""

    used: float | None = None
    """Used."""
    total: float | None = None
    """All."""
    remaining: float | None = None
    """Left."""


class AttentionBudget(Native, frozen=True, kw_only=True, tag="attention_budget"):
    """Budget of attention; fields not known."""


class ContextEfficiency(Native, frozen=True, kw_only=True, tag="context_efficiency"):
    """Hint to save context; fields not known."""


class CriticalSystemReminder(Native, frozen=True, kw_only=True, tag="critical_system_reminder"):
    """A reminder that must be seen."""

    content: str | None = None
    """The reminder."""
    only_as_system_message: bool | None = None
    """True if sent only as a system message."""


class SilentTurnReminder(Native, frozen=True, kw_only=True, tag="silent_turn_reminder"):
    """Reminder to say something."""

    text: str | None = None
    """The reminder."""


class ElapsedTimeReminder(Native, frozen=True, kw_only=True, tag="elapsed_time_reminder"):
    """Time that has passed."""

    text: str | None = None
    """The reminder."""


class BatchingReminder(Native, frozen=True, kw_only=True, tag="batching_reminder"):
    """Reminder to make calls together."""

    text: str | None = None
    """The reminder."""


class BatchingReminderSent(Native, frozen=True, kw_only=True, tag="batching_reminder_sent"):
    """Mark that this reminder was sent."""


class SecondaryReminder(Native, frozen=True, kw_only=True, tag="secondary_reminder"):
    """A further reminder."""

    text: str | None = None
    """The reminder."""


class SecondaryReminderSent(Native, frozen=True, kw_only=True, tag="secondary_reminder_sent"):
    """Mark that this reminder was sent."""


class ToolSearchUsageReminder(Native, frozen=True, kw_only=True, tag="tool_search_usage_reminder"):
    """Reminder to search for tools."""

    undiscovered_tool_names: list[str] | None = None
    """Tools not looked at."""
    undiscovered_count: int | None = None
    """Their number."""


class OutputLimitNote(Native, frozen=True, kw_only=True, tag="output_limit_note"):
    """Note on the output limit; fields not known."""


class BashOutputAudienceNote(Native, frozen=True, kw_only=True, tag="bash_output_audience_note"):
    """Note on who sees the output of a command."""

    tool_use_id: str | None = msgspec.field(name="toolUseID", default=None)
    """The call."""


class ReadTruncationNotice(Native, frozen=True, kw_only=True, tag="read_truncation_notice"):
    """A read file was cut."""

    banner: str | None = None
    """The notice."""
    tool_use_id: str | None = msgspec.field(name="toolUseID", default=None)
    """The call."""


class MaxTurnsReached(Native, frozen=True, kw_only=True, tag="max_turns_reached"):
    """The limit of turns was reached."""

    max_turns: int | None = None
    """The limit."""
    turn_count: int | None = None
    """Turns made."""


class CommandPermissions(Native, frozen=True, kw_only=True, tag="command_permissions"):
    """Tools and model a slash command sets."""

    allowed_tools: list[str] | None = None
    """Tools it may use."""
    model: str | None = None
    """Model it runs on."""


class UnknownCommandFallback(Native, frozen=True, kw_only=True, tag="unknown_command_fallback"):
    """The prompt began like a command that does not exist."""

    command_name: str | None = None
    """The command."""
    suggestion: str | None = None
    """What was perhaps meant."""
    available_command_names: list[str] | None = None
    """Commands there are."""
    available_command_count: int | None = None
    """Their number."""
    reserved_name: Any = None
    """Name that is taken."""


class GoalStatus(Native, frozen=True, kw_only=True, tag="goal_status"):
    """State of the session's goal."""

    met: bool | None = None
    """True if it is reached."""
    failed: bool | None = None
    """True if it cannot be reached."""
    sentinel: bool | None = None
    """True for a mark without a check."""
    condition: str | None = None
    """The goal."""
    reason: str | None = None
    """Why."""
    iterations: int | None = None
    """Checks made."""
    duration_ms: Number | None = None
    """Milliseconds."""
    tokens: int | None = None
    """Tokens."""


class Goals(Native, frozen=True, kw_only=True, tag="goals"):
    """Goals of the session; fields not known."""


class UltraEffortEnter(Native, frozen=True, kw_only=True, tag="ultra_effort_enter"):
    """Highest effort is on."""

    reminder_type: str | None = None
    """`full` or `sparse`."""


class UltraEffortExit(Native, frozen=True, kw_only=True, tag="ultra_effort_exit"):
    """Highest effort is off."""


class UltrathinkEffort(Native, frozen=True, kw_only=True, tag="ultrathink_effort"):
    """The prompt asked for more thinking."""

    level: str | None = None
    """The level."""


class WorkflowKeywordRequest(Native, frozen=True, kw_only=True, tag="workflow_keyword_request"):
    """The prompt asked for a workflow."""


class WorkflowSizeGuidelineChange(Native, frozen=True, kw_only=True, tag="workflow_size_guideline_change"):
    """Size of workflows changed."""

    size: str | None = None
    """The size."""


class SandboxInstructions(Native, frozen=True, kw_only=True, tag="sandbox_instructions"):
    """How the sandbox works."""

    content: str | None = None
    """The text."""


class AdvisorTool(Native, frozen=True, kw_only=True, tag="advisor_tool"):
    """The advisor came or went."""

    available: bool | None = None
    """True if it is there."""
    model: str | None = None
    """Its model."""
    abbreviated: bool | None = None
    """True for the short text."""
    tool_change: str | None = None
    """`add` or `remove`."""
    by_base: bool | None = None
    """Internal mark."""


class AdvisorStripped(Native, frozen=True, kw_only=True, tag="advisor_stripped"):
    """Advice was taken out; fields not known."""


class ThinkingStripped(Native, frozen=True, kw_only=True, tag="thinking_stripped"):
    """Thinking was taken out of the context."""

    scope: str | None = None
    """`all` or `partial`."""
    cause: str | None = None
    """Why."""
    from_: Any = None
    """Where it begins: messageId, thinkingIndex."""


class ThinkingDrop(Native, frozen=True, kw_only=True, tag="thinking_drop"):
    """The API dropped thinking."""

    request_id: str | None = None
    """The request."""
    model: str | None = None
    """The model."""
    query_source: str | None = None
    """Part of the program that asked."""
    requested_behavior: Any = None
    """What was asked for."""
    thinking_blocks_sent: int | None = None
    """Blocks sent."""
    thinking_turns_sent: int | None = None
    """Turns with thinking sent."""
    newly_dropped: Any = None
    """What was dropped now."""
    block_hashes: Any = None
    """Check sums of the blocks."""
    first_report_for_thread_in_process: bool | None = None
    """True for the first report."""
    client_change: Any = None
    """What the program had changed."""


class ToolResultsCut(Native, frozen=True, kw_only=True, tag="tool_results_cut"):
    """Tool results were taken out of the context."""

    call_ids: list[str] | None = None
    """The calls."""
    stand_in: str | None = None
    """Text in their place."""
    rough_tokens: int | None = None
    """Tokens saved, roughly."""
    cause: str | None = None
    """Why."""


class CredentialOrg(Native, frozen=True, kw_only=True, tag="credential_org"):
    """Organisation the requests are made for."""

    organization_uuid: str | None = None
    """The organisation."""


class PrefixDelta(Native, frozen=True, kw_only=True, tag="prefix_delta"):
    """Change of the first sentence."""

    text: str | None = None
    """The text."""


class LinkedPluginToolsNote(Native, frozen=True, kw_only=True, tag="linked_plugin_tools_note"):
    """Tools of a linked computer."""

    text: str | None = None
    """The note."""


class ToolHostsNotice(Native, frozen=True, kw_only=True, tag="tool_hosts_notice"):
    """Computers tools can run on."""

    lines: list[str] | None = None
    """The notice."""


class ToolHostsCorrection(Native, frozen=True, kw_only=True, tag="tool_hosts_correction"):
    """Correction of that notice."""

    lines: list[str] | None = None
    """The correction."""


class ToolHostResultLines(Native, frozen=True, kw_only=True, tag="tool_host_result_lines"):
    """Where a call ran."""

    tool_use_id: str | None = msgspec.field(name="toolUseID", default=None)
    """The call."""
    host: str | None = None
    """The computer."""
    lines: list[str] | None = None
    """The text."""
    label: Any = None
    """Label of the computer."""
    unverified: bool | None = None
    """True if not proven."""
    working_dir: str | None = None
    """Folder there."""
    disposition: Any = None
    """How it ended."""


class ClaudeAppNotice(Native, frozen=True, kw_only=True, tag="claude_app_notice"):
    """The prompt came from an app."""

    lines: list[str] | None = None
    """The notice."""
    app: str | None = None
    """The app."""


class AgentAskNotice(Native, frozen=True, kw_only=True, tag="agent_ask_notice"):
    """Questions of agents."""

    lines: list[str] | None = None
    """The notice."""
    open: Any = None
    """Questions not answered."""


class TeammateShutdownBatch(Native, frozen=True, kw_only=True, tag="teammate_shutdown_batch"):
    """Members of the team ended."""

    count: int | None = None
    """How many."""


NOTICE_ATTACHMENTS: dict[str, type[msgspec.Struct]] = {
    "plan_mode": PlanMode,
    "plan_mode_exit": PlanModeExit,
    "plan_mode_reentry": PlanModeReentry,
    "plan_file_reference": PlanFileReference,
    "auto_mode": AutoMode,
    "auto_mode_exit": AutoModeExit,
    "proactivity": Proactivity,
    "todo_reminder": TodoReminder,
    "task_reminder": TaskReminder,
    "total_tokens_reminder": TotalTokensReminder,
    "token_usage": TokenUsage,
    "output_token_usage": OutputTokenUsage,
    "budget_usd": BudgetUsd,
    "attention_budget": AttentionBudget,
    "context_efficiency": ContextEfficiency,
    "critical_system_reminder": CriticalSystemReminder,
    "silent_turn_reminder": SilentTurnReminder,
    "elapsed_time_reminder": ElapsedTimeReminder,
    "batching_reminder": BatchingReminder,
    "batching_reminder_sent": BatchingReminderSent,
    "secondary_reminder": SecondaryReminder,
    "secondary_reminder_sent": SecondaryReminderSent,
    "tool_search_usage_reminder": ToolSearchUsageReminder,
    "output_limit_note": OutputLimitNote,
    "bash_output_audience_note": BashOutputAudienceNote,
    "read_truncation_notice": ReadTruncationNotice,
    "max_turns_reached": MaxTurnsReached,
    "command_permissions": CommandPermissions,
    "unknown_command_fallback": UnknownCommandFallback,
    "goal_status": GoalStatus,
    "goals": Goals,
    "ultra_effort_enter": UltraEffortEnter,
    "ultra_effort_exit": UltraEffortExit,
    "ultrathink_effort": UltrathinkEffort,
    "workflow_keyword_request": WorkflowKeywordRequest,
    "workflow_size_guideline_change": WorkflowSizeGuidelineChange,
    "sandbox_instructions": SandboxInstructions,
    "advisor_tool": AdvisorTool,
    "advisor_stripped": AdvisorStripped,
    "thinking_stripped": ThinkingStripped,
    "thinking_drop": ThinkingDrop,
    "tool_results_cut": ToolResultsCut,
    "credential_org": CredentialOrg,
    "prefix_delta": PrefixDelta,
    "linked_plugin_tools_note": LinkedPluginToolsNote,
    "tool_hosts_notice": ToolHostsNotice,
    "tool_hosts_correction": ToolHostsCorrection,
    "tool_host_result_lines": ToolHostResultLines,
    "claude_app_notice": ClaudeAppNotice,
    "agent_ask_notice": AgentAskNotice,
    "teammate_shutdown_batch": TeammateShutdownBatch,
}
"""Notice attachment structs by their `type`."""
