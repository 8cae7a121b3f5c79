"""What every writer of another agent needs done to a session first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from panscript.schemas.events import Event
from panscript.schemas.report import FileReport
from panscript.stages.branch import active_branch, main_thread
from panscript.stages.merge import merge
from panscript.stages.order import order
from panscript.stages.pairing import pair
from panscript.stages.redact import redact
from panscript.stages.redaction import Redactor

__all__ = ["prepare"]


def prepare(
    events: Iterable[Event],
    *,
    redactor: Redactor | None = None,
    all_branches: bool = False,
    report: FileReport | None = None,
) -> Iterator[Event]:
    """The session as one conversation: merged, paired, in order; without secrets when a redactor is given."""
    stream: Iterator[Event] = main_thread(events, report)
    if not all_branches:
        stream = active_branch(stream, report)
    stream = pair(merge(stream, report), report)
    if redactor is not None:
        stream = redact(stream, redactor, report)
    return order(stream, report)
