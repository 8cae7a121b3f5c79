"""State rows: facts of a session outside the conversation tree.

On load the last row of a type wins, unless noted. They are written again and again, and none of them is a message:
a `queue-operation` repeats a prompt that comes again as a user row.
"""

from __future__ import annotations

from typing import Any

import msgspec

from panscript.schemas.claude.base import Native, Number
from panscript.schemas.claude.blocks import Block

__all__ = [
    "AgentColor",
    "AgentNameRow",
    "AgentSetting",
    "AiTitle",
    "ArtifactAutoreactLedger",
    "ArtifactCommentMonitor",
    "AtisLatch",
    "AttributionSnapshot",
    "BridgeSession",
    "ContentReplacement",
    "ContinuedIn",
    "CostState",
    "CustomTitle",
    "DataFlowIncomplete",
    "DataFlowRecords",
    "DerivedFrom",
    "DevMods",
    "EndedByModel",
    "FileBackup",
    "FileHistory",
    "FileHistoryDelta",
    "FileHistorySnapshot",
    "ForkContextRef",
    "FrameLink",
    "HistorySuppression",
    "IsolationLatch",
    "LastPrompt",
    "MemoryMode",
    "Mode",
    "ModelUsage",
    "ObserverRef",
    "PermissionMode",
    "PrLink",
    "QueueOperation",
    "Relocated",
    "ReplMode",
    "Replacement",
    "ResumeHeadVouch",
    "SavedHookContext",
    "SessionOwner",
    "SpeculationAccept",
    "StateRow",
    "Summary",
    "Tag",
    "TaskSummary",
    "ToolsUsed",
    "WorktreeSession",
    "WorktreeState",
]


class StateRow(Native, frozen=True, kw_only=True):
    """What most state rows have."""

    session_id: str | None = None
    """The session."""
    timestamp: str | None = None
    """When it was written; many have none."""
    uuid: str | None = None
    """Id; only on rows mirrored to a remote session."""


class Summary(StateRow, frozen=True, kw_only=True, tag="summary"):
    """A title of 1.0 and 2.0, for the conversation that ends in `leafUuid`."""

    summary: str
    """The title."""
    leaf_uuid: str | None = None
    """Last row of the conversation, possibly in another file."""


class CustomTitle(StateRow, frozen=True, kw_only=True, tag="custom-title"):
    """Title the person gave; beats `ai-title`."""

    custom_title: str
    """The title."""


class AiTitle(StateRow, frozen=True, kw_only=True, tag="ai-title"):
    """Title a model made."""

    ai_title: str
    """The title."""


class AgentNameRow(StateRow, frozen=True, kw_only=True, tag="agent-name"):
    """Name of the agent; /rename writes it with the title."""

    agent_name: str
    """The name."""


class AgentColor(StateRow, frozen=True, kw_only=True, tag="agent-color"):
    """Color of the agent."""

    agent_color: str
    """The color."""


class AgentSetting(StateRow, frozen=True, kw_only=True, tag="agent-setting"):
    """Agent definition the session runs as."""

    agent_setting: str
    """Name of the definition."""


class Tag(StateRow, frozen=True, kw_only=True, tag="tag"):
    """Tag the person gave."""

    tag: str
    """The tag."""


class LastPrompt(StateRow, frozen=True, kw_only=True, tag="last-prompt"):
    """Moves the head of the conversation; also text for the picker."""

    last_prompt: str | None = None
    """Last prompt."""
    leaf_uuid: str | None = None
    """The head; null with `explicit` means rewound to empty."""
    explicit: bool | None = None
    """True if the person chose the head; then it wins over later rows."""
    rewound: bool | None = None
    """True after a rewind."""
    cut_uuid: str | None = None
    """First row that was cut off."""


class Mode(StateRow, frozen=True, kw_only=True, tag="mode"):
    """Mode of the session."""

    mode: str
    """`normal`, `coordinator`, ..."""


class PermissionMode(StateRow, frozen=True, kw_only=True, tag="permission-mode"):
    """Permission mode of the session."""

    permission_mode: str
    """As in prompt rows."""


class ReplMode(StateRow, frozen=True, kw_only=True, tag="repl-mode"):
    """Whether tools are called from code."""

    repl_mode: bool | str
    """On or off."""
    typed_events: bool | None = None
    """True if events are typed."""


