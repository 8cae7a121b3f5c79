"""Voice conversations: `realtime_item` lines (since 0.171) and the realtime events of the protocol.

A transcript segment is spoken text: nobody typed it, and it is not a response item.
"""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from msgspec import Meta, field

from panscript.schemas.codex.base import UnknownVariant, Wire, tags
from panscript.schemas.codex.vocabulary import ItemId, TurnId, UnixMillis

__all__ = [
    "REALTIME_ITEMS",
    "BemItemPresentation",
    "BemItemPromoted",
    "ConversationItemDone",
    "Frame",
    "FrameChannels",
    "HandoffRequested",
    "HistoryTranscriptDelta",
    "NoopRequested",
    "RealtimeAudioFrame",
    "RealtimeEvent",
    "RealtimeItem",
    "RealtimeResponse",
    "RealtimeTranscriptEntry",
    "RealtimeVoice",
    "RealtimeVoices",
    "SessionClosed",
    "SessionEndInputSaved",
    "SessionStarted",
    "SessionUpdated",
    "SpeechStarted",
    "TranscriptDelta",
    "TranscriptDone",
    "TranscriptSegment",
    "TurnInputAccepted",
    "VoiceTranscript",
]

SpeakerRole = Annotated[str, Meta(examples=["user", "assistant"])]
RealtimeVoice = Annotated[
    str,
    Meta(description="Name of a voice: alloy, arbor, ash, ballad, breeze, cedar, coral, cove, echo, ember, ..."),
]


class RealtimeItemBase(Wire, tag_field="type"):
    """Keys of every realtime item."""

    id: str
    realtime_session_id: str
    observed_at_ms: UnixMillis | None = None


class SessionStarted(RealtimeItemBase, tag="realtime_session_started"):
    """A voice session began."""


class VoiceTranscript(Wire):
    """What was said in one frame."""

    role: SpeakerRole
    text: str


class FrameChannels(Wire):
    """What a frame holds."""

    voice_transcript: VoiceTranscript


class Frame(RealtimeItemBase, tag="frame"):
    """A stretch of time with what happened in it."""

    channels: FrameChannels


class TranscriptSegment(RealtimeItemBase, tag="transcript_segment"):
    """What one side said."""

    role: SpeakerRole
    text: str


class BemItemPresentation(Wire):
    """How an item is shown."""

    type: Annotated[str, Meta(examples=["whole_item", "inline_markdown", "inline_visualization"])]
    index: int | None = None  # with `inline_visualization`


class BemItemPromoted(RealtimeItemBase, tag="bem_item_promoted"):
    """An item of the conversation was shown in the voice session."""

    item_id: ItemId
    presentation: BemItemPresentation
    turn_id: TurnId


class SessionClosed(RealtimeItemBase, tag="realtime_session_closed"):
    """A voice session ended."""

    outcome: Annotated[str, Meta(examples=["ended", "failed"])]


class TurnInputAccepted(RealtimeItemBase, tag="turn_input_accepted"):
    """Spoken words became the input of a turn."""

    handoff_id: str
    input: str
    input_item_id: ItemId
    mode: Annotated[str, Meta(examples=["start", "steer"])]
    source_event_ids: list[str]
    turn_id: TurnId


class SessionEndInputSaved(RealtimeItemBase, tag="session_end_input_saved"):
    """Words said at the end were kept for later."""

    input: str
    input_item_id: ItemId
    source_event_ids: list[str]


RealtimeItem: TypeAlias = (
    SessionStarted
    | Frame
    | TranscriptSegment
    | BemItemPromoted
    | SessionClosed
    | TurnInputAccepted
    | SessionEndInputSaved
    | UnknownVariant
)
REALTIME_ITEMS: dict[str, type[Wire]] = tags(RealtimeItem)


class SessionUpdated(Wire):
    """The session got new instructions."""

    realtime_session_id: str
    instructions: str | None = None


class SpeechStarted(Wire):
    """Somebody began to speak."""

    item_id: ItemId | None = None


class TranscriptDelta(Wire):
    """A piece of a transcript."""

    delta: str


class TranscriptDone(Wire):
    """A whole transcript."""

    text: str


class HistoryTranscriptDelta(Wire):
    """A piece of the transcript of one item."""

    delta: str
    item_id: ItemId


class RealtimeAudioFrame(Wire):
    """A piece of sound."""

    data: str  # base64
    num_channels: int
    sample_rate: int  # samples a second
    item_id: ItemId | None = None
    samples_per_channel: int | None = None


class RealtimeResponse(Wire):
    """A response began, ended or was cancelled."""

    response_id: str | None = None


class ConversationItemDone(Wire):
    """An item is complete."""

    item_id: ItemId


class RealtimeTranscriptEntry(Wire):
    """A line of the running transcript."""

    role: str
    text: str


class HandoffRequested(Wire):
    """The voice model hands work over to the agent."""

    active_transcript: list[RealtimeTranscriptEntry]
    handoff_id: str
    input_transcript: str
    item_id: ItemId


class NoopRequested(Wire):
    """The voice model wants nothing done."""

    call_id: str
    item_id: ItemId


class RealtimeEvent(Wire, rename="pascal"):
    """An event of a voice session; one key is set."""

    session_updated: SessionUpdated | None = None
    input_audio_speech_started: SpeechStarted | None = None
    input_transcript_delta: TranscriptDelta | None = None
    input_transcript_done: TranscriptDone | None = None
    output_transcript_delta: TranscriptDelta | None = None
    output_transcript_done: TranscriptDone | None = None
    audio_out: RealtimeAudioFrame | None = None
    response_created: RealtimeResponse | None = None
    response_cancelled: RealtimeResponse | None = None
    response_done: RealtimeResponse | None = None
    conversation_item_added: Any = None
    conversation_item_done: ConversationItemDone | None = None
    history_item_started: RealtimeItem | None = None
    history_transcript_delta: HistoryTranscriptDelta | None = None
    history_item_completed: RealtimeItem | None = None
    handoff_requested: HandoffRequested | None = None
    noop_requested: NoopRequested | None = None
    error: str | None = None


class RealtimeVoices(Wire):
    """The voices there are, by protocol version."""

    v1: list[RealtimeVoice]
    v2: list[RealtimeVoice]
    v3: list[RealtimeVoice] | None = None
    default_v1: RealtimeVoice = field(name="defaultV1")
    default_v2: RealtimeVoice = field(name="defaultV2")
