"""One session on its way into a file, event by event: what is the same for every target.

A target adds how its entries look. Entries have ids of 16 hex digits here, derived from the source, and stand in a
`Tree`; what a target calls them in its file, and so in the import record, is what `_named` says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import BinaryIO

from panscript.schemas import timestamps
from panscript.schemas.agents import agent
from panscript.schemas.errors import CannotConvert
from panscript.schemas.events import (
    AGENT_NOTICE,
    COMPACTION_SUMMARY,
    SHELL,
    TASK,
    Block,
    Compaction,
    Event,
    File,
    Image,
    Message,
    Opaque,
    Session,
    Shell,
    Summary,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    Usage,
)
from panscript.schemas.import_record import Embedded, ImportPart
from panscript.schemas.naming import billing_provider, provider_of_model
from panscript.schemas.report import FileReport
from panscript.schemas.terminal import one_line
from panscript.writers.identity import digest
from panscript.writers.options import WriteOptions
from panscript.writers.record import Record, stated
from panscript.writers.tree import Tree

__all__ = ["ORPHAN", "Chain", "blocks_text", "session_title", "write_chain"]

ORPHAN = "orphan_result"
"""What a message is injected by that holds the text of a result without a call."""
_SAID = (Message, ToolResult, Compaction, Shell, Summary)
_LARGE = 180_000
"""Estimated tokens beyond which common context windows are too small."""
_LONGEST_NAME = 200


class Chain:
    """Takes the events of one session, merged, paired and in order, and hangs what is written on what was before."""

    _target: str
    """The agent that is written for."""
    _root = -1
    """The place that what has no parent hangs at."""

    def __init__(self, session: Session, sink: BinaryIO, options: WriteOptions, report: FileReport) -> None:
        self._session = session
        self._sink = sink
        self._options = options
        self._report = report
        self._space = f"{session.agent}\0{session.session_id}\0{options.number}"
        self._vendor = agent(session.agent).vendor
        self._record = Record(report)
        self._goes_on = options.continues
        self._tree = Tree(branches=options.all_branches, size=self._goes_on.size if self._goes_on is not None else 0)
        self._last = self._leaf = -1
        self._first_of_part: str | None = None
        self._message_time: int | None = None
        self._spoken = 0
        self._thinking: dict[bool, list[tuple[Thinking, int | None]]] = {True: [], False: []}
        """Thinking that waits for an answer, with its time, on the live branch and on others."""
        self._turn: list[str] = []
        """Events that stand at the last entry: what follows one of them follows the results that are yet to come."""
        self._turn_end = -1
        self._answered: tuple[str, str, str] | None = None  # response, entry, model of the last assistant message
        self._model = session.model
        self._created = session.created if session.created is not None else options.imported_at
        self._stamp = self._created
        self._headed = self._goes_on is not None

    # What a target says in its own words.

    def _named(self, entry: str) -> str:
        """What the entry is called in the file."""
        return entry

    def _write_head(self, time: int) -> None:
        """The head of the record, as it stands in the file; `time` is that of the first thing said."""
        raise NotImplementedError

    def _write_part(self, name: str, data: ImportPart) -> None:
        """A part of the record. `name` is its own among the parts."""
        raise NotImplementedError

    def _user(self, event: Message) -> None:
        raise NotImplementedError

    def _assistant(self, event: Message) -> None:
        raise NotImplementedError

    def _orphan(self, event: Message) -> None:
        """Text of a result without a call."""
        raise NotImplementedError

    def _tool_result(self, event: ToolResult) -> None:
        raise NotImplementedError

    def _shell(self, event: Shell) -> None:
        raise NotImplementedError

    def _compaction(self, event: Compaction) -> None:
        raise NotImplementedError

    def _summary(self, event: Summary) -> None:
        raise NotImplementedError

    def _close(self) -> None:
        """What comes before the last part of the record."""

    # What is the same for all.

    def event(self, event: Event) -> None:
        """Take the next event."""
        kind = type(event)
        if not self._headed and kind in _SAID:
            self._begin(event.time if event.time is not None else self._stamp)
        if self._record.full:
            self._part()
        if kind is Message:
            self._message(event)  # type: ignore[arg-type]
        elif kind is ToolResult:
            self._tool_result(event)  # type: ignore[arg-type]
        elif kind is Compaction:
            self._compaction(event)  # type: ignore[arg-type]
        elif kind is Shell:
            self._shell(event)  # type: ignore[arg-type]
        elif kind is Summary:
            self._summary(event)  # type: ignore[arg-type]
        elif kind is Usage:
            self._usage(event)  # type: ignore[arg-type]
        elif kind is Opaque:
            kept = self._record.opaque(event, self._here())  # type: ignore[arg-type]
            (self._report.keep if kept else self._report.lose)("opaque")
            if event.parent is not None:
                self._aside(event)

    def _begin(self, time: int) -> None:
        if not self._headed:
            self._headed = True
            self._write_head(time)

    def end(self) -> int | None:
        """Write what closes the file; gives the time of the last message. Raises `CannotConvert`."""
        if not self._spoken:
            raise CannotConvert("nothing was said on its live branch", hint="`--branch all` writes every branch")
        self._begin(self._stamp)
        self._flush_thinking(live=False)
        self._last = self._leaf
        self._flush_thinking(live=True)
        self._close()
        self._last = self._leaf
        if self._goes_on is not None:
            # Of what was there before, nothing was imported.
            if not self._record.empty:
                self._part()
            return self._message_time
        part = self._record.last_part(self._first_of_part, self._here())
        for number, piece in enumerate(self._options.embed() if self._options.embed is not None else ()):
            embedded = Embedded(
                encoding=piece.encoding, data=piece.data, path=piece.path, bytes=piece.bytes, sha256=piece.sha256
            )
            self._write_part(f"embed:{number}", ImportPart(embed=embedded))
        self._write_part("part:last", part)
        return self._message_time

    def _warn_if_large(self, size: int, program: str) -> None:
        if size > _LARGE:
            message = f"about {size} tokens of context; {program} may compact it on the first prompt"
            self._report.warn("context_large", message)

    def _title(self) -> str:
        return session_title(self._session, self._options, self._target)

    def _id(self, name: str) -> str:
        return digest(self._space, name)

    def _here(self) -> str | None:
        return self._at(self._last)

    def _at(self, place: int) -> str | None:
        """What the entry at this place is called in the file; before the first one, what all of it goes on from."""
        if place >= 0:
            return self._named(self._tree.entry(place))
        return self._goes_on.leaf if self._goes_on is not None else None

    def _settle(self) -> None:
        """What follows an event of the turn hangs at the turn's end so far."""
        for name in self._turn:
            self._tree.hang(name, self._turn_end)

    def _place(self, parent: str | None) -> int:
        """Where an event of this parent hangs when every branch is written."""
        self._settle()
        found = self._tree.find(parent)
        return found if found is not None else self._root if parent is None else self._last

    def _follow(self, event: Event) -> None:
        """The entry that this event's entry hangs on becomes the last one."""
        if self._options.all_branches and type(event) is not ToolResult:
            self._last = self._place(event.parent)

    def _put(self, event: Event, entry: str, size: int) -> None:
        """The one entry of this event was written; `size` is that of the context with it, in tokens."""
        self._last = self._tree.add(entry, size)
        self._stand(event, entry)

    def _stand(self, event: Event, first: str, start: int | None = None) -> None:
        """The entries of this event were written: `first`, at place `start`, and up to the last one."""
        place = self._last
        start = place if start is None else start
        self._tree.hang(event.id, place)
        if not isinstance(event, ToolResult):
            self._settle()
            self._turn.clear()
        if self._options.all_branches:
            self._turn.append(event.id)
            self._turn_end = place
        for part in event.parts if isinstance(event, Message | Shell) else ():
            self._tree.hang(part, place)
            if part != event.id:
                self._tree.start(part, start)
                if self._options.all_branches:
                    self._turn.append(part)
        if event.live:
            self._leaf = place
        self._spoken += 1
        if self._first_of_part is None:
            self._first_of_part = self._named(first)
        if event.moved or event.time is None:
            self._record.time(self._named(first), stated(event))

    def _kept_from(self, event: Compaction) -> int | None:
        """The place of the first entry that a compaction kept; None when nothing before it is."""
        if event.first_kept is None:
            return None
        place = self._tree.place_of(self._id(event.first_kept))
        if place is None:
            place = self._tree.started(event.first_kept)
        if place is None:
            self._report.change("compaction_kept_nothing")
            return None
        return place if place < len(self._tree) else None

    def _time(self, event: Event) -> tuple[str, int]:
        time = event.time if event.time is not None else self._stamp + 1
        self._stamp = time
        return timestamps.iso(time), time

    def _aside(self, event: Event) -> None:
        """The event has no entry of its own: what follows it hangs where it hangs."""
        parts = (event.parts if isinstance(event, Message | Shell) else ()) or (event.id,)
        for part in parts:
            self._tree.start(part, len(self._tree))
        if self._options.all_branches:
            place = self._place(event.parent)
            for part in parts:
                self._tree.hang(part, place)
            if place == self._last:
                self._turn.extend(parts)

    def _part(self) -> None:
        """Write the part of the record that is full; it is about the entries since the last one."""
        here = self._here()
        self._write_part(f"part:{here}", self._record.part(self._first_of_part, here))
        self._first_of_part = None

    def _message(self, event: Message) -> None:
        if event.role == "assistant":
            if event.injected == AGENT_NOTICE and not any(isinstance(block, ToolCall) for block in event.content):
                self._report.lose("agent_notice")
                self._aside(event)
            else:
                self._assistant(event)
        elif event.role == "user" or event.injected == TASK:
            self._user(event)
        elif event.injected == ORPHAN:
            self._orphan(event)
        else:
            self._system(event)

    def _system(self, event: Message) -> None:
        """Text that no person typed goes into the record, unless another event says it too."""
        if event.injected not in (COMPACTION_SUMMARY, SHELL):
            self._note(blocks_text(event.content), event.injected, stated(event), after=self._place(event.parent))
            self._report.change("context_recorded")
            self._report.keep("context")
            for block in event.content:
                if isinstance(block, Image | File):
                    self._report.lose("image_missing" if isinstance(block, Image) else "file_missing")
        self._aside(event)

    def _note(
        self, text: str, kind: str | None, time: int | None, role: str | None = "system", *, after: int | None = None
    ) -> None:
        """A text that goes into the record, in as many parts as it takes."""
        if self._record.crowded(text):
            self._part()
        for piece in self._record.pieces(text):
            if self._record.full:
                self._part()
            place = after if after is not None and self._options.all_branches else self._last
            self._record.note(piece, kind, self._at(place), time, role)

    def _silent(self, event: Message, thoughts: list[Thinking]) -> None:
        """An answer of which only thinking can be kept: the thinking goes before the next answer."""
        self._thinking[event.live].extend((block, stated(event)) for block in thoughts)
        if not thoughts:
            self._report.lose("failed_response" if event.fault else "empty_message")
        if event.tokens is not None:
            self._record.usage(None, event.tokens, event.model or self._model or "unknown")
        self._aside(event)

    def _waiting_thoughts(self, event: Message) -> list[Thinking]:
        """Thinking that waited for this answer."""
        waiting = self._thinking[event.live]
        if not waiting:
            return []
        self._thinking[event.live] = []
        return [block for block, _ in waiting]

    def _answer_written(self, event: Message, entry: str, model: str) -> None:
        """Account for an answer whose first entry this is."""
        name = self._named(entry)
        self._answered = (event.response or event.id, name, model)
        if event.tokens is not None:
            self._record.usage(name, event.tokens, model)
        if event.fault or event.stop_reason not in (None, "stop", "end_turn", "tool_use", "toolUse", "stop_sequence"):
            self._report.change("stop_reason_mapped")
        self._report.keep("assistant_message")

    def _model_of(self, event: Message) -> str:
        """The model, with what was not logged replaced."""
        if event.model:
            self._model = event.model
            return event.model
        model = self._model or "unknown"
        self._record.fallback("model", model)
        self._report.change("model_replaced")
        return model

    def _provider_of(self, event: Message, model: str) -> str:
        """The provider, with what was not logged replaced."""
        if event.provider:
            return event.provider
        provider = billing_provider(self._session.provider) or provider_of_model(model) or self._vendor
        self._record.fallback("provider", provider)
        self._report.change("provider_replaced")
        return provider

    def _summary_noted(self, event: Summary) -> None:
        """A summary that stands only in the record."""
        after = self._place(event.parent) if event.parent is not None else self._leaf
        self._note(event.text, "summary", stated(event), None, after=after)
        self._report.change("summary_recorded")
        self._aside(event)

    def _flush_thinking(self, *, live: bool, after: int | None = None) -> None:
        waiting, self._thinking[live] = self._thinking[live], []
        for block, time in waiting:
            self._note(block.text, "thinking", time, "assistant", after=after)
            self._report.change("thinking_recorded")

    def _usage(self, event: Usage) -> None:
        """Counts that the agent logs apart belong to the response before them."""
        if event.told:
            return
        if self._answered is not None and event.response is not None and self._answered[0] == event.response:
            self._record.usage(self._answered[1], event.tokens, event.model or self._answered[2])
        else:
            self._report.lose("usage_record")


