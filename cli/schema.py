"""`panscript schema`: what the records of an agent look like, as a JSON Schema."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

import click

from panscript.schemas.agents import agent, agent_ids
from panscript.schemas.errors import UnknownAgent

__all__ = ["command"]


@click.command("schema")
@click.argument("agent_id", type=click.Choice(agent_ids()), metavar="AGENT")
def command(agent_id: str) -> None:
    """Print the JSON Schema (2020-12) of the records that an agent writes.

    It is as open as the readers are: fields and types that are not known are valid.

    \b
    panscript schema codex
    panscript schema claude | jq '."$defs" | keys'
    panscript schema pi > pi.schema.json
    """
    import msgspec

    schema = msgspec.json.encode(_schema_of(agent_id)())
    sys.stdout.buffer.write(msgspec.json.format(schema, indent=2) + b"\n")


def _schema_of(agent_id: str) -> Callable[[], dict[str, Any]]:
    # An agent that shares another's modules may have records of its own.
    for name in dict.fromkeys((agent_id, agent(agent_id).family)):
        module = f"panscript.schemas.{name}"
        try:
            found: Callable[[], dict[str, Any]] = import_module(module).json_schema
        except ModuleNotFoundError as missing:
            if missing.name != module:
                raise
        except AttributeError:
            pass
        else:
            return found
    raise UnknownAgent(f"records of {agent(agent_id).name} have no schema yet")
