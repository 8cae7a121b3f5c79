"""Lines of a log, one struct a type. Times are numbers of milliseconds since 1970 UTC."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from panscript.schemas.dsh.blocks import (
    Block,
    Chunk,
    Flag,
    Message,
    Named,
    Number,
    Packed,
    Range,
    Route,
    Text,
    ToolFailure,
    Usage,
)

__all__ = ["EVENTS"]


class _Line(msgspec.Struct, kw_only=True, omit_defaults=True, rename="camel", tag_field="type"):
    """A JSON object of its own line."""


class Header(_Line, tag="session"):
    """The first line."""

    version: Number = UNSET  # of the format
    id: Text = UNSET
    created_at: Number = UNSET
    cwd: Text = UNSET
    delegation_depth: Number = UNSET  # 0: a person's own session
    parent_session: Text = UNSET
    origin: Text = UNSET  # `subagent`
    agent_preset: Text = UNSET
    seed_length: Number = UNSET  # version 0: so many events are the parent's
    is_seeded: Flag = UNSET  # version 4: the parent's events end at `session/end-seed`


class Operation(Named):
    """The events from one to another, as the model sees them, are replaced by this one."""

    op: Text = UNSET
    start: Number = UNSET
    end: Number = UNSET
    start_seq: Number = UNSET
    end_seq: Number = UNSET


class _Event(_Line):
    """What every event has."""

    seq: Number = UNSET  # from 0, without gaps
    time: Number = UNSET
    surface_op: str | Operation | UnsetType | None = UNSET  # `append`, where the model sees it
    source_event_seqs: list[int] | UnsetType | None = UNSET
    ignorable: Flag = UNSET  # a reader that does not know the type may go on


class TurnData(Named):
    """A round, and how it ended."""

    turn: Number = UNSET
    step: Number = UNSET
    reason: Any = UNSET  # {kind}


class TurnStart(_Event, tag="turn/start"):
    """A person's prompt, or a notice, is taken up."""

    data: TurnData | UnsetType = UNSET


class TurnEnd(_Event, tag="turn/end"):
    """It is done."""

    data: TurnData | UnsetType = UNSET


class StepStart(_Event, tag="step/start"):
    """One request and its tools."""

    data: TurnData | UnsetType = UNSET


class StepEnd(_Event, tag="step/end"):
    """They are done."""

    data: TurnData | UnsetType = UNSET


class RequestHead(Named):
    """What requests are made with."""

    config: dict[str, Any] | UnsetType | None = UNSET  # provider, model, maxTokens
    adapter_defaults: Any = UNSET
    tools: list[Any] | UnsetType | None = UNSET


class RequestHeaderData(Named):
    """What requests are made with from here on."""

    header: RequestHead | UnsetType | None = UNSET
    reason: Text = UNSET
    starts_series: Flag = UNSET


class RequestHeader(_Event, tag="request/header"):
    """Requests change."""

    data: RequestHeaderData | UnsetType = UNSET


class RequestContextData(Route):
    """The model's context."""

    context_window: Number = UNSET


class RequestContext(_Event, tag="request/context"):
    """How much the model can take."""

    data: RequestContextData | UnsetType = UNSET


class MessageData(Named):
    """A message in its round."""

    turn: Number = UNSET
    step: Number = UNSET
    message: Message | UnsetType | None = UNSET


class SystemMessage(_Event, tag="system/message"):
    """The system prompt."""

    data: MessageData | UnsetType = UNSET


class UserMessage(_Event, tag="user/message"):
    """What a person typed, or what the harness puts before the model; its `source` says which."""

    data: Message | UnsetType = UNSET


class AssistantData(MessageData):
    """A response."""

    usage: Usage | UnsetType | None = UNSET
    stream: list[Any] | UnsetType | None = UNSET  # version 4: the pieces it came in, once more


class AssistantMessage(_Event, tag="assistant/message"):
    """The model answered."""

    data: AssistantData | UnsetType = UNSET


class ChunkData(Named):
    """A piece of a response in its round."""

    turn: Number = UNSET
    step: Number = UNSET
    chunk: Chunk | UnsetType | None = UNSET


class AssistantChunk(_Event, tag="assistant/chunk"):
    """A piece of a response; the message that follows says it again."""

    data: ChunkData | UnsetType = UNSET


class _Chunks(_Line):
    """Many pieces on one line: events of consecutive numbers."""

    seq0: Number = UNSET
    time0: Number = UNSET
    data: Packed | UnsetType = UNSET


class TextChunks(_Chunks, tag="text-chunks"):
    """Pieces of text."""


class ReasoningChunks(_Chunks, tag="reasoning-chunks"):
    """Pieces of reasoning."""


class ToolCallChunks(_Chunks, tag="tool-call-chunks"):
    """Pieces of a call's arguments."""


class ToolCallData(Named):
    """A call, as its message asked for it."""

    turn: Number = UNSET
    step: Number = UNSET
    call_id: Text = UNSET
    name: Text = UNSET
    arguments: Text = UNSET  # JSON


class ToolCall(_Event, tag="tool/call"):
    """A tool runs."""

    data: ToolCallData | UnsetType = UNSET


class ToolResultData(MessageData):
    """How a call ended."""

    error: ToolFailure | UnsetType | None = UNSET
    meta: Any = UNSET  # of the tool: cwd, path, lines


class ToolResult(_Event, tag="tool/result"):
    """A tool ended. A result that was cut for the model comes again with the same call."""

    data: ToolResultData | UnsetType = UNSET


class TitleSource(Named):
    """Who made a title."""

    kind: Text = UNSET  # fallback: a cut of the prompt; provider: the model
    provider: Text = UNSET
    model: Route | UnsetType | None = UNSET


