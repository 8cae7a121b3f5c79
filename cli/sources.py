"""Sources as the command line names them."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from msgspec.structs import replace

from panscript.readers.opening import open_source
from panscript.schemas.records import Source

__all__ = ["opened"]


@contextmanager
def opened(name: str, agent: str | None) -> Iterator[Source]:
    """The session that a SOURCE names. What cannot be read twice is kept in a private file meanwhile."""
    if name != "-":
        yield open_source(name, agent)
        return
    with tempfile.NamedTemporaryFile(prefix="panscript-", suffix=".jsonl") as spool:
        shutil.copyfileobj(sys.stdin.buffer, spool, 1 << 20)
        spool.flush()
        yield replace(open_source(spool.name, agent), shown_as="-")
