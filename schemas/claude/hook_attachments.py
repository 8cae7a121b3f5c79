"""Attachments that tell what hooks did."""

from __future__ import annotations

from typing import Any

import msgspec

from panscript.schemas.claude.base import Native, Number

__all__ = [
    "HOOK_ATTACHMENTS",
    "AsyncHookResponse",
    "AsyncHookResponseBatch",
    "HookAdditionalContext",
    "HookAttachment",
    "HookBlockingError",
    "HookBlockingErrorDetail",
    "HookCancelled",
    "HookDeferredTool",
    "HookErrorDuringExecution",
    "HookNonBlockingError",
    "HookPermissionDecision",
    "HookPluginListing",
    "HookStoppedContinuation",
    "HookSuccess",
    "HookSystemMessage",
]


class HookAttachment(Native, frozen=True, kw_only=True):
    """What every hook attachment may have."""

    hook_name: str | None = None
    """Event and matcher, such as `PostToolUse:Edit`."""
    hook_event: str | None = None
    """Event, such as `PostToolUse`."""
    tool_use_id: str | None = msgspec.field(name="toolUseID", default=None)
    """Call the hook ran for, or a made-up id."""
    command: str | None = None
    """Command of the hook."""
    duration_ms: Number | None = None
    """Milliseconds it took."""
    account_memory_batch: Any = None
    """Internal mark."""


class HookSuccess(HookAttachment, frozen=True, kw_only=True, tag="hook_success"):
    """A hook ran."""

    content: str | None = None
    """Text for the model, often empty."""
    stdout: str | None = None
    """Its output."""
    stderr: str | None = None
    """Its error output."""
    exit_code: int | None = None
    """Its exit code."""


class HookBlockingErrorDetail(Native, frozen=True, kw_only=True):
    """Why a hook blocked."""

    blocking_error: str | None = None
    """The reason."""
    command: str | None = None
    """Command of the hook."""


class HookBlockingError(HookAttachment, frozen=True, kw_only=True, tag="hook_blocking_error"):
    """A hook blocked the call or the turn."""

    blocking_error: HookBlockingErrorDetail | None = None
    """Why."""


class HookNonBlockingError(HookAttachment, frozen=True, kw_only=True, tag="hook_non_blocking_error"):
    """A hook failed without consequence."""

    stdout: str | None = None
    """Its output."""
    stderr: str | None = None
    """Its error output."""
    exit_code: int | None = None
    """Its exit code."""


class HookErrorDuringExecution(HookAttachment, frozen=True, kw_only=True, tag="hook_error_during_execution"):
    """A hook could not be run."""

    content: str | None = None
    """The error."""


class HookCancelled(HookAttachment, frozen=True, kw_only=True, tag="hook_cancelled"):
    """A hook was stopped."""

    timed_out: bool | None = None
    """True if it took too long."""
    timeout_ms: Number | None = None
    """Its time limit in milliseconds."""


class HookAdditionalContext(HookAttachment, frozen=True, kw_only=True, tag="hook_additional_context"):
    """Context a hook gave."""

    content: str | list[str] | None = None
    """The context."""
    is_own_text: bool | None = None
    """True if the program wrote it."""


class HookSystemMessage(HookAttachment, frozen=True, kw_only=True, tag="hook_system_message"):
    """A message of a hook to the person."""

    content: str | None = None
    """The message."""


class HookStoppedContinuation(HookAttachment, frozen=True, kw_only=True, tag="hook_stopped_continuation"):
    """A hook ended the turn."""

    message: str | None = None
    """Why."""


class HookPermissionDecision(HookAttachment, frozen=True, kw_only=True, tag="hook_permission_decision"):
    """A hook answered a permission question."""

    decision: str | None = None
    """`allow` or `deny`."""


class HookDeferredTool(HookAttachment, frozen=True, kw_only=True, tag="hook_deferred_tool"):
    """A hook put a call off."""

    tool_name: str | None = None
    """Tool."""
    tool_input: Any = None
    """Its input."""
    permission_mode: str | None = None
    """Permission mode."""
    traceparent: str | None = None
    """Trace it belongs to."""


class HookPluginListing(HookAttachment, frozen=True, kw_only=True, tag="hook_plugin_listing"):
    """Plugins whose hooks ran; fields not known."""

    content: Any = None
    """The listing."""


class AsyncHookResponse(HookAttachment, frozen=True, kw_only=True, tag="async_hook_response"):
    """A hook that ran in the background ended."""

    process_id: str | None = None
    """Its process."""
    tool_name: str | None = None
    """Tool it ran for."""
    plugin_id: str | None = None
    """Plugin of the hook."""
    response: Any = None
    """Its answer."""
    is_plain_output: bool | None = None
    """True if the answer is not JSON."""
    stdout: str | None = None
    """Its output."""
    stderr: str | None = None
    """Its error output."""
    exit_code: int | None = None
    """Its exit code."""


class AsyncHookResponseBatch(Native, frozen=True, kw_only=True, tag="async_hook_response_batch"):
    """Several background hooks ended."""

    hooks: list[Any] | None = None
    """Their answers."""


HOOK_ATTACHMENTS: dict[str, type[msgspec.Struct]] = {
    "hook_success": HookSuccess,
    "hook_blocking_error": HookBlockingError,
    "hook_non_blocking_error": HookNonBlockingError,
    "hook_error_during_execution": HookErrorDuringExecution,
    "hook_cancelled": HookCancelled,
    "hook_additional_context": HookAdditionalContext,
    "hook_system_message": HookSystemMessage,
    "hook_stopped_continuation": HookStoppedContinuation,
    "hook_permission_decision": HookPermissionDecision,
    "hook_deferred_tool": HookDeferredTool,
    "hook_plugin_listing": HookPluginListing,
    "async_hook_response": AsyncHookResponse,
    "async_hook_response_batch": AsyncHookResponseBatch,
}
"""Hook attachment structs by their `type`."""
