"""Payloads of `event_msg` lines: what the UI shows, turn bounds, running usage.

Nearly every text here is also in a response item. What only events tell: where a turn begins and ends, how it failed,
what it cost, whether a tool failed, and which user messages were typed. The first half are the events some version
writes to disk; the rest of the protocol is in `panscript.schemas.codex.live_events`, and `Event` is the union of both.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, TypeAlias

from msgspec import Meta, field

from panscript.schemas.codex.base import UnknownEvent, Wire, tags
from panscript.schemas.codex.items import WebAction
from panscript.schemas.codex.live_events import EventBase, LiveEvent
from panscript.schemas.codex.messages import (
    AgentStatus,
    AsyncUserInputQuestion,
    AudioReference,
    CodexErrorInfo,
    CollabAgentRef,
    CollaborationMode,
    Delivery,
    ErrorDetail,
    MemoryCitation,
    TargetedAnswerModeration,
    TextElement,
)
from panscript.schemas.codex.metadata import TurnAttribution
from panscript.schemas.codex.permissions import ActivePermissionProfile, ApprovalPolicy, PermissionProfile
from panscript.schemas.codex.review import GuardianAction, ReviewOutput, ReviewTarget
from panscript.schemas.codex.tools import (
    Duration,
    DynamicOutput,
    FileChange,
    ImageGenerationFailure,
    ImageGenerationInputImage,
    McpAppUi,
    McpInvocation,
    McpResult,
    ParsedCommand,
)
from panscript.schemas.codex.turn_items import TurnItem
from panscript.schemas.codex.usage import RateLimitSnapshot, TokenUsageInfo
from panscript.schemas.codex.vocabulary import (
    AgentPath,
    ApprovalsReviewer,
    CallId,
    CommandSource,
    CommandStatus,
    FileUri,
    ImageDetail,
    InlineOrFile,
    ItemId,
    MessagePhase,
    Millis,
    ModeKind,
    PatchStatus,
    Personality,
    ReasoningEffort,
    ReasoningSummary,
    SubAgentKind,
    ThreadId,
    TurnId,
    UnixMillis,
    UnixSeconds,
)

__all__ = [
    "EVENTS",
    "AgentMessageEvent",
    "AgentReasoningEvent",
    "AgentReasoningRawContentEvent",
    "CollabAgentInteractionEndEvent",
    "CollabAgentSpawnEndEvent",
    "CollabAgentStatusEntry",
    "CollabCloseEndEvent",
    "CollabResumeEndEvent",
    "CollabWaitingEndEvent",
    "ContextCompactedEvent",
    "DynamicToolCallRequestEvent",
    "DynamicToolCallResponseEvent",
    "EnteredReviewModeEvent",
    "ErrorEvent",
    "Event",
    "ExecCommandEndEvent",
    "ExitedReviewModeEvent",
    "GuardianAssessmentEvent",
    "ImageGenerationEndEvent",
    "InjectedMessageEvent",
    "ItemCompletedEvent",
    "McpToolCallEndEvent",
    "PatchApplyEndEvent",
    "PersistedEvent",
    "SubAgentActivityEvent",
    "TaskCompleteEvent",
    "TaskStartedEvent",
    "ThreadGoal",
    "ThreadGoalUpdatedEvent",
    "ThreadNameUpdatedEvent",
    "ThreadRolledBackEvent",
    "ThreadSettings",
    "ThreadSettingsAppliedEvent",
    "TokenCountEvent",
    "TurnAbortedEvent",
    "UndoCompletedEvent",
    "UserMessageEvent",
    "ViewImageToolCallEvent",
    "WebSearchEndEvent",
]


class UserMessageEvent(EventBase, tag="user_message"):
    """The person sent a message (legacy); a user item without this twin was injected."""

    message: str
    kind: str | None = None  # `plain`, `user_instructions`, `environment_context`; until about 0.5x
    images: list[str] | None = None  # data URLs
    image_details: list[ImageDetail | None] | None = None  # one for each of `images`
    image_order: list[InlineOrFile] | None = None  # how `images` and `file_ids` follow each other
    file_ids: list[str] | None = None  # images by id
    file_id_details: list[ImageDetail | None] | None = None  # one for each of `file_ids`
    local_images: list[str] | None = None  # paths; since about 0.8x
    local_image_details: list[ImageDetail | None] | None = None  # one for each of `local_images`
    audio: list[str] | None = None  # data URLs; since 0.15x
    audio_order: list[InlineOrFile] | None = None  # how inline sound and files follow each other
    audio_references: list[AudioReference] | None = None
    local_audio: list[str] | None = None  # paths
    text_elements: list[TextElement] | None = None  # marked spans of `message`
    client_id: str | None = None  # the client's own id of the message


class AgentMessageEvent(EventBase, tag="agent_message"):
    """The model said something (legacy); in plan mode without the plan's markup."""

    message: str
    phase: MessagePhase | None = None  # since 0.1xx
    memory_citation: MemoryCitation | None = None
    delivery: Delivery | None = None  # since 0.171
    moderation: TargetedAnswerModeration | None = None  # since 0.171
    questions: list[AsyncUserInputQuestion] | None = None  # since 0.171


