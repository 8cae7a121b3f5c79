"""What a transcript on a screen is made of. Every text in a piece is safe to show."""

from __future__ import annotations

from typing import Literal, NamedTuple

__all__ = ["MARKS", "Kind", "Look", "Piece", "Tools", "spaced"]

Kind = Literal[
    "title",  # what the session is called
    "fact",  # a line of what is said of it
    "heading",  # who speaks
    "prompt",  # what a person typed
    "answer",  # what the model said, in Markdown
    "foot",  # what an answer cost
    "thinking",
    "call",  # a call that went well, its name and arguments
    "failed",  # one that did not
    "arguments",  # all arguments of a call
    "result",  # what a call gave
    "note",  # something beside the conversation
    "context",  # text that the agent injected
    "rule",  # where the conversation was cut
]

Tools = Literal["full", "short", "none"]
"""How much of tool calls is shown."""


class Piece(NamedTuple):
    """Some lines that look alike."""

    kind: Kind
    text: str
    detail: str = ""
    """Stands behind the first line, less visible."""
    tail: str = ""
    """Stands behind that, and is there also where a narrow screen cuts the line."""


class Look(NamedTuple):
    """What to show."""

    tools: Tools = "short"
    thinking: bool = True
    context: bool = False
    """Also what the agent put before the model, and summaries whole."""


MARKS: dict[Kind, tuple[str, str]] = {
    "call": ("● ", "  "),
    "failed": ("✗ ", "  "),
    "arguments": ("    ", "    "),
    "result": ("  │ ", "  │ "),
    "note": ("· ", "  "),
    "context": ("  ", "  "),
    "thinking": ("  ", "  "),
}
"""What stands before the first line of a piece, and before the others."""

_JOINED: dict[Kind, frozenset[Kind]] = {
    "fact": frozenset({"title", "fact"}),
    "prompt": frozenset({"heading"}),
    "foot": frozenset({"answer", "thinking"}),
    "call": frozenset({"call", "failed", "result", "arguments", "foot"}),
    "failed": frozenset({"call", "failed", "result", "arguments", "foot"}),
    "arguments": frozenset({"call", "failed"}),
    "result": frozenset({"call", "failed", "arguments", "result", "prompt"}),
    "context": frozenset({"note", "rule", "context"}),
}


def spaced(before: Kind | None, after: Kind) -> bool:
    """Whether a blank line stands between two pieces."""
    return before is not None and before not in _JOINED.get(after, frozenset())
