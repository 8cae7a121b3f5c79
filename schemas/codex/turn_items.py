"""Turn items: what the UI shows of a turn, inside `item_completed` events (paginated rollouts, since 0.153).

The id of a tool's item is its `call_id`, of an assistant's item the id of the response item; a user's message has an id
of its own. Legacy rollouts hold plans and sleeps only. Names are CamelCase here, unlike everywhere else.
"""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from msgspec import Meta

from panscript.schemas.codex.base import UnknownBlock, UnknownTurnItem, UnknownVariant, Wire, tags
from panscript.schemas.codex.blocks import ToolOutput
from panscript.schemas.codex.items import WebAction
from panscript.schemas.codex.messages import (
    AgentMessageModeration,
    AgentStatus,
    AsyncUserInputQuestion,
    CollabAgentRef,
    Delivery,
    MemoryCitation,
    TextElement,
)
from panscript.schemas.codex.review import ReviewOutput, ReviewTarget
from panscript.schemas.codex.tools import (
    CallToolResult,
    Duration,
    DynamicOutput,
    FileChange,
    ImageGenerationFailure,
    ImageGenerationInputImage,
    McpAppUi,
    McpToolCallError,
    ParsedCommand,
)
from panscript.schemas.codex.vocabulary import (
    AgentPath,
    CollabAgentTool,
    CollabStatus,
    CommandSource,
    CommandStatus,
    DynamicToolStatus,
    FileUri,
    ImageDetail,
    ItemId,
    McpToolStatus,
    MessagePhase,
    Millis,
    PatchStatus,
    ReasoningEffort,
    SubAgentKind,
    ThreadId,
)

__all__ = [
    "EXTENSION_ACTIONS",
    "TURN_ITEMS",
    "USER_INPUTS",
    "AgentMessageTurnItem",
    "AgentText",
    "CollabAgentToolCallTurnItem",
    "CommandExecutionTurnItem",
    "ContextCompactionTurnItem",
    "DynamicToolCallTurnItem",
    "EnteredReviewModeTurnItem",
    "ExitedReviewModeTurnItem",
    "ExtensionAction",
    "ExtensionFindInPage",
    "ExtensionOpenPage",
    "ExtensionOther",
    "ExtensionSearch",
    "ExtensionTurnItem",
    "FileChangeTurnItem",
    "FunctionCallOutputTurnItem",
    "HookPromptFragment",
    "HookPromptTurnItem",
    "ImageGenerationTurnItem",
    "ImageViewTurnItem",
    "McpToolCallTurnItem",
    "PlanTurnItem",
    "ReasoningTurnItem",
    "SubAgentActivityTurnItem",
    "TurnItem",
    "UserAudio",
    "UserImage",
    "UserInput",
    "UserLocalAudio",
    "UserLocalImage",
    "UserMention",
    "UserMessageTurnItem",
    "UserSkill",
    "UserText",
    "WebSearchTurnItem",
]


class UserText(Wire, tag_field="type", tag="text"):
    """Text the person typed."""

    text: str
    text_elements: list[TextElement] | None = None


class UserImage(Wire, tag_field="type", tag="image"):
    """An image by URL or by id."""

    image_url: str | None = None  # a data URL
    file_id: str | None = None  # instead of the URL
    detail: ImageDetail | None = None


class UserLocalImage(Wire, tag_field="type", tag="local_image"):
    """An image by its path."""

    path: str
    detail: ImageDetail | None = None


class UserAudio(Wire, tag_field="type", tag="audio"):
    """Sound by URL or by id."""

    audio_url: str | None = None  # a data URL
    file_id: str | None = None  # instead of the URL


class UserLocalAudio(Wire, tag_field="type", tag="local_audio"):
    """Sound by its path."""

    path: str


class UserSkill(Wire, tag_field="type", tag="skill"):
    """A skill the person chose."""

    name: str
    path: str


class UserMention(Wire, tag_field="type", tag="mention"):
    """A file, app or plugin the person mentioned."""

    name: str
    path: str


