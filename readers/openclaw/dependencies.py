"""The other files that the events of an OpenClaw session depend on."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from panscript.readers.databases import is_database
from panscript.readers.openclaw.index import INDEX
from panscript.readers.pi.dependencies import dependencies as of_pi
from panscript.schemas.records import Source

__all__ = ["dependencies"]


def dependencies(source: Source) -> Iterator[str]:
    """The index beside a file, and the session that it was forked from; a database holds all of its own."""
    path = source.transcripts[-1].path
    if is_database(path):
        return
    index = str(Path(path).parent / INDEX)
    if os.path.isfile(index):  # noqa: PTH113 - answers for every name
        yield index
    yield from of_pi(source)
