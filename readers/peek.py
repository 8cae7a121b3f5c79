"""What a list says of a session, without reading all of it.

A small session is asked for its `Session` event, which is exact. Of a large one the agent's `peek(source)` reads the
two ends; what only the middle tells (a title given long ago, a rewind behind the first prompt) is then missing. An
agent whose reader offers no `peek` is always asked. One with databases may offer `size(source)`: how many bytes of the
database are the session's.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import cast

import msgspec

from panscript.readers.databases import is_database
from panscript.readers.discovery import full_id, part_of_reader
from panscript.readers.opening import read
from panscript.readers.options import ReadOptions
from panscript.schemas.agents import agent
from panscript.schemas.errors import NotATranscript, SourceError, SourceUnreadable
from panscript.schemas.events import Session
from panscript.schemas.records import Source

__all__ = ["WHOLE", "Facts", "Peeker", "size_of"]

WHOLE = 1 << 16
"""Sessions of up to this many bytes are asked for their exact facts."""
_UNPACKED = 6
"""How much larger a compressed session is taken to be."""


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    """What a list says of a session; None is not known."""

    session_id: str
    parent_session_id: str | None = None
    title: str | None = None
    first_prompt: str | None = None
    """What a person typed first (for a sub-agent: its task), on one line, cut to 200 characters."""
    cwd: str | None = None
    git_branch: str | None = None
    version: str | None = None
    created: int | None = None
    modified: int | None = None
    """Milliseconds since 1970 UTC; `modified` is the time of the file where no record states one."""
    imported_from: str | None = None
    """Agent that the session was imported from."""


class Peeker:
    """Gives the facts of one session after the other."""

    def __init__(self, *, whole: int = WHOLE) -> None:
        """`whole`: sessions of up to this many bytes are asked for their exact facts."""
        self._whole = whole
        self._modules: dict[str, Callable[[Source], Facts | None] | None] = {}

    def __call__(self, source: Source) -> Facts:
        """The facts of a session. Raises `SourceError`s when it cannot be read or nothing in it is understood."""
        peek = self._of(source.agent)
        facts = _exact(source) if peek is None or size_of(source) <= self._whole else peek(source)
        if facts is None:
            raise NotATranscript("no session was recognised in it", path=source.path)
        if facts.modified is None:
            facts = msgspec.structs.replace(facts, modified=_file_time(source))
        return facts

    def _of(self, agent_id: str) -> Callable[[Source], Facts | None] | None:
        if agent_id not in self._modules:
            self._modules[agent_id] = getattr(part_of_reader(agent_id, "peek"), "peek", None)
        return self._modules[agent_id]


def size_of(source: Source) -> int:
    """About how many bytes a full read of the session goes through, without its sub-agents."""
    if "sqlite" in agent(source.agent).storage and is_database(source.transcripts[-1].path):
        own = cast(Callable[[Source], int] | None, getattr(part_of_reader(source.agent, "peek"), "size", None))
        if own is not None:
            try:
                return own(source)
            except SourceError:
                return 0
    total = 0
    for file in source.transcripts:
        try:
            size = os.stat(file.path).st_size  # noqa: PTH116 - once a file of a whole machine
        except OSError:
            continue
        total += size * _UNPACKED if file.path.endswith(".zst") else size
    return total


def _file_time(source: Source) -> int | None:
    try:
        return os.stat(source.transcripts[-1].path).st_mtime_ns // 1_000_000  # noqa: PTH116
    except OSError as problem:
        raise SourceUnreadable(f"cannot be looked at: {problem.strerror}", path=source.path) from None


def _exact(source: Source) -> Facts | None:
    session = next(_sessions(source), None)
    if session is None:
        return None
    return Facts(
        session_id=session.session_id or full_id(source),
        parent_session_id=session.parent_session_id or source.parent,
        title=session.title,
        first_prompt=session.first_prompt,
        cwd=session.cwd,
        git_branch=session.git_branch,
        version=session.version,
        created=session.created,
        modified=session.modified,
        imported_from=session.imported_from,
    )


def _sessions(source: Source) -> Iterator[Session]:
    """The session event, which is the first one of all."""
    records = read(source, options=ReadOptions(usage=False))
    for record in records:
        for event in record.events:
            if isinstance(event, Session):
                yield event
        return
