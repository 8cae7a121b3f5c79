"""What `systemPayload` holds, by the row's `subtype`."""

from __future__ import annotations

from typing import Any

import msgspec

from panscript.schemas.genai import Content
from panscript.schemas.qwen.records import Base, Number

__all__ = ["PAYLOADS"]


class AgentBootstrap(Base):
    """What a sub-agent knew before its first turn."""

    kind: str | None = None
    """`fork`."""
    history: list[Content] | None = None
    system_instruction: msgspec.Raw = msgspec.field(default_factory=msgspec.Raw)
    tools: msgspec.Raw = msgspec.field(default_factory=msgspec.Raw)


class AgentRetry(Base):
    """A sub-agent went on."""

    attempt: Number = None


class AgentSessionReady(Base):
    """A sub-agent's session was made."""

    call_id: str | None = None
    subagent_session_ready: bool | None = None


class AtCommand(Base):
    """Files that a prompt named with `@` were read."""

    files_read: list[str] | None = None
    status: str | None = None
    message: str | None = None
    user_text: str | None = None


class AttributionSnapshot(Base):
    """Which lines the agent wrote, for commits."""

    snapshot: dict[str, Any] | None = None


class CompressionInfo(Base):
    """What a compression did."""

    original_token_count: Number = None
    new_token_count: Number = None
    compression_status: int | str | None = None


class ChatCompression(Base):
    """The model's view was replaced; what the person sees was not."""

    info: CompressionInfo | None = None
    compressed_history: list[Content] | None = None
    """The summary and, behind it, what was kept."""
    notes: dict[str, Any] | None = None
    prompt_ids: list[str | None] | None = None
    completed_tool_call_ids: list[str] | None = None


class CustomTitle(Base):
    """The session's title; written again near the end as the file grows, so that the last one counts."""

    custom_title: str | None = None
    title_source: str | None = None
    """`manual` or `auto`."""


class FileHistorySnapshot(Base):
    """Files as they were, to restore them."""

    snapshots: list[dict[str, Any]] | None = None


class Notification(Base):
    """What came in without a person's doing."""

    display_text: str | None = None
    background_task: dict[str, Any] | None = None
    attachment_references: list[dict[str, Any]] | None = None


class ParentSession(Base):
    """The session that began this one."""

    parent_session_id: str | None = None


class Rewind(Base):
    """The conversation goes on from the row's parent."""

    truncated_count: Number = None
    """Rows of the screen that were taken back."""


class SessionModel(Base):
    """The model in use."""

    model_id: str | None = None
    auth_type: str | None = None
    base_url: str | None = None
    is_runtime: bool | None = None


class SessionSource(Base):
    """Which program began the session."""

    source_type: str | None = None
    source_id: str | None = None


class SlashCommand(Base):
    """A command of the interface."""

    phase: str | None = None
    """`invocation` or `result`."""
    raw_command: str | None = None
    sent_to_model: bool | None = None
    hidden_invocation: bool | None = None
    output_history_items: list[dict[str, Any]] | None = None


class TurnResult(Base):
    """How a turn ended, for programs."""

    prompt: str | None = None
    result: str | None = None
    code: str | None = None
    error: dict[str, Any] | None = None


class UiEvent(msgspec.Struct, gc=False, kw_only=True, omit_defaults=True):
    """A measurement: `qwen-code.api_response`, `.api_error` or `.tool_call`."""

    name: str | None = msgspec.field(default=None, name="event.name")
    time: str | None = msgspec.field(default=None, name="event.timestamp")
    model: str | None = None
    duration_ms: Number = None
    prompt_id: str | None = None
    response_id: str | None = None
    auth_type: str | None = None
    status_code: int | str | None = None
    ttft_ms: Number = None
    """Until the first token."""
    input_token_count: Number = None
    output_token_count: Number = None
    cached_content_token_count: Number = None
    thoughts_token_count: Number = None
    total_token_count: Number = None
    """The counts of the answer once more."""
    response_text: str | None = None
    call_id: str | None = None
    function_name: str | None = None
    function_args: dict[str, Any] | None = None
    status: str | None = None
    execution_status: str | None = None
    success: bool | None = None
    decision: str | None = None
    """Who allowed the call: `accept`, `auto_accept`, `reject`, `modify`."""
    error: str | None = None
    error_type: str | None = None
    tool_type: str | None = None
    content_length: Number = None


class UiTelemetry(Base):
    """What is also sent as telemetry."""

    ui_event: UiEvent | None = None


class UserPrompt(Base):
    """Of user rows: what the screen shows, and what hooks added."""

    display_text: str | None = None
    hook_context: str | None = None
    input_annotations: list[Any] | None = None
    attachment_references: list[dict[str, Any]] | None = None
    resource_links: list[dict[str, Any]] | None = None


PAYLOADS: dict[str, type[msgspec.Struct]] = {
    "agent_bootstrap": AgentBootstrap,
    "agent_retry": AgentRetry,
    "agent_session_ready": AgentSessionReady,
    "at_command": AtCommand,
    "attribution_snapshot": AttributionSnapshot,
    "background_task_completed": Notification,
    "chat_compression": ChatCompression,
    "custom_title": CustomTitle,
    "file_history_snapshot": FileHistorySnapshot,
    "notification": Notification,
    "parent_session": ParentSession,
    "rewind": Rewind,
    "session_model": SessionModel,
    "session_source": SessionSource,
    "slash_command": SlashCommand,
    "turn_result": TurnResult,
    "ui_telemetry": UiTelemetry,
}
"""Payloads that are described; those of goals, artifacts, managed sessions and notes are left open."""
