"""Shapes of `toolUseResult` of the tools for the web, MCP resources, artifacts and notifications.

The result of an MCP tool is text, a list of blocks or an object of its own: it has no shape here.
"""

from __future__ import annotations

from typing import Any

import msgspec

from panscript.schemas.claude.base import ApiNative, Native, Number
from panscript.schemas.claude.file_results import ArtifactRead

__all__ = [
    "ArtifactActionResult",
    "ArtifactListResult",
    "ArtifactResult",
    "ChromeSetupResult",
    "ClaudeDesignResult",
    "OnboardingRoleResult",
    "ProjectsResult",
    "PushNotificationResult",
    "ReadMcpResourceDirResult",
    "ReadMcpResourceResult",
    "ReadNotificationsResult",
    "RemoteTriggerResult",
    "ResourceContent",
    "ResourceLine",
    "SendFeedbackResult",
    "ToolSearchResult",
    "WebFetchResult",
    "WebSearchHit",
    "WebSearchHits",
    "WebSearchResult",
]


class WebFetchResult(Native, frozen=True, kw_only=True):
    """WebFetch."""

    bytes: int
    """Bytes of the page."""
    code: int
    """HTTP status."""
    code_text: str
    """HTTP status in words."""
    result: str
    """Answer about the page."""
    duration_ms: Number
    """Milliseconds."""
    url: str
    """Address."""
    artifact_read: ArtifactRead | None = None
    """Artifact that was read."""


class WebSearchHit(Native, frozen=True, kw_only=True):
    """A hit."""

    title: str | None = None
    """Title."""
    url: str | None = None
    """Address."""
    snippet: str | None = None
    """Text of the page."""


class WebSearchHits(ApiNative, frozen=True, kw_only=True):
    """Hits of one search."""

    tool_use_id: str
    """Id of the search."""
    content: list[WebSearchHit]
    """The hits."""


class WebSearchResult(Native, frozen=True, kw_only=True):
    """WebSearch."""

    query: str
    """Query."""
    results: list[WebSearchHits | str]
    """Hits, and text of the model between them."""
    duration_seconds: Number
    """Seconds."""
    search_count: int | None = None
    """Number of searches."""
    plain_page_text: Any = None
    """True if hits hold the page's text."""


class ResourceContent(Native, frozen=True, kw_only=True):
    """Content of an MCP resource."""

    uri: str
    """Address."""
    mime_type: str | None = None
    """MIME type."""
    text: str | None = None
    """Text."""
    blob_saved_to: str | None = None
    """File of binary content."""


class ReadMcpResourceResult(Native, frozen=True, kw_only=True):
    """ReadMcpResource."""

    contents: list[ResourceContent]
    """Contents."""
    error: str | None = None
    """Error."""


class ResourceLine(Native, frozen=True, kw_only=True):
    """An MCP resource in a folder."""

    uri: str
    """Address."""
    name: str | None = None
    """Name."""
    mime_type: str | None = None
    """MIME type."""


class ReadMcpResourceDirResult(Native, frozen=True, kw_only=True):
    """ReadMcpResourceDir."""

    resources: list[ResourceLine]
    """What is in the folder."""
    error: str | None = None
    """Error."""


class ToolSearchResult(ApiNative, frozen=True, kw_only=True):
    """ToolSearch."""

    matches: list[str]
    """Tools that were found."""
    query: str
    """Query."""
    total_deferred_tools: int | None = None
    """Number of tools to search in."""
    pending_mcp_servers: list[Any] | None = None
    """MCP servers not connected yet."""
    failed_mcp_servers: list[Any] | None = None
    """MCP servers that failed."""


class ArtifactResult(Native, frozen=True, kw_only=True):
    """Artifact that was published."""

    url: str
    """Address."""
    path: str
    """File."""
    artifact_id: str | None = msgspec.field(name="artifact_id", default=None)
    """Id."""
    title: str | None = None
    """Title."""
    version: str | None = None
    """Version."""
    capabilities: Any = None
    """What it may do."""
    stored: Any = None
    """What the server stored."""
    warnings: list[str] | None = None
    """Warnings."""
    publishes_remaining: int | None = None
    """Publications left."""
    publishes_reset_at: Number | None = None
    """When there are more."""
    contract: str | None = None
    """Contract."""
    updated: bool | None = None
    """True if it was there before."""
    owned: bool | None = None
    """True if it is one's own."""
    icon: str | None = None
    """Icon."""
    favicon_sent: bool | None = None
    """True if the icon was sent."""
    icon_dropped: bool | None = None
    """True if the icon was dropped."""
    audience: str | None = None
    """Who sees it."""
    folder_audience: str | None = msgspec.field(name="folder_audience", default=None)
    """Who sees its folder."""
    seq: int | None = None
    """Number of the publication."""
    unchanged: bool | None = None
    """True if nothing changed."""
    live_subscription: str | None = None
    """State of watching it."""
    pinned: bool | None = None
    """True if pinned."""


