"""Lines of a Copilot event log, one struct a type.

Each names the line before it as its parent. Lines of a sub-agent stand in the log of its parent and carry `agentId`.
Ephemeral events (deltas, titles) are never written. Times are ISO 8601 text in UTC with milliseconds.
"""

from __future__ import annotations

from typing import Any

from msgspec import UNSET, UnsetType

from panscript.schemas.copilot.details import (
    Attachment,
    CodeChanges,
    CompactionTokens,
    ContentBlock,
    Context,
    Detail,
    FileEdit,
    Flag,
    Line,
    ModelMetrics,
    Number,
    ProviderMetrics,
    ReasoningBlocks,
    RequestUsage,
    ShellExecution,
    ShellToolInfo,
    Text,
    ToolError,
    ToolOutput,
    ToolRequest,
)
from panscript.schemas.copilot.traces import TRACES

__all__ = ["EVENTS"]


class SessionStartData(Detail):
    """Facts of the session."""

    session_id: Text = UNSET
    version: Number = UNSET  # of the log's format
    producer: Text = UNSET
    copilot_version: Text = UNSET
    start_time: Text = UNSET
    selected_model: Text = UNSET
    reasoning_effort: Text = UNSET
    context_tier: Text = UNSET
    context: Context | UnsetType | None = UNSET
    already_in_use: Flag = UNSET
    remote_steerable: Flag = UNSET
    detached_from_spawning_parent_session_id: Text = UNSET


class SessionStart(Line, tag="session.start"):
    """The first line."""

    data: SessionStartData | UnsetType = UNSET


class SessionResumeData(Detail):
    """Facts of the session when it goes on."""

    resume_time: Text = UNSET
    event_count: Number = UNSET
    events_file_size_bytes: Number = UNSET
    selected_model: Text = UNSET
    reasoning_effort: Text = UNSET
    context_tier: Text = UNSET
    session_limits: Any = UNSET
    context: Context | UnsetType | None = UNSET
    already_in_use: Flag = UNSET
    remote_steerable: Flag = UNSET
    session_was_active: Flag = UNSET


class SessionResume(Line, tag="session.resume"):
    """A later run begins."""

    data: SessionResumeData | UnsetType = UNSET


class ModelChangeData(Detail):
    """The model that answers from here on."""

    new_model: Text = UNSET
    previous_model: Text = UNSET
    source: Text = UNSET
    context_tier: Text = UNSET
    reasoning_effort: Text = UNSET
    previous_reasoning_effort: Text = UNSET


class ModelChange(Line, tag="session.model_change"):
    """Another model was chosen."""

    data: ModelChangeData | UnsetType = UNSET


class UserMessageData(Detail):
    """A prompt."""

    content: Text = UNSET  # as typed
    transformed_content: Text = UNSET  # as sent, with the time around it
    attachments: list[Attachment] | UnsetType | None = UNSET
    source: Text = UNSET  # `skill-...`: injected; `agent-...`: a prompt to a sub-agent
    message_id: Text = UNSET
    supported_native_document_mime_types: list[str] | UnsetType | None = UNSET
    delivery: Text = UNSET
    interaction_id: Text = UNSET
    turn_id: Text = UNSET
    parent_agent_task_id: Text = UNSET
    agent_mode: Text = UNSET


class UserMessage(Line, tag="user.message"):
    """Something was put to the model."""

    data: UserMessageData | UnsetType = UNSET


class SystemMessageData(Detail):
    """A system prompt."""

    role: Text = UNSET  # system or developer
    content: Text = UNSET
    content_blocks: list[ContentBlock] | UnsetType | None = UNSET
    name: Text = UNSET
    metadata: Any = UNSET
    interaction_id: Text = UNSET


class SystemMessage(Line, tag="system.message"):
    """The system prompt, whenever it changes."""

    data: SystemMessageData | UnsetType = UNSET


class AssistantMessageData(Detail):
    """One response."""

    message_id: Text = UNSET
    originating_message_id: Text = UNSET  # the prompt that it answers
    model: Text = UNSET
    content: Text = UNSET  # empty beside calls
    tool_requests: list[ToolRequest] | UnsetType | None = UNSET
    reasoning_text: Text = UNSET
    reasoning_opaque: Text = UNSET  # signature, or id of the reasoning item
    encrypted_content: Text = UNSET
    reasoning_blocks: ReasoningBlocks | UnsetType | None = UNSET
    output_tokens: Number = UNSET
    phase: Text = UNSET
    interaction_id: Text = UNSET
    turn_id: Text = UNSET
    request_id: Text = UNSET
    api_call_id: Text = UNSET  # the vendor's id of the response
    rte: Flag = UNSET
    server_tools: Any = UNSET
    parent_tool_call_id: Text = UNSET  # of a sub-agent: the call that started it


