"""Native records as a reader hands them on, and the session they belong to."""

from __future__ import annotations

from typing import Literal

import msgspec

from panscript.schemas.events import Event

__all__ = ["Origin", "Record", "RecordClass", "Role", "SessionFile", "Source"]

RecordClass = Literal["used", "twin", "state", "inherited", "opaque", "blank", "skipped", "end"]
"""`used` gave events or session facts; `twin` says again what another record says; `state` is the agent's own
bookkeeping; `inherited` belongs to another session; `opaque` is of no known type; `skipped` could not be read;
`end` is no record but the place for events that only the end of the file allows (zero bytes, never counted)."""

Role = Literal["main", "segment", "base", "side"]


class Origin(msgspec.Struct, frozen=True, gc=False):
    """Where a record stands."""

    file: int
    """Index into the session's files."""
    offset: int
    length: int
    """Bytes, line end included; of the unpacked text where the file is compressed."""
    line: int
    """From 1; in a database a number that the reader counts up."""
    row: str | None = None
    """Table and key of the row, in a database."""


class Record(msgspec.Struct, frozen=True, gc=False):
    """One native record: its bytes and what they mean. For a text file the raws joined are the file."""

    origin: Origin
    raw: bytes
    kind: RecordClass
    events: tuple[Event, ...] = ()


class SessionFile(msgspec.Struct, frozen=True):
    """A file that is part of a session."""

    path: str
    role: Role = "main"


class Source(msgspec.Struct, frozen=True, kw_only=True):
    """A session as discovery found it: enough to read it, nothing of what is in it."""

    agent: str
    id: str
    """Session id by file name or first record; reading may find a better one."""
    files: tuple[SessionFile, ...]
    """In reading order: bases first, then the session's own segments."""
    parent: str | None = None
    """Session id of the parent, for a sub-agent."""
    agent_id: str | None = None
    """The sub-agent's own id inside its parent."""
    children: tuple[Source, ...] = ()
    missing: tuple[str, ...] = ()
    """What the session should have but is not there."""
    named: str | None = None
    """The file a person named, when the session was found through one of its files."""
    shown_as: str | None = None
    """The path a person named, when it is not that of the main file (stdin, say)."""

    @property
    def path(self) -> str:
        """The path to name in messages: the newest of the session's own transcripts."""
        return self.shown_as or self.transcripts[-1].path

    @property
    def transcripts(self) -> tuple[SessionFile, ...]:
        """Its own files in the order of its records. Side files come after them, those of single messages, too."""
        return tuple(file for file in self.files if file.role != "side")
