"""Where to look for sessions: a home folder, environment variables, and places named instead of the agents' own."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import msgspec

from panscript.schemas.agents import agent

__all__ = ["Context", "Place"]


class Place(msgspec.Struct, frozen=True):
    """A folder (or, for some agents, a file) that may hold sessions."""

    path: Path
    explicit: bool = False
    """It was named by the caller, so it is an error when it is not there."""


class Context(msgspec.Struct, frozen=True):
    """The surroundings of a search. Making one reads nothing but what `here` says."""

    home: Path
    variables: Mapping[str, str] = {}
    """Environment variables; they move agents away from the home folder."""
    roots: Mapping[str, tuple[Path, ...]] = {}
    """Agent id -> folders to look at instead of that agent's own."""

    @classmethod
    def here(cls, roots: Mapping[str, tuple[Path, ...]] | None = None) -> Context:
        """The home folder and the environment of this process as they are now."""
        return cls(Path.home(), dict(os.environ), roots or {})

    @classmethod
    def at(cls, home: Path, roots: Mapping[str, tuple[Path, ...]] | None = None) -> Context:
        """Another home folder, without any variable of this process."""
        return cls(home, {}, roots or {})

    def places(self, agent_id: str) -> tuple[Place, ...]:
        """Where sessions of this agent may lie, each once; whether a place exists is not looked at but for one thing:
        a root may also name the agent's whole folder, with the sessions in the usual place below it."""
        locations = agent(agent_id).locations
        if agent_id not in self.roots:
            usual = (path for location in locations for path in location.places(self.home, self.variables))
            return tuple(Place(path) for path in dict.fromkeys(usual))
        found: dict[Path, Place] = {}
        for root in self.roots[agent_id]:
            below = [root / location.path for location in locations if location.path]
            usual_below = [path for path in dict.fromkeys(below) if path.exists()]
            found.update((path, Place(path, explicit=True)) for path in usual_below or [root])
        return tuple(found.values())
