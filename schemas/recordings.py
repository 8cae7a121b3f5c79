"""The conversation record: how Gemini CLI, and what was forked from it in 2025, keeps a session.

At first one JSON document with all messages, since 2026 a log of lines: metadata, whole messages (the last line of an
id counts), changes of the metadata (`$set`, which may replace all messages) and cuts (`$rewindTo`). One struct decodes
a line of any kind, and a message of a document, in one go; which kind it is shows in its fields.
"""

from __future__ import annotations

import msgspec

from panscript.schemas.genai import Part, PartList

__all__ = [
    "ANSWERS",
    "NOTICES",
    "Change",
    "Document",
    "Line",
    "MessageRecord",
    "Thought",
    "TokensSummary",
    "ToolCallRecord",
    "UsageChange",
    "UsageLine",
    "UsageMessage",
    "document_decoder",
    "line_decoder",
    "usage_decoder",
]

ANSWERS = frozenset({"gemini", "qwen"})
"""`type` of a message that a model wrote."""
NOTICES = frozenset({"info", "error", "warning"})
"""`type` of a message that only the screen showed."""

Count = int | float | str | None


class _Camel(msgspec.Struct, gc=False, rename="camel", omit_defaults=True, kw_only=True):
    """Names are in camel case."""


class Thought(_Camel):
    """A summary of reasoning."""

    subject: str | None = None
    description: str | None = None
    timestamp: str | int | float | None = None


class TokensSummary(_Camel):
    """Tokens of one request."""

    input: Count = None
    """The whole prompt, cached tokens included."""
    output: Count = None
    """Without thoughts."""
    cached: Count = None
    """The part of `input` that came from a cache."""
    thoughts: Count = None
    tool: Count = None
    """Prompt tokens of tools that the vendor runs."""
    total: Count = None


class ToolCallRecord(_Camel):
    """A call and, once it is done, its result."""

    id: str | None = None
    name: str | None = None
    args: msgspec.Raw = msgspec.field(default_factory=msgspec.Raw)
    result: PartList = None
    """Mostly one `functionResponse`; pictures may stand beside it."""
    status: str | None = None
    """`success`, `error`, `cancelled`; before that `validating`, `scheduled`, `executing`, `awaiting_approval`."""
    timestamp: str | int | float | None = None
    agent_id: str | None = None
    """Session id of the sub-agent that ran."""
    display_name: str | None = None
    description: str | None = None
    result_display: msgspec.Raw = msgspec.field(default_factory=msgspec.Raw)
    """What the screen showed: a text, a diff, a list of todos, progress of a sub-agent."""
    render_output_as_markdown: bool | None = None


class MessageRecord(_Camel):
    """A message."""

    id: str | None = None
    timestamp: str | int | float | None = None
    """When it was first written; a later version of it keeps that time."""
    type: str | None = None
    """`user`, `gemini` (`qwen`), `info`, `error`, `warning`."""
    content: PartList = None
    display_content: msgspec.Raw = msgspec.field(default_factory=msgspec.Raw)
    """What the screen shows instead of `content`."""
    model: str | None = None
    thoughts: list[Thought] | None = None
    tokens: TokensSummary | None = None
    tool_calls: list[ToolCallRecord] | None = None


class _Metadata(_Camel):
    session_id: str | None = None
    project_hash: str | None = None
    """SHA-256, hexadecimal, of the path of the project's root."""
    start_time: str | int | float | None = None
    last_updated: str | int | float | None = None
    kind: str | None = None
    """`main` or `subagent`."""
    summary: str | None = None
    """The title."""
    directories: list[str] | None = None
    """Folders beside the project's own; of a sub-agent all of them."""
    memory_scratchpad: msgspec.Raw = msgspec.field(default_factory=msgspec.Raw)
    """What the agent noted of the session for its memory."""


class Change(_Metadata):
    """Metadata that a `$set` line states anew."""

    messages: list[MessageRecord] | None = None
    """These are all messages from now on."""


class Line(MessageRecord):
    """A line of the log, of any kind, or an element of a document. Metadata is that of a `Change`."""

    session_id: str | None = None
    project_hash: str | None = None
    start_time: str | int | float | None = None
    last_updated: str | int | float | None = None
    kind: str | None = None
    summary: str | None = None
    directories: list[str] | None = None
    memory_scratchpad: msgspec.Raw = msgspec.field(default_factory=msgspec.Raw)

    rewind_to: str | None = msgspec.field(default=None, name="$rewindTo")
    """This message and all behind it are gone; all of them where there is none of that id."""
    set: Change | None = msgspec.field(default=None, name="$set")
    messages: list[MessageRecord] | None = None
    """A whole session of the older form on one line."""
    role: str | None = None
    parts: list[Part] | None = None
    """A saved chat (`/chat save`) holds bare contents instead of messages."""


class Document(_Metadata):
    """A session of the older form, or a saved chat, with its elements as they stand."""

    messages: list[msgspec.Raw] | None = None
    history: list[msgspec.Raw] | None = None
    auth_type: str | None = None


class UsageMessage(_Camel):
    """What counting needs of a message."""

    id: str | None = None
    timestamp: str | int | float | None = None
    type: str | None = None
    model: str | None = None
    tokens: TokensSummary | None = None


class UsageChange(_Camel):
    """What counting needs of a change."""

    session_id: str | None = None
    kind: str | None = None
    directories: list[str] | None = None
    messages: list[UsageMessage] | None = None


class _Object(_Camel):
    """Any object."""


class UsageLine(UsageMessage):
    """What counting needs of a line."""

    session_id: str | None = None
    project_hash: str | None = None
    start_time: str | int | float | None = None
    kind: str | None = None
    directories: list[str] | None = None
    rewind_to: str | None = msgspec.field(default=None, name="$rewindTo")
    set: UsageChange | None = msgspec.field(default=None, name="$set")
    messages: list[UsageMessage] | None = None
    role: str | None = None
    parts: list[_Object] | None = None


line_decoder = msgspec.json.Decoder(Line)
usage_decoder = msgspec.json.Decoder(UsageLine)
document_decoder = msgspec.json.Decoder(Document)
