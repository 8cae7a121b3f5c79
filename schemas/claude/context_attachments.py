"""Attachments that give the model context: prompts queued in mid turn, tools, skills and agents, environment.

Trap: a `queued_command` whose `origin.kind` is `human` is a prompt of the person that exists in no user row.
"""

from __future__ import annotations

from typing import Any

import msgspec

from panscript.schemas.claude.base import ApiNative, Native
from panscript.schemas.claude.blocks import Block

__all__ = [
    "CONTEXT_ATTACHMENTS",
    "AgentListingDelta",
    "AgentMention",
    "ArtifactOpeningPrefetch",
    "ContextSections",
    "CoordinatorContext",
    "DateAttachment",
    "DateChange",
    "DeferredToolsDelta",
    "DeferredToolsRecord",
    "DynamicSkill",
    "Environment",
    "EnvironmentSnapshot",
    "Instructions",
    "InvokedSkills",
    "Language",
    "McpDroppedToolsDelta",
    "McpInstructionsDelta",
    "MessagePdfReads",
    "Model",
    "ModelIdentity",
    "OutputStyle",
    "OutputStyleInstructions",
    "PeerMention",
    "ProjectDocRead",
    "ProjectDocReads",
    "ProjectsThreadAsk",
    "PromptRenderPoint",
    "PromptSnapshot",
    "PromptTool",
    "QueuedCommand",
    "QueuedOrigin",
    "RemoteSessionChange",
    "ReplMcpNeedsAuth",
    "ReplMcpServers",
    "SessionContext",
    "SessionCronCarry",
    "SkillListing",
    "SkillMention",
    "StructuredOutput",
    "TaskStatus",
    "TeamContext",
    "TeammateMailbox",
    "ThreadState",
    "ToolOfferRecord",
    "WholeTextsWithdrawn",
    "WidgetContextHint",
]


class QueuedOrigin(Native, frozen=True, kw_only=True):
    """Who or what wrote a queued prompt."""

    kind: str
    """As in the origin of a user row."""
    producer: str | None = None
    """Part of the program that made a notification."""
    run_id: str | None = None
    """Run the notification is about."""
    subkind: str | None = None
    """Kind of notification."""
    fire_reason: str | None = None
    """Why a scheduled task fired."""
    server: str | None = None
    """Server of a channel."""
    from_: str | None = None
    """Sender of a peer message."""
    from_mode: str | None = None
    """Permission class the sender declared."""
    from_session: str | None = None
    """Session of the sender."""
    sender_task_id: str | None = None
    """Task of the sending agent."""
    name: str | None = None
    """Name of the sender or plugin."""
    body: str | None = None
    """Message without its envelope."""
    verified_peer_pid: int | None = None
    """Process id of the sender."""


class QueuedCommand(Native, frozen=True, kw_only=True, tag="queued_command"):
    """A prompt or task notification taken in during a turn."""

    prompt: str | list[Block]
    """The prompt."""
    command_mode: str | None = None
    """`prompt`, `bash`, `task-notification`, ..."""
    origin: QueuedOrigin | None = None
    """Who wrote it; human means a real prompt."""
    source_uuid: str | None = msgspec.field(name="source_uuid", default=None)
    """Id of the queued prompt."""
    delivery_id: str | None = msgspec.field(name="delivery_id", default=None)
    """Id of the delivery."""
    run_id: str | None = None
    """Run a notification is about."""
    timestamp: str | None = None
    """When it was queued."""
    is_meta: bool | None = None
    """Injected by the agent."""
    image_paste_ids: list[int] | None = None
    """Numbers of the pasted images."""
    file_attachments: Any = None
    """Files that came with it."""
    inlined_image_paths: list[str] | None = None
    """Files of inlined images."""
    inlined_image_names: list[str] | None = None
    """Names of inlined images."""
    image_file_uuids: Any = None
    """Ids of inlined images."""
    saved_files: Any = None
    """Files that were saved."""
    forwarded_intent: Any = None
    """Where a forwarded prompt comes from."""
    send_message_tool_absent: bool | None = None
    """True if there is no way to answer the sender."""