class AssistantMessage(Line, tag="assistant.message"):
    """The model answered."""

    data: AssistantMessageData | UnsetType = UNSET


class ReasoningData(Detail):
    """Reasoning that stands apart from its message."""

    reasoning_id: Text = UNSET
    content: Text = UNSET


class AssistantReasoning(Line, tag="assistant.reasoning"):
    """The model thought; older versions."""

    data: ReasoningData | UnsetType = UNSET


class TurnData(Detail):
    """One round of request and tools."""

    turn_id: Text = UNSET
    interaction_id: Text = UNSET
    parent_tool_call_id: Text = UNSET


class TurnStart(Line, tag="assistant.turn_start"):
    """A round begins."""

    data: TurnData | UnsetType = UNSET


class TurnEnd(Line, tag="assistant.turn_end"):
    """A round ended."""

    data: TurnData | UnsetType = UNSET


class ExecutionStartData(Detail):
    """A call, as its message asked for it."""

    tool_call_id: Text = UNSET
    tool_name: Text = UNSET
    arguments: Any = UNSET
    turn_id: Text = UNSET
    model: Text = UNSET
    tool_title: Text = UNSET
    mcp_server_name: Text = UNSET
    mcp_tool_name: Text = UNSET
    shell_tool_info: ShellToolInfo | UnsetType | None = UNSET
    parent_tool_call_id: Text = UNSET


class ExecutionStart(Line, tag="tool.execution_start"):
    """A tool runs."""

    data: ExecutionStartData | UnsetType = UNSET


class ExecutionCompleteData(Detail):
    """How a call ended."""

    tool_call_id: Text = UNSET
    tool_name: Text = UNSET
    success: Flag = UNSET  # true also for a command that ends with another code than 0
    result: ToolOutput | UnsetType | None = UNSET
    error: ToolError | UnsetType | None = UNSET
    shell_execution: ShellExecution | UnsetType | None = UNSET
    file_edits: list[FileEdit] | UnsetType | None = UNSET
    model: Text = UNSET
    interaction_id: Text = UNSET
    turn_id: Text = UNSET
    is_user_requested: Flag = UNSET
    rte: Flag = UNSET
    tool_telemetry: Any = UNSET
    parent_tool_call_id: Text = UNSET


class ExecutionComplete(Line, tag="tool.execution_complete"):
    """A tool ended; parallel ones in any order."""

    data: ExecutionCompleteData | UnsetType = UNSET


class CompactionStartData(Detail):
    """How full the context is."""

    compaction_attempt_id: Text = UNSET
    model: Text = UNSET
    system_tokens: Number = UNSET
    conversation_tokens: Number = UNSET
    tool_definitions_tokens: Number = UNSET
    current_tokens: Number = UNSET
    token_limit: Number = UNSET
    trigger: Text = UNSET  # threshold or manual


class CompactionStart(Line, tag="session.compaction_start"):
    """A compaction begins."""

    data: CompactionStartData | UnsetType = UNSET


class CompactionCompleteData(Detail):
    """How a compaction ended."""

    success: Flag = UNSET
    error: Text = UNSET
    outcome: Text = UNSET  # applied, cancelled
    outcome_reason: Text = UNSET
    compaction_attempt_id: Text = UNSET
    trigger: Text = UNSET
    token_limit: Number = UNSET
    compaction_tokens_used: CompactionTokens | UnsetType | None = UNSET
    pre_compaction_messages_length: Number = UNSET
    messages_removed: Number = UNSET
    pre_compaction_tokens: Number = UNSET
    post_compaction_tokens: Number = UNSET
    tokens_removed: Number = UNSET
    token_accounting_basis: Text = UNSET
    summary_content: Text = UNSET  # what stands for what was removed
    behavior_model_id: Text = UNSET
    request_id: Text = UNSET
    system_tokens: Number = UNSET
    conversation_tokens: Number = UNSET
    tool_definitions_tokens: Number = UNSET
    checkpoint_number: Number = UNSET
    checkpoint_path: Text = UNSET


