"""Which files, beside its own, the events of a session depend on."""

from __future__ import annotations

import os

from panscript.readers.discovery import part_of_reader
from panscript.schemas.records import Source

__all__ = ["parse_dependencies"]


def parse_dependencies(source: Source) -> tuple[str, ...]:
    """The other files that a session's events depend on, without its sub-agents' own: when one of them changes, stored
    events of this session are out of date.

    They are its earlier segments, what it builds on, files beside it, and what its reader knows of (its module
    `dependencies`, where it has one).
    """
    known = getattr(part_of_reader(source.agent, "dependencies"), "dependencies", None)
    paths = [file.path for file in source.files]
    if known is not None:
        paths.extend(known(source))
    own = os.path.realpath(source.transcripts[-1].path)
    return tuple(path for path in dict.fromkeys(paths) if os.path.realpath(path) != own)
