"""Lines of a Pi session file, one struct a type: the header, and the entries that form the tree.

Version 1 (2025-11 to 2026-01) has no ids, its order is that of the file; version 2 and 3 are trees by `parentId`.
The struct of a type holds what Pi and its fork omp write, so a field says when only one of them has it.
Entry times are ISO 8601 text in UTC with milliseconds.
"""

from typing import Any

from msgspec import UNSET, Struct, UnsetType

from panscript.schemas.pi.base import Base, Number
from panscript.schemas.pi.blocks import Block, UserContent
from panscript.schemas.pi.messages import Message, SystemMessage
from panscript.schemas.pi.usage import Usage

__all__ = [
    "ENTRIES",
    "Archive",
    "BranchSummary",
    "Compaction",
    "ContextEdit",
    "CredentialPin",
    "Custom",
    "CustomMessageEntry",
    "Entry",
    "Label",
    "MessageEntry",
    "ModeChange",
    "ModelChange",
    "ModelUsage",
    "Replacement",
    "ResetBoundary",
    "ServiceTierChange",
    "SessionHeader",
    "SessionInfo",
    "SessionInit",
    "ThinkingLevelChange",
    "TitleChange",
    "TitleSlot",
    "TtsrInjection",
    "UnknownEntry",
    "UsageEntry",
]


class SessionHeader(Base, kw_only=True, tag_field="type", tag="session"):
    """First line of a file; it stands outside the tree."""

    id: str  # session id: UUIDv7 since 0.67.1, UUIDv4 before; Pi rejects a file without it
    timestamp: str  # when the session began
    version: Number | UnsetType = UNSET  # absent is 1; 2; 3 today; Pi takes a higher one as it is
    cwd: str | UnsetType = UNSET  # where tools run; the process' own folder when absent
    parent_session: str | UnsetType = UNSET  # absolute path of the file this one was forked from (version 3)
    provider: str | UnsetType = UNSET  # version 1: provider at the start
    model_id: str | UnsetType = UNSET  # version 1: model at the start
    thinking_level: str | UnsetType = UNSET  # version 1: thinking level at the start
    branched_from: str | UnsetType = UNSET  # version 1: path of the file it was forked from; never migrated
    title: str | UnsetType = UNSET  # omp: name of the session
    title_source: str | UnsetType = UNSET  # omp: who named it, auto or user
    additional_directories: list[str] | UnsetType = UNSET  # omp: further folders of the workspace, absolute
    previous_session_files: list[str] | UnsetType = UNSET  # omp: where the file lay before it was moved
    provider_prompt_cache_key: str | UnsetType = UNSET  # omp: cache identity a full fork keeps


class TitleSlot(Base, kw_only=True, tag_field="type", tag="title"):
    """omp's line before the header, rewritten in place: always 256 bytes with its newline. Pi rejects such a file."""

    v: Number  # version of the slot, 1
    title: str  # name of the session
    updated_at: str  # when it was named
    pad: str  # spaces that fill the line
    source: str | UnsetType = UNSET  # who named it, auto or user


class _EntryBase(Base, kw_only=True):
    """What all entries have."""

    timestamp: str  # when it was written
    id: str | UnsetType = UNSET  # 8 hex digits, unique in the file; absent in version 1
    parent_id: str | UnsetType | None = UNSET  # entry before this one; null for a root; absent in version 1


class MessageEntry(_EntryBase, kw_only=True, tag_field="type", tag="message"):
    """A message of the conversation."""

    message: Message  # by role


class ModelChange(_EntryBase, kw_only=True, tag_field="type", tag="model_change"):
    """Another model from here on."""

    provider: str | UnsetType = UNSET  # Pi: provider of the model
    model_id: str | UnsetType = UNSET  # Pi: the model
    model: str | UnsetType = UNSET  # omp: "provider/model" in one
    role: str | UnsetType = UNSET  # omp: what the model is used for; absent is default
    resolved_model_is_fallback: bool | UnsetType = UNSET  # omp: a retry chose it, not the settings

    def __post_init__(self) -> None:
        if self.model is UNSET and (self.provider is UNSET or self.model_id is UNSET):
            raise ValueError("Object needs the fields `provider` and `modelId`, or `model`")


class ThinkingLevelChange(_EntryBase, kw_only=True, tag_field="type", tag="thinking_level_change"):
    """Another thinking level from here on."""

    thinking_level: str | UnsetType | None = UNSET  # off, minimal, low, medium, high, xhigh, max; null or absent in omp
    configured: str | UnsetType | None = UNSET  # omp: what the user chose, `auto` included


