"""The list of sessions as a table: fitted to a terminal, plain and aligned everywhere else."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from panscript.cli.listing import Entry
from panscript.readers.discovery import full_id
from panscript.schemas import timestamps
from panscript.schemas.terminal import one_line

__all__ = ["age", "print_table"]

_HEADINGS = ("AGENT", "ID", "AGE", "MESSAGES", "FOLDER", "TITLE")
_PLAIN_HEADINGS = ("AGENT", "ID", "CHANGED", "MESSAGES", "FOLDER", "TITLE")
_LEVELS = ((60_000, 0, ""), (3_600_000, 60_000, "m"), (86_400_000, 3_600_000, "h"), (30 * 86_400_000, 86_400_000, "d"))
_MONTH, _YEAR = 30 * 86_400_000, 365 * 86_400_000


def print_table(entries: Iterable[Entry], short: Mapping[str, str], home: Path) -> None:
    """Print the entries to standard output. `short` gives the ids to show, `home` is shown as `~`."""
    if sys.stdout.isatty():
        _fitted(entries, short, home)
    else:
        _plain(entries, short, home)


def age(then: int, now: int) -> str:
    """How long ago, in one word; both in milliseconds since 1970 UTC."""
    passed = now - then
    for limit, unit, letter in _LEVELS:
        if passed < limit:
            return f"{passed // unit}{letter}" if unit else "now"
    return f"{passed // _MONTH}mo" if passed < _YEAR else f"{passed // _YEAR}y"


def _rows(
    entries: Iterable[Entry], short: Mapping[str, str], home: Path, now: int | None, depth: int = 0
) -> Iterator[tuple[str, ...]]:
    """The cells of each session, safe to show. `now` gives ages instead of times."""
    for entry in entries:
        facts = entry.facts
        when = ""
        if facts.modified is not None:
            when = (
                age(facts.modified, now) if now is not None else timestamps.iso(facts.modified)[:16].replace("T", " ")
            )
        agent = entry.source.agent + (f" (from {facts.imported_from})" if facts.imported_from else "")
        mark = "  " * (depth - 1) + "└ " if depth else ""
        name = full_id(entry.source)
        yield (
            one_line(agent),
            mark + one_line(short.get(name, name)),
            when,
            "" if entry.messages is None else str(entry.messages),
            one_line(_below(facts.cwd or "", str(home))),
            one_line(facts.title or facts.first_prompt or ""),
        )
        yield from _rows(entry.children, short, home, now, depth + 1)


def _below(cwd: str, home: str) -> str:
    if cwd == home or cwd.startswith(f"{home}/"):
        return f"~{cwd[len(home) :]}"
    return cwd


def _plain(entries: Iterable[Entry], short: Mapping[str, str], home: Path) -> None:
    from rich.cells import cell_len

    rows = [_PLAIN_HEADINGS, *_rows(entries, short, home, None)]
    widths = [max(cell_len(row[column]) for row in rows) for column in range(len(_HEADINGS) - 1)]
    lines = []
    for row in rows:
        cells = [cell + " " * (width - cell_len(cell)) for cell, width in zip(row, widths, strict=False)]
        lines.append("  ".join((*cells, row[-1])).rstrip())
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.buffer.write(("\n".join(lines) + "\n").encode(encoding, "replace"))


def _fitted(entries: Iterable[Entry], short: Mapping[str, str], home: Path) -> None:
    from rich.cells import cell_len
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    rows = list(_rows(entries, short, home, time.time_ns() // 1_000_000))
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), expand=False, header_style="bold")
    for column, heading in enumerate(_HEADINGS):
        # Only folders and titles give way on a narrow terminal: half an id is of no use.
        whole = None if heading in ("FOLDER", "TITLE") else max(cell_len(row[column]) for row in rows)
        table.add_column(
            heading,
            no_wrap=True,
            overflow="ellipsis",
            justify="right" if heading in ("AGE", "MESSAGES") else "left",
            min_width=None if whole is None else max(whole, len(heading)),
            max_width=36 if heading == "FOLDER" else None,
            style={"ID": "cyan", "AGE": "dim", "FOLDER": "dim"}.get(heading, ""),
        )
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    Console().print(table)
