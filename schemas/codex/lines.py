"""Rollout lines: the envelope of every kind with its payload, and the bare lines of 2025.

Since about 0.2x a line is `{timestamp, type, payload}`, in paginated rollouts (since 0.153) also `ordinal`. Before, the
first line is a bare header, and the others are response items as they are, between `{"record_type": "state"}` lines.
A file may hold several `session_meta` lines: the first is the thread's own, later ones were copied from its parents.
"""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from msgspec import Meta, field

from panscript.schemas.codex.base import UnknownLine, Wire, tags
from panscript.schemas.codex.events import Event
from panscript.schemas.codex.items import Item
from panscript.schemas.codex.messages import CollaborationMode
from panscript.schemas.codex.metadata import (
    HarnessMetadata,
    IdAllocation,
    McpResourceOrigins,
    MessageMetadata,
    PreviousTurnSettings,
    RetainedContext,
    RetainedContextEvent,
    SecurityRiskScore,
    TurnAttribution,
    WindowId,
)
from panscript.schemas.codex.permissions import (
    ActivePermissionProfile,
    ApprovalPolicy,
    FileSystemPermissions,
    PermissionProfile,
    SandboxPolicy,
)
from panscript.schemas.codex.realtime import RealtimeItem
from panscript.schemas.codex.record_names import HEAD_KIND, PART_KIND
from panscript.schemas.codex.tools import DynamicTool, DynamicToolsSnapshot
from panscript.schemas.codex.usage import TokenUsageRecord
from panscript.schemas.codex.vocabulary import (
    AgentPath,
    ApprovalsReviewer,
    CyberAccessProgram,
    HistoryMode,
    MemoryMode,
    MultiAgentVersion,
    Personality,
    ReasoningEffort,
    ReasoningSummary,
    ResponseId,
    SessionId,
    ThreadId,
    Time,
    TurnId,
    UnixMillis,
)
from panscript.schemas.import_record import ImportHead, ImportPart

__all__ = [
    "LINES",
    "BareHeader",
    "BareState",
    "BaseInstructions",
    "BaseInstructionsProvenance",
    "CapabilityRootLocation",
    "Compacted",
    "CompactedLine",
    "CompactionResumeMetadata",
    "DynamicToolsUpdatedLine",
    "EnvelopeLine",
    "EventMsgLine",
    "GitInfo",
    "HistoryBase",
    "ImportLine",
    "ImportPartLine",
    "InterAgentCommunication",
    "InterAgentCommunicationLine",
    "InterAgentCommunicationMetadata",
    "InterAgentCommunicationMetadataLine",
    "Line",
    "MultiAgentMode",
    "NetworkDomains",
    "RealtimeItemLine",
    "ResponseItemLine",
    "RetainedContextLine",
    "SecurityRiskScoreLine",
    "SelectedCapabilityRoot",
    "SessionContextWindow",
    "SessionMeta",
    "SessionMetaLine",
    "SessionSource",
    "SessionSourceObject",
    "SubAgentSource",
    "ThreadSourceObject",
    "ThreadSpawn",
    "TokenUsageRecordLine",
    "TruncationPolicy",
    "TurnContext",
    "TurnContextLine",
    "WorldState",
    "WorldStateLine",
]


class GitInfo(Wire):
    """The repository the thread began in."""

    commit_hash: str | None = None
    branch: str | None = None
    repository_url: str | None = None


class BaseInstructionsProvenance(Wire):
    """Whose system prompt it is."""

    type: Annotated[str, Meta(examples=["custom", "model"])]
    model: str | None = None  # with `model`


class BaseInstructions(Wire):
    """The system prompt; on resume it replaces the program's own."""

    text: str
    provenance: BaseInstructionsProvenance | None = None  # since 0.15x


class HistoryBase(Wire):
    """Where this file's history begins: the lines of another file before a point (paginated forks and reverts)."""

    thread_id: ThreadId  # the file's own id after a revert
    end_ordinal_exclusive: int  # lines with a smaller ordinal belong to the history
    end_byte_offset: int  # bytes of those lines


class SessionContextWindow(Wire):
    """The context window the thread began with."""

    window_id: WindowId


