"""Bookkeeping beside the conversation: what the harness notes about items, retained context, ids it made up.

All of it is for Codex' own replay, and none of it is needed to read a conversation, with one exception:
`content_item_kinds` names what each block of a message is, so it tells typed text from injected text.
"""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from msgspec import Meta

from panscript.schemas.codex.base import UnknownVariant, Wire, tags
from panscript.schemas.codex.vocabulary import (
    CallId,
    CyberAccessProgram,
    ImageDetail,
    ItemId,
    MessagePhase,
    TurnId,
)

__all__ = [
    "RETAINED_EVENTS",
    "AcceptedFileAudio",
    "AcceptedFileAudioEvent",
    "ContentItemMetadata",
    "DeliveredAssistantMessage",
    "GuardianRetainedOmissions",
    "HarnessMetadata",
    "IdAllocation",
    "ImageReplaySource",
    "ItemRevision",
    "McpAttribution",
    "McpAttributionSource",
    "McpResourceOrigin",
    "McpResourceOrigins",
    "MessageMetadata",
    "ModelFacingId",
    "PreviousTurnSettings",
    "Provenance",
    "RetainedContext",
    "RetainedContextEvent",
    "RetainedMessage",
    "RetainedSource",
    "RetainedSourceId",
    "SecurityRiskScore",
    "SenderDelivery",
    "SenderUserMessages",
    "TurnAttribution",
    "VerifiedAnswer",
    "VerifiedAnswerEvent",
    "VerifiedQuestionAnswer",
    "WindowId",
]


class Provenance(Wire):
    """Where a content block came from."""

    type: Annotated[str, Meta(examples=["user", "harness", "tool", "agents_md", "skills"])]
    hook: bool | None = None  # with `harness`: a hook made it
    namespace: str | None = None  # with `tool`: the tool's namespace


class ContentItemMetadata(Wire):
    """What is known about one content block."""

    provenance: Provenance | None = None


class MessageMetadata(Wire):
    """`internal_chat_message_metadata_passthrough` (since 0.15x); `metadata` with a turn id alone in 0.14x."""

    turn_id: TurnId | None = None  # the turn the item belongs to
    create_time: float | None = None  # seconds since 1970-01-01 UTC
    content_item_kinds: list[str] | None = None  # the kind of each block, `user.text` = typed; since 0.153
    content_item_metadata: list[ContentItemMetadata | None] | None = None  # one a block; since 0.171


class IdAllocation(Wire):
    """How an item id was made up, so that a replay gives the same one."""

    ordinal: int
    salt: str
    value: int
    prefix: str | None = None
    suffix: str | None = None


class ItemRevision(Wire):
    """An item id together with how it was made up."""

    id: str
    id_allocation: IdAllocation


class ModelFacingId(Wire):
    """A window id shown to the model in place of a random one."""

    ordinal: int
    salt: str
    value: int


WindowId: TypeAlias = str | ModelFacingId
"""Id of a context window: a new one begins at every compaction."""


class RetainedSourceId(Wire):
    """Which message a retained text comes from."""

    message_id: ItemId
    role: Annotated[str, Meta(examples=["user", "assistant"])]
    turn_id: TurnId


class RetainedSource(Wire):
    """A message of the conversation and the version of it that was kept."""

    complete: bool  # nothing was cut
    id: RetainedSourceId
    revision: str | ItemRevision


class SenderUserMessages(Wire):
    """User text of the sending agent that travelled with a message."""

    receiver_message_id: ItemId
    receiver_turn_id: TurnId
    text: str


class ImageReplaySource(Wire):
    """The original of an image that was made smaller for the model."""

    original_data_url: str
    prepared_url_digest: list[int]  # bytes of a hash
    detail: ImageDetail | None = None


class GuardianRetainedOmissions(Wire):
    """What the reviewer did not get to see."""

    assistant_context: bool
    user_instructions: bool


class McpAttributionSource(Wire):
    """An MCP tool whose output is in the context."""

    first_turn_id: TurnId
    server_name: str
    tool_name: str
    connector_id: str | None = None
    plugin_id: str | None = None


class McpAttribution(Wire):
    """Which MCP tools may have shaped an item."""

    status: Annotated[str, Meta(examples=["none", "complete", "attribution_error"])]
    sources: list[McpAttributionSource] | None = None
    error_reason: Annotated[
        str | None,
        Meta(
            examples=[
                "history_missing_checkpoint",
                "checkpoint_invalid",
                "checkpoint_source_conflict",
                "source_invalid",
                "recorder_poisoned",
                "payload_too_large",
                "serialization_failed",
                "unknown",
                "restored_error_unknown",
            ]
        ),
    ] = None


