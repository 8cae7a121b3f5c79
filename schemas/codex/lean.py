"""What reading needs of a Codex rollout line, decoded in one go.

The whole of what is on disk is described beside this module; here are only the fields that the reader looks at, so
that a line costs one pass of the decoder and everything else is stepped over. One wide struct serves every payload,
since which fields a payload has is told by a key inside it. All fields have defaults: a line is judged by the reader,
not by the decoder.
"""

from __future__ import annotations

import msgspec
from msgspec import UNSET, UnsetType

from panscript.schemas.codex.record_names import RECORD_KINDS

__all__ = [
    "BARE_ITEMS",
    "CALLS",
    "LINES",
    "OUTPUTS",
    "STATE_EVENTS",
    "STATE_ITEMS",
    "STATE_LINES",
    "TWIN_EVENTS",
    "Block",
    "HistoryBase",
    "Item",
    "Line",
    "Outcome",
    "Payload",
    "TokenUsage",
    "UsageLine",
    "UsagePayload",
    "line_decoder",
    "usage_line_decoder",
]

Number = int | float | None
_NOTHING = msgspec.Raw(b"")


class _Lean(msgspec.Struct, gc=False):
    """Part of a line."""


class Block(_Lean):
    """Any content block, and an output that is an object."""

    type: str | None = None
    text: str | None = None
    image_url: str | None = None
    file_id: str | None = None
    audio_url: str | None = None
    path: str | None = None
    encrypted_content: str | None = None
    content: str | list[Block] | None = None
    success: bool | None = None


class TokenUsage(_Lean):
    """Counts of one response, or running totals."""

    input_tokens: Number = None
    cached_input_tokens: Number = None
    cache_write_input_tokens: Number = None
    output_tokens: Number = None
    reasoning_output_tokens: Number = None
    total_tokens: Number = None


class TokenInfo(_Lean):
    total_token_usage: TokenUsage | None = None
    last_token_usage: TokenUsage | None = None


class Git(_Lean):
    branch: str | None = None


class HistoryBase(_Lean):
    """Where another file's records, up to an ordinal, stand before this file's."""

    thread_id: str | None = None
    end_ordinal_exclusive: int | None = None
    end_byte_offset: int | None = None


class ThreadSpawn(_Lean):
    parent_thread_id: str | None = None


class SubAgent(_Lean):
    thread_spawn: ThreadSpawn | None = None


class Origin(_Lean):
    """`source` where it is an object."""

    subagent: SubAgent | str | None = None
    internal: str | None = None


class MessageMetadata(_Lean):
    content_item_kinds: list[str | None] | None = None


class Duration(_Lean):
    secs: Number = None
    nanos: Number = None


class McpResult(_Lean):
    is_error: bool | None = msgspec.field(default=None, name="isError")


class Outcome(_Lean):
    """`result` where it is an object: of an MCP call, with or without a `Result` around it."""

    ok: McpResult | None = msgspec.field(default=None, name="Ok")
    err: str | None = msgspec.field(default=None, name="Err")
    is_error: bool | None = msgspec.field(default=None, name="isError")


class Failure(_Lean):
    message: str | None = None


class Item(_Lean):
    """What `item_completed` tells of."""

    type: str | None = None
    id: str | None = None
    status: str | None = None
    exit_code: Number = None
    success: bool | None = None
    duration: Duration | str | float | None = None
    result: Outcome | str | None = None
    content: str | list[Block] | None = None
    text: str | None = None
    summary_text: list[str] | None = None
    raw_content: list[str] | None = None


class UsagePayload(_Lean):
    """What counting needs of a payload."""

    type: str | None = None
    id: str | None = None
    turn_id: str | None = None
    thread_id: str | None = None
    info: TokenInfo | None = None
    # token_usage_record
    response_id: str | None = None
    usage: TokenUsage | None = None
    # session_meta and turn_context
    cwd: str | None = None
    model: str | None = None
    model_provider: str | None = None
    forked_from_id: str | None = None
    history_base: HistoryBase | None = None
    subagent_history_start_ordinal: int | None = None


class UsageLine(_Lean):
    """What counting needs of a line."""

    timestamp: str | int | float | None = None
    type: str | None = None
    payload: UsagePayload | UnsetType | None = UNSET
    ordinal: int | None = None


