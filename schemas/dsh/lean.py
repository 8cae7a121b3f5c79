"""What reading needs of a line of a DeepSeek Harness log, decoded in one go.

The whole of what is on disk is described beside this module; here are only the fields that the reader looks at. All
have defaults: a line is judged by the reader, not by the decoder.
"""

from __future__ import annotations

import msgspec

__all__ = [
    "STATE_TYPES",
    "Block",
    "Chunk",
    "Data",
    "Message",
    "Row",
    "Usage",
    "UsageData",
    "UsageMessage",
    "UsageRow",
    "row_decoder",
    "usage_decoder",
]

STATE_TYPES = frozenset(
    """
    session turn/start turn/end step/start step/end request/header request/context session/title
    session/title-llm-request session/end-seed permission/preset sandbox/mode approval/policy agent/inbox/spliced
    job/registered job/settled subagent/catalog subagent/descriptor compaction/start compaction/prune compaction/end
    """.split()
)
"""Lines of known types that say nothing in the conversation."""

Number = int | float | None
Count = int | float | str | None


class _Camel(msgspec.Struct, gc=False, rename="camel"):
    """The harness writes its names in camel case."""


class Usage(_Camel):
    """Token counts of one response; input excludes what a cache gave, reasoning lies inside output."""

    input_tokens: Count = None
    output_tokens: Count = None
    cache_read_tokens: Count = None
    cache_write_tokens: Count = None
    reasoning_tokens: Count = None
    total_tokens: Count = None


class Attachment(_Camel):
    """A picture, in whichever way it is named."""

    media_type: str | None = None
    mime_type: str | None = None
    data: str | None = None
    url: str | None = None
    path: str | None = None
    id: str | None = None


class Block(_Camel):
    """Any content block."""

    type: str | None = None
    text: str | None = None
    attachment: Attachment | str | None = None
    id: str | None = None
    name: str | None = None
    arguments: str | None = None
    tool_call_id: str | None = None
    content: str | list[Block] | None = None
    is_error: bool | None = None


class Response(_Camel):
    """What the vendor said about the response."""

    response_id: str | None = None
    stop_reason: str | None = None


class Replay(_Camel):
    """What the harness keeps to send a response again."""

    response: Response | None = None


class Route(_Camel):
    """A model and who serves it."""

    provider: str | None = None
    model: str | None = None


class Origin(_Camel):
    """Who a message is from."""

    kind: str | None = None
    provider: str | None = None
    model: str | Route | None = None
    call_id: str | None = None
    replay_state: Replay | None = None


class Message(_Camel):
    """A message of any role."""

    id: str | None = None
    role: str | None = None
    source: Origin | str | None = None
    """A word in some lines that are no messages."""
    content: str | list[Block] | None = None
    tool_call_id: str | None = None
    is_error: bool | None = None

    @property
    def origin(self) -> Origin | None:
        """Who it is from."""
        return self.source if isinstance(self.source, Origin) else None


class Header(_Camel):
    """What a request is made with."""

    config: Route | None = None


class Reason(_Camel):
    """How a response or a turn ended."""

    kind: str | None = None


class Chunk(_Camel):
    """A piece of a response that is being received."""

    type: str | None = None
    index: int | None = None
    text: str | None = None
    delta: str | None = None
    id: str | None = None
    name: str | None = None
    arguments_delta: str | None = None
    block: Block | None = None
    usage: Usage | None = None
    reason: Reason | None = None


class Data(Message):
    """What any event says; a `user/message` is the message itself."""

    turn: Number = None
    step: Number = None
    message: Message | None = None
    usage: Usage | None = None
    header: Header | None = None
    title: str | None = None
    route: Route | None = None
    provider: str | None = None
    model: str | None = None
    summary: str | list[Block] | None = None
    shadowed_seqs: list[int] | None = None
    shadowed_token_count: Number = None
    call_id: str | None = None
    name: str | None = None
    arguments: str | None = None
    error: msgspec.Raw = msgspec.Raw(b"")
    meta: msgspec.Raw = msgspec.Raw(b"")
    inherited: bool | None = None
    chunk: Chunk | None = None
    index: int | None = None
    texts: list[str] | None = None
    args: list[str] | None = None


class Operation(_Camel):
    """A rewrite of what the model sees: the events from `start` to `end` are replaced by this one."""

    op: str | None = None
    start: int | None = None
    end: int | None = None
    start_seq: int | None = None
    end_seq: int | None = None


class Event(_Camel):
    """What any line has, but for what is said."""

    type: str | None = None
    seq: int | None = None
    time: Number = None
    surface_op: Operation | str | None = None
    seq0: int | None = None
    time0: Number = None
    # The header.
    version: Number = None
    id: str | None = None
    created_at: Number = None
    cwd: str | None = None
    is_seeded: bool | None = None
    delegation_depth: Number = None
    parent_session: str | None = None
    seed_length: int | None = None
    origin: str | None = None


class Row(Event):
    """Any line: the header, an event, or packed chunks."""

    data: Data | None = None


class UsageOrigin(_Camel):
    """What counting needs of who a message is from."""

    kind: str | None = None
    provider: str | None = None
    model: str | Route | None = None


class UsageMessage(_Camel):
    """What counting needs of a message."""

    id: str | None = None
    source: UsageOrigin | str | None = None

    @property
    def origin(self) -> UsageOrigin | None:
        """Who it is from."""
        return self.source if isinstance(self.source, UsageOrigin) else None


class UsageChunk(_Camel):
    """What counting needs of a piece of a response."""

    type: str | None = None
    usage: Usage | None = None


class UsageData(_Camel):
    """What counting needs of what an event says."""

    message: UsageMessage | None = None
    usage: Usage | None = None
    header: Header | None = None
    route: Route | None = None
    provider: str | None = None
    model: str | None = None
    inherited: bool | None = None
    chunk: UsageChunk | None = None


class UsageRow(Event):
    """What counting needs of a line."""

    data: UsageData | None = None


row_decoder = msgspec.json.Decoder(Row)
usage_decoder = msgspec.json.Decoder(UsageRow)
