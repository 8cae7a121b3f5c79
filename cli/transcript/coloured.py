"""A transcript for a terminal: coloured, wrapped, with answers as Markdown.

Whatever is printed goes through `_Safe` last, so nothing that a parser made of a text (an entity, say) moves a cursor.
Texts are never read as rich's own markup, and links are not made clickable: their address is shown.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.markdown import Heading, Markdown
from rich.segment import Segment
from rich.text import Text
from rich.theme import Theme

from panscript.cli.transcript.pieces import MARKS, Kind, Piece, spaced
from panscript.schemas.terminal import shown

__all__ = ["coloured", "screen"]

_WIDEST = 100
"""Columns of running text: longer lines are hard to read."""
_LABEL, _GAP = 9, 4
_LONGEST_MARKDOWN, _DEEPEST = 1 << 15, 16
"""Characters, and levels of lists and quotations: what is beyond is shown as it was written."""
_COLOURED_MARKS = MARKS | {"prompt": ("▌ ", "▌ ")}
_STYLES: dict[Kind, str] = {
    "heading": "bold cyan",
    "prompt": "bold",
    "foot": "dim",
    "thinking": "dim italic",
    "call": "bold",
    "failed": "bold red",
    "arguments": "",
    "result": "dim",
    "note": "dim",
    "context": "dim",
    "rule": "yellow",
}
_MARK_STYLES: dict[Kind, str] = {"call": "green", "failed": "red", "prompt": "cyan", "result": "dim"}
_CROPPED: frozenset[Kind] = frozenset({"call", "failed"})


class _Heading(Heading):
    """Headings stand at the left, without a frame."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        self.text.justify = "left"
        yield self.text


class _Answer(Markdown):
    """Markdown in which nothing is left out: HTML, entities and references stand as written, pictures as links."""

    elements = Markdown.elements | {"heading_open": _Heading}

    def __init__(self, tokens: list[Token]) -> None:
        super().__init__("", code_theme="ansi_dark", hyperlinks=False)
        self.parsed = tokens


@cache
def _parser() -> MarkdownIt:
    # Deeper than `_DEEPEST`, so that text which a parser leaves out below its limit is never met.
    parser = MarkdownIt("commonmark", {"html": False, "maxNesting": _DEEPEST * 2})
    return parser.enable(["strikethrough", "table"]).disable(["entity", "image", "reference"])


def _markdown(text: str) -> _Answer | None:
    """The text as Markdown; None where it is too much for that."""
    if len(text) > _LONGEST_MARKDOWN:
        return None
    tokens = _parser().parse(text)
    return _Answer(tokens) if all(token.level <= _DEEPEST for token in tokens) else None


class _Safe:
    def __init__(self, inner: RenderableType) -> None:
        self._inner = inner

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for segment in console.render(self._inner, options):
            if not segment.control:
                style = segment.style
                if style is not None and style.link:
                    style = style.update_link(None)
                yield Segment(shown(segment.text), style)


def screen(width: int, *, colours: bool) -> Console:
    """A console that keeps what it prints; without `colours` it gives no escape sequences at all."""
    return Console(
        file=io.StringIO(),
        width=width,
        force_terminal=colours,
        color_system="auto" if colours else None,
        no_color=not colours,
        legacy_windows=False,
        highlight=False,
        markup=False,
        emoji=False,
        # On a light screen the black ground of the usual style is a box.
        theme=Theme({"markdown.code": "cyan", "markdown.code_block": "cyan"}),
    )


def coloured(pieces: Iterable[Piece], console: Console) -> Iterator[str]:
    """Each piece as lines with escape sequences for colours, the last line feed included."""
    before: Kind | None = None
    for piece in pieces:
        with console.capture() as printed:
            if spaced(before, piece.kind):
                console.line()
            for line in _lines(piece, console):
                console.print(_Safe(line), width=_width(piece.kind, console))
        yield printed.get()
        before = piece.kind


def _width(kind: Kind, console: Console) -> int:
    return min(console.width, _WIDEST) if kind in ("answer", "prompt", "thinking", "context", "rule") else console.width


def _lines(piece: Piece, console: Console) -> Iterator[RenderableType]:
    kind, text, detail, tail = piece
    width = _width(kind, console)
    if kind == "answer" and (answer := _markdown(text)) is not None:
        yield answer
        return
    body = Text(text, style=_STYLES.get(kind, ""))
    if kind == "title":
        body = Text.assemble((f" {text} ", "bold reverse"), (f" {detail}", "bold"))
    elif kind == "fact":
        body = Text.assemble((f"{text:{_LABEL}}", "dim"), detail)
    elif kind == "rule":
        said = f"── {text}{f', {detail}' if detail else ''} "
        body = Text(said.ljust(width, "─"), style=_STYLES[kind])
    elif detail:
        body.append("  " if text else "")
        body.append(detail, style="not bold" if kind in _CROPPED else "not bold dim")
    if tail:
        # A line that is cut keeps its end.
        body.truncate(max(width - len(tail) - _GAP, 1), overflow="ellipsis")
        body.append(f"  {tail}", style="not bold dim")
    yield from _marked(kind, body, width, console)


def _marked(kind: Kind, body: Text, width: int, console: Console) -> Iterator[Text]:
    """Every line of the text, also those that wrapping makes, behind its mark."""
    mark, further = _COLOURED_MARKS.get(kind, ("", " " * _LABEL if kind == "fact" else ""))
    style = _MARK_STYLES.get(kind, _STYLES.get(kind, ""))
    room = max(width - len(mark), 1)
    if kind in _CROPPED:
        body.truncate(room, overflow="ellipsis")
        wrapped: Iterable[Text] = [body]
    else:
        wrapped = body.wrap(console, room, overflow="fold")
    for number, line in enumerate(wrapped):
        line.rstrip()
        yield Text.assemble((further if number else mark, style), line)
