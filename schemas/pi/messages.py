"""Messages inside Pi's `message` entries, one struct a role; times are epoch milliseconds.

Pi writes system, user, assistant, toolResult, bashExecution and custom; hookMessage is the custom of version 2.
omp adds developer, pythonExecution and fileMention.
"""

from typing import Any

from msgspec import UNSET, Struct, UnsetType

from panscript.schemas.pi.base import Base, Number, UnknownBlock, UnknownMessage
from panscript.schemas.pi.blocks import AssistantContent, ImageBlock, TextBlock, UserContent
from panscript.schemas.pi.usage import Usage

__all__ = [
    "APIS",
    "MESSAGES",
    "STOP_REASONS",
    "THINKING_LEVELS",
    "AssistantMessage",
    "BashExecutionMessage",
    "BranchSummaryMessage",
    "CompactionSummaryMessage",
    "CustomMessage",
    "DeferredHandle",
    "DeveloperMessage",
    "Diagnostic",
    "DiagnosticError",
    "FileMentionMessage",
    "HookMessage",
    "MentionedFile",
    "Message",
    "NestedCall",
    "NestedCalls",
    "PythonExecutionMessage",
    "SystemMessage",
    "ToolDefinition",
    "ToolReference",
    "ToolResultMessage",
    "UserMessage",
]

# What is known of fields that stay open strings: another value is no error. `pending` exists only while streaming.
STOP_REASONS = ("stop", "length", "toolUse", "error", "aborted", "deferred", "pending")
THINKING_LEVELS = ("off", "minimal", "low", "medium", "high", "xhigh", "max")
APIS = (
    "openai-completions",
    "mistral-conversations",
    "openai-responses",
    "azure-openai-responses",
    "openai-codex-responses",
    "anthropic-messages",
    "bedrock-converse-stream",
    "google-generative-ai",
    "google-gemini-cli",  # up to 0.58
    "google-vertex",
    "pi-messages",
    "pi-virtual",  # marks a virtual model
)


class ToolDefinition(Base, kw_only=True):
    """A tool offered to the model from here on."""

    name: str  # what the model calls it
    description: str  # told to the model
    parameters: Any  # JSON Schema of the arguments
    constrained_sampling: Any | UnsetType = UNSET  # how strictly the provider holds the model to it, or false


class ToolReference(Base, kw_only=True):
    """A tool no longer offered."""

    name: str  # the name it was offered under


class SystemMessage(Base, kw_only=True, tag_field="role", tag="system"):
    """Prompt and tools at one point; written at the first prompt and at every change (not in 0.74.2). No talk."""

    content: str | list[TextBlock | UnknownBlock]  # instructions; on later messages only what is added
    timestamp: Number  # when it was made
    sections: dict[str, str | None] | UnsetType = UNSET  # named parts of the prompt; null takes one away
    tools_added: list[ToolDefinition] | UnsetType = UNSET  # tools offered from here on
    tools_removed: list[ToolReference] | UnsetType = UNSET  # tools gone from here on


class UserMessage(Base, kw_only=True, tag_field="role", tag="user"):
    """What a person typed (or an agent typed in their place)."""

    content: str | list[UserContent]  # Pi writes a list and accepts a string
    timestamp: Number  # when it was sent
    synthetic: bool | UnsetType = UNSET  # omp: true when the program wrote it
    steering: bool | UnsetType = UNSET  # omp: true when it was sent into a running turn
    attribution: str | UnsetType = UNSET  # omp: who caused it, user or agent
    provider_payload: Any | UnsetType = UNSET  # omp: the provider's own form, for replay


class DeveloperMessage(Base, kw_only=True, tag_field="role", tag="developer"):
    """Instructions the program put between the turns (omp)."""

    content: str | list[UserContent]  # what the model was told
    timestamp: Number  # when it was sent
    attribution: str | UnsetType = UNSET  # who caused it, user or agent
    synthetic: bool | UnsetType = UNSET  # true when it began a turn by itself
    user_initiated: bool | UnsetType = UNSET  # true when a key press of the user caused it
    provider_payload: Any | UnsetType = UNSET  # the provider's own form, for replay


class DiagnosticError(Base, kw_only=True):
    """The error behind a diagnostic."""

    message: str  # its text
    name: str | UnsetType = UNSET  # its class
    stack: str | UnsetType = UNSET  # where it was thrown
    code: str | Number | UnsetType = UNSET  # its code, of the system or the provider


class Diagnostic(Base, kw_only=True):
    """Something odd that happened while a response was read (not in 0.74.2)."""

    type: str  # kind of the event
    timestamp: Number  # when
    error: DiagnosticError | UnsetType = UNSET  # the error, if one caused it
    details: Any | UnsetType = UNSET  # whatever the provider's adapter adds


