"""The first pass over a session of OpenCode: what only its end tells."""

from __future__ import annotations

from panscript.readers.clock import Clock
from panscript.readers.digest import Digest
from panscript.readers.opencode.content import SHELL_NOTE
from panscript.readers.opencode.facts import model_of
from panscript.readers.opencode.forms import Form, Item, Turn

__all__ = ["ROLES", "Survey", "prompt_of", "survey", "typed"]

ROLES = frozenset({"user", "assistant"})
_PROMPT = 200
_LOOKED_AT = 4000


class Survey:
    """What a session turned out to be."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.first_prompt: str | None = None
        self.tails: set[str] = set()
        """Messages that a compaction names as the first it keeps."""
        self.model: str | None = None
        self.provider: str | None = None
        """Of the last response."""
        self.seen = self.understood = self.damaged = False


def survey(form: Form, digest: Digest) -> Survey:
    """Read the session once, adding its records to the digest. Raises `SourceError`s."""
    found = Survey()
    found.damaged = form.damaged
    reverted = False
    for number, turn in enumerate(form.turns()):
        for piece in (turn.piece, *turn.more):
            if digest.of_records:
                digest.add(piece.raw)
            found.damaged = found.damaged or (piece.trouble is not None and piece.trouble.skip is not None)
            found.seen = found.seen or bool(piece.raw.strip())
        found.understood = found.understood or turn.is_head
        if turn.info is None:
            continue
        reverted = reverted or (turn.name != "" and turn.name == form.facts.reverted)
        if turn.time is not None:
            found.clock.add(number, turn.time)
        if turn.info.role in ROLES:
            found.understood = True
            _message(turn, found, child=form.facts.parent is not None, reverted=reverted)
    found.clock.end()
    return found


def _message(turn: Turn, found: Survey, *, child: bool, reverted: bool) -> None:
    info = turn.info
    assert info is not None
    if info.role == "assistant":
        model, provider = model_of(info.model)
        found.model = info.model_id or model or found.model
        found.provider = info.provider_id or provider or found.provider
        return
    for item in turn.items:
        if item.part is not None and item.part.tail_start_id:
            found.tails.add(item.part.tail_start_id)
    if found.first_prompt is None and not child and not reverted:
        found.first_prompt = prompt_of(turn.items)


def typed(item: Item) -> str | None:
    """What of a part of a user's message a person typed."""
    part = item.part
    if part is None or part.synthetic or part.ignored:
        return None
    if part.type == "subtask":
        return part.prompt or None
    return part.text or None if part.type == "text" and part.text != SHELL_NOTE else None


def prompt_of(items: tuple[Item, ...]) -> str | None:
    """What a person typed, on one line, cut to what lists show; None where the message holds nothing of theirs."""
    text = "\n\n".join(text for text in map(typed, items) if text)
    return " ".join(text[:_LOOKED_AT].split())[:_PROMPT] or None