class SkillListing(Native, frozen=True, kw_only=True, tag="skill_listing"):
    """Skills the model may use."""

    content: str | None = None
    """The listing."""
    names: list[str] | None = None
    """Names."""
    digests: list[str] | None = None
    """Check sums."""
    skill_count: int | None = None
    """Number of skills."""
    is_initial: bool | None = None
    """True for the first listing."""
    adds_to_earlier: bool | None = None
    """True if it adds to an earlier listing."""


class DynamicSkill(Native, frozen=True, kw_only=True, tag="dynamic_skill"):
    """Skills found in a subfolder."""

    skill_dir: str | None = None
    """Folder."""
    skill_names: list[str] | None = None
    """Names."""
    display_path: str | None = None
    """Folder as shown."""


class InvokedSkills(Native, frozen=True, kw_only=True, tag="invoked_skills"):
    """Skills used before a compaction."""

    skills: list[Any] | None = None
    """The skills: name, path, content."""
    mcp_skill_entries: list[Any] | None = None
    """Skills of MCP servers."""
    skills_to_reload: list[Any] | None = None
    """Skills to load again."""


class SkillMention(Native, frozen=True, kw_only=True, tag="skill_mention"):
    """A skill the prompt mentions."""

    skill_name: str | None = None
    """Name."""


class AgentMention(Native, frozen=True, kw_only=True, tag="agent_mention"):
    """A sub-agent type the prompt mentions."""

    agent_type: str | None = None
    """Type."""


class PeerMention(Native, frozen=True, kw_only=True, tag="peer_mention"):
    """Another session the prompt mentions."""

    mention: str | None = None
    """The mention."""
    status: str | None = None
    """`resolved` or `ask`."""
    candidates: list[Any] | None = None
    """Sessions it may mean."""
    total: int | None = None
    """Number of these."""


class AgentListingDelta(Native, frozen=True, kw_only=True, tag="agent_listing_delta"):
    """Sub-agent types that came or went."""

    added_types: list[str] | None = None
    """New types."""
    added_lines: list[str] | None = None
    """Lines that describe them."""
    built_in_types: list[str] | None = None
    """Of these, what comes with the program."""
    built_in_plugin_types: list[str] | None = None
    """Of these, what comes with built-in plugins."""
    removed_types: list[str] | None = None
    """Types that went."""
    is_initial: bool | None = None
    """True for the first listing."""
    show_concurrency_note: bool | None = None
    """True if a note on parallel agents is added."""


class DeferredToolsDelta(Native, frozen=True, kw_only=True, tag="deferred_tools_delta"):
    """Tools to be loaded on demand that came or went."""

    added_names: list[str] | None = None
    """New names."""
    added_lines: list[str] | None = None
    """Lines that describe them."""
    readded_names: list[str] | None = None
    """Names that came back."""
    removed_names: list[str] | None = None
    """Names that went."""
    wire_hidden_names: list[str] | None = None
    """Names kept from the API."""
    failed_mcp_servers: list[Any] | None = None
    """MCP servers that failed."""
    needs_auth_mcp_servers: list[Any] | None = None
    """MCP servers that need a login."""
    pending_mcp_servers: list[Any] | None = None
    """MCP servers not connected yet."""


class DeferredToolsRecord(Native, frozen=True, kw_only=True, tag="deferred_tools_record"):
    """Tools loaded on demand before a compaction."""

    entries: list[Any] | None = None
    """The tools."""
    name_only_announcements: list[Any] | None = None
    """Tools only named."""
    stripped_references: list[Any] | None = None
    """References taken out."""
    tool_input_copies: list[Any] | None = None
    """Copies of inputs."""


class ToolOfferRecord(Native, frozen=True, kw_only=True, tag="tool_offer_record"):
    """Tools offered to the model."""

    offered: list[str] | None = None
    """Names offered."""
    hidden: list[str] | None = None
    """Names hidden."""
    withheld: Any = None
    """Names withheld."""