class DeferredHandle(Base, kw_only=True):
    """Where an answer can be fetched later (not in 0.74.2)."""

    provider: str  # provider to ask
    model_id: str  # model that answers
    api: str  # api to ask it by
    id: str  # the provider's token
    expires_at: Number | UnsetType = UNSET  # epoch milliseconds
    poll_after_ms: Number | UnsetType = UNSET  # milliseconds to wait
    data: Any | UnsetType = UNSET  # what the adapter needs to build the answer


class AssistantMessage(Base, kw_only=True, tag_field="role", tag="assistant"):
    """One response of a model."""

    content: list[AssistantContent]  # always a list; a string would make every later request fail
    api: str  # one of `APIS`, or any other text: then Pi takes the message for a foreign one
    provider: str  # who served it, for example anthropic
    model: str  # the model asked for
    usage: Usage  # Pi fails on a file where it is missing
    stop_reason: str  # one of `STOP_REASONS`
    timestamp: Number  # when the request started
    response_model: str | UnsetType = UNSET  # the model that answered, when it is another
    response_id: str | UnsetType = UNSET  # the provider's id of the response
    provider_thinking_level: str | UnsetType = UNSET  # effort in the provider's words (not in 0.74.2)
    thinking_level: str | UnsetType = UNSET  # one of `THINKING_LEVELS`, as asked for (not in 0.74.2)
    diagnostics: list[Diagnostic] | UnsetType = UNSET  # oddities while reading it (not in 0.74.2)
    deferred: DeferredHandle | UnsetType = UNSET  # where the answer will be, with stop reason `deferred`
    error_message: str | UnsetType = UNSET  # with stop reason `error` or `aborted`
    raw_stop_reason: str | UnsetType = UNSET  # stop reason in the provider's words (not in 0.74.2)
    end_turn: bool | UnsetType = UNSET  # the model said that its turn is over (not in 0.74.2)
    duration_ms: Number | UnsetType = UNSET  # milliseconds from request to end (not in 0.74.2)
    context_snapshot: Any | UnsetType = UNSET  # omp: prompt size at the time of the request
    retry_recovery: Any | UnsetType = UNSET  # omp: how an automatic retry went on after this failure
    upstream_provider: str | UnsetType = UNSET  # omp: who served it behind a gateway
    upstream_model: str | UnsetType = UNSET  # omp: the model a router chose
    stop_details: Any | UnsetType = UNSET  # omp: more on the stop reason, may be null
    error_classification_message: str | UnsetType = UNSET  # omp: the error text without decoration
    tool_call_abort_messages: dict[str, str] | UnsetType = UNSET  # omp: call id -> why it was not run
    error_status: Number | UnsetType = UNSET  # omp: HTTP status of the failure
    error_id: Number | UnsetType = UNSET  # omp: bit set that classifies the failure
    disabled_features: list[str] | UnsetType = UNSET  # omp: request features the provider refused
    provider_payload: Any | UnsetType = UNSET  # omp: the provider's own form, for replay
    duration: Number | UnsetType = UNSET  # omp: milliseconds of the request
    ttft: Number | UnsetType = UNSET  # omp: milliseconds to the first token
    completed_at: Number | UnsetType = UNSET  # omp: when the answer ended


class NestedCall(Base, kw_only=True):
    """A call one tool made to another; results are not recorded."""

    id: str  # id of the inner call
    name: str  # tool it called
    status: str  # ok, error or unfinished
    arguments: dict[str, Any] | UnsetType = UNSET  # absent when too large
    arguments_bytes: Number | UnsetType = UNSET  # their size, when absent
    duration_ms: Number | UnsetType = UNSET  # milliseconds
    error: str | UnsetType = UNSET  # error text, cut


class NestedCalls(Base, kw_only=True):
    """What a tool called while it ran (not in 0.74.2)."""

    calls: list[NestedCall]  # in order of their start
    complete: bool  # false when something is left out


class ToolResultMessage(Base, kw_only=True, tag_field="role", tag="toolResult"):
    """The answer to one tool call."""

    tool_call_id: str  # id of the `toolCall` block it answers
    tool_name: str  # name of the tool
    content: list[UserContent]  # what the model gets to see; always a list
    is_error: bool  # whether the tool failed
    timestamp: Number  # when the result came
    details: Any | UnsetType = UNSET  # for the display, never sent; any JSON
    usage: Usage | UnsetType = UNSET  # tokens the tool itself spent; Pi counts them (not in 0.74.2)
    nested_calls: NestedCalls | UnsetType = UNSET  # calls the tool made (not in 0.74.2)
    duration_ms: Number | UnsetType = UNSET  # milliseconds the tool ran (not in 0.74.2)
    attribution: str | UnsetType = UNSET  # omp: who caused it, user or agent
    pruned_at: Number | UnsetType = UNSET  # omp: when the output was cut from the context
    provider_metadata: Any | UnsetType = UNSET  # omp: what is needed to replay a computer-use result
    useless: bool | UnsetType = UNSET  # omp: the tool says that nothing was found


