"""What imported sessions are called: `Imported from Codex: the title (from /its/folder)`, and what that is made of."""

from __future__ import annotations

import re

from panscript.readers.peek import Facts
from panscript.schemas.agents import agent
from panscript.schemas.errors import UnknownAgent

__all__ = ["own_title", "shown_title", "without_origin"]

_FOLDER = re.compile(r" \(from [^()]*(?:\([^()]*\)[^()]*)*\)\Z")
"""Where the session ran; a folder may have brackets in its name."""


def without_origin(title: str, imported_from: str | None) -> str:
    """The title without the words that say which agent the session comes from."""
    if imported_from is None:
        return title
    try:
        name = agent(imported_from).name
    except UnknownAgent:
        # Whoever wrote the record knows an agent that is not in the table.
        return title
    return title.removeprefix(f"Imported from {name}: ")


def own_title(title: str, imported_from: str | None) -> str:
    """The title without all that an import puts around it."""
    plain = without_origin(title, imported_from)
    return _FOLDER.sub("", plain) if plain != title else title


def shown_title(facts: Facts) -> str:
    """What a table that names the agent of origin elsewhere says of the session."""
    return without_origin(facts.title, facts.imported_from) if facts.title else facts.first_prompt or ""
