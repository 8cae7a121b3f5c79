"""One session out of those that were found."""

from __future__ import annotations

from collections.abc import Sequence

from panscript.cli.listing import Entry
from panscript.readers.discovery import full_id
from panscript.readers.finding import readable
from panscript.schemas.errors import SourceNotFound
from panscript.schemas.records import Source
from panscript.schemas.terminal import one_line

__all__ = ["choose"]

_MOST_CANDIDATES = 5
_PROMPT = 40


def choose(sessions: Sequence[Entry], query: str) -> Source:
    """The one session that a query left. Raises `SourceNotFound`, with the candidates where there are several."""
    if len(sessions) == 1:
        return sessions[0].source
    if not sessions:
        raise SourceNotFound("no session is like that", path=query, hint="`panscript list` shows the sessions")
    some = [_named(entry) for entry in sessions[:_MOST_CANDIDATES]]
    more = f" and {len(sessions) - _MOST_CANDIDATES} more" if len(sessions) > _MOST_CANDIDATES else ""
    raise SourceNotFound(f"{len(sessions)} sessions are like that", path=query, hint=", ".join(some) + more)


def _named(entry: Entry) -> str:
    said = one_line(entry.facts.title or entry.facts.first_prompt or "")[:_PROMPT]
    return f"{entry.source.agent} {readable(full_id(entry.source))}" + (f" {said!r}" if said else "")