class AgentReasoningEvent(EventBase, tag="agent_reasoning"):
    """One part of a reasoning summary (legacy)."""

    text: str


class AgentReasoningRawContentEvent(EventBase, tag="agent_reasoning_raw_content"):
    """Open thinking (legacy)."""

    text: str


class TaskStartedEvent(EventBase, tag="task_started"):
    """A turn began (since about 0.12x)."""

    tag_aliases: ClassVar[tuple[str, ...]] = ("turn_started",)

    turn_id: TurnId
    started_at: UnixSeconds | None = None
    model_context_window: int | None = None  # tokens the model can hold
    collaboration_mode_kind: ModeKind | None = None
    root_turn_id: TurnId | None = None  # since 0.171
    trace_id: str | None = None
    turn_attribution: TurnAttribution | None = None  # since 0.171


class TaskCompleteEvent(EventBase, tag="task_complete"):
    """A turn ended; with `error` it failed."""

    tag_aliases: ClassVar[tuple[str, ...]] = ("turn_complete",)

    turn_id: TurnId
    last_agent_message: str | None = None  # the answer
    started_at: UnixSeconds | None = None
    completed_at: UnixSeconds | None = None
    duration_ms: Millis | None = None
    time_to_first_token_ms: Millis | None = None
    root_turn_id: TurnId | None = None  # since 0.171
    error: ErrorDetail | None = None  # since 0.15x


class TurnAbortedEvent(EventBase, tag="turn_aborted"):
    """A turn was cut off."""

    reason: Annotated[str, Meta(examples=["interrupted", "replaced", "review_ended", "budget_limited"])]
    turn_id: TurnId | None = None  # absent before about 0.12x
    started_at: UnixSeconds | None = None
    completed_at: UnixSeconds | None = None
    duration_ms: Millis | None = None
    root_turn_id: TurnId | None = None  # since 0.171
    error: ErrorDetail | None = None


class TokenCountEvent(EventBase, tag="token_count"):
    """Running usage and rate limits; often repeated without change."""

    info: TokenUsageInfo | None = None  # null until the first answer
    rate_limits: RateLimitSnapshot | None = None


class ItemCompletedEvent(EventBase, tag="item_completed"):
    """One thing the UI shows is done (paginated); not always in the order of the turns."""

    thread_id: ThreadId
    turn_id: TurnId
    item: TurnItem
    started_at_ms: UnixMillis | None = None
    completed_at_ms: UnixMillis | None = None
    content_token_count: int | None = None


class ThreadSettings(Wire):
    """Settings of a thread."""

    cwd: str
    model: str
    model_provider_id: str
    approval_policy: ApprovalPolicy
    approvals_reviewer: ApprovalsReviewer
    permission_profile: PermissionProfile
    collaboration_mode: CollaborationMode
    active_permission_profile: ActivePermissionProfile | None = None
    requested_approvals_reviewer: ApprovalsReviewer | None = None  # since 0.171
    reasoning_effort: ReasoningEffort | None = None
    reasoning_summary: ReasoningSummary | None = None
    personality: Personality | None = None
    service_tier: str | None = None
    runtime_workspace_roots: list[str] | None = None  # absolute paths; since 0.171
    disabled_plugin_ids: list[str] | None = None  # since 0.171


class ThreadSettingsAppliedEvent(EventBase, tag="thread_settings_applied"):
    """Settings were set or changed (since 0.14x)."""

    thread_settings: ThreadSettings
    thread_id: ThreadId | None = None


class ThreadGoal(Wire, rename="camel"):
    """What a thread is to reach, and what it may cost."""

    thread_id: ThreadId
    objective: str
    status: Annotated[str, Meta(examples=["active", "paused", "blocked", "usageLimited", "budgetLimited", "complete"])]
    tokens_used: int
    time_used_seconds: int
    created_at: UnixSeconds
    updated_at: UnixSeconds
    token_budget: int | None = None


class ThreadGoalUpdatedEvent(EventBase, tag="thread_goal_updated", rename="camel"):
    """The goal was set or moved on."""

    thread_id: ThreadId
    goal: ThreadGoal
    turn_id: TurnId | None = None


class ThreadNameUpdatedEvent(EventBase, tag="thread_name_updated"):
    """The thread got a name; later versions write it to `session_index.jsonl` instead."""

    thread_id: ThreadId
    thread_name: str | None = None


