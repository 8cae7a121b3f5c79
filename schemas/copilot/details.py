"""What the events of a Copilot log hold. Every field may be absent; what the agent writes as null is None."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

__all__ = [
    "Accounting",
    "Attachment",
    "CodeChanges",
    "CompactionTokens",
    "ContentBlock",
    "Context",
    "Detail",
    "FileEdit",
    "Flag",
    "Line",
    "ModelMetrics",
    "Number",
    "ProviderMetrics",
    "ReasoningBlocks",
    "RequestUsage",
    "Requests",
    "ResultPart",
    "ShellExecution",
    "ShellToolInfo",
    "Text",
    "ToolError",
    "ToolOutput",
    "ToolRequest",
    "Totals",
]

Text = str | UnsetType | None
Number = int | float | UnsetType | None
Flag = bool | UnsetType | None


class Detail(msgspec.Struct, kw_only=True, omit_defaults=True, rename="camel"):
    """Copilot's names are in camel case."""


class Line(Detail, tag_field="type"):
    """What every line has."""

    id: Text = UNSET
    parent_id: Text = UNSET  # the line before
    timestamp: Text = UNSET
    agent_id: Text = UNSET  # the sub-agent that it is of
    ephemeral: Flag = UNSET


class Context(Detail):
    """Where a session runs."""

    cwd: Text = UNSET
    git_root: Text = UNSET
    branch: Text = UNSET
    repository: Text = UNSET  # owner/name
    head_commit: Text = UNSET
    base_commit: Text = UNSET
    host_type: Text = UNSET
    repository_host: Text = UNSET


class Attachment(Detail):
    """Something that a person put beside what they typed: file, directory, selection, blob."""

    type: Text = UNSET
    path: Text = UNSET
    file_path: Text = UNSET
    display_name: Text = UNSET
    data: Text = UNSET  # base64
    mime_type: Text = UNSET
    text: Text = UNSET  # of a selection
    selection: Any = UNSET
    line_range: Any = UNSET


class ContentBlock(Detail):
    """A part of a system prompt."""

    content: Text = UNSET
    is_static: Flag = UNSET  # the same in every session, so a cache may hold it


class ReasoningBlocks(Detail):
    """The reasoning of a response, in the words of the vendor's interface."""

    provider: Text = UNSET  # the interface: anthropic-messages, openai-responses
    blocks: list[dict[str, Any]] | UnsetType | None = UNSET


class ToolRequest(Detail):
    """A call that the model asked for."""

    tool_call_id: Text = UNSET
    name: Text = UNSET
    arguments: Any = UNSET  # an object; text for a custom tool
    type: Text = UNSET  # function or custom
    mcp_server_name: Text = UNSET
    mcp_tool_name: Text = UNSET
    intention_summary: Text = UNSET  # shown to the person
    tool_title: Text = UNSET


class ShellToolInfo(Detail):
    """What the agent reads out of a command before it runs."""

    possible_paths: list[str] | UnsetType | None = UNSET
    has_write_file_redirection: Flag = UNSET


class ShellExecution(Detail):
    """How a command ended; a code other than 0 is no failure of the tool."""

    exit_code: Number = UNSET


class ResultPart(Detail):
    """A part of a result that has several."""

    type: Text = UNSET
    text: Text = UNSET
    data: Text = UNSET  # base64
    mime_type: Text = UNSET
    uri: Text = UNSET
    exit_code: Number = UNSET
    cwd: Text = UNSET


class ToolOutput(Detail):
    """What a tool gave back."""

    content: Text = UNSET  # what the model is sent
    detailed_content: Text = UNSET  # what the person is shown
    contents: list[ResultPart] | UnsetType | None = UNSET


class ToolError(Detail):
    """What a tool failed with; there is no result then."""

    message: Text = UNSET
    code: Text = UNSET


class FileEdit(Detail):
    """A file that a tool changed."""

    path: Text = UNSET
    kind: Text = UNSET


