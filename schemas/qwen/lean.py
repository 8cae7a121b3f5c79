"""What reading needs of a line of a Qwen Code session, decoded in one go.

The whole of what is on disk is described beside this module; here are only the fields that the reader looks at. All
have defaults: a line is judged by the reader, not by the decoder.
"""

from __future__ import annotations

import msgspec
from msgspec import UNSET, UnsetType

from panscript.schemas.genai import Content

__all__ = [
    "KNOWN_SUBTYPES",
    "TYPED",
    "Payload",
    "Row",
    "ToolCallResult",
    "UsageMetadata",
    "UsageRow",
    "row_decoder",
    "usage_decoder",
]

KNOWN_SUBTYPES = frozenset(
    """
    agent_bootstrap agent_launch_prompt agent_retry agent_session_ready at_command attribution_snapshot
    background_task_completed branch_checkpoint chat_compression cron custom_title file_history_snapshot goal_state
    goal_turn_end managed_session_commit_v1 managed_session_event_v1 managed_session_header_v1 notification omni_recall
    parent_session rewind session_approval_mode session_artifact_event session_artifact_snapshot
    session_execution_engine session_model session_notes session_source session_sources_snapshot slash_command
    turn_result ui_telemetry user_text_elements
    """.split()
)
"""Of rows of type `system`."""
TYPED = frozenset({None, "mid_turn_user_message"})
"""Subtypes of rows of type `user` that a person typed."""

Count = int | float | str | None
_NOTHING = msgspec.Raw(b"")


class _Camel(msgspec.Struct, gc=False, rename="camel", kw_only=True):
    """Names are in camel case."""


class UsageMetadata(_Camel):
    """Tokens of one request, under the names of Google's interface."""

    prompt_token_count: Count = None
    candidates_token_count: Count = None
    thoughts_token_count: Count = None
    cached_content_token_count: Count = None
    total_token_count: Count = None


class ToolCallResult(_Camel):
    """How a call ended, beside what the model was told."""

    call_id: str | None = None
    status: str | None = None
    result_display: msgspec.Raw = _NOTHING


class UiEvent(msgspec.Struct, gc=False, kw_only=True):
    """What was measured."""

    call_id: str | None = None
    duration_ms: int | float | None = None


class Info(_Camel):
    """What a compression did."""

    original_token_count: Count = None


class Payload(_Camel):
    """`systemPayload` of any kind."""

    custom_title: str | None = None
    parent_session_id: str | None = None
    model_id: str | None = None
    ui_event: UiEvent | None = None
    info: Info | None = None
    compressed_history: list[Content] | None = None


class Fork(_Camel):
    """Where a row was copied from."""

    session_id: str | None = None


class Row(_Camel):
    """Any line."""

    uuid: str | None = None
    parent_uuid: str | UnsetType | None = UNSET
    session_id: str | None = None
    timestamp: str | int | float | None = None
    type: str | None = None
    subtype: str | None = None
    provenance: str | None = None
    cwd: str | None = None
    version: str | None = None
    git_branch: str | None = None
    message: Content | None = None
    model: str | None = None
    usage_metadata: UsageMetadata | None = None
    tool_call_result: ToolCallResult | None = None
    system_payload: Payload | None = None
    agent_id: str | None = None
    is_sidechain: bool | None = None
    forked_from: Fork | None = None


class _Object(_Camel):
    """Any object."""


class UsageRow(_Camel):
    """What counting needs of a line."""

    uuid: str | None = None
    session_id: str | None = None
    timestamp: str | int | float | None = None
    type: str | None = None
    message: _Object | None = None
    model: str | None = None
    usage_metadata: UsageMetadata | None = None
    agent_id: str | None = None
    is_sidechain: bool | None = None
    forked_from: Fork | None = None


row_decoder = msgspec.json.Decoder(Row)
usage_decoder = msgspec.json.Decoder(UsageRow)
