"""The facts of a Goose session from its row and its first messages."""

from __future__ import annotations

from panscript.readers.goose.forms import opened
from panscript.readers.goose.store import Store
from panscript.readers.goose.survey import ROLES, prompt_of
from panscript.readers.peek import Facts
from panscript.readers.sqlite import database
from panscript.schemas import timestamps
from panscript.schemas.records import Source

__all__ = ["peek", "size"]


def peek(source: Source) -> Facts | None:
    """The facts of a session; None when nothing was understood up to its first prompt."""
    with opened(source) as form:
        facts = form.facts
        prompt, first, understood = None, None, False
        for piece in form.pieces():
            understood = understood or piece.is_head
            if piece.row is None or piece.row.role not in ROLES:
                continue
            understood = True
            first = first if first is not None else timestamps.parse(piece.row.created)
            prompt = prompt_of(piece.row, facts)
            if prompt is not None or facts.is_child:
                break
        if not understood:
            return None
        times = [time for time in (facts.created, first) if time is not None]
        ends = [time for time in (facts.updated, form.latest()) if time is not None]
    return Facts(
        session_id=facts.session_id,
        parent_session_id=source.parent or facts.parent,
        title=facts.title,
        first_prompt=prompt,
        cwd=facts.cwd,
        created=min(times, default=None),
        modified=max(ends, default=None),
    )


def size(source: Source) -> int:
    """Bytes of the session's messages in the database. Raises `SourceError`s."""
    path = source.transcripts[-1].path
    with database(path) as found:
        return Store(found, path).size(source.id)
