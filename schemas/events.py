"""The event model: what any agent's session says, in one vocabulary.

Events are immutable and own everything they hold. A reader yields them in file order; the parent of an event is
the event that the model had seen before it, so a stage never needs to know which agent wrote the file. A parent
has two children only where a person said two different things (a rewind, an edit, a rollback).
"""

from __future__ import annotations

from typing import Literal

import msgspec

__all__ = [
    "AGENT_NOTICE",
    "COMPACTION_SUMMARY",
    "NO_RAW",
    "SHELL",
    "TASK",
    "Block",
    "Compaction",
    "End",
    "Event",
    "EventBase",
    "File",
    "Image",
    "Message",
    "Meta",
    "Opaque",
    "Role",
    "Session",
    "Shell",
    "SourceFile",
    "Status",
    "Summary",
    "Text",
    "Thinking",
    "Tokens",
    "ToolCall",
    "ToolResult",
    "Usage",
]

Role = Literal["user", "assistant", "system"]
Status = Literal["ok", "error", "unknown"]
NO_RAW = msgspec.Raw(b"")

TASK = "task"
"""`Message.injected` of what a sub-agent was told to do: it opens the conversation, but no person typed it."""
COMPACTION_SUMMARY = "compaction_summary"
"""`Message.injected` of a summary that also stands in a `Compaction`."""
SHELL = "shell"
"""`Message.injected` of text that a `Shell` event takes apart."""
AGENT_NOTICE = "agent_notice"
"""`Message.injected` of an assistant message that no model wrote."""


