"""Ids, units and closed word lists of Codex' files.

A word list is an open string: `examples` holds the words known up to 0.171.0 (which is how JSON Schema shows them),
and a word outside it is no error. `panscript.schemas.codex.decode.unknown_values` reports such words.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

__all__ = [
    "AgentPath",
    "ApprovalsReviewer",
    "CallId",
    "CollabAgentTool",
    "CollabStatus",
    "CommandSource",
    "CommandStatus",
    "CyberAccessProgram",
    "DynamicToolStatus",
    "FileUri",
    "HistoryMode",
    "ImageDetail",
    "InlineOrFile",
    "ItemId",
    "McpToolStatus",
    "MemoryMode",
    "MessagePhase",
    "Millis",
    "ModeKind",
    "MultiAgentVersion",
    "PatchStatus",
    "Personality",
    "ReasoningEffort",
    "ReasoningSummary",
    "ResponseId",
    "Role",
    "SessionId",
    "SubAgentKind",
    "ThreadId",
    "Time",
    "TurnId",
    "UnixMillis",
    "UnixSeconds",
]

ThreadId = Annotated[str, Meta(description="Id of a thread (a conversation file), a UUIDv7.")]
SessionId = Annotated[str, Meta(description="Id of the root thread of a tree of agents.")]
TurnId = Annotated[str, Meta(description="Id of one turn, a UUIDv7.")]
CallId = Annotated[str, Meta(description="Id that pairs a tool call with its output.")]
ItemId = Annotated[str, Meta(description="Id of a response item or of the UI item made from it.")]
ResponseId = Annotated[str, Meta(description="Id of one answer of the model's API.")]
AgentPath = Annotated[str, Meta(description="Slash-separated path of an agent below the root agent.")]
FileUri = Annotated[str, Meta(description="A `file:///...` URI; a plain path before about 0.15x.")]

Time = Annotated[str, Meta(description="RFC 3339 time in UTC with milliseconds.")]
UnixSeconds = Annotated[int, Meta(description="Seconds since 1970-01-01 UTC.")]
UnixMillis = Annotated[int, Meta(description="Milliseconds since 1970-01-01 UTC.")]
Millis = Annotated[int, Meta(description="A duration in milliseconds.")]

Role = Annotated[str, Meta(examples=["user", "assistant", "developer", "system"])]
MessagePhase = Annotated[str, Meta(examples=["commentary", "partial_answer", "final_answer"])]
ImageDetail = Annotated[str, Meta(examples=["auto", "low", "high", "original"])]
InlineOrFile = Annotated[str, Meta(examples=["inline", "file"])]

HistoryMode = Annotated[str, Meta(examples=["legacy", "paginated"])]
MemoryMode = Annotated[str, Meta(description="Whether memories may be made from this thread.")]
MultiAgentVersion = Annotated[str, Meta(examples=["disabled", "v1", "v2"])]
ModeKind = Annotated[str, Meta(examples=["plan", "default"])]
Personality = Annotated[str, Meta(examples=["none", "friendly", "pragmatic"])]
ReasoningEffort = Annotated[str, Meta(description="How hard the model thinks: low, medium, high, xhigh, max, ...")]
ReasoningSummary = Annotated[str, Meta(examples=["auto", "concise", "detailed", "none"])]
ApprovalsReviewer = Annotated[str, Meta(examples=["user", "auto_review", "guardian_subagent"])]
CyberAccessProgram = Annotated[str, Meta(examples=["standard", "daybreak_blue", "daybreak_red"])]

CommandSource = Annotated[
    str, Meta(examples=["agent", "user_shell", "unified_exec_startup", "unified_exec_interaction"])
]
CommandStatus = Annotated[str, Meta(examples=["in_progress", "completed", "failed", "declined"])]
PatchStatus = Annotated[str, Meta(examples=["in_progress", "completed", "failed", "declined"])]
McpToolStatus = Annotated[str, Meta(examples=["inProgress", "completed", "failed"])]
DynamicToolStatus = Annotated[str, Meta(examples=["in_progress", "completed", "failed"])]
CollabStatus = Annotated[str, Meta(examples=["in_progress", "completed", "failed", "interrupted"])]
CollabAgentTool = Annotated[
    str,
    Meta(
        examples=[
            "spawn_agent",
            "send_input",
            "resume_agent",
            "wait",
            "close_agent",
            "send_message",
            "followup_task",
            "interrupt_agent",
            "list_agents",
        ]
    ),
]
SubAgentKind = Annotated[str, Meta(examples=["started", "interacted", "interrupted", "completed"])]