def session_title(session: Session, options: WriteOptions, target: str) -> str:
    """What the session is called at the target: where it comes from, unless it comes home."""
    title = session.title or session.first_prompt or session.session_id
    earlier = session.imported_from
    if earlier is not None:
        title = title.removeprefix(f"Imported from {agent(earlier).name}: ")
    if earlier == target:
        return one_line(title)[:_LONGEST_NAME]
    name = f"Imported from {agent(session.agent).name}: {one_line(title)}"[:_LONGEST_NAME]
    if session.cwd and options.cwd and session.cwd.rstrip("/") != options.cwd.rstrip("/"):
        name = f"{name} (from {one_line(session.cwd)})"
    return name


def blocks_text(blocks: tuple[Block, ...]) -> str:
    """The texts among the blocks, joined by blank lines."""
    return "\n\n".join(block.text for block in blocks if isinstance(block, Text | Thinking))


def write_chain(events: Iterable[Event], begin: Callable[[Session], Chain]) -> int | None:
    """Write one session: `begin` makes its writer from the first event of all, which takes the others.

    Gives the time of its last message in milliseconds since 1970 UTC. Raises `CannotConvert`.
    """
    writer: Chain | None = None
    for event in events:
        if writer is not None:
            writer.event(event)
        elif isinstance(event, Session):
            writer = begin(event)
    if writer is None:
        raise CannotConvert("there is no session in it")
    return writer.end()
