"""What reading needs of a line of a Copilot event log, decoded in one go.

The whole of what is on disk is described beside this module; here are only the fields that the reader looks at. All
have defaults: a line is judged by the reader, not by the decoder.
"""

from __future__ import annotations

from typing import Any

import msgspec

__all__ = ["STATE_TYPES", "Counts", "Data", "Row", "ToolRequest", "UsageRow", "row_decoder", "usage_decoder"]

STATE_TYPES = frozenset(
    """
    session.start session.resume session.model_change session.usage_record session.shutdown session.compaction_start
    session.compaction_complete session.error session.warning session.info session.truncation session.idle
    session.title_changed session.mode_changed session.plan_changed session.handoff session.context_changed
    session.workspace_file_changed session.snapshot_rewind session.task_complete session.usage_info
    assistant.turn_start assistant.turn_end assistant.intent assistant.usage assistant.reasoning_delta
    assistant.message_delta assistant.streaming_delta assistant.reasoning
    tool.execution_start tool.execution_progress tool.execution_partial_result tool.user_requested
    subagent.started subagent.configured subagent.selected subagent.deselected subagent.completed subagent.failed
    model.turn_started model.model_call_started model.model_call_success model.model_call_failure model.message
    model.response model.turn_ended model.messages_snapshot
    skill.invoked hook.start hook.end abort permission.requested permission.completed
    """.split()
)
"""Lines of known types that say nothing in the conversation, or that say what another one says."""

Count = int | float | str | None


class _Camel(msgspec.Struct, gc=False, rename="camel"):
    """Copilot writes its names in camel case."""


class Accounting(_Camel):
    """How a request is booked."""

    usage_id: str | None = None


class Counts(_Camel):
    """Token counts of one request; input is the whole prompt, what a cache gave or took included."""

    model: str | None = None
    input_tokens: Count = None
    output_tokens: Count = None
    cache_read_tokens: Count = None
    cache_write_tokens: Count = None
    reasoning_tokens: Count = None
    api_call_id: str | None = None
    model_provider: str | None = None
    accounting: Accounting | None = None


class Metrics(_Camel):
    """What a session used of one model, over all its runs."""

    usage: Counts | None = None


class Where(_Camel):
    """Where a session runs."""

    cwd: str | None = None
    branch: str | None = None


class Attachment(_Camel):
    """Something that a person put beside what they typed."""

    type: str | None = None
    path: str | None = None
    file_path: str | None = None
    display_name: str | None = None
    data: str | None = None
    mime_type: str | None = None
    text: str | None = None


class ThoughtBlock(_Camel):
    """A block of reasoning as the vendor's interface has it."""

    type: str | None = None
    thinking: str | None = None
    text: str | None = None
    signature: str | None = None
    data: str | None = None


class Thoughts(_Camel):
    """The reasoning of one response."""

    provider: str | None = None
    blocks: list[ThoughtBlock] | None = None


class ToolRequest(_Camel):
    """A call that the model asked for."""

    tool_call_id: str | None = None
    name: str | None = None
    arguments: msgspec.Raw = msgspec.Raw(b"")
    type: str | None = None


class Part(_Camel):
    """A piece of a result that has several."""

    type: str | None = None
    text: str | None = None
    data: str | None = None
    mime_type: str | None = None


class Result(_Camel):
    """What a tool gave back."""

    content: str | None = None
    detailed_content: msgspec.Raw = msgspec.Raw(b"")
    contents: list[Part] | None = None


class Failure(_Camel):
    """What a tool failed with."""

    message: str | None = None


class ShellExecution(_Camel):
    """How a command ended."""

    exit_code: int | None = None


class Data(_Camel):
    """What any event says."""

    session_id: str | None = None
    producer: str | None = None
    copilot_version: str | None = None
    start_time: str | int | float | None = None
    selected_model: str | None = None
    new_model: str | None = None
    context: Where | None = None
    detached_from_spawning_parent_session_id: str | None = None
    content: str | None = None
    attachments: list[Attachment] | None = None
    source: str | None = None
    role: str | None = None
    message_id: str | None = None
    model: str | None = None
    reasoning_text: str | None = None
    reasoning_opaque: str | None = None
    encrypted_content: str | None = None
    reasoning_blocks: Thoughts | None = None
    tool_requests: list[ToolRequest] | None = None
    api_call_id: str | None = None
    request_id: str | None = None
    tool_call_id: str | None = None
    tool_name: str | None = None
    arguments: msgspec.Raw = msgspec.Raw(b"")
    success: bool | None = None
    result: Result | None = None
    error: Failure | str | None = None
    shell_execution: ShellExecution | None = None
    summary_content: str | None = None
    pre_compaction_tokens: int | float | None = None
    trigger: str | None = None
    usage: Counts | None = None
    model_metrics: dict[str, Metrics] | None = None
    title: str | None = None
    message: Any = None
    """Text in an error; an object in traces, which are not looked at."""


class Row(_Camel):
    """Any line."""

    type: str | None = None
    id: str | None = None
    timestamp: str | int | float | None = None
    agent_id: str | None = None
    data: Data | None = None


class UsageData(_Camel):
    """What counting needs of what an event says."""

    usage: Counts | None = None
    model_metrics: dict[str, Metrics] | None = None


class UsageRow(_Camel):
    """What counting needs of a line."""

    type: str | None = None
    timestamp: str | int | float | None = None
    agent_id: str | None = None
    data: UsageData | None = None


row_decoder = msgspec.json.Decoder(Row)
usage_decoder = msgspec.json.Decoder(UsageRow)
