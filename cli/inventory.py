"""The agents and what this machine holds of them."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from panscript.cli.extending import Installed, installed
from panscript.cli.narrow import say_left_out
from panscript.readers.context import Context
from panscript.readers.discovery import discover
from panscript.readers.finding import readable
from panscript.schemas.agents import AGENTS, KINDS, Agent
from panscript.schemas.separators import escaped
from panscript.schemas.terminal import one_line
from panscript.writers.extensions import extensible

__all__ = ["Known", "as_json", "inventory", "print_table"]

_HEADINGS = ("AGENT", "NAME", "READ", "WRITTEN", "STORAGE", "SESSIONS", "LOCATION")
_GAP = 2
_LEAST_LOCATION = 24
"""Columns that the location has on every terminal where others can give way."""
_LEFT_OUT = ("STORAGE", "NAME", "READ", "WRITTEN")
"""These are left out one after the other where the terminal is too narrow."""
_EVERY = "all kinds"
_STATES = {"current": "our extension", "outdated": "our extension, outdated", "foreign": "not ours"}


class Known(msgspec.Struct, frozen=True):
    """One agent on this machine."""

    agent: Agent
    places: tuple[Path, ...]
    """Where its sessions may lie; all of them are looked at."""
    existing: tuple[Path, ...]
    """Those that are there."""
    sessions: int | None
    """How many were found, without sub-agents; None where nothing is there or nothing can be read."""
    extension: Installed | None = None
    """Our extension inside of it, installed or not; None where there is none to install."""


def inventory(context: Context) -> list[Known]:
    """All agents of the table with what is there of each. What cannot be looked at counts as not there."""
    extended = extensible()
    return [_known(agent, context, extended=agent.id in extended) for agent in AGENTS]


def _known(agent: Agent, context: Context, *, extended: bool) -> Known:
    roots = {agent.id: context.roots[agent.id]} if agent.id in context.roots else {}
    context = Context(context.home, context.variables, roots)
    places = tuple(place.path for place in context.places(agent.id))
    existing = tuple(place for place in places if _exists(place))
    sessions = None
    if existing and agent.reader is not None:
        sessions = sum(1 for _ in discover(context, [agent.id], lambda _: None))
    return Known(agent, places, existing, sessions, installed(agent.id, context) if extended else None)


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):
        # In a folder that may not be entered, or under a name that cannot be one.
        return False


def as_json(known: Iterable[Known]) -> bytes:
    """One array, an agent a line."""
    lines = b",".join(b"\n  " + escaped(msgspec.json.encode(_row(each))) for each in known)
    return b"[" + lines + b"\n]\n"


def _row(known: Known) -> dict[str, Any]:
    agent = known.agent
    return {
        "agent": agent.id,
        "name": agent.name,
        "kinds": agent.kinds,
        "read": agent.reader is not None,
        "written": agent.writer is not None,
        "storage": agent.storage,
        "locations": [{"path": readable(str(path)), "found": path in known.existing} for path in known.places],
        "found": bool(known.existing),
        "sessions": known.sessions,
        "extension": _extension(known.extension),
    }


def _extension(found: Installed | None) -> dict[str, Any] | None:
    if found is None:
        return None
    return {"path": readable(str(found.path)), "state": found.state, "version": found.version}


def print_table(known: Iterable[Known], home: Path) -> None:
    """Print the agents to standard output; `home` is shown as `~`."""
    rows = [cells for each in known for cells in _cells(each, str(home))]
    if sys.stdout.isatty():
        say_left_out(_fitted(rows))
    else:
        _plain(rows)


def _cells(known: Known, home: str) -> Iterator[tuple[str, ...]]:
    """The places that are there, a row each, or else the first of those that could be; then our extension, where
    there is one."""
    agent = known.agent
    shown = known.existing or known.places[:1]
    places = [_below(one_line(str(place)), home) + ("" if known.existing else " (not found)") for place in shown]
    if known.extension is not None and known.extension.state != "absent":
        places.append(f"{_below(one_line(str(known.extension.path)), home)} ({_STATES[known.extension.state]})")
    for number, where in enumerate(places):
        if number:
            yield ("",) * (len(_HEADINGS) - 1) + (where,)
        else:
            yield (
                agent.id,
                agent.name,
                _read(agent),
                _written(agent),
                ", ".join(agent.storage),
                "" if known.sessions is None else str(known.sessions),
                where,
            )


def _read(agent: Agent) -> str:
    if agent.reader is None:
        return "-"
    return _EVERY if len(agent.kinds) == len(KINDS) else ", ".join(agent.kinds)


def _written(agent: Agent) -> str:
    """Whose sessions become its own."""
    if agent.writer is not None:
        return "yes"
    return "its own" if agent.reader is not None else "-"


def _below(path: str, home: str) -> str:
    return f"~{path[len(home) :]}" if path == home or path.startswith(f"{home}/") else path


def _plain(rows: list[tuple[str, ...]]) -> None:
    from rich.cells import cell_len

    rows = [_HEADINGS, *rows]
    widths = [max(cell_len(row[column]) for row in rows) for column in range(len(_HEADINGS))]
    for row in rows:
        cells = (cell + " " * (width - cell_len(cell)) for cell, width in zip(row, widths, strict=True))
        line = (" " * _GAP).join(cells).rstrip() + "\n"
        sys.stdout.buffer.write(line.encode(sys.stdout.encoding or "utf-8", "replace"))


def _fitted(rows: list[tuple[str, ...]]) -> list[str]:
    """Print the table; gives the columns that were left out."""
    from rich.cells import cell_len
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console()
    widths = {
        heading: max(cell_len(row[column]) for row in (_HEADINGS, *rows)) for column, heading in enumerate(_HEADINGS)
    }
    location = min(widths.pop("LOCATION"), _LEAST_LOCATION)
    for heading in _LEFT_OUT:
        if sum(widths.values()) + _GAP * len(widths) + location > console.width:
            del widths[heading]
    headings = [heading for heading in _HEADINGS if heading in widths or heading == "LOCATION"]
    table = Table(box=None, pad_edge=False, padding=(0, _GAP, 0, 0), header_style="bold")
    for heading in headings:
        table.add_column(
            heading,
            justify="right" if heading == "SESSIONS" else "left",
            overflow="fold",
            # Only places give way on a narrow terminal, and are broken rather than cut.
            no_wrap=heading != "LOCATION",
            style={"AGENT": "cyan", "LOCATION": "dim"}.get(heading, ""),
        )
    for row in rows:
        table.add_row(*(Text(cell) for cell, heading in zip(row, _HEADINGS, strict=True) if heading in headings))
    console.print(table)
    return [heading for heading in _HEADINGS if heading not in headings]
