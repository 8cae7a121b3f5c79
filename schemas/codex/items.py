"""Response items: what the model sees, and the source of truth for the content of a conversation.

They are the payloads of `response_item` lines, the lines themselves of the bare form of 2025 (0.8 to 0.2x), and the
members of `compacted.replacement_history`. Tool calls and outputs are paired by `call_id` alone.
"""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from msgspec import Meta

from panscript.schemas.codex.base import UnknownItem, UnknownVariant, Wire, tags
from panscript.schemas.codex.blocks import AgentMessageBlock, MessageBlock, ReasoningBlock, SummaryBlock, ToolOutput
from panscript.schemas.codex.metadata import HarnessMetadata, IdAllocation, MessageMetadata
from panscript.schemas.codex.vocabulary import AgentPath, CallId, ItemId, MessagePhase, ReasoningEffort, Role

__all__ = [
    "ITEMS",
    "WEB_ACTIONS",
    "AdditionalToolsItem",
    "AgentMessageItem",
    "CompactionItem",
    "CompactionTriggerItem",
    "ConfigurationReasoning",
    "ConfigurationUpdateItem",
    "ContextCompactionItem",
    "CustomToolCallItem",
    "CustomToolCallOutputItem",
    "ExecAction",
    "FindInPageAction",
    "FunctionCallItem",
    "FunctionCallOutputItem",
    "GhostCommit",
    "GhostSnapshotItem",
    "ImageGenerationCallItem",
    "Item",
    "LocalShellCallItem",
    "MessageItem",
    "OpenPageAction",
    "OtherAction",
    "OtherItem",
    "ReasoningItem",
    "SearchAction",
    "ToolSearchCallItem",
    "ToolSearchOutputItem",
    "WebAction",
    "WebSearchCallItem",
]


class ItemBase(Wire, tag_field="type"):
    """Keys every response item may carry."""

    id: ItemId | None = None  # null or absent before 0.153, and on items nobody sent
    internal_chat_message_metadata_passthrough: MessageMetadata | None = None  # since 0.15x
    metadata: MessageMetadata | None = None  # the same with a turn id alone, 0.14x
    id_allocation: IdAllocation | None = None  # how `id` was made up; since 0.171
    guardian_metadata: HarnessMetadata | None = None  # only inside `compacted.guardian_history`


class MessageItem(ItemBase, tag="message"):
    """A message; with role `user` it is often not from the person but injected."""

    role: Role  # `system` is dropped when a thread is resumed
    content: list[MessageBlock]
    phase: MessagePhase | None = None  # what the assistant's text is for; since 0.1xx
    status: str | None = None  # as the API sent it
    encrypted_content: str | None = None  # content only the API can read; since 0.14x


class AgentMessageItem(ItemBase, tag="agent_message"):
    """A message from agent to agent (multi-agent v2)."""

    author: AgentPath
    recipient: AgentPath
    content: list[AgentMessageBlock]


class ReasoningItem(ItemBase, tag="reasoning"):
    """What the model thought, mostly encrypted."""

    summary: list[SummaryBlock]
    content: list[ReasoningBlock] | None = None  # open thinking; null from the hosted models
    encrypted_content: str | None = None  # what the API needs to go on


class FunctionCallItem(ItemBase, tag="function_call"):
    """A call of a tool with JSON arguments."""

    name: str  # up to about 0.1xx MCP tools were one flat name, `server__tool`
    arguments: str  # a JSON text, not always valid
    call_id: CallId
    namespace: str | None = None  # `mcp__server`, `multi_agent_v1`, ...; since 0.1xx
    status: str | None = None  # as the API sent it
    encrypted_content: str | None = None  # since 0.171
    encrypted_function_args: list[str] | None = None  # since 0.171


class FunctionCallOutputItem(ItemBase, tag="function_call_output"):
    """What a function call or a local shell call gave back."""

    output: ToolOutput
    call_id: CallId | None = None
    name: str | None = None  # since 0.171
    namespace: str | None = None  # since 0.171


class CustomToolCallItem(ItemBase, tag="custom_tool_call"):
    """A call of a tool that takes raw text: `apply_patch`, `exec` in code mode."""

    name: str
    input: str  # the raw text
    call_id: CallId
    namespace: str | None = None  # since 0.171
    status: str | None = None  # `completed` nearly always
    encrypted_content: str | None = None  # since 0.171


class CustomToolCallOutputItem(ItemBase, tag="custom_tool_call_output"):
    """What a custom tool call gave back."""

    output: ToolOutput
    call_id: CallId
    name: str | None = None  # since 0.171