class ThreadRolledBackEvent(EventBase, tag="thread_rolled_back"):
    """The last turns no longer count (legacy)."""

    num_turns: int  # how many turns of the person to drop


class ContextCompactedEvent(EventBase, tag="context_compacted"):
    """The context was compacted; the `compacted` line says how."""


class UndoCompletedEvent(EventBase, tag="undo_completed"):
    """Files were put back to a ghost snapshot (about 0.5x to 0.13x)."""

    success: bool
    message: str | None = None


class InjectedMessageEvent(EventBase, tag="injected_message"):
    """Something was put into the conversation; the name is known from older files, its keys are not."""


class EnteredReviewModeEvent(EventBase, tag="entered_review_mode"):
    """A code review began."""

    target: ReviewTarget | None = None  # since about 0.6x
    user_facing_hint: str | None = None
    prompt: str | None = None  # before `target`
    append_to_original_thread: bool | None = None  # for a short time beside `prompt`
    turn_id: TurnId | None = None
    item_id: ItemId | None = None


class ExitedReviewModeEvent(EventBase, tag="exited_review_mode"):
    """A code review ended."""

    review_output: ReviewOutput | None = None  # null when it was cut off
    turn_id: TurnId | None = None
    item_id: ItemId | None = None


class ErrorEvent(EventBase, tag="error"):
    """Something failed; since 0.15x told by `task_complete.error`."""

    message: str
    codex_error_info: CodexErrorInfo | None = None


class ExecCommandEndEvent(EventBase, tag="exec_command_end"):
    """A command ended (extended mode of 0.11x to 0.13x, and live)."""

    call_id: CallId
    command: list[str]
    exit_code: int
    duration: Duration
    cwd: FileUri | None = None
    parsed_cmd: list[ParsedCommand] | None = None
    source: CommandSource | None = None
    status: CommandStatus | None = None
    aggregated_output: str | None = None  # both streams as they came
    stdout: str | None = None  # until 0.153
    stderr: str | None = None  # until 0.153
    formatted_output: str | None = None  # what the model got; until 0.153
    interaction_input: str | None = None  # typed into a running process
    process_id: str | None = None
    plugin_id: str | None = None
    script_path: str | None = None
    turn_id: TurnId | None = None
    completed_at_ms: UnixMillis | None = None


class PatchApplyEndEvent(EventBase, tag="patch_apply_end"):
    """A patch was applied or not."""

    call_id: CallId
    success: bool
    stdout: str | None = None
    stderr: str | None = None
    changes: dict[str, FileChange] | None = None  # by path
    status: PatchStatus | None = None
    turn_id: TurnId | None = None


class McpToolCallEndEvent(EventBase, tag="mcp_tool_call_end"):
    """An MCP tool gave back something; the error flag is only here."""

    call_id: CallId
    invocation: McpInvocation
    duration: Duration
    result: McpResult
    turn_id: TurnId | None = None
    read_only_hint: bool | None = None  # the server says it changes nothing
    plugin_id: str | None = None
    connector_id: str | None = None
    link_id: str | None = None
    app_name: str | None = None
    action_name: str | None = None
    mcp_app_resource_uri: str | None = None
    mcp_app_ui: McpAppUi | None = None


class WebSearchEndEvent(EventBase, tag="web_search_end"):
    """The API searched the web."""

    call_id: CallId
    query: str
    action: WebAction | None = None  # since about 0.8x
    results: list[Any] | None = None  # since 0.14x


class ImageGenerationEndEvent(EventBase, tag="image_generation_end"):
    """The API made an image."""

    call_id: CallId
    status: str
    result: str | None = None  # base64
    file_id: str | None = field(name="fileId", default=None)  # instead of `result`
    generation_id: str | None = None
    input_images: list[ImageGenerationInputImage] | None = None
    revised_prompt: str | None = None
    saved_path: str | None = None
    transparent_background: bool | None = None
    failure: ImageGenerationFailure | None = None


class ViewImageToolCallEvent(EventBase, tag="view_image_tool_call"):
    """The model looked at an image file."""

    call_id: CallId
    path: FileUri


class DynamicToolCallRequestEvent(EventBase, tag="dynamic_tool_call_request"):
    """A tool the client lent is called."""

    call_id: CallId = field(name="callId")
    turn_id: TurnId = field(name="turnId")
    tool: str
    arguments: Any
    namespace: str | None = None
    started_at_ms: UnixMillis | None = field(name="startedAtMs", default=None)


class DynamicToolCallResponseEvent(EventBase, tag="dynamic_tool_call_response"):
    """What such a tool gave back."""

    call_id: CallId
    turn_id: TurnId
    tool: str
    arguments: Any
    content_items: list[DynamicOutput]
    success: bool
    duration: Duration
    error: str | None = None
    namespace: str | None = None
    completed_at_ms: UnixMillis | None = None