class CapabilityRootLocation(Wire, rename="camel"):
    """Where skills and the like are looked for."""

    type: Annotated[str, Meta(examples=["environment"])]
    environment_id: str | None = None
    path: str | None = None


class SelectedCapabilityRoot(Wire):
    """A chosen place for skills and the like."""

    id: str
    location: CapabilityRootLocation


class ThreadSpawn(Wire):
    """How a sub-agent came to be."""

    parent_thread_id: ThreadId
    depth: int  # 1 below the root
    agent_path: AgentPath | None = None
    agent_nickname: str | None = None
    agent_role: str | None = None


class SubAgentSource(Wire):
    """A sub-agent's source; one key is set."""

    thread_spawn: ThreadSpawn | None = None
    other: str | None = None


class SessionSourceObject(Wire):
    """The sources that carry something; one key is set."""

    custom: str | None = None  # the name a client gave itself
    internal: Annotated[str | None, Meta(examples=["memory_consolidation", "guardian"])] = None
    subagent: SubAgentSource | Annotated[str, Meta(examples=["review", "compact", "memory_consolidation"])] | None = (
        None
    )


SessionSource: TypeAlias = (
    Annotated[str, Meta(examples=["cli", "vscode", "exec", "mcp", "unknown"])] | SessionSourceObject
)
"""What started a thread; `vscode` is any client of the app server."""


class ThreadSourceObject(Wire):
    """A thread some feature started."""

    feature: str | None = None
    feature_name: str | None = field(name="Feature", default=None)  # the spelling of the 0.171 schema


class SessionMeta(Wire):
    """Payload of `session_meta`: what a thread is. The first five keys are what the real program insists on."""

    id: ThreadId
    timestamp: Time  # when the thread began
    cwd: str
    originator: str  # the program that wrote it
    cli_version: str
    session_id: SessionId | None = None  # the root thread of a tree of agents; since 0.14x
    instructions: str | None = None  # text of AGENTS.md; until about 0.6x
    base_instructions: BaseInstructions | None = None  # since about 0.9x
    source: SessionSource | None = None  # since about 0.4x; `vscode` when absent
    thread_source: (
        Annotated[str, Meta(examples=["user", "subagent", "guardian_review", "memory_consolidation"])]
        | ThreadSourceObject
        | None
    ) = None  # since about 0.13x
    model_provider: str | None = None  # since about 0.6x; resume insists on it
    git: GitInfo | None = None
    forked_from_id: ThreadId | None = None  # since about 0.9x
    forked_from_ordinal_exclusive: int | None = None  # lines of the parent before this ordinal; since 0.171
    parent_thread_id: ThreadId | None = None  # of a sub-agent; since 0.14x
    agent_nickname: str | None = None  # of a sub-agent
    agent_role: str | None = None  # of a sub-agent
    agent_path: AgentPath | None = None  # of a sub-agent
    history_mode: HistoryMode | None = None  # `legacy` when absent; since 0.144
    history_base: HistoryBase | None = None  # since 0.171
    subagent_history_start_ordinal: int | None = None  # where a sub-agent's own part begins; since 0.171
    context_window: SessionContextWindow | None = None  # since 0.14x
    multi_agent_version: MultiAgentVersion | None = None
    dynamic_tools: list[DynamicTool] | None = None  # since about 0.9x
    memory_mode: MemoryMode | None = None  # since about 0.1xx
    runtime_workspace_roots: list[str] | None = None  # absolute paths; since 0.171
    selected_capability_roots: list[SelectedCapabilityRoot] | None = None  # since 0.15x
    account_scoped: bool | None = None  # since 0.171
    attached_thread: bool | None = None
    creator_user_id: str | None = None
    creator_account_id: str | None = None


class TruncationPolicy(Wire):
    """How long tool outputs are cut (about 0.6x to 0.13x)."""

    mode: Annotated[str, Meta(examples=["bytes", "tokens"])]
    limit: int  # in the unit of `mode`


class MultiAgentMode(Wire):
    """When the model may use sub-agents."""

    mode: str | None = None


class NetworkDomains(Wire):
    """Where sandboxed commands may connect to (about 0.10x)."""

    allowed_domains: list[str] | None = None
    denied_domains: list[str] | None = None


