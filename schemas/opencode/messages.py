"""Messages and sessions of OpenCode as JSON, and exports, which hold both.

In a database a message is the JSON in `message.data`, without its ids; exports and the older tree have them inside.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from panscript.schemas.opencode.parts import Part, Tokens, camel_with_ids

__all__ = ["MESSAGES", "AssistantMessage", "Export", "Session", "UserMessage"]

_Text = str | UnsetType | None
_Number = int | float


class _Struct(msgspec.Struct, kw_only=True, omit_defaults=True, rename=camel_with_ids):
    """Names are in camel case, with ID in capitals."""


class Created(_Struct, kw_only=True):
    """Times of a message, in milliseconds."""

    created: _Number
    completed: _Number | UnsetType = UNSET
    """When the answer was whole."""


class Model(_Struct, kw_only=True):
    """A model that was asked for."""

    provider_id: str
    model_id: str
    variant: _Text = UNSET


class SessionModel(_Struct, kw_only=True):
    """The model of a session."""

    id: str
    provider_id: str
    variant: _Text = UNSET


class Folders(_Struct, kw_only=True):
    """Where the agent worked."""

    cwd: str
    root: str
    """Of the project; `/` where there is none."""


class Fault(_Struct, kw_only=True):
    """Why an answer did not end well."""

    name: str
    """MessageAbortedError, APIError, ProviderAuthError, ContextOverflowError and so on."""
    data: dict[str, Any] | UnsetType = UNSET
    """With a `message`, mostly."""


class UserSummary(_Struct, kw_only=True):
    """What came of a prompt."""

    title: _Text = UNSET
    body: _Text = UNSET
    diffs: list[dict[str, Any]] | UnsetType = UNSET


class _Message(_Struct, kw_only=True, tag_field="role"):
    """Ids are missing in databases."""

    id: _Text = UNSET
    """`msg_...`"""
    session_id: _Text = UNSET
    time: Created


class UserMessage(_Message, kw_only=True, tag="user"):
    """A prompt."""

    agent: _Text = UNSET
    """`build`, `plan`, or one of the person's own."""
    model: Model | UnsetType = UNSET
    format: dict[str, Any] | UnsetType = UNSET
    """The shape that the answer must have."""
    summary: UserSummary | UnsetType = UNSET
    system: _Text = UNSET
    tools: dict[str, bool] | UnsetType = UNSET


class AssistantMessage(_Message, kw_only=True, tag="assistant"):
    """One step of an answer; several in older ones."""

    parent_id: _Text = UNSET
    """The prompt that it answers, not the message before it."""
    model_id: _Text = UNSET
    provider_id: _Text = UNSET
    mode: _Text = UNSET
    agent: _Text = UNSET
    path: Folders | UnsetType = UNSET
    cost: _Number | UnsetType = UNSET
    """US dollars."""
    tokens: Tokens | UnsetType = UNSET
    """Those of its last step, where it has several."""
    error: Fault | UnsetType | None = UNSET
    summary: bool | UnsetType | None = UNSET
    """It takes the place of the conversation before it."""
    structured: Any = UNSET
    variant: _Text = UNSET
    finish: _Text = UNSET
    """stop, tool-calls, length, content-filter, error, other, unknown."""
    system: list[str] | UnsetType | None = UNSET
    """Prompts of the system, in 2025."""


MESSAGES = (UserMessage, AssistantMessage)


class SessionTime(_Struct, kw_only=True):
    """Times of a session, in milliseconds."""

    created: _Number
    updated: _Number
    compacting: _Number | UnsetType | None = UNSET
    archived: _Number | UnsetType | None = UNSET


class Revert(_Struct, kw_only=True):
    """From where on the conversation was taken back; the next prompt makes an end of what stands there."""

    message_id: str
    part_id: _Text = UNSET
    snapshot: _Text = UNSET
    diff: _Text = UNSET


class Session(_Struct, kw_only=True):
    """What is said of a session as a whole."""

    id: str
    """`ses_...`"""
    slug: _Text = UNSET
    project_id: _Text = UNSET
    """Hash of the first commit, or `global`."""
    workspace_id: _Text = UNSET
    directory: _Text = UNSET
    path: _Text = UNSET
    title: str
    version: str
    time: SessionTime
    parent_id: _Text = UNSET
    """The session that started this one as a sub-agent."""
    summary: dict[str, Any] | UnsetType | None = UNSET
    """Lines added and deleted, files changed."""
    cost: _Number | UnsetType = UNSET
    tokens: Tokens | UnsetType = UNSET
    """Of its own messages together."""
    share: dict[str, Any] | UnsetType | None = UNSET
    agent: _Text = UNSET
    model: SessionModel | UnsetType | None = UNSET
    metadata: dict[str, Any] | UnsetType | None = UNSET
    permission: list[dict[str, Any]] | UnsetType | None = UNSET
    revert: Revert | UnsetType | None = UNSET


class Element(_Struct, kw_only=True):
    """A message with its parts."""

    info: UserMessage | AssistantMessage
    parts: list[Part]


class Export(_Struct, kw_only=True):
    """What `opencode export` prints."""

    info: Session
    messages: list[Element]
