"""Sessions found as on a person's machine: in `fixtures/usage-home`, and in `fixtures/<agent>/home` where that is."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from panscript.readers.context import Context
from panscript.readers.discovery import discover, family, full_id
from panscript.schemas.agents import AGENTS
from panscript.schemas.errors import SourceError
from panscript.schemas.records import Source
from tests.sessions import FIXTURES

__all__ = ["FOUND", "READ", "homes", "name_of", "sources"]

READ = tuple(known.id for known in AGENTS if known.reader is not None)
"""The agents that are read."""


def homes(agent: str) -> list[Path]:
    """Home folders with sessions of this agent."""
    own = FIXTURES / agent / "home"
    return [FIXTURES / "usage-home", *([own] if own.is_dir() else [])]


@cache
def sources(agent: str) -> tuple[Source, ...]:
    """Every session of the agent, sub-agents included."""

    def passed_by(_problem: SourceError) -> None:
        """Empty and damaged files stand there on purpose."""

    found = (source for home in homes(agent) for source in discover(Context.at(home), [agent], passed_by))
    return tuple(member for source in found for member in family(source))


FOUND = [source for agent in READ for source in sources(agent)]


def name_of(source: Source) -> str:
    """Agent, home and id."""
    home = Path(source.path).relative_to(FIXTURES).parts[0]
    return f"{source.agent}-{'usage' if home == 'usage-home' else 'home'}-{full_id(source).replace('/', '-')}"[:120]
