"""What can be put into an agent so that sessions are imported from inside of it: what the module `extension` of a
target offers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol, cast

from panscript.schemas.agents import AGENTS, agent
from panscript.schemas.errors import UnknownAgent
from panscript.writers.stores import Surroundings

__all__ = ["AgentExtension", "extensible", "extension"]


class AgentExtension(Protocol):
    """What the module `extension` of a target offers. It is one file, and nothing here reads or writes the agent's."""

    ADVICE: str
    """What a person should know when it was installed."""

    def path(self, surroundings: Surroundings) -> Path:
        """Where the file belongs; it may not be there."""

    def content(self, version: str, program: Sequence[str], names: Mapping[str, str]) -> bytes:
        """The file for this version of panscript, called by `program`. `names`: agent id -> name of what it reads."""

    def called(self, content: bytes) -> list[str]:
        """How a file of ours calls panscript; empty where that cannot be seen."""

    def version(self, content: bytes) -> str | None:
        """The version of panscript that wrote the file; None when it is somebody else's."""


def extensible() -> tuple[str, ...]:
    """The agents that take an extension."""
    return tuple(known.id for known in AGENTS if known.writer is not None and _has_extension(known.writer))


def extension(agent_id: str) -> AgentExtension:
    """The extension for an agent. Raises `UnknownAgent`."""
    writer = agent(agent_id).writer
    if writer is None or not _has_extension(writer):
        raise UnknownAgent(f"there is no extension for {agent(agent_id).name}", hint=", ".join(extensible()))
    return cast(AgentExtension, import_module(f"{writer}.extension"))


def _has_extension(writer: str) -> bool:
    try:
        return find_spec(f"{writer}.extension") is not None
    except ModuleNotFoundError:
        # The writer is one module.
        return False