class Accounting(Detail):
    """What a usage record is known by."""

    source_session_id: Text = UNSET
    sequence: Number = UNSET
    usage_id: Text = UNSET


class RequestUsage(Detail):
    """What one request to a model cost. `input_tokens` is the whole prompt, cache reads and writes included."""

    model: Text = UNSET
    model_display_name: Text = UNSET
    input_tokens: Number = UNSET
    output_tokens: Number = UNSET
    cache_read_tokens: Number = UNSET
    cache_write_tokens: Number = UNSET
    reasoning_tokens: Number = UNSET  # part of the output
    cost: Number = UNSET  # in requests of the subscription, not in dollars
    duration: Number = UNSET  # milliseconds
    time_to_first_token_ms: Number = UNSET
    output_ttft_ms: Number = UNSET
    inter_token_latency_ms: Number = UNSET
    initiator: Text = UNSET  # user, agent or sub-agent
    interaction_type: Text = UNSET
    is_byok: Flag = UNSET  # a key of the person's own
    byok_kind: Text = UNSET
    model_provider: Text = UNSET
    provider_type: Text = UNSET
    is_auto: Flag = UNSET
    max_prompt_tokens: Number = UNSET
    max_output_tokens: Number = UNSET
    transport: Text = UNSET
    request_body_bytes: Number = UNSET
    request_body_wire_bytes: Number = UNSET
    request_body_encoding: Text = UNSET
    api_call_id: Text = UNSET  # the response, as its message names it
    rte: Flag = UNSET
    api_endpoint: Text = UNSET
    accounting: Accounting | UnsetType | None = UNSET
    ai_credits_status: Text = UNSET
    reasoning_summary: Text = UNSET
    reasoning_effort: Text = UNSET
    available_tool_count: Number = UNSET
    tool_token_count: Number = UNSET
    custom_tool_call_count: Number = UNSET
    unmatched_tool_result_count: Number = UNSET
    orphan_tool_call_count: Number = UNSET
    frontier_source: Text = UNSET
    cache_details_reported: Flag = UNSET
    num_tool_calls: Number = UNSET
    tool_counts: dict[str, int] | UnsetType | None = UNSET
    finish_reason: Text = UNSET
    content_filter_triggered: Flag = UNSET
    parent_tool_call_id: Text = UNSET  # of a sub-agent: the call that started it


class CompactionTokens(Detail):
    """What a compaction cost; no other record says so."""

    request_count: Number = UNSET
    model: Text = UNSET
    model_display_name: Text = UNSET
    input_tokens: Number = UNSET
    output_tokens: Number = UNSET
    cache_read_tokens: Number = UNSET
    cache_write_tokens: Number = UNSET
    duration: Number = UNSET
    ai_credits_status: Text = UNSET
    copilot_usage: Any = UNSET


class CodeChanges(Detail):
    """What a session changed in files."""

    lines_added: Number = UNSET
    lines_removed: Number = UNSET
    files_modified_count: Number = UNSET
    files_modified: list[str] | UnsetType | None = UNSET


class Requests(Detail):
    """How many requests there were, and what they count for in a subscription."""

    count: Number = UNSET
    cost: Number = UNSET


class Totals(Detail):
    """Tokens of a whole session so far."""

    input_tokens: Number = UNSET
    output_tokens: Number = UNSET
    cache_read_tokens: Number = UNSET
    cache_write_tokens: Number = UNSET
    reasoning_tokens: Number = UNSET


class ModelMetrics(Detail):
    """What one model was asked for, from the start of the session, earlier runs and sub-agents included."""

    requests: Requests | UnsetType | None = UNSET
    usage: Totals | UnsetType | None = UNSET
    total_nano_aiu: Number = UNSET
    ai_credits_status: Text = UNSET


class ProviderMetrics(Detail):
    """The same for a model of one provider."""

    provider: Text = UNSET
    model_id: Text = UNSET
    model_display_name: Text = UNSET
    metrics: ModelMetrics | UnsetType | None = UNSET
