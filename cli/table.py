"""The list of sessions as a table: fitted to a terminal, plain and aligned everywhere else."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from panscript.cli.listing import Entry
from panscript.cli.narrow import say_left_out
from panscript.cli.titles import shown_title
from panscript.readers.discovery import full_id
from panscript.schemas import timestamps
from panscript.schemas.terminal import one_line

__all__ = ["age", "print_table"]

_HEADINGS = ("AGENT", "ID", "AGE", "MESSAGES", "FOLDER", "TITLE")
_PLAIN_HEADINGS = ("AGENT", "ID", "CHANGED", "MESSAGES", "FOLDER", "TITLE")
_ID, _FOLDER, _WIDEST_FOLDER, _GAP = 1, 4, 36, 2
_BROKEN_ID = 13
"""Columns that an id has at least: so many tell ids apart that begin with a time."""
_LEAST_TITLE = 20
"""Columns that the title has on every terminal where the folder can give way."""
_LEVELS = ((60_000, 0, ""), (3_600_000, 60_000, "m"), (86_400_000, 3_600_000, "h"), (30 * 86_400_000, 86_400_000, "d"))
_MONTH, _YEAR = 30 * 86_400_000, 365 * 86_400_000


def print_table(
    entries: Iterable[Entry], short: Mapping[tuple[str, str], str], home: Path, *, quiet: bool = False
) -> None:
    """Print the entries to standard output. `short` gives the ids to show by agent and id, `home` is shown as `~`.

    `quiet`: do not say which columns there was no room for.
    """
    if _is_terminal():
        say_left_out(_fitted(entries, short, home), quiet=quiet)
    else:
        _plain(entries, short, home)


def _is_terminal() -> bool:
    return sys.stdout.isatty()


def age(then: int, now: int) -> str:
    """How long ago, in one word; both in milliseconds since 1970 UTC."""
    passed = now - then
    for limit, unit, letter in _LEVELS:
        if passed < limit:
            return f"{passed // unit}{letter}" if unit else "now"
    return f"{passed // _MONTH}mo" if passed < _YEAR else f"{passed // _YEAR}y"


def _rows(
    entries: Iterable[Entry], short: Mapping[tuple[str, str], str], home: Path, now: int | None, depth: int = 0
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
            mark + one_line(short.get((entry.source.agent, name), name)),
            when,
            "" if entry.messages is None else str(entry.messages),
            one_line(_below(facts.cwd or "", str(home))),
            one_line(shown_title(facts)),
        )
        yield from _rows(entry.children, short, home, now, depth + 1)


def _below(cwd: str, home: str) -> str:
    if cwd == home or cwd.startswith(f"{home}/"):
        return f"~{cwd[len(home) :]}"
    return cwd


def _plain(entries: Iterable[Entry], short: Mapping[tuple[str, str], str], home: Path) -> None:
    from rich.cells import cell_len

    rows = [_PLAIN_HEADINGS, *_rows(entries, short, home, None)]
    widths = [max(cell_len(row[column]) for row in rows) for column in range(len(_HEADINGS) - 1)]
    lines = []
    for row in rows:
        cells = [cell + " " * (width - cell_len(cell)) for cell, width in zip(row, widths, strict=False)]
        lines.append("  ".join((*cells, row[-1])).rstrip())
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.buffer.write(("\n".join(lines) + "\n").encode(encoding, "replace"))


def _fitted(entries: Iterable[Entry], short: Mapping[tuple[str, str], str], home: Path) -> list[str]:
    """Print the table; gives the columns that were left out."""
    from rich.cells import cell_len
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console()
    rows = list(_rows(entries, short, home, time.time_ns() // 1_000_000))
    widths = [max(cell_len(row[column]) for row in (_HEADINGS, *rows)) for column in range(len(_HEADINGS))]
    # Half an id is of no use on a narrow terminal: one that must be long is broken, folders and titles are cut.
    left = console.width - sum(widths[:_FOLDER]) - _GAP * _FOLDER
    least = min(widths[-1], _LEAST_TITLE)
    wanted = least + _GAP + min(widths[_FOLDER], len(_HEADINGS[_FOLDER])) - left
    broken = max(min(wanted, widths[_ID] - _BROKEN_ID), 0)
    widths[_ID] -= broken
    left += broken
    folder = min(widths[_FOLDER], _WIDEST_FOLDER, max(left // 3, len(_HEADINGS[_FOLDER])), left - _GAP - least)
    columns = list(range(len(_HEADINGS)))
    if folder < len(_HEADINGS[_FOLDER]):
        columns.remove(_FOLDER)
        folder = -_GAP
    widths[_FOLDER] = folder
    widths[-1] = max(min(widths[-1], left - folder - _GAP), len(_HEADINGS[-1]))
    table = Table(box=None, pad_edge=False, padding=(0, _GAP, 0, 0), header_style="bold")
    for column in columns:
        heading, width = _HEADINGS[column], widths[column]
        table.add_column(
            heading,
            no_wrap=column != _ID,
            overflow="fold" if column == _ID else "ellipsis",
            justify="right" if heading in ("AGE", "MESSAGES") else "left",
            width=width,
            style={"ID": "cyan", "AGE": "dim", "FOLDER": "dim"}.get(heading, ""),
        )
    for row in rows:
        table.add_row(*(Text(row[column]) for column in columns))
    console.print(table)
    return [heading for column, heading in enumerate(_HEADINGS) if column not in columns]
