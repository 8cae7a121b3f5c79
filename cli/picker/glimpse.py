"""The files that were written to last, found by their times alone: something to look at while the search goes on.

What a file is only the search knows: whether it is a session of its own, and which other files belong to it. So these
are sources to read the facts of, not to import.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from heapq import nlargest
from pathlib import Path

from panscript.readers.context import Context
from panscript.readers.finding import readable
from panscript.schemas.agents import agent
from panscript.schemas.records import SessionFile, Source

__all__ = ["glimpse"]

_SUFFIXES = (".jsonl", ".jsonl.zst")
_MOST = 20_000
"""Names that are looked at for one agent: nobody waits for a glimpse."""
_FEW = 30


def glimpse(context: Context, agents: Iterable[str], likely: Callable[[str], bool]) -> list[Source]:
    """The newest files of these agents, and the newest of those whose path is `likely`; the newest first."""
    times: dict[str, tuple[int, str]] = {}
    for agent_id in agents:
        if "jsonl" not in agent(agent_id).storage:
            continue
        for place in context.places(agent_id):
            times.update((path, (time, agent_id)) for time, path in _files(str(place.path)))
    newest = {*nlargest(_FEW, times, key=times.__getitem__), *nlargest(_FEW, filter(likely, times), times.__getitem__)}
    return [
        Source(agent=times[path][1], id=readable(Path(path).name.split(".")[0]), files=(SessionFile(path),))
        for path in sorted(newest, key=times.__getitem__, reverse=True)
    ]


def _files(top: str) -> Iterator[tuple[int, str]]:
    """When each file below was written to last, and its path. What is in the way is for the search to tell."""
    folders, left = [top], _MOST
    while folders:
        try:
            with os.scandir(folders.pop()) as entries:
                for entry in entries:
                    left -= 1
                    if left < 0:
                        return
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(entry.path)
                    elif entry.name.endswith(_SUFFIXES) and entry.is_file(follow_symlinks=False):
                        yield entry.stat(follow_symlinks=False).st_mtime_ns, entry.path
        except OSError:
            continue
