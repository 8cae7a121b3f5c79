"""Every line of a Qwen Code session file. Fields have defaults: a line is judged by its reader."""

from __future__ import annotations

from typing import Any

import msgspec

from panscript.schemas.genai import Content

__all__ = ["ChatRecord", "ForkedFrom", "ToolCallResult", "UsageMetadata"]

Number = int | float | None


class Base(msgspec.Struct, gc=False, rename="camel", kw_only=True, omit_defaults=True):
    """Names are in camel case."""


class TokensDetail(Base):
    """Tokens of one kind of input or output."""

    modality: str | None = None
    token_count: Number = None


class UsageMetadata(Base):
    """Tokens of one request, filled from what the provider said."""

    prompt_token_count: Number = None
    """The whole prompt, cached tokens included."""
    candidates_token_count: Number = None
    """With or without thoughts, as the provider counts; the total tells."""
    thoughts_token_count: Number = None
    cached_content_token_count: Number = None
    """The part of the prompt that came from a cache."""
    tool_use_prompt_token_count: Number = None
    total_token_count: Number = None
    prompt_tokens_details: list[TokensDetail] | None = None
    candidates_tokens_details: list[TokensDetail] | None = None
    cache_tokens_details: list[TokensDetail] | None = None
    traffic_type: str | None = None


class ToolCallResult(Base):
    """How a call ended, for the screen."""

    call_id: str | None = None
    status: str | None = None
    """`success`, `error`, `cancelled`."""
    result_display: msgspec.Raw = msgspec.field(default_factory=msgspec.Raw)
    """A text, a diff, a list of todos, what a sub-agent did."""
    error: msgspec.Raw = msgspec.field(default_factory=msgspec.Raw)
    """Always `{}`: its text stands in the message."""
    error_type: str | None = None
    execution_status: str | None = None
    response_parts: msgspec.Raw = msgspec.field(default_factory=msgspec.Raw)
    content_length: Number = None


class ForkedFrom(Base):
    """Where a row was copied from when a session was forked."""

    session_id: str | None = None
    message_uuid: str | None = None
    """The same as the row's own uuid."""


class GoalContext(Base):
    """The goal that a row belongs to."""

    goal_id: str | None = None
    revision: Number = None
    turn_id: str | None = None


class ChatRecord(Base):
    """A line."""

    uuid: str | None = None
    """Several lines may share it: their parts belong together."""
    parent_uuid: str | None = None
    """The line before, state rows included; null at the start."""
    session_id: str | None = None
    timestamp: str | None = None
    type: str | None = None
    """`user`, `assistant`, `tool_result`, `system`."""
    subtype: str | None = None
    """Of system rows what `systemPayload` holds; of user rows who spoke when no person did."""
    provenance: str | None = None
    """`real_user`, `assistant_output`, `tool_result`, `goal_control`, `goal_runtime`, `system`."""
    cwd: str | None = None
    version: str | None = None
    """Of Qwen Code."""
    git_branch: str | None = None
    message: Content | None = None
    usage_metadata: UsageMetadata | None = None
    model: str | None = None
    context_window_size: Number = None
    tool_call_result: ToolCallResult | None = None
    system_payload: msgspec.Raw = msgspec.field(default_factory=msgspec.Raw)
    """`panscript.schemas.qwen.payloads` by `subtype`."""
    daemon_prompt_id: str | None = None
    prompt_id: str | None = None
    goal_context: GoalContext | None = None
    background_turn: dict[str, Any] | None = None
    delivered_turn: bool | None = None
    """A notification that was sent to the model as a turn of its own."""
    agent_id: str | None = None
    """The sub-agent that wrote the line."""
    agent_name: str | None = None
    agent_color: str | None = None
    is_sidechain: bool | None = None
    """The line is a sub-agent's."""
    agent_run_id: str | None = None
    agent_round: Number = None
    external_input_kind: str | None = None
    """`message` or `notification`, of what came to a sub-agent from outside."""
    forked_from: ForkedFrom | None = None