class Payload(UsagePayload):
    """Any payload, and any line of the bare form of 2025."""

    # Response items
    role: str | None = None
    content: str | list[Block] | None = None
    internal_chat_message_metadata_passthrough: MessageMetadata | None = None
    call_id: str | None = None
    output: str | list[Block] | Block | float | int | bool | None = None
    name: str | None = None
    namespace: str | None = None
    arguments: msgspec.Raw = _NOTHING
    status: str | None = None
    input: str | None = None
    summary: str | list[Block] | None = None
    encrypted_content: str | None = None
    action: msgspec.Raw = _NOTHING
    result: Outcome | str | None = None
    revised_prompt: str | None = None
    tools: msgspec.Raw = _NOTHING
    author: str | None = None
    recipient: str | None = None
    # Events
    item: Item | None = None
    message: str | None = None
    text: str | None = None
    images: list[str] | None = None
    local_images: list[str] | None = None
    exit_code: Number = None
    success: bool | None = None
    duration: Duration | str | float | None = None
    thread_name: str | None = None
    # of a command that the person ran
    command: list[str] | None = None
    aggregated_output: str | None = None
    reason: str | None = None
    num_turns: int | None = None
    error: Failure | str | None = None
    # session_meta and turn_context
    timestamp: str | int | float | None = None
    originator: str | None = None
    cli_version: str | None = None
    git: Git | None = None
    source: Origin | str | None = None
    parent_thread_id: str | None = None
    # compacted
    replacement_history: list[Payload] | None = None


class Line(Payload):
    """Any line. Of an envelope only `timestamp`, `type`, `payload` and `ordinal` are set."""

    payload: Payload | UnsetType | None = UNSET
    ordinal: int | None = None
    record_type: str | None = None


LINES = frozenset(
    {"session_meta", "response_item", "event_msg", "turn_context", "compacted", "token_usage_record"}
    | {"inter_agent_communication"}
)
"""Lines whose payload is read."""
STATE_LINES = RECORD_KINDS | frozenset(
    """
    world_state dynamic_tools_updated inter_agent_communication_metadata retained_context security_risk_score
    realtime_item
    """.split()
)
"""Lines that are the agent's own bookkeeping, or ours."""

CALLS = frozenset(
    """
    function_call custom_tool_call local_shell_call web_search_call tool_search_call image_generation_call
    """.split()
)
OUTPUTS = frozenset({"function_call_output", "custom_tool_call_output", "tool_search_output"})
STATE_ITEMS = frozenset({"ghost_snapshot", "configuration_update", "additional_tools", "compaction_trigger", "other"})
BARE_ITEMS = CALLS | OUTPUTS | STATE_ITEMS | {"message", "reasoning", "compaction", "context_compaction"}
"""Items that a line of the bare form may be."""

TWIN_EVENTS = frozenset(
    """
    user_message agent_message agent_reasoning agent_reasoning_raw_content item_completed context_compacted
    injected_message exec_command_end patch_apply_end mcp_tool_call_end web_search_end image_generation_end
    view_image_tool_call dynamic_tool_call_request dynamic_tool_call_response collab_agent_spawn_end
    collab_agent_interaction_end collab_close_end collab_resume_end collab_waiting_end sub_agent_activity
    raw_response_item item_started exec_command_begin patch_apply_begin mcp_tool_call_begin web_search_begin
    image_generation_begin collab_agent_spawn_begin collab_agent_interaction_begin collab_waiting_begin
    collab_close_begin collab_resume_begin agent_message_delta agent_message_content_delta agent_reasoning_delta
    agent_reasoning_raw_content_delta reasoning_content_delta reasoning_raw_content_delta plan_delta
    exec_command_output_delta
    """.split()
)
"""Events that say again what an item says, for the screen."""
STATE_EVENTS = frozenset(
    """
    task_started turn_started task_complete turn_complete turn_aborted token_count thread_settings_applied
    thread_goal_updated thread_name_updated thread_rolled_back undo_started undo_completed entered_review_mode
    exited_review_mode guardian_assessment error warning guardian_warning auth_recovery_started
    auth_recovery_completed stream_error deprecation_notice realtime_conversation_started
    realtime_conversation_realtime realtime_conversation_closed realtime_conversation_sdp
    realtime_conversation_list_voices_response model_reroute model_verification turn_moderation_metadata
    safety_buffering agent_reasoning_section_break session_configured environment_connected
    environment_disconnected thread_queue_changed mcp_startup_update mcp_startup_complete terminal_interaction
    exec_approval_request request_permissions request_user_input elicitation_request elicitation_abandoned
    apply_patch_approval_request patch_apply_updated turn_diff plan_update shutdown_complete
    raw_response_completed hook_started hook_completed background_event
    """.split()
)

line_decoder = msgspec.json.Decoder(Line)
usage_line_decoder = msgspec.json.Decoder(UsageLine)
