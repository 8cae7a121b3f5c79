"""Every session on a machine: agents in the order of the table, the sessions of each by the real path of their file.

Only the heads of files are read. A sub-agent comes as a child of its session, never by itself unless its session is
gone; the segments of one session come as its files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from types import ModuleType
from typing import Protocol, cast

from panscript.readers.context import Context, Place
from panscript.readers.finding import Problems
from panscript.schemas.agents import AGENTS, agent
from panscript.schemas.errors import SourceError, UnknownAgent
from panscript.schemas.records import Source

__all__ = ["discover", "family", "find_session", "forked_from", "full_id", "part_of_reader"]


class Discovery(Protocol):
    """What every reader offers, in its module `discovery` where it is a package."""

    def discover(self, agent_id: str, places: Sequence[Place], report: Problems) -> Iterator[Source]:
        """The sessions in these places, by real path of their first own file."""


def discover(
    context: Context, agents: Iterable[str] | None = None, report_problem: Problems | None = None
) -> Iterator[Source]:
    """The sessions of these agents, of all that can be read by default.

    What cannot be looked at is told to `report_problem` and passed by; without it, it is raised (`SourceError`). A
    default place that does not exist is no problem, a root that does not exist is one.
    Raises `UnknownAgent` before anything is read, also for a root of an agent that is not searched.
    """
    asked = None if agents is None else set(agents)
    for name in (*(asked or ()), *context.roots):
        if agent(name).reader is None:
            raise UnknownAgent(f"sessions of {agent(name).name} cannot be read yet")
    for name, roots in context.roots.items():
        if asked is not None and name not in asked:
            raise UnknownAgent(f"a root of {name} was named, but {name} is not searched")
        if not roots:
            raise UnknownAgent(f"the list of roots of {name} is empty")
    chosen = [known.id for known in AGENTS if known.reader is not None and (asked is None or known.id in asked)]
    return _discover(context, chosen, report_problem or _raise)


def _discover(context: Context, agents: list[str], report: Problems) -> Iterator[Source]:
    for agent_id in agents:
        found = cast(Discovery, part_of_reader(agent_id, "discovery"))
        yield from found.discover(agent_id, context.places(agent_id), report)


def part_of_reader(agent_id: str, name: str) -> ModuleType:
    """The module of this name in an agent's reader; the reader itself where it is one module for everything."""
    reader = agent(agent_id).reader or ""
    try:
        return import_module(f"{reader}.{name}")
    except ModuleNotFoundError as missing:
        if missing.name != f"{reader}.{name}":
            raise
        return import_module(reader)


def _raise(problem: SourceError) -> None:
    raise problem


def family(source: Source) -> Iterator[Source]:
    """The session and, below it, its sub-agents."""
    yield source
    for child in source.children:
        yield from family(child)


def forked_from(source: Source) -> str | None:
    """Of a sub-agent that was forked from another one of its session: the agent id of that one."""
    if source.agent_id is None:
        return None
    known = getattr(part_of_reader(source.agent, "discovery"), "forked_from", None)
    return cast(str | None, known(source)) if known is not None else None


def full_id(source: Source) -> str:
    """The id that tells a session from all others: for a sub-agent without an id of its own, `<parent>/<agent id>`."""
    return f"{source.parent or 'unknown'}/{source.agent_id}" if source.agent_id is not None else source.id


def find_session(sources: Iterable[Source], name: str) -> list[Source]:
    """The sessions, sub-agents included, that an id or the beginning of one means.

    A whole id means that session only; the beginning of an id means no sub-agent unless it goes beyond the parent's.
    """
    started: list[Source] = []
    exact: list[Source] = []
    for source in sources:
        for member in family(source):
            names = {full_id(member), member.agent_id or member.id}
            if name in names:
                exact.append(member)
            elif any(each.startswith(name) for each in names) and not (
                member.agent_id is not None and (member.parent or "").startswith(name)
            ):
                started.append(member)
    return exact or started
