"""Events of the protocol that no version is known to write to disk: starts, deltas, approvals, notices.

They are here because a rollout line may hold any of them as far as the real program is concerned, and because foreign
writers log them.
"""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from msgspec import Meta, field

from panscript.schemas.codex.base import Wire
from panscript.schemas.codex.items import Item
from panscript.schemas.codex.messages import CodexErrorInfo, CollabAgentRef
from panscript.schemas.codex.permissions import (
    ActivePermissionProfile,
    AdditionalPermissionProfile,
    ApprovalPolicy,
    NetworkApprovalContext,
    NetworkPolicyAmendment,
    PermissionProfile,
    ReviewDecision,
)
from panscript.schemas.codex.realtime import RealtimeEvent, RealtimeVoices
from panscript.schemas.codex.tools import FileChange, McpAppUi, McpInvocation, ParsedCommand
from panscript.schemas.codex.turn_items import TurnItem
from panscript.schemas.codex.usage import TokenUsage
from panscript.schemas.codex.vocabulary import (
    ApprovalsReviewer,
    CallId,
    CommandSource,
    FileUri,
    ItemId,
    Millis,
    ReasoningEffort,
    ResponseId,
    SessionId,
    ThreadId,
    TurnId,
    UnixMillis,
    UnixSeconds,
)

__all__ = [
    "ElicitationRequest",
    "EventBase",
    "HookOutputEntry",
    "HookRunSummary",
    "LiveEvent",
    "McpStartupFailure",
    "McpStartupStatus",
    "NetworkProxyRuntime",
    "PlanStep",
    "ResponseUsageMetadata",
    "UserInputOption",
    "UserInputQuestion",
]


class EventBase(Wire, tag_field="type"):
    """Base of all events."""


class MessageEvent(EventBase):
    """An event that is a text."""

    message: str


class WarningEvent(MessageEvent, tag="warning"):
    """A warning for the person."""


class GuardianWarningEvent(MessageEvent, tag="guardian_warning"):
    """A warning of the guardian."""


class AuthRecoveryStartedEvent(MessageEvent, tag="auth_recovery_started"):
    """Signing in again began."""

    provider: str


class AuthRecoveryCompletedEvent(MessageEvent, tag="auth_recovery_completed"):
    """Signing in again worked."""

    provider: str


class StreamErrorEvent(MessageEvent, tag="stream_error"):
    """The connection to the API broke and is tried again."""

    additional_details: str | None = None
    codex_error_info: CodexErrorInfo | None = None


class DeprecationNoticeEvent(EventBase, tag="deprecation_notice"):
    """Something will go away."""

    summary: str
    details: str | None = None


class RealtimeConversationStartedEvent(EventBase, tag="realtime_conversation_started"):
    """A voice conversation began."""

    version: Annotated[str, Meta(examples=["v1", "v2", "v3"])]
    realtime_session_id: str | None = None


class RealtimeConversationRealtimeEvent(EventBase, tag="realtime_conversation_realtime"):
    """Something happened in it."""

    payload: RealtimeEvent


class RealtimeConversationClosedEvent(EventBase, tag="realtime_conversation_closed"):
    """It ended."""

    reason: str | None = None


class RealtimeConversationSdpEvent(EventBase, tag="realtime_conversation_sdp"):
    """How its sound is connected."""

    sdp: str


class RealtimeVoicesEvent(EventBase, tag="realtime_conversation_list_voices_response"):
    """The voices there are."""

    voices: RealtimeVoices


class ModelRerouteEvent(EventBase, tag="model_reroute"):
    """Another model took over."""

    from_model: str
    to_model: str
    reason: Annotated[str, Meta(examples=["high_risk_cyber_activity"])]


class ModelVerificationEvent(EventBase, tag="model_verification"):
    """The model wants the account verified."""

    verifications: list[Annotated[str, Meta(examples=["trusted_access_for_cyber"])]]


class TurnModerationMetadataEvent(EventBase, tag="turn_moderation_metadata"):
    """What moderation says about a turn."""

    metadata: Any


class SafetyBufferingEvent(EventBase, tag="safety_buffering"):
    """The answer is held back while it is looked at."""

    model: str
    reasons: list[str]
    use_cases: list[str]
    show_buffering_ui: bool
    faster_model: str | None = None


class AgentReasoningSectionBreakEvent(EventBase, tag="agent_reasoning_section_break"):
    """A new part of the summary begins."""

    item_id: ItemId | None = None
    summary_index: int | None = None


class NetworkProxyRuntime(Wire):
    """Where the proxy of the sandbox listens."""

    http_addr: str
    socks_addr: str


