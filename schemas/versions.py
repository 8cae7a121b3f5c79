"""Versions of what reading gives, so that a program can tell which of its stored results are out of date."""

from __future__ import annotations

from panscript.schemas.agents import agent

__all__ = ["CORE_EVENT_VERSION", "parser_version", "storage_format"]

CORE_EVENT_VERSION = 1
"""Raised whenever the same file gives other projections whatever agent wrote it."""


def parser_version(agent_id: str) -> str:
    """`<core version>.<the agent's own>`: another one means that a file has to be read again. Raises `UnknownAgent`."""
    return f"{CORE_EVENT_VERSION}.{agent(agent_id).parser_version}"


def storage_format(agent_id: str) -> str:
    """How an agent stores its sessions now: jsonl, json, sqlite and so on. Raises `UnknownAgent`."""
    return agent(agent_id).storage[0]
