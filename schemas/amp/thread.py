"""An Amp thread: the document, its surroundings, and the ledger of what was billed."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from panscript.schemas.amp.messages import Message

__all__ = ["Environment", "LedgerEvent", "Relationship", "Thread"]


class _Named(msgspec.Struct, kw_only=True, omit_defaults=True, rename="camel"):
    """Names are in camel case, but `ID` stays in capitals."""


class Repository(_Named, kw_only=True):
    """The repository of a folder."""

    type: str | UnsetType = UNSET  # git
    url: str | UnsetType = UNSET
    ref: str | UnsetType = UNSET  # refs/heads/<branch>
    sha: str | UnsetType = UNSET


class Tree(_Named, kw_only=True):
    """A folder that is worked in."""

    display_name: str | UnsetType = UNSET
    uri: str | UnsetType = UNSET  # file:// URI
    repository: Repository | UnsetType = UNSET


class Platform(_Named, kw_only=True):
    """The machine and the program."""

    os: str | UnsetType = UNSET
    os_version: str | UnsetType = UNSET
    cpu_architecture: str | UnsetType = UNSET
    web_browser: bool | UnsetType = UNSET
    client: str | UnsetType = UNSET
    client_version: str | UnsetType = UNSET  # version of Amp
    client_type: str | UnsetType = UNSET  # cli


class Initial(_Named, kw_only=True):
    """The surroundings when the thread began."""

    trees: list[Tree] | UnsetType = UNSET
    platform: Platform | UnsetType = UNSET
    tags: list[str] | UnsetType = UNSET  # model:<model>
    cwd: str | UnsetType = UNSET


class Environment(_Named, kw_only=True):
    """The surroundings."""

    initial: Initial | UnsetType = UNSET


class Relationship(_Named, kw_only=True):
    """A link to another thread."""

    thread_id: str | UnsetType = msgspec.field(name="threadID", default=UNSET)  # the other thread
    type: str | UnsetType = UNSET  # fork, handoff, ...
    role: str | UnsetType = UNSET  # what this thread is to the other one: parent or child
    message_index: int | UnsetType = UNSET  # fork: the last message that was copied
    block_index: int | UnsetType = UNSET
    comment: str | UnsetType = UNSET
    created_at: int | float | UnsetType = UNSET  # milliseconds since 1970 UTC


class LedgerTokens(msgspec.Struct, kw_only=True, omit_defaults=True):
    """Tokens without those of caches."""

    input: int | UnsetType = UNSET
    output: int | UnsetType = UNSET


class LedgerEvent(_Named, kw_only=True):
    """Something that was billed."""

    id: str | UnsetType = UNSET  # UUID
    timestamp: str | UnsetType = UNSET  # ISO 8601
    model: str | UnsetType = UNSET
    credits: float | UnsetType = UNSET
    tokens: LedgerTokens | UnsetType = UNSET
    operation_type: str | UnsetType = UNSET  # inference; subagent is the sum of what the sub-thread lists itself
    subagent_thread_id: str | UnsetType | None = msgspec.field(name="subagentThreadID", default=UNSET)
    from_message_id: int | UnsetType = UNSET
    to_message_id: int | UnsetType = UNSET  # the response
    tool_use_id: str | UnsetType = msgspec.field(name="toolUseID", default=UNSET)  # a tool or a sub-agent


class Ledger(_Named, kw_only=True):
    """All that was billed; absent until the thread itself has asked a model."""

    events: list[LedgerEvent] | UnsetType = UNSET


class Thread(_Named, kw_only=True):
    """The document."""

    v: int | UnsetType = UNSET  # counts its edits
    id: str | UnsetType = UNSET  # T-<uuid>
    created: int | float | UnsetType = UNSET  # milliseconds since 1970 UTC
    title: str | UnsetType | None = UNSET
    messages: list[Message] | UnsetType = UNSET
    next_message_id: int | UnsetType = UNSET
    agent_mode: str | UnsetType = UNSET
    env: Environment | UnsetType = UNSET
    main_thread_id: str | UnsetType = msgspec.field(name="mainThreadID", default=UNSET)  # of a sub-agent
    origin_thread_id: str | UnsetType = msgspec.field(name="originThreadID", default=UNSET)  # of a fork
    fork_point_index: int | UnsetType = UNSET  # fork: the last message that was copied
    relationships: list[Relationship] | UnsetType = UNSET
    usage_ledger: Ledger | UnsetType = UNSET
    queued_messages: Any = UNSET
    meta: Any = UNSET
