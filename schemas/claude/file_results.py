"""Shapes of `toolUseResult` of the tools for files, searches and the shell."""

from __future__ import annotations

from typing import Any, Literal

from panscript.schemas.claude.base import ApiNative, Native, Number

__all__ = [
    "ArtifactRead",
    "BashOutputResult",
    "BashResult",
    "EditResult",
    "GitBranch",
    "GitCommit",
    "GitDiff",
    "GitOperation",
    "GitPullRequest",
    "GitPush",
    "GlobResult",
    "GrepResult",
    "Hunk",
    "ImageDimensions",
    "ImageFile",
    "KillShellResult",
    "MultiEditResult",
    "NotebookEditResult",
    "NotebookFile",
    "PartsFile",
    "PdfFile",
    "ReadImageResult",
    "ReadNotebookResult",
    "ReadPartsResult",
    "ReadPdfResult",
    "ReadTextResult",
    "ReadUnchangedResult",
    "SingleEdit",
    "TextFile",
    "UnchangedFile",
    "WriteResult",
]


class GitCommit(Native, frozen=True, kw_only=True):
    """A commit a command made."""

    sha: str | None = None
    """Its hash."""
    kind: str | None = None
    """`committed`, `amended`, `cherry-picked`."""
    branch: str | None = None
    """Its branch."""


class GitPush(Native, frozen=True, kw_only=True):
    """A push a command made."""

    branch: str | None = None
    """Its branch."""


class GitBranch(Native, frozen=True, kw_only=True):
    """A merge or rebase a command made."""

    ref: str | None = None
    """What was merged or rebased on."""
    action: str | None = None
    """`merged` or `rebased`."""


class GitPullRequest(Native, frozen=True, kw_only=True):
    """What a command did to a pull request."""

    number: int | None = None
    """Its number."""
    url: str | None = None
    """Its address."""
    action: str | None = None
    """`created`, `merged`, `closed`, ..."""


class GitOperation(Native, frozen=True, kw_only=True):
    """Git activity found in a command."""

    commit: GitCommit | None = None
    """A commit."""
    push: GitPush | None = None
    """A push."""
    branch: GitBranch | None = None
    """A merge or rebase."""
    pr: GitPullRequest | None = None
    """A pull request."""


class BashResult(Native, frozen=True, kw_only=True):
    """Bash. A failure is the text `Error: Exit code n` instead."""

    stdout: str
    """Output, up to 30 kB even if the whole is in a file."""
    stderr: str
    """Error output."""
    interrupted: bool
    """True if interrupted."""
    is_image: bool | None = None
    """True if the output is an image."""
    no_output_expected: bool | None = None
    """True if silence means success; 2.1.x."""
    background_task_id: str | None = None
    """Background task."""
    backgrounded_by_user: bool | None = None
    """True if the person sent it to the background."""
    assistant_auto_backgrounded: bool | None = None
    """True if it went to the background by itself."""
    timed_out_after_ms: Number | None = None
    """Time limit it hit, in milliseconds."""
    background_cwd_hint: str | None = None
    """Note on the folder."""
    background_ends_with_final_response: bool | None = None
    """True if it ends with the answer."""
    background_wakes_owner: bool | None = None
    """True if its end wakes the agent."""
    dangerously_disable_sandbox: bool | None = None
    """True if it ran without the sandbox."""
    return_code_interpretation: str | None = None
    """Meaning of an exit code that is no failure."""
    structured_content: list[Any] | None = None
    """Output as blocks."""
    persisted_output_path: str | None = None
    """File with the whole output."""
    persisted_output_size: int | None = None
    """Its bytes."""
    raw_output_path: str | None = None
    """File with the raw output of an MCP tool."""
    token_saver_output: str | None = None
    """Shortened output for the model."""
    stale_read_file_state_hint: str | None = None
    """Note on changed files."""
    gh_rate_limit_hint: str | None = None
    """Note on a GitHub limit."""
    git_operation: GitOperation | None = None
    """Git activity found in the command."""
    sandbox: Any = None
    """State of the sandbox."""


