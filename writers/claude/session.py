"""One session on its way into a Claude Code transcript, event by event."""

from __future__ import annotations

from array import array
from typing import Any, BinaryIO

from panscript.schemas import timestamps
from panscript.schemas.claude.record_names import SUPPLIED
from panscript.schemas.events import Compaction, Message, Session, Shell, Summary, Text, Thinking, ToolResult
from panscript.schemas.import_record import Command, ImportPart
from panscript.schemas.report import FileReport
from panscript.writers.chain import ORPHAN, Chain
from panscript.writers.claude.content import DOCUMENTS, said_blocks
from panscript.writers.claude.rows import (
    Assistant,
    CallBlock,
    CompactFacts,
    HeadRow,
    PartRow,
    Preserved,
    RedactedBlock,
    ResultBlock,
    Row,
    Segment,
    TextBlock,
    ThinkingBlock,
    TitleRow,
    User,
    line,
)
from panscript.writers.content import Answer, Content
from panscript.writers.estimate import length, raw_length, tokens
from panscript.writers.identity import digest, session_uuid
from panscript.writers.options import WriteOptions
from panscript.writers.record import head

__all__ = ["SessionWriter"]

_LONGEST_ID = 64
_VERSION = "2.1.328"
"""Rows look as this version of the agent writes them."""
_BEGINNING = "The conversation goes on from here."
"""Said before an answer that nobody asked for: the vendor wants somebody to speak first."""
_NO_SUMMARY = "(no summary)"
_AnswerBlock = TextBlock | ThinkingBlock | RedactedBlock | CallBlock