class PrLink(StateRow, frozen=True, kw_only=True, tag="pr-link"):
    """Pull request the session made or works on."""

    pr_number: int
    """Its number."""
    pr_url: str | None = None
    """Its address."""
    pr_repository: str | None = None
    """Its repository, `owner/name`."""


class WorktreeSession(Native, frozen=True, kw_only=True):
    """Git worktree the session moved into."""

    original_cwd: str | None = None
    """Folder before."""
    pre_enter_original_cwd: str | None = None
    """Folder at the start of the session."""
    worktree_path: str | None = None
    """Folder of the worktree."""
    worktree_name: str | None = None
    """Name of the worktree."""
    worktree_branch: str | None = None
    """Its branch."""
    original_branch: str | None = None
    """Branch before."""
    original_head_commit: str | None = None
    """Commit before."""
    session_id: str | None = None
    """The session."""
    tmux_session_name: str | None = None
    """Its tmux session."""
    hook_based: bool | None = None
    """True if a hook made it."""
    entered_existing: bool | None = None
    """True if it was there before."""
    made_elsewhere: Any = None
    """How it was found, if made elsewhere."""
    extension_root: str | None = None
    """Root folder of the extension."""


class WorktreeState(StateRow, frozen=True, kw_only=True, tag="worktree-state"):
    """Worktree of the session, or null after leaving it."""

    worktree_session: WorktreeSession | None = None
    """The worktree."""


class Relocated(StateRow, frozen=True, kw_only=True, tag="relocated"):
    """The session moved to another folder."""

    relocated_cwd: str
    """The folder."""


class QueueOperation(StateRow, frozen=True, kw_only=True, tag="queue-operation"):
    """Change of the queue of prompts; never a message."""

    operation: str
    """`enqueue`, `dequeue`, `remove`, `popAll`."""
    content: str | list[Block] | None = None
    """The prompt; blocks in 2.0.4x; on `remove` since 2.1.205."""
    reason: str | None = None
    """Why, such as `absorbed_mid_turn`."""
    command_uuid: str | None = None
    """Id of the queued prompt."""
    delivery_id: str | None = None
    """Id of the delivery."""


class FileBackup(Native, frozen=True, kw_only=True):
    """A backup of one file, or the fact that there was none."""

    backup_file_name: str | None = None
    """Name in the file-history folder, `<16 hex>@v<n>`; null if the file did not exist."""
    version: int | None = None
    """Number of the backup."""
    backup_time: str | None = None
    """When it was made."""
    real_parent_dir: str | None = None
    """Folder of the file with links resolved; 2.1.3xx."""


class FileHistory(Native, frozen=True, kw_only=True):
    """Backups of the files the session changed, at one prompt."""

    message_id: str | None = None
    """User row of the prompt."""
    tracked_file_backups: dict[str, FileBackup] | None = None
    """Backup of each path."""
    timestamp: str | None = None
    """When it was taken."""
    has_untracked_changes: bool | None = None
    """True if something else changed too; 2.1.3xx."""


class FileHistorySnapshot(StateRow, frozen=True, kw_only=True, tag="file-history-snapshot"):
    """Backups of all tracked files at a prompt; no sessionId. About 1.0.1xx on."""

    message_id: str | None = None
    """User row of the prompt."""
    snapshot: FileHistory
    """The backups."""
    is_snapshot_update: bool | None = None
    """True if it replaces the snapshot of that prompt."""


class FileHistoryDelta(StateRow, frozen=True, kw_only=True, tag="file-history-delta"):
    """Backup of one file made during a turn; 2.1.3xx."""

    message_id: str | None = None
    """Row that changed the file."""
    snapshot_message_id: str | None = None
    """Snapshot it adds to."""
    tracking_path: str | None = None
    """The file."""
    backup: FileBackup | None = None
    """The backup."""


class Replacement(Native, frozen=True, kw_only=True):
    """A text that replaces a tool result on resume."""

    kind: str
    """`tool-result`."""
    tool_use_id: str | None = None
    """The call."""
    replacement: Any = None
    """The text."""


class ContentReplacement(StateRow, frozen=True, kw_only=True, tag="content-replacement"):
    """Tool results replaced on resume; these add up."""

    agent_id: str | None = None
    """Sub-agent, if in one."""
    replacements: list[Replacement]
    """The replacements."""


