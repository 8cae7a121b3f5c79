"""What a session says, as plain data: two streams that say the same give the same list.

The form holds the live branch of the main conversation, merged and paired. In it stand

* the title,
* what was said: role, text, thinking with its signature, pictures, documents, calls with their arguments as parsed
  JSON, and for answers the model and the tokens, also when the agent logs the counts apart,
* results with their status, the person's own commands, compactions, summaries, and text that was injected, with its
  kind,
* the times as the records state them.

Calls are numbered by their first use, and a compaction names the first thing it keeps by its place in the list. Left
out are ids, origins, the inherited mark, providers, stop reasons, opaque records, facts of the session beside its
title, texts that another event says too (the summary of a compaction, the lines of a command), blank texts, and
messages that hold nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec.structs import replace

from panscript.schemas.events import (
    COMPACTION_SUMMARY,
    SHELL,
    Block,
    Compaction,
    Event,
    EventBase,
    File,
    Image,
    Message,
    Session,
    Shell,
    Status,
    Summary,
    Text,
    Thinking,
    Tokens,
    ToolCall,
    ToolResult,
    Usage,
)
from panscript.stages.branch import active_branch, main_thread
from panscript.stages.merge import merge
from panscript.stages.pairing import pair

__all__ = [
    "Called",
    "CommandRun",
    "Compacted",
    "Injected",
    "Item",
    "Picture",
    "Result",
    "Said",
    "Summarised",
    "Thought",
    "Title",
    "Written",
    "normal_form",
]

_SAID_ELSEWHERE = frozenset({COMPACTION_SUMMARY, SHELL})


class _Plain(msgspec.Struct, frozen=True):
    """Compared field by field."""


class Written(_Plain, frozen=True):
    """Text of a message or a result."""

    text: str


class Thought(_Plain, frozen=True):
    """Reasoning."""

    text: str
    signature: str | None = None


class Picture(_Plain, frozen=True):
    """An image or a document."""

    media_type: str
    data: str | None = None
    url: str | None = None
    path: str | None = None


class Called(_Plain, frozen=True):
    """A call."""

    call: int
    """From 0, by first use."""
    name: str
    arguments: Any
    """Parsed; text that is no JSON as it stands."""


Part = Written | Thought | Picture | Called


class Title(_Plain, frozen=True):
    """What the session is called."""

    text: str


class Said(_Plain, frozen=True):
    """A message of a person or a model."""

    role: str
    parts: tuple[Part, ...]
    time: int | None = None
    model: str | None = None
    tokens: Tokens | None = None


class Injected(_Plain, frozen=True):
    """Text that no person typed."""

    kind: str | None
    parts: tuple[Part, ...]
    time: int | None = None


class Result(_Plain, frozen=True):
    """The answer to a call."""

    call: int
    status: Status
    parts: tuple[Part, ...]
    time: int | None = None


class CommandRun(_Plain, frozen=True):
    """A command that the person ran."""

    command: str
    output: str
    exit_code: int | None = None
    cancelled: bool = False
    truncated: bool = False
    excluded: bool = False
    time: int | None = None


class Compacted(_Plain, frozen=True):
    """What came before was replaced by a summary."""

    summary: str
    first_kept: int | None = None
    """Place in the list, the title not counted; None when nothing before it is kept."""
    time: int | None = None


class Summarised(_Plain, frozen=True):
    """A summary beside the conversation."""

    text: str
    time: int | None = None


Item = Title | Said | Injected | Result | CommandRun | Compacted | Summarised


def normal_form(events: Iterable[Event]) -> list[Item]:
    """The session as plain comparable data. Takes what a reader gives, or what `prepare` made of it."""
    form = _Form()
    for event in pair(merge(active_branch(main_thread(events)))):
        form.take(event)
    return form.title + form.items


class _Form:
    def __init__(self) -> None:
        self.title: list[Item] = []
        self.items: list[Item] = []
        self._answered: tuple[str, int] | None = None
        """Response and place of the last answer."""
        self._calls: dict[str, int] = {}
        self._places: dict[str, int] = {}
        """Event -> place of what it said, or of what comes next when it says nothing."""

    def take(self, event: Event) -> None:
        for name in (event.id, *event.parts) if isinstance(event, Message | Shell) else (event.id,):
            self._places.setdefault(name, len(self.items))
        if isinstance(event, Message):
            self._message(event)
        elif isinstance(event, ToolResult):
            call = self._calls.setdefault(event.call_id, len(self._calls))
            self.items.append(Result(call, event.status, self._parts(event.content), _stated(event)))
        elif isinstance(event, Shell):
            self.items.append(
                CommandRun(
                    event.command or "",
                    event.output or "",
                    event.exit_code,
                    event.cancelled,
                    event.truncated,
                    event.excluded,
                    _stated(event),
                )
            )
        elif isinstance(event, Compaction):
            place = self._places.get(event.first_kept) if event.first_kept is not None else None
            kept = place if place is not None and place < len(self.items) else None
            self.items.append(Compacted(event.summary, kept, _stated(event)))
        elif isinstance(event, Summary):
            self.items.append(Summarised(event.text, _stated(event)))
        elif isinstance(event, Usage):
            self._usage(event)
        elif isinstance(event, Session) and event.title:
            self.title = [Title(event.title)]

    def _usage(self, event: Usage) -> None:
        """Counts that are logged apart belong to the answer before them."""
        if self._answered is None or event.told or event.response is None or event.response != self._answered[0]:
            return
        place = self._answered[1]
        said = self.items[place]
        assert isinstance(said, Said)
        self.items[place] = replace(said, tokens=event.tokens)

    def _message(self, event: Message) -> None:
        if event.injected in _SAID_ELSEWHERE:
            return
        parts = self._parts(event.content)
        if not parts:
            return
        time = _stated(event)
        if event.injected is not None or event.role == "system":
            self.items.append(Injected(event.injected, parts, time))
        elif event.role == "assistant":
            self._answered = (event.response or event.id, len(self.items))
            self.items.append(Said("assistant", parts, time, event.model, event.tokens))
        else:
            self.items.append(Said(event.role, parts, time))

    def _parts(self, blocks: Iterable[Block]) -> tuple[Part, ...]:
        return tuple(part for block in blocks if (part := self._part(block)) is not None)

    def _part(self, block: Block) -> Part | None:
        if isinstance(block, Text):
            return Written(block.text) if block.text.strip() else None
        if isinstance(block, Thinking):
            return Thought(block.text, block.signature) if block.text.strip() or block.signature else None
        if isinstance(block, Image):
            return Picture(block.media_type, block.data, block.url, block.path)
        if isinstance(block, File):
            return Picture(block.media_type, block.data, block.url, block.name)
        assert isinstance(block, ToolCall)
        call = self._calls.setdefault(block.id, len(self._calls))
        return Called(call, block.name, _arguments(block))


def _stated(event: EventBase) -> int | None:
    """The time that the record states, whatever a stage made of it."""
    return event.logged if event.moved else event.time


def _arguments(call: ToolCall) -> Any:
    text = call.text if call.text is not None else bytes(call.arguments)
    try:
        return msgspec.json.decode(text)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return text if isinstance(text, str) else text.decode("utf-8", "replace")
