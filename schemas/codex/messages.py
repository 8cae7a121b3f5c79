"""What the UI knows about messages beyond their text: marked spans, memory citations, moderation, questions, agents."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta, field

from panscript.schemas.codex.base import Wire
from panscript.schemas.codex.vocabulary import ItemId, ModeKind, ReasoningEffort, ThreadId

__all__ = [
    "AgentMessageDisplay",
    "AgentMessageModeration",
    "AgentStatus",
    "AgentStatusObject",
    "AnswerAnnotation",
    "AnswerReplacement",
    "AsyncUserInputQuestion",
    "AudioReference",
    "BlockReason",
    "ByteRange",
    "CodexErrorInfo",
    "CodexErrorObject",
    "CollabAgentRef",
    "CollaborationMode",
    "CollaborationSettings",
    "Delivery",
    "ErrorDetail",
    "HttpFailure",
    "MemoryCitation",
    "MemoryCitationEntry",
    "NotSteerable",
    "TargetedAnswerModeration",
    "TextElement",
]

Delivery = Annotated[str, Meta(examples=["async"])]


class ByteRange(Wire):
    """A half-open range of UTF-8 bytes of the text beside it."""

    start: int
    end: int


class TextElement(Wire):
    """A span the UI shows as one thing, like `[Image #1]` or a mention (since about 0.8x)."""

    byte_range: ByteRange
    placeholder: str | None = None  # what was shown


class MemoryCitationEntry(Wire, rename="camel"):
    """Lines of a memory file the answer rests on."""

    path: str
    line_start: int
    line_end: int
    note: str


class MemoryCitation(Wire, rename="camel"):
    """Which memories the answer rests on (since about 0.12x)."""

    entries: list[MemoryCitationEntry]
    rollout_ids: list[ThreadId]  # the threads those memories came from


class AnswerAnnotation(Wire):
    """Help that is shown beside an answer."""

    kind: Annotated[str, Meta(examples=["wellbeingHelpline"])]
    subject: Annotated[str | None, Meta(examples=["answer", "prompt"])] = None


class AnswerReplacement(Wire):
    """What is shown in place of an answer."""

    kind: Annotated[str, Meta(examples=["wellbeingPromptHelpline"])]


class BlockReason(Wire):
    """Why an answer is not shown."""

    kind: Annotated[str, Meta(examples=["protection", "cyber"])]
    protection_type: str | None = field(name="protectionType", default=None)  # with `protection`
    trusted_access: bool | None = field(name="trustedAccess", default=None)  # with `cyber`


class AgentMessageDisplay(Wire):
    """Whether and how an answer is shown (since 0.171)."""

    mode: Annotated[str, Meta(examples=["show", "hide", "block"])]
    version: int | None = None
    annotation: AnswerAnnotation | None = None  # with `show`
    trusted_contacts: Annotated[str | None, Meta(examples=["check", "skip"])] = field(
        name="trustedContacts", default=None
    )
    replacement: AnswerReplacement | None = None  # with `hide`
    reason: BlockReason | None = None  # with `block`


class AgentMessageModeration(Wire):
    """The verdict on an answer (since 0.171)."""

    moderated: bool
    display: AgentMessageDisplay | None = None


class TargetedAnswerModeration(AgentMessageModeration):
    """The verdict, and on which item."""

    item_id: ItemId


class AsyncUserInputQuestion(Wire):
    """A question the answer asks without stopping."""

    title: str
    options: list[str] | None = None


class AudioReference(Wire):
    """Sound in a user's message, by URL or by id."""

    audio_url: str | None = None
    file_id: str | None = None


class HttpFailure(Wire):
    """A request that failed."""

    http_status_code: int | None = None


class NotSteerable(Wire):
    """A turn that takes no further input."""

    turn_kind: Annotated[str, Meta(examples=["review", "compact"])]


class CodexErrorObject(Wire):
    """The errors that carry something; one key is set."""

    http_connection_failed: HttpFailure | None = None
    response_stream_connection_failed: HttpFailure | None = None
    response_stream_disconnected: HttpFailure | None = None
    response_too_many_failed_attempts: HttpFailure | None = None
    active_turn_not_steerable: NotSteerable | None = None


CodexErrorInfo: TypeAlias = (
    Annotated[
        str,
        Meta(
            examples=[
                "context_window_exceeded",
                "session_budget_exceeded",
                "usage_limit_exceeded",
                "rate_limit_exceeded",
                "flex_unavailable",
                "server_overloaded",
                "model_not_found",
                "cyber_policy",
                "bio_policy",
                "misalignment_policy_violation",
                "too_many_denials",
                "internal_server_error",
                "unauthorized",
                "bad_request",
                "invalid_prompt",
                "sandbox_error",
                "thread_rollback_failed",
                "policy_capacity_unavailable",
                "inference_hook_denied",
                "other",
            ]
        ),
    ]
    | CodexErrorObject
)
"""What kind of error it was."""


class ErrorDetail(Wire):
    """Why a turn failed."""

    message: str
    codex_error_info: CodexErrorInfo | None = None


class CollaborationSettings(Wire):
    """What a collaboration mode sets."""

    model: str | None = None
    reasoning_effort: ReasoningEffort | None = None
    developer_instructions: str | None = None


class CollaborationMode(Wire):
    """Plan or default mode (since about 0.9x)."""

    mode: ModeKind
    settings: CollaborationSettings | None = None
    model: str | None = None  # before `settings`
    reasoning_effort: ReasoningEffort | None = None  # before `settings`
    developer_instructions: str | None = None  # before `settings`


class AgentStatusObject(Wire):
    """An agent that ended; one key is set."""

    completed: str | None = None  # its last message
    errored: str | None = None  # why it failed


AgentStatus: TypeAlias = (
    Annotated[str, Meta(examples=["pending_init", "running", "interrupted", "shutdown", "not_found"])]
    | AgentStatusObject
)


class CollabAgentRef(Wire):
    """A sub-agent."""

    thread_id: ThreadId
    agent_nickname: str | None = None
    agent_role: str | None = None
