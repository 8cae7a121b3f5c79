"""System rows: chain rows told apart by `subtype`.

Rows of the oldest versions have no subtype, and new subtypes come with every version: both are `PlainSystemRow`.
Subtypes such as `init` or `task_started` belong to the stream of `-p --output-format stream-json`, not to transcripts.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from panscript.schemas.claude.base import Native, Number
from panscript.schemas.claude.rows import ChainRow

__all__ = [
    "SYSTEM_ROWS",
    "AgentsKilled",
    "ApiError",
    "AwaySummary",
    "BridgeStatus",
    "CommandRun",
    "CompactBoundary",
    "CompactMetadata",
    "FileSnapshot",
    "HookInfo",
    "Informational",
    "LocalCommand",
    "MemorySaved",
    "MicrocompactBoundary",
    "MicrocompactMetadata",
    "ModelConsentFallback",
    "ModelFallback",
    "ModelRefusalFallback",
    "ModelRefusalNoFallback",
    "PermissionRetry",
    "PlainSystemRow",
    "PreservedMessages",
    "PreservedSegment",
    "RewindStandIn",
    "ScheduledTaskFire",
    "StopHookSummary",
    "SystemRow",
    "TurnDuration",
    "VoiceCallTalk",
]


class SystemRow(ChainRow, frozen=True, kw_only=True):
    """What every system row may have."""

    type: Literal["system"]
    """Always `system`."""
    content: str | None = None
    """Text shown to the person."""
    level: str | None = None
    """`info`, `notice`, `warning`, `error`, `suggestion`."""
    is_meta: bool | None = None
    """Injected by the agent."""
    tool_use_id: str | None = msgspec.field(name="toolUseID", default=None)
    """Call the row is about."""


class PlainSystemRow(SystemRow, frozen=True, kw_only=True):
    """A system row of the oldest versions (hook output), or of a subtype this schema does not know."""

    subtype: str | None = None
    """The subtype as written; absent in the oldest versions."""


class PreservedSegment(Native, frozen=True, kw_only=True):
    """Stretch of rows a compaction kept."""

    head_uuid: str | None = None
    """First kept row."""
    anchor_uuid: str | None = None
    """Row the kept rows hang on."""
    tail_uuid: str | None = None
    """Last kept row."""


class PreservedMessages(Native, frozen=True, kw_only=True):
    """Rows a compaction kept."""

    anchor_uuid: str | None = None
    """Row the kept rows hang on."""
    uuids: list[str] | None = None
    """Kept rows in order."""
    all_uuids: list[str] | None = None
    """Kept rows with those the view hides."""


class CompactMetadata(Native, frozen=True, kw_only=True):
    """What a compaction did."""

    trigger: str | None = None
    """`manual` or `auto`."""
    pre_tokens: int | None = None
    """Tokens before."""
    post_tokens: int | None = None
    """Tokens after; 2.1.3xx."""
    duration_ms: Number | None = None
    """Milliseconds it took; 2.1.3xx."""
    messages_summarized: int | None = None
    """Number of rows summarised."""
    user_context: str | None = None
    """What the person asked the summary to keep."""
    cumulative_dropped_tokens: int | None = None
    """Tokens dropped by all compactions so far."""
    preserved_segment: PreservedSegment | None = None
    """Stretch of rows that was kept."""
    preserved_messages: PreservedMessages | None = None
    """Rows that were kept."""
    precomputed: bool | None = None
    """True if the summary was made in advance."""
    pre_compact_discovered_tools: list[str] | None = None
    """Tools known before."""
    pre_compact_artifact_read_versions: list[Any] | None = None
    """Versions of artifacts read before."""
    pre_compact_organizations_cover_start: bool | None = None
    """Internal mark."""


class CompactBoundary(SystemRow, frozen=True, kw_only=True, tag_field="subtype", tag="compact_boundary"):
    """Rows before it are history, no longer context; `parentUuid` is null."""

    compact_metadata: CompactMetadata | None = None
    """What the compaction did."""


class MicrocompactMetadata(Native, frozen=True, kw_only=True):
    """What a micro-compaction did; 2.1.30."""

    trigger: str | None = None
    """`auto`."""
    pre_tokens: int | None = None
    """Tokens before."""
    tokens_saved: int | None = None
    """Tokens saved."""
    compacted_tool_ids: list[str] | None = None
    """Calls whose results were cleared."""
    cleared_attachment_uui_ds: list[str] | None = msgspec.field(name="clearedAttachmentUUIDs", default=None)
    """Attachments that were cleared."""


class MicrocompactBoundary(SystemRow, frozen=True, kw_only=True, tag_field="subtype", tag="microcompact_boundary"):
    """Old tool results were cleared for the model. No break in the chain; not written by 2.1.328."""

    microcompact_metadata: MicrocompactMetadata | None = None
    """What was cleared."""


class CommandRun(Native, frozen=True, kw_only=True):
    """A slash command as run."""

    command: str | None = None
    """Name without the slash."""
    args: str | None = None
    """Arguments."""
    plugin: str | None = None
    """Plugin of the command."""


class LocalCommand(SystemRow, frozen=True, kw_only=True, tag_field="subtype", tag="local_command"):
    """A slash command run in the program, or its output; other commands are user rows."""

    command_run: CommandRun | None = None
    """The command; 2.1.3xx."""
    command_outcome: Any = None
    """How the command ended."""
    context_usage: Any = None
    """Report of /context."""
    usage_report: Any = None
    """Report of /usage."""
    is_display_only: bool | None = None
    """True if it is only shown."""
    submit_uuid: str | None = None
    """Id of the submitted input."""


class TurnDuration(SystemRow, frozen=True, kw_only=True, tag_field="subtype", tag="turn_duration"):
    """End of a turn; interactive sessions only."""

    duration_ms: Number | None = None
    """Milliseconds of the turn."""
    message_count: int | None = None
    """Rows so far."""
    pending_background_agent_count: int | None = None
    """Agents still at work."""
    pending_workflow_count: int | None = None
    """Workflows still at work."""
    budget_limit: Number | None = None
    """Budget of the turn."""
    budget_tokens: Number | None = None
    """Tokens of the budget that were used."""
    budget_nudges: Number | None = None
    """Reminders of the budget."""
    brief_hidden_count: int | None = None
    """Rows hidden in the brief view."""


class HookInfo(Native, frozen=True, kw_only=True):
    """A hook that ran."""

    command: str | None = None
    """Command of the hook."""
    prompt_text: str | None = None
    """Prompt of a prompt hook."""
    duration_ms: Number | None = None
    """Milliseconds it took."""


class StopHookSummary(SystemRow, frozen=True, kw_only=True, tag_field="subtype", tag="stop_hook_summary"):
    """Hooks that ran at the end of a turn."""

    hook_count: int | None = None
    """Number of hooks."""
    hook_infos: list[HookInfo] | None = None
    """The hooks."""
    hook_errors: list[Any] | None = None
    """Their errors."""
    failed_hook_error_indexes: list[int] | None = None
    """Which errors are failures."""
    hook_additional_context: list[Any] | None = None
    """Context they added."""
    prevented_continuation: bool | None = None
    """True if a hook stopped the turn."""
    stop_reason: str | None = None
    """Why."""
    has_output: bool | None = None
    """True if there is something to show."""
    hook_label: str | None = None
    """Label instead of "stop"."""
    total_duration_ms: Number | None = None
    """Milliseconds of all hooks."""


class ApiError(SystemRow, frozen=True, kw_only=True, tag_field="subtype", tag="api_error"):
    """A request failed and is tried again; no usage."""

    error: Any = None
    """The error."""
    cause: Any = None
    """What caused it."""
    retry_in_ms: Number | None = None
    """Milliseconds until the next try."""
    retry_attempt: int | None = None
    """Number of the try."""
    max_retries: int | None = None
    """Limit of tries."""
    source: str | None = None
    """Request that failed."""


class Informational(SystemRow, frozen=True, kw_only=True, tag_field="subtype", tag="informational"):
    """A notice to the person."""

    tag: str | None = None
    """Kind of notice."""
    prevent_continuation: bool | None = None
    """True if the turn stops here."""
    highlight: Any = None
    """Part to highlight."""
    from_remote_error_result: bool | None = None
    """True for the error of a remote turn."""
    prompt_submit_ending: Any = None
    """How a hook ended a submitted prompt."""


class AwaySummary(SystemRow, frozen=True, kw_only=True, tag_field="subtype", tag="away_summary"):
    """What happened while the person was away."""


class MemorySaved(SystemRow, frozen=True, kw_only=True, tag_field="subtype", tag="memory_saved"):
    """Memory files were written."""

    written_paths: list[str] | None = None
    """The files."""
    team_count: int | None = None
    """How many of them are the team's."""
    verb: str | None = None
    """Word to show."""


