"""Sums of tokens as a table: with sub-totals and bars on a terminal, plain and aligned everywhere else."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from panscript.cli.narrow import say_left_out
from panscript.schemas.terminal import one_line
from panscript.stages.totals import Group, Sum, Totals, merge

__all__ = ["print_table"]

_NUMBERS = ("INPUT", "OUTPUT", "REASONING", "CACHE READ", "CACHE WRITE", "TOTAL", "COST")
_FIRST_OUT, _LAST_OUT = (2, 4, 3), (6, 0, 1)
"""Columns that are left out one after the other where the terminal is too narrow: before names are cut, and after."""
_NAMES = frozenset({"model", "provider", "session", "project"})
"""Keys that can be cut and still say something."""
_COST = 6
_GAP, _BAR, _NARROWEST = 2, 12, 8
_EIGHTHS = " ▏▎▍▌▋▊▉█"


class _Row(NamedTuple):
    """A line of the table, safe to show."""

    keys: tuple[str, ...]
    numbers: tuple[str, ...]
    share: float
    """Of the largest row, from 0 to 1; 0 for sums of other rows."""
    style: str


def print_table(groups: Sequence[Group], totals: Totals, home: Path, *, quiet: bool = False) -> None:
    """Print the groups to standard output, and below them their sum. `home` is shown as `~`.

    `quiet`: do not say which columns there was no room for.
    """
    rows = list(_rows(groups, totals, str(home)))
    costs = any(row.numbers[_COST] for row in rows)
    columns = [number for number in range(len(_NUMBERS)) if costs or number != _COST]
    if sys.stdout.isatty():
        say_left_out(_fitted(rows, totals.by, columns), quiet=quiet)
    else:
        _plain(rows, totals.by, columns)


def _rows(groups: Sequence[Group], totals: Totals, home: str) -> Iterator[_Row]:
    largest = max((group.sum.total_tokens for group in groups), default=0) or 1
    for first, members in groupby(groups, key=lambda group: group.keys[0]):
        part = list(members)
        shown = _shown(totals.by[0], first, home)
        if len(part) > 1:
            whole = Sum()
            for group in part:
                merge(whole, group.sum)
            yield _Row((shown, *[""] * (len(totals.by) - 1)), _numbers(whole), 0, "bold")
        for group in part:
            rest = (_shown(name, key, home) for name, key in zip(totals.by[1:], group.keys[1:], strict=True))
            share = group.sum.total_tokens / largest
            yield _Row(("" if len(part) > 1 else shown, *rest), _numbers(group.sum), share, "")
    if len(groups) > 1:
        yield _Row(("total", *[""] * (len(totals.by) - 1)), _numbers(totals.total()), 0, "bold")


def _shown(name: str, key: str | None, home: str) -> str:
    if key is None:
        return "-"
    if name == "project" and (key == home or key.startswith(f"{home}/")):
        key = f"~{key[len(home) :]}"
    return one_line(key)


def _numbers(total: Sum) -> tuple[str, ...]:
    counts = (
        total.input_tokens,
        total.output_tokens,
        total.reasoning_tokens,
        total.cache_read_tokens,
        total.cache_write_tokens,
        total.total_tokens,
    )
    return (*(f"{count:,}" for count in counts), "" if total.cost_usd is None else f"${total.cost_usd:,.2f}")


def _plain(rows: Sequence[_Row], by: Sequence[str], columns: Sequence[int]) -> None:
    from rich.cells import cell_len

    keys = [tuple(name.upper() for name in by), *(row.keys for row in rows)]
    numbers = [[names[column] for column in columns] for names in (_NUMBERS, *(row.numbers for row in rows))]
    key_widths = [max(cell_len(cells[place]) for cells in keys) for place in range(len(by))]
    widths = [max(len(cells[place]) for cells in numbers) for place in range(len(columns))]
    lines = []
    for said, counted in zip(keys, numbers, strict=True):
        left = [cell + " " * (width - cell_len(cell)) for cell, width in zip(said, key_widths, strict=True)]
        right = [cell.rjust(width) for cell, width in zip(counted, widths, strict=True)]
        lines.append("  ".join((*left, *right)).rstrip())
    sys.stdout.buffer.write(("\n".join(lines) + "\n").encode(sys.stdout.encoding or "utf-8", "replace"))


def _fitted(rows: Sequence[_Row], by: Sequence[str], columns: Sequence[int]) -> list[str]:
    """Print the table; gives the columns that were left out."""
    from rich.cells import cell_len
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console()
    key_widths = [
        max(cell_len(cells) for cells in (name, *(r.keys[place] for r in rows))) for place, name in enumerate(by)
    ]
    widths = [
        max(len(names[column]) for names in (_NUMBERS, *(r.numbers for r in rows))) for column in range(len(_NUMBERS))
    ]
    wanted, columns = columns, list(columns)

    def left() -> int:
        return console.width - sum(key_widths) - sum(widths[c] for c in columns) - _GAP * (len(by) + len(columns))

    def leave_out(numbers: Sequence[int]) -> None:
        for column in numbers:
            if left() < 0 and column in columns:
                columns.remove(column)

    leave_out(_FIRST_OUT)
    names = [place for place, name in enumerate(by) if name in _NAMES]
    while left() < 0 and names and (longest := max(names, key=key_widths.__getitem__)) is not None:
        if key_widths[longest] <= _NARROWEST:
            break
        key_widths[longest] -= 1
    leave_out(_LAST_OUT)
    bars = left() >= _BAR + _GAP
    table = Table(box=None, pad_edge=False, padding=(0, _GAP, 0, 0), header_style="bold")
    for name, width in zip(by, key_widths, strict=True):
        table.add_column(
            name.upper(), no_wrap=True, overflow="ellipsis", width=width, style="cyan" if name == by[0] else ""
        )
    for column in columns:
        table.add_column(_NUMBERS[column], no_wrap=True, justify="right", width=widths[column])
    if bars:
        table.add_column("", no_wrap=True, width=_BAR, style="green")
    for row in rows:
        cells = [Text(key) for key in row.keys] + [Text(row.numbers[column]) for column in columns]
        table.add_row(*cells, *([Text(_bar(row.share))] if bars else []), style=row.style)
    console.print(table)
    return [_NUMBERS[column] for column in wanted if column not in columns]


def _bar(share: float) -> str:
    """A bar of at most `_BAR` cells; what is not nothing is seen."""
    eighths = round(share * _BAR * 8)
    if share > 0:
        eighths = max(eighths, 1)
    return ("█" * (eighths // 8) + _EIGHTHS[eighths % 8]).rstrip()
