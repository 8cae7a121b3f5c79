"""What a shell is told about the values of arguments and options while a person types.

The commands know nothing of it: where click completes a line, the parameters that are named here get a type that
knows their values. A parameter of one name means the same in every command.
"""

from __future__ import annotations

import copy
import re
import time
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from panscript.readers.discovery import discover, full_id
from panscript.schemas.agents import AGENTS, agent_ids
from panscript.schemas.errors import PanscriptError
from panscript.schemas.projections import KINDS

if TYPE_CHECKING:
    _Type = click.ParamType[Any]
else:
    # Older versions of click know no type arguments.
    _Type = click.ParamType

__all__ = ["Found", "completed", "session_ids"]

_ID = re.compile(r"[A-Za-z0-9][\w.:+@-]*")
_LONGEST = 0.15
"""Seconds that the search for sessions may take; an answer to a key that comes later is a nuisance."""

Found = Callable[[click.Context, str], Iterable[CompletionItem]]
"""What can stand at a place, given what was typed of it."""


class _Values(_Type):
    """Anything, with these values to offer."""

    name = "text"

    def __init__(self, found: Found, *, listed: bool = False) -> None:
        """`listed`: the value is a list, separated by commas."""
        self._found, self._listed = found, listed

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG002 - click's signature
        before, comma, typed = incomplete.rpartition(",") if self._listed else ("", "", incomplete)
        taken = before.split(",")
        items = [item for item in self._found(ctx, typed) if item.type != "plain" or item.value.startswith(typed)]
        for item in items:
            item.value = before + comma + item.value
        return [item for item in items if not self._listed or item.value[len(before + comma) :] not in taken]


def completed(command: click.Command) -> click.Command:
    """The command with parameters that know their values."""
    command = copy.copy(command)
    command.params = [_with_values(parameter) for parameter in command.params]
    return command


def _with_values(parameter: click.Parameter) -> click.Parameter:
    found = _TYPES.get(parameter.name or "")
    if found is None or isinstance(parameter.type, click.Choice):
        return parameter
    parameter = copy.copy(parameter)
    parameter.type = found
    return parameter


def _agents(_ctx: click.Context, _typed: str) -> Iterator[CompletionItem]:
    for known in AGENTS:
        if known.reader is not None:
            yield CompletionItem(known.id, help=known.name)


def _targets(_ctx: click.Context, _typed: str) -> Iterator[CompletionItem]:
    for known in AGENTS:
        if known.writer is not None or known.reader is not None:
            yield CompletionItem(known.id, help=known.name)


def _kinds(_ctx: click.Context, _typed: str) -> Iterator[CompletionItem]:
    yield from map(CompletionItem, KINDS)


def _roots(_ctx: click.Context, typed: str) -> Iterator[CompletionItem]:
    if "=" in typed:
        yield CompletionItem("", type="dir")
    else:
        yield from (CompletionItem(f"{name}=") for name in agent_ids())


def _files(_ctx: click.Context, typed: str) -> Iterator[CompletionItem]:
    yield CompletionItem(typed, type="file")


def _folders(_ctx: click.Context, typed: str) -> Iterator[CompletionItem]:
    yield CompletionItem(typed, type="dir")


def _sources(ctx: click.Context, typed: str) -> Iterator[CompletionItem]:
    """Files and, once something is typed that may begin an id, sessions."""
    yield CompletionItem(typed, type="file")
    if _ID.fullmatch(typed):
        yield from session_ids(ctx, typed)


def session_ids(
    ctx: click.Context, typed: str, *, longest: float = _LONGEST, clock: Callable[[], float] = time.monotonic
) -> list[CompletionItem]:
    """The ids of sessions that begin like this, of the agents that `--from` names and below `--home`.

    None at all when the search takes longer than `longest` seconds by `clock`.
    """
    from panscript.cli.sources import context_of

    end = clock() + longest
    agents = _asked(ctx)
    items: list[CompletionItem] = []
    try:
        context = context_of(ctx.params.get("home"), {})
        for source in discover(context, agents, lambda _: None):
            if clock() > end:
                return []
            if (name := full_id(source)).startswith(typed):
                items.append(CompletionItem(name, help=source.agent))
    except (PanscriptError, OSError):
        # There is no place for a message between two keys.
        return []
    return items


def _asked(ctx: click.Context) -> list[str] | None:
    named = ctx.params.get("from_agent") or ctx.params.get("agents")
    names = [named] if isinstance(named, str) else list(named or ())
    return [name for value in names for name in value.split(",") if name in agent_ids()] or None


_TYPES: dict[str, _Type] = {
    "agents": _Values(_agents, listed=True),
    "config": _Values(_files),
    "cwd": _Values(_folders),
    "home": _Values(_folders),
    "kinds": _Values(_kinds, listed=True),
    "output": _Values(_files),
    "paths": _Values(_files),
    "report_file": _Values(_files),
    "roots": _Values(_roots),
    "source": _Values(_sources),
    "source_a": _Values(_sources),
    "source_b": _Values(_sources),
    "sources": _Values(_sources),
    "target": _Values(_targets),
}
