"""One session on its way into a Pi file, event by event."""

from __future__ import annotations

from typing import BinaryIO

import msgspec

from panscript.schemas import timestamps
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
from panscript.schemas.pi.record_names import HEAD_TYPE, PART_TYPE, RESULT_TYPE, SUMMARY_PREFIX, SUMMARY_TYPE
from panscript.schemas.report import FileReport
from panscript.schemas.terminal import one_line
from panscript.writers.identity import digest
from panscript.writers.options import WriteOptions
from panscript.writers.pi.content import ORPHAN, Content
from panscript.writers.pi.entries import (
    Assistant,
    BashExecution,
    CompactionEntry,
    CustomEntry,
    CustomMessageEntry,
    Header,
    MessageEntry,
    SessionInfoEntry,
    ThinkingBlock,
    User,
    line,
)
from panscript.writers.pi.entries import ToolResult as ToolResultMessage
from panscript.writers.pi.entries import Usage as WrittenUsage
from panscript.writers.pi.estimate import length, tokens
from panscript.writers.record import Record, head, stated
from panscript.writers.tree import Tree

__all__ = ["SessionWriter"]

_SAID = (Message, ToolResult, Compaction, Shell, Summary)

_LARGE = 180_000
"""Estimated tokens beyond which common context windows are too small."""
_LONGEST_NAME = 200


