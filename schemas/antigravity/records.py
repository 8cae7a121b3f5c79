"""What Antigravity writes of a conversation, one struct a record; see the package for which."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

__all__ = [
    "RECORDS",
    "GenMetadata",
    "HistoryLine",
    "LogLine",
    "StepRow",
    "Trajectory",
    "TrajectoryDocument",
    "TrajectoryMetadata",
]

_Text = str | UnsetType | None
_Count = int | UnsetType


class _Record(msgspec.Struct, kw_only=True, omit_defaults=True):
    """All fields but those that tell a record are optional."""


class LogCall(_Record, kw_only=True, omit_defaults=True):
    """A call of the model, as the log has it: without an id."""

    name: str
    args: dict[str, Any] | UnsetType = UNSET


class LogLine(_Record, kw_only=True, omit_defaults=True):
    """A line of `transcript.jsonl`: one step."""

    step_index: int
    """Its number in the conversation, from 0."""
    source: str
    """USER_EXPLICIT, USER_IMPLICIT, MODEL, SYSTEM, SYSTEM_SDK."""
    type: str
    """USER_INPUT, PLANNER_RESPONSE (an answer of the model), CHECKPOINT, SYSTEM_MESSAGE, ERROR_MESSAGE,
    CONVERSATION_HISTORY, EPHEMERAL_MESSAGE, or the tool that ran: RUN_COMMAND, VIEW_FILE, CODE_ACTION and others."""
    status: _Text = UNSET
    """DONE, ERROR, CANCELED, RUNNING, PENDING and others."""
    created_at: _Text = UNSET
    """RFC 3339, UTC."""
    content: _Text = UNSET
    """Of a prompt: what was typed in `<USER_REQUEST>`, and what the agent added around it."""
    thinking: _Text = UNSET
    tool_calls: list[LogCall] | UnsetType | None = UNSET


class HistoryLine(_Record, kw_only=True, omit_defaults=True, rename="camel"):
    """A line of `history.jsonl`: one prompt of any conversation."""

    conversation_id: str
    display: str
    """What was typed."""
    timestamp: int
    """Milliseconds since 1970 UTC."""
    workspace: _Text = UNSET
    """The folder it was typed in."""


class Timestamp(_Record, kw_only=True, omit_defaults=True):
    """A moment."""

    seconds: _Count = UNSET
    """Field 1; since 1970 UTC."""
    nanos: _Count = UNSET
    """Field 2."""


class Usage(_Record, kw_only=True, omit_defaults=True):
    """Token counts of a request."""

    model: _Count = UNSET
    """Field 1: number of the model, no count."""
    input_tokens: _Count = UNSET
    """Field 2: what did not come from a cache."""
    output_tokens: _Count = UNSET
    """Field 3: thinking included."""
    cache_write_tokens: _Count = UNSET
    """Field 4: no longer filled."""
    cache_read_tokens: _Count = UNSET
    """Field 5."""
    response_output_tokens: _Count = UNSET
    """Field 9: output without thinking."""
    thinking_output_tokens: _Count = UNSET
    """Field 10."""
    response_id: _Text = UNSET
    """Field 11: the vendor's id of the response; a request that stands in two rows has it in both."""


class ChatStart(_Record, kw_only=True, omit_defaults=True):
    """How a request began."""

    created_at: Timestamp | UnsetType = UNSET
    """Field 4."""


class ChatModel(_Record, kw_only=True, omit_defaults=True):
    """A request to a model."""

    model: _Count = UNSET
    """Field 3: number of the model."""
    usage: Usage | UnsetType = UNSET
    """Field 4."""
    chat_start_metadata: ChatStart | UnsetType = UNSET
    """Field 9."""
    response_model: _Text = UNSET
    """Field 19: name of the model, such as `gemini-3-pro-high`."""
    display_name: _Text = UNSET
    """Field 21: the same for people."""


class GeneratorMetadata(_Record, kw_only=True, omit_defaults=True):
    """What a row of `gen_metadata` holds."""

    chat_model: ChatModel | UnsetType = UNSET
    """Field 1."""
    step_indices: list[int] | UnsetType = UNSET
    """Field 2: the steps that came of it."""


class GenMetadata(_Record, kw_only=True, omit_defaults=True):
    """A row of `gen_metadata`."""

    idx: int
    data: GeneratorMetadata
    """Protocol Buffers."""
    size: _Count = UNSET


class ToolCall(_Record, kw_only=True, omit_defaults=True):
    """A call of the model, as the database has it."""

    id: _Text = UNSET
    """Field 1."""
    name: _Text = UNSET
    """Field 2."""
    arguments_json: _Text = UNSET
    """Field 3."""


class StepMetadata(_Record, kw_only=True, omit_defaults=True):
    """What all steps have."""

    created_at: Timestamp | UnsetType = UNSET
    """Field 1."""
    source: _Count = UNSET
    """Field 3: 2 model, 3 and 4 user (4: typed), 5 and 6 system."""
    tool_call: ToolCall | UnsetType = UNSET
    """Field 4: the call that this step is the run of."""


class UserInput(_Record, kw_only=True, omit_defaults=True):
    """A prompt."""

    query: _Text = UNSET
    """Field 1."""
    user_response: _Text = UNSET
    """Field 2: what was typed."""