class ArtifactListResult(Native, frozen=True, kw_only=True):
    """Artifact: list."""

    artifacts: list[Any]
    """The artifacts."""
    truncated: bool | None = None
    """True if there are more."""
    total: int | None = None
    """Number of all."""
    total_at_least: bool | None = msgspec.field(name="total_at_least", default=None)
    """True if that number is a lower bound."""
    next_page_token: str | None = msgspec.field(name="next_page_token", default=None)
    """Where to go on."""
    pins_enabled: bool | None = msgspec.field(name="pins_enabled", default=None)
    """True if pins exist."""
    scope: str | None = None
    """`shared` or `all`."""
    external_listed: bool | None = msgspec.field(name="external_listed", default=None)
    """True if those of others are listed."""


class ArtifactActionResult(Native, frozen=True, kw_only=True):
    """Artifact: any other action; one of these is there."""

    read: Any = None
    """Artifact that was read."""
    artifact_read: ArtifactRead | None = None
    """The same, in short."""
    watch: Any = None
    """Artifact that is watched."""
    unwatch: Any = None
    """Artifact no longer watched."""
    watches: list[Any] | None = None
    """Artifacts that are watched."""
    filter_url: str | None = msgspec.field(name="filter_url", default=None)
    """Only this artifact."""
    arms: list[Any] | None = None
    """State of watching."""
    written: Any = None
    """Artifact written to."""
    owned: bool | None = None
    """True if it is one's own."""
    asset_upload: Any = msgspec.field(name="asset_upload", default=None)
    """File that was uploaded."""
    asset_uploads: Any = msgspec.field(name="asset_uploads", default=None)
    """Files that were uploaded."""
    asset_list: Any = msgspec.field(name="asset_list", default=None)
    """Files of the artifact."""
    asset_read: Any = msgspec.field(name="asset_read", default=None)
    """File that was read."""
    asset_delete: Any = msgspec.field(name="asset_delete", default=None)
    """File that was deleted."""
    pin: Any = None
    """Artifact that was pinned."""


class ProjectsResult(ApiNative, frozen=True, kw_only=True):
    """Projects; the rest of the shape depends on `method`."""

    method: str
    """`project_info`, `project_read`, `project_search`, `project_write`, ..."""
    notice: str | None = None
    """Notice."""
    local_file: str | None = None
    """Local copy."""
    name: str | None = None
    """Name of the project."""
    description: str | None = None
    """Description of the project."""
    instructions: str | None = None
    """Instructions of the project."""
    docs: list[Any] | None = None
    """Documents."""
    files: list[Any] | None = None
    """Files."""
    sync_sources: list[Any] | None = None
    """Sources."""
    knowledge: Any = None
    """Size of the knowledge."""
    path: str | None = None
    """Path of a document."""
    file_kind: str | None = None
    """Kind of file."""
    content: str | None = None
    """Text of a document."""
    created_at: str | None = None
    """When it was made."""
    rag: bool | None = None
    """True if searched by meaning."""
    hits: list[Any] | None = None
    """Hits."""
    doc_uuid: str | None = None
    """Document written."""
    replaced: bool | None = None
    """True if it was there before."""
    present_to_user: bool | None = None
    """True if shown to the person."""
    local_path: str | None = None
    """Local file written."""
    deleted: bool | None = None
    """True if deleted."""
    truncated: bool | None = None
    """True if there is more."""
    size_bytes: int | None = None
    """Bytes."""
    updated_at: str | None = None
    """When it changed."""


class RemoteTriggerResult(Native, frozen=True, kw_only=True):
    """RemoteTrigger."""

    status: int
    """HTTP status."""
    json: str
    """Answer."""
    summary: str | None = None
    """Summary."""


class PushNotificationResult(Native, frozen=True, kw_only=True):
    """PushNotification."""

    message: str
    """The message."""
    push_sent: bool | None = None
    """True if sent to the phone."""
    local_sent: bool | None = None
    """True if shown here."""
    disabled_reason: str | None = None
    """Why not sent."""
    sent_at: str | None = None
    """When."""


class ReadNotificationsResult(Native, frozen=True, kw_only=True):
    """ReadNotifications."""

    notifications: list[Any]
    """The notifications."""
    remaining: int
    """How many are left."""
    read_at: str | None = msgspec.field(name="read_at", default=None)
    """When they were read."""


class ClaudeDesignResult(Native, frozen=True, kw_only=True):
    """ClaudeDesign."""

    operation: str
    """What was done."""
    content: list[Any]
    """Result as blocks."""
    is_error: bool | None = None
    """True if it failed."""


class SendFeedbackResult(Native, frozen=True, kw_only=True):
    """SendFeedback and other tools that give success and a message."""

    success: bool
    """True if done."""
    message: str
    """What happened."""


class OnboardingRoleResult(Native, frozen=True, kw_only=True):
    """ShowOnboardingRolePicker."""

    role: str | None = None
    """Role chosen."""
    dismissed: bool | None = None
    """True if nothing was chosen."""


class ChromeSetupResult(Native, frozen=True, kw_only=True):
    """OfferChromeSetup."""

    outcome: str
    """`connected`, `not_now`, `no_attempt_yet`."""
