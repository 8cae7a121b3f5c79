"""The four projections of a session as they are printed: one flat object a line, snake case, absent keys left out."""

from __future__ import annotations

import hashlib
from typing import Literal, NamedTuple

import msgspec

from panscript.schemas.events import Role, Status

__all__ = [
    "KINDS",
    "MessageLine",
    "Projection",
    "SessionMetaLine",
    "Told",
    "ToolCallLine",
    "UsageLine",
    "content_hash",
    "session_key",
]

KINDS = ("usage", "message", "tool_call", "session_meta")
UNSET = msgspec.UNSET
_Text = str | msgspec.UnsetType


class _Line(msgspec.Struct, kw_only=True, omit_defaults=True, gc=False, tag_field="kind"):
    source: str
    """Agent id."""
    session_id: str
    timestamp: str | None
    """ISO 8601 UTC with milliseconds."""


class UsageLine(_Line, kw_only=True, omit_defaults=True, gc=False, tag="usage"):
    """Tokens of one response, counted once."""

    agent_id: _Text = UNSET
    repo_root: _Text = UNSET
    provider: _Text = UNSET
    model: _Text = UNSET
    input_tokens: int
    output_tokens: int
    reasoning_tokens: int
    cache_read_tokens: int
    cache_write_tokens: int
    cache_write_1h_tokens: int = 0
    total_tokens: int
    cost_usd: float | msgspec.UnsetType = UNSET
    cost_mode: Literal["explicit", "estimated"]
    single_request: bool = False
    message_id: _Text = UNSET
    request_id: _Text = UNSET
    raw_provider: _Text = UNSET
    raw: msgspec.Raw | msgspec.UnsetType = UNSET


class MessageLine(_Line, kw_only=True, omit_defaults=True, gc=False, tag="message"):
    """Something said."""

    role: Role
    text_length: int
    """Characters."""
    message_id: _Text = UNSET
    model: _Text = UNSET
    text: _Text = UNSET
    raw: msgspec.Raw | msgspec.UnsetType = UNSET


class ToolCallLine(_Line, kw_only=True, omit_defaults=True, gc=False, tag="tool_call"):
    """A call and how it ended; `timestamp` is the call's."""

    name: str
    status: Status
    tool_call_id: _Text = UNSET
    completed_at: _Text = UNSET
    duration_ms: int | msgspec.UnsetType = UNSET
    message_id: _Text = UNSET
    raw: msgspec.Raw | dict[str, msgspec.Raw] | msgspec.UnsetType = UNSET


class SessionMetaLine(_Line, kw_only=True, omit_defaults=True, gc=False, tag="session_meta"):
    """Facts of the session that a record states for the first time or changes."""

    cwd: _Text = UNSET
    title: _Text = UNSET
    git_branch: _Text = UNSET
    agent_version: _Text = UNSET
    parent_session_id: _Text = UNSET
    model: _Text = UNSET
    raw_provider: _Text = UNSET
    raw: msgspec.Raw | msgspec.UnsetType = UNSET


Projection = UsageLine | MessageLine | ToolCallLine | SessionMetaLine


class Told(NamedTuple):
    """A projection with what tells whether another file says the same."""

    line: Projection
    event: str
    """Id of the event it comes from; of usage that of what else its record says."""
    place: int
    """Number of the record that it stands on in its file, from 1; of a call the record that asks."""
    said: int = 0
    """Hash (of this process) of a message's text, which the line itself may not hold."""


def session_key(line: Projection) -> str:
    """What joins the projections of one session: agent and session id."""
    return f"{line.source}\0{line.session_id}"


def content_hash(line: Projection) -> str:
    """SHA-256 (hexadecimal) of all fields but the native record: equal for equal projections, in any process."""
    bare = msgspec.structs.replace(line, raw=msgspec.UNSET)
    return hashlib.sha256(msgspec.json.encode(bare)).hexdigest()
