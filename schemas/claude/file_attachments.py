"""Attachments that carry or name files: mentions, edits, the editor's selection, memory."""

from __future__ import annotations

from typing import Any

import msgspec

from panscript.schemas.claude.base import Native

__all__ = [
    "FILE_ATTACHMENTS",
    "AccountMemoryRecall",
    "AlreadyReadFile",
    "AtMentionReference",
    "CompactFileReference",
    "CoworkMemoryContext",
    "Diagnostics",
    "DirectoryAttachment",
    "EditedImageFile",
    "EditedTextFile",
    "FileAttachment",
    "InlinedImagePaths",
    "InstructionFilesNotLoaded",
    "McpResource",
    "MemoryUpdate",
    "NestedMemory",
    "OpenedFileInIde",
    "PdfReference",
    "PromptAsFile",
    "RelevantMemories",
    "SelectedLinesInDiff",
    "SelectedLinesInIde",
    "WithheldMemory",
]


class FileAttachment(Native, frozen=True, kw_only=True, tag="file"):
    """A file the prompt mentions, as the Read tool gives it."""

    filename: str | None = None
    """Path."""
    content: Any = None
    """Result of Read."""
    display_path: str | None = None
    """Path as shown."""
    truncated: bool | None = None
    """True if cut."""
    over_token_limit: bool | None = None
    """True if too long to be whole."""
    may_hold_download: bool | None = None
    """True for a downloaded file."""
    saved_copy_framing: Any = None
    """How a saved copy is presented."""


class AlreadyReadFile(Native, frozen=True, kw_only=True, tag="already_read_file"):
    """A mentioned file the model has read before."""

    filename: str | None = None
    """Path."""
    content: Any = None
    """Result of Read."""
    display_path: str | None = None
    """Path as shown."""
    truncated: bool | None = None
    """True if cut."""


class CompactFileReference(Native, frozen=True, kw_only=True, tag="compact_file_reference"):
    """A file read before a compaction, now only named."""

    filename: str | None = None
    """Path."""
    display_path: str | None = None
    """Path as shown."""


class PdfReference(Native, frozen=True, kw_only=True, tag="pdf_reference"):
    """A mentioned PDF too long to include."""

    filename: str | None = None
    """Path."""
    page_count: int | None = None
    """Number of pages."""
    file_size: int | None = None
    """Bytes."""
    display_path: str | None = None
    """Path as shown."""
    still_arriving: bool | None = None
    """True if it is not complete yet."""
    whole_refused_by_model: Any = None
    """Why the whole file cannot be read."""
    model_reads_by_page: bool | None = None
    """True if the model reads single pages."""
    says_how_much_of_a_pdf_to_read: bool | None = None
    """True if the text says how much to read."""


class AtMentionReference(Native, frozen=True, kw_only=True, tag="at_mention_reference"):
    """A mentioned file that was not read."""

    mentions: list[str] | None = None
    """Paths."""
    display_path: str | None = None
    """Path as shown."""
    unread: str | None = None
    """Why, such as `too_large`."""
    file_size: int | None = None
    """Bytes."""
    read_all_of_it: str | None = None
    """Whether all of it can be read."""
    says_how_much_of_a_pdf_to_read: bool | None = None
    """True if the text says how much to read."""


class DirectoryAttachment(Native, frozen=True, kw_only=True, tag="directory"):
    """A mentioned folder with its listing."""

    path: str | None = None
    """Path."""
    content: Any = None
    """Listing."""
    display_path: str | None = None
    """Path as shown."""


class EditedTextFile(Native, frozen=True, kw_only=True, tag="edited_text_file"):
    """A file that changed after the model read it."""

    filename: str | None = None
    """Path."""
    snippet: str | None = None
    """Changed part with line numbers."""


class EditedImageFile(Native, frozen=True, kw_only=True, tag="edited_image_file"):
    """An image that changed after the model read it."""

    filename: str | None = None
    """Path."""
    content: Any = None
    """Result of Read."""


class InlinedImagePaths(Native, frozen=True, kw_only=True, tag="inlined_image_paths"):
    """Files of the images in a prompt."""

    paths: list[str] | None = None
    """Paths."""
    names: list[str] | None = None
    """Names."""


class PromptAsFile(Native, frozen=True, kw_only=True, tag="prompt_as_file"):
    """A prompt too long to send, saved as a file."""

    prompt_uuid: str | None = None
    """User row of the prompt."""
    path: str | None = None
    """The file."""
    characters: int | None = None
    """Its length."""