class Tokens(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """Token counts of one model response; the buckets are disjoint except reasoning, which lies inside output."""

    input: int = 0
    """Prompt tokens that came neither from a cache nor went into one."""
    output: int = 0
    """Generated tokens, reasoning included."""
    reasoning: int = 0
    """The part of `output` that was reasoning, when the agent says."""
    cache_read: int = 0
    cache_write: int = 0
    """Prompt tokens written to a cache, of any lifetime."""
    cache_write_1h: int = 0
    """The part of `cache_write` with a lifetime of one hour."""
    total: int = 0
    """The total the agent declared, else the sum of the disjoint buckets."""
    cost: float | None = None
    """US dollars, only when the agent recorded them."""


class _Block(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False, tag_field="type"):
    """What a message or a tool result is made of."""


class Text(_Block, frozen=True, kw_only=True, omit_defaults=True, gc=False, tag="text"):
    """Visible text."""

    text: str


class Thinking(_Block, frozen=True, kw_only=True, omit_defaults=True, gc=False, tag="thinking"):
    """Reasoning of the model. The text may be empty where only the vendor can read it."""

    text: str = ""
    signature: str | None = None
    """Opaque proof or payload of the vendor; valid only at that vendor, whole and unchanged."""
    redacted: bool = False
    """The vendor withheld the text; `signature` holds its payload."""


class Image(_Block, frozen=True, kw_only=True, omit_defaults=True, gc=False, tag="image"):
    """A picture: exactly one of `data`, `url` and `path` says where it is."""

    media_type: str = ""
    data: str | None = None
    """Base64 without a `data:` prefix."""
    url: str | None = None
    path: str | None = None
    """A path or file id on the machine or at the vendor that was not copied into the session."""


class File(_Block, frozen=True, kw_only=True, omit_defaults=True, gc=False, tag="file"):
    """A document or recording that is no picture."""

    media_type: str = ""
    name: str | None = None
    data: str | None = None
    """Base64, or the plain text of a text document."""
    url: str | None = None


class ToolCall(_Block, frozen=True, kw_only=True, omit_defaults=True, gc=False, tag="tool_call"):
    """A call the model asked for."""

    id: str
    """The agent's own id; empty when none was logged."""
    name: str
    """As logged; a namespace is joined to it the way the agent shows it."""
    arguments: msgspec.Raw = NO_RAW
    """The JSON value as logged; empty when `text` holds them."""
    text: str | None = None
    """Arguments that are free text by design (`custom`) or that do not parse as JSON."""
    custom: bool = False
    answered: bool = True
    """False when no record of the session answers this call."""


Block = Text | Thinking | Image | File | ToolCall


class EventBase(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False, tag_field="event"):
    """What every event has."""

    id: str
    """Unique in its session and derived from the native record, so the same file gives the same ids."""
    parent: str | None = None
    """The event the model had seen before this one; None at the start of a conversation."""
    time: int | None = None
    """Milliseconds since 1970 UTC as the record states them; None when it states none that can be read."""
    live: bool = True
    """On the branch that was live at the end."""
    inherited_from: str | None = None
    """Session that this event was copied from, by a fork, a resume or a replay."""
    agent_id: str | None = None
    """Sub-agent whose records stand inside its parent's file."""
    late: bool = False
    """Its time is later than those of most that follow, so it is this one that is wrong."""
    moved: bool = False
    """A stage changed `time`; `logged` is what the record states."""
    logged: int | None = None


class SourceFile(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One file of a session."""

    path: str
    bytes: int
    sha256: str
    role: Literal["main", "segment", "base", "side"] = "main"


class Session(EventBase, frozen=True, kw_only=True, omit_defaults=True, gc=False, tag="session"):
    """The first event of every stream: what the whole session turned out to be."""

    agent: str
    session_id: str
    files: tuple[SourceFile, ...] = ()
    cwd: str | None = None
    title: str | None = None
    first_prompt: str | None = None
    """The first text a person typed on the live branch, cut to 200 characters."""
    version: str | None = None
    """Version of the agent that wrote the first record that names one."""
    model: str | None = None
    """The model of the last response."""
    provider: str | None = None
    git_branch: str | None = None
    parent_session_id: str | None = None
    """The session that started this one as a sub-agent."""
    billed_to: str | None = None
    """The session that this one's usage counts for, when it is not this one."""
    forked_from: str | None = None
    created: int | None = None
    modified: int | None = None
    """Earliest and latest time in the session, milliseconds since 1970 UTC."""
    complete: bool = True
    """False when lines were given up or a file of the session is missing."""
    imported_from: str | None = None
    """Agent that the session was imported from, when panscript wrote it."""


class Message(EventBase, frozen=True, kw_only=True, omit_defaults=True, gc=False, tag="message"):
    """One native message record. Records of one response share `response`; a stage merges them."""

    role: Role
    content: tuple[Block, ...] = ()
    response: str | None = None
    """Groups the records of one model response."""
    closes: bool = True
    """The last record of its response."""
    message_id: str | None = None
    request_id: str | None = None
    model: str | None = None
    provider: str | None = None
    """As logged."""
    stop_reason: str | None = None
    tokens: Tokens | None = None
    injected: str | None = None
    """Role system: what put this text before the model (a reminder, project rules, a command wrapper)."""
    hidden: bool = False
    """Put before the model without being shown to the person; no message of its own in lists and counts."""
    parts: tuple[str, ...] = ()
    """Ids of the events merged into this one, itself included."""
    fault: str | None = None
    """`error` or `aborted` when the response did not end well."""
    signer: str | None = None
    """The vendor whose signatures the thinking of this message carries; None where that is not sure."""
    session_id: str | None = None
    """The session the record was copied from, when that one is not there to tell it itself."""


class ToolResult(EventBase, frozen=True, kw_only=True, omit_defaults=True, gc=False, tag="tool_result"):
    """The answer to a call."""

    call_id: str
    name: str | None = None
    content: tuple[Block, ...] = ()
    status: Status = "ok"
    duration_ms: int | None = None
    details: msgspec.Raw = NO_RAW
    """The agent's wrapper around the text, whole, when the text was taken out of one."""
    invented: bool = False
    """Supplied by a stage because the session holds none."""
    early: bool = False
    """The call stands behind it in the file."""


class Shell(EventBase, frozen=True, kw_only=True, omit_defaults=True, gc=False, tag="shell"):
    """A command the person ran from inside the agent (`!cmd`), or its output; neighbours are merged by a stage."""

    command: str | None = None
    output: str | None = None
    exit_code: int | None = None
    cancelled: bool = False
    truncated: bool = False
    excluded: bool = False
    """Kept away from the model."""
    parts: tuple[str, ...] = ()
    """Ids of the events merged into this one, itself included."""


class Compaction(EventBase, frozen=True, kw_only=True, omit_defaults=True, gc=False, tag="compaction"):
    """What came before was replaced by a summary for the model."""

    summary: str
    first_kept: str | None = None
    """The first event that stayed in the model's view; None when nothing before the compaction did."""
    tokens_before: int | None = None
    trigger: str | None = None


class Summary(EventBase, frozen=True, kw_only=True, omit_defaults=True, gc=False, tag="summary"):
    """A summary that an agent wrote beside the conversation (a title-like note, an abandoned branch)."""

    text: str
    leaf: str | None = None
    """The event it was written at; None when that event is in another file."""


class Usage(EventBase, frozen=True, kw_only=True, omit_defaults=True, gc=False, tag="usage"):
    """Tokens that were billed, counted once."""

    tokens: Tokens
    model: str | None = None
    provider: str | None = None
    """Who bills it: as logged, else by the model's name or the agent's fixed one."""
    raw_provider: str | None = None
    """As logged."""
    response: str | None = None
    message_id: str | None = None
    request_id: str | None = None
    cwd: str | None = None
    single_request: bool = False
    """The record is known to be exactly one model request."""
    told: bool = False
    """The message of this response carries the same counts."""
    session_id: str | None = None
    """The session named by the record, when it is not the stream's."""
    raw: msgspec.Raw = NO_RAW
    """The record that carries the tokens, when raw records were asked for."""


class Meta(EventBase, frozen=True, kw_only=True, omit_defaults=True, gc=False, tag="meta"):
    """Facts of the session that a record states or changes; absent means not said."""

    cwd: str | None = None
    title: str | None = None
    git_branch: str | None = None
    version: str | None = None
    model: str | None = None
    provider: str | None = None
    parent_session_id: str | None = None
    session_id: str | None = None
    """The session the record was copied from, when that one is not there to tell it itself."""


class Opaque(EventBase, frozen=True, kw_only=True, omit_defaults=True, gc=False, tag="opaque"):
    """A row, block or item of a type that is not known: kept whole, understood by nobody."""

    name: str
    data: msgspec.Raw = NO_RAW


class End(EventBase, frozen=True, kw_only=True, omit_defaults=True, gc=False, tag="end"):
    """Every record was read; what follows was held back to the end."""


Event = Session | Message | ToolResult | Shell | Compaction | Summary | Usage | Meta | Opaque | End
