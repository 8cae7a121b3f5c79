"""The first pass over a session of Goose: what only its end tells."""

from __future__ import annotations

from panscript.readers.clock import Clock
from panscript.readers.digest import Digest
from panscript.readers.goose.facts import Facts
from panscript.readers.goose.forms import Form
from panscript.schemas import timestamps
from panscript.schemas.goose.lean import Line

__all__ = ["ROLES", "Survey", "is_shown", "prompt_of", "survey"]

ROLES = frozenset({"user", "assistant"})
_CALLS = frozenset({"toolRequest", "frontendToolRequest"})
_PROMPT = 200
_LOOKED_AT = 4000


class Survey:
    """What a session turned out to be."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.unanswered: set[str] = set()
        """Calls that no record answers."""
        self.first_prompt: str | None = None
        self.seen = self.understood = False
        self.damaged = 0
        self.headed = False


def survey(form: Form, digest: Digest) -> Survey:
    """Read the session once, adding its records to the digest. Raises `SourceError`s."""
    found = Survey()
    for number, piece in enumerate(form.pieces()):
        if digest.of_records:
            digest.add(piece.raw)
        if piece.trouble is not None and piece.trouble.skip is not None:
            found.damaged += 1
        found.seen = found.seen or piece.kind != "blank" or piece.row is not None
        if piece.is_head:
            found.headed = found.understood = True
        if piece.row is None:
            continue
        time = timestamps.parse(piece.row.created)
        if time is not None:
            found.clock.add(number, time)
        if piece.row.role in ROLES:
            found.understood = True
            _message(piece.row, found, form.facts)
    found.clock.end()
    return found


def _message(row: Line, found: Survey, facts: Facts) -> None:
    for item in row.content if isinstance(row.content, list) else ():
        if item.id and item.type in _CALLS:
            found.unanswered.add(item.id)
        elif item.id and item.type == "toolResponse":
            found.unanswered.discard(item.id)
    if found.first_prompt is None:
        found.first_prompt = prompt_of(row, facts)


def is_shown(row: Line) -> bool:
    """Whether the person sees the message; others were put before the model by Goose itself."""
    return row.metadata is None or row.metadata.user_visible is not False


def prompt_of(row: Line, facts: Facts) -> str | None:
    """What a person typed, or what a sub-agent was told to do, on one line; None where the message holds neither."""
    if row.role != "user" or not is_shown(row) or facts.is_child:
        return None
    return prompt_text(row)


def prompt_text(row: Line) -> str | None:
    """The text of a message on one line, cut to what lists show."""
    if isinstance(row.content, str):
        text = row.content
    else:
        text = "\n\n".join(item.text for item in row.content or () if item.type == "text" and item.text)
    return " ".join(text[:_LOOKED_AT].split())[:_PROMPT] or None
