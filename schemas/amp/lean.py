"""What reading needs of an Amp thread, decoded an element at a time; everything else is stepped over."""

from __future__ import annotations

import msgspec

__all__ = ["Block", "Environment", "LedgerEvent", "Message", "Relationship", "Run", "Usage"]

EMPTY = msgspec.Raw(b"")
Count = int | float | str | None
Time = int | float | str | None


class Source(msgspec.Struct, gc=False):
    """The bytes of a picture."""

    media_type: str | None = None
    mediaType: str | None = None  # noqa: N815 - both spellings are written
    data: str | None = None
    url: str | None = None


class Failure(msgspec.Struct, gc=False):
    """Why a call failed."""

    message: str | None = None


class Run(msgspec.Struct, gc=False):
    """How a call was run."""

    status: str | None = None
    result: msgspec.Raw = EMPTY
    progress: msgspec.Raw = EMPTY
    error: msgspec.Raw = EMPTY


class Told(msgspec.Struct, gc=False):
    """A summary."""

    summary: str | None = None


class Arguments(msgspec.Struct, gc=False):
    """What a person ran."""

    cmd: str | None = None


class Block(msgspec.Struct, gc=False, rename="camel"):
    """Any content block."""

    type: str | None = None
    text: str | None = None
    hidden: bool | None = None
    thinking: str | None = None
    signature: str | None = None
    data: str | None = None
    id: str | None = None
    name: str | None = None
    input: msgspec.Raw = EMPTY
    tool_use_id: str | None = msgspec.field(name="toolUseID", default=None)
    run: Run | None = None
    output: str | None = None
    status: str | None = None
    source: Source | None = None
    summary: Told | None = None
    args: Arguments | None = None
    tool_run: Run | None = None


class Usage(msgspec.Struct, gc=False, rename="camel"):
    """Tokens of one response."""

    model: str | None = None
    input_tokens: Count = None
    output_tokens: Count = None
    cache_creation_input_tokens: Count = None
    cache_read_input_tokens: Count = None
    timestamp: Time = None


class State(msgspec.Struct, gc=False, rename="camel"):
    """How a response ended."""

    type: str | None = None
    stop_reason: str | None = None


class Facts(msgspec.Struct, gc=False, rename="camel"):
    """What stands beside a prompt."""

    sent_at: Time = None


class Message(msgspec.Struct, gc=False, rename="camel"):
    """Any message."""

    role: str | None = None
    message_id: int | str | None = None
    id: int | str | None = None
    content: str | list[Block] | None = None
    state: State | None = None
    usage: Usage | None = None
    meta: Facts | None = None
    timestamp: Time = None
    model: str | None = None


class Spent(msgspec.Struct, gc=False):
    """Tokens without those of caches."""

    input: Count = None
    output: Count = None


class LedgerEvent(msgspec.Struct, gc=False, rename="camel"):
    """Something that was billed."""

    id: str | int | None = None
    timestamp: Time = None
    model: str | None = None
    tokens: Spent | None = None
    operation_type: str | None = None
    subagent_thread_id: str | None = msgspec.field(name="subagentThreadID", default=None)
    to_message_id: int | str | None = None


class Repository(msgspec.Struct, gc=False):
    """The repository of a folder."""

    ref: str | None = None


class Tree(msgspec.Struct, gc=False, rename="camel"):
    """A folder that is worked in."""

    display_name: str | None = None
    uri: str | None = None
    repository: Repository | None = None


class Platform(msgspec.Struct, gc=False, rename="camel"):
    """The program."""

    client_version: str | None = None


class Initial(msgspec.Struct, gc=False):
    """The surroundings when the thread began."""

    trees: list[Tree] | None = None
    platform: Platform | None = None
    cwd: str | None = None


class Environment(msgspec.Struct, gc=False):
    """The surroundings."""

    initial: Initial | None = None


class Relationship(msgspec.Struct, gc=False, rename="camel"):
    """A link to another thread."""

    thread_id: str | None = msgspec.field(name="threadID", default=None)
    type: str | None = None
    role: str | None = None
    message_index: int | None = None