class McpInstructionsDelta(Native, frozen=True, kw_only=True, tag="mcp_instructions_delta"):
    """Instructions of MCP servers that came or went."""

    added_names: list[str] | None = None
    """New servers."""
    added_blocks: list[str] | None = None
    """Their instructions."""
    removed_names: list[str] | None = None
    """Servers that went."""


class McpDroppedToolsDelta(Native, frozen=True, kw_only=True, tag="mcp_dropped_tools_delta"):
    """MCP tools left out; fields not known."""


class ReplMcpServers(Native, frozen=True, kw_only=True, tag="repl_mcp_servers"):
    """MCP servers for calls from code."""

    content: Any = None
    """The servers."""


class ReplMcpNeedsAuth(Native, frozen=True, kw_only=True, tag="repl_mcp_needs_auth"):
    """MCP servers that need a login."""

    servers: list[Any] | None = None
    """The servers."""


class EnvironmentSnapshot(Native, frozen=True, kw_only=True):
    """Where the session runs."""

    working_directory: str | None = None
    """Working folder."""
    additional_working_directories: list[str] | None = None
    """Further folders."""
    is_git_repo: bool | None = None
    """True in a git repository."""
    is_worktree: bool | None = None
    """True in a git worktree."""
    platform: str | None = None
    """`linux`, `darwin`, `win32`."""
    shell: str | None = None
    """Shell."""
    os_version: str | None = None
    """Operating system and version."""
    scratchpad_directory: str | None = None
    """Folder for scratch files."""


class Environment(Native, frozen=True, kw_only=True, tag="environment"):
    """Where the session runs."""

    snapshot: EnvironmentSnapshot | None = None
    """The environment."""
    changes: Any = None
    """What changed since the last one."""


class ModelIdentity(Native, frozen=True, kw_only=True):
    """A model as the prompt names it."""

    model_id: str | None = None
    """Id."""
    marketing_name: str | None = None
    """Name."""
    knowledge_cutoff: str | None = None
    """End of its knowledge."""


class Model(Native, frozen=True, kw_only=True, tag="model"):
    """Model the session runs on."""

    identity: ModelIdentity | None = None
    """The model."""
    text: str | None = None
    """Sentence about it."""


class Language(Native, frozen=True, kw_only=True, tag="language"):
    """Language to answer in."""

    language: str | None = None
    """The language."""


class DateAttachment(Native, frozen=True, kw_only=True, tag="date"):
    """Today's date."""

    date: str | None = None
    """`YYYY-MM-DD`."""
    changed: bool | None = None
    """True if it changed during the session."""
    assumed_utc: bool | None = None
    """True if the time zone is not known."""


class DateChange(Native, frozen=True, kw_only=True, tag="date_change"):
    """The date changed during the session; older form."""

    new_date: str | None = None
    """The new date."""


class SessionContext(Native, frozen=True, kw_only=True, tag="session_context"):
    """State of the project at the start."""

    context: dict[str, Any] | None = None
    """Git state and more; open."""
    changed: bool | None = None
    """True if it changed."""
    reason: str | None = None
    """Why it was made again."""
    withdraws_email: bool | None = None
    """True if the mail address is taken back."""


class CoordinatorContext(Native, frozen=True, kw_only=True, tag="coordinator_context"):
    """Context of a coordinator session."""

    content: str | None = None
    """The text."""
    changed: bool | None = None
    """True if it changed."""


class ContextSections(Native, frozen=True, kw_only=True, tag="context_sections"):
    """Sections of context."""

    sections: list[Any] | None = None
    """The sections."""


class Instructions(Native, frozen=True, kw_only=True, tag="instructions"):
    """Instructions of the project and the person; open."""

    changed: bool | None = None
    """True if they changed."""
    reason: str | None = None
    """Why they were made again."""


