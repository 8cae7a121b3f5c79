"""Every call gets exactly one result, directly after the message that made it.

Agents leave calls without results (a hard kill), results without calls (a call that was refused before it was
logged), results on side branches and far from their calls. What no record answers is given a result that says so,
marked as error; a result that answers nothing becomes readable text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from panscript.schemas.events import Event, Message, Meta, Opaque, Session, Text, ToolCall, ToolResult, Usage
from panscript.schemas.packed import PackedMap
from panscript.schemas.report import FileReport
from panscript.stages.weight import HELD, weight

__all__ = ["NOT_RECORDED", "ORPHAN", "pair"]

NOT_RECORDED = "No result was recorded for this call."
ORPHAN = "orphan_result"
"""What a message is injected by that holds the text of a result without a call."""
_ASIDE = (Meta, Opaque, Session, Usage)


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


class _Pairing:
    def __init__(self, report: FileReport | None) -> None:
        self.open: dict[str, tuple[ToolCall, Message]] = {}
        """Calls of the last message that have no result yet, by the agent's own id."""
        self._seen = PackedMap()
        self._held: list[Event] = []
        self._weight = 0
        self._report = report

    @staticmethod
    def calls(event: Event) -> bool:
        """Whether the message asks for a tool."""
        return isinstance(event, Message) and any(type(block) is ToolCall for block in event.content)

    def feed(self, event: Event) -> Iterator[Event]:
        if isinstance(event, _ASIDE):
            yield event
        elif isinstance(event, ToolResult):
            yield from self._result(event)
        elif not self.open:
            yield self._message(event)
        elif not self._held and not any(call.answered for call, _ in self.open.values()):
            yield from self._supply()
            yield self._message(event)
        else:
            yield from self._hold(event)

    def end(self) -> Iterator[Event]:
        while self.open or self._held:
            yield from self._supply()
            yield from self._release()

    def _message(self, event: Event) -> Event:
        if not isinstance(event, Message):
            return event
        blocks = list(event.content)
        changed = False
        for place, block in enumerate(blocks):
            if not isinstance(block, ToolCall):
                continue
            name = block.id or f"{event.id}/{place}"
            times = (self._seen.get(name) or 0) + 1
            self._seen.put(name, times)
            self.open[name] = (block, event)
            if times > 1 or not block.id:
                # Two calls of one id: the later one takes a number, and so does its result.
                blocks[place] = block = replace(block, id=f"{name}~{times}" if times > 1 else name)
                self.open[name] = (block, event)
                self._change("call_id_cleaned")
                changed = True
        return replace(event, content=tuple(blocks)) if changed else event

    def _result(self, event: ToolResult) -> Iterator[Event]:
        found = self.open.pop(event.call_id, None)
        if found is None:
            if self._held:
                # Its call may be in a message that still waits for its turn.
                yield from self._hold(event)
            else:
                yield self._stray(event)
            return
        call, _ = found
        if self._held:
            self._change("results_moved")
        if call.id != event.call_id or event.name != call.name:
            event = replace(event, call_id=call.id, name=call.name)
        yield event
        if self._held and not any(call.answered for call, _ in self.open.values()):
            yield from self._supply()
            yield from self._release()

    def _hold(self, event: Event) -> Iterator[Event]:
        self._held.append(event)
        self._weight += weight(event)
        if self._weight > HELD:
            yield from self._supply()
            yield from self._release()

    def _release(self) -> Iterator[Event]:
        held, self._held, self._weight = self._held, [], 0
        for event in held:
            yield from self.feed(event)

    def _supply(self) -> Iterator[Event]:
        for call, message in self.open.values():
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