class BashOutputResult(Native, frozen=True, kw_only=True):
    """BashOutput, the old way to read a background shell."""

    shell_id: str
    """The shell."""
    status: str
    """`running`, `completed`, `failed`, `killed`."""
    command: str | None = None
    """Its command."""
    exit_code: int | None = None
    """Its exit code; null while it runs."""
    stdout: str | None = None
    """New output."""
    stderr: str | None = None
    """New error output."""
    stdout_lines: int | None = None
    """Lines of output."""
    stderr_lines: int | None = None
    """Lines of error output."""
    timestamp: str | None = None
    """When it was read."""
    filter_pattern: str | None = None
    """Filter of the lines."""


class KillShellResult(ApiNative, frozen=True, kw_only=True):
    """KillShell, the old way to end a background shell."""

    message: str
    """What happened."""
    shell_id: str
    """The shell."""


class TextFile(Native, frozen=True, kw_only=True):
    """Text a Read gave."""

    file_path: str
    """Path."""
    content: str
    """The lines."""
    num_lines: int
    """Number of lines given."""
    start_line: int
    """First line, from 1."""
    total_lines: int
    """Lines of the file."""
    truncated_by_token_cap: bool | None = None
    """True if cut at the limit of tokens."""


class ArtifactRead(Native, frozen=True, kw_only=True):
    """An artifact that was read."""

    slug: str | None = None
    """Its name."""
    ver: str | None = None
    """Its version."""
    seeded: bool | None = None
    """False if not made from a template."""


class ReadTextResult(Native, frozen=True, kw_only=True):
    """Read of a text file."""

    type: Literal["text"]
    """Always `text`."""
    file: TextFile
    """The text."""
    artifact_read: ArtifactRead | None = None
    """Artifact the file belongs to."""


class ImageDimensions(Native, frozen=True, kw_only=True):
    """Size of an image in pixels."""

    original_width: int | None = None
    """Width of the file."""
    original_height: int | None = None
    """Height of the file."""
    display_width: int | None = None
    """Width as sent."""
    display_height: int | None = None
    """Height as sent."""


class ImageFile(Native, frozen=True, kw_only=True):
    """Image a Read gave."""

    base64: str
    """The image."""
    type: str
    """MIME type."""
    original_size: int
    """Bytes of the file."""
    dimensions: ImageDimensions | None = None
    """Size in pixels."""


class ReadImageResult(Native, frozen=True, kw_only=True):
    """Read of an image."""

    type: Literal["image"]
    """Always `image`."""
    file: ImageFile
    """The image."""


class NotebookFile(Native, frozen=True, kw_only=True):
    """Notebook a Read gave."""

    file_path: str
    """Path."""
    cells: list[Any]
    """Cells."""


class ReadNotebookResult(Native, frozen=True, kw_only=True):
    """Read of a notebook."""

    type: Literal["notebook"]
    """Always `notebook`."""
    file: NotebookFile
    """The notebook."""


class PdfFile(Native, frozen=True, kw_only=True):
    """PDF a Read gave."""

    file_path: str
    """Path."""
    base64: str
    """The document."""
    original_size: int
    """Bytes of the file."""


class ReadPdfResult(Native, frozen=True, kw_only=True):
    """Read of a PDF."""

    type: Literal["pdf"]
    """Always `pdf`."""
    file: PdfFile
    """The document."""


class PartsFile(Native, frozen=True, kw_only=True):
    """Pages of a PDF, saved as images."""

    file_path: str
    """Path."""
    original_size: int
    """Bytes of the file."""
    count: int
    """Number of pages."""
    output_dir: str
    """Folder of the pages."""


class ReadPartsResult(Native, frozen=True, kw_only=True):
    """Read of pages of a PDF."""

    type: Literal["parts"]
    """Always `parts`."""
    file: PartsFile
    """The pages."""
    first_page: int | None = None
    """First page."""
    pages: list[Any] | None = None
    """The pages: base64, mediaType, error."""


class UnchangedFile(Native, frozen=True, kw_only=True):
    """A file that is as the model last saw it."""

    file_path: str
    """Path."""


class ReadUnchangedResult(Native, frozen=True, kw_only=True):
    """Read of a file that has not changed."""

    type: Literal["file_unchanged"]
    """Always `file_unchanged`."""
    file: UnchangedFile
    """The file."""


