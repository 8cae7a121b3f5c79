"""The picker put together for the sessions of one machine."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from panscript.cli.picker.glimpse import glimpse
from panscript.cli.picker.loading import Loader
from panscript.readers.context import Context
from panscript.readers.discovery import discover
from panscript.readers.opening import open_source
from panscript.schemas.agents import agent
from panscript.schemas.errors import SourceError
from panscript.schemas.records import Source

__all__ = ["pick"]


def pick(context: Context, agents: Iterable[str], folder: str, *, into: str, query: str = "") -> Source:
    """The session of one of these agents that a person at the terminal chooses, to go on with it in `into`.

    `folder` is the project's, absolute; `query` is the filter to start with. Raises `UnknownAgent`, and
    `KeyboardInterrupt` when the person leaves without a choice.
    """
    searched = list(agents)
    # Who is at the terminal sees how many could not be read.
    problems: list[SourceError] = []
    sources = discover(context, searched, problems.append)
    loader = Loader(sources, folder, problems, first=partial(glimpse, context, searched))
    loader.start()
    # This takes long to import; meanwhile the loader looks around.
    from panscript.cli.picker.screen import Screen

    row = Screen(loader, into=agent(into).name, home=str(context.home), query=query).run()
    return open_source(row.source.path, row.source.agent) if row.tentative else row.source
