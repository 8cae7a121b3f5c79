"""From a line of a transcript to its struct and back.

A row is told by `type`, a system row by `subtype` as well. The unions inside rows are open: a block, attachment or
payload of an unknown type is wrapped in the unknown member of its union before msgspec sees it, and unwrapped again on
the way back. The wrapping follows the types, so it never reaches into open data such as the input of a tool.
"""

from __future__ import annotations

from typing import Any, TypeAlias, cast

import msgspec

from panscript.schemas.claude import request_log as requests
from panscript.schemas.claude import rows as chain
from panscript.schemas.claude import state_rows as state
from panscript.schemas.claude.base import Native
from panscript.schemas.claude.import_rows import ImportHeadRow, ImportPartRow
from panscript.schemas.claude.open_unions import unwrapped, wrapped
from panscript.schemas.claude.system_rows import SYSTEM_ROWS, PlainSystemRow, SystemRow

__all__ = ["ROWS", "Row", "UnknownRow", "decode_row", "encode_row", "row_struct"]


class UnknownRow(Native, frozen=True, kw_only=True):
    """A row whose type this schema does not know, or a line of JSON that is no row at all."""

    raw: bytes
    """The line as given."""
    type: str | None = None
    """The type as written; None when the line is no object or its type is no text."""


Row: TypeAlias = (
    chain.UserRow
    | chain.AssistantRow
    | chain.AttachmentRow
    | chain.ProgressRow
    | SystemRow
    | state.StateRow
    | UnknownRow
)
"""Any row; what a system or state row is exactly says its class."""

_STATE = (
    state.Summary,
    state.CustomTitle,
    state.AiTitle,
    state.AgentNameRow,
    state.AgentColor,
    state.AgentSetting,
    state.Tag,
    state.LastPrompt,
    state.Mode,
    state.PermissionMode,
    state.ReplMode,
    state.PrLink,
    state.WorktreeState,
    state.Relocated,
    state.QueueOperation,
    state.FileHistorySnapshot,
    state.FileHistoryDelta,
    state.ContentReplacement,
    state.CostState,
    state.ToolsUsed,
    state.AtisLatch,
    state.MemoryMode,
    state.IsolationLatch,
    state.SessionOwner,
    state.DevMods,
    state.DataFlowRecords,
    state.DataFlowIncomplete,
    state.DerivedFrom,
    state.AttributionSnapshot,
    state.HistorySuppression,
    state.BridgeSession,
    state.FrameLink,
    state.ObserverRef,
    state.ForkContextRef,
    state.ArtifactCommentMonitor,
    state.ArtifactAutoreactLedger,
    state.ContinuedIn,
    state.EndedByModel,
    state.ResumeHeadVouch,
    state.SavedHookContext,
    state.SpeculationAccept,
    state.TaskSummary,
    ImportHeadRow,
    ImportPartRow,
    requests.ApiRequest,
    requests.ApiRequestShape,
    requests.ApiRequestBlob,
    requests.ApiRequestResumed,
)

ROWS: dict[str, type[msgspec.Struct]] = {
    "user": chain.UserRow,
    "assistant": chain.AssistantRow,
    "system": PlainSystemRow,
    "attachment": chain.AttachmentRow,
    "progress": chain.ProgressRow,
    **{cast("str", each.__struct_config__.tag): each for each in _STATE},
}
"""Row structs by `type`; for `system` the one without a known subtype, see `SYSTEM_ROWS` for the others."""


def row_struct(value: Any) -> type[msgspec.Struct] | None:
    """The struct of a decoded row, or None when its type is not known."""
    tag = value.get("type") if isinstance(value, dict) else None
    if not isinstance(tag, str):
        return None
    if tag == "system" and isinstance(value.get("subtype"), str):
        return SYSTEM_ROWS.get(value["subtype"], PlainSystemRow)
    return ROWS.get(tag)


def decode_row(raw: bytes) -> Row:
    """Decode one line of a transcript (line end optional, leading NUL bytes as the agent itself tolerates them).

    A row of unknown type gives `UnknownRow`. Raises `msgspec.DecodeError` when the line is not JSON and
    `msgspec.ValidationError`, with the path, when a known type has a wrong shape.
    """
    value = msgspec.json.decode(raw.lstrip(b"\0"))
    struct = row_struct(value)
    if struct is None:
        tag = value.get("type") if isinstance(value, dict) else None
        return UnknownRow(raw=raw, type=tag if isinstance(tag, str) else None)
    return cast("Row", msgspec.convert(wrapped(value, struct), struct))


def encode_row(row: Row) -> bytes:
    """Encode one row as the line it stands for, without a line end; an `UnknownRow` gives its bytes back."""
    if isinstance(row, UnknownRow):
        return row.raw
    return msgspec.json.encode(unwrapped(msgspec.to_builtins(row), type(row)))
