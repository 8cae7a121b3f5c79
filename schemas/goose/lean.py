"""What reading needs of a message of Goose, decoded in one go; all fields have defaults, the reader is the judge."""

from __future__ import annotations

import msgspec

__all__ = ["Content", "Inner", "Line", "Result", "line_decoder"]

NOTHING = msgspec.Raw(b"")


class _Camel(msgspec.Struct, gc=False, rename="camel"):
    """Names inside of messages are in camel case."""


class Annotations(_Camel):
    """For whom an item is."""

    audience: list[str] | None = None


class Resource(_Camel):
    """A document in a result."""

    uri: str | None = None
    mime_type: str | None = None
    text: str | None = None
    blob: str | None = None


class Inner(_Camel):
    """Any item of a result."""

    type: str | None = None
    text: str | None = None
    data: str | None = None
    mime_type: str | None = None
    resource: Resource | None = None
    uri: str | None = None
    name: str | None = None
    annotations: Annotations | None = None


class Call(_Camel):
    """What was called."""

    name: str | None = None
    arguments: msgspec.Raw = NOTHING


class CallOutcome(_Camel):
    """A call, or why it was none."""

    status: str | None = None
    value: Call | None = None
    error: msgspec.Raw = NOTHING


class Result(_Camel):
    """What a call gave."""

    content: list[Inner] | None = None
    structured_content: msgspec.Raw = NOTHING
    is_error: bool | None = None


class ResultOutcome(_Camel):
    """A result, or why there is none."""

    status: str | None = None
    value: list[Inner] | Result | None = None
    error: msgspec.Raw = NOTHING


class Content(_Camel):
    """Any item of a message."""

    type: str | None = None
    text: str | None = None
    thinking: str | None = None
    signature: str | None = None
    data: msgspec.Raw = NOTHING
    """Base64 of a picture, an object in some others."""
    mime_type: str | None = None
    id: str | None = None
    tool_call: CallOutcome | None = None
    tool_result: ResultOutcome | None = None


class Metadata(_Camel):
    """Who sees a message."""

    user_visible: bool | None = None
    agent_visible: bool | None = None


class Line(msgspec.Struct, gc=False):
    """A message in any form; of the first line of a file what tells that it is none."""

    working_dir: str | None = None
    role: str | None = None
    id: str | None = None
    created: str | int | float | None = None
    content: str | list[Content] | None = None
    metadata: Metadata | None = None


line_decoder = msgspec.json.Decoder(Line)
