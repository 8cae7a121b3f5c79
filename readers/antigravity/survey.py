"""The first pass over a conversation: what only its end tells."""

from __future__ import annotations

import re
from typing import NamedTuple

from panscript.readers.antigravity.forms import Conversation, Piece
from panscript.readers.antigravity.pairing import Pairing
from panscript.readers.antigravity.responses import Response, response_of
from panscript.readers.antigravity.steps import PLANNER, USER, Step
from panscript.readers.clock import Clock
from panscript.readers.digest import Digest

__all__ = ["PASSED", "Survey", "Typed", "is_tool", "name_of", "survey", "typed"]

PASSED = frozenset({"CONVERSATION_HISTORY", "EPHEMERAL_MESSAGE"})
"""Steps that repeat or remind, and say nothing new."""
_NOTICES = frozenset({"CHECKPOINT", "SYSTEM_MESSAGE", "ERROR_MESSAGE"})
_REQUEST = re.compile(r"<USER_REQUEST>\n?(.*?)\n?</USER_REQUEST>", re.DOTALL)
_PROMPT = 200
_LOOKED_AT = 4000


class Typed(NamedTuple):
    """A prompt, taken apart."""

    said: str
    added: str
    """What the agent put around it."""


class Survey:
    """What a conversation turned out to be."""

    def __init__(self, known: dict[int, Step]) -> None:
        self.known = known
        self.clock = Clock()
        self.answered: set[str] = set()
        self.responses: list[Response] = []
        """What each row of a request says."""
        self.billed: dict[int, Response] = {}
        """Number of a step of the model -> the request that made it, each request once."""
        self.told: set[int] = set()
        """Numbers of the requests (in their order) whose counts stand on a message."""
        self.repeated: set[int] = set()
        """Numbers of the requests whose response an earlier row tells of."""
        self.model: str | None = None
        self.first_prompt: str | None = None
        self.seen = self.understood = False
        self.damaged = 0


def name_of(step: Step, line: int) -> str:
    """What a step is called in ids of calls."""
    return f"step{step.index}" if step.index is not None else f"line{line}"


def is_tool(step: Step) -> bool:
    """Whether the step is the run of a tool."""
    return step.source == "MODEL" and step.kind not in (PLANNER, USER) and step.kind not in PASSED | _NOTICES


def typed(step: Step) -> Typed:
    """What a person typed of a prompt, and what stands around it."""
    found = _REQUEST.search(step.text)
    if found is None:
        return Typed(step.text, "")
    rest = step.text[: found.start()] + step.text[found.end() :]
    return Typed(found[1], rest.strip())


def survey(conversation: Conversation, digest: Digest, *, child: bool) -> Survey:
    """Read the conversation once, adding its records to the digest. `child`: nobody typed its prompts.

    Raises `SourceError`s.
    """
    found = Survey(conversation.known())
    found.understood = conversation.has_database
    pairing = Pairing(found.known)
    made: set[int] = set()
    names: set[str] = set()
    for number, piece in enumerate(conversation.pieces()):
        if digest.of_records:
            digest.add(piece.raw)
        if piece.trouble is not None:
            found.damaged += piece.trouble.skip is not None
        found.seen = found.seen or piece.trouble is None or not piece.trouble.blank
        if piece.request is not None:
            response = piece.request if isinstance(piece.request, Response) else response_of(piece.request)
            found.responses.append(response)
            name = response.name
            if name is not None and name in names:
                found.repeated.add(len(found.responses))
                continue
            # A row that cannot be counted tells of the response, too.
            names.update([name] if name is not None else ())
            _response(response, len(found.responses), made, found)
        elif piece.step is not None and not piece.repeats:
            _step(number, piece, piece.step, pairing, made, found, child=child)
    found.clock.end()
    return found


def _step(
    number: int, piece: Piece, step: Step, pairing: Pairing, made: set[int], found: Survey, *, child: bool
) -> None:
    found.understood = found.understood or bool(step.kind)
    if step.time is not None:
        found.clock.add(number, step.time)
    if step.kind == PLANNER:
        pairing.asked(step, name_of(step, piece.line))
        if step.index is not None and (step.text or step.thinking or step.calls):
            made.add(step.index)
    elif is_tool(step):
        found.answered.add(pairing.answered(step, name_of(step, piece.line)))
    elif step.kind == USER and not child and found.first_prompt is None:
        found.first_prompt = " ".join(typed(step).said[:_LOOKED_AT].split())[:_PROMPT] or None


def _response(response: Response, number: int, made: set[int], found: Survey) -> None:
    found.model = response.model or found.model
    if response.problem is not None:
        return
    step = next((step for step in response.steps if step in made and step not in found.billed), None)
    if step is not None:
        found.billed[step] = response
        found.told.add(number)
