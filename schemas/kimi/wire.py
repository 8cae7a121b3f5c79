"""Lines of Kimi CLI's `wire.jsonl`: what happened, as its screen was told."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from panscript.schemas.kimi.parts import Content, Part, ToolCall

__all__ = [
    "EVENTS",
    "ApprovalRequest",
    "ApprovalRequestResolved",
    "ApprovalResponse",
    "BtwBegin",
    "BtwEnd",
    "CallPart",
    "CompactionBegin",
    "CompactionEnd",
    "ContentPart",
    "HookRequest",
    "HookResolved",
    "HookTriggered",
    "MCPLoadingBegin",
    "MCPLoadingEnd",
    "Notification",
    "PlanDisplay",
    "QuestionRequest",
    "Result",
    "ReturnValue",
    "Spoken",
    "Status",
    "StatusUpdate",
    "SteerInput",
    "StepBegin",
    "StepInterrupted",
    "StepRetry",
    "SubagentEvent",
    "SubagentFrame",
    "TokenUsage",
    "ToolCallEvent",
    "ToolCallPart",
    "ToolCallRequest",
    "ToolResult",
    "TurnBegin",
    "TurnEnd",
    "WireLine",
]

_Open = dict[str, Any]


class _Plain(msgspec.Struct, kw_only=True, omit_defaults=True):
    """Names are in snake case."""


class _Event(msgspec.Struct, kw_only=True, omit_defaults=True, tag_field="type"):
    """What happened: its type and its payload."""


class Spoken(_Plain, kw_only=True):
    """What a person typed."""

    user_input: Content | UnsetType = UNSET


class TurnBegin(_Event, kw_only=True, tag="TurnBegin"):
    """A prompt."""

    payload: Spoken | UnsetType = UNSET


class SteerInput(_Event, kw_only=True, tag="SteerInput"):
    """A prompt while the agent works."""

    payload: Spoken | UnsetType = UNSET


class TurnEnd(_Event, kw_only=True, tag="TurnEnd"):
    """The agent is done with a prompt."""

    payload: _Open | UnsetType = UNSET


class Step(_Plain, kw_only=True):
    """A request to the model."""

    n: int | UnsetType = UNSET  # from 1 in each turn


class StepBegin(_Event, kw_only=True, tag="StepBegin"):
    """The model is asked."""

    payload: Step | UnsetType = UNSET


class StepInterrupted(_Event, kw_only=True, tag="StepInterrupted"):
    """The person stopped it."""

    payload: _Open | UnsetType = UNSET


class Retry(_Plain, kw_only=True):
    """A request that failed and is made again."""

    n: int | UnsetType = UNSET
    next_attempt: int | UnsetType = UNSET
    max_attempts: int | UnsetType = UNSET
    wait_s: int | float | UnsetType = UNSET
    error_type: str | UnsetType = UNSET
    status_code: int | UnsetType | None = UNSET


class StepRetry(_Event, kw_only=True, tag="StepRetry"):
    """The model is asked again."""

    payload: Retry | UnsetType = UNSET


class CompactionBegin(_Event, kw_only=True, tag="CompactionBegin"):
    """The context is about to be replaced by a summary."""

    payload: _Open | UnsetType = UNSET


class CompactionEnd(_Event, kw_only=True, tag="CompactionEnd"):
    """It was; the summary stands in the context that follows."""

    payload: _Open | UnsetType = UNSET


class ContentPart(_Event, kw_only=True, tag="ContentPart"):
    """A part of an answer, whole."""

    payload: Part | UnsetType = UNSET


class ToolCallEvent(_Event, kw_only=True, tag="ToolCall"):
    """A call."""

    payload: ToolCall | UnsetType = UNSET


class CallPart(_Plain, kw_only=True):
    """A piece of a call's arguments."""

    arguments_part: str | UnsetType | None = UNSET


class ToolCallPart(_Event, kw_only=True, tag="ToolCallPart"):
    """A call that is still being written."""

    payload: CallPart | UnsetType = UNSET


class ReturnValue(_Plain, kw_only=True):
    """What a tool gave back."""

    is_error: bool | UnsetType = UNSET
    output: Content | UnsetType | None = UNSET  # what was read or printed
    message: str | UnsetType = UNSET  # a sentence about it, which the model is sent in <system> tags
    display: list[_Open] | UnsetType | None = UNSET  # brief, diff, todo, shell, background_task, unknown
    extras: _Open | UnsetType | None = UNSET


class Result(_Plain, kw_only=True):
    """The answer to a call; answers stand in the order in which they came."""

    tool_call_id: str | UnsetType = UNSET
    return_value: ReturnValue | UnsetType = UNSET


