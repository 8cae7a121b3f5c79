"""`ui_messages.json` (first `claude_messages.json`): what the person was shown, an array.

What a message is stands in `say` or `ask`, both open sets. Of some the text is JSON: `RequestText` of
`api_req_started`, `deleted_api_reqs` and `subagent_usage`, `ToolText` of `tool`.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from panscript.schemas.cline.api import ModelInfo

__all__ = ["InterfaceMessage", "RequestText", "ToolText"]


class _Named(msgspec.Struct, kw_only=True, omit_defaults=True, rename="camel"):
    """Names are in camel case."""


class ContextCondense(_Named, kw_only=True):
    """Roo: what came before was replaced by a summary."""

    cost: float | UnsetType = UNSET  # US dollars
    prev_context_tokens: int | UnsetType = UNSET
    new_context_tokens: int | UnsetType = UNSET
    summary: str | UnsetType = UNSET
    condense_id: str | UnsetType = UNSET


class InterfaceMessage(_Named, kw_only=True):
    """Something that was shown or asked."""

    ts: int | float | UnsetType = UNSET  # milliseconds since 1970 UTC; stands for an id
    type: str | UnsetType = UNSET  # say or ask
    say: str | UnsetType = UNSET
    ask: str | UnsetType = UNSET
    text: str | UnsetType = UNSET
    reasoning: str | UnsetType = UNSET
    images: list[str] | UnsetType = UNSET  # data URLs
    files: list[str] | UnsetType = UNSET
    partial: bool | UnsetType = UNSET  # interrupted while it was streamed
    conversation_history_index: int | UnsetType = UNSET  # Cline: last message of the other array by then
    conversation_history_deleted_range: list[int] | UnsetType = UNSET
    last_checkpoint_hash: str | UnsetType = UNSET
    is_checkpoint_checked_out: bool | UnsetType = UNSET
    is_operation_outside_workspace: bool | UnsetType = UNSET
    command_completed: bool | UnsetType = UNSET
    model_info: ModelInfo | UnsetType = UNSET  # Cline
    seq: int | UnsetType = UNSET
    epoch: int | UnsetType = UNSET
    media: Any = UNSET
    checkpoint: Any = UNSET  # Roo
    progress_status: Any = UNSET  # Roo
    context_condense: ContextCondense | UnsetType = UNSET  # Roo
    context_truncation: Any = UNSET  # Roo
    is_protected: bool | UnsetType = UNSET  # Roo
    api_protocol: str | UnsetType = UNSET  # Roo: openai or anthropic
    is_answered: bool | UnsetType = UNSET  # Roo


class RequestText(_Named, kw_only=True):
    """One request to a model, rewritten when its response is complete; without tokensIn it never was."""

    request: str | UnsetType = UNSET
    tokens_in: int | UnsetType = UNSET
    tokens_out: int | UnsetType = UNSET
    cache_writes: int | UnsetType = UNSET
    cache_reads: int | UnsetType = UNSET
    cost: float | UnsetType = UNSET  # US dollars
    cancel_reason: str | UnsetType = UNSET  # streaming_failed, user_cancelled, retries_exhausted
    streaming_failed_message: str | UnsetType = UNSET
    retry_status: Any = UNSET
    api_protocol: str | UnsetType = UNSET  # Roo
    source: str | UnsetType = UNSET  # of subagent_usage: subagents


class ToolText(_Named, kw_only=True):
    """What a tool is about to do, or did."""

    tool: str | UnsetType = UNSET  # readFile, editedExistingFile, ...
    path: str | UnsetType = UNSET
    diff: str | UnsetType = UNSET
    content: str | UnsetType = UNSET
    regex: str | UnsetType = UNSET
    file_pattern: str | UnsetType = UNSET
    operation_is_located_in_workspace: bool | UnsetType = UNSET