class OutputStyle(Native, frozen=True, kw_only=True, tag="output_style"):
    """Reminder of the output style."""

    style: str | None = None
    """Its name."""
    turn_reminder: str | None = None
    """Text of the reminder."""


class OutputStyleInstructions(Native, frozen=True, kw_only=True, tag="output_style_instructions"):
    """The output style."""

    style: Any = None
    """Its name and text."""


class PromptTool(ApiNative, frozen=True, kw_only=True):
    """A tool as described to the model."""

    name: str
    """Name."""
    description: str | None = None
    """Description."""
    schema: Any = None
    """Input schema."""
    server: str | None = None
    """MCP server it belongs to."""


class PromptSnapshot(Native, frozen=True, kw_only=True, tag="prompt_snapshot"):
    """System prompt and tools at the start; 30 to 120 kB."""

    system_prompt: list[str] | None = None
    """Parts of the system prompt."""
    tools: list[PromptTool] | None = None
    """Tools."""
    cli_prefix: str | None = None
    """First sentence of the system prompt."""
    reminder_fold: bool | None = None
    """Internal mark."""
    echo_wire_tool_inputs: bool | None = None
    """Internal mark."""
    context_rendering: str | None = None
    """How context is given, such as `announced`."""


class PromptRenderPoint(Native, frozen=True, kw_only=True, tag="prompt_render_point"):
    """The system prompt was made again."""

    cause: str | None = None
    """Why."""


class RemoteSessionChange(Native, frozen=True, kw_only=True, tag="remote_session_change"):
    """Lines to put under commits and pull requests."""

    url: str | None = None
    """Address of the session."""
    commit: str | None = None
    """Line for commits."""
    pr: str | None = None
    """Line for pull requests."""
    send_user_file_hint: bool | None = None
    """True if files can be sent to the person."""
    managed_commit: bool | None = None
    """True if policy sets the line for commits."""
    managed_pr: bool | None = None
    """True if policy sets the line for pull requests."""


class TeamContext(Native, frozen=True, kw_only=True, tag="team_context"):
    """The team the agent works in."""

    agent_id: str | None = None
    """Id of the agent."""
    agent_name: str | None = None
    """Name of the agent."""
    team_name: str | None = None
    """Name of the team."""
    team_config_path: str | None = None
    """File of the team."""
    task_list_path: str | None = None
    """Folder of its tasks."""
    has_task_list_tools: bool | None = None
    """True if it has tools for them."""


class TeammateMailbox(Native, frozen=True, kw_only=True, tag="teammate_mailbox"):
    """Messages of the team."""

    messages: list[Any] | None = None
    """The messages: from, text, timestamp, ..."""


class TaskStatus(Native, frozen=True, kw_only=True, tag="task_status"):
    """State of a background task."""

    task_id: str | None = None
    """The task."""
    task_type: str | None = None
    """`local_agent`, `local_bash`, ..."""
    description: str | None = None
    """What it does."""
    status: str | None = None
    """`running`, `completed`, `failed`, `killed`."""
    delta_summary: str | None = None
    """What is new."""
    output_file_path: str | None = None
    """File of its output."""
    can_continue_agent: bool | None = None
    """True if it takes further messages."""
    ends_unannounced: bool | None = None
    """True if its end is not told."""
    shell: Any = None
    """Its command, for a shell task."""


class StructuredOutput(Native, frozen=True, kw_only=True, tag="structured_output"):
    """Answer in the asked-for JSON form."""

    data: Any = None
    """The answer."""
    tool_use_id: str | None = msgspec.field(name="toolUseID", default=None)
    """Call that gave it."""


class ProjectDocRead(Native, frozen=True, kw_only=True):
    """A document of a project that was read."""

    doc_id: str | None = None
    """The document."""
    read: Any = None
    """What was read."""
    hash: str | None = None
    """Check sum."""


class ProjectDocReads(Native, frozen=True, kw_only=True, tag="project_doc_reads"):
    """Documents of the project that were read."""

    reads: list[ProjectDocRead] | None = None
    """The documents."""
    form: str | None = None
    """`documents` if sent as such."""
    mid_chat: bool | None = None
    """True after the first answer."""
    changed: bool | None = None
    """True if they changed."""
    for_new_hashes: bool | None = None
    """True if only what is new."""


