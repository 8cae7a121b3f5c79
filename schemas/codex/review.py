"""Reviews: of code on a person's wish (`/review`), and of actions by the guardian that approves in a person's place."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta

from panscript.schemas.codex.base import UnknownVariant, Wire, tags
from panscript.schemas.codex.permissions import AdditionalPermissionProfile
from panscript.schemas.codex.vocabulary import FileUri

__all__ = [
    "GUARDIAN_ACTIONS",
    "REVIEW_TARGETS",
    "ApplyPatchAction",
    "BaseBranchTarget",
    "CommandAction",
    "CommitTarget",
    "CustomTarget",
    "ExecveAction",
    "GuardianAction",
    "McpToolCallAction",
    "NetworkAccessAction",
    "RequestPermissionsAction",
    "ReviewCodeLocation",
    "ReviewFinding",
    "ReviewLineRange",
    "ReviewOutput",
    "ReviewTarget",
    "UncommittedChangesTarget",
    "WriteStdinAction",
]

CommandTool = Annotated[str, Meta(examples=["shell", "unified_exec"])]


class UncommittedChangesTarget(Wire, tag_field="type", tag="uncommittedChanges"):
    """Review what is not committed."""


class BaseBranchTarget(Wire, tag_field="type", tag="baseBranch"):
    """Review the difference to a branch."""

    branch: str


class CommitTarget(Wire, tag_field="type", tag="commit"):
    """Review one commit."""

    sha: str
    title: str | None = None


class CustomTarget(Wire, tag_field="type", tag="custom"):
    """Review what the person describes."""

    instructions: str


ReviewTarget: TypeAlias = UncommittedChangesTarget | BaseBranchTarget | CommitTarget | CustomTarget | UnknownVariant
REVIEW_TARGETS: dict[str, type[Wire]] = tags(ReviewTarget)


class ReviewLineRange(Wire):
    """Lines of a file, both ends included."""

    start: int
    end: int


class ReviewCodeLocation(Wire):
    """Where a finding is."""

    absolute_file_path: str
    line_range: ReviewLineRange


class ReviewFinding(Wire):
    """One finding."""

    title: str
    body: str  # Markdown
    confidence_score: float  # 0 to 1
    priority: int  # 0 is most urgent
    code_location: ReviewCodeLocation


class ReviewOutput(Wire):
    """What a review came to."""

    findings: list[ReviewFinding]
    overall_correctness: str
    overall_explanation: str
    overall_confidence_score: float  # 0 to 1


class CommandAction(Wire, tag_field="type", tag="command"):
    """A command is to be run."""

    command: str
    cwd: str
    source: CommandTool


class ExecveAction(Wire, tag_field="type", tag="execve"):
    """A program is to be started."""

    program: str
    argv: list[str]
    cwd: str
    source: CommandTool


class WriteStdinAction(Wire, tag_field="type", tag="write_stdin"):
    """Text is to be typed into a running process."""

    approval_id: str
    cwd: FileUri
    process_id: str
    stdin: str


class ApplyPatchAction(Wire, tag_field="type", tag="apply_patch"):
    """Files are to be changed."""

    cwd: str
    files: list[str]


class NetworkAccessAction(Wire, tag_field="type", tag="network_access"):
    """A connection is to be made."""

    host: str
    port: int
    protocol: Annotated[str, Meta(examples=["http", "https", "socks5_tcp", "socks5_udp"])]
    target: str


class McpToolCallAction(Wire, tag_field="type", tag="mcp_tool_call"):
    """An MCP tool is to be called."""

    server: str
    tool_name: str
    connector_id: str | None = None
    connector_name: str | None = None
    tool_title: str | None = None


class RequestPermissionsAction(Wire, tag_field="type", tag="request_permissions"):
    """More permissions are wanted."""

    permissions: AdditionalPermissionProfile
    reason: str | None = None


GuardianAction: TypeAlias = (
    CommandAction
    | ExecveAction
    | WriteStdinAction
    | ApplyPatchAction
    | NetworkAccessAction
    | McpToolCallAction
    | RequestPermissionsAction
    | UnknownVariant
)
GUARDIAN_ACTIONS: dict[str, type[Wire]] = tags(GuardianAction)
