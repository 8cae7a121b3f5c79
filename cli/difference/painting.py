"""The lines of a picture as text: coloured and wrapped for a terminal, plain everywhere else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from panscript.cli.difference.picture import Span, Style

__all__ = ["painted", "plainly"]

_COLOURS: dict[Style, str] = {
    "": "",
    "side": "bold",
    "dim": "dim",
    "missing": "red",
    "added": "green",
    "changed": "yellow",
    "moved": "cyan",
    "gone": "bold red reverse",
    "come": "bold green reverse",
    "rule": "dim",
}


def plainly(rows: Iterable[list[Span]]) -> Iterator[str]:
    """Each line as it is, the line feed included: no escape sequences, nothing is wrapped."""
    for row in rows:
        yield "".join(span.text for span in row).rstrip() + "\n"


def painted(rows: Iterable[list[Span]], width: int, *, colours: bool) -> Iterator[str]:
    """Each line wrapped to so many columns, what goes on below its beginning; without `colours` no escape sequences."""
    from rich.text import Text

    from panscript.cli.transcript.coloured import screen

    console = screen(width, colours=colours)
    for row in rows:
        if not row:
            yield "\n"
            continue
        first, *others = row
        body = Text.assemble(*((span.text.expandtabs(4), _COLOURS[span.style]) for span in others))
        mark = Text(first.text, _COLOURS[first.style]) if others else Text("")
        if not others:
            body = Text(first.text, _COLOURS[first.style])
        with console.capture() as printed:
            for number, line in enumerate(body.wrap(console, max(width - len(mark), 10), overflow="fold") or [body]):
                line.rstrip()
                console.print(Text.assemble(mark if number == 0 else " " * len(mark), line), no_wrap=True, crop=False)
        yield printed.get()
