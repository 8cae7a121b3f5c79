"""The request log of 2.1.3xx: what was sent to the API, in pieces that later requests refer to.

An `api-request-blob` has a `message` with role user: a parser that looks for `message` instead of `type` would take
it for a prompt. Nothing here is a message and nothing here is counted.
"""

from __future__ import annotations

from typing import Any

from panscript.schemas.claude.base import ApiNative
from panscript.schemas.claude.blocks import Block
from panscript.schemas.claude.state_rows import StateRow

__all__ = [
    "ApiRequest",
    "ApiRequestBlob",
    "ApiRequestResumed",
    "ApiRequestShape",
    "CacheControl",
    "RequestMessage",
    "RequestShape",
]


class CacheControl(ApiNative, frozen=True, kw_only=True):
    """A cache mark in a request."""

    path: list[str | int] | None = None
    """Where in the request it stands."""
    value: Any = None
    """The mark."""


class ApiRequest(StateRow, frozen=True, kw_only=True, tag="api-request"):
    """One request: the rows before it by reference, the rest by hash."""

    agent_id: str | None = None
    """Sub-agent, if in one."""
    id: str
    """Id; assistant rows name it in `requestRef`."""
    version: str | None = None
    """Version of the program."""
    query_source: str | None = None
    """Part of the program that asked: `repl_main_thread`, `sdk`, `agent:...`."""
    shape_hash: str | None = None
    """System prompt and tools, by hash."""
    params: Any = None
    """Other parameters of the request; open."""
    withheld: list[Any] | None = None
    """Parameters left out."""
    base: str | None = None
    """Request this one continues."""
    keep: int | None = None
    """Number of messages kept from the base."""
    tail: list[str] | None = None
    """Messages after these, by hash."""
    cache_control: list[CacheControl] | None = None
    """Cache marks."""
    request_digest: str | None = None
    """Check sum of the whole request."""
    cut: Any = None
    """What was cut out of the record."""
    cut_request_digest: str | None = None
    """Check sum after the cut."""


class RequestShape(ApiNative, frozen=True, kw_only=True):
    """What is the same in many requests."""

    system: list[Block] | str | None = None
    """System prompt."""
    tools: list[Any] | None = None
    """Tool descriptions with their input schemas."""


class ApiRequestShape(StateRow, frozen=True, kw_only=True, tag="api-request-shape"):
    """System prompt and tools of requests; 80 kB and more."""

    agent_id: str | None = None
    """Sub-agent, if in one."""
    shape_hash: str
    """Hash requests refer to."""
    version: str | None = None
    """Version of the program."""
    shape: RequestShape | None = None
    """System prompt and tools."""


class RequestMessage(ApiNative, frozen=True, kw_only=True):
    """A message as sent."""

    role: str
    """`user`, `assistant` or `system`."""
    content: str | list[Block]
    """Its content, with everything the agent injected."""


class ApiRequestBlob(StateRow, frozen=True, kw_only=True, tag="api-request-blob"):
    """One message as sent."""

    agent_id: str | None = None
    """Sub-agent, if in one."""
    hash: str
    """Hash requests refer to."""
    message: RequestMessage
    """The message."""


class ApiRequestResumed(StateRow, frozen=True, kw_only=True, tag="api-request-resumed"):
    """A paused response was continued."""

    agent_id: str | None = None
    """Sub-agent, if in one."""
    version: str | None = None
    """Version of the program."""
    message_id: str | None = None
    """The response."""
    paused_request_id: str | None = None
    """Request that paused."""
    resumed_request_id: str | None = None
    """Request that continued it."""