class TurnContext(Wire):
    """Payload of `turn_context`: settings of the turn that follows, its model among them.

    Once a turn since 0.130, once a model call before.
    """

    cwd: str
    model: str
    approval_policy: ApprovalPolicy | None = None
    turn_id: TurnId | None = None  # since about 0.12x
    root_turn_id: TurnId | None = None  # since 0.153
    trace_id: str | None = None  # about 0.11x
    effort: ReasoningEffort | None = None
    summary: ReasoningSummary | None = None
    sandbox_policy: SandboxPolicy | None = None
    permission_profile: PermissionProfile | None = None  # since 0.12x
    active_permission_profile: ActivePermissionProfile | None = None  # since 0.14x
    file_system_sandbox_policy: FileSystemPermissions | None = None  # about 0.12x to 0.14x
    approvals_reviewer: ApprovalsReviewer | None = None  # since 0.14x
    network: NetworkDomains | None = None  # about 0.10x
    collaboration_mode: CollaborationMode | None = None  # since about 0.9x
    personality: Personality | None = None  # about 0.9x to 0.15x
    user_instructions: str | None = None  # text of AGENTS.md; about 0.7x to 0.13x
    developer_instructions: str | None = None  # about 0.7x to 0.13x
    base_instructions: str | None = None  # the system prompt; about 0.7x
    final_output_json_schema: Any = None  # JSON Schema the answer must meet; about 0.7x to 0.14x
    truncation_policy: TruncationPolicy | None = None  # about 0.6x to 0.13x
    current_date: str | None = None  # local date; about 0.10x to 0.153
    timezone: str | None = None  # IANA name; about 0.10x to 0.153
    workspace_roots: list[str] | None = None  # absolute paths; 0.14x and 0.153
    multi_agent_version: MultiAgentVersion | None = None  # since 0.14x
    multi_agent_mode: MultiAgentMode | str | None = None  # 0.14x
    comp_hash: str | None = None  # what the model's compaction depends on; since 0.14x
    realtime_active: bool | None = None  # a voice session is open
    cyber_access_program: CyberAccessProgram | None = None  # since 0.171
    direct_only_tool_namespaces: list[str] | None = None  # since 0.171
    disabled_plugin_ids: list[str] | None = None  # since 0.171


class CompactionResumeMetadata(Wire):
    """What a resume needs to know when it starts at a compaction (since 0.171)."""

    dynamic_tools: DynamicToolsSnapshot | None = None
    last_started_turn_id: TurnId | None = None
    multi_agent_version: MultiAgentVersion | None = None
    next_item_ordinal: int | None = None
    observation_clock_floor_ms: UnixMillis | None = None
    previous_turn_settings: PreviousTurnSettings | None = None
    rejected_audio_file_ids: list[str] | None = None
    turn_attribution: TurnAttribution | None = None


class Compacted(Wire):
    """Payload of `compacted`: from here on the model sees something shorter."""

    message: str  # the summary; empty when the API compacted
    replacement_history: list[Item] | None = None  # copies that replace all before, not new messages
    replacement_history_metadata: list[HarnessMetadata] | None = None  # one an item; since 0.171
    retained_context: RetainedContext | None = None  # since 0.171
    window_number: int | None = None  # since 0.14x
    window_id: WindowId | None = None  # since 0.14x
    first_window_id: WindowId | None = None  # since 0.14x
    previous_window_id: WindowId | None = None  # since 0.14x
    compaction_response_id: ResponseId | None = None  # the answer that is the summary; since 0.171
    latest_token_usage_record: TokenUsageRecord | None = None  # a copy, not to be counted; since 0.171
    resume_metadata: CompactionResumeMetadata | None = None  # since 0.171
    guardian_history: list[Item] | None = None  # what the guardian has seen; since 0.171
    mcp_resource_origins: McpResourceOrigins | None = None  # since 0.171


class WorldState(Wire):
    """Payload of `world_state` (since 0.153): what the model was told about its surroundings."""

    full: bool  # true replaces the state, false is a JSON merge patch
    state: dict[str, Any]  # agents_md, environments, model, permissions, tools, ...


