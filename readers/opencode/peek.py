"""The facts of an OpenCode session from what is said of it as a whole and its first messages."""

from __future__ import annotations

import os

from panscript.readers.databases import is_database
from panscript.readers.opencode.forms import opened
from panscript.readers.opencode.store import Store
from panscript.readers.opencode.survey import ROLES, prompt_of
from panscript.readers.peek import Facts
from panscript.readers.sqlite import database
from panscript.schemas.records import Source

__all__ = ["peek", "size"]


def peek(source: Source) -> Facts | None:
    """The facts of a session; None when nothing was understood up to its first prompt."""
    with opened(source) as form:
        facts = form.facts
        prompt, first, understood = None, None, form.headed
        for turn in form.turns():
            if turn.info is None or turn.info.role not in ROLES:
                continue
            understood = True
            first = first if first is not None else turn.time
            if turn.info.role == "user" and facts.parent is None and turn.name != facts.reverted:
                prompt = prompt_of(turn.items)
            if prompt is not None or facts.parent is not None or turn.name == facts.reverted:
                break
        if not understood:
            return None
    return Facts(
        session_id=facts.session_id,
        parent_session_id=source.parent or facts.parent,
        title=facts.title,
        first_prompt=prompt,
        cwd=facts.cwd,
        git_branch=facts.git_branch,
        version=facts.version,
        created=min((time for time in (facts.created, first) if time is not None), default=None),
        modified=facts.updated,
    )


def size(source: Source) -> int:
    """Bytes of the session's messages. Raises `SourceError`s."""
    path = source.transcripts[-1].path
    if is_database(path):
        with database(path) as found:
            return Store(found, path).size(source.id)
    return sum(os.path.getsize(file.path) for file in source.files if os.path.exists(file.path))  # noqa: PTH110, PTH202
