"""Rows that form the conversation tree: user, assistant, attachment, progress, and the envelope they share.

Chain rows have `uuid` and `parentUuid`. One API response is several assistant rows, one a block, with the same
`message.id`; they need not be adjacent. The order of keys varies by version.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from panscript.schemas.claude.attachments import Attachment
from panscript.schemas.claude.base import ApiNative, Native, Number
from panscript.schemas.claude.blocks import Block
from panscript.schemas.claude.progress import Progress
from panscript.schemas.claude.usage import Usage

__all__ = [
    "AssistantMessage",
    "AssistantRow",
    "AttachmentRow",
    "ChainRow",
    "ForkedFrom",
    "Origin",
    "PermissionDecision",
    "ProgressRow",
    "Rendered",
    "ThinkingMetadata",
    "Todo",
    "TurnPosition",
    "UserMessage",
    "UserRow",
]


class ForkedFrom(Native, frozen=True, kw_only=True):
    """Where a row copied by /branch or a forked session comes from."""

    session_id: str
    """Session the row was copied from."""
    message_uuid: str
    """Uuid of the original row."""


class ChainRow(Native, frozen=True, kw_only=True):
    """Envelope of every row in the tree."""

    uuid: str
    """Id of the row, normally UUID v4; any unique string loads."""
    timestamp: str
    """ISO 8601 UTC with milliseconds; file order is not time order."""
    parent_uuid: str | None = None
    """Row before it; null at the root and on a compaction boundary."""
    logical_parent_uuid: str | None = None
    """Row before a compaction boundary; only there."""
    is_sidechain: bool | None = None
    """True in sub-agent rows; absent in the oldest rows means false."""
    session_id: str | None = None
    """Session; in a sub-agent's file the parent session's id."""
    session_id_again: str | None = msgspec.field(name="session_id", default=None)
    """The same id again, on some interactive rows of 2.1.3xx."""
    cwd: str | None = None
    """Working folder; may change during a session."""
    version: str | None = None
    """Version of the program."""
    git_branch: str | None = None
    """Branch, `HEAD` if detached; absent outside git and before about 1.0.6x."""
    user_type: str | None = None
    """`external`; absent in the oldest rows."""
    entrypoint: str | None = None
    """`cli`, `sdk-cli`, `sdk-ts`, `sdk-py`, `claude-vscode`, `local-agent`, `remote`, ...; late 2.1.x."""
    agent_id: str | None = None
    """Sub-agent the row belongs to."""
    slug: str | None = None
    """Three words that name the plan file; 2.1.30 from the second turn, 2.1.328 after a compaction."""
    team_name: str | None = None
    """Team of the agent; 2.1.32 and later."""
    agent_name: str | None = None
    """Name of the agent in its team; 2.1.32 and later."""
    imported_from: str | None = None
    """Agent that the row was imported from by panscript, and that its use is counted at; never of Claude Code."""
    prompt_id: str | None = None
    """Same for all rows of one prompt; user rows of 2.1.x."""
    forked_from: ForkedFrom | None = None
    """Original of a row that /branch or a forked session copied."""
    request_session_id: str | None = None
    """Session that made the API request; assistant rows copied from another session."""
    session_kind: str | None = None
    """Internal kind of session, such as `daemon`."""
    data_flow_on: bool | None = None
    """Internal mark."""


class Origin(Native, frozen=True, kw_only=True):
    """Who or what wrote a prompt."""

    kind: str
    """`human`, `task-notification`, `channel`, `peer`, `auto-continuation`, `coordinator`, `observer`, `plugin`,
    `unclassified`, ...
    """
    producer: str | None = None
    """Part of the program that made a notification, such as `session-task`."""
    run_id: str | None = None
    """Run the notification is about."""
    subkind: str | None = None
    """Kind of notification, such as `scheduled-trigger`."""
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
    """Task of the sending background agent."""
    name: str | None = None
    """Name of the sender or plugin."""
    body: str | None = None
    """Message without its envelope."""
    verified_peer_pid: int | None = None
    """Process id of the sender, verified by the system."""


class TurnPosition(Native, frozen=True, kw_only=True):
    """Place of a prompt in the session; 2.1.3xx."""

    prompt_index: int | None = None
    """Number of the prompt, from 0."""
    turn_index: int | None = None
    """Number of the turn, from 1."""


class PermissionDecision(Native, frozen=True, kw_only=True):
    """How a tool call was allowed or refused; 2.1.3xx."""

    decision: str | None = None
    """`accept` or `reject`."""
    source: str | dict[str, Any] | None = None
    """`config`, or an object naming the person or hook that decided."""
    reason_type: str | None = None
    """`mode`, `rule`, `hook`, ..."""
    rule_source: str | None = None
    """Where the rule stands, such as `cliArg`."""


class ThinkingMetadata(Native, frozen=True, kw_only=True):
    """Thinking settings of a prompt; interactive 2.0.x."""

    level: str | None = None
    """`none`, `high`, ..."""
    disabled: bool | None = None
    """True if thinking was switched off."""
    triggers: list[Any] | None = None
    """Words in the prompt that asked for thinking, with their places."""
    max_thinking_tokens: int | None = None
    """Limit of thinking tokens."""


class Todo(Native, frozen=True, kw_only=True):
    """One item of the TodoWrite list."""

    content: str
    """What is to be done."""
    status: str
    """`pending`, `in_progress` or `completed`."""
    active_form: str | None = None
    """The same as an activity; since about 1.0.6x."""
    id: str | None = None
    """Id of the item; 1.0.x."""
    priority: str | None = None
    """`high`, `medium` or `low`; 1.0.x."""


class UserMessage(ApiNative, frozen=True, kw_only=True):
    """Message of a user row."""

    role: Literal["user"]
    """Always `user`."""
    content: str | list[Block]
    """Prompt text, injected text, or blocks with tool results."""


class UserRow(ChainRow, frozen=True, kw_only=True, tag="user"):
    """A prompt, a tool result, or text the agent injected in the user's name."""

    message: UserMessage
    """The message."""
    tool_use_result: Any = None
    """Structured result of the tool, see `tool_results`; text on failure; not in sub-agent files of 2.1.328."""
    source_tool_assistant_uuid: str | None = msgspec.field(name="sourceToolAssistantUUID", default=None)
    """Assistant row that holds the call; 2.1.x."""
    source_tool_use_id: str | None = msgspec.field(name="sourceToolUseID", default=None)
    """Call an injected row belongs to."""
    permission_decision: PermissionDecision | None = None
    """How the call was allowed or refused."""
    sandboxed: bool | None = None
    """True if the command ran in the sandbox; 2.1.3xx."""
    sandbox_violations: Any = None
    """What the sandbox blocked."""
    tool_denial_kind: str | None = None
    """`user-rejected`, `permission-rule`, `interrupted`, `cancelled...`."""
    tool_denial_before_run: bool | None = None
    """True when refused at the prompt."""
    tool_denial_after_run: bool | None = None
    """True when refused after the call ran."""
    tool_denial_from_host: bool | None = None
    """True when the host program refused."""
    tool_denial_ends_turn: bool | None = None
    """True when the refusal ended the turn."""
    tool_denial_monitor_blocked: bool | None = None
    """True when a monitor refused."""
    tool_denial_unanswered: bool | None = None
    """True when nobody answered the question."""
    tool_result_remedy: Any = None
    """Hint how to repair a failed call."""
    tool_result_typed_command: bool | None = None
    """True for the result of a command the person typed."""
    tool_ends_turn: bool | None = None
    """True when the tool ended the turn."""
    user_feedback: str | None = None
    """What the person said when refusing."""
    mcp_meta: Any = None
    """`_meta` and structured content of an MCP result; open."""
    mcp_call_not_read_only: bool | None = None
    """True for an MCP call that may change something."""
    is_meta: bool | None = None
    """Injected by the agent: hidden from the person, sent to the model."""
    is_virtual: bool | None = None
    """Shown but not sent."""
    turn_companion: bool | None = None
    """Injected beside a turn; 2.1.3xx."""
    queue_skip_attachments: bool | None = None
    """Queued prompt that skips attachments; 2.1.3xx."""
    skip_attachments: bool | None = None
    """Prompt that gets no attachments."""
    is_compact_summary: bool | None = None
    """Summary made by a compaction."""
    is_visible_in_transcript_only: bool | None = None
    """Shown in the transcript view only; still sent on resume."""
    summarize_metadata: Any = None
    """What a partial compaction summarised."""
    repeats_compact_summary: bool | None = None
    """True for a summary written again."""
    interrupted_message_id: str | None = None
    """Response that was interrupted; on the interrupt marker, 2.1.3xx."""
    interrupted_by_shutdown: bool | None = None
    """True when the program's end interrupted the turn."""
    refused_message_id: str | None = None
    """Response the model refused."""
    permission_mode: str | None = None
    """`default`, `acceptEdits`, `plan`, `bypassPermissions`, `auto`, `dontAsk`; prompt rows of 2.1.x."""
    prompt_source: str | None = None
    """`typed`, `sdk`, `system`, ...; prompt rows of 2.1.3xx."""
    turn_origin: str | None = None
    """`human`, `sdk`, `task_notification`, ...; prompt rows of 2.1.3xx."""
    origin: Origin | None = None
    """Who wrote the prompt; absent for a plain SDK prompt."""
    turn_position: TurnPosition | None = None
    """Place of the prompt in the session."""
    image_paste_ids: list[int] | None = None
    """Numbers of the `[Image #N]` placeholders; since about 2.0.74."""
    thinking_metadata: ThinkingMetadata | None = None
    """Thinking settings; interactive 2.0.x."""
    todos: list[Todo] | None = None
    """Todo list at that moment; interactive 2.0.x."""
    plan_content: str | None = None
    """Plan to carry out after "clear context and implement"."""
    is_steering: bool | None = None
    """Prompt typed while the model worked."""
    mcp_skill: Any = None
    """MCP skill that injected the row."""
    invoked_skill: Any = None
    """Skill the prompt invoked."""
    prompt_shell_hand_off: Any = None
    """Shell command handed to the model."""
    ephemeral: bool | None = None
    """Row meant for one request only."""
    replaces_span: Any = None
    """Rows this one stands for."""
    usage_limit_note: Any = None
    """Note about a reached limit."""
    model_only_text: Any = None
    """Text the model sees instead."""
    local_command_output: str | None = None
    """`stdout` or `stderr`: output of a local command."""
    classifier_meta_lines: Any = None
    """Lines for the permission classifier."""
    classifier_boundary: bool | None = None
    """Mark for the permission classifier."""
    server_classifier_context: Any = None
    """Context for the permission classifier, from the server."""
    host_classifier_context: Any = None
    """Context for the permission classifier, from the host."""
    connector_file_lines: Any = None
    """Lines of files a connector gave."""
    holds_persons_words: bool | None = None
    """True when an injected row holds what a person said."""
    text_not_typed: bool | None = None
    """True when the text was not typed."""
    handed_off: bool | None = None
    """True when the prompt came from another session."""
    wakeup_source: Any = None
    """What woke the session."""
    scheduled_task_id: Any = None
    """Scheduled task that made the prompt."""
    highest_task_id_shown: int | None = msgspec.field(name="highest_task_id_shown", default=None)
    """Highest task number the person has seen."""