class ModelUsage(Native, frozen=True, kw_only=True):
    """Totals of one model."""

    input_tokens: int | None = None
    """Prompt tokens without cache."""
    output_tokens: int | None = None
    """Produced tokens."""
    thinking_tokens: int | None = None
    """Thinking tokens inside them."""
    cache_read_input_tokens: int | None = None
    """Tokens read from the cache."""
    cache_creation_input_tokens: int | None = None
    """Tokens written to the cache."""
    cache_creation_ephemeral5m_input_tokens: int | None = msgspec.field(
        name="cacheCreationEphemeral5mInputTokens", default=None
    )
    """Of these, to the five-minute cache."""
    cache_creation_ephemeral1h_input_tokens: int | None = msgspec.field(
        name="cacheCreationEphemeral1hInputTokens", default=None
    )
    """Of these, to the one-hour cache."""
    web_search_requests: int | None = None
    """Web searches."""
    cost_usd: float | None = msgspec.field(name="costUSD", default=None)
    """Cost in dollars."""
    context_window: int | None = None
    """Context window of the model."""
    max_output_tokens: int | None = None
    """Output limit of the model."""


class CostState(StateRow, frozen=True, kw_only=True, tag="cost-state"):
    """Totals of the session over all resumes, written at exit; includes requests without a row."""

    total_cost_usd: float | None = msgspec.field(name="totalCostUSD", default=None)
    """Cost in dollars."""
    total_api_duration: Number | None = msgspec.field(name="totalAPIDuration", default=None)
    """Milliseconds of API requests."""
    total_api_duration_without_retries: Number | None = msgspec.field(
        name="totalAPIDurationWithoutRetries", default=None
    )
    """The same without retries."""
    total_tool_duration: Number | None = None
    """Milliseconds of tools."""
    total_lines_added: int | None = None
    """Lines added."""
    total_lines_removed: int | None = None
    """Lines removed."""
    total_duration: Number | None = None
    """Milliseconds of the session."""
    start_time: int | None = None
    """Start, in milliseconds since 1970."""
    model_usage: dict[str, ModelUsage] | None = None
    """Totals of each model."""
    has_unknown_model_cost: bool | None = None
    """True if a model has no known price."""
    model_call_cost_usd: float | None = msgspec.field(name="modelCallCostUSD", default=None)
    """Cost of calls made by code."""


class ToolsUsed(StateRow, frozen=True, kw_only=True, tag="tools-used"):
    """Tools used so far."""

    tools: list[str]
    """Their names."""


class AtisLatch(StateRow, frozen=True, kw_only=True, tag="atis-latch"):
    """Internal latch."""

    atis: str
    """Its value, often empty."""


class MemoryMode(StateRow, frozen=True, kw_only=True, tag="memory-mode"):
    """Whether memory is on, from a row on; these add up."""

    mode: str
    """The mode."""
    after_uuid: str | None = None
    """Row after which it holds."""
    reason: str | None = None
    """Why."""
    account: Any = None
    """Account it belongs to."""
    account_choice: Any = None
    """Choice of the account."""


class IsolationLatch(StateRow, frozen=True, kw_only=True, tag="isolation-latch"):
    """Internal latch."""

    side: str
    """Its value."""


class SessionOwner(StateRow, frozen=True, kw_only=True, tag="session-owner"):
    """Account of the session."""

    account_uuid: str | None = None
    """The account."""
    organization_uuid: str | None = None
    """Its organisation."""


class DevMods(StateRow, frozen=True, kw_only=True, tag="dev-mods"):
    """Folder of modifications under development."""

    folder: str
    """The folder."""


class DataFlowRecords(StateRow, frozen=True, kw_only=True, tag="data-flow-records"):
    """Internal record of data sources."""

    v: int | None = None
    """Version of the form."""
    agent_id: str | None = None
    """Sub-agent, if in one."""
    records: list[Any] | None = None
    """The records."""
    snapshot: bool | None = None
    """True if they are all."""


class DataFlowIncomplete(StateRow, frozen=True, kw_only=True, tag="data-flow-incomplete"):
    """Mark that the record of data sources is incomplete."""

    v: int | None = None
    """Version of the form."""
    agent_id: str | None = None
    """Sub-agent, if in one."""


class DerivedFrom(StateRow, frozen=True, kw_only=True, tag="derived-from"):
    """Sessions this one was made from."""

    v: int | None = None
    """Version of the form."""
    sessions: list[Any] | None = None
    """The sessions: type, id, via."""