class PlannerResponse(_Record, kw_only=True, omit_defaults=True):
    """An answer of the model."""

    response: _Text = UNSET
    """Field 1."""
    thinking: _Text = UNSET
    """Field 3."""
    thinking_signature: _Text = UNSET
    """Field 4."""
    tool_calls: list[ToolCall] | UnsetType = UNSET
    """Field 7."""


class Step(_Record, kw_only=True, omit_defaults=True):
    """What `step_payload` holds; results of tools stand in fields of their own, one a type."""

    type: _Count = UNSET
    """Field 1."""
    status: _Count = UNSET
    """Field 4."""
    metadata: StepMetadata | UnsetType = UNSET
    """Field 5."""
    user_input: UserInput | UnsetType = UNSET
    """Field 19."""
    planner_response: PlannerResponse | UnsetType = UNSET
    """Field 20."""


class StepRow(_Record, kw_only=True, omit_defaults=True):
    """A row of `steps`."""

    idx: int
    step_type: int
    """14 prompt, 15 answer of the model, 21 command, 8 file read, 5 file changed, 7 search, 9 folder and others."""
    status: _Count = UNSET
    """1 pending, 2 running, 3 done, 6 canceled, 7 error and others."""
    step_payload: Step
    """Protocol Buffers."""
    error_details: bytes | UnsetType | None = UNSET
    """Protocol Buffers: what went wrong."""
    step_format: _Count = UNSET


class Workspace(_Record, kw_only=True, omit_defaults=True):
    """A folder that a conversation works on."""

    folder_uri: _Text = UNSET
    """Field 1: a `file:` address."""
    branch_name: _Text = UNSET
    """Field 4."""


class TrajectoryMetadata(_Record, kw_only=True, omit_defaults=True):
    """What the row of `trajectory_metadata_blob` holds."""

    workspaces: list[Workspace] | UnsetType = UNSET
    """Field 1."""
    created_at: Timestamp | UnsetType = UNSET
    """Field 2."""
    parent_conversation_id: _Text = UNSET
    """Field 5: the conversation that started this one as a sub-agent."""
    root_conversation_id: _Text = UNSET
    """Field 6."""
    workspace_uris: list[str] | UnsetType = UNSET
    """Field 7."""


class Trajectory(_Record, kw_only=True, omit_defaults=True):
    """A row of `trajectory_meta`."""

    trajectory_id: str
    cascade_id: str
    """The conversation's id, as its file is called."""
    trajectory_type: _Count = UNSET
    source: _Count = UNSET


class ExportedCall(_Record, kw_only=True, omit_defaults=True, rename="camel"):
    """A call of the model, in an exported document."""

    id: _Text = UNSET
    name: _Text = UNSET
    arguments_json: _Text = UNSET


class ExportedMetadata(_Record, kw_only=True, omit_defaults=True, rename="camel"):
    """What all steps have."""

    created_at: _Text = UNSET
    """RFC 3339, UTC."""
    execution_id: _Text = UNSET
    source: _Text = UNSET
    tool_call: ExportedCall | UnsetType = UNSET


class ExportedInput(_Record, kw_only=True, omit_defaults=True, rename="camel"):
    """A prompt."""

    user_response: _Text = UNSET


class ExportedAnswer(_Record, kw_only=True, omit_defaults=True, rename="camel"):
    """An answer of the model."""

    thinking: _Text = UNSET
    response: _Text = UNSET
    tool_calls: list[ExportedCall] | UnsetType = UNSET


class ExportedStep(_Record, kw_only=True, omit_defaults=True, rename="camel"):
    """A step; what a tool gave stands in a member named for its type, such as `runCommand`."""

    type: str
    """CORTEX_STEP_TYPE_ and a type as in the log."""
    status: _Text = UNSET
    metadata: ExportedMetadata | UnsetType = UNSET
    user_input: ExportedInput | UnsetType = UNSET
    planner_response: ExportedAnswer | UnsetType = UNSET


class ExportedUsage(_Record, kw_only=True, omit_defaults=True, rename="camel"):
    """Token counts of a request, as texts of digits; the buckets are those of the database."""

    input_tokens: str | int | UnsetType = UNSET
    output_tokens: str | int | UnsetType = UNSET
    thinking_output_tokens: str | int | UnsetType = UNSET
    cache_read_tokens: str | int | UnsetType = UNSET


class ExportedStart(_Record, kw_only=True, omit_defaults=True, rename="camel"):
    """How a request began."""

    created_at: _Text = UNSET


class ExportedChat(_Record, kw_only=True, omit_defaults=True, rename="camel"):
    """A request to a model."""

    model: _Text = UNSET
    usage: ExportedUsage | UnsetType = UNSET
    chat_start_metadata: ExportedStart | UnsetType = UNSET


class ExportedRequest(_Record, kw_only=True, omit_defaults=True, rename="camel"):
    """A request with the steps that came of it."""

    step_indices: list[int] | UnsetType = UNSET
    chat_model: ExportedChat | UnsetType = UNSET


class TrajectoryDocument(_Record, kw_only=True, omit_defaults=True, rename="camel"):
    """`<id>.trajectory.json`, which another program writes from the database. Described, never seen as a real file."""

    trajectory_id: str
    cascade_id: _Text = UNSET
    """The conversation's id, as its file is called."""
    steps: list[ExportedStep]
    generator_metadata: list[ExportedRequest] | UnsetType = UNSET


RECORDS = (LogLine, HistoryLine, StepRow, GenMetadata, Trajectory, TrajectoryMetadata, TrajectoryDocument)