class SelectedLinesInIde(Native, frozen=True, kw_only=True, tag="selected_lines_in_ide"):
    """Lines selected in the editor."""

    ide_name: str | None = None
    """Editor."""
    line_start: int | None = None
    """First line."""
    line_end: int | None = None
    """Last line."""
    filename: str | None = None
    """Path."""
    content: str | None = None
    """The lines."""
    display_path: str | None = None
    """Path as shown."""
    may_hold_download: bool | None = None
    """True for a downloaded file."""


class SelectedLinesInDiff(Native, frozen=True, kw_only=True, tag="selected_lines_in_diff"):
    """Lines selected in a diff view."""

    line_count: int | None = None
    """Number of lines."""
    content: str | None = None
    """The lines."""
    file_path: str | None = None
    """Path."""
    may_hold_download: bool | None = None
    """True for a downloaded file."""


class OpenedFileInIde(Native, frozen=True, kw_only=True, tag="opened_file_in_ide"):
    """File open in the editor."""

    filename: str | None = None
    """Path."""


class Diagnostics(Native, frozen=True, kw_only=True, tag="diagnostics"):
    """Problems the language servers found."""

    files: list[Any] | None = None
    """Problems of each file."""
    is_new: bool | None = None
    """True if they are new."""


class McpResource(Native, frozen=True, kw_only=True, tag="mcp_resource"):
    """A mentioned MCP resource."""

    server: str | None = None
    """MCP server."""
    uri: str | None = None
    """Address."""
    name: str | None = None
    """Name."""
    description: str | None = None
    """Description."""
    content: Any = None
    """Contents."""


class NestedMemory(Native, frozen=True, kw_only=True, tag="nested_memory"):
    """Memory file of a subfolder."""

    path: str | None = None
    """Path."""
    content: Any = None
    """The file: path, type, content."""
    display_path: str | None = None
    """Path as shown."""


class RelevantMemories(Native, frozen=True, kw_only=True, tag="relevant_memories"):
    """Memories that fit the prompt."""

    memories: list[Any] | None = None
    """The memories: path, content, mtimeMs, ..."""


class MemoryUpdate(Native, frozen=True, kw_only=True, tag="memory_update"):
    """Memory files changed."""

    source: str | None = None
    """Who changed them."""
    summary: str | None = None
    """What changed."""
    paths: list[str] | None = None
    """Paths."""
    in_context_paths: list[str] | None = None
    """Of these, what the model had seen."""


class WithheldMemory(Native, frozen=True, kw_only=True, tag="withheld_memory"):
    """Memory files that were not loaded."""

    entries: list[Any] | None = None
    """The files."""
    by: str | None = None
    """Why."""


class InstructionFilesNotLoaded(Native, frozen=True, kw_only=True, tag="instruction_files_not_loaded"):
    """Instruction files that were not loaded."""

    files: Any = None
    """The files."""


class CoworkMemoryContext(Native, frozen=True, kw_only=True, tag="cowork_memory_context"):
    """Memory of a shared space."""

    version: str | None = None
    """Version of the memory."""
    content: str | None = None
    """The memory; null when withdrawn."""
    prefetched: bool | None = None
    """True if fetched in advance."""
    prefetched_withdrawn: bool | None = None
    """True if taken back."""
    files_models: list[str] | None = None
    """Models that may see files."""
    arm: str | None = None
    """Internal variant."""
    withdrawn_paths: list[str] | None = None
    """Files taken back."""
    withdrawn_at: Any = None
    """When."""


class AccountMemoryRecall(Native, frozen=True, kw_only=True, tag="account_memory_recall"):
    """Memories of the account."""

    files: list[Any] | None = None
    """The memories."""


FILE_ATTACHMENTS: dict[str, type[msgspec.Struct]] = {
    "file": FileAttachment,
    "already_read_file": AlreadyReadFile,
    "compact_file_reference": CompactFileReference,
    "pdf_reference": PdfReference,
    "at_mention_reference": AtMentionReference,
    "directory": DirectoryAttachment,
    "edited_text_file": EditedTextFile,
    "edited_image_file": EditedImageFile,
    "inlined_image_paths": InlinedImagePaths,
    "prompt_as_file": PromptAsFile,
    "selected_lines_in_ide": SelectedLinesInIde,
    "selected_lines_in_diff": SelectedLinesInDiff,
    "opened_file_in_ide": OpenedFileInIde,
    "diagnostics": Diagnostics,
    "mcp_resource": McpResource,
    "nested_memory": NestedMemory,
    "relevant_memories": RelevantMemories,
    "memory_update": MemoryUpdate,
    "withheld_memory": WithheldMemory,
    "instruction_files_not_loaded": InstructionFilesNotLoaded,
    "cowork_memory_context": CoworkMemoryContext,
    "account_memory_recall": AccountMemoryRecall,
}
"""File attachment structs by their `type`."""