class AgentsKilled(SystemRow, frozen=True, kw_only=True, tag_field="subtype", tag="agents_killed"):
    """Background agents were stopped."""


class ScheduledTaskFire(SystemRow, frozen=True, kw_only=True, tag_field="subtype", tag="scheduled_task_fire"):
    """A scheduled task fired."""

    task_id: str | None = None
    """The task."""
    cron: str | None = None
    """Its schedule."""
    prompt: str | None = None
    """Its prompt."""
    task_kind: str | None = None
    """`loop`."""
    cron_kind: str | None = None
    """Kind of schedule."""
    no_op_streak: int | None = None
    """Runs in a row with nothing to do."""
    streak_started_at: Any = None
    """When these runs began."""
    folded_uuids: list[str] | None = None
    """Rows of the runs folded into this one."""


class BridgeStatus(SystemRow, frozen=True, kw_only=True, tag_field="subtype", tag="bridge_status"):
    """Remote control became active."""

    url: str | None = None
    """Address of the session."""
    upgrade_nudge: str | None = None
    """Hint to update."""


class PermissionRetry(SystemRow, frozen=True, kw_only=True, tag_field="subtype", tag="permission_retry"):
    """Commands may now be tried again."""

    commands: list[str] | None = None
    """The commands."""
    heard_at_next_prompt: bool | None = None
    """True if the model learns of it with the next prompt."""


