"""Content blocks of Pi messages: text, thinking, image, tool call, and the three that only omp writes."""

from typing import Any

from msgspec import UNSET, Struct, UnsetType, field

from panscript.schemas.pi.base import Base, Number, UnknownBlock

__all__ = [
    "BLOCKS",
    "AssistantContent",
    "Block",
    "FallbackBlock",
    "FallbackModel",
    "ImageBlock",
    "ProviderFile",
    "RedactedThinkingBlock",
    "ServerToolBlock",
    "TextBlock",
    "ThinkingBlock",
    "ToolCallBlock",
    "UserContent",
]


class TextBlock(Base, kw_only=True, tag_field="type", tag="text"):
    """Plain text."""

    text: str  # the text itself
    text_signature: str | UnsetType = UNSET  # opaque, for replay by the same api: an item id or JSON text {"v":1,...}


class ThinkingBlock(Base, kw_only=True, tag_field="type", tag="thinking"):
    """The model's reasoning, or only its opaque form."""

    thinking: str  # readable reasoning, may be empty
    # Opaque, by api: Anthropic's signature, a whole reasoning item as JSON text, or the name of the reasoning field.
    thinking_signature: str | UnsetType = UNSET
    redacted: bool | UnsetType = UNSET  # true: the text was withheld, the signature holds the encrypted payload
    item_id: str | UnsetType = UNSET  # omp: id of the provider's reasoning item


class ProviderFile(Base, kw_only=True):
    """An image uploaded to the provider before (omp)."""

    provider: str  # whose file it is: openai, anthropic or google
    id: str | UnsetType = UNSET  # file id there
    uri: str | UnsetType = UNSET  # or its address there
    expires_at: Number | UnsetType = UNSET  # end of its life, epoch milliseconds


class ImageBlock(Base, kw_only=True, tag_field="type", tag="image"):
    """An image inside the session; omp moves large ones out and leaves `blob:sha256:<hex>` in `data`."""

    data: str  # base64 without a `data:` prefix, or omp's blob reference
    mime_type: str  # for example image/png
    detail: str | UnsetType = UNSET  # omp: resolution asked for (auto, low, high, original)
    provider_file: ProviderFile | UnsetType = UNSET  # omp: the same image, uploaded
    url: str | UnsetType = UNSET  # omp: the same bytes at an https address


class ToolCallBlock(Base, kw_only=True, tag_field="type", tag="toolCall"):
    """A tool the model asked for; the answer is a `toolResult` message with the same id."""

    id: str  # call id, chosen by the provider
    name: str  # tool name as the model wrote it
    arguments: dict[str, Any]  # what the tool gets; {} when the model's text was no JSON object
    thought_signature: str | UnsetType = UNSET  # Google: opaque signature that goes back with the call
    namespace: str | UnsetType = UNSET  # OpenAI Responses: namespace of a tool loaded later (not in 0.74.2)
    arguments_error: str | UnsetType = UNSET  # why the arguments could not be read, with their text (not in 0.74.2)
    partial_json: str | UnsetType = UNSET  # 2025 files: the arguments' text while streaming, left in by mistake
    intent: str | UnsetType = UNSET  # omp: what the call is for, taken out of the arguments
    raw_block: str | UnsetType = UNSET  # omp: the text the call was parsed from, where tools are prompted for in text
    custom_wire_name: str | UnsetType = UNSET  # omp: name of an OpenAI custom tool on the wire
    provider_metadata: Any | UnsetType = UNSET  # omp: what is needed to replay a computer-use call


class RedactedThinkingBlock(Base, kw_only=True, tag_field="type", tag="redactedThinking"):
    """Withheld reasoning (omp; Pi has `thinking` with `redacted`)."""

    data: str  # the encrypted payload


class FallbackModel(Base, kw_only=True):
    """One side of a switch of models (omp)."""

    model: str  # model id


class FallbackBlock(Base, kw_only=True, tag_field="type", tag="fallback"):
    """The place where the provider went on with another model (omp)."""

    from_: FallbackModel = field(name="from")  # the model asked for
    to: FallbackModel  # the model that answered


class ServerToolBlock(Base, kw_only=True, tag_field="type", tag="anthropicServerTool"):
    """A tool call or result of Anthropic's own tools, kept word for word (omp)."""

    block: dict[str, Any]  # the provider's block: server_tool_use, web_search_tool_result, tool_search_tool_result


Block = (
    TextBlock
    | ThinkingBlock
    | ImageBlock
    | ToolCallBlock
    | RedactedThinkingBlock
    | FallbackBlock
    | ServerToolBlock
    | UnknownBlock
)
# What a person, an extension or a tool may send. A known block in the wrong place is an error, an unknown one is not.
UserContent = TextBlock | ImageBlock | UnknownBlock
# What a model may answer; images only in omp.
AssistantContent = Block

# `type` on disk -> struct.
BLOCKS: dict[str, type[Struct]] = {
    "text": TextBlock,
    "thinking": ThinkingBlock,
    "image": ImageBlock,
    "toolCall": ToolCallBlock,
    "redactedThinking": RedactedThinkingBlock,
    "fallback": FallbackBlock,
    "anthropicServerTool": ServerToolBlock,
}
