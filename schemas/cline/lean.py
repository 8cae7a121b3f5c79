"""What reading needs of the files of Cline, Roo Code and Kilo Code; everything else is stepped over."""

from __future__ import annotations

import msgspec

__all__ = ["Block", "HistoryItem", "Manifest", "Message", "Request", "Shown", "TaskMetadata"]

EMPTY = msgspec.Raw(b"")
Count = int | float | str | None
Time = int | float | str | None


class Picture(msgspec.Struct, gc=False):
    """The bytes of a picture."""

    media_type: str | None = None
    data: str | None = None
    url: str | None = None


class Block(msgspec.Struct, gc=False):
    """Any content block."""

    type: str | None = None
    text: str | None = None
    thinking: str | None = None
    signature: str | None = None
    data: str | None = None
    mediaType: str | None = None  # noqa: N815 - as it is written
    path: str | None = None
    source: Picture | None = None
    id: str | None = None
    name: str | None = None
    input: msgspec.Raw = EMPTY
    tool_use_id: str | None = None
    content: msgspec.Raw = EMPTY
    is_error: bool | None = None
    summary: msgspec.Raw = EMPTY
    encrypted_content: str | None = None


class ModelInfo(msgspec.Struct, gc=False, rename="camel"):
    """Who answered."""

    model_id: str | None = None
    provider_id: str | None = None
    id: str | None = None
    provider: str | None = None


class Metrics(msgspec.Struct, gc=False, rename="camel"):
    """What a response used."""

    input_tokens: Count = None
    output_tokens: Count = None
    cache_read_tokens: Count = None
    cache_write_tokens: Count = None
    cost: Count = None
    total_cost: Count = None


class Message(msgspec.Struct, gc=False, rename="camel"):
    """What the model saw or said."""

    role: str | None = None
    type: str | None = None
    id: str | int | None = None
    ts: Time = None
    content: str | list[Block] | None = None
    model_info: ModelInfo | None = None
    metrics: Metrics | None = None
    is_summary: bool | None = None
    is_truncation_marker: bool | None = None
    summary: msgspec.Raw = EMPTY
    encrypted_content: str | None = msgspec.field(name="encrypted_content", default=None)
    reasoning_content: str | None = msgspec.field(name="reasoning_content", default=None)


class Shown(msgspec.Struct, gc=False, rename="camel"):
    """What the person was shown."""

    ts: Time = None
    type: str | None = None
    say: str | None = None
    ask: str | None = None
    text: str | None = None
    reasoning: str | None = None
    images: list[str] | None = None
    partial: bool | None = None
    conversation_history_index: int | None = None
    model_info: ModelInfo | None = None


class Request(msgspec.Struct, gc=False, rename="camel"):
    """The text of a message that carries tokens."""

    tokens_in: Count = None
    tokens_out: Count = None
    cache_writes: Count = None
    cache_reads: Count = None
    cost: Count = None
    api_protocol: str | None = None


class ModelUsage(msgspec.Struct, gc=False):
    """From this time on a model was in use."""

    ts: Time = None
    model_id: str | None = None
    model_provider_id: str | None = None


class EnvironmentEntry(msgspec.Struct, gc=False):
    """From this time on a program ran."""

    cline_version: str | None = None


class TaskMetadata(msgspec.Struct, gc=False):
    """`task_metadata.json`."""

    model_usage: list[ModelUsage] | None = None
    environment_history: list[EnvironmentEntry] | None = None


class HistoryItem(msgspec.Struct, gc=False, rename="camel"):
    """A task in the history."""

    id: str | None = None
    ts: Time = None
    task: str | None = None
    cwd_on_task_initialization: str | None = None
    workspace: str | None = None
    model_id: str | None = None
    parent_task_id: str | None = None


class Fork(msgspec.Struct, gc=False, rename="camel"):
    """Where a session was forked from."""

    forked_from_session_id: str | None = None


class Written(msgspec.Struct, gc=False):
    """The program that wrote a session."""

    version: str | None = None


class Metadata(msgspec.Struct, gc=False, rename="camel"):
    """What the program keeps beside a session."""

    title: str | None = None
    usage: Metrics | None = None
    session_history_origin: Written | None = None
    fork: Fork | None = None


class Manifest(msgspec.Struct, gc=False):
    """The facts of a session since 2026."""

    session_id: str | None = None
    started_at: Time = None
    ended_at: Time = None
    provider: str | None = None
    model: str | None = None
    cwd: str | None = None
    workspace_root: str | None = None
    parent_session_id: str | None = None
    prompt: str | None = None
    metadata: Metadata | None = None