class CompactionComplete(Line, tag="session.compaction_complete"):
    """What came before is replaced by a summary, where it succeeded."""

    data: CompactionCompleteData | UnsetType = UNSET


class UsageRecordData(Detail):
    """What a request cost."""

    usage: RequestUsage | UnsetType | None = UNSET


class UsageRecord(Line, tag="session.usage_record"):
    """Stands just before the message of its response."""

    data: UsageRecordData | UnsetType = UNSET


class SubagentData(Detail):
    """A sub-agent and the call that started it."""

    tool_call_id: Text = UNSET
    agent_name: Text = UNSET
    agent_display_name: Text = UNSET
    agent_description: Text = UNSET
    agent_type: Text = UNSET
    model: Text = UNSET
    task_model_source: Text = UNSET
    model_selection_source: Text = UNSET
    first_dispatched_model: Text = UNSET
    reasoning_effort: Text = UNSET
    multi_turn: Flag = UNSET
    resumable: Flag = UNSET
    execution_mode: Text = UNSET
    tools: list[str] | UnsetType | None = UNSET
    total_tool_calls: Number = UNSET
    total_tokens: Number = UNSET
    duration_ms: Number = UNSET
    error: Text = UNSET


class SubagentStarted(Line, tag="subagent.started"):
    """A sub-agent begins."""

    data: SubagentData | UnsetType = UNSET


class SubagentConfigured(Line, tag="subagent.configured"):
    """What it runs with."""

    data: SubagentData | UnsetType = UNSET


class SubagentSelected(Line, tag="subagent.selected"):
    """Which agent it is."""

    data: SubagentData | UnsetType = UNSET


class SubagentCompleted(Line, tag="subagent.completed"):
    """It ended well."""

    data: SubagentData | UnsetType = UNSET


class SubagentFailed(Line, tag="subagent.failed"):
    """It did not."""

    data: SubagentData | UnsetType = UNSET


class ErrorData(Detail):
    """What went wrong, or what the person was told."""

    error_type: Text = UNSET
    warning_type: Text = UNSET
    info_type: Text = UNSET
    message: Text = UNSET
    originating_message_id: Text = UNSET
    stack: Text = UNSET
    status_code: Number = UNSET
    provider_call_id: Text = UNSET


class SessionError(Line, tag="session.error"):
    """The model gave no answer; there is no message then."""

    data: ErrorData | UnsetType = UNSET


class SessionWarning(Line, tag="session.warning"):
    """A warning to the person."""

    data: ErrorData | UnsetType = UNSET


class SessionInfo(Line, tag="session.info"):
    """A note to the person."""

    data: ErrorData | UnsetType = UNSET


class ShutdownData(Detail):
    """Sums since the session began, over all its runs: only the last ones count. Compactions are not in them."""

    shutdown_type: Text = UNSET  # routine or error
    error_reason: Text = UNSET
    accounting_snapshot: Any = UNSET  # the same once more
    agent_metrics: Any = UNSET  # by `main` and sub-agent
    model_metrics: dict[str, ModelMetrics] | UnsetType | None = UNSET  # by model
    provider_model_metrics: list[ProviderMetrics] | UnsetType | None = UNSET
    usage_accounting_watermarks: dict[str, int] | UnsetType | None = UNSET
    total_premium_requests: Number = UNSET
    total_nano_aiu: Number = UNSET
    total_api_duration_ms: Number = UNSET
    session_start_time: Number = UNSET  # milliseconds since 1970
    events_file_size_bytes: Number = UNSET
    code_changes: CodeChanges | UnsetType | None = UNSET
    current_model: Text = UNSET
    current_tokens: Number = UNSET
    system_tokens: Number = UNSET
    conversation_tokens: Number = UNSET
    tool_definitions_tokens: Number = UNSET


class SessionShutdown(Line, tag="session.shutdown"):
    """A run ended."""

    data: ShutdownData | UnsetType = UNSET


EVENTS = (
    SessionStart,
    SessionResume,
    ModelChange,
    UserMessage,
    SystemMessage,
    AssistantMessage,
    AssistantReasoning,
    TurnStart,
    TurnEnd,
    ExecutionStart,
    ExecutionComplete,
    CompactionStart,
    CompactionComplete,
    UsageRecord,
    SubagentStarted,
    SubagentConfigured,
    SubagentSelected,
    SubagentCompleted,
    SubagentFailed,
    SessionError,
    SessionWarning,
    SessionInfo,
    SessionShutdown,
    *TRACES,
)
