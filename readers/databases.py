"""Whose a SQLite database is, and the sessions in it.

A reader of databases names the tables that tell its agent's (`TABLES`, a frozenset, in its package), and, where these
may be missing, others that tell as much (`OTHER_TABLES`); the reader with the most of them in the database has it.
Agents of one origin share tables: then the name of the file decides.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import cast

from panscript.readers.context import Place
from panscript.readers.discovery import Discovery, part_of_reader
from panscript.readers.lines import DATABASE
from panscript.schemas.agents import AGENTS, agent
from panscript.schemas.errors import NotATranscript, SourceError, SourceUnreadable, UndecidedAgent
from panscript.schemas.records import Source

__all__ = ["is_database", "only_session", "owner", "sessions"]

_MOST_IDS = 5


def is_database(path: str) -> bool:
    """Whether the file at this path begins like a database; False where it cannot be looked at."""
    try:
        if not os.path.isfile(path):  # noqa: PTH113 - answers for every name
            return False
        with Path(path).open("rb") as file:
            return file.read(len(DATABASE)) == DATABASE
    except (OSError, ValueError):
        return False


def owner(path: str, agent_id: str | None = None) -> str:
    """The agent whose database this is; `agent_id` where it may be that one's.

    Raises `NotATranscript`, `UndecidedAgent`, `SourceUnreadable` (damaged, locked).
    """
    from panscript.readers.sqlite import database

    with database(path) as found:
        tables = found.tables
    shares: dict[str, int] = {}
    for name, own in _readers():
        if own <= tables:
            shares[name] = max(len(own), shares.get(name, 0))
    best = [name for name, share in shares.items() if share == max(shares.values())]
    if agent_id in best:
        return agent_id
    if not best:
        raise NotATranscript("this is a database, but of no agent that can be read", path=path)
    return best[0] if len(best) == 1 else _by_name(path, best)


def sessions(path: str, agent_id: str | None = None) -> list[Source]:
    """The sessions in a database, sub-agents as children of theirs; `agent_id` names whose it is.

    Raises `NotATranscript`, `UndecidedAgent`, `SourceUnreadable`.
    """
    found = owner(path, agent_id)
    if agent_id not in (None, found):
        hint = f"use `--from {found}`"
        raise NotATranscript(f"this is no session of {agent(agent_id or '').name}", path=path, hint=hint)
    search = cast(Discovery, part_of_reader(found, "discovery"))
    sources = list(search.discover(found, [Place(Path(path), explicit=True)], _raise))
    if not sources:
        raise NotATranscript("there is no session in this database", path=path)
    return sources


def only_session(path: str, agent_id: str | None = None) -> Source:
    """The session of a database that holds one. Raises as `sessions`, and `SourceUnreadable` where it holds several."""
    first, *others = sessions(path, agent_id)
    if others:
        ids = ", ".join(source.id for source in (first, *others)[:_MOST_IDS])
        more = f" and {len(others) + 1 - _MOST_IDS} more" if len(others) >= _MOST_IDS else ""
        hint = f"name one by its id: {ids}{more}; `--from {first.agent}` searches only {agent(first.agent).name}"
        raise SourceUnreadable(f"this is a database of {len(others) + 1} sessions", path=path, hint=hint)
    return first


def _readers() -> Iterable[tuple[str, frozenset[str]]]:
    for known in AGENTS:
        if known.reader is not None and "sqlite" in known.storage:
            module = import_module(known.reader)
            tables: frozenset[str] | None = getattr(module, "TABLES", None)
            for each in (tables, *getattr(module, "OTHER_TABLES", ())):
                if each:
                    yield known.id, each


def _by_name(path: str, agents: list[str]) -> str:
    """Of agents with the same tables the one in whose place the file lies, else the one it is named after."""
    plain = os.path.realpath(path).replace(os.sep, "/")
    for fits in (_lies_with, _is_named_after):
        found = [name for name in agents if fits(plain, name)]
        if len(found) == 1:
            return found[0]
    raise UndecidedAgent("several agents could have written it", path=path, hint=" or ".join(agents))


def _lies_with(plain: str, agent_id: str) -> bool:
    places = {place.default for place in agent(agent_id).locations if place.default}
    return any(f"/{place}/" in plain or plain.endswith(f"/{place}") for place in places)


def _is_named_after(plain: str, agent_id: str) -> bool:
    """By the last parts of its default places, such as `kilo` of `.local/share/kilo`, and its id."""
    name = plain.rsplit("/", 1)[-1]
    own = {place.default.rsplit("/", 1)[-1].lstrip(".") for place in agent(agent_id).locations if place.default}
    return any(name.startswith(each) for each in (agent_id, *own) if each)


def _raise(problem: SourceError) -> None:
    raise problem