class TitleData(Named):
    """What the session is called from here on."""

    title: Text = UNSET
    message_seqs: list[int] | UnsetType | None = UNSET
    source: TitleSource | UnsetType | None = UNSET


class Title(_Event, tag="session/title"):
    """The session gets a name; the last one counts."""

    data: TitleData | UnsetType = UNSET


class TitleRequestData(Route):
    """How a title is asked for."""

    title_provider: Text = UNSET
    message_seqs: list[int] | UnsetType | None = UNSET
    route: Route | UnsetType | None = UNSET
    system: Text = UNSET
    messages: list[Message] | UnsetType | None = UNSET
    max_tokens: Number = UNSET


class TitleRequest(_Event, tag="session/title-llm-request"):
    """A model is asked for a title; what it costs is nowhere."""

    data: TitleRequestData | UnsetType = UNSET


class EndSeedData(Named):
    """Whether what came before is the parent's."""

    inherited: Flag = UNSET


class EndSeed(_Event, tag="session/end-seed"):
    """The session goes on from here: after a resume, or after what a fork inherited."""

    data: EndSeedData | UnsetType = UNSET


class CompactionData(Named):
    """A compaction, and what went wrong."""

    compaction_id: Text = UNSET
    turn: Number = UNSET
    error: Text = UNSET


class CompactionStart(_Event, tag="compaction/start"):
    """A summary is asked for."""

    data: CompactionData | UnsetType = UNSET


class CompactionEnd(_Event, tag="compaction/end"):
    """It is in place, or was refused."""

    data: CompactionData | UnsetType = UNSET


class ShadowData(Named):
    """Events that the model does not see any longer."""

    shadowed_range: Range | UnsetType | None = UNSET
    shadowed_seqs: list[int] | UnsetType | None = UNSET
    shadowed_token_count: Number = UNSET


class CompactionPrune(_Event, tag="compaction/prune"):
    """Long results are cut."""

    data: ShadowData | UnsetType = UNSET


class SummaryData(ShadowData):
    """A summary, and what it cost."""

    compaction_id: Text = UNSET
    summary: list[Block] | UnsetType | None = UNSET
    raw_output: list[Block] | UnsetType | None = UNSET
    llm_stream_call: Flag = UNSET
    provider: Text = UNSET
    model: Text = UNSET
    max_tokens: Number = UNSET
    usage: Usage | UnsetType | None = UNSET


class CompactionSummary(_Event, tag="compaction/summary"):
    """What stands for the events that it shadows; a `user/message` brings it to the model."""

    data: SummaryData | UnsetType = UNSET


class InboxData(Named):
    """Prompts that wait."""

    target: Text = UNSET
    start: Number = UNSET
    removed_count: Number = UNSET
    inserted: list[Message] | UnsetType | None = UNSET


class InboxSpliced(_Event, tag="agent/inbox/spliced"):
    """The queue of prompts changes; what is in it comes again as `user/message`."""

    data: InboxData | UnsetType = UNSET


class JobData(Named):
    """A command, and how it ended."""

    job_id: Text = UNSET
    owner: Text = UNSET  # session
    kind: Text = UNSET
    label: Text = UNSET
    started_at: Number = UNSET
    tool_call: Any = UNSET  # {callId, rootCallId}
    finished_at: Number = UNSET
    status: Text = UNSET
    cause: Text = UNSET
    producer_reported: Flag = UNSET
    detail: Text = UNSET  # `exit code: 3`


class JobRegistered(_Event, tag="job/registered"):
    """A command runs."""

    data: JobData | UnsetType = UNSET


class JobSettled(_Event, tag="job/settled"):
    """A command ended."""

    data: JobData | UnsetType = UNSET


class SubagentData(Named):
    """A sub-agent: in its parent's log which one it is, in its own what it runs with."""

    version: Number = UNSET
    child_id: Text = UNSET
    child_created_at: Number = UNSET
    mode: Text = UNSET
    label: Text = UNSET
    provider: Text = UNSET
    agent_provider: Text = UNSET
    agent_model: Text = UNSET


class SubagentCatalog(_Event, tag="subagent/catalog"):
    """A sub-agent was started."""

    data: SubagentData | UnsetType = UNSET


class SubagentDescriptor(_Event, tag="subagent/descriptor"):
    """The session is a sub-agent."""

    data: SubagentData | UnsetType = UNSET


class PolicyData(Named):
    """What the agent may do, and who says so."""

    preset: Text = UNSET
    mode: Text = UNSET
    policy: Text = UNSET
    source: Text = UNSET


class PermissionPreset(_Event, tag="permission/preset"):
    """What the agent may do."""

    data: PolicyData | UnsetType = UNSET


class SandboxMode(_Event, tag="sandbox/mode"):
    """Which files it may touch."""

    data: PolicyData | UnsetType = UNSET


class ApprovalPolicy(_Event, tag="approval/policy"):
    """When it asks."""

    data: PolicyData | UnsetType = UNSET


EVENTS = (
    Header,
    TurnStart,
    TurnEnd,
    StepStart,
    StepEnd,
    RequestHeader,
    RequestContext,
    SystemMessage,
    UserMessage,
    AssistantMessage,
    AssistantChunk,
    TextChunks,
    ReasoningChunks,
    ToolCallChunks,
    ToolCall,
    ToolResult,
    Title,
    TitleRequest,
    EndSeed,
    CompactionStart,
    CompactionEnd,
    CompactionPrune,
    CompactionSummary,
    InboxSpliced,
    JobRegistered,
    JobSettled,
    SubagentCatalog,
    SubagentDescriptor,
    PermissionPreset,
    SandboxMode,
    ApprovalPolicy,
)