UserInput: TypeAlias = (
    UserText | UserImage | UserLocalImage | UserAudio | UserLocalAudio | UserSkill | UserMention | UnknownBlock
)
USER_INPUTS: dict[str, type[Wire]] = tags(UserInput)


class TurnItemBase(Wire, tag_field="type"):
    """Every turn item has an id."""

    id: ItemId


class UserMessageTurnItem(TurnItemBase, tag="UserMessage"):
    """What the person sent."""

    content: list[UserInput]
    client_id: str | None = None  # the client's own id of the message


class FunctionCallOutputTurnItem(TurnItemBase, tag="FunctionCallOutput"):
    """What a tool without an item of its own gave back (since 0.171)."""

    name: str
    output: ToolOutput
    namespace: str | None = None


class HookPromptFragment(Wire, rename="camel"):
    """Text of one hook."""

    hook_run_id: str
    text: str


class HookPromptTurnItem(TurnItemBase, tag="HookPrompt"):
    """Text hooks put into the conversation."""

    fragments: list[HookPromptFragment]


class AgentText(Wire, tag_field="type", tag="Text"):
    """Text of the model."""

    text: str


class AgentMessageTurnItem(TurnItemBase, tag="AgentMessage"):
    """What the model said, plan markup taken out."""

    content: list[AgentText | UnknownBlock]
    phase: MessagePhase | None = None
    memory_citation: MemoryCitation | None = None
    delivery: Delivery | None = None  # since 0.171
    moderation: AgentMessageModeration | None = None  # since 0.171
    questions: list[AsyncUserInputQuestion] | None = None  # since 0.171


class PlanTurnItem(TurnItemBase, tag="Plan"):
    """The plan of plan mode."""

    text: str


class ReasoningTurnItem(TurnItemBase, tag="Reasoning"):
    """What the model thought, as far as it is open."""

    summary_text: list[str]
    raw_content: list[str] | None = None


class CommandExecutionTurnItem(TurnItemBase, tag="CommandExecution"):
    """A command that was run; written late, with exit code -1, when an abort cut it off."""

    command: list[str]
    cwd: FileUri
    parsed_cmd: list[ParsedCommand]
    source: CommandSource
    status: CommandStatus
    aggregated_output: str | None = None  # both streams as they came
    exit_code: int | None = None
    duration: Duration | None = None
    process_id: str | None = None
    interaction_input: str | None = None  # typed into a running process
    plugin_id: str | None = None
    script_path: str | None = None
    stdout: str | None = None  # until 0.153
    stderr: str | None = None  # until 0.153
    formatted_output: str | None = None  # what the model got; until 0.153


class DynamicToolCallTurnItem(TurnItemBase, tag="DynamicToolCall"):
    """A call of a tool the client lent."""

    tool: str
    arguments: Any
    status: DynamicToolStatus
    namespace: str | None = None
    content_items: list[DynamicOutput] | None = None
    success: bool | None = None
    error: str | None = None
    duration: Duration | None = None


class CollabAgentToolCallTurnItem(TurnItemBase, tag="CollabAgentToolCall"):
    """A call of one of the tools for sub-agents."""

    tool: CollabAgentTool
    status: CollabStatus
    sender_thread_id: ThreadId
    receiver_thread_ids: list[ThreadId] | None = None
    receiver_agents: list[CollabAgentRef] | None = None
    agents_states: dict[ThreadId, AgentStatus] | None = None  # by thread
    prompt: str | None = None
    model: str | None = None
    reasoning_effort: ReasoningEffort | None = None


class SubAgentActivityTurnItem(TurnItemBase, tag="SubAgentActivity"):
    """A sub-agent began, was spoken to, or ended."""

    agent_path: AgentPath
    agent_thread_id: ThreadId
    kind: SubAgentKind
    model: str | None = None
    reasoning_effort: ReasoningEffort | None = None


class WebSearchTurnItem(TurnItemBase, tag="WebSearch"):
    """A web search by the API."""

    query: str
    action: WebAction
    results: list[Any] | None = None


class ImageViewTurnItem(TurnItemBase, tag="ImageView"):
    """The model looked at an image file."""

    path: FileUri


