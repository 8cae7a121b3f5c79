"""What stands at the end of a session that is still going on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from panscript.schemas.events import (
    Compaction,
    End,
    Event,
    Message,
    Shell,
    Summary,
    Thinking,
    ToolCall,
    ToolResult,
    Usage,
)
from panscript.schemas.report import FileReport
from panscript.stages.weight import HELD, weight

__all__ = ["settled"]

_SAID = (Message, ToolResult, Compaction, Shell, Summary)


def settled(events: Iterable[Event], report: FileReport | None = None) -> Iterator[Event]:
    """Only what later records of the session cannot change any more.

    A response at the end that may go on, or that asked for a tool whose result is not there, is left out with all that
    follows it (lost code `live_tail`). Later, when it is over, the session says the same up to there. A response is
    over when it says why it stopped, when its tokens were counted, or when something else was said next; while it only
    thinks it is not over.
    Takes the events as a reader gives them. Holds back one response with its results, at most `HELD` bytes.
    """
    tail = _Tail()
    for event in events:
        if isinstance(event, End):
            yield from tail.end(report)
            yield event
        elif event.agent_id is not None:
            yield event
        else:
            yield from tail.feed(event)
    yield from tail.release()


class _Tail:
    def __init__(self) -> None:
        self._held: list[Event] = []
        self._first: Message | None = None
        self._weight = 0
        self._over = self._speaks = self._waits = False

    def feed(self, event: Event) -> Iterator[Event]:
        first = self._first
        if isinstance(event, Message) and event.role == "assistant":
            if first is None or event.response is None or event.response != first.response:
                yield from self.release()
                self._first = event
            self._over = self._over or event.stop_reason is not None or event.fault is not None
            self._speaks = self._speaks or any(not isinstance(block, Thinking) for block in event.content)
            self._waits = self._waits or any(isinstance(b, ToolCall) and not b.answered for b in event.content)
        elif first is not None and self._ends(event, first):
            yield from self.release()
        if self._first is None:
            yield event
            return
        if isinstance(event, Usage) and event.response is not None and event.response == self._first.response:
            self._over = True
        self._held.append(event)
        self._weight += weight(event)
        if self._weight > HELD:
            yield from self.release()

    def _ends(self, event: Event, first: Message) -> bool:
        """Whether nobody goes on with the response after this event."""
        if isinstance(event, _SAID) and event.live != first.live:
            return True
        # What a person types while a tool runs stands before the result.
        said = isinstance(event, Compaction) or (isinstance(event, Message) and event.role == "user")
        return said and not self._waits

    def release(self) -> Iterator[Event]:
        """The response is over."""
        yield from self._held
        self._held, self._first, self._weight = [], None, 0
        self._over = self._speaks = self._waits = False

    def end(self, report: FileReport | None) -> Iterator[Event]:
        """The session is over: what is held goes on only when nothing can be added to it."""
        if self._first is not None and (self._waits or not self._over or not self._speaks):
            if report is not None:
                report.lose("live_tail", sum(isinstance(event, _SAID) for event in self._held))
            self._held.clear()
        yield from self.release()
