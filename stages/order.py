"""Times that never run backwards: the order of a session is that of its file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from panscript.schemas.events import TASK, Compaction, Event, Message, Session, Shell, Summary, ToolResult
from panscript.schemas.report import FileReport
from panscript.stages.pairing import ORPHAN

__all__ = ["order"]

_SAID = (Message, ToolResult, Compaction, Shell, Summary)


def order(events: Iterable[Event], report: FileReport | None = None) -> Iterator[Event]:
    """Give everything that is said or done a time later than what was before it, changed as little as possible.

    A missing time is carried from the event before, else from the next one that has one. What stands beside the
    conversation (injected text, summaries) may share the time of a neighbour. What was changed keeps the logged time
    beside it (`moved`, `logged`). Where a session states no time at all, none is made up.
    """
    line = _Line(report)
    waiting: list[Event] = []
    timed = True
    for event in events:
        if isinstance(event, Session):
            timed = event.created is not None
        if not isinstance(event, _SAID) or (line.last is None and not timed and event.time is None):
            if waiting:
                waiting.append(event)
            else:
                yield event
            continue
        if line.last is None and (event.time is None or event.late):
            waiting.append(event)
            continue
        if waiting and event.time is not None:
            line.last = event.time - 1 - sum(isinstance(other, _SAID) for other in waiting)
            for other in waiting:
                yield line.place(other) if isinstance(other, _SAID) else other
            waiting.clear()
        yield line.place(event)
    yield from waiting


class _Line:
    """The times given so far."""

    def __init__(self, report: FileReport | None) -> None:
        self.last: int | None = None
        self._said = True
        """Whether `last` is the time of something said or done."""
        self._report = report

    def place(self, event: Event) -> Event:
        """The event at its time, or at the first one that is left for it."""
        beside = _beside(event)
        time, last = event.time, self.last
        after = last + 1 if last is not None and self._said and not beside else last
        earliest = after if after is not None else time or 0
        late = event.late and last is not None
        if time is not None and time >= earliest and not late:
            self._move_to(time, beside)
            return event
        self._move_to(earliest, beside)
        if self._report is not None:
            late = late and time is not None and time >= earliest
            self._report.change("time_carried" if time is None else "time_outlier" if late else "time_moved")
        return replace(event, time=earliest, moved=True, logged=time)

    def _move_to(self, time: int, beside: bool) -> None:
        self._said = not beside or (self._said and time == self.last)
        self.last = time


def _beside(event: Event) -> bool:
    if isinstance(event, Message):
        return event.role == "system" and event.injected not in (TASK, ORPHAN)
    return isinstance(event, Summary)