class Compaction(_EntryBase, kw_only=True, tag_field="type", tag="compaction"):
    """A summary in place of what came before; the last one on the path counts."""

    summary: str  # what the model sees instead
    tokens_before: Number  # context size before
    first_kept_entry_id: str | UnsetType = UNSET  # entries from here on stay; its own id: none stays (version 2, 3)
    first_kept_entry_index: Number | UnsetType = UNSET  # the same as a line index, header is 0 (version 1)
    details: Any | UnsetType = UNSET  # {readFiles, modifiedFiles} by default
    usage: Usage | UnsetType = UNSET  # tokens the summary cost (not in 0.74.2)
    from_hook: bool | UnsetType = UNSET  # an extension made the summary
    system_message: SystemMessage | UnsetType = UNSET  # prompt and tools at this point (not in 0.74.2)
    short_summary: str | UnsetType = UNSET  # omp: the summary in a few words
    tokens_after: Number | UnsetType = UNSET  # omp: estimated context size after
    method: str | UnsetType = UNSET  # omp: how it was compacted
    provider_replay_through_entry_id: str | UnsetType = UNSET  # omp: last entry the provider's own history stands for
    preserve_data: Any | UnsetType = UNSET  # omp: data of hooks that outlive it
    warning: str | UnsetType = UNSET  # omp: it freed too little
    from_extension: bool | UnsetType = UNSET  # omp's name for `from_hook`

    def __post_init__(self) -> None:
        if self.first_kept_entry_id is UNSET and self.first_kept_entry_index is UNSET:
            raise ValueError("Object missing required field `firstKeptEntryId`")


class BranchSummary(_EntryBase, kw_only=True, tag_field="type", tag="branch_summary"):
    """What happened on a branch that was left; stands where the new branch begins."""

    from_id: str  # leaf of the branch left behind, or "root"
    summary: str  # what the model sees of it
    details: Any | UnsetType = UNSET  # {readFiles, modifiedFiles} by default
    usage: Usage | UnsetType = UNSET  # tokens the summary cost (not in 0.74.2)
    from_hook: bool | UnsetType = UNSET  # an extension made the summary
    from_extension: bool | UnsetType = UNSET  # omp's name for `from_hook`


class Custom(_EntryBase, kw_only=True, tag_field="type", tag="custom"):
    """Data of an extension: never sent, not shown. `import_record` has those that panscript writes."""

    custom_type: str  # the extension's name for it
    data: Any | UnsetType = UNSET  # any JSON


class CustomMessageEntry(_EntryBase, kw_only=True, tag_field="type", tag="custom_message"):
    """A message of an extension: sent to the model as a user message, shown or not."""

    custom_type: str  # the extension's name for it
    content: str | list[UserContent]  # text and images
    display: bool  # shown in the chat
    details: Any | UnsetType = UNSET  # the extension's own, never sent
    attribution: str | UnsetType = UNSET  # omp: who caused it, user or agent


class Replacement(Base, kw_only=True):
    """What the model sees of an edited entry."""

    content: str | list[Block]  # blocks of the kind the entry holds


class ContextEdit(_EntryBase, kw_only=True, tag_field="type", tag="context_edit"):
    """Changes what the model sees of an earlier entry (since 0.87.0)."""

    target_id: str  # the entry
    replacement: Replacement | None  # null hides it


class UsageEntry(_EntryBase, kw_only=True, tag_field="type", tag="usage"):
    """Tokens spent outside the conversation; Pi counts them (not in 0.74.2)."""

    kind: str  # what for: cache_warm
    provider: str  # who served it
    model: str  # which model
    usage: Usage  # what it cost
    note: str | UnsetType = UNSET  # a word for the reader


class Label(_EntryBase, kw_only=True, tag_field="type", tag="label"):
    """A bookmark on an entry; the last one for an entry counts."""

    target_id: str  # the entry
    label: str | UnsetType = UNSET  # its text; absent or empty takes it away


class SessionInfo(_EntryBase, kw_only=True, tag_field="type", tag="session_info"):
    """The session's name; the last one in the file counts, whatever its branch."""

    name: str | UnsetType = UNSET  # one line; empty takes it away


class ModelUsage(_EntryBase, kw_only=True, tag_field="type", tag="model_usage"):
    """Tokens of a call that is no part of the conversation (omp)."""

    purpose: str  # what for
    api: str  # api it went by
    provider: str  # who served it
    model: str  # which model
    usage: Usage  # what it cost
    stop_reason: str  # how it ended
    role: str | UnsetType = UNSET  # model role it used, such as smol
    error_message: str | UnsetType = UNSET  # why it failed


class ServiceTierChange(_EntryBase, kw_only=True, tag_field="type", tag="service_tier_change"):
    """Another service tier from here on (omp)."""

    service_tier: Any  # a tier, tiers by family of model, or null