class AssistantMessage(ApiNative, frozen=True, kw_only=True):
    """One content block of an API response, with the response's data repeated."""

    role: Literal["assistant"]
    """Always `assistant`."""
    content: str | list[Block]
    """Blocks, one a row as the agent writes it."""
    id: str | None = None
    """Id of the response, shared by its rows; a plain UUID on synthetic rows; missing with some gateways."""
    type: str | None = None
    """`message`."""
    model: str | None = None
    """Model; `<synthetic>` on rows the agent made itself."""
    stop_reason: str | None = None
    """`end_turn`, `tool_use`, `max_tokens`, `stop_sequence`, `refusal`, `pause_turn`, ...; null while streaming."""
    stop_sequence: str | None = None
    """Sequence that stopped the response."""
    stop_details: Any = None
    """More about a stop, such as a refusal."""
    usage: Usage | None = None
    """Usage of the whole response, repeated on each row."""
    container: Any = None
    """Code execution container."""
    context_management: Any = None
    """Edits the API made to the context."""
    diagnostics: Any = None
    """Diagnostics of the API."""


class AssistantRow(ChainRow, frozen=True, kw_only=True, tag="assistant"):
    """One block of a response of the model, or an error the agent reports as one."""

    message: AssistantMessage
    """The message."""
    request_id: str | None = None
    """Id of the API request, `req_...`; may be missing with gateways."""
    cost_usd: float | None = msgspec.field(name="costUSD", default=None)
    """Cost in dollars; early versions only."""
    duration_ms: Number | None = None
    """Milliseconds of the request; early versions only."""
    is_meta: bool | None = None
    """Injected by the agent."""
    is_virtual: bool | None = None
    """Shown but not sent."""
    api_block_index: int | None = None
    """Place of the block in the response; 2.1.3xx."""
    request_ref: str | None = None
    """Id of the `api-request` row; 2.1.3xx."""
    requested_model: str | None = None
    """Model that was asked for; 2.1.3xx."""
    prompt_cache_requested: str | None = None
    """Cache lifetime asked for, `5m` or `1h`; 2.1.3xx."""
    per_turn_effort: str | None = None
    """Effort set for the turn; 2.1.3xx."""
    made_by: str | None = None
    """`model`, `input` or `other`; 2.1.3xx."""
    thinking_duration_ms: Number | None = None
    """Milliseconds of thinking; 2.1.3xx."""
    thinking_display: str | None = None
    """How thinking was asked for, such as `omitted`; 2.1.3xx."""
    tool_input_stream_ms: Number | None = None
    """Milliseconds in which the tool input came; 2.1.3xx."""
    attribution_agent: str | None = None
    """Sub-agent type the usage belongs to; 2.1.3xx."""
    attribution_skill: str | None = None
    """Skill the usage belongs to."""
    attribution_plugin: str | None = None
    """Plugin the usage belongs to."""
    attribution_mcp_server: str | None = None
    """MCP server the usage belongs to."""
    attribution_mcp_tool: str | None = None
    """MCP tool the usage belongs to."""
    wire_tool_inputs: Any = None
    """Tool inputs as sent; 2.1.3xx."""
    batch_tool_uses: Any = None
    """Calls made from within a code run; 2.1.3xx."""
    is_api_error_message: bool | None = None
    """True when the row reports an API error."""
    error: str | None = None
    """Kind of error: `invalid_request`, `rate_limit`, `authentication_failed`, `unknown`, ..."""
    error_details: str | None = None
    """Text of the API's answer."""
    api_error_status: int | None = None
    """HTTP status."""
    api_error_type: str | None = None
    """Error type the API gave."""
    api_error_code: str | None = None
    """Error code the API gave."""
    api_error: str | None = None
    """Kind of error, such as `max_output_tokens`."""
    api_error_params: Any = None
    """Data of the error."""
    api_error_is_transient: bool | None = None
    """True when a retry may help."""
    quota_limits: Any = None
    """State of the limits."""
    truncated_after_output: bool | None = None
    """True when the response broke off after output."""
    failed_response_had_no_tool_call: bool | None = None
    """True when the failed response held no call; 2.1.3xx."""
    heals_distinct_carrier: bool | None = None
    """Internal mark."""
    refused_tool_use_ids: list[str] | None = None
    """Calls that were refused."""
    advisor_model: str | None = None
    """Model that advised."""