class FileSnapshot(SystemRow, frozen=True, kw_only=True, tag_field="subtype", tag="file_snapshot"):
    """Contents of files that must survive in a remote session."""

    snapshot_files: list[Any] | None = None
    """The files: key, path, content."""


class RewindStandIn(SystemRow, frozen=True, kw_only=True, tag_field="subtype", tag="rewind_stand_in"):
    """Stands for a row that is not there."""

    source_uuid: str | None = msgspec.field(name="source_uuid", default=None)
    """The row."""


class VoiceCallTalk(SystemRow, frozen=True, kw_only=True, tag_field="subtype", tag="voice_call_talk"):
    """What was said in a voice call."""

    msg_v: int | None = None
    """Version of the form."""
    blocks: list[Any] | None = None
    """What was said, as blocks."""


class ModelFallback(SystemRow, frozen=True, kw_only=True, tag_field="subtype", tag="model_fallback"):
    """The model was changed because it failed or was overloaded."""

    trigger: str | None = None
    """Why."""
    original_model: str | None = None
    """Model that failed."""
    fallback_model: str | None = None
    """Model used instead."""


class ModelConsentFallback(SystemRow, frozen=True, kw_only=True, tag_field="subtype", tag="model_consent_fallback"):
    """The model was changed for want of consent."""

    trigger: str | None = None
    """Why."""
    original_model: str | None = None
    """Model asked for."""
    fallback_model: str | None = None
    """Model used instead."""


class ModelRefusalFallback(SystemRow, frozen=True, kw_only=True, tag_field="subtype", tag="model_refusal_fallback"):
    """The model refused and another one was asked."""

    trigger: str | None = None
    """Why."""
    direction: str | None = None
    """`retry` or back."""
    scope: str | None = None
    """`local` or the session."""
    original_model: str | None = None
    """Model that refused."""
    fallback_model: str | None = None
    """Model used instead."""
    request_id: str | None = None
    """The refused request."""
    api_refusal_category: str | None = None
    """Category of the refusal."""
    api_refusal_explanation: str | None = None
    """Explanation of the refusal."""
    api_refusal_cyber_verification: Any = None
    """Data on a verification."""
    saw_cyber_refusal: bool | None = None
    """True after such a refusal."""
    retracted_message_uuids: list[str] | None = None
    """Rows taken back."""
    refused_user_message_uuid: str | None = None
    """Prompt that was refused."""


class ModelRefusalNoFallback(
    SystemRow, frozen=True, kw_only=True, tag_field="subtype", tag="model_refusal_no_fallback"
):
    """The model refused and no other one was asked."""

    original_model: str | None = None
    """Model that refused."""
    request_id: str | None = None
    """The refused request."""
    api_refusal_category: str | None = None
    """Category of the refusal."""
    api_refusal_explanation: str | None = None
    """Explanation of the refusal."""
    refused_user_message_uuid: str | None = None
    """Prompt that was refused."""


SYSTEM_ROWS: dict[str, type[msgspec.Struct]] = {
    "compact_boundary": CompactBoundary,
    "microcompact_boundary": MicrocompactBoundary,
    "local_command": LocalCommand,
    "turn_duration": TurnDuration,
    "stop_hook_summary": StopHookSummary,
    "api_error": ApiError,
    "informational": Informational,
    "away_summary": AwaySummary,
    "memory_saved": MemorySaved,
    "agents_killed": AgentsKilled,
    "scheduled_task_fire": ScheduledTaskFire,
    "bridge_status": BridgeStatus,
    "permission_retry": PermissionRetry,
    "file_snapshot": FileSnapshot,
    "rewind_stand_in": RewindStandIn,
    "voice_call_talk": VoiceCallTalk,
    "model_fallback": ModelFallback,
    "model_consent_fallback": ModelConsentFallback,
    "model_refusal_fallback": ModelRefusalFallback,
    "model_refusal_no_fallback": ModelRefusalNoFallback,
}
"""System row structs by their `subtype`."""
