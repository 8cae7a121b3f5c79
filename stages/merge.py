"""One message for one response: the records it was split over are joined, and what came between follows after it."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from panscript.schemas.events import Block, Event, Message, Meta, Opaque, Session, Shell, Tokens, Usage
from panscript.schemas.report import FileReport
from panscript.stages.weight import HELD, weight

__all__ = ["is_aside", "merge"]


def merge(events: Iterable[Event], report: FileReport | None = None) -> Iterator[Event]:
    """Join the records of each response, and the command and the output of each `!` line.

    An open response holds back what follows it until its last record, at most `HELD` bytes; beyond that it is closed
    and reported as changed code `response_closed_early`.
    """
    merger = _Merger(report)
    for event in events:
        if merger.open is None and not _begins(event):
            yield event
        else:
            yield from merger.feed(event)
    yield from merger.end()


def _begins(event: Event) -> bool:
    if type(event) is Message:
        return event.response is not None and not event.closes
    return type(event) is Shell and event.command is not None and event.output is None


def is_aside(event: Event) -> bool:
    """Whether the event need not wait, since it is no part of the conversation's order."""
    return isinstance(event, Meta | Session) or (isinstance(event, Opaque) and event.parent is None)


class _Merger:
    def __init__(self, report: FileReport | None) -> None:
        self.open: _Response | _Command | None = None
        self._report = report

    def feed(self, event: Event) -> Iterator[Event]:
        """Take the next event; gives what need not wait any longer."""
        if self.open is not None and is_aside(event):
            yield event
        else:
            yield from self._take(deque((event,)))

    def end(self) -> Iterator[Event]:
        """The stream is over."""
        while self.open is not None:
            yield from self._take(deque(), close=True)

    def _take(self, events: deque[Event], *, close: bool = False) -> Iterator[Event]:
        while events or close:
            if self.open is None:
                event = events.popleft()
                if not _begins(event):
                    yield event
                elif isinstance(event, Message):
                    self.open = _Response(event, self._report)
                elif isinstance(event, Shell):
                    self.open = _Command(event)
            elif close or self.open.take(events.popleft()):
                whole, self.open, close = self.open, None, False
                yield whole.event()
                # Another response may have begun before this one ended.
                events.extendleft(reversed(whole.held))


class _Response:
    """A response whose last record has not come yet."""

    def __init__(self, first: Message, report: FileReport | None) -> None:
        self.held: list[Event] = []
        self._first = first
        self._report = report
        self._parts = [first.id]
        self._blocks: list[Block] = list(first.content)
        self._weight = weight(first)
        self._tokens: Tokens | None = first.tokens
        self._stop, self._rank = first.stop_reason, _rank(first)
        self._model, self._provider = first.model, first.provider

    def take(self, event: Event) -> bool:
        """Take the next event of the stream; True when the response is whole."""
        self._weight += weight(event)
        if isinstance(event, Message) and event.response == self._first.response:
            self._parts.append(event.id)
            self._blocks.extend(event.content)
            self._model = event.model or self._model
            self._provider = event.provider or self._provider
            if (rank := _rank(event)) >= self._rank:
                self._tokens, self._stop, self._rank = event.tokens or self._tokens, event.stop_reason, rank
            if event.closes:
                return True
        else:
            self.held.append(event)
        if self._weight <= HELD:
            return False
        if self._report is not None:
            self._report.change("response_closed_early")
        return True

    def event(self) -> Message:
        if self._report is not None and len(self._parts) > 1:
            self._report.change("parts_merged", len(self._parts) - 1)
        return replace(
            self._first,
            content=tuple(self._blocks),
            parts=tuple(self._parts),
            tokens=self._tokens,
            stop_reason=self._stop,
            model=self._model,
            provider=self._provider,
            closes=True,
        )


def _rank(part: Message) -> tuple[bool, int]:
    """Of several counts for one response the one with a stop reason is right, then the greatest."""
    return part.stop_reason is not None, part.tokens.output if part.tokens is not None else -1


class _Command:
    """A `!` command whose output has not come yet."""

    def __init__(self, first: Shell) -> None:
        self.held: list[Event] = []
        self._first = first

    def take(self, event: Event) -> bool:
        if isinstance(event, Shell) and event.command is None:
            # What follows names the output as its parent.
            self._first = replace(
                self._first,
                id=event.id,
                parts=(self._first.id, event.id),
                output=event.output,
                exit_code=event.exit_code,
                cancelled=self._first.cancelled or event.cancelled,
                truncated=self._first.truncated or event.truncated,
            )
            return True
        self.held.append(event)
        # The text of the output is also said as injected context, directly before it.
        return not (isinstance(event, Message) and event.role == "system") and not isinstance(event, Usage)

    def event(self) -> Shell:
        return self._first
