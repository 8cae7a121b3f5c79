"""Every call gets exactly one result, directly after the message that made it.

Agents leave calls without results (a hard kill), results without calls (a call that was refused before it was
logged), results on side branches and far from their calls. What no record answers is given a result that says so,
marked as error; a result that answers nothing becomes readable text.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from itertools import count
from operator import attrgetter

from msgspec.structs import replace

from panscript.schemas.events import Event, Message, Text, ToolCall, ToolResult, Usage
from panscript.schemas.packed import PackedMap
from panscript.schemas.report import FileReport
from panscript.stages.merge import is_aside
from panscript.stages.weight import HELD, weight

__all__ = ["NOT_RECORDED", "ORPHAN", "pair"]

NOT_RECORDED = "No result was recorded for this call."
ORPHAN = "orphan_result"
"""What a message is injected by that holds the text of a result without a call."""


def pair(events: Iterable[Event], report: FileReport | None = None) -> Iterator[Event]:
    """Put results after their calls, supply missing ones and turn stray ones into text.

    Takes merged events. Holds back at most `HELD` bytes while it waits for a result that is known to come.
    """
    pairing = _Pairing(report)
    for event in events:
        kind = type(event)
        if not pairing.open and kind is not ToolResult and (kind is not Message or not pairing.calls(event)):
            yield event
        else:
            yield from pairing.feed(event)
    yield from pairing.end()


class _Held:
    """An event that waits for its turn."""

    __slots__ = ("event", "gone", "number", "weight")

    def __init__(self, event: Event, number: int, weight: int) -> None:
        self.event = event
        self.number = number
        self.weight = weight
        self.gone = False
        """It was called forward."""


class _Pairing:
    def __init__(self, report: FileReport | None) -> None:
        self.open: dict[str, list[tuple[ToolCall, Message]]] = {}
        """Calls of the last message that have no result yet, by the agent's own id."""
        self._seen = PackedMap()
        self._due = 0
        """How many of them are known to get a result."""
        self._held: deque[_Held] = deque()
        self._early: dict[str, deque[ToolResult]] = {}
        """Results that wait for their calls, which stand behind them."""
        self._results: dict[str, deque[_Held]] = {}
        """The results among what is held, by the id they answer."""
        self._numbers = count()
        self._weight = 0
        self._report = report

    @staticmethod
    def calls(event: Event) -> bool:
        """Whether the message asks for a tool."""
        return (
            isinstance(event, Message)
            and event.role == "assistant"
            and any(type(block) is ToolCall for block in event.content)
        )

    def feed(self, event: Event) -> Iterator[Event]:
        """Take the next event; gives what need not wait any longer."""
        if isinstance(event, ToolResult) and event.early and event.call_id not in self.open:
            self._early.setdefault(event.call_id, deque()).append(event)
        elif is_aside(event) or (isinstance(event, Usage) and not self._held):
            yield event
        else:
            yield from self._take(event)

    def end(self) -> Iterator[Event]:
        """The stream is over."""
        while self.open or self._held:
            yield from self._supply()
            yield from self._go_on()
        for waiting in self._early.values():
            yield from map(self._stray, waiting)
        self._early.clear()

    def _take(self, event: Event) -> Iterator[Event]:
        """The next event, which comes after everything that is held."""
        while True:
            if isinstance(event, ToolResult) and event.call_id in self.open:
                yield self._answer(event)
                yield from self._go_on()
                return
            if self._due and self._weight <= HELD:
                self._hold(event)
                return
            yield from self._supply()
            if not self._held:
                yield from self._pass(event)
                return
            yield from self._go_on()

    def _pass(self, event: Event) -> Iterator[Event]:
        """Nothing is waited for."""
        if isinstance(event, ToolResult):
            yield self._stray(event)
            return
        yield self._message(event)
        for call_id in [name for name in self._early if name in self.open]:
            waiting = self._early.pop(call_id)
            while waiting and call_id in self.open:
                self._change("results_moved")
                yield self._answer(waiting.popleft())
            yield from map(self._stray, waiting)

    def _hold(self, event: Event) -> None:
        held = _Held(event, next(self._numbers), weight(event))
        self._held.append(held)
        self._weight += held.weight
        if isinstance(event, ToolResult):
            self._results.setdefault(event.call_id, deque()).append(held)

    def _go_on(self) -> Iterator[Event]:
        """Give what is held as far as it goes: up to the next message with a result that is yet to come."""
        while self._held and not self._due:
            held = self._held.popleft()
            if held.gone:
                continue
            yield from self._supply()
            self._weight -= held.weight
            if isinstance(held.event, ToolResult):
                self._results[held.event.call_id].popleft()
            yield from self._pass(held.event)
            yield from self._called_forward()

    def _called_forward(self) -> Iterator[Event]:
        """Held results of the message that was just given: they stand further on, behind what was said meanwhile."""
        found: list[_Held] = []
        for call_id, calls in self.open.items():
            if waiting := self._results.get(call_id):
                found.extend(waiting.popleft() for _ in range(min(len(calls), len(waiting))))
        for held in sorted(found, key=attrgetter("number")):
            held.gone = True
            self._weight -= held.weight
            if isinstance(held.event, ToolResult):
                yield self._answer(held.event)

    def _message(self, event: Event) -> Event:
        if not self.calls(event) or not isinstance(event, Message):
            return event
        blocks = list(event.content)
        for place, block in enumerate(blocks):
            if not isinstance(block, ToolCall):
                continue
            logged = block.id
            unique = self._unique(logged or f"{event.id}/{place}")
            if unique != logged:
                blocks[place] = block = replace(block, id=unique)
                self._change("call_id_cleaned")
            self.open.setdefault(logged, []).append((block, event))
            self._due += block.answered
        return replace(event, content=tuple(blocks))

    def _unique(self, name: str) -> str:
        """The id itself the first time; later calls of the same id take a number, and so do their results."""
        times = (self._seen.get(name) or 0) + 1
        self._seen.put(name, times)
        unique = name
        while times > 1:
            unique = f"{name}~{times}"
            if self._seen.get(unique) is None:
                self._seen.put(unique, 1)
                break
            times += 1
        return unique

    def _answer(self, event: ToolResult) -> ToolResult:
        calls = self.open[event.call_id]
        call, _ = calls.pop(0)
        self._due -= call.answered
        if not calls:
            del self.open[event.call_id]
        if self._held:
            self._change("results_moved")
        if call.id != event.call_id or event.name != call.name:
            return replace(event, call_id=call.id, name=call.name)
        return event

    def _supply(self) -> Iterator[Event]:
        for call, message in [pair for calls in self.open.values() for pair in calls]:
            self._change("result_supplied")
            yield ToolResult(
                id=f"{message.id}/{call.id}",
                parent=message.id,
                time=message.time,
                live=message.live,
                inherited_from=message.inherited_from,
                agent_id=message.agent_id,
                call_id=call.id,
                name=call.name,
                content=(Text(text=NOT_RECORDED),),
                status="error",
                invented=True,
            )
        self.open.clear()
        self._due = 0

    def _stray(self, event: ToolResult) -> Message:
        self._change("result_as_text")
        known = self._seen.get(event.call_id) is not None
        what = "A further result" if known else "A result"
        label = f"{what} of call {event.call_id or '(no id)'}{' (' + event.name + ')' if event.name else ''}:"
        return Message(
            id=event.id,
            parent=event.parent,
            time=event.time,
            live=event.live,
            inherited_from=event.inherited_from,
            agent_id=event.agent_id,
            late=event.late,
            role="system",
            content=(Text(text=label), *event.content),
            injected=ORPHAN,
        )

    def _change(self, code: str) -> None:
        if self._report is not None:
            self._report.change(code)
