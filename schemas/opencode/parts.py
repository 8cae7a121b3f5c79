"""What a message of OpenCode is made of: parts, told apart by `type`.

In a database a part is the JSON in `part.data`, without its ids; exports and the older tree have them inside.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

__all__ = ["PARTS", "STATES", "Part", "Tokens", "camel_with_ids"]

_Text = str | UnsetType | None
_Number = int | float


def camel_with_ids(name: str) -> str:
    """`provider_id` is `providerID`, `status_code` is `statusCode`."""
    first, *rest = name.split("_")
    return first + "".join("ID" if word == "id" else word.capitalize() for word in rest)


class _Struct(msgspec.Struct, kw_only=True, omit_defaults=True, rename=camel_with_ids):
    """Names are in camel case, with ID in capitals."""


class Cache(_Struct, kw_only=True):
    """Tokens that came from a cache, or went into one."""

    read: _Number
    write: _Number


class Tokens(_Struct, kw_only=True):
    """What a request used, in buckets that share nothing."""

    input: _Number
    """Without what was read from or written to a cache."""
    output: _Number
    """Without reasoning; until spring 2026 with it, at some providers."""
    reasoning: _Number
    cache: Cache
    total: _Number | UnsetType = UNSET
    """As the provider says; missing in older ones."""


class Span(_Struct, kw_only=True):
    """When something began and ended, in milliseconds."""

    start: _Number
    end: _Number | UnsetType = UNSET


class ToolSpan(_Struct, kw_only=True):
    """When a tool began and ended, in milliseconds."""

    start: _Number
    end: _Number | UnsetType = UNSET
    compacted: _Number | UnsetType = UNSET
    """When its output was taken out of what the model sees."""


class ApiErrorData(_Struct, kw_only=True):
    """What a provider answered instead."""

    message: str
    status_code: _Number | UnsetType = UNSET
    is_retryable: bool | UnsetType = UNSET
    response_headers: dict[str, str] | UnsetType = UNSET
    response_body: _Text = UNSET
    metadata: dict[str, Any] | UnsetType = UNSET


class ApiError(_Struct, kw_only=True):
    """An error of a provider."""

    name: str
    data: ApiErrorData


class TextRange(_Struct, kw_only=True):
    """Where in the prompt something is named."""

    value: str
    start: int
    end: int


class FileSource(_Struct, kw_only=True):
    """Where a file comes from: a path, a symbol in a file, or a resource of a server."""

    type: str
    """`file`, `symbol`, `resource`."""
    text: TextRange | UnsetType = UNSET
    path: _Text = UNSET
    range: dict[str, Any] | UnsetType = UNSET
    name: _Text = UNSET
    kind: int | UnsetType = UNSET
    """Number of the kind of symbol, as language servers have it."""
    client_name: _Text = UNSET
    uri: _Text = UNSET


class _Part(_Struct, kw_only=True, tag_field="type"):
    """Ids are missing in databases."""

    id: _Text = UNSET
    """`prt_...`; parts of a message are in the order of their ids."""
    session_id: _Text = UNSET
    message_id: _Text = UNSET


class TextPart(_Part, kw_only=True, tag="text"):
    """Text of a prompt or an answer."""

    text: str
    synthetic: bool | UnsetType | None = UNSET
    """Added by the agent."""
    ignored: bool | UnsetType | None = UNSET
    """Shown, and not sent to the model."""
    time: Span | UnsetType = UNSET
    metadata: dict[str, Any] | UnsetType = UNSET


class ReasoningPart(_Part, kw_only=True, tag="reasoning"):
    """What the model thought."""

    text: str
    time: Span | UnsetType = UNSET
    metadata: dict[str, Any] | UnsetType = UNSET
    """By provider what it wants back, such as `anthropic.signature`."""


class FilePart(_Part, kw_only=True, tag="file"):
    """A file put to a prompt, or given by a tool."""

    mime: str
    url: str
    """`data:` with its content, or `file:`."""
    filename: _Text = UNSET
    source: FileSource | UnsetType | None = UNSET


class _State(_Struct, kw_only=True, tag_field="status"):
    """How far a call came."""

    input: dict[str, Any] | UnsetType = UNSET


class Pending(_State, kw_only=True, tag="pending"):
    """The model is still writing the call."""

    raw: _Text = UNSET
    """What it wrote so far."""


class Running(_State, kw_only=True, tag="running"):
    """The tool is at work."""

    title: _Text = UNSET
    metadata: dict[str, Any] | UnsetType = UNSET
    time: ToolSpan | UnsetType = UNSET


class Completed(_State, kw_only=True, tag="completed"):
    """The tool gave a result."""

    output: str
    title: _Text = UNSET
    metadata: dict[str, Any] | UnsetType = UNSET
    """What programs are told: `exit` of a command, `sessionId` of a sub-agent."""
    time: ToolSpan | UnsetType = UNSET
    attachments: list[FilePart] | UnsetType | None = UNSET


class Failed(_State, kw_only=True, tag="error"):
    """The tool failed, or was refused."""

    error: str
    metadata: dict[str, Any] | UnsetType = UNSET
    time: ToolSpan | UnsetType = UNSET


STATES = (Pending, Running, Completed, Failed)


class ToolPart(_Part, kw_only=True, tag="tool"):
    """A call and what came of it."""

    call_id: str
    tool: str
    state: Pending | Running | Completed | Failed
    metadata: dict[str, Any] | UnsetType = UNSET


class StepStartPart(_Part, kw_only=True, tag="step-start"):
    """A request begins."""

    snapshot: _Text = UNSET
    """State of the project's files, a hash of a git of the agent's own; so below."""


class StepFinishPart(_Part, kw_only=True, tag="step-finish"):
    """A request ended; what it used."""

    reason: _Text = UNSET
    snapshot: _Text = UNSET
    cost: _Number
    """US dollars."""
    tokens: Tokens


class SnapshotPart(_Part, kw_only=True, tag="snapshot"):
    """The project's files at this moment."""

    snapshot: str


class PatchPart(_Part, kw_only=True, tag="patch"):
    """Files that a step changed."""

    hash: str
    files: list[str]


class AgentPart(_Part, kw_only=True, tag="agent"):
    """An agent named in a prompt with an @."""

    name: str
    source: TextRange | UnsetType | None = UNSET


class SubtaskPart(_Part, kw_only=True, tag="subtask"):
    """A command of the person that a sub-agent carries out."""

    prompt: str
    description: str
    agent: str
    model: dict[str, Any] | UnsetType = UNSET
    command: _Text = UNSET


class RetryPart(_Part, kw_only=True, tag="retry"):
    """A request failed and was tried again."""

    attempt: int
    error: ApiError
    time: dict[str, _Number]


class CompactionPart(_Part, kw_only=True, tag="compaction"):
    """On a message of the user: here the conversation was summed up."""

    auto: bool
    overflow: bool | UnsetType = UNSET
    tail_start_id: str | UnsetType | None = msgspec.field(default=UNSET, name="tail_start_id")
    """The first message that stayed as it was."""


PARTS = (
    TextPart,
    ReasoningPart,
    ToolPart,
    FilePart,
    StepStartPart,
    StepFinishPart,
    SnapshotPart,
    PatchPart,
    AgentPart,
    SubtaskPart,
    RetryPart,
    CompactionPart,
)
Part = (
    TextPart
    | ReasoningPart
    | ToolPart
    | FilePart
    | StepStartPart
    | StepFinishPart
    | SnapshotPart
    | PatchPart
    | AgentPart
    | SubtaskPart
    | RetryPart
    | CompactionPart
)