class MessagePdfReads(Native, frozen=True, kw_only=True, tag="message_pdf_reads"):
    """Pages of PDFs read for a prompt."""

    reads: list[Any] | None = None
    """The pages: path, pages, result."""


class SessionCronCarry(Native, frozen=True, kw_only=True, tag="session_cron_carry"):
    """Scheduled tasks carried over a resume."""

    tasks: list[Any] | None = None
    """The tasks."""
    ended: list[Any] | None = None
    """Tasks that ended."""


class ArtifactOpeningPrefetch(Native, frozen=True, kw_only=True, tag="artifact_opening_prefetch"):
    """Data an artifact needs at its opening."""

    content: Any = None
    """The data."""
    kind: str | None = None
    """Kind of data."""


class WidgetContextHint(Native, frozen=True, kw_only=True, tag="widget_context_hint"):
    """Views the person has open."""

    views: list[Any] | None = None
    """The views."""
    more_views: int | None = None
    """Views left out."""


class WholeTextsWithdrawn(Native, frozen=True, kw_only=True, tag="whole_texts_withdrawn"):
    """Texts taken back; fields not known."""


class ThreadState(Native, frozen=True, kw_only=True, tag="thread_state"):
    """State of a project thread; fields not known."""


class ProjectsThreadAsk(Native, frozen=True, kw_only=True, tag="projects_thread_ask"):
    """A question of a project thread."""

    call: Any = None
    """The call."""
    after: Any = None
    """Row after which it came."""
    over_own_work: bool | None = None
    """True if it came over own work."""
    delivered_at: Any = None
    """When it was delivered."""
    delivered_over_own_work_at: Any = None
    """When it was delivered over own work."""
    message_id: str | None = None
    """The message."""


CONTEXT_ATTACHMENTS: dict[str, type[msgspec.Struct]] = {
    "queued_command": QueuedCommand,
    "skill_listing": SkillListing,
    "dynamic_skill": DynamicSkill,
    "invoked_skills": InvokedSkills,
    "skill_mention": SkillMention,
    "agent_mention": AgentMention,
    "peer_mention": PeerMention,
    "agent_listing_delta": AgentListingDelta,
    "deferred_tools_delta": DeferredToolsDelta,
    "deferred_tools_record": DeferredToolsRecord,
    "tool_offer_record": ToolOfferRecord,
    "mcp_instructions_delta": McpInstructionsDelta,
    "mcp_dropped_tools_delta": McpDroppedToolsDelta,
    "repl_mcp_servers": ReplMcpServers,
    "repl_mcp_needs_auth": ReplMcpNeedsAuth,
    "environment": Environment,
    "model": Model,
    "language": Language,
    "date": DateAttachment,
    "date_change": DateChange,
    "session_context": SessionContext,
    "coordinator_context": CoordinatorContext,
    "context_sections": ContextSections,
    "instructions": Instructions,
    "output_style": OutputStyle,
    "output_style_instructions": OutputStyleInstructions,
    "prompt_snapshot": PromptSnapshot,
    "prompt_render_point": PromptRenderPoint,
    "remote_session_change": RemoteSessionChange,
    "team_context": TeamContext,
    "teammate_mailbox": TeammateMailbox,
    "task_status": TaskStatus,
    "structured_output": StructuredOutput,
    "project_doc_reads": ProjectDocReads,
    "message_pdf_reads": MessagePdfReads,
    "session_cron_carry": SessionCronCarry,
    "artifact_opening_prefetch": ArtifactOpeningPrefetch,
    "widget_context_hint": WidgetContextHint,
    "whole_texts_withdrawn": WholeTextsWithdrawn,
    "thread_state": ThreadState,
    "projects_thread_ask": ProjectsThreadAsk,
}
"""Context attachment structs by their `type`."""
