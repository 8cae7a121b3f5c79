"""What reading needs of a line of a Pi session file, decoded in one go.

The whole of what is on disk is described beside this module; here are only the fields that the reader looks at, so
that a line costs one pass of the decoder and everything else is stepped over. All fields have defaults: a line is
judged by the reader, not by the decoder.
"""

from __future__ import annotations

import msgspec
from msgspec import UNSET, UnsetType

__all__ = [
    "CONTEXT_TYPES",
    "STATE_TYPES",
    "Block",
    "Cost",
    "Entry",
    "Message",
    "Project",
    "Usage",
    "UsageEntry",
    "entry_decoder",
    "usage_decoder",
]

CONTEXT_TYPES = frozenset({"message", "custom_message", "compaction", "branch_summary"})
"""Entries that reach the model."""
STATE_TYPES = frozenset(
    """
    session title model_change thinking_level_change custom context_edit usage label session_info model_usage
    service_tier_change title_change ttsr_injection credential_pin session_init mode_change reset_boundary archive
    """.split()
)
"""Lines of known types that do not reach the model."""

Count = int | float | str | None


class _Camel(msgspec.Struct, gc=False, rename="camel"):
    """Pi's names are in camel case."""


class Cost(_Camel):
    """What it cost in US dollars."""

    total: Count = None


class Usage(_Camel):
    """Token counts in every spelling Pi has used."""

    input: Count = None
    output: Count = None
    reasoning: Count = None
    reasoning_tokens: Count = None
    reasoning_output: Count = None
    output_reasoning: Count = None
    cache_read: Count = None
    cache_write: Count = None
    cache_write_1h: Count = msgspec.field(default=None, name="cacheWrite1h")
    total_tokens: Count = None
    cost: Cost | int | float | str | None = None


class Project(_Camel):
    """Where something ran, as some versions say it."""

    root: str | None = None
    cwd: str | None = None


class ServerBlock(msgspec.Struct, gc=False):
    """A block of the vendor's own API that omp keeps word for word."""

    type: str | None = None
    id: str | None = None
    name: str | None = None
    input: msgspec.Raw = msgspec.Raw(b"")
    tool_use_id: str | None = None
    content: msgspec.Raw = msgspec.Raw(b"")


class Block(_Camel):
    """Any content block."""

    type: str | None = None
    text: str | None = None
    thinking: str | None = None
    thinking_signature: str | None = None
    redacted: bool | None = None
    data: str | None = None
    mime_type: str | None = None
    url: str | None = None
    id: str | None = None
    name: str | None = None
    arguments: msgspec.Raw = msgspec.Raw(b"")
    arguments_error: str | None = None
    block: ServerBlock | None = None


class MentionedFile(_Camel):
    path: str | None = None
    content: str | None = None
    image: Block | None = None


class UsageMessage(_Camel):
    timestamp: str | int | float | None = None
    role: str | None = None
    api: str | None = None
    provider: str | None = None
    model: str | None = None
    usage: Usage | None = None
    response_id: str | None = None
    cwd: str | None = None
    path: Project | str | None = None


class UsageEntry(_Camel):
    """What counting needs of a line."""

    type: str | None = None
    id: str | None = None
    parent_id: str | UnsetType | None = UNSET
    timestamp: str | int | float | None = None
    message: UsageMessage | None = None
    version: int | float | None = None
    cwd: str | None = None
    path: Project | str | None = None
    parent_session: str | None = None
    branched_from: str | None = None
    provider: str | None = None
    model: str | None = None
    model_id: str | None = None
    role: str | None = None
    usage: Usage | None = None
    title: str | None = None


class Message(UsageMessage):
    """A message of any role."""

    content: str | list[Block] | None = None
    stop_reason: str | None = None
    tool_call_id: str | None = None
    tool_name: str | None = None
    is_error: bool | None = None
    duration_ms: int | float | None = None
    details: msgspec.Raw = msgspec.Raw(b"")
    command: str | None = None
    code: str | None = None
    output: str | None = None
    exit_code: int | float | None = None
    cancelled: bool | None = None
    truncated: bool | None = None
    exclude_from_context: bool | None = None
    custom_type: str | None = None
    display: bool | None = None
    synthetic: bool | None = None
    summary: str | None = None
    tokens_before: int | float | None = None
    files: list[MentionedFile] | None = None


class Entry(UsageEntry):
    """Any line of a session file."""

    message: Message | None = None
    custom_type: str | None = None
    content: str | list[Block] | None = None
    display: bool | None = None
    data: msgspec.Raw = msgspec.Raw(b"")
    summary: str | None = None
    first_kept_entry_id: str | None = None
    first_kept_entry_index: int | float | None = None
    tokens_before: int | float | None = None
    name: str | None = None


entry_decoder = msgspec.json.Decoder(Entry)
usage_decoder = msgspec.json.Decoder(UsageEntry)