class TitleChange(_EntryBase, kw_only=True, tag_field="type", tag="title_change"):
    """The session was renamed (omp)."""

    title: str  # new name
    source: str | UnsetType = UNSET  # who named it, auto or user
    previous_title: str | UnsetType = UNSET  # old name
    trigger: str | UnsetType = UNSET  # what caused it


class TtsrInjection(_EntryBase, kw_only=True, tag_field="type", tag="ttsr_injection"):
    """Rules that were put before the model in the middle of an answer (omp)."""

    injected_rules: list[str]  # their names


class CredentialPin(_EntryBase, kw_only=True, tag_field="type", tag="credential_pin"):
    """Which account served a provider, so that its prompt cache can be used again (omp)."""

    provider: str  # the provider
    hash: str  # digest of the account


class SessionInit(_EntryBase, kw_only=True, tag_field="type", tag="session_init"):
    """How a sub-agent was started (omp)."""

    system_prompt: str | list[str]  # its prompt, in blocks as sent or joined (older)
    task: str  # its first message
    tools: list[str]  # tools it may use
    agent: str | UnsetType = UNSET  # name of its definition
    model_role: str | UnsetType = UNSET  # model role of the definition
    model_override: str | UnsetType = UNSET  # model asked for instead
    resolved_model: str | UnsetType = UNSET  # model it got, "provider/model"
    retry_fallback: Any | UnsetType = UNSET  # models to fall back to
    read_only: bool | UnsetType = UNSET  # it may not write
    output_schema: Any | UnsetType = UNSET  # JSON Schema of its answer
    output_schema_mode: str | UnsetType = UNSET  # how strictly it is held to it
    restrict_tool_names: bool | UnsetType = UNSET  # only the tools named, also when it is revived
    spawns: str | UnsetType = UNSET  # agents it may start: "" none, "*" any, else a list with commas
    read_summarize: bool | UnsetType = UNSET  # false: files it reads are not summarised
    advisor: str | UnsetType = UNSET  # model that advises it
    compaction_threshold: Any | UnsetType = UNSET  # its own limits for compaction
    isolated: bool | UnsetType = UNSET  # it ran in a worktree of its own
    work_pool_yield_items: list[Any] | UnsetType = UNSET  # its part of a work pool


class ModeChange(_EntryBase, kw_only=True, tag_field="type", tag="mode_change"):
    """Another mode from here on, such as plan (omp)."""

    mode: str  # its name, "none" when a mode is left
    data: Any | UnsetType = UNSET  # the mode's own


class ResetBoundary(_EntryBase, kw_only=True, tag_field="type", tag="reset_boundary"):
    """The context was cleared here; what came before stays in the file (omp)."""


class Archive(_EntryBase, kw_only=True, tag_field="type", tag="archive"):
    """Hides a branch or shows it again; the last one for an entry counts (omp)."""

    target_id: str  # root of the branch
    archived: bool  # false shows it again


class UnknownEntry(Struct, frozen=True, kw_only=True):
    """A line that is JSON and of no known type; Pi keeps such a line, shows it nowhere and sends it nowhere."""

    type: str | None  # its `type`; None when it is no object or the type is no string
    raw: bytes  # the line as it was given


Entry = (
    SessionHeader
    | TitleSlot
    | MessageEntry
    | ModelChange
    | ThinkingLevelChange
    | Compaction
    | BranchSummary
    | Custom
    | CustomMessageEntry
    | ContextEdit
    | UsageEntry
    | Label
    | SessionInfo
    | ModelUsage
    | ServiceTierChange
    | TitleChange
    | TtsrInjection
    | CredentialPin
    | SessionInit
    | ModeChange
    | ResetBoundary
    | Archive
    | UnknownEntry
)

# `type` on disk -> struct, the header and the title slot included.
ENTRIES: dict[str, type[Struct]] = {
    "session": SessionHeader,
    "title": TitleSlot,
    "message": MessageEntry,
    "model_change": ModelChange,
    "thinking_level_change": ThinkingLevelChange,
    "compaction": Compaction,
    "branch_summary": BranchSummary,
    "custom": Custom,
    "custom_message": CustomMessageEntry,
    "context_edit": ContextEdit,
    "usage": UsageEntry,
    "label": Label,
    "session_info": SessionInfo,
    "model_usage": ModelUsage,
    "service_tier_change": ServiceTierChange,
    "title_change": TitleChange,
    "ttsr_injection": TtsrInjection,
    "credential_pin": CredentialPin,
    "session_init": SessionInit,
    "mode_change": ModeChange,
    "reset_boundary": ResetBoundary,
    "archive": Archive,
}