class SessionWriter(Chain):
    """Writes a title, the head of the import record, and a row or more for each event."""

    _target = "claude"

    def __init__(
        self,
        session: Session,
        sink: BinaryIO,
        options: WriteOptions,
        report: FileReport,
        *,
        session_id: str,
        agent_id: str | None,
    ) -> None:
        """`agent_id`: the session is that of a sub-agent, and `session_id` its root's."""
        super().__init__(session, sink, options, report)
        self._content = Content(self._record, report, longest_id=_LONGEST_ID, documents=DOCUMENTS)
        self._session_id = session_id
        self._envelope: dict[str, Any] = {
            "is_sidechain": agent_id is not None,
            "agent_id": agent_id,
            "user_type": "external",
            "entrypoint": "cli",
            "cwd": options.cwd or session.cwd or "/",
            "session_id": session_id,
            "version": _VERSION,
            "git_branch": session.git_branch,
            "imported_from": session.agent,
        }
        self._main = agent_id is None
        self._callers: dict[str, str] = {}
        """Call -> row that asks for it, of the last answer."""
        self._above = array("i")
        """The place that each row hangs on, for a boundary the one it says it follows."""
        self._boundaries: set[int] = set()
        """Places of the two rows of each compaction."""
        self._written = -1
        """Place of the last row in the file."""

    def _named(self, entry: str) -> str:
        return session_uuid(entry)

    def _write_head(self, time: int) -> None:  # noqa: ARG002 - rows of state carry no time
        if self._main:
            # Only the first and the last rows of a long file are searched for it.
            self._sink.write(line(TitleRow(custom_title=self._title(), session_id=self._session_id)))
        data = head(self._session, self._options)
        self._sink.write(line(HeadRow(session_id=self._session_id, data=data)))

    def _write_part(self, name: str, data: ImportPart) -> None:
        self._begin(self._stamp)
        self._sink.write(line(PartRow(session_id=self._session_id, id=self._id(name), data=data)))

    def _close(self) -> None:
        """The row that was written last is the one that goes on."""
        if self._leaf not in (-1, self._written):
            self._last = self._leaf
            entry = self._row("leaf", self._stamp, 0, **_aside(f"{self._title()}: the branch that goes on"))
            self._record.kind(self._named(entry), SUPPLIED)
            self._leaf = self._last

    def end(self) -> int | None:
        """Write what closes the file."""
        time = super().end()
        if self._leaf >= 0 and self._goes_on is None:
            self._warn_if_large(self._tree.size(self._leaf), "Claude Code")
        return time

    def _row(self, name: str, time: int, characters: int, **fields: Any) -> str:
        """Write a row that hangs on the last one, and becomes the last one; gives its entry."""
        entry = self._id(name)
        above = self._here()
        fields.setdefault("parent_uuid", above)
        row = Row(uuid=self._named(entry), timestamp=timestamps.iso(time), **self._envelope, **fields)
        self._sink.write(line(row))
        self._above.append(self._last)
        self._last = self._written = self._tree.add(entry, self._tree.size(self._last) + tokens(characters))
        return entry

    def _user_row(self, name: str, time: int, content: Any, characters: int, **more: Any) -> str:
        return self._row(name, time, characters, type="user", message=User(content), **more)

    def _user(self, event: Message) -> None:
        blocks, characters = said_blocks(self._content.said(event.content))
        if not blocks:
            self._report.lose("empty_message")
            self._aside(event)
            return
        self._flush_thinking(live=event.live, after=self._place(event.parent))
        self._follow(event)
        _, time = self._time(event)
        entry = self._user_row(event.id, time, blocks, characters)
        if event.role != "user" and self._main:
            self._record.task(self._named(entry))
        self._message_time = time
        self._stand(event, entry)
        self._report.keep("user_message")

    def _orphan(self, event: Message) -> None:
        """Sent and not shown, like all that the agent puts before the model by itself."""
        blocks, characters = said_blocks(self._content.said(event.content))
        self._follow(event)
        _, time = self._time(event)
        entry = self._user_row(event.id, time, blocks, characters, is_meta=True)
        self._record.kind(self._named(entry), ORPHAN)
        self._stand(event, entry)
        self._report.keep("tool_result")

    def _assistant(self, event: Message) -> None:
        answer, calls, visible = self._content.answer(event.content, signed=event.signer == "anthropic")
        if not visible and not any(isinstance(block, Thinking) and block.signature for block in answer):
            self._silent(event, [block for block in answer if isinstance(block, Thinking)])
            return
        answer[:0] = self._waiting_thoughts(event)
        self._follow(event)
        if self._here() is None:
            entry = self._user_row(f"{event.id}\0beginning", self._stamp, _BEGINNING, 0, is_meta=True)
            self._record.kind(self._named(entry), SUPPLIED)
        _, time = self._time(event)
        model = self._model_of(event)
        self._callers.clear()
        start = len(self._tree)
        first = self._answer_rows(event, answer, model, time, "tool_use" if calls else "end_turn")
        self._message_time = time
        self._stand(event, first, start)
        self._answer_written(event, first, model)

    def _answer_rows(self, event: Message, answer: Answer, model: str, time: int, stop: str) -> str:
        """A row for each block; what the model thought stands in the record unless it is signed."""
        message = f"msg_{digest(self._space, event.id, 'message', size=12)}"
        first = entry = None
        number = before = 0
        waiting: list[str] = []
        for block in answer:
            if isinstance(block, Thinking) and block.signature is None:
                waiting.append(block.text)
                continue
            written, characters = _answer_block(block)
            name = event.id if first is None else f"{event.id}\0{number}"
            said = Assistant(message, model, [written], stop)
            entry = self._row(name, time, characters, type="assistant", message=said)
            first = first or entry
            number += 1
            before = len(waiting)
            self._thoughts(entry, waiting, 0)
            if isinstance(written, CallBlock):
                self._callers[written.id] = self._named(entry)
        assert first is not None
        assert entry is not None
        self._thoughts(entry, waiting, before + 1)
        return first

    def _thoughts(self, entry: str, texts: list[str], place: int) -> None:
        """Thinking around a block. `place` is that of the first text among the parts of the row, thinking included."""
        for index, text in enumerate(texts, place):
            for piece in self._record.pieces(text):
                self._record.thought(self._named(entry), index, piece)
            self._report.change("thinking_recorded")
        texts.clear()

    def _tool_result(self, event: ToolResult) -> None:
        blocks, characters = said_blocks(self._content.result(event.content))
        _, time = self._time(event)
        call = self._content.call_id(event.call_id)
        result = ResultBlock(call, blocks, event.status == "error")
        entry = self._user_row(event.id, time, [result], characters, source_assistant=self._callers.get(call))
        self._stand(event, entry)
        if not event.invented:
            self._report.keep("tool_result")

    def _shell(self, event: Shell) -> None:
        """The agent's own form of a command that the person ran, in two rows."""
        self._follow(event)
        _, time = self._time(event)
        command = f"<bash-input>{event.command or ''}</bash-input>"
        output = f"<bash-stdout>{event.output or ''}</bash-stdout><bash-stderr></bash-stderr>"
        facts = Command(
            exit_code=event.exit_code,
            cancelled=event.cancelled,
            truncated=event.truncated,
            excluded=event.excluded,
        )
        entries: list[str] = []
        start = len(self._tree)
        for name, text in ((event.id, command), (f"{event.id}\0output", output)):
            if event.excluded:
                entries.append(self._row(name, time, 0, **_aside(text)))
            else:
                entries.append(self._user_row(name, time, text, length(text)))
        self._record.command(self._named(entries[0]), Command(output=False, excluded=event.excluded))
        self._record.command(self._named(entries[1]), facts)
        self._stand(event, entries[0], start)
        if event.moved or event.time is None:
            self._record.time(self._named(entries[1]), event.logged if event.moved else event.time)
        self._report.keep("shell")

    def _compaction(self, event: Compaction) -> None:
        self._flush_thinking(live=event.live, after=self._place(event.parent))
        self._follow(event)
        _, time = self._time(event)
        before, size = self._last, self._tree.size(self._last)
        place = self._kept_from(event)
        facts = CompactFacts(
            trigger=event.trigger if event.trigger in ("manual", "auto") else "auto",
            pre_tokens=event.tokens_before if event.tokens_before is not None else size,
        )
        if place is not None:
            self._preserve(facts, event, place, before)
        above = self._at(before)
        self._row(
            f"{event.id}\0boundary",
            time,
            0,
            parent_uuid=None,
            logical_parent_uuid=above,
            type="system",
            subtype="compact_boundary",
            content="Conversation compacted",
            level="info",
            is_meta=False,
            compact_metadata=facts,
        )
        boundary = self._last
        # The vendor takes no empty text.
        summary = event.summary if event.summary.strip() else _NO_SUMMARY
        entry = self._user_row(event.id, time, summary, 0, is_compact_summary=True, is_visible_in_transcript_only=True)
        if summary is not event.summary:
            self._record.kind(self._named(entry), event.summary or SUPPLIED)
        self._boundaries.update((boundary, self._last))
        self._stand(event, entry)
        self._report.keep("compaction")

    def _preserve(self, facts: CompactFacts, event: Compaction, first: int, last: int) -> None:
        """Name the rows that stay in view. A row of them that leads over an earlier compaction is named one by one."""
        anchor = self._named(self._id(event.id))
        path = []
        place = last
        while place >= first:
            path.append(place)
            place = self._above[place]
        if self._boundaries.isdisjoint(path):
            head, tail = self._tree.entry(path[-1]), self._tree.entry(last)
            segment = Segment(head_uuid=self._named(head), anchor_uuid=anchor, tail_uuid=self._named(tail))
            facts.preserved_segment = segment
        else:
            kept = [place for place in reversed(path) if place not in self._boundaries]
            uuids = [self._named(self._tree.entry(place)) for place in kept]
            facts.preserved_messages = Preserved(anchor_uuid=anchor, uuids=uuids, all_uuids=uuids)

    def _summary(self, event: Summary) -> None:
        self._summary_noted(event)


def _aside(text: str) -> dict[str, Any]:
    """A row that is shown and not sent."""
    return {"type": "system", "subtype": "informational", "content": text, "level": "info", "is_meta": False}


def _answer_block(block: Any) -> tuple[_AnswerBlock, int]:
    if isinstance(block, Text):
        return TextBlock(block.text), length(block.text)
    if isinstance(block, Thinking):
        signature = block.signature or ""
        return RedactedBlock(signature) if block.redacted else ThinkingBlock(block.text, signature), length(block.text)
    return CallBlock(block.id, block.name, block.arguments), len(block.name) + raw_length(block.arguments)