class SessionWriter:
    """Writes the header and the head of the import record at once, then one entry or none for each event."""

    def __init__(
        self,
        session: Session,
        sink: BinaryIO,
        options: WriteOptions,
        report: FileReport,
        *,
        session_id: str,
        created: int,
        agent_name: str,
        vendor: str,
    ) -> None:
        self._session = session
        self._sink = sink
        self._options = options
        self._report = report
        self._agent_name = agent_name
        self._vendor = vendor
        self._space = f"{session.agent}\0{session.session_id}\0{options.number}"
        self._record = Record(report)
        self._content = Content(self._record, report)
        self._tree = Tree(branches=options.all_branches)
        self._last = self._leaf = -1
        self._first_of_part: str | None = None
        self._message_time: int | None = None
        self._spoken = 0
        self._summaries: list[Summary] = []
        self._thinking: dict[bool, list[tuple[ThinkingBlock, int | None]]] = {True: [], False: []}
        """Thinking that waits for an answer, with its time, on the live branch and on others."""
        self._turn: list[str] = []
        """Events that stand at the last entry: what follows one of them follows the results that are yet to come."""
        self._turn_end = -1
        self._answered: tuple[str, str, str] | None = None  # response, entry, model of the last assistant message
        self._model = session.model
        cwd = options.cwd or session.cwd or "/"
        header = Header(
            version=3,
            id=session_id,
            timestamp=timestamps.iso(created),
            cwd=cwd,
            parent_session=options.parent_file,
        )
        sink.write(line(header))
        self._stamp = created
        self._head: str | None = self._id("head")
        self._last = self._leaf = self._tree.add(self._head, 0)

    def event(self, event: Event) -> None:
        """Take the next event."""
        kind = type(event)
        if self._head is not None and kind in _SAID:
            self._write_head(event.time if event.time is not None else self._stamp)
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

    def _write_head(self, time: int) -> None:
        """The record's head stands before everything else, also in time: a fork is younger than what it copied."""
        if self._head is not None:
            stamp = timestamps.iso(min(time, self._stamp))
            entry = CustomEntry(HEAD_TYPE, head(self._session, self._options), self._head, None, stamp)
            self._sink.write(line(entry))
            self._head = None

    def end(self) -> int | None:
        """Write what closes the file."""
        if not self._spoken:
            raise CannotConvert("nothing was said on its live branch", hint="`--branch all` writes every branch")
        self._write_head(self._stamp)
        self._flush_thinking(live=False)
        self._last = self._leaf
        self._flush_thinking(live=True)
        self._flush_summaries(None)
        self._last = self._leaf
        part = self._record.last_part(self._first_of_part, self._here())
        for number, piece in enumerate(self._options.embed() if self._options.embed is not None else ()):
            embedded = Embedded(encoding=piece.encoding, data=piece.data, path=piece.path)
            self._custom(f"embed:{number}", ImportPart(embed=embedded))
        self._custom("part:last", part)
        entry = self._id("name")
        stamp = timestamps.iso(self._stamp)
        self._sink.write(line(SessionInfoEntry(entry, self._tree.entry(self._last), stamp, self._name())))
        size = self._tree.size(self._leaf)
        if size > _LARGE:
            self._report.warn("context_large", f"about {size} tokens of context; Pi may compact it on the first prompt")
        return self._message_time

    def _name(self) -> str:
        session = self._session
        what = one_line(session.title or session.first_prompt or session.session_id)
        name = f"Imported from {self._agent_name}: {what}"[:_LONGEST_NAME]
        if session.cwd and self._options.cwd and session.cwd.rstrip("/") != self._options.cwd.rstrip("/"):
            name = f"{name} (from {one_line(session.cwd)})"
        return name

    def _id(self, name: str) -> str:
        return digest(self._space, name)

    def _here(self) -> str | None:
        return self._tree.entry(self._last) if self._last >= 0 else None

    def _settle(self) -> None:
        """What follows an event of the turn hangs at the turn's end so far."""
        for name in self._turn:
            self._tree.hang(name, self._turn_end)

    def _place(self, parent: str | None) -> int:
        """Where an event of this parent hangs when every branch is written."""
        self._settle()
        found = self._tree.find(parent)
        return found if found is not None else 0 if parent is None else self._last

    def _parent(self, event: Event) -> str:
        """The entry that this event's entry hangs on, which becomes the last one."""
        if self._options.all_branches and type(event) is not ToolResult:
            self._last = self._place(event.parent)
        return self._tree.entry(self._last)

    def _put(self, event: Event, entry: str, characters: int, *, size: int | None = None) -> None:
        """The entry of this event was written."""
        if size is None:
            size = self._tree.size(self._last) + tokens(characters)
        place = self._tree.add(entry, size)
        self._tree.hang(event.id, place)
        if not isinstance(event, ToolResult):
            self._settle()
            self._turn.clear()
        if self._options.all_branches:
            self._turn.append(event.id)
            self._turn_end = place
        for part in event.parts if isinstance(event, Message) else ():
            self._tree.hang(part, place)
            if part != event.id:
                self._tree.start(part, place)
                if self._options.all_branches:
                    self._turn.append(part)
        self._last = place
        if event.live:
            self._leaf = place
        self._spoken += 1
        if self._first_of_part is None:
            self._first_of_part = entry
        if event.moved or event.time is None:
            self._record.time(entry, stated(event))

    def _time(self, event: Event) -> tuple[str, int]:
        time = event.time if event.time is not None else self._stamp + 1
        self._stamp = time
        return timestamps.iso(time), time

    def _aside(self, event: Event) -> None:
        """The event has no entry of its own: what follows it hangs where it hangs."""
        parts = (event.parts if isinstance(event, Message) else ()) or (event.id,)
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
        self._custom(f"part:{here}", self._record.part(self._first_of_part, here))
        self._first_of_part = None

    def _custom(self, name: str, data: ImportPart) -> None:
        self._write_head(self._stamp)
        entry = self._id(name)
        stamp = timestamps.iso(self._stamp)
        self._sink.write(line(CustomEntry(PART_TYPE, data, entry, self._tree.entry(self._last), stamp)))
        place = self._tree.add(entry, self._tree.size(self._last))
        if self._last == self._leaf:
            self._leaf = place
        self._last = place

    def _message(self, event: Message) -> None:
        if event.role == "assistant":
            self._assistant(event)
        elif event.role == "user" or event.injected == TASK:
            self._user(event)
        else:
            self._system(event)

    def _system(self, event: Message) -> None:
        if event.injected == ORPHAN:
            blocks, characters = self._content.said(event.content)
            parent = self._parent(event)
            entry, (stamp, _) = self._id(event.id), self._time(event)
            self._sink.write(line(CustomMessageEntry(RESULT_TYPE, blocks, True, entry, parent, stamp)))
            self._put(event, entry, characters)
            self._report.keep("tool_result")
            return
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
        for piece in self._record.pieces(text):
            if self._record.full:
                self._part()
            place = after if after is not None and self._options.all_branches else self._last
            self._record.note(piece, kind, self._tree.entry(place), time, role)

    def _user(self, event: Message) -> None:
        blocks, characters = self._content.said(event.content)
        if not blocks:
            self._report.lose("empty_message")
            self._aside(event)
            return
        self._flush_thinking(live=event.live, after=self._place(event.parent))
        self._flush_summaries(event)
        parent = self._parent(event)
        entry, (stamp, time) = self._id(event.id), self._time(event)
        self._sink.write(line(MessageEntry(entry, parent, stamp, User(blocks, time))))
        if event.injected == TASK:
            self._record.task(entry)
        self._message_time = time
        self._put(event, entry, characters)
        self._report.keep("user_message")

    def _assistant(self, event: Message) -> None:
        if event.injected == AGENT_NOTICE and not any(isinstance(block, ToolCall) for block in event.content):
            self._report.lose("agent_notice")
            self._aside(event)
            return
        blocks, characters, calls, visible = self._content.answer(event.content)
        if not visible:
            # A message of thinking alone is no message to Pi; the thinking goes before the next answer.
            thoughts = [block for block in blocks if isinstance(block, ThinkingBlock)]
            self._thinking[event.live].extend((block, stated(event)) for block in thoughts)
            if not thoughts:
                self._report.lose("failed_response" if event.fault else "empty_message")
            if event.tokens is not None:
                self._record.usage(None, event.tokens, event.model or self._model or "unknown")
            self._aside(event)
            return
        if waiting := self._thinking[event.live]:
            characters += sum(length(block.thinking) for block, _ in waiting)
            blocks[:0] = [block for block, _ in waiting]
            self._thinking[event.live] = []
        parent = self._parent(event)
        entry, (stamp, time) = self._id(event.id), self._time(event)
        model, provider = self._model_of(event)
        size = self._tree.size(self._last) + tokens(characters)
        written = Assistant(
            blocks,
            f"imported-{self._session.agent}",
            provider,
            model,
            WrittenUsage(0, 0, 0, 0, size),
            "toolUse" if calls else "stop",
            time,
        )
        self._sink.write(line(MessageEntry(entry, parent, stamp, written)))
        self._message_time = time
        self._put(event, entry, characters, size=size)
        self._answered = (event.response or event.id, entry, model)
        if event.tokens is not None:
            self._record.usage(entry, event.tokens, model)
        if event.fault or event.stop_reason not in (None, "stop", "end_turn", "tool_use", "toolUse", "stop_sequence"):
            self._report.change("stop_reason_mapped")
        self._report.keep("assistant_message")

    def _model_of(self, event: Message) -> tuple[str, str]:
        """Model and provider, with what was not logged replaced."""
        model = event.model or self._model
        if not event.model:
            model = model or "unknown"
            self._record.fallback("model", model)
            self._report.change("model_replaced")
        else:
            self._model = model
        provider = event.provider
        if not provider:
            provider = billing_provider(self._session.provider) or provider_of_model(model) or self._vendor
            self._record.fallback("provider", provider)
            self._report.change("provider_replaced")
        return model or "unknown", provider

    def _tool_result(self, event: ToolResult) -> None:
        blocks, characters = self._content.result(event.content)
        parent = self._parent(event)
        entry, (stamp, time) = self._id(event.id), self._time(event)
        message = ToolResultMessage(
            tool_call_id=self._content.call_id(event.call_id),
            tool_name=self._content.tool_name(event.name or "", event.call_id),
            content=blocks,
            details=event.details if bytes(event.details) else msgspec.UNSET,
            is_error=event.status == "error",
            timestamp=time,
            duration_ms=event.duration_ms,
        )
        self._sink.write(line(MessageEntry(entry, parent, stamp, message)))
        self._put(event, entry, characters)
        if not event.invented:
            self._report.keep("tool_result")

    def _shell(self, event: Shell) -> None:
        parent = self._parent(event)
        entry, (stamp, time) = self._id(event.id), self._time(event)
        command, output = event.command or "", event.output or ""
        message = BashExecution(
            command=command,
            output=output,
            exit_code=event.exit_code,
            cancelled=event.cancelled,
            truncated=event.truncated,
            exclude_from_context=event.excluded,
            timestamp=time,
        )
        self._sink.write(line(MessageEntry(entry, parent, stamp, message)))
        self._put(event, entry, 0 if event.excluded else length(command) + length(output))
        self._report.keep("shell")

    def _compaction(self, event: Compaction) -> None:
        self._flush_thinking(live=event.live, after=self._place(event.parent))
        parent = self._parent(event)
        entry, (stamp, _) = self._id(event.id), self._time(event)
        before = self._tree.size(self._last)
        kept, kept_size = entry, 0
        if event.first_kept is not None:
            place = self._tree.place_of(self._id(event.first_kept))
            if place is None:
                place = self._tree.started(event.first_kept)
            if place is None:
                self._report.change("compaction_kept_nothing")
            elif place < len(self._tree):
                kept, kept_size = self._tree.entry(place), before - self._tree.size(place - 1)
        tokens_before = event.tokens_before if event.tokens_before is not None else before
        self._sink.write(line(CompactionEntry(entry, parent, stamp, event.summary, kept, tokens_before)))
        self._put(event, entry, 0, size=tokens(length(event.summary)) + max(0, kept_size))
        self._report.keep("compaction")

    def _summary(self, event: Summary) -> None:
        if event.leaf is None:
            after = self._place(event.parent) if event.parent is not None else self._leaf
            self._note(event.text, "summary", stated(event), None, after=after)
            self._report.change("summary_recorded")
        else:
            self._summaries.append(event)
        self._aside(event)

    def _flush_summaries(self, before: Message | None) -> None:
        """Summaries stand before what the person says next, else at the end; never between a call and its result."""
        if before is not None and before.parent is None and self._options.all_branches:
            return
        waiting = [event for event in self._summaries if before is None or event.live == before.live]
        self._summaries = [event for event in self._summaries if event not in waiting]
        for event in waiting:
            text = f"{SUMMARY_PREFIX}{event.text}"
            if before is None and event.live:
                self._last = self._leaf
            parent = self._parent(before or event) if before is not None or not event.live else self._here()
            entry, (stamp, _) = self._id(event.id), timestamps_of(self._stamp)
            self._sink.write(line(CustomMessageEntry(SUMMARY_TYPE, text, True, entry, parent, stamp)))
            self._put(event, entry, length(text))
            if not event.moved and event.time not in (None, self._stamp):
                self._record.time(entry, event.time)
            if before is not None and before.parent is not None:
                # What the person says follows the summary.
                self._tree.hang(before.parent, self._last)
            self._report.keep("summary")

    def _flush_thinking(self, *, live: bool, after: int | None = None) -> None:
        waiting, self._thinking[live] = self._thinking[live], []
        for block, time in waiting:
            self._note(block.thinking, "thinking", time, "assistant", after=after)
            self._report.change("thinking_recorded")

    def _usage(self, event: Usage) -> None:
        """Counts that the agent logs apart belong to the response before them."""
        if event.told:
            return
        if self._answered is not None and event.response is not None and self._answered[0] == event.response:
            self._record.usage(self._answered[1], event.tokens, event.model or self._answered[2])
        else:
            self._report.lose("usage_record")


def blocks_text(blocks: tuple[Block, ...]) -> str:
    """The texts among the blocks, joined by blank lines."""
    return "\n\n".join(block.text for block in blocks if isinstance(block, Text | Thinking))


def timestamps_of(time: int) -> tuple[str, int]:
    """The time as text and as number."""
    return timestamps.iso(time), time