class SessionConfiguredEvent(EventBase, tag="session_configured"):
    """The session is ready."""

    session_id: SessionId
    model: str
    thread_id: ThreadId | None = None
    thread_name: str | None = None
    thread_source: Any = None
    forked_from_id: ThreadId | None = None
    parent_thread_id: ThreadId | None = None
    rollout_path: str | None = None
    cwd: str | None = None
    model_provider_id: str | None = None
    approval_policy: ApprovalPolicy | None = None
    approvals_reviewer: ApprovalsReviewer | None = None
    permission_profile: PermissionProfile | None = None
    active_permission_profile: ActivePermissionProfile | None = None
    network_proxy: NetworkProxyRuntime | None = None
    reasoning_effort: ReasoningEffort | None = None
    service_tier: str | None = None


class EnvironmentConnectedEvent(EventBase, tag="environment_connected"):
    """A machine to work on is there."""

    environment_id: str


class EnvironmentDisconnectedEvent(EventBase, tag="environment_disconnected"):
    """A machine to work on is gone."""

    environment_id: str


class ThreadQueueChangedEvent(EventBase, tag="thread_queue_changed", rename="camel"):
    """The queue of waiting messages changed."""

    thread_id: ThreadId


class McpStartupStatus(Wire):
    """How far an MCP server is."""

    state: Annotated[str, Meta(examples=["starting", "ready", "failed", "cancelled"])]
    error: str | None = None  # with `failed`
    reason: Annotated[str | None, Meta(examples=["reauthentication_required"])] = None  # with `failed`


class McpStartupUpdateEvent(EventBase, tag="mcp_startup_update"):
    """An MCP server starts."""

    server: str
    status: McpStartupStatus
    environment_id: str | None = None


class McpStartupFailure(Wire):
    """An MCP server that did not start."""

    server: str
    error: str


class McpStartupCompleteEvent(EventBase, tag="mcp_startup_complete"):
    """All MCP servers are up or failed."""

    ready: list[str]
    failed: list[McpStartupFailure]
    cancelled: list[str]


class McpToolCallBeginEvent(EventBase, tag="mcp_tool_call_begin"):
    """An MCP tool is called."""

    call_id: CallId
    invocation: McpInvocation
    turn_id: TurnId | None = None
    read_only_hint: bool | None = None
    plugin_id: str | None = None
    connector_id: str | None = None
    link_id: str | None = None
    app_name: str | None = None
    action_name: str | None = None
    mcp_app_resource_uri: str | None = None
    mcp_app_ui: McpAppUi | None = None


class WebSearchBeginEvent(EventBase, tag="web_search_begin"):
    """A web search began."""

    call_id: CallId


class ImageGenerationBeginEvent(EventBase, tag="image_generation_begin"):
    """An image is being made."""

    call_id: CallId


class ExecCommandBeginEvent(EventBase, tag="exec_command_begin"):
    """A command began."""

    call_id: CallId
    command: list[str]
    cwd: FileUri
    parsed_cmd: list[ParsedCommand]
    turn_id: TurnId | None = None
    source: CommandSource | None = None
    interaction_input: str | None = None
    process_id: str | None = None
    plugin_id: str | None = None
    script_path: str | None = None
    started_at_ms: UnixMillis | None = None


class ExecCommandOutputDeltaEvent(EventBase, tag="exec_command_output_delta"):
    """A piece of a command's output."""

    call_id: CallId
    stream: Annotated[str, Meta(examples=["stdout", "stderr"])]
    chunk: str  # base64


class TerminalInteractionEvent(EventBase, tag="terminal_interaction"):
    """Text was typed into a running process."""

    call_id: CallId
    process_id: str
    stdin: str


class ExecApprovalRequestEvent(EventBase, tag="exec_approval_request"):
    """May this command run?"""

    call_id: CallId
    command: list[str]
    cwd: str
    parsed_cmd: list[ParsedCommand]
    started_at_ms: UnixMillis | None = None
    kind: Annotated[str | None, Meta(examples=["command", "write_stdin", "human_command"])] = None
    approval_id: str | None = None
    available_decisions: list[ReviewDecision] | None = None
    additional_permissions: AdditionalPermissionProfile | None = None
    environment_id: str | None = field(name="environmentId", default=None)
    network_approval_context: NetworkApprovalContext | None = None
    proposed_execpolicy_amendment: list[str] | None = None
    proposed_network_policy_amendments: list[NetworkPolicyAmendment] | None = None
    reason: str | None = None
    plugin_id: str | None = None
    script_path: str | None = None
    turn_id: TurnId | None = None


class RequestPermissionsEvent(EventBase, tag="request_permissions"):
    """May the model have more permissions?"""

    call_id: CallId
    permissions: AdditionalPermissionProfile
    started_at_ms: UnixMillis | None = None
    cwd: str | None = None
    environment_id: str | None = field(name="environmentId", default=None)
    reason: str | None = None
    turn_id: TurnId | None = None


class UserInputOption(Wire):
    """One answer to choose."""

    label: str
    description: str


