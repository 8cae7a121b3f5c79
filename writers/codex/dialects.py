"""How lines are put into a rollout: in the dialect of a thread of ours, or in that of the thread that goes on."""

from __future__ import annotations

from typing import Any, BinaryIO

import msgspec

from panscript.writers.codex.lines import (
    AgentMessage,
    AgentReasoning,
    ContextCompacted,
    McpToolCallEnd,
    UserMessage,
    encoded,
    line,
)
from panscript.writers.options import Continuation

__all__ = ["BARE", "LEGACY", "PAGINATED", "Bare", "Legacy", "Paginated", "dialect"]

LEGACY, PAGINATED, BARE = "legacy", "paginated", "bare"
"""Names of the dialects; bare lines, of 2025, have no envelope and no events."""


class Legacy:
    """Items for the model, and events for the screen."""

    def __init__(self, sink: BinaryIO, lines: int) -> None:
        """`lines`: that stand in the file already."""
        self._sink = sink
        self.lines = lines

    def write(self, kind: str, stamp: str, payload: bytes) -> int:
        """Write a line; gives its number."""
        return self._put(line(stamp, kind, payload))

    def show(self, stamp: str, event: msgspec.Struct) -> int:
        """Write something for the screen; gives its number."""
        return self.write("event_msg", stamp, encoded(event))

    def end(self, stamp: str) -> None:
        """Nothing follows."""

    def _put(self, raw: bytes) -> int:
        self._sink.write(raw)
        self.lines += 1
        return self.lines


class Paginated(Legacy):
    """Lines have numbers, and the screen shows items that are complete, each in a turn that was started."""

    def __init__(self, sink: BinaryIO, lines: int, ordinal: int, thread: str) -> None:
        super().__init__(sink, lines)
        self._ordinal = ordinal
        self._thread = thread
        self._turn: str | None = None

    def write(self, kind: str, stamp: str, payload: bytes) -> int:
        """Write a line; gives its number."""
        raw = b'{"timestamp":"%b","ordinal":%d,"type":"%b","payload":%b}\n'
        number = self._put(raw % (stamp.encode(), self._ordinal, kind.encode(), payload))
        self._ordinal += 1
        return number

    def show(self, stamp: str, event: msgspec.Struct) -> int:
        """Write something for the screen, if it can be shown; gives the number of the last line."""
        item = _item(event, f"item_{self._ordinal}")
        if item is not None:
            if self._turn is None or isinstance(event, UserMessage):
                self.end(stamp)
                self._turn = f"turn_{self._ordinal}"
                self._event(stamp, {"type": "task_started", "turn_id": self._turn})
            done = {"type": "item_completed", "thread_id": self._thread, "turn_id": self._turn, "item": item}
            self._event(stamp, done)
        return self.lines

    def end(self, stamp: str) -> None:
        """The turn is over."""
        if self._turn is not None:
            self._event(stamp, {"type": "task_complete", "turn_id": self._turn})
            self._turn = None

    def _event(self, stamp: str, event: dict[str, Any]) -> None:
        self.write("event_msg", stamp, encoded(event))


def _item(event: msgspec.Struct, name: str) -> dict[str, Any] | None:
    """What an event of the other dialect says, as an item; None where there is none for it."""
    if isinstance(event, UserMessage):
        pictures = [{"type": "image", "image_url": url} for url in event.images or ()]
        texts = [{"type": "text", "text": event.message}] if event.message else []
        return {"type": "UserMessage", "id": name, "content": [*texts, *pictures]}
    if isinstance(event, AgentMessage):
        return {"type": "AgentMessage", "id": name, "content": [{"type": "Text", "text": event.message}]}
    if isinstance(event, AgentReasoning):
        return {"type": "Reasoning", "id": name, "summary_text": [event.text], "raw_content": []}
    if isinstance(event, ContextCompacted):
        return {"type": "ContextCompaction", "id": name}
    if isinstance(event, McpToolCallEnd):
        given = event.result.ok
        return {
            "type": "DynamicToolCall",
            "id": event.call_id,
            "tool": event.invocation.tool,
            "arguments": event.invocation.arguments,
            "status": "failed" if given.is_error else "completed",
            "content_items": [{"type": "inputText", "text": part.text} for part in given.content],
            "success": not given.is_error,
        }
    return None


class Bare(Legacy):
    """Items alone, without an envelope."""

    def write(self, kind: str, stamp: str, payload: bytes) -> int:  # noqa: ARG002 - items have no time
        """Write an item; gives its number, for all else that of the line before."""
        return self._put(payload + b"\n") if kind == "response_item" else self.lines

    def show(self, stamp: str, event: msgspec.Struct) -> int:  # noqa: ARG002 - there are no events
        """There is no screen."""
        return self.lines


def dialect(sink: BinaryIO, thread: str, goes_on: Continuation | None) -> Legacy:
    """The dialect to write in."""
    if goes_on is None:
        return Legacy(sink, 0)
    if goes_on.dialect == BARE:
        return Bare(sink, goes_on.lines)
    if goes_on.dialect == PAGINATED:
        return Paginated(sink, goes_on.lines, goes_on.ordinal or 0, thread)
    return Legacy(sink, goes_on.lines)
