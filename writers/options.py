"""What a writer is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec

__all__ = ["Beside", "Continuation", "Embedding", "WriteOptions"]


class Embedding(msgspec.Struct, frozen=True):
    """A piece of a compressed source file; the pieces of one path joined are the whole."""

    path: str
    encoding: str
    data: str
    bytes: int | None = None
    sha256: str | None = None
    """Of the whole file unpacked, only on its last piece."""


class Beside(msgspec.Struct, frozen=True):
    """A file that goes with a session's own."""

    path: str
    """Below the folder that `file_name` is below."""
    content: bytes
    is_line: bool = False
    """It is a line of an index that many sessions share, to be put at the end of it."""


class Continuation(msgspec.Struct, frozen=True, kw_only=True):
    """A session of the target's own that goes on: only what is new is written, and stands behind what is there."""

    session_id: str
    agent_id: str | None = None
    """The sub-agent whose session it is."""
    leaf: str | None = None
    """The record that it goes on from, by its native id; None where sessions have no tree."""
    lines: int = 0
    """Lines that are there."""
    dialect: str = ""
    """The form its lines have, in the target's own word."""
    ordinal: int | None = None
    """The next number of a line, where they have numbers."""
    size: int = 0
    """About so many tokens of context are there."""


class WriteOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Every writer takes the same."""

    imported_at: int
    """The one clock value that reaches the output, in milliseconds since 1970 UTC."""
    importer: str
    """`panscript <version>`."""
    cwd: str | None = None
    """The folder the session shall run in; None: the one it ran in."""
    all_branches: bool = False
    parent_file: str | None = None
    """Path of the written parent, for a sub-agent, where the target draws such a tree."""
    parent_session: str | None = None
    """Id at the target of the session that started this one, a sub-agent's."""
    root_session: str | None = None
    """Id at the target of the session that a person talks to, for a sub-agent at any depth."""
    source_path: str | None = None
    """Path to name as the source; None: that of the session's last file."""
    number: int = 0
    """Makes a further import of the same session another session."""
    continues: Continuation | None = None
    """The session that the events are the rest of."""
    embed: Callable[[], Iterator[Embedding]] | None = None
    """Gives the source records themselves, for targets that can carry them along."""
