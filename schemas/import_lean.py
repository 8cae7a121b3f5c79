"""What reading needs of an import record, decoded in one go (see `import_record` for the whole of it)."""

from __future__ import annotations

import msgspec

__all__ = [
    "Command",
    "ContextText",
    "Embedded",
    "Head",
    "ImportedUsage",
    "OpaqueRecord",
    "Outcome",
    "Part",
    "ThinkingText",
    "embed_decoder",
    "head_decoder",
    "part_decoder",
]


class _Camel(msgspec.Struct, gc=False, rename="camel"):
    """Names are in camel case."""


class Head(_Camel):
    """The head of an import record."""

    source: str | None = None
    importer: str | None = None
    source_session_id: str | None = None
    parent_source_session_id: str | None = None
    original_model: str | None = None


class ImportedTokens(_Camel):
    input: int = 0
    output: int = 0
    reasoning: int = 0
    cache_read: int = 0
    cache_write: int = 0
    cache_write_1h: int = msgspec.field(default=0, name="cacheWrite1h")
    total: int = 0


class ImportedUsage(_Camel):
    """What an imported message cost where it was said."""

    tokens: ImportedTokens = msgspec.field(default_factory=ImportedTokens)
    cost: int | float | None = None


class ContextText(_Camel):
    """Text that an agent put before the model by itself."""

    text: str = ""
    after: str | None = None
    timestamp: str | None = None
    role: str | None = None
    kind: str | None = None


class ThinkingText(_Camel):
    """Thinking inside of an answer."""

    entry: str = ""
    index: int = 0
    text: str = ""


class Outcome(_Camel):
    """How a call ended."""

    error: bool = False
    added: int = 0


class Command(_Camel):
    """A command that the person ran."""

    exit_code: int | None = None
    cancelled: bool = False
    truncated: bool = False
    excluded: bool = False
    output: bool = True
    length: int | None = None


class OpaqueRecord(_Camel):
    """A record of no known type."""

    data: msgspec.Raw = msgspec.Raw(b"")
    after: str | None = None
    kind: str | None = None


class Part(_Camel):
    """A part of an import record."""

    usage: dict[str, ImportedUsage] = msgspec.field(default_factory=dict)
    timestamps: dict[str, str | None] = msgspec.field(default_factory=dict)
    models: dict[str, str] = msgspec.field(default_factory=dict)
    ids: dict[str, str | None] = msgspec.field(default_factory=dict)
    texts: list[str] = msgspec.field(default_factory=list)
    tasks: list[str] = msgspec.field(default_factory=list)
    kinds: dict[str, str] = msgspec.field(default_factory=dict)
    outcomes: dict[str, Outcome] = msgspec.field(default_factory=dict)
    commands: dict[str, Command] = msgspec.field(default_factory=dict)
    kept: dict[str, str] = msgspec.field(default_factory=dict)
    thinking: list[ThinkingText] = msgspec.field(default_factory=list)
    context: list[ContextText] = msgspec.field(default_factory=list)
    opaque: list[OpaqueRecord] = msgspec.field(default_factory=list)
    imported_up_to_entry_id: str | None = None
    embed: msgspec.Raw = msgspec.Raw(b"")


class Embedded(_Camel):
    """Some of the source records themselves."""

    encoding: str = ""
    data: str = ""
    path: str | None = None
    bytes: int | None = None
    sha256: str | None = None


head_decoder = msgspec.json.Decoder(Head)
part_decoder = msgspec.json.Decoder(Part)
embed_decoder = msgspec.json.Decoder(Embedded)
