"""What reading needs of a Claude Code row, decoded in one go.

The whole of what is on disk is described beside this module; here are only the fields that the reader looks at, so
that a row costs one pass of the decoder and everything else is stepped over. All fields have defaults: a row is
judged by the reader, not by the decoder.
"""

from __future__ import annotations

import msgspec
from msgspec import UNSET, UnsetType

from panscript.schemas.claude.record_names import HEAD_TYPE

__all__ = [
    "STATE_PREFIXES",
    "STATE_TYPES",
    "Attachment",
    "Block",
    "Compact",
    "Message",
    "Outcome",
    "Row",
    "UsageRow",
    "row_decoder",
    "usage_decoder",
]


class _Lean(msgspec.Struct, gc=False):
    """Objects of the vendor's API, whose names are in snake case."""


class _Camel(msgspec.Struct, gc=False, rename="camel"):
    """Objects of the agent itself."""


class CacheCreation(_Lean):
    """How long what was written to the cache lives."""

    ephemeral_1h_input_tokens: int | float | str | None = None


class OutputDetails(_Lean):
    """What of the output was thinking."""

    thinking_tokens: int | float | str | None = None


class Usage(_Lean):
    """Token counts as logged."""

    input_tokens: int | float | str | None = None
    output_tokens: int | float | str | None = None
    cache_creation_input_tokens: int | float | str | None = None
    cache_read_input_tokens: int | float | str | None = None
    cache_creation: CacheCreation | None = None
    output_tokens_details: OutputDetails | None = None


class ImageSource(_Lean):
    """Where a picture or a document is."""

    type: str | None = None
    media_type: str | None = None
    data: str | None = None
    url: str | None = None
    file_id: str | None = None


class Block(_Lean):
    """Any content block."""

    type: str | None = None
    text: str | None = None
    thinking: str | None = None
    signature: str | None = None
    data: str | None = None
    id: str | None = None
    name: str | None = None
    input: msgspec.Raw = msgspec.Raw(b"")
    tool_use_id: str | None = None
    content: str | list[Block] | Block | None = None
    is_error: bool | None = None
    source: ImageSource | None = None
    title: str | None = None
    context: str | None = None
    url: str | None = None
    tool_name: str | None = None
    error_code: str | None = None
    server_name: str | None = None
    stdout: str | None = None
    stderr: str | None = None


class Message(_Lean):
    """The message of a row."""

    id: str | None = None
    role: str | None = None
    model: str | None = None
    provider: str | None = None
    content: str | list[Block] | None = None
    stop_reason: str | None = None
    usage: Usage | None = None


class PreservedSegment(_Camel):
    """Rows that a compaction kept."""

    head_uuid: str | None = None


class PreservedMessages(_Camel):
    """Rows that a compaction kept, one by one."""

    uuids: list[str] | None = None


class Compact(_Camel):
    """Facts of a compaction."""

    trigger: str | None = None
    pre_tokens: int | None = None
    preserved_segment: PreservedSegment | None = None
    preserved_messages: PreservedMessages | None = None


class Outcome(_Camel):
    """The facts of `toolUseResult` that its text does not hold."""

    duration_ms: int | float | None = None
    agent_id: str | None = None


class Attachment(_Camel):
    """Context that the agent put beside the conversation."""

    type: str | None = None
    prompt: str | list[Block] | None = None
    command_mode: str | None = None
    origin: Kind | None = None


class Kind(_Camel):
    """Who or what a row comes from."""

    kind: str | None = None


class ForkedFrom(_Camel):
    """The row that this one was copied from."""

    session_id: str | None = None


class Row(_Camel):
    """Any row of a transcript."""

    parent_uuid: str | UnsetType | None = UNSET
    logical_parent_uuid: str | None = None
    is_sidechain: bool | None = None
    type: str | None = None
    subtype: str | None = None
    message: Message | None = None
    uuid: str | None = None
    timestamp: str | int | float | None = None
    tool_use_result: Outcome | str | list[msgspec.Raw] | None = None
    is_meta: bool | None = None
    is_compact_summary: bool | None = None
    is_api_error_message: bool | None = None
    origin: Kind | None = None
    request_id: str | None = None
    request_id_snake: str | None = msgspec.field(default=None, name="request_id")
    request_session_id: str | None = None
    forked_from: ForkedFrom | None = None
    agent_id: str | None = None
    compact_metadata: Compact | None = None
    attachment: Attachment | None = None
    content: str | list[msgspec.Raw] | None = None
    cwd: str | None = None
    session_id: str | None = None
    version: str | None = None
    git_branch: str | None = None
    summary: str | None = None
    leaf_uuid: str | None = None
    explicit: bool | None = None
    custom_title: str | None = None
    ai_title: str | None = None
    imported_from: str | None = None
    id: str | None = None
    data: msgspec.Raw = msgspec.Raw(b"")


class UsageMessage(_Lean):
    """The message of a row, as far as counting goes."""

    id: str | None = None
    model: str | None = None
    provider: str | None = None
    stop_reason: str | None = None
    usage: Usage | None = None


class UsageRow(_Camel):
    """What counting needs of a row."""

    type: str | None = None
    is_sidechain: bool | None = None
    message: UsageMessage | None = None
    uuid: str | None = None
    timestamp: str | int | float | None = None
    is_api_error_message: bool | None = None
    request_id: str | None = None
    request_id_snake: str | None = msgspec.field(default=None, name="request_id")
    request_session_id: str | None = None
    forked_from: ForkedFrom | None = None
    agent_id: str | None = None
    cwd: str | None = None
    session_id: str | None = None
    imported_from: str | None = None


STATE_TYPES = frozenset(
    """
    summary custom-title ai-title agent-name agent-color agent-setting tag last-prompt mode permission-mode repl-mode
    pr-link worktree-state relocated queue-operation file-history-snapshot file-history-delta content-replacement
    cost-state api-request api-request-shape api-request-blob api-request-resumed tools-used atis-latch memory-mode
    isolation-latch session-owner dev-mods data-flow-records data-flow-incomplete derived-from attribution-snapshot
    history-suppression bridge-session frame-link observer-ref fork-context-ref continued-in ended-by-model
    resume-head-vouch saved_hook_context speculation-accept task-summary
    """.split()
)
"""Rows that are the agent's own bookkeeping, outside the conversation."""

STATE_PREFIXES = ("artifact-", "marble-origami-", HEAD_TYPE)

row_decoder = msgspec.json.Decoder(Row)
usage_decoder = msgspec.json.Decoder(UsageRow)
