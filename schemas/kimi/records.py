"""Records of Kimi Code's `wire.jsonl`, protocol 1.5: a log of edits, one struct a type that matters to a conversation.

Every record has `time` in milliseconds since 1970 UTC and, but for the first, the agent it is of. Types that are the
program's own bookkeeping (permission, plan_mode, goal, task, cron, interaction, ...) are left open.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from panscript.schemas.kimi.parts import CodeCall, Content, Part

__all__ = [
    "RECORDS",
    "AgentMessageAppended",
    "AgentTurnEnded",
    "AgentTurnStarted",
    "AppendLoopEvent",
    "AppendMessage",
    "ApplyCompaction",
    "CallResult",
    "Clear",
    "Forked",
    "LLMRequest",
    "LoopCall",
    "LoopPart",
    "LoopResult",
    "Message",
    "Metadata",
    "Origin",
    "PluginSessionStart",
    "ProfileBind",
    "PromptCompleted",
    "SetBinding",
    "SetMode",
    "StepBegin",
    "StepEnd",
    "TokensMeasured",
    "ToolsSnapshot",
    "TurnCancel",
    "TurnEnded",
    "TurnPrompt",
    "TurnRecorded",
    "TurnSteer",
    "Undo",
    "Usage",
    "UsageRecord",
]

_Open = dict[str, Any]


class _Camel(msgspec.Struct, kw_only=True, omit_defaults=True, rename="camel"):
    """Names are in camel case."""


class _Record(msgspec.Struct, kw_only=True, omit_defaults=True, rename="camel", tag_field="type"):
    time: int | float | UnsetType = UNSET
    agent_id: str | UnsetType = UNSET


class Metadata(_Record, kw_only=True, tag="metadata"):
    """The first record."""

    protocol_version: str | UnsetType = msgspec.field(default=UNSET, name="protocol_version")  # 1.0 to 1.5
    created_at: int | float | UnsetType = msgspec.field(default=UNSET, name="created_at")


class Origin(_Camel, kw_only=True):
    """Who put a message there. Only `user` is a person."""

    kind: str | UnsetType = UNSET  # user, injection, hook_result, compaction_summary, task, skill_activation, ...
    variant: str | UnsetType = UNSET  # of an injection: date_change, permission_mode, ...
    phase: str | UnsetType = UNSET  # of a shell command: input, output
    is_error: bool | UnsetType = UNSET  # of a shell command
    trigger: str | UnsetType = UNSET  # of a skill: user-slash where the person asked for it
    disclosure: _Open | UnsetType = UNSET
    owner_prompt_id: str | UnsetType = UNSET


class TurnPrompt(_Record, kw_only=True, tag="turn.prompt"):
    """A prompt, which is put into the context by a record of its own."""

    input: list[Part] | UnsetType = UNSET
    origin: Origin | UnsetType = UNSET
    prompt_id: str | UnsetType = UNSET
    turn_id: int | str | UnsetType = UNSET


class TurnSteer(_Record, kw_only=True, tag="turn.steer"):
    """A prompt while the agent works."""

    input: list[Part] | UnsetType = UNSET
    origin: Origin | UnsetType = UNSET
    turn_id: int | str | UnsetType = UNSET


class TurnCancel(_Record, kw_only=True, tag="turn.cancel"):
    """The person stopped a turn."""

    turn_id: int | str | UnsetType = UNSET


class TurnEnded(_Record, kw_only=True, tag="turn.ended"):
    """A turn is over."""

    turn_id: int | str | UnsetType = UNSET
    reason: str | UnsetType = UNSET  # completed, cancelled, failed
    duration_ms: int | float | UnsetType = UNSET
    error: Any = UNSET


class Message(_Camel, kw_only=True):
    """A message as a whole. Live files have answers and results as loop events, migrated ones have them so."""

    role: str | UnsetType = UNSET  # user, assistant, tool, system
    content: Content | UnsetType = UNSET
    tool_calls: list[CodeCall] | UnsetType = UNSET
    tool_call_id: str | UnsetType = UNSET  # of a tool's message
    id: str | UnsetType = UNSET
    origin: Origin | UnsetType = UNSET
    is_error: bool | UnsetType = UNSET
    note: str | UnsetType = UNSET
    provider_message_id: str | UnsetType = UNSET


class AppendMessage(_Record, kw_only=True, tag="context.append_message"):
    """A message is put at the end of the context."""

    message: Message | UnsetType = UNSET


class _Event(msgspec.Struct, kw_only=True, omit_defaults=True, rename="camel", tag_field="type"):
    uuid: str | UnsetType = UNSET
    turn_id: str | int | UnsetType = UNSET
    step: int | UnsetType = UNSET  # from 1 in each turn


class StepBegin(_Event, kw_only=True, tag="step.begin"):
    """The model is asked."""


class LoopPart(_Event, kw_only=True, tag="content.part"):
    """A part of its answer."""

    step_uuid: str | UnsetType = UNSET
    part: Part | UnsetType = UNSET


class LoopCall(_Event, kw_only=True, tag="tool.call"):
    """A call in its answer."""

    step_uuid: str | UnsetType = UNSET
    tool_call_id: str | UnsetType = UNSET
    name: str | UnsetType = UNSET
    args: Any = UNSET  # arguments, an object
    display: _Open | UnsetType = UNSET


class CallResult(_Camel, kw_only=True):
    """What a tool gave back."""

    output: Content | UnsetType | None = UNSET
    is_error: bool | UnsetType = UNSET
    note: str | UnsetType = UNSET  # a sentence about it
    duration_ms: int | float | UnsetType = UNSET


class LoopResult(_Event, kw_only=True, tag="tool.result"):
    """The answer to a call; answers stand in the order in which they came."""

    parent_uuid: str | UnsetType = UNSET  # the call's record
    tool_call_id: str | UnsetType = UNSET
    result: CallResult | UnsetType = UNSET


class Usage(_Camel, kw_only=True):
    """Tokens of one response, in disjoint buckets."""

    input_other: int | UnsetType = UNSET  # neither read from a cache nor written to one
    output: int | UnsetType = UNSET  # reasoning included
    input_cache_read: int | UnsetType = UNSET
    input_cache_creation: int | UnsetType = UNSET


class StepEnd(_Event, kw_only=True, tag="step.end"):
    """The answer is whole. Its counts are those of the usage record before it."""

    finish_reason: str | UnsetType = UNSET  # tool_use, end_turn, ...
    provider_finish_reason: str | UnsetType = UNSET
    raw_finish_reason: str | UnsetType = UNSET
    usage: Usage | UnsetType | None = UNSET
    message_id: str | UnsetType | None = UNSET  # the provider's response id
    timings: _Open | UnsetType = UNSET
    llm_first_token_latency_ms: int | float | UnsetType = UNSET
    llm_stream_duration_ms: int | float | UnsetType = UNSET
    llm_request_build_ms: int | float | UnsetType = UNSET
    llm_server_first_token_ms: int | float | UnsetType = UNSET
    llm_server_decode_ms: int | float | UnsetType = UNSET
    llm_client_consume_ms: int | float | UnsetType = UNSET
    llm_client_blocked_ms: int | float | UnsetType = UNSET


class AppendLoopEvent(_Record, kw_only=True, tag="context.append_loop_event"):
    """A piece of an answer, or a result, is put at the end of the context."""

    event: StepBegin | LoopPart | LoopCall | LoopResult | StepEnd | UnsetType = UNSET


class ApplyCompaction(_Record, kw_only=True, tag="context.apply_compaction"):
    """A summary takes the place of the first messages."""

    summary: str | Message | UnsetType = UNSET  # a whole message in old files
    context_summary: str | UnsetType = UNSET  # as the model is told it
    compacted_count: int | UnsetType = UNSET  # messages that it replaces
    count: int | UnsetType = UNSET  # older name of it
    tokens_before: int | UnsetType = UNSET
    tokens_after: int | UnsetType = UNSET
    summary_output_tokens: int | UnsetType = UNSET
    kept_user_message_count: int | UnsetType = UNSET  # only prompts stay then, else what was not counted
    kept_head_user_message_count: int | UnsetType = UNSET
    dropped_count: int | UnsetType = UNSET
    legacy_tail: bool | UnsetType = UNSET


class Forked(_Record, kw_only=True, tag="forked"):
    """All before it was copied from another session."""


class Undo(_Record, kw_only=True, tag="context.undo"):
    """The last turns are taken away; never beyond a compaction."""

    count: int | UnsetType = UNSET


class Clear(_Record, kw_only=True, tag="context.clear"):
    """All messages are taken away."""


class UsageRecord(_Record, kw_only=True, tag="usage.record"):
    """What was billed for one response."""

    model: str | UnsetType = UNSET  # the alias, `kimi-code/...` for the vendor's own
    usage: Usage | UnsetType = UNSET
    usage_scope: str | UnsetType = UNSET  # turn; session is a total of others


class LLMRequest(_Record, kw_only=True, tag="llm.request"):
    """What the model is asked with."""

    kind: str | UnsetType = UNSET  # loop, ...
    provider: str | UnsetType = UNSET
    model: str | UnsetType = UNSET  # the provider's own name
    model_alias: str | UnsetType = UNSET
    thinking_effort: str | UnsetType = UNSET
    thinking_keep: str | UnsetType = UNSET
    max_tokens: int | UnsetType = UNSET
    tool_select: bool | UnsetType = UNSET
    system_prompt_hash: str | UnsetType = UNSET
    tools_hash: str | UnsetType = UNSET
    message_count: int | UnsetType = UNSET
    turn_step: str | UnsetType = UNSET  # turn and step, `0.1`


class ToolsSnapshot(_Record, kw_only=True, tag="llm.tools_snapshot"):
    """The tools as the model is told of them."""

    hash: str | UnsetType = UNSET
    tools: list[_Open] | UnsetType = UNSET


class ProfileBind(_Record, kw_only=True, tag="profile.bind"):
    """Who the agent is: its system prompt, its model, its tools."""

    model_alias: str | UnsetType = UNSET
    profile_name: str | UnsetType = UNSET
    thinking_effort: str | UnsetType = UNSET
    system_prompt: str | UnsetType = UNSET
    environment_disclosure: _Open | UnsetType = UNSET  # cwd
    agents_md_paths: list[str] | UnsetType = UNSET
    active_tool_names: list[str] | UnsetType = UNSET
    disallowed_tools: list[str] | UnsetType = UNSET
    subagents: list[str] | UnsetType = UNSET


class SetBinding(_Record, kw_only=True, tag="runtime.set_binding"):
    """Which project the session is of; the program refuses one whose folder has another name."""

    workspace_id: str | UnsetType = UNSET
    runtime_id: str | UnsetType = UNSET


class SetMode(_Record, kw_only=True, tag="permission.set_mode"):
    """What the agent may do without asking."""

    mode: str | UnsetType = UNSET


class PluginSessionStart(_Record, kw_only=True, tag="plugin.session_start"):
    """What plugins say at the start."""

    content: Any = UNSET


class TokensMeasured(_Record, kw_only=True, tag="token_counting.measured"):
    """How large the context is."""

    length: int | UnsetType = UNSET  # messages
    tokens: int | UnsetType = UNSET


class TurnRecorded(_Record, kw_only=True, tag="token_counting.turn_recorded"):
    """How large it is at the end of a turn."""

    turn_id: int | str | UnsetType = UNSET
    length: int | UnsetType = UNSET
    tokens: int | UnsetType = UNSET


class PromptCompleted(_Record, kw_only=True, tag="prompt.completed"):
    """A prompt is done with."""

    prompt_id: str | UnsetType = UNSET
    finished_at: str | UnsetType = UNSET  # ISO 8601
    reason: str | UnsetType = UNSET


class AgentMessageAppended(_Record, kw_only=True, tag="agent.message.appended"):
    """For observers: a message once more."""

    kind: str | UnsetType = UNSET  # event
    message: _Open | UnsetType = UNSET


class AgentTurnStarted(_Record, kw_only=True, tag="agent.turn.started"):
    """For observers: a turn begins."""

    kind: str | UnsetType = UNSET  # event
    turn_id: int | str | UnsetType = UNSET
    queue_item_id: str | UnsetType = UNSET


class AgentTurnEnded(_Record, kw_only=True, tag="agent.turn.ended"):
    """For observers: a turn is over."""

    kind: str | UnsetType = UNSET  # event
    turn_id: int | str | UnsetType = UNSET
    outcome: str | UnsetType = UNSET  # done


RECORDS = (
    Metadata,
    TurnPrompt,
    TurnSteer,
    TurnCancel,
    TurnEnded,
    AppendMessage,
    AppendLoopEvent,
    ApplyCompaction,
    Forked,
    Undo,
    Clear,
    UsageRecord,
    LLMRequest,
    ToolsSnapshot,
    ProfileBind,
    SetBinding,
    SetMode,
    PluginSessionStart,
    TokensMeasured,
    TurnRecorded,
    PromptCompleted,
    AgentMessageAppended,
    AgentTurnStarted,
    AgentTurnEnded,
)