class HarnessMetadata(Wire):
    """`metadata` beside the payload of a `response_item` line (since 0.171)."""

    additional_context_tool_output: bool | None = None
    client_authored: bool | None = None  # came from the client, not from the model
    compaction_model_hash: str | None = None
    compaction_output: bool | None = None  # the model's summary reply
    compaction_without_file_error_sources: bool | None = None
    delivered_assistant_message: str | None = None
    fallback_token_limit_override: int | None = None
    guardian_retained_omissions: GuardianRetainedOmissions | None = None
    guardian_review_ids: list[str | ItemRevision] | None = None
    guardian_source_order_guidance: bool | None = None
    guardian_sources: list[RetainedSource] | None = None
    harness_authored_configuration: bool | None = None
    history_sequence: int | None = None  # place of the item in the model's history
    image_replay_sources: list[ImageReplaySource] | None = None
    inherited_user_message: bool | None = None  # copied from another thread
    mcp_attribution: McpAttribution | None = None
    model_search_state: Annotated[str | None, Meta(examples=["unused", "search_mcp", "standalone"])] = None
    native_search_fallback_used: bool | None = None
    retain_across_windows: bool | None = None  # survives a compaction
    retained_source: RetainedSource | None = None
    sampled_through_sequence: int | None = None  # the last item the model had seen
    sender_user_messages: SenderUserMessages | None = None
    tool_audio_budget_applied: bool | None = None
    user_input_order: int | None = None  # place among the messages of the person


class VerifiedQuestionAnswer(Wire):
    """A question put to the person and the answer."""

    question: str
    answer: str


class RetainedMessage(Wire):
    """A message of the person or of the assistant that survives compactions."""

    text: str
    turn_id: TurnId
    complete: bool  # nothing was cut
    inherited: bool | None = None  # comes from another thread
    message_id: ItemId | None = None
    order: int | None = None
    origin: Annotated[str | None, Meta(examples=["user", "heartbeat"])] = None
    phase: MessagePhase | None = None
    revision: str | ItemRevision | None = None


class SenderDelivery(SenderUserMessages):
    """User text of a sending agent, with its place."""

    inherited: bool | None = None
    order: int | None = None
    revision: str | ItemRevision | None = None


class VerifiedAnswer(Wire):
    """Answers of the person that survive compactions."""

    call_id: CallId
    turn_id: TurnId
    questions: list[VerifiedQuestionAnswer]
    inherited: bool | None = None
    order: int | None = None
    revision: str | ItemRevision | None = None


class AcceptedFileAudio(Wire):
    """Sound files the API took."""

    file_ids: list[str]
    model: str
    provider: str
    turn_id: TurnId


class RetainedContext(Wire):
    """`compacted.retained_context`: what is carried over a compaction beside the replacement history."""

    incomplete: bool
    verified_answers: list[VerifiedAnswer]
    accepted_file_audio: AcceptedFileAudio | None = None
    assistant_messages: list[RetainedMessage] | None = None
    assistant_messages_incomplete: bool | None = None
    next_order: int | None = None
    sender_deliveries: list[SenderDelivery] | None = None
    user_messages: list[RetainedMessage] | None = None
    user_messages_incomplete: bool | None = None


class AcceptedFileAudioEvent(Wire, tag_field="type", tag="accepted_file_audio"):
    """`retained_context`: sound files were taken."""

    evidence: AcceptedFileAudio


class VerifiedAnswerEvent(Wire, tag_field="type", tag="verified_answer"):
    """`retained_context`: the person answered questions."""

    call_id: CallId
    turn_id: TurnId
    questions: list[VerifiedQuestionAnswer]
    acceptance_order: int | None = None


class DeliveredAssistantMessage(Wire, tag_field="type", tag="delivered_assistant_message"):
    """`retained_context`: a message reached the person."""

    acceptance_order: int
    complete: bool
    text: str
    turn_id: TurnId
    message_id: ItemId | None = None
    origin: Annotated[str | None, Meta(examples=["user", "heartbeat"])] = None
    phase: MessagePhase | None = None
    retained_source: RetainedSource | None = None


RetainedContextEvent: TypeAlias = (
    AcceptedFileAudioEvent | VerifiedAnswerEvent | DeliveredAssistantMessage | UnknownVariant
)
"""Payload of a `retained_context` line (since 0.171)."""

RETAINED_EVENTS: dict[str, type[Wire]] = tags(RetainedContextEvent)


class SecurityRiskScore(Wire):
    """Payload of a `security_risk_score` line (since 0.171)."""

    scores: dict[str, float]  # by name of the risk
    action: Any = None
    call_id: CallId | None = None
    sampled_at: str | None = None


class McpResourceOrigin(Wire):
    """Which tool call named a resource."""

    call_id: CallId
    connector_id: str
    tool: str
    uri: str
    ambiguous_account: bool | None = None
    link_id: str | None = None
    turn_id: TurnId | None = None


class McpResourceOrigins(Wire):
    """`compacted.mcp_resource_origins`."""

    origins: list[McpResourceOrigin]
    turns: list[str]
    current_turn_id: TurnId | None = None


class TurnAttribution(Wire):
    """Who started a turn (since 0.171)."""

    turn_id: TurnId
    root_turn_id: TurnId | None = None  # the turn of the root agent this one serves
    parent_turn_id: TurnId | None = None  # the turn that spawned this agent
    initiating_agent_path: str | None = None  # the agent that sent the message
    turn_trigger: str | None = None


class PreviousTurnSettings(Wire):
    """Settings of the last turn before a compaction."""

    model: str
    comp_hash: str | None = None
    cyber_access_program: CyberAccessProgram | None = None
    realtime_active: bool | None = None