class ExecAction(Wire, tag_field="type", tag="exec"):
    """The command of a local shell call."""

    command: list[str]
    env: dict[str, str] | None = None
    timeout_ms: int | None = None
    user: str | None = None
    working_directory: str | None = None


class LocalShellCallItem(ItemBase, tag="local_shell_call"):
    """A command in the API's own shell tool; answered by a `function_call_output`."""

    action: ExecAction | UnknownVariant
    status: Annotated[str, Meta(examples=["completed", "in_progress", "incomplete"])]
    call_id: CallId | None = None  # older files have `id` alone
    encrypted_content: str | None = None  # since 0.171


class SearchAction(Wire, tag_field="type", tag="search"):
    """A web search."""

    query: str | None = None
    queries: list[str] | None = None  # several at once
    url: str | None = None  # null keys of 0.146
    pattern: str | None = None  # null keys of 0.146


class OpenPageAction(Wire, tag_field="type", tag="open_page"):
    """A page was opened."""

    url: str | None = None


class FindInPageAction(Wire, tag_field="type", tag="find_in_page"):
    """A text was looked for in a page."""

    url: str | None = None
    pattern: str | None = None


class OtherAction(Wire, tag_field="type", tag="other"):
    """An action the program did not know itself."""


WebAction: TypeAlias = SearchAction | OpenPageAction | FindInPageAction | OtherAction | UnknownVariant
WEB_ACTIONS: dict[str, type[Wire]] = tags(WebAction)


class WebSearchCallItem(ItemBase, tag="web_search_call"):
    """A web search by the API; there is no output item."""

    action: WebAction | None = None
    status: str | None = None
    encrypted_content: str | None = None  # since 0.171


class ImageGenerationCallItem(ItemBase, tag="image_generation_call"):
    """An image made by the API."""

    status: str
    result: str  # the image in base64
    revised_prompt: str | None = None
    encrypted_content: str | None = None  # since 0.171


class ToolSearchCallItem(ItemBase, tag="tool_search_call"):
    """The model looked for tools that are not in its list."""

    execution: Annotated[str, Meta(examples=["client", "server"])]
    arguments: Any
    call_id: CallId | None = None
    status: str | None = None
    encrypted_content: str | None = None  # since 0.171


class ToolSearchOutputItem(ItemBase, tag="tool_search_output"):
    """The tools that were found."""

    execution: Annotated[str, Meta(examples=["client", "server"])]
    status: str
    tools: list[Any]  # tool definitions as the API takes them
    call_id: CallId | None = None


class AdditionalToolsItem(ItemBase, tag="additional_tools"):
    """Tools that join the list from here on."""

    role: Role
    tools: list[Any]  # tool definitions as the API takes them


class CompactionItem(ItemBase, tag="compaction"):
    """A compaction by the API: the summary, encrypted."""

    encrypted_content: str


class ContextCompactionItem(ItemBase, tag="context_compaction"):
    """The same under its other name."""

    encrypted_content: str | None = None


class CompactionTriggerItem(ItemBase, tag="compaction_trigger"):
    """Asks the API for a compaction; never written to disk."""


class ConfigurationReasoning(Wire):
    """The new reasoning effort."""

    effort: ReasoningEffort


class ConfigurationUpdateItem(ItemBase, tag="configuration_update"):
    """Settings that change within a turn (since 0.171)."""

    reasoning: ConfigurationReasoning


class GhostCommit(Wire):
    """A git commit outside all branches, for undo."""

    id: str  # hash of the commit
    parent: str | None = None  # hash of the commit below it
    preexisting_untracked_files: list[str] | None = None  # relative paths
    preexisting_untracked_dirs: list[str] | None = None  # relative paths


class GhostSnapshotItem(ItemBase, tag="ghost_snapshot"):
    """A point to undo to (0.5x to about 0.13x); 0.171 drops it on reading."""

    ghost_commit: GhostCommit


class OtherItem(ItemBase, tag="other"):
    """An item the program did not know itself; never written to disk."""


Item: TypeAlias = (
    MessageItem
    | AgentMessageItem
    | ReasoningItem
    | FunctionCallItem
    | FunctionCallOutputItem
    | CustomToolCallItem
    | CustomToolCallOutputItem
    | LocalShellCallItem
    | WebSearchCallItem
    | ImageGenerationCallItem
    | ToolSearchCallItem
    | ToolSearchOutputItem
    | AdditionalToolsItem
    | CompactionItem
    | ContextCompactionItem
    | CompactionTriggerItem
    | ConfigurationUpdateItem
    | GhostSnapshotItem
    | OtherItem
    | UnknownItem
)

ITEMS: dict[str, type[Wire]] = tags(Item)
"""Every response item by its name on disk."""
