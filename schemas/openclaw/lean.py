"""What reading needs of a line of an OpenClaw session: that of a Pi session, and what OpenClaw writes beside it."""

from __future__ import annotations

from typing import Any

import msgspec

from panscript.schemas.pi import lean as pi

__all__ = [
    "Entry",
    "Message",
    "Outcome",
    "StoreEntry",
    "Usage",
    "UsageEntry",
    "UsageMessage",
    "entry_decoder",
    "outcome_decoder",
    "store_decoder",
    "usage_decoder",
]

Count = int | float | str | None


def _named(name: str) -> Any:
    return msgspec.field(default=None, name=name)


class Cost(pi.Cost):
    """What it cost in US dollars."""

    usd: Count = None


class Usage(pi.Usage):
    """Token counts under every name that OpenClaw hands on from the programs behind it."""

    cost: Cost | int | float | str | None = None
    input_tokens: Count = None
    input_tokens_snake: Count = _named("input_tokens")
    prompt_tokens: Count = _named("prompt_tokens")
    """Unlike all the others this holds what came from the cache, too."""
    prompt_tokens_camel: Count = _named("promptTokens")
    output_tokens: Count = None
    output_tokens_snake: Count = _named("output_tokens")
    completion_tokens: Count = _named("completion_tokens")
    completion_tokens_camel: Count = _named("completionTokens")
    reasoning_tokens_snake: Count = _named("reasoning_tokens")
    reasoning_output_tokens: Count = _named("reasoning_output_tokens")
    cache_read_tokens: Count = None
    cache_read_snake: Count = _named("cache_read")
    cache_read_tokens_snake: Count = _named("cache_read_tokens")
    cached: Count = None
    cached_input_tokens: Count = _named("cached_input_tokens")
    cache_write_tokens: Count = None
    cache_write_snake: Count = _named("cache_write")
    cache_write_tokens_snake: Count = _named("cache_write_tokens")
    total: Count = None
    total_tokens_snake: Count = _named("total_tokens")
    cost_usd: Count = None
    cost_usd_snake: Count = _named("cost_usd")
    turn_usd: Count = None
    turn_usd_snake: Count = _named("turn_usd")
    usd: Count = None


class Message(pi.Message):
    """A message of any role."""

    usage: Usage | None = None
    model_id: str | None = None
    model_id_snake: str | None = _named("model_id")
    kind: Any = None
    source: Any = None
    provenance: Any = None
    openclaw_delivery_mirror: msgspec.Raw = msgspec.Raw(b"")
    openclaw_message_tool_mirror: msgspec.Raw = msgspec.Raw(b"")


class Entry(pi.Entry):
    """Any line."""

    message: Message | None = None
    usage: Usage | None = None
    model_id_snake: str | None = _named("model_id")


class UsageMessage(pi.UsageMessage):
    """What counting needs of a message."""

    usage: Usage | None = None
    model_id: str | None = None
    model_id_snake: str | None = _named("model_id")
    kind: Any = None
    source: Any = None
    provenance: Any = None
    openclaw_delivery_mirror: msgspec.Raw = msgspec.Raw(b"")
    openclaw_message_tool_mirror: msgspec.Raw = msgspec.Raw(b"")


class UsageEntry(pi.UsageEntry):
    """What counting needs of a line."""

    message: UsageMessage | None = None
    usage: Usage | None = None
    model_id_snake: str | None = _named("model_id")


class Outcome(msgspec.Struct, gc=False, rename="camel"):
    """How a call ended, as the details of its result tell it."""

    status: Any = None
    exit_code: Any = None
    duration_ms: Any = None


class StoreEntry(msgspec.Struct, gc=False, rename="camel"):
    """What the index beside the files says of a session."""

    session_id: str | None = None
    label: str | None = None
    display_name: str | None = None
    spawned_by: str | None = None
    parent_session_key: str | None = None
    session_file: str | None = None


entry_decoder = msgspec.json.Decoder(Entry)
usage_decoder = msgspec.json.Decoder(UsageEntry)
outcome_decoder = msgspec.json.Decoder(Outcome)
store_decoder = msgspec.json.Decoder(StoreEntry)
