"""The record panscript leaves in a session it writes: where it came from, and what the target could not hold.

A head and parts, each on a line of its own that the target's agent neither shows nor sends: `custom` entries of Pi,
rows and lines of a type of ours in Claude Code and Codex files. The head stands before everything that was said, so it
is on every path and forks keep it; parts are written when full and at the end, and the last one tells the totals.
Entries are named as in the file the record stands in: by entry id (Pi), uuid (Claude Code) or ordinal (Codex).
"""

from typing import Any

import msgspec

__all__ = [
    "PART_BYTES",
    "Command",
    "ContextText",
    "Embedded",
    "Fallback",
    "ImportHead",
    "ImportPart",
    "ImportedTokens",
    "ImportedUsage",
    "OpaqueRecord",
    "Outcome",
    "SourceFile",
    "ThinkingText",
    "UsageTotals",
]

# A part is closed before its entry grows beyond this many bytes.
PART_BYTES = 1_000_000
Number = int | float


class Base(msgspec.Struct, forbid_unknown_fields=False, omit_defaults=True, kw_only=True, rename="camel"):
    """A JSON object of the record."""


class SourceFile(Base, kw_only=True):
    """One file of the source session; for SQLite, the session's rows in order."""

    path: str  # where it lay
    bytes: int  # how many were read
    sha256: str  # hex digest of what was read


class ImportHead(Base, kw_only=True):
    """Where a session came from."""

    source: str  # agent id, such as claude
    imported_at: str  # ISO 8601, UTC
    importer: str  # "panscript <version>"
    source_path: str | None = None  # path the session was read from; None for standard input
    source_files: list[SourceFile] = msgspec.field(default_factory=list)  # all files read
    source_session_id: str | None = None  # the agent's id of the session
    source_version: str | None = None  # version of the agent that wrote it
    parent_source_session_id: str | None = None  # for a sub-agent: the session that started it
    original_cwd: str | None = None  # folder the session ran in
    original_model: str | None = None  # its last known model


class ImportedTokens(Base, kw_only=True):
    """Tokens as the source counted them; the buckets mean what those of a usage event mean."""

    input: int = 0  # fresh prompt tokens
    output: int = 0  # answer tokens, reasoning included
    reasoning: int = 0  # part of output
    cache_read: int = 0  # prompt tokens served from cache
    cache_write: int = 0  # prompt tokens written to cache
    cache_write_1h: int = msgspec.field(name="cacheWrite1h", default=0)  # part of cache_write
    total: int = 0  # as declared, else the sum


class ImportedUsage(Base, kw_only=True):
    """Tokens and cost that the message in the file carries as zeros."""

    tokens: ImportedTokens = msgspec.field(default_factory=ImportedTokens)  # by bucket
    cost: Number | None = None  # USD as the source recorded it; None if it did not


class ContextText(Base, kw_only=True):
    """Text the agent put before the model by itself: no person typed it, so it is not in the chat."""

    text: str  # as logged
    after: str | None = None  # the written entry before it; None when it came first
    timestamp: str | None = None  # when it was logged, ISO 8601
    role: str | None = None  # role it was sent under; None for a summary, which was not sent
    kind: str | None = None  # what it is, in the source's word


class ThinkingText(Base, kw_only=True):
    """What a model thought, where the target takes no thinking but its own."""

    entry: str  # the answer it is part of
    index: int  # its place among the parts of the answer, from 0
    text: str  # as logged


class Outcome(Base, kw_only=True):
    """How a call ended, where the written result alone would be read otherwise."""

    error: bool  # whether it failed
    added: int = 0  # characters at the start of the written text that say so, and are none of the result


class Command(Base, kw_only=True):
    """What is known of a command that the person ran, beside its own text and its output."""

    exit_code: int | None = None  # as logged
    cancelled: bool = False  # the person stopped it
    truncated: bool = False  # the output was cut
    excluded: bool = False  # it was kept away from the model
    output: bool = True  # False: the entry is the command, and its output the next one
    length: int | None = None  # characters of the command, where its text alone does not tell where it ends


class OpaqueRecord(Base, kw_only=True):
    """A record of the source without a place in the target, kept because it may be wanted again."""

    data: Any  # the record as JSON
    after: str | None = None  # the written entry before it
    kind: str | None = None  # its type, in the source's word


class Embedded(Base, kw_only=True):
    """Some of the source records themselves, redacted like all else."""

    encoding: str  # how to read `data`, such as "zstd+base64"
    data: str  # the records, compressed
    path: str | None = None  # which of the source files they are from
    bytes: int | None = None  # of that file unpacked; only on its last piece
    sha256: str | None = None  # hex digest of it


class Fallback(Base, kw_only=True):
    """A value the source did not log and the target must have."""

    field: str  # what was missing, such as model
    value: str  # what was written instead
    count: int = 1  # how often


class UsageTotals(Base, kw_only=True):
    """Sums over the whole session."""

    all: ImportedUsage  # everything
    per_model: dict[str, ImportedUsage] = msgspec.field(default_factory=dict)  # model -> its share


class ImportPart(Base, kw_only=True):
    """What belongs to the entries `from_` to `to`; the last part also has the fields from `usage_totals` on."""

    from_: str | None = msgspec.field(name="from", default=None)  # the first entry; None when it has none
    to: str | None = None  # the last entry
    usage: dict[str, ImportedUsage] = msgspec.field(default_factory=dict)  # entry -> what it cost
    timestamps: dict[str, str | None] = msgspec.field(default_factory=dict)  # entry -> original; None: it had none
    models: dict[str, str] = msgspec.field(default_factory=dict)  # entry -> model, where its line names none
    ids: dict[str, str | None] = msgspec.field(default_factory=dict)  # call id or tool name written -> original or none
    texts: list[str] = msgspec.field(default_factory=list)  # calls (ids as written) with text for arguments
    tasks: list[str] = msgspec.field(default_factory=list)  # entries of what a sub-agent was told: no person typed it
    kinds: dict[str, str] = msgspec.field(default_factory=dict)  # entry of text that no person typed -> what it is
    outcomes: dict[str, Outcome] = msgspec.field(default_factory=dict)  # entry of a result -> how the call ended
    commands: dict[str, Command] = msgspec.field(default_factory=dict)  # entry of a command that the person ran
    kept: dict[str, str] = msgspec.field(default_factory=dict)  # entry of a compaction -> first entry that it kept
    thinking: list[ThinkingText] = msgspec.field(default_factory=list)  # thinking inside of answers
    context: list[ContextText] = msgspec.field(default_factory=list)  # injected text
    opaque: list[OpaqueRecord] = msgspec.field(default_factory=list)  # records worth keeping
    embed: Embedded | None = None  # source records, when asked for
    usage_totals: UsageTotals | None = None  # sums
    fallbacks: list[Fallback] = msgspec.field(default_factory=list)  # values that were not logged
    imported_up_to_entry_id: str | None = None  # last entry that came from the source
    report: Any = None  # report of the conversion
    source_files: list[SourceFile] = msgspec.field(default_factory=list)  # of what was added later: all files read then

    @property
    def is_last(self) -> bool:
        """Whether this part closes the record."""
        return self.imported_up_to_entry_id is not None
