"""What a message of Goose holds: an array of items, told apart by `type`; names in camel case."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

__all__ = ["CONTENT", "Content", "Metadata", "ResultItem"]


class _Item(msgspec.Struct, kw_only=True, rename="camel", tag_field="type", omit_defaults=True):
    """An item of a message."""


class Annotations(msgspec.Struct, kw_only=True, omit_defaults=True):
    """For whom an item is."""

    audience: list[str] | UnsetType | None = UNSET
    """`user`, `assistant`; all where it is missing."""
    priority: float | UnsetType | None = UNSET


class Text(_Item, tag="text"):
    """Text that was said."""

    text: str
    annotations: Annotations | UnsetType | None = UNSET


class Image(_Item, tag="image"):
    """A picture."""

    data: str
    """Base64."""
    mime_type: str
    annotations: Annotations | UnsetType | None = UNSET


class Call(msgspec.Struct, kw_only=True, omit_defaults=True):
    """What a model called."""

    name: str
    """Some versions put the extension before it: `extension__tool`."""
    arguments: dict[str, Any] | UnsetType | None = UNSET


class CallOutcome(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A call, or why it was none."""

    status: str
    """`success`, `error`."""
    value: Call | UnsetType = UNSET
    error: Any = UNSET
    """What was wrong with a call that could not be understood."""


class ToolRequest(_Item, tag="toolRequest"):
    """A call of the model."""

    id: str
    tool_call: CallOutcome
    metadata: dict[str, Any] | UnsetType | None = UNSET
    meta: dict[str, Any] | UnsetType | None = msgspec.field(default=UNSET, name="_meta")
    """`goose_extension`, titles and summaries of calls."""


class FrontendToolRequest(_Item, tag="frontendToolRequest"):
    """A call that the program around Goose answers."""

    id: str
    tool_call: CallOutcome


class _ResultItem(msgspec.Struct, kw_only=True, rename="camel", tag_field="type", omit_defaults=True):
    """An item of a result, as the Model Context Protocol has it."""

    annotations: Annotations | UnsetType | None = UNSET


class ResultText(_ResultItem, tag="text"):
    """Text of a result."""

    text: str


class ResultImage(_ResultItem, tag="image"):
    """A picture of a result, base64."""

    data: str
    mime_type: str


class ResultAudio(_ResultItem, tag="audio"):
    """A recording, base64."""

    data: str
    mime_type: str


class Resource(msgspec.Struct, kw_only=True, rename="camel", omit_defaults=True):
    """A document: `text`, or `blob` in base64."""

    uri: str
    mime_type: str | UnsetType | None = UNSET
    text: str | UnsetType | None = UNSET
    blob: str | UnsetType | None = UNSET


class ResultResource(_ResultItem, tag="resource"):
    """A document in a result."""

    resource: Resource


class ResultLink(_ResultItem, tag="resource_link"):
    """A document that is named only."""

    uri: str
    name: str | UnsetType = UNSET
    mime_type: str | UnsetType | None = UNSET


ResultItem = ResultText | ResultImage | ResultAudio | ResultResource | ResultLink


class Result(msgspec.Struct, kw_only=True, rename="camel", omit_defaults=True):
    """What a call gave."""

    content: list[ResultItem]
    structured_content: Any = UNSET
    """The same for programs: `stdout`, `stderr`, `exit_code` of a shell."""
    is_error: bool | UnsetType | None = UNSET
    """A command that exits with another status than 0 has `status` success, and true here."""


class ResultOutcome(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A result, or why there is none."""

    status: str
    """`success`, `error`."""
    value: Result | list[ResultItem] | UnsetType = UNSET
    """Older versions have the items themselves."""
    error: Any = UNSET


class ToolResponse(_Item, tag="toolResponse"):
    """The result of a call; stands in a message of the user."""

    id: str
    tool_result: ResultOutcome
    metadata: dict[str, Any] | UnsetType | None = UNSET


class Thinking(_Item, tag="thinking"):
    """Reasoning; `signature` is empty where the vendor gives none."""

    thinking: str
    signature: str | UnsetType = UNSET


class RedactedThinking(_Item, tag="redactedThinking"):
    """Reasoning that the vendor withheld."""

    data: str


class Reasoning(_Item, tag="reasoning"):
    """Reasoning as older versions wrote it."""

    text: str


class ToolConfirmationRequest(_Item, tag="toolConfirmationRequest"):
    """Goose asked whether it may run a call."""

    id: str
    tool_name: str
    arguments: dict[str, Any] | UnsetType | None = UNSET
    prompt: str | UnsetType | None = UNSET


class ActionRequired(_Item, tag="actionRequired"):
    """Goose asked a person for something; `data.actionType` is toolConfirmation, elicitation, elicitationResponse."""

    data: dict[str, Any]


class SystemNotification(_Item, tag="systemNotification"):
    """A word of the program to the person: thinkingMessage, inlineMessage, creditsExhausted."""

    notification_type: str
    msg: str
    data: Any = UNSET


class ConversationCompacted(_Item, tag="conversationCompacted"):
    """The conversation was compacted (old)."""

    msg: str | UnsetType = UNSET


class ContextLengthExceeded(_Item, tag="contextLengthExceeded"):
    """The conversation had become too long."""

    msg: str | UnsetType = UNSET


class SummarizationRequested(_Item, tag="summarizationRequested"):
    """A summary was asked for (old)."""

    msg: str | UnsetType = UNSET


CONTENT = (
    Text,
    Image,
    ToolRequest,
    ToolResponse,
    Thinking,
    RedactedThinking,
    Reasoning,
    ToolConfirmationRequest,
    ActionRequired,
    FrontendToolRequest,
    SystemNotification,
    ConversationCompacted,
    ContextLengthExceeded,
    SummarizationRequested,
)
Content = (
    Text
    | Image
    | ToolRequest
    | ToolResponse
    | Thinking
    | RedactedThinking
    | Reasoning
    | ToolConfirmationRequest
    | ActionRequired
    | FrontendToolRequest
    | SystemNotification
    | ConversationCompacted
    | ContextLengthExceeded
    | SummarizationRequested
)


class Metadata(msgspec.Struct, kw_only=True, rename="camel", omit_defaults=True):
    """Who sees a message."""

    user_visible: bool | UnsetType = UNSET
    """False: put before the model without being shown, such as a summary. Missing is true."""
    agent_visible: bool | UnsetType = UNSET
    """False: compacted away. Missing is true."""