class ExtensionSearch(Wire, tag_field="type", tag="search"):
    """A web search."""

    query: str | None = None
    queries: list[str] | None = None


class ExtensionOpenPage(Wire, tag_field="type", tag="openPage"):
    """A page was opened."""

    url: str | None = None


class ExtensionFindInPage(Wire, tag_field="type", tag="findInPage"):
    """A text was looked for in a page."""

    url: str | None = None
    pattern: str | None = None


class ExtensionOther(Wire, tag_field="type", tag="other"):
    """Something else."""


ExtensionAction: TypeAlias = ExtensionSearch | ExtensionOpenPage | ExtensionFindInPage | ExtensionOther | UnknownVariant
EXTENSION_ACTIONS: dict[str, type[Wire]] = tags(ExtensionAction)


class ExtensionTurnItem(TurnItemBase, tag="Extension", rename="camel"):
    """Work of a built-in extension; `kind` says which keys are set."""

    kind: Annotated[str, Meta(examples=["web.search", "clock.sleep", "image_gen.generation"])]
    query: str | None = None  # web.search
    action: ExtensionAction | None = None  # web.search
    results: list[Any] | None = None  # web.search
    duration_ms: Millis | None = None  # clock.sleep
    status: str | None = None  # image_gen.generation, as the rest
    result: str | None = None  # the image in base64
    file_id: str | None = None  # instead of `result`
    generation_id: str | None = None
    input_images: list[ImageGenerationInputImage] | None = None
    revised_prompt: str | None = None
    saved_path: str | None = None
    transparent_background: bool | None = None
    failure: ImageGenerationFailure | None = None


class ImageGenerationTurnItem(TurnItemBase, tag="ImageGeneration"):
    """An image made by the API."""

    status: str
    result: str  # base64
    revised_prompt: str | None = None
    saved_path: str | None = None


class EnteredReviewModeTurnItem(TurnItemBase, tag="EnteredReviewMode"):
    """A code review began."""

    target: ReviewTarget
    user_facing_hint: str


class ExitedReviewModeTurnItem(TurnItemBase, tag="ExitedReviewMode"):
    """A code review ended."""

    review_output: ReviewOutput | None = None  # null when it was cut off


class FileChangeTurnItem(TurnItemBase, tag="FileChange"):
    """A patch."""

    changes: dict[str, FileChange]  # by path
    status: PatchStatus | None = None
    auto_approved: bool | None = None
    stdout: str | None = None
    stderr: str | None = None


class McpToolCallTurnItem(TurnItemBase, tag="McpToolCall", rename="camel"):
    """A call of an MCP tool."""

    server: str
    tool: str
    arguments: Any
    status: McpToolStatus
    result: CallToolResult | None = None
    error: McpToolCallError | None = None
    duration: Duration | None = None
    read_only_hint: bool | None = None  # the server says it changes nothing
    plugin_id: str | None = None
    connector_id: str | None = None
    link_id: str | None = None
    app_name: str | None = None
    action_name: str | None = None
    environment_id: str | None = None
    mcp_app_resource_uri: str | None = None
    mcp_app_ui: McpAppUi | None = None


class ContextCompactionTurnItem(TurnItemBase, tag="ContextCompaction"):
    """The context was compacted."""


TurnItem: TypeAlias = (
    UserMessageTurnItem
    | FunctionCallOutputTurnItem
    | HookPromptTurnItem
    | AgentMessageTurnItem
    | PlanTurnItem
    | ReasoningTurnItem
    | CommandExecutionTurnItem
    | DynamicToolCallTurnItem
    | CollabAgentToolCallTurnItem
    | SubAgentActivityTurnItem
    | WebSearchTurnItem
    | ImageViewTurnItem
    | ExtensionTurnItem
    | ImageGenerationTurnItem
    | EnteredReviewModeTurnItem
    | ExitedReviewModeTurnItem
    | FileChangeTurnItem
    | McpToolCallTurnItem
    | ContextCompactionTurnItem
    | UnknownTurnItem
)

TURN_ITEMS: dict[str, type[Wire]] = tags(TurnItem)
"""Every turn item by its name on disk."""
