"""What the agent may do: approval policies, sandbox policies, permission profiles and their amendments.

The shapes changed more often than any other part of a rollout (`sandbox_policy.mode`, then `.type`, then
`permission_profile` without and with a `type`), so most keys are optional and the variants share a struct.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta

from panscript.schemas.codex.base import Wire

__all__ = [
    "ActivePermissionProfile",
    "AdditionalPermissionProfile",
    "ApprovalPolicy",
    "ApprovedExecpolicyAmendment",
    "Denied",
    "FileSystemPath",
    "FileSystemPermissions",
    "FileSystemSandboxEntry",
    "FileSystemSpecialPath",
    "GranularApproval",
    "GranularApprovalConfig",
    "NetworkApprovalContext",
    "NetworkPermissions",
    "NetworkPolicyAmendment",
    "NetworkPolicyDecision",
    "PermissionProfile",
    "ReadOnlyAccess",
    "ReviewDecision",
    "ReviewDecisionObject",
    "SandboxPolicy",
]


class GranularApprovalConfig(Wire):
    """Which kinds of question are put to the person."""

    sandbox_approval: bool  # leaving the sandbox
    rules: bool  # commands a rule marks
    mcp_elicitations: bool  # questions of MCP servers
    request_permissions: bool = False  # the model's wish for more permissions
    skill_approval: bool = False  # scripts of skills


class GranularApproval(Wire):
    """The object form of an approval policy."""

    granular: GranularApprovalConfig | None = None


ApprovalPolicy: TypeAlias = (
    Annotated[str, Meta(examples=["untrusted", "on-request", "on-failure", "never"])] | GranularApproval
)


class ReadOnlyAccess(Wire):
    """What a sandboxed command may read (about 0.10x)."""

    type: Annotated[str, Meta(examples=["restricted", "full-access"])]
    include_platform_defaults: bool | None = None  # system folders too
    readable_roots: list[str] | None = None  # absolute paths


class SandboxPolicy(Wire):
    """`turn_context.sandbox_policy`; still written by 0.171 although its own schema no longer lists it."""

    type: Annotated[
        str | None, Meta(examples=["danger-full-access", "read-only", "workspace-write", "external-sandbox"])
    ] = None  # since about 0.5x
    mode: str | None = None  # the same words, before `type`
    network_access: bool | str | None = None  # `restricted` or `enabled` in an external sandbox
    writable_roots: list[str] | None = None  # folders beside the workspace
    exclude_tmpdir_env_var: bool | None = None  # $TMPDIR is not writable
    exclude_slash_tmp: bool | None = None  # /tmp is not writable
    access: ReadOnlyAccess | None = None  # what a read-only policy may read; about 0.10x
    read_only_access: ReadOnlyAccess | None = None  # the same beside `workspace-write`; about 0.10x


class FileSystemSpecialPath(Wire):
    """A place that has no fixed path."""

    kind: Annotated[str, Meta(examples=["root", "minimal", "project_roots", "tmpdir", "slash_tmp", "unknown"])]
    subpath: str | None = None  # below the project roots
    path: str | None = None  # with `unknown`


class FileSystemPath(Wire):
    """What one sandbox entry is about."""

    type: Annotated[str, Meta(examples=["path", "glob_pattern", "special"])]
    path: str | None = None  # with `path`: an absolute path
    pattern: str | None = None  # with `glob_pattern`
    value: FileSystemSpecialPath | None = None  # with `special`


class FileSystemSandboxEntry(Wire):
    """One path and what may be done with it."""

    access: Annotated[str, Meta(examples=["read", "write", "deny", "none"])]
    path: FileSystemPath | str  # a plain path in some 0.14x files
    missing_path_behavior: Annotated[str, Meta(examples=["skip"])] | None = None


class FileSystemPermissions(Wire):
    """A set of sandbox entries."""

    type: Annotated[str | None, Meta(examples=["restricted", "unrestricted"])] = None  # absent before about 0.13x
    kind: str | None = None  # the same in `turn_context.file_system_sandbox_policy`
    entries: list[FileSystemSandboxEntry] | None = None  # absent when unrestricted
    glob_scan_max_depth: int | None = None  # how deep patterns look


class NetworkPermissions(Wire):
    """Network access as a switch."""

    enabled: bool | None = None


class PermissionProfile(Wire):
    """`permission_profile` (since 0.13x): file system and network in one."""

    type: Annotated[str | None, Meta(examples=["managed", "disabled", "external"])] = None  # absent in the first form
    file_system: FileSystemPermissions | None = None
    network: NetworkPermissions | Annotated[str, Meta(examples=["restricted", "enabled"])] | None = None


class ActivePermissionProfile(Wire):
    """Which named profile of the configuration is in force."""

    id: str
    extends: str | None = None  # the profile it builds on


class AdditionalPermissionProfile(Wire):
    """What a command or the model asks for beyond the profile."""

    file_system: FileSystemPermissions | None = None
    network: NetworkPermissions | None = None


class NetworkApprovalContext(Wire):
    """The connection an approval is about."""

    host: str
    protocol: Annotated[str, Meta(examples=["http", "https", "socks5_tcp", "socks5_udp"])]


class NetworkPolicyAmendment(Wire):
    """A rule for one host, proposed or accepted."""

    host: str
    action: Annotated[str, Meta(examples=["allow", "deny"])]


class ApprovedExecpolicyAmendment(Wire):
    """The command prefix a person allowed from now on."""

    proposed_execpolicy_amendment: list[str]


class NetworkPolicyDecision(Wire):
    """The network rule a person accepted."""

    network_policy_amendment: NetworkPolicyAmendment


class Denied(Wire):
    """A refusal and its words."""

    rejection: str


class ReviewDecisionObject(Wire):
    """The decisions that carry something; one key is set."""

    approved_execpolicy_amendment: ApprovedExecpolicyAmendment | None = None
    network_policy_amendment: NetworkPolicyDecision | None = None
    denied: Denied | None = None


ReviewDecision: TypeAlias = (
    Annotated[
        str, Meta(examples=["approved", "approved_for_session", "approved_mcp_policy_amendment", "timed_out", "abort"])
    ]
    | ReviewDecisionObject
)