class UserInputQuestion(Wire, rename="camel"):
    """A question with answers to choose from."""

    id: str
    header: str
    question: str
    is_other: bool | None = None  # a free answer is possible
    is_secret: bool | None = None  # the answer is not to be shown
    options: list[UserInputOption] | None = None


class RequestUserInputEvent(EventBase, tag="request_user_input"):
    """The model asks the person."""

    call_id: CallId
    questions: list[UserInputQuestion]
    is_blocking: bool | None = field(name="isBlocking", default=None)
    auto_resolution_ms: Millis | None = field(name="autoResolutionMs", default=None)
    turn_id: TurnId | None = None


class ElicitationRequest(Wire):
    """What an MCP server wants to know; `mode` says which keys are set."""

    mode: Annotated[str, Meta(examples=["form", "openai/form", "openaiForm", "url", "openai/userVerification"])]
    message: str | None = None
    requested_schema: Any = None  # with a form
    elicitation_id: str | None = None  # with `url`
    url: str | None = None  # with `url`
    challenge: str | None = None  # with a verification
    title: str | None = None  # with a verification
    description: str | None = None  # with a verification
    meta: Any = field(name="_meta", default=None)


class ElicitationRequestEvent(EventBase, tag="elicitation_request"):
    """An MCP server asks the person."""

    id: str | int
    server_name: str
    request: ElicitationRequest
    environment_id: str | None = None
    turn_id: TurnId | None = None


class ElicitationAbandonedEvent(EventBase, tag="elicitation_abandoned"):
    """It no longer wants to know."""

    id: str | int
    server_name: str


class ApplyPatchApprovalRequestEvent(EventBase, tag="apply_patch_approval_request"):
    """May this patch be applied?"""

    call_id: CallId
    changes: dict[str, FileChange]  # by path
    started_at_ms: UnixMillis | None = None
    grant_root: str | None = None  # a folder to allow from now on
    reason: str | None = None
    turn_id: TurnId | None = None


class PatchApplyBeginEvent(EventBase, tag="patch_apply_begin"):
    """A patch is being applied."""

    call_id: CallId
    auto_approved: bool
    changes: dict[str, FileChange]  # by path
    turn_id: TurnId | None = None


class PatchApplyUpdatedEvent(EventBase, tag="patch_apply_updated"):
    """A patch grows while the model writes it."""

    call_id: CallId
    changes: dict[str, FileChange]  # by path


class TurnDiffEvent(EventBase, tag="turn_diff"):
    """All changes of the turn so far."""

    unified_diff: str


class PlanStep(Wire):
    """One step of a plan."""

    step: str
    status: Annotated[str, Meta(examples=["pending", "in_progress", "completed"])]


class PlanUpdateEvent(EventBase, tag="plan_update"):
    """The plan changed."""

    plan: list[PlanStep]
    explanation: str | None = None


class ShutdownCompleteEvent(EventBase, tag="shutdown_complete"):
    """The session is closed."""


class RawResponseItemEvent(EventBase, tag="raw_response_item"):
    """A response item as it came."""

    item: Item


class ResponseUsageMetadata(Wire):
    """What the API says a response cost."""

    amount: str | None = None
    metadata: Any = None


class RawResponseCompletedEvent(EventBase, tag="raw_response_completed"):
    """The API finished a response."""

    response_id: ResponseId
    token_usage: TokenUsage | None = None
    usage_metadata: ResponseUsageMetadata | None = None


class ItemStartedEvent(EventBase, tag="item_started"):
    """One thing the UI shows begins."""

    thread_id: ThreadId
    turn_id: TurnId
    item: TurnItem
    started_at_ms: UnixMillis


class HookOutputEntry(Wire):
    """One thing a hook said."""

    kind: Annotated[str, Meta(examples=["warning", "stop", "feedback", "context", "error"])]
    text: str


class HookRunSummary(Wire):
    """One run of a hook."""

    id: str
    event_name: Annotated[
        str,
        Meta(
            examples=[
                "pre_tool_use",
                "permission_request",
                "post_tool_use",
                "pre_compact",
                "post_compact",
                "session_start",
                "session_end",
                "user_prompt_submit",
                "subagent_start",
                "subagent_stop",
                "stop",
                "interrupt",
                "pre_model_request",
                "post_model_request",
            ]
        ),
    ]
    handler_type: Annotated[str, Meta(examples=["command", "mcp_tool", "prompt", "agent"])]
    execution_mode: Annotated[str, Meta(examples=["sync", "async"])]
    scope: Annotated[str, Meta(examples=["thread", "turn"])]
    status: Annotated[str, Meta(examples=["running", "completed", "failed", "blocked", "stopped"])]
    source_path: str
    display_order: int
    entries: list[HookOutputEntry]
    started_at: UnixSeconds
    source: Annotated[
        str | None,
        Meta(
            examples=[
                "system",
                "user",
                "project",
                "mdm",
                "session_flags",
                "plugin",
                "cloud_requirements",
                "cloud_managed_config",
                "legacy_managed_config_file",
                "legacy_managed_config_mdm",
                "unknown",
            ]
        ),
    ] = None
    completed_at: UnixSeconds | None = None
    duration_ms: Millis | None = None
    status_message: str | None = None


