"""One session on its way into a Pi file, event by event."""

from __future__ import annotations

from typing import BinaryIO

import msgspec

from panscript.schemas import timestamps
from panscript.schemas.events import Compaction, Message, Session, Shell, Summary, Thinking, ToolResult
from panscript.schemas.import_record import ImportPart
from panscript.schemas.pi.record_names import HEAD_TYPE, PART_TYPE, RESULT_TYPE, SUMMARY_PREFIX, SUMMARY_TYPE
from panscript.schemas.report import FileReport
from panscript.writers.chain import Chain
from panscript.writers.content import Content
from panscript.writers.estimate import length, tokens
from panscript.writers.options import WriteOptions
from panscript.writers.pi.content import answer_blocks, said_blocks
from panscript.writers.pi.entries import (
    Assistant,
    BashExecution,
    CompactionEntry,
    CustomEntry,
    CustomMessageEntry,
    Header,
    MessageEntry,
    SessionInfoEntry,
    User,
    line,
)
from panscript.writers.pi.entries import ToolResult as ToolResultMessage
from panscript.writers.pi.entries import Usage as WrittenUsage
from panscript.writers.record import head

__all__ = ["SessionWriter"]

_LONGEST_ID = 40


class SessionWriter(Chain):
    """Writes the header and the head of the import record at once, then one entry or none for each event."""

    _target = "pi"
    _root = 0

    def __init__(
        self, session: Session, sink: BinaryIO, options: WriteOptions, report: FileReport, *, session_id: str
    ) -> None:
        super().__init__(session, sink, options, report)
        self._content = Content(self._record, report, longest_id=_LONGEST_ID)
        self._summaries: list[Summary] = []
        self._head = ""
        if self._goes_on is not None:
            self._root = -1
            return
        header = Header(
            version=3,
            id=session_id,
            timestamp=timestamps.iso(self._created),
            cwd=options.cwd or session.cwd or "/",
            parent_session=options.parent_file,
        )
        sink.write(line(header))
        self._head = self._id("head")
        self._last = self._leaf = self._tree.add(self._head, 0)

    def _write_head(self, time: int) -> None:
        """It stands before everything else, also in time: a fork is younger than what it copied."""
        stamp = timestamps.iso(min(time, self._stamp))
        entry = CustomEntry(HEAD_TYPE, head(self._session, self._options), self._head, None, stamp)
        self._sink.write(line(entry))

    def _close(self) -> None:
        self._flush_summaries(None)

    def end(self) -> int | None:
        """Write what closes the file."""
        time = super().end()
        if self._goes_on is not None:
            return time
        entry = self._id("name")
        stamp = timestamps.iso(self._stamp)
        self._sink.write(line(SessionInfoEntry(entry, self._tree.entry(self._last), stamp, self._title())))
        self._warn_if_large(self._tree.size(self._leaf), "Pi")
        return time

    def _write_part(self, name: str, data: ImportPart) -> None:
        """A part is an entry on the branch it is about."""
        self._begin(self._stamp)
        entry = self._id(name)
        stamp = timestamps.iso(self._stamp)
        self._sink.write(line(CustomEntry(PART_TYPE, data, entry, self._here(), stamp)))
        place = self._tree.add(entry, self._tree.size(self._last))
        if self._last == self._leaf:
            self._leaf = place
        self._last = place

    def _parent(self, event: Message | ToolResult | Shell | Compaction | Summary) -> str | None:
        """The entry that this event's entry hangs on."""
        self._follow(event)
        return self._here()

    def _size(self, characters: int) -> int:
        return self._tree.size(self._last) + tokens(characters)

    def _orphan(self, event: Message) -> None:
        blocks, characters = said_blocks(self._content.said(event.content))
        parent = self._parent(event)
        entry, (stamp, _) = self._id(event.id), self._time(event)
        self._sink.write(line(CustomMessageEntry(RESULT_TYPE, blocks, True, entry, parent, stamp)))
        self._put(event, entry, self._size(characters))
        self._report.keep("tool_result")

    def _user(self, event: Message) -> None:
        blocks, characters = said_blocks(self._content.said(event.content))
        if not blocks:
            self._report.lose("empty_message")
            self._aside(event)
            return
        self._flush_thinking(live=event.live, after=self._place(event.parent))
        self._flush_summaries(event)
        parent = self._parent(event)
        entry, (stamp, time) = self._id(event.id), self._time(event)
        self._sink.write(line(MessageEntry(entry, parent, stamp, User(blocks, time))))
        if event.role != "user":
            self._record.task(entry)
        self._message_time = time
        self._put(event, entry, self._size(characters))
        self._report.keep("user_message")

    def _assistant(self, event: Message) -> None:
        answer, calls, visible = self._content.answer(event.content)
        if not visible:
            self._silent(event, [block for block in answer if isinstance(block, Thinking)])
            return
        answer[:0] = self._waiting_thoughts(event)
        blocks, characters = answer_blocks(answer)
        parent = self._parent(event)
        entry, (stamp, time) = self._id(event.id), self._time(event)
        model = self._model_of(event)
        size = self._size(characters)
        written = Assistant(
            blocks,
            f"imported-{self._session.agent}",
            self._provider_of(event, model),
            model,
            WrittenUsage(0, 0, 0, 0, size),
            "toolUse" if calls else "stop",
            time,
        )
        self._sink.write(line(MessageEntry(entry, parent, stamp, written)))
        self._message_time = time
        self._put(event, entry, size)
        self._answer_written(event, entry, model)

    def _tool_result(self, event: ToolResult) -> None:
        blocks, characters = said_blocks(self._content.result(event.content))
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
        self._put(event, entry, self._size(characters))
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
        self._put(event, entry, self._size(0 if event.excluded else length(command) + length(output)))
        self._report.keep("shell")

    def _compaction(self, event: Compaction) -> None:
        self._flush_thinking(live=event.live, after=self._place(event.parent))
        parent = self._parent(event)
        entry, (stamp, _) = self._id(event.id), self._time(event)
        before = self._tree.size(self._last)
        place = self._kept_from(event)
        kept = self._tree.entry(place) if place is not None else entry
        kept_size = before - self._tree.size(place - 1) if place is not None else 0
        tokens_before = event.tokens_before if event.tokens_before is not None else before
        self._sink.write(line(CompactionEntry(entry, parent, stamp, event.summary, kept, tokens_before)))
        self._put(event, entry, tokens(length(event.summary)) + max(0, kept_size))
        self._report.keep("compaction")

    def _summary(self, event: Summary) -> None:
        if event.leaf is None:
            self._summary_noted(event)
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
            if before is not None or not event.live:
                self._follow(before or event)
            parent = self._here()
            entry, stamp = self._id(event.id), timestamps.iso(self._stamp)
            self._sink.write(line(CustomMessageEntry(SUMMARY_TYPE, text, True, entry, parent, stamp)))
            self._put(event, entry, self._size(length(text)))
            if not event.moved and event.time not in (None, self._stamp):
                self._record.time(entry, event.time)
            if before is not None and before.parent is not None:
                # What the person says follows the summary.
                self._tree.hang(before.parent, self._last)
            self._report.keep("summary")
