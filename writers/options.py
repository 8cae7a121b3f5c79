"""What a writer is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec

__all__ = ["Beside", "Embedding", "WriteOptions"]


class Embedding(msgspec.Struct, frozen=True):
    """A piece of a compressed source file; the pieces of one path joined are the whole."""

    path: str
    encoding: str
    data: str


class Beside(msgspec.Struct, frozen=True):
    """A file that goes with a session's own."""

    path: str
    """Below the folder that `file_name` is below."""
    content: bytes
    is_line: bool = False
    """It is a line of an index that many sessions share, to be put at the end of it."""


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
    embed: Callable[[], Iterator[Embedding]] | None = None
    """Gives the source records themselves, for targets that can carry them along."""