class HookStartedEvent(EventBase, tag="hook_started"):
    """A hook began."""

    run: HookRunSummary
    turn_id: TurnId | None = None


class HookCompletedEvent(EventBase, tag="hook_completed"):
    """A hook ended."""

    run: HookRunSummary
    turn_id: TurnId | None = None


class DeltaBase(EventBase):
    """A piece of an item that is being written."""

    thread_id: ThreadId
    turn_id: TurnId
    item_id: ItemId
    delta: str


class AgentMessageContentDeltaEvent(DeltaBase, tag="agent_message_content_delta"):
    """A piece of an answer."""


class PlanDeltaEvent(DeltaBase, tag="plan_delta"):
    """A piece of a plan."""


class ReasoningContentDeltaEvent(DeltaBase, tag="reasoning_content_delta"):
    """A piece of a reasoning summary."""

    summary_index: int | None = None


class ReasoningRawContentDeltaEvent(DeltaBase, tag="reasoning_raw_content_delta"):
    """A piece of open thinking."""

    content_index: int | None = None


class CollabBegin(EventBase):
    """Keys of every event that begins something with other agents."""

    call_id: CallId
    sender_thread_id: ThreadId
    started_at_ms: UnixMillis | None = None


class CollabAgentSpawnBeginEvent(CollabBegin, tag="collab_agent_spawn_begin"):
    """A sub-agent is being spawned."""

    prompt: str
    model: str
    reasoning_effort: ReasoningEffort


class CollabAgentInteractionBeginEvent(CollabBegin, tag="collab_agent_interaction_begin"):
    """A message is being sent to an agent."""

    receiver_thread_id: ThreadId
    prompt: str


class CollabWaitingBeginEvent(CollabBegin, tag="collab_waiting_begin"):
    """Agents are waited for."""

    receiver_thread_ids: list[ThreadId]
    receiver_agents: list[CollabAgentRef] | None = None


class CollabCloseBeginEvent(CollabBegin, tag="collab_close_begin"):
    """An agent is being closed."""

    receiver_thread_id: ThreadId


class CollabResumeBeginEvent(CollabBegin, tag="collab_resume_begin"):
    """An agent is being resumed."""

    receiver_thread_id: ThreadId
    receiver_agent_nickname: str | None = None
    receiver_agent_role: str | None = None


LiveEvent: TypeAlias = (
    WarningEvent
    | GuardianWarningEvent
    | AuthRecoveryStartedEvent
    | AuthRecoveryCompletedEvent
    | StreamErrorEvent
    | DeprecationNoticeEvent
    | RealtimeConversationStartedEvent
    | RealtimeConversationRealtimeEvent
    | RealtimeConversationClosedEvent
    | RealtimeConversationSdpEvent
    | RealtimeVoicesEvent
    | ModelRerouteEvent
    | ModelVerificationEvent
    | TurnModerationMetadataEvent
    | SafetyBufferingEvent
    | AgentReasoningSectionBreakEvent
    | SessionConfiguredEvent
    | EnvironmentConnectedEvent
    | EnvironmentDisconnectedEvent
    | ThreadQueueChangedEvent
    | McpStartupUpdateEvent
    | McpStartupCompleteEvent
    | McpToolCallBeginEvent
    | WebSearchBeginEvent
    | ImageGenerationBeginEvent
    | ExecCommandBeginEvent
    | ExecCommandOutputDeltaEvent
    | TerminalInteractionEvent
    | ExecApprovalRequestEvent
    | RequestPermissionsEvent
    | RequestUserInputEvent
    | ElicitationRequestEvent
    | ElicitationAbandonedEvent
    | ApplyPatchApprovalRequestEvent
    | PatchApplyBeginEvent
    | PatchApplyUpdatedEvent
    | TurnDiffEvent
    | PlanUpdateEvent
    | ShutdownCompleteEvent
    | RawResponseItemEvent
    | RawResponseCompletedEvent
    | ItemStartedEvent
    | HookStartedEvent
    | HookCompletedEvent
    | AgentMessageContentDeltaEvent
    | PlanDeltaEvent
    | ReasoningContentDeltaEvent
    | ReasoningRawContentDeltaEvent
    | CollabAgentSpawnBeginEvent
    | CollabAgentInteractionBeginEvent
    | CollabWaitingBeginEvent
    | CollabCloseBeginEvent
    | CollabResumeBeginEvent
)