class Hunk(Native, frozen=True, kw_only=True):
    """One hunk of a diff."""

    old_start: int
    """First line before."""
    old_lines: int
    """Lines before."""
    new_start: int
    """First line after."""
    new_lines: int
    """Lines after."""
    lines: list[str]
    """Lines with a space, `-`, `+` or a backslash in front."""


class GitDiff(Native, frozen=True, kw_only=True):
    """The change as a git diff; remote sessions."""

    filename: str | None = None
    """Path."""
    status: str | None = None
    """`modified` or `added`."""
    additions: int | None = None
    """Lines added."""
    deletions: int | None = None
    """Lines removed."""
    changes: int | None = None
    """Both."""
    patch: str | None = None
    """The diff."""
    repository: str | None = None
    """GitHub repository."""


class EditResult(Native, frozen=True, kw_only=True):
    """Edit."""

    file_path: str
    """Path."""
    old_string: str
    """Text before."""
    new_string: str
    """Text after."""
    original_file: str | None = None
    """The file before; null if too long."""
    structured_patch: list[Hunk] | None = None
    """Diff."""
    user_modified: bool | None = None
    """True if the person changed the edit."""
    replace_all: bool | None = None
    """True if all places were changed."""
    git_diff: GitDiff | None = None
    """The change as a git diff."""
    staged: bool | None = None
    """True if held back for review."""


class SingleEdit(ApiNative, frozen=True, kw_only=True):
    """One edit of a MultiEdit."""

    old_string: str
    """Text before."""
    new_string: str
    """Text after."""
    replace_all: bool | None = None
    """True if all places were changed."""


class MultiEditResult(Native, frozen=True, kw_only=True):
    """MultiEdit; 1.0.x."""

    file_path: str
    """Path."""
    edits: list[SingleEdit]
    """The edits."""
    original_file_contents: str | None = None
    """The file before."""
    structured_patch: list[Hunk] | None = None
    """Diff."""
    user_modified: bool | None = None
    """True if the person changed the edit."""


class WriteResult(Native, frozen=True, kw_only=True):
    """Write."""

    type: Literal["create", "update"]
    """Whether the file is new."""
    file_path: str
    """Path."""
    content: str
    """The file after."""
    structured_patch: list[Hunk] | None = None
    """Diff; empty for a new file."""
    original_file: str | None = None
    """The file before; null if new or too long."""
    user_modified: bool | None = None
    """True if the person changed the text."""
    git_diff: GitDiff | None = None
    """The change as a git diff."""
    staged: bool | None = None
    """True if held back for review."""


class NotebookEditResult(ApiNative, frozen=True, kw_only=True):
    """NotebookEdit."""

    new_source: str
    """The cell after."""
    notebook_path: str
    """Path."""
    old_source: str | None = None
    """The cell before."""
    cell_id: str | None = None
    """The cell."""
    cell_type: str | None = None
    """`code` or `markdown`."""
    language: str | None = None
    """Language of the notebook."""
    edit_mode: str | None = None
    """`replace`, `insert`, `delete`."""
    error: str | None = None
    """Error."""
    original_file: str | None = None
    """The notebook before."""
    updated_file: str | None = None
    """The notebook after."""


class GlobResult(Native, frozen=True, kw_only=True):
    """Glob."""

    filenames: list[str]
    """Paths."""
    num_files: int
    """Their number."""
    duration_ms: Number
    """Milliseconds."""
    truncated: bool
    """True if there are more."""
    total_matches: int | None = None
    """Number of all."""
    count_is_complete: bool | None = None
    """False if that number is a lower bound."""
    timed_out: bool | None = None
    """True if the time limit was hit."""


class GrepResult(Native, frozen=True, kw_only=True):
    """Grep."""

    filenames: list[str]
    """Paths."""
    num_files: int
    """Their number."""
    mode: str | None = None
    """`content`, `files_with_matches`, `count`."""
    content: str | None = None
    """Found lines or counts."""
    num_lines: int | None = None
    """Number of lines."""
    num_matches: int | None = None
    """Number of matches."""
    total_files: int | None = None
    """Number of all files."""
    total_lines: int | None = None
    """Number of all lines."""
    applied_limit: int | None = None
    """Limit."""
    applied_offset: int | None = None
    """Offset."""
    timed_out: bool | None = None
    """True if the time limit was hit."""