class BashExecutionMessage(Base, kw_only=True, tag_field="role", tag="bashExecution"):
    """A command the user ran with `!` (sent to the model) or `!!` (not sent)."""

    command: str  # as typed
    output: str  # what it printed, cut when long
    cancelled: bool  # the user stopped it
    truncated: bool  # `output` is not all
    timestamp: Number  # when it ended
    exit_code: Number | UnsetType | None = UNSET  # absent when cancelled
    full_output_path: str | UnsetType = UNSET  # file with the whole output
    exclude_from_context: bool | UnsetType = UNSET  # true for `!!`
    meta: Any | UnsetType = UNSET  # omp: how the output was cut


class PythonExecutionMessage(Base, kw_only=True, tag_field="role", tag="pythonExecution"):
    """Python the user ran with `$` (sent to the model) or `$$` (not sent) (omp)."""

    code: str  # as typed
    output: str  # what it printed, cut when long
    cancelled: bool  # the user stopped it
    truncated: bool  # `output` is not all
    timestamp: Number  # when it ended
    exit_code: Number | UnsetType | None = UNSET  # absent when cancelled
    exclude_from_context: bool | UnsetType = UNSET  # true for `$$`
    meta: Any | UnsetType = UNSET  # how the output was cut


class CustomMessage(Base, kw_only=True, tag_field="role", tag="custom"):
    """An extension's message; in files of version 3 it is a `custom_message` entry, here it stems from a migration."""

    custom_type: str  # the extension's name for it
    content: str | list[UserContent]  # sent to the model as a user message
    display: bool  # shown in the chat
    timestamp: Number  # when it was sent
    details: Any | UnsetType = UNSET  # the extension's own, never sent
    attribution: str | UnsetType = UNSET  # omp: who caused it, user or agent


class HookMessage(Base, kw_only=True, tag_field="role", tag="hookMessage"):
    """The `custom` message of version 2; Pi renames it when it opens the file, omp still knows it."""

    custom_type: str  # the hook's name for it
    content: str | list[UserContent]  # sent to the model as a user message
    display: bool  # shown in the chat
    timestamp: Number  # when it was sent
    details: Any | UnsetType = UNSET  # the hook's own, never sent
    attribution: str | UnsetType = UNSET  # omp: who caused it, user or agent


class BranchSummaryMessage(Base, kw_only=True, tag_field="role", tag="branchSummary"):
    """A `branch_summary` entry as Pi holds it in memory; no Pi writes it to a file."""

    summary: str  # what happened on the branch left behind
    from_id: str | None  # the leaf left behind
    timestamp: Number  # time of the entry


class CompactionSummaryMessage(Base, kw_only=True, tag_field="role", tag="compactionSummary"):
    """A `compaction` entry as Pi holds it in memory; no Pi writes it to a file."""

    summary: str  # what was compacted away
    tokens_before: Number  # context size before
    timestamp: Number  # time of the entry
    short_summary: str | UnsetType = UNSET  # omp: the same in a few words


class MentionedFile(Base, kw_only=True):
    """One file the user named with `@` (omp)."""

    path: str  # as named
    content: str  # its text, may be cut
    line_count: Number | UnsetType = UNSET  # lines of the file
    byte_size: Number | UnsetType = UNSET  # its size
    skipped_reason: str | UnsetType = UNSET  # why there is no content: tooLarge, binary
    image: ImageBlock | UnsetType = UNSET  # the picture, if it is one


class FileMentionMessage(Base, kw_only=True, tag_field="role", tag="fileMention"):
    """Files put before the model because the user named them (omp)."""

    files: list[MentionedFile]  # in the order they were named
    timestamp: Number  # when


Message = (
    SystemMessage
    | UserMessage
    | AssistantMessage
    | ToolResultMessage
    | BashExecutionMessage
    | CustomMessage
    | HookMessage
    | BranchSummaryMessage
    | CompactionSummaryMessage
    | DeveloperMessage
    | PythonExecutionMessage
    | FileMentionMessage
    | UnknownMessage
)

# `role` on disk -> struct.
MESSAGES: dict[str, type[Struct]] = {
    "system": SystemMessage,
    "user": UserMessage,
    "assistant": AssistantMessage,
    "toolResult": ToolResultMessage,
    "bashExecution": BashExecutionMessage,
    "custom": CustomMessage,
    "hookMessage": HookMessage,
    "branchSummary": BranchSummaryMessage,
    "compactionSummary": CompactionSummaryMessage,
    "developer": DeveloperMessage,
    "pythonExecution": PythonExecutionMessage,
    "fileMention": FileMentionMessage,
}
