"""Rows of a Claude Code transcript as this writer writes them, in the agent's order of keys."""

from __future__ import annotations

from typing import Any

import msgspec

from panscript.schemas.claude.record_names import HEAD_TYPE, PART_TYPE
from panscript.schemas.separators import escaped

__all__ = [
    "Assistant",
    "CallBlock",
    "CompactFacts",
    "DocumentBlock",
    "HeadRow",
    "ImageBlock",
    "PartRow",
    "Preserved",
    "RedactedBlock",
    "ResultBlock",
    "Row",
    "Segment",
    "Source",
    "TextBlock",
    "ThinkingBlock",
    "TitleRow",
    "User",
    "line",
]


class _Block(msgspec.Struct, omit_defaults=True, gc=False, tag_field="type"):
    """Objects of the vendor's API, whose names are in snake case."""


class TextBlock(_Block, tag="text"):
    """Text of a message or a result."""

    text: str


class ThinkingBlock(_Block, tag="thinking"):
    """Thinking with the signature of its vendor."""

    thinking: str
    signature: str


class RedactedBlock(_Block, tag="redacted_thinking"):
    """Thinking that only its vendor can read."""

    data: str


class CallBlock(_Block, tag="tool_use"):
    """A call the model asked for."""

    id: str
    name: str
    input: msgspec.Raw


class Source(msgspec.Struct, gc=False):
    """A picture or a document itself."""

    type: str
    media_type: str
    data: str


class ImageBlock(_Block, tag="image"):
    """A picture in base64."""

    source: Source


class DocumentBlock(_Block, tag="document"):
    """A document in base64, or as text."""

    source: Source
    title: str | None = None


class ResultBlock(_Block, tag="tool_result"):
    """The answer to a call."""

    tool_use_id: str
    content: str | list[TextBlock | ImageBlock | DocumentBlock]
    is_error: bool = False


class User(msgspec.Struct, gc=False):
    """What a person typed, or what a tool gave back."""

    content: str | list[TextBlock | ImageBlock | DocumentBlock] | list[ResultBlock]
    role: str = "user"


class Usage(msgspec.Struct, gc=False, frozen=True):
    """Counts that are counted elsewhere."""

    input_tokens: int = 0
    cache_creation_input_tokens: int = 0
    cache_read_input_tokens: int = 0
    output_tokens: int = 0


class Assistant(msgspec.Struct, gc=False):
    """One block of a response."""

    id: str
    model: str
    content: list[TextBlock | ThinkingBlock | RedactedBlock | CallBlock]
    stop_reason: str
    type: str = "message"
    role: str = "assistant"
    stop_sequence: str | None = None
    usage: Usage = Usage()


class _Sparse(msgspec.Struct, rename="camel", omit_defaults=True, gc=False):
    """Optional keys are left out."""


class Segment(_Sparse, kw_only=True):
    """Rows in one line that a compaction kept."""

    head_uuid: str
    anchor_uuid: str
    tail_uuid: str


class Preserved(_Sparse, kw_only=True):
    """Rows that a compaction kept, one by one."""

    anchor_uuid: str
    uuids: list[str]
    all_uuids: list[str]


class CompactFacts(_Sparse, kw_only=True):
    """Facts of a compaction."""

    trigger: str
    pre_tokens: int
    preserved_segment: Segment | None = None
    preserved_messages: Preserved | None = None


class Row(_Sparse, kw_only=True):
    """A row of the conversation."""

    parent_uuid: str | None
    logical_parent_uuid: str | None = None
    is_sidechain: bool
    user_type: str
    entrypoint: str
    cwd: str
    session_id: str
    version: str
    git_branch: str | None = None
    agent_id: str | None = None
    type: str
    subtype: str | None = None
    content: str | None = None
    level: str | None = None
    message: User | Assistant | None = None
    is_meta: bool | None = None
    is_compact_summary: bool | None = None
    is_visible_in_transcript_only: bool | None = None
    compact_metadata: CompactFacts | None = None
    source_assistant: str | None = msgspec.field(name="sourceToolAssistantUUID", default=None)
    uuid: str
    timestamp: str
    imported_from: str
    """Nothing of the agent's: what the row was used up elsewhere. Forks keep it."""


class TitleRow(_Sparse, kw_only=True, tag_field="type", tag="custom-title"):
    """What the session is called."""

    custom_title: str
    session_id: str


class HeadRow(_Sparse, kw_only=True, tag_field="type", tag=HEAD_TYPE):
    """The head of the import record."""

    session_id: str
    data: Any


class PartRow(_Sparse, kw_only=True, tag_field="type", tag=PART_TYPE):
    """A part of the import record."""

    session_id: str
    id: str
    data: Any


_encode = msgspec.json.Encoder().encode


def line(row: msgspec.Struct) -> bytes:
    """One line with its LF. Characters at which other programs split lines are escaped."""
    return escaped(_encode(row)) + b"\n"