class ToolResult(_Event, kw_only=True, tag="ToolResult"):
    """A call was answered."""

    payload: Result | UnsetType = UNSET


class TokenUsage(_Plain, kw_only=True):
    """Tokens of one response, in disjoint buckets."""

    input_other: int | UnsetType = UNSET  # neither read from a cache nor written to one
    output: int | UnsetType = UNSET  # reasoning included
    input_cache_read: int | UnsetType = UNSET
    input_cache_creation: int | UnsetType = UNSET


class Status(_Plain, kw_only=True):
    """How things stand; null is not said."""

    context_usage: int | float | UnsetType | None = UNSET  # part of the window, 0 to 1
    context_tokens: int | UnsetType | None = UNSET
    max_context_tokens: int | UnsetType | None = UNSET
    token_usage: TokenUsage | UnsetType | None = UNSET  # of the response `message_id`
    message_id: str | UnsetType | None = UNSET
    plan_mode: bool | UnsetType | None = UNSET
    mcp_status: Any = UNSET


class StatusUpdate(_Event, kw_only=True, tag="StatusUpdate"):
    """Counts of a response; of several for one response the largest is right."""

    payload: Status | UnsetType = UNSET


class SubagentFrame(_Plain, kw_only=True):
    """An event of a sub-agent; one with files of its own has it there, too."""

    parent_tool_call_id: str | UnsetType | None = UNSET
    task_tool_call_id: str | UnsetType | None = UNSET  # older name of it
    agent_id: str | UnsetType | None = UNSET
    subagent_type: str | UnsetType | None = UNSET
    event: _Open | UnsetType = UNSET  # type and payload, as of any event


class SubagentEvent(_Event, kw_only=True, tag="SubagentEvent"):
    """Something happened in a sub-agent."""

    payload: SubagentFrame | UnsetType = UNSET


class _Shown(_Event, kw_only=True):
    payload: _Open | UnsetType | None = UNSET  # for the screen or a protocol; nothing of it reaches the model


class ApprovalRequest(_Shown, kw_only=True, tag="ApprovalRequest"):
    """The person is asked for leave."""


class ApprovalResponse(_Shown, kw_only=True, tag="ApprovalResponse"):
    """And answers."""


class ApprovalRequestResolved(_Shown, kw_only=True, tag="ApprovalRequestResolved"):
    """Older name of the answer."""


class ToolCallRequest(_Shown, kw_only=True, tag="ToolCallRequest"):
    """Another program is asked to run a tool."""


class QuestionRequest(_Shown, kw_only=True, tag="QuestionRequest"):
    """The person is asked a question."""


class HookTriggered(_Shown, kw_only=True, tag="HookTriggered"):
    """A hook began."""


class HookResolved(_Shown, kw_only=True, tag="HookResolved"):
    """A hook ended."""


class HookRequest(_Shown, kw_only=True, tag="HookRequest"):
    """Another program is asked to run a hook."""


class MCPLoadingBegin(_Shown, kw_only=True, tag="MCPLoadingBegin"):
    """Tool servers are being started."""


class MCPLoadingEnd(_Shown, kw_only=True, tag="MCPLoadingEnd"):
    """They are there."""


class Notification(_Shown, kw_only=True, tag="Notification"):
    """Something to show."""


class PlanDisplay(_Shown, kw_only=True, tag="PlanDisplay"):
    """A plan to show."""


class BtwBegin(_Shown, kw_only=True, tag="BtwBegin"):
    """A question beside the conversation."""


class BtwEnd(_Shown, kw_only=True, tag="BtwEnd"):
    """It was answered."""


_Known = (
    TurnBegin
    | SteerInput
    | TurnEnd
    | StepBegin
    | StepInterrupted
    | StepRetry
    | CompactionBegin
    | CompactionEnd
    | ContentPart
    | ToolCallEvent
    | ToolCallPart
    | ToolResult
    | StatusUpdate
    | SubagentEvent
    | ApprovalRequest
    | ApprovalResponse
    | ApprovalRequestResolved
    | ToolCallRequest
    | QuestionRequest
    | HookTriggered
    | HookResolved
    | HookRequest
    | MCPLoadingBegin
    | MCPLoadingEnd
    | Notification
    | PlanDisplay
    | BtwBegin
    | BtwEnd
)
EVENTS: tuple[type[msgspec.Struct], ...] = _Known.__args__


class WireLine(_Plain, kw_only=True):
    """A line; the first one is `{"type": "metadata", "protocol_version": "1.10"}`, absent in old files."""

    timestamp: int | float | UnsetType = UNSET  # seconds since 1970 UTC
    message: _Known | UnsetType = UNSET
    type: str | UnsetType = UNSET  # metadata
    protocol_version: str | UnsetType = UNSET