class Rendered(Native, frozen=True, kw_only=True):
    """One text the agent sent for an attachment."""

    content: Any = None
    """The text, or blocks."""


class AttachmentRow(ChainRow, frozen=True, kw_only=True, tag="attachment"):
    """Context the agent injected. In the chain: skipping it must keep the chain whole."""

    attachment: Attachment
    """What was injected."""
    rendered: list[Rendered] | None = None
    """Exact texts sent; 2.1.3xx."""
    rendered_role: str | None = None
    """`system` or `user`: role of the sent text."""
    rendered_in_human_turn: list[Rendered] | None = None
    """Texts sent in the person's turn instead."""
    rendered_beside_tool_result: bool | None = None
    """True when the text was sent beside a tool result."""
    is_meta: bool | None = None
    """Injected by the agent."""


class ProgressRow(ChainRow, frozen=True, kw_only=True, tag="progress"):
    """State of a running call; about 2.1.1x to 2.1.9x. Removed on load: re-parent its children."""

    data: Progress
    """What happened."""
    tool_use_id: str | None = msgspec.field(name="toolUseID", default=None)
    """Call or pseudo call the row is about."""
    parent_tool_use_id: str | None = msgspec.field(name="parentToolUseID", default=None)
    """Call of the agent that runs it."""