class AttributionSnapshot(StateRow, frozen=True, kw_only=True, tag="attribution-snapshot"):
    """Which text in files the model wrote."""

    message_id: str | None = None
    """Row of the snapshot."""
    surface: str | None = None
    """Program that wrote it."""
    file_states: dict[str, Any] | None = None
    """State of each file."""
    prompt_count: int | None = None
    """Prompts so far."""
    prompt_count_at_last_commit: int | None = None
    """Prompts at the last commit."""
    permission_prompt_count: int | None = None
    """Permission questions so far."""
    permission_prompt_count_at_last_commit: int | None = None
    """Permission questions at the last commit."""
    escape_count: int | None = None
    """Interrupts so far."""
    escape_count_at_last_commit: int | None = None
    """Interrupts at the last commit."""


class HistorySuppression(StateRow, frozen=True, kw_only=True, tag="history-suppression"):
    """The session is hidden from history."""

    cause: str | None = None
    """Why."""
    vetoed_against_account_uuid: str | None = None
    """Account it is hidden from."""
    ts: str | None = None
    """When."""


class BridgeSession(StateRow, frozen=True, kw_only=True, tag="bridge-session"):
    """Remote session this one is bound to."""

    bridge_session_id: str | None = None
    """Its id; empty after unbinding."""
    last_sequence_num: int | None = None
    """Last event received."""
    declared_dialog_kinds: list[str] | None = None
    """Dialogs the remote can show."""
    session_grouping_id: str | None = None
    """Group of the session."""
    no_history_backfill: bool | None = None
    """True if history is not sent."""
    owner_account_uuid: str | None = None
    """Account of the owner."""
    owner_organization_uuid: str | None = None
    """Organisation of the owner."""


class FrameLink(StateRow, frozen=True, kw_only=True, tag="frame-link"):
    """Artifacts the session published."""

    path: str | None = None
    """File of the artifact."""
    frame_url: str | None = None
    """Its address."""
    title: str | None = None
    """Its title."""
    artifact_count: int | None = None
    """Number of artifacts."""


class ObserverRef(StateRow, frozen=True, kw_only=True, tag="observer-ref"):
    """Agent that observes the session; open."""

    agent_id: str | None = None
    """The observer."""


class ForkContextRef(StateRow, frozen=True, kw_only=True, tag="fork-context-ref"):
    """First rows of a forked agent: it shares the parent's rows instead of copying them."""

    agent_id: str | None = None
    """The agent."""
    parent_session_id: str | None = None
    """Session of the shared rows."""
    parent_last_uuid: str | None = None
    """Last shared row."""
    context_length: int | None = None
    """Number of shared rows."""


class ArtifactCommentMonitor(StateRow, frozen=True, kw_only=True, tag="artifact-comment-monitor"):
    """Artifacts whose comments are watched."""

    v: int | None = None
    """Version of the form."""
    artifacts: dict[str, Any] | None = None
    """State of each artifact."""


class ArtifactAutoreactLedger(StateRow, frozen=True, kw_only=True, tag="artifact-autoreact-ledger"):
    """Comments that were reacted to."""

    v: int | None = None
    """Version of the form."""
    account_uuid: str | None = None
    """Account."""
    artifacts: dict[str, Any] | None = None
    """State of each artifact."""


class ContinuedIn(StateRow, frozen=True, kw_only=True, tag="continued-in"):
    """The conversation goes on in another session."""

    continued_in_session_id: str
    """That session."""


class EndedByModel(StateRow, frozen=True, kw_only=True, tag="ended-by-model"):
    """The model ended the conversation."""


class ResumeHeadVouch(StateRow, frozen=True, kw_only=True, tag="resume-head-vouch"):
    """Check sum of the head file of a long transcript."""

    sum: Any = None
    """The check sum."""


class SavedHookContext(StateRow, frozen=True, kw_only=True, tag="saved_hook_context"):
    """Context a hook gave, kept over a resume; old."""

    content: list[Any] | None = None
    """The context."""
    hook_name: str | None = None
    """Name of the hook."""
    hook_event: str | None = None
    """Event of the hook."""
    tool_use_id: str | None = msgspec.field(name="toolUseID", default=None)
    """Call of the hook."""


class SpeculationAccept(StateRow, frozen=True, kw_only=True, tag="speculation-accept"):
    """A prepared answer was used; 2.1.30."""

    time_saved_ms: Number | None = None
    """Milliseconds saved."""


class TaskSummary(StateRow, frozen=True, kw_only=True, tag="task-summary"):
    """What the session is doing, in a sentence; some 2.1.x."""

    summary: str | None = None
    """The sentence."""
