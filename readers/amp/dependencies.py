"""The other files that the events of an Amp thread depend on."""

from __future__ import annotations

from collections.abc import Iterator

from panscript.readers.amp.survey import survey
from panscript.schemas.errors import PanscriptError
from panscript.schemas.records import Source

__all__ = ["dependencies"]


def dependencies(source: Source) -> Iterator[str]:
    """Threads of sub-agents: what they count is left out of this thread's ledger."""
    try:
        yield from survey(source).counted_there.values()
    except PanscriptError:
        return