class InterAgentCommunication(Wire):
    """Payload of `inter_agent_communication`: a message between agents (multi-agent v2)."""

    author: AgentPath
    recipient: AgentPath
    content: str
    trigger_turn: bool  # the message starts a turn of the recipient
    other_recipients: list[AgentPath] | None = None
    encrypted_content: str | None = None
    id: str | None = None
    id_allocation: IdAllocation | None = None  # how `id` was made up
    internal_chat_message_metadata_passthrough: MessageMetadata | None = None


class InterAgentCommunicationMetadata(Wire):
    """Payload of `inter_agent_communication_metadata`: what the agent message beside it does."""

    trigger_turn: bool


class Envelope(Wire, tag_field="type"):
    """Keys of every line but the bare ones."""

    timestamp: Time | int | float  # when the line was written; foreign writers put epoch numbers here
    ordinal: int | None = None  # 0, 1, 2, ... in paginated rollouts only


class SessionMetaLine(Envelope, tag="session_meta"):
    """The first line of a file, and copies of its parents' first lines."""

    payload: SessionMeta


class ResponseItemLine(Envelope, tag="response_item"):
    """What the model sees."""

    payload: Item
    metadata: HarnessMetadata | None = None  # since 0.171


class EventMsgLine(Envelope, tag="event_msg"):
    """What the UI shows."""

    payload: Event


class TurnContextLine(Envelope, tag="turn_context"):
    """Settings of the turn that follows."""

    payload: TurnContext


class CompactedLine(Envelope, tag="compacted"):
    """The context was compacted."""

    payload: Compacted


class TokenUsageRecordLine(Envelope, tag="token_usage_record"):
    """What one answer cost."""

    payload: TokenUsageRecord


class WorldStateLine(Envelope, tag="world_state"):
    """What the model was told about its surroundings."""

    payload: WorldState


class DynamicToolsUpdatedLine(Envelope, tag="dynamic_tools_updated"):
    """The tools a client lends changed."""

    payload: DynamicToolsSnapshot


class InterAgentCommunicationLine(Envelope, tag="inter_agent_communication"):
    """A message between agents."""

    payload: InterAgentCommunication


class InterAgentCommunicationMetadataLine(Envelope, tag="inter_agent_communication_metadata"):
    """What the agent message beside it does."""

    payload: InterAgentCommunicationMetadata


class RetainedContextLine(Envelope, tag="retained_context"):
    """Something to carry over the next compaction."""

    payload: RetainedContextEvent


class SecurityRiskScoreLine(Envelope, tag="security_risk_score"):
    """How risky an action looked."""

    payload: SecurityRiskScore


class RealtimeItemLine(Envelope, tag="realtime_item"):
    """Something of a voice conversation."""

    payload: RealtimeItem


class ImportLine(Envelope, tag=HEAD_KIND):
    """Where panscript imported the thread from; the agent passes over it."""

    payload: ImportHead


class ImportPartLine(Envelope, tag=PART_KIND):
    """What panscript noted of the lines before it; the agent passes over it."""

    payload: ImportPart


EnvelopeLine: TypeAlias = (
    SessionMetaLine
    | ResponseItemLine
    | EventMsgLine
    | TurnContextLine
    | CompactedLine
    | TokenUsageRecordLine
    | WorldStateLine
    | DynamicToolsUpdatedLine
    | InterAgentCommunicationLine
    | InterAgentCommunicationMetadataLine
    | RetainedContextLine
    | SecurityRiskScoreLine
    | RealtimeItemLine
    | ImportLine
    | ImportPartLine
    | UnknownLine
)

LINES: dict[str, type[Wire]] = tags(EnvelopeLine)
"""Every line kind by its name on disk."""


class BareHeader(Wire):
    """First line of the bare form (0.8 to 0.2x)."""

    id: ThreadId
    timestamp: Time  # when the thread began; the only time in the file
    instructions: str | None = None  # text of AGENTS.md
    git: GitInfo | None = None  # since 0.20


class BareState(Wire):
    """Marker between the items of the bare form."""

    record_type: Annotated[str, Meta(examples=["state"])]
    previous_response_id: str | None = None  # 0.8


Line: TypeAlias = EnvelopeLine | BareHeader | BareState | Item
"""Any line of a rollout; a response item by itself is a line of the bare form."""
