"""A transcript as plain text, for files and for other programs: no escape sequences, nothing is wrapped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from panscript.cli.transcript.pieces import MARKS, Kind, Piece, spaced

__all__ = ["plain"]

_PLAIN_MARKS = MARKS | {"prompt": ("> ", "> ")}
_LABEL = 9


def plain(pieces: Iterable[Piece]) -> Iterator[str]:
    """Each piece as lines of text, the last line feed included."""
    before: Kind | None = None
    for piece in pieces:
        yield ("\n" if spaced(before, piece.kind) else "") + _text(piece)
        before = piece.kind


def _text(piece: Piece) -> str:
    kind, text, detail, tail = piece
    if kind == "title":
        return f"{text}: {detail}\n"
    if kind == "fact":
        return f"{text:{_LABEL}}{detail}\n"
    if kind == "rule":
        return f"---- {text}{f', {detail}' if detail else ''} ----\n"
    if kind == "thinking":
        text = f"(thinking)\n{text}"
    between = " · " if kind == "heading" else "  "
    first, *others = text.split("\n")
    first = between.join(part for part in (first, detail, tail) if part)
    mark, further = _PLAIN_MARKS.get(kind, ("", ""))
    return "\n".join([(mark + first).rstrip(), *((further + line).rstrip() for line in others)]) + "\n"