class GuardianAssessmentEvent(EventBase, tag="guardian_assessment"):
    """The guardian looked at an action."""

    id: str
    action: GuardianAction
    status: Annotated[str, Meta(examples=["in_progress", "approved", "denied", "timed_out", "aborted"])]
    decision_source: Annotated[str | None, Meta(examples=["agent"])] = None
    rationale: str | None = None
    risk_level: Annotated[str | None, Meta(examples=["low", "medium", "high", "critical"])] = None
    risk_score: float | None = None  # 0 to 100; about 0.11x
    user_authorization: Annotated[str | None, Meta(examples=["unknown", "low", "medium", "high"])] = None
    review_reason: Annotated[
        str | None,
        Meta(
            examples=[
                "policy",
                "fresh_required",
                "missing_score",
                "stale_score",
                "invalid_score",
                "incompatible_compaction",
                "elevated_risk",
                "scoring_failure",
                "authorization_changed",
                "unknown",
            ]
        ),
    ] = None
    target_item_id: ItemId | None = None
    turn_id: TurnId | None = None
    plugin_id: str | None = None
    script_path: str | None = None
    started_at_ms: UnixMillis | None = None
    completed_at_ms: UnixMillis | None = None


class CollabAgentSpawnEndEvent(EventBase, tag="collab_agent_spawn_end"):
    """A sub-agent was spawned."""

    call_id: CallId
    sender_thread_id: ThreadId
    prompt: str
    status: AgentStatus
    model: str | None = None
    reasoning_effort: ReasoningEffort | None = None
    new_thread_id: ThreadId | None = None  # null when it failed
    new_agent_nickname: str | None = None
    new_agent_role: str | None = None
    completed_at_ms: UnixMillis | None = None


class CollabReceiver(EventBase):
    """Keys of an event about one other agent."""

    call_id: CallId
    sender_thread_id: ThreadId
    receiver_thread_id: ThreadId
    status: AgentStatus
    receiver_agent_nickname: str | None = None
    receiver_agent_role: str | None = None
    completed_at_ms: UnixMillis | None = None


class CollabAgentInteractionEndEvent(CollabReceiver, tag="collab_agent_interaction_end"):
    """A message was sent to an agent."""

    prompt: str


class CollabCloseEndEvent(CollabReceiver, tag="collab_close_end"):
    """An agent was closed."""


class CollabResumeEndEvent(CollabReceiver, tag="collab_resume_end"):
    """An agent was resumed."""


class CollabAgentStatusEntry(CollabAgentRef):
    """One agent's state after a wait."""

    status: AgentStatus


class CollabWaitingEndEvent(EventBase, tag="collab_waiting_end"):
    """Waiting for agents ended."""

    call_id: CallId
    sender_thread_id: ThreadId
    statuses: dict[ThreadId, AgentStatus]  # by thread
    agent_statuses: list[CollabAgentStatusEntry] | None = None
    completed_at_ms: UnixMillis | None = None


class SubAgentActivityEvent(EventBase, tag="sub_agent_activity"):
    """A sub-agent began, was spoken to, or ended."""

    event_id: str
    agent_thread_id: ThreadId
    agent_path: AgentPath
    kind: SubAgentKind
    model: str | None = None
    reasoning_effort: ReasoningEffort | None = None
    occurred_at_ms: UnixMillis | None = None


PersistedEvent: TypeAlias = (
    UserMessageEvent
    | AgentMessageEvent
    | AgentReasoningEvent
    | AgentReasoningRawContentEvent
    | TaskStartedEvent
    | TaskCompleteEvent
    | TurnAbortedEvent
    | TokenCountEvent
    | ItemCompletedEvent
    | ThreadSettingsAppliedEvent
    | ThreadGoalUpdatedEvent
    | ThreadNameUpdatedEvent
    | ThreadRolledBackEvent
    | ContextCompactedEvent
    | UndoCompletedEvent
    | InjectedMessageEvent
    | EnteredReviewModeEvent
    | ExitedReviewModeEvent
    | ErrorEvent
    | ExecCommandEndEvent
    | PatchApplyEndEvent
    | McpToolCallEndEvent
    | WebSearchEndEvent
    | ImageGenerationEndEvent
    | ViewImageToolCallEvent
    | DynamicToolCallRequestEvent
    | DynamicToolCallResponseEvent
    | GuardianAssessmentEvent
    | CollabAgentSpawnEndEvent
    | CollabAgentInteractionEndEvent
    | CollabCloseEndEvent
    | CollabResumeEndEvent
    | CollabWaitingEndEvent
    | SubAgentActivityEvent
)

Event: TypeAlias = PersistedEvent | LiveEvent | UnknownEvent

EVENTS: dict[str, type[Wire]] = tags(Event)
"""Every event by its name on disk, `turn_started` and `turn_complete` included."""
