"""Times that never run backwards: the order of a session is that of its file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from panscript.schemas.events import Compaction, Event, Message, Shell, Summary, ToolResult
from panscript.schemas.report import FileReport

__all__ = ["order"]

_SAID = (Message, ToolResult, Compaction, Shell, Summary)


def order(events: Iterable[Event], report: FileReport | None = None) -> Iterator[Event]:
    """Give every event of the conversation a time later than the one before, changed as little as possible.

    A missing time is carried from the event before, else from the next one that has one. What was changed keeps the
    logged time beside it (`moved`, `logged`).
    """
    last: int | None = None
    timeless: list[Event] = []
    for event in events:
        if not isinstance(event, _SAID):
            if timeless:
                timeless.append(event)
            else:
                yield event
            continue
        time = event.time
        if last is None:
            if time is None:
                timeless.append(event)
                continue
            if timeless:
                last = time - 1 - sum(isinstance(waiting, _SAID) for waiting in timeless)
                for waiting in timeless:
                    if isinstance(waiting, _SAID):
                        last += 1
                        yield _moved(waiting, last, "time_carried", report)
                    else:
                        yield waiting
                timeless.clear()
        if time is None or (last is not None and time <= last) or (event.late and last is not None):
            after = last or 0
            code = "time_carried" if time is None else "time_outlier" if time > after else "time_moved"
            last = after + 1
            yield _moved(event, last, code, report)
        else:
            last = time
            yield event
    yield from timeless


def _moved(event: Event, time: int, code: str, report: FileReport | None) -> Event:
    if report is not None:
        report.change(code)
    return replace(event, time=time, moved=True, logged=event.time)
