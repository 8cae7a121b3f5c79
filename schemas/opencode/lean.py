"""What reading needs of OpenCode's JSON, decoded in one go; all fields have defaults, the reader is the judge."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import field

__all__ = [
    "PART_TYPES",
    "Element",
    "Info",
    "Model",
    "Part",
    "Revert",
    "Session",
    "State",
    "Tokens",
    "element_decoder",
    "info_decoder",
    "metadata_decoder",
    "model_decoder",
    "part_decoder",
    "revert_decoder",
    "session_decoder",
]

NOTHING = msgspec.Raw(b"")
PART_TYPES = frozenset(
    "text reasoning tool file step-start step-finish snapshot patch agent subtask retry compaction".split()
)
_Number = int | float | str | None


class Time(msgspec.Struct, gc=False):
    """Times of anything, in milliseconds."""

    created: _Number = None
    updated: _Number = None
    start: _Number = None
    end: _Number = None


class Cache(msgspec.Struct, gc=False):
    """Cached tokens."""

    read: _Number = None
    write: _Number = None


class Tokens(msgspec.Struct, gc=False):
    """What a response used."""

    total: _Number = None
    input: _Number = None
    output: _Number = None
    reasoning: _Number = None
    cache: Cache | None = None


class Model(msgspec.Struct, gc=False):
    """A model as a session (`id`) and as a message of the user (`modelID`) name it."""

    id: str | None = None
    model_id: str | None = field(name="modelID", default=None)
    provider_id: str | None = field(name="providerID", default=None)


class Folders(msgspec.Struct, gc=False):
    """Where the agent worked."""

    cwd: str | None = None
    root: str | None = None


class FaultData(msgspec.Struct, gc=False):
    """What there is to say of an error."""

    message: str | None = None


class Fault(msgspec.Struct, gc=False):
    """Why a response did not end well."""

    name: str | None = None
    data: FaultData | None = None


class Info(msgspec.Struct, gc=False):
    """A message without its parts."""

    id: str | None = None
    role: str | None = None
    time: Time | None = None
    parent_id: str | None = field(name="parentID", default=None)
    model_id: str | None = field(name="modelID", default=None)
    provider_id: str | None = field(name="providerID", default=None)
    model: Model | str | None = None
    path: Folders | None = None
    cost: _Number = None
    tokens: Tokens | None = None
    error: Fault | None = None
    summary: msgspec.Raw = NOTHING
    """True for the summary of a compaction; an object on messages of the user."""
    finish: str | None = None


class StateMetadata(msgspec.Struct, gc=False):
    """Of what a tool tells programs."""

    exit: Any = None
    output: Any = None


class State(msgspec.Struct, gc=False):
    """How far a call came."""

    status: str | None = None
    input: msgspec.Raw = NOTHING
    raw: str | None = None
    output: str | None = None
    error: str | None = None
    metadata: msgspec.Raw = NOTHING
    time: Time | None = None
    attachments: list[Part] | None = None


class Part(msgspec.Struct, gc=False):
    """Any part of a message."""

    id: str | None = None
    type: str | None = None
    text: str | None = None
    synthetic: bool | None = None
    ignored: bool | None = None
    time: Time | None = None
    metadata: msgspec.Raw = NOTHING
    call_id: str | None = field(name="callID", default=None)
    tool: str | None = None
    state: State | None = None
    mime: str | None = None
    url: str | None = None
    filename: str | None = None
    reason: str | None = None
    cost: _Number = None
    tokens: Tokens | None = None
    prompt: str | None = None
    auto: bool | None = None
    tail_start_id: str | None = None


class Element(msgspec.Struct, gc=False):
    """A message with its parts, in an export."""

    info: Info | None = None
    parts: list[Part] | None = None


class Revert(msgspec.Struct, gc=False):
    """From where on the conversation was taken back."""

    message_id: str | None = field(name="messageID", default=None)
    part_id: str | None = field(name="partID", default=None)


class Session(msgspec.Struct, gc=False):
    """A session as an export and the older tree have it."""

    id: str | None = None
    parent_id: str | None = field(name="parentID", default=None)
    directory: str | None = None
    title: str | None = None
    version: str | None = None
    time: Time | None = None
    model: Model | str | None = None
    revert: Revert | None = None


element_decoder = msgspec.json.Decoder(Element)
info_decoder = msgspec.json.Decoder(Info)
model_decoder = msgspec.json.Decoder(Model)
part_decoder = msgspec.json.Decoder(Part)
revert_decoder = msgspec.json.Decoder(Revert)
session_decoder = msgspec.json.Decoder(Session)
metadata_decoder = msgspec.json.Decoder(StateMetadata)
