"""One session on its way into a Codex rollout, event by event."""

from __future__ import annotations

import re
from array import array
from typing import BinaryIO

import msgspec
from msgspec.structs import replace

from panscript.schemas import timestamps
from panscript.schemas.codex.record_names import HEAD_KIND, ORIGINATOR, PART_KIND
from panscript.schemas.codex.texts import FAILURE, failed, shell_parts, shell_text
from panscript.schemas.events import Compaction, Event, Message, Session, Shell, Summary, Text, ToolResult
from panscript.schemas.import_record import Command, ImportPart
from panscript.schemas.report import FileReport
from panscript.schemas.terminal import one_line
from panscript.writers.chain import ORPHAN, Chain
from panscript.writers.codex.content import answer_items, call_end, given_blocks, said_item, span, user_event
from panscript.writers.codex.dialects import dialect
from panscript.writers.codex.lines import (
    AgentMessage,
    AgentReasoning,
    ContextCompacted,
    CustomToolCallOutput,
    ExecCommandEnd,
    FunctionCallOutput,
    Git,
    InputText,
    MessageItem,
    Origin,
    OutputText,
    Reasoning,
    SessionMeta,
    Spawn,
    SubAgent,
    ThreadNameUpdated,
    compacted,
    encoded,
)
from panscript.writers.codex.recent import Recent
from panscript.writers.content import Call, Content, Said
from panscript.writers.estimate import tokens
from panscript.writers.options import WriteOptions
from panscript.writers.record import head

__all__ = ["SessionWriter"]

_LONGEST_ID = 64
_NOTHING = msgspec.Raw(b"")
_HEAD = 2
"""Line of the head, whenever it is written."""
_VERSION = re.compile(r"\d+\.\d+\.\d+[0-9A-Za-z.+-]*")
_SAID = (Message, ToolResult, Compaction, Shell, Summary)


class SessionWriter(Chain):
    """Writes the header and the head of the import record, then for each event items for the model and events for the
    screen. Entries are called by their line: of one that takes several, the first one stands for it in the record."""

    _target = "codex"
    _root = 0

    def __init__(
        self, session: Session, sink: BinaryIO, options: WriteOptions, report: FileReport, *, thread_id: str
    ) -> None:
        super().__init__(session, sink, replace(options, all_branches=False), report)
        self._content = Content(self._record, report, longest_id=_LONGEST_ID, customs=True)
        self._thread = thread_id
        self._out = dialect(sink, thread_id, options.continues)
        self._firsts = array("Q")
        """First line of each entry; 0 for lines of the record."""
        self._recent = Recent()
        self._calls: dict[str, Call] = {}
        """Calls of the last answer."""
        self._answering = False
        """What was written last is an answer; another one would be read as its rest."""
        self._said_model: str | None = None
        if self._goes_on is not None:
            self._root = -1
            return
        self._firsts.append(0)
        self._last = self._leaf = self._tree.add(f"{_HEAD:x}", 0)

    def _meta(self) -> SessionMeta:
        session, options = self._session, self._options
        version = _VERSION.search(options.importer)
        parent = options.parent_session
        name = one_line(session.title)[:_LONGEST_ID] if session.title and parent is not None else None
        spawn = Spawn(parent_thread_id=parent, depth=1, agent_nickname=name) if parent is not None else None
        return SessionMeta(
            id=self._thread,
            session_id=options.root_session or self._thread,
            timestamp=timestamps.iso(self._created),
            cwd=options.cwd or session.cwd or "/",
            originator=ORIGINATOR,
            cli_version=version[0] if version is not None else "0.0.0",
            source=Origin(SubAgent(spawn)) if spawn is not None else "cli",
            parent_thread_id=parent,
            agent_nickname=name,
            git=Git(session.git_branch) if session.git_branch else None,
        )

    def _named(self, entry: str) -> str:
        return str(int(entry, 16))

    def _write(self, kind: str, stamp: str, payload: bytes) -> int:
        """Write a line; gives its number."""
        return self._out.write(kind, stamp, payload)

    def _item(self, stamp: str, item: object) -> int:
        """Write something that the model is sent; gives its line."""
        payload = encoded(item)
        self._recent.add(len(self._tree), payload)
        self._answering = False
        return self._write("response_item", stamp, payload)

    def _show(self, stamp: str, event: msgspec.Struct) -> int:
        """Write something for the screen."""
        return self._out.show(stamp, event)

    def _done(self, event: Event, first: int, last: int, size: int) -> None:
        """The lines of this event were written; `size` is that of the context with it, in tokens."""
        self._firsts.append(first)
        self._last = self._tree.add(f"{last:x}", size)
        self._tree.start(event.id, self._last)
        self._stand(event, f"{first:x}")

    def _larger(self, characters: int) -> int:
        return self._tree.size(self._last) + tokens(characters)

    def event(self, event: Event) -> None:
        """Take the next event. A thread is one line: what was left behind has no place in it."""
        if event.live or not isinstance(event, _SAID):
            super().event(event)
            return
        self._report.lose("branch")
        if isinstance(event, Message) and event.tokens is not None:
            self._record.usage(None, event.tokens, event.model or self._model or "unknown")

    def _write_head(self, time: int) -> None:
        """The header and the head stand before everything else, also in time: a fork is younger than what it copied."""
        stamp = timestamps.iso(min(time, self._stamp))
        self._write("session_meta", stamp, encoded(self._meta()))
        self._write(HEAD_KIND, stamp, encoded(head(self._session, self._options)))

    def _write_part(self, name: str, data: ImportPart) -> None:  # noqa: ARG002 - parts are told apart by their order
        self._begin(self._stamp)
        number = self._write(PART_KIND, timestamps.iso(self._stamp), encoded(data))
        self._answering = False
        self._firsts.append(0)
        self._last = self._leaf = self._tree.add(f"{number:x}", self._tree.size(self._last))

    def _close(self) -> None:
        stamp = timestamps.iso(self._stamp)
        if self._goes_on is None:
            self._show(stamp, ThreadNameUpdated(self._thread, self._title()))
        self._out.end(stamp)

    def end(self) -> int | None:
        """Write what closes the file."""
        time = super().end()
        if self._goes_on is None:
            self._warn_if_large(self._tree.size(self._leaf), "Codex")
        return time

    def _user(self, event: Message) -> None:
        said = self._content.said(event.content)
        if not said:
            self._report.lose("empty_message")
            self._aside(event)
            return
        stamp, time = self._time(event)
        item, characters = said_item("user", said)
        number = self._item(stamp, item)
        self._show(stamp, user_event(said))
        if event.role != "user":
            self._record.task(str(number))
        self._message_time = time
        self._done(event, number, number, self._larger(characters))
        self._report.keep("user_message")

    def _orphan(self, event: Message) -> None:
        said = self._content.said(event.content)
        # Pictures are taken from the person alone.
        plain = all(isinstance(block, Text) for block in said)
        kinds = None if plain else ["generic.developer_instructions"] * len(said)
        item, characters = said_item("developer" if plain else "user", said, kinds)
        stamp, _ = self._time(event)
        number = self._item(stamp, item)
        self._record.kind(str(number), ORPHAN)
        self._done(event, number, number, self._larger(characters))
        self._report.keep("tool_result")

    def _assistant(self, event: Message) -> None:
        if self._answering:
            self._part()
        answer, _, _ = self._content.answer(event.content, signed=event.signer == "openai")
        if not answer:
            self._silent(event, [])
            return
        stamp, time = self._time(event)
        model = self._model_of(event)
        first = last = characters = 0
        for item, size in answer_items(answer):
            last = self._item(stamp, item)
            first = first or last
            characters += size
            if isinstance(item, MessageItem):
                text = "\n\n".join(block.text for block in item.content if isinstance(block, OutputText))
                self._show(stamp, AgentMessage(text))
            elif isinstance(item, Reasoning) and item.summary:
                self._show(stamp, AgentReasoning(item.summary[0].text))
        self._answering = True
        self._calls = {block.id: block for block in answer if isinstance(block, Call)}
        if model != self._said_model:
            self._said_model = model
            self._record.model(str(first), model)
        self._message_time = time
        self._done(event, first, last, self._larger(characters))
        self._answer_written(event, f"{first:x}", model)

    def _tool_result(self, event: ToolResult) -> None:
        said = self._content.result(event.content)
        error = event.status == "error"
        shown = said
        told = failed(said[0].text) if isinstance(said[0], Text) else False
        if error and not told:
            # The model learns of it by words alone.
            said = _marked(said)
        stamp, _ = self._time(event)
        name = self._content.call_id(event.call_id)
        call = self._calls.get(name) or Call(name, self._content.tool_name(event.name or "", event.call_id), _NOTHING)
        blocks, characters = given_blocks(said)
        alone = blocks[0] if len(blocks) == 1 else None
        kind = CustomToolCallOutput if call.custom else FunctionCallOutput
        number = self._item(stamp, kind(name, alone.text if isinstance(alone, InputText) else blocks))
        self._show(stamp, call_end(call, shown, self._session.agent, error=error, took=event.duration_ms))
        if error != told:
            self._record.outcome(str(number), error=error, added=len(FAILURE) if error else 0)
        if bytes(event.details):
            self._report.lose("tool_details")
        self._done(event, number, number, self._larger(characters))
        if not event.invented:
            self._report.keep("tool_result")

    def _shell(self, event: Shell) -> None:
        stamp, _ = self._time(event)
        command, output = event.command or "", event.output or ""
        text = shell_text(command, output, event.exit_code)
        parts = shell_parts(text)
        facts = Command(
            exit_code=event.exit_code,
            cancelled=event.cancelled,
            truncated=event.truncated,
            excluded=event.excluded,
            length=len(command) if (parts.command, parts.output) != (command, output) else None,
        )
        size = 0
        if event.excluded:
            code = event.exit_code if event.exit_code is not None else -1
            ran = ["bash", "-lc", command]
            status = "failed" if code else "completed"
            number = self._out.lines + 1
            self._show(stamp, ExecCommandEnd(f"shell_{number}", ran, output, code, span(None), status))
        else:
            item, size = said_item("user", [Text(text=text)], ["shell.user_command"])
            number = self._item(stamp, item)
        if facts != Command(exit_code=parts.exit_code):
            self._record.command(str(number), facts)
        self._done(event, number, number, self._larger(size))
        self._report.keep("shell")

    def _compaction(self, event: Compaction) -> None:
        stamp, _ = self._time(event)
        place = self._kept_from(event)
        while place is not None and not self._firsts[place]:
            place = place + 1 if place + 1 < len(self._firsts) else None
        history: list[bytes] = []
        summary, size = said_item("user", [Text(text=event.summary)], ["compaction.summary"])
        if event.summary.strip():
            history.append(encoded(summary))
        kept_size = 0
        if place is not None:
            kept, whole = self._recent.since(place)
            kept_size = self._tree.size(self._last) - self._tree.size(place - 1)
            if not whole:
                self._report.change("compaction_kept_less")
            history.extend(kept)
        number = self._write("compacted", stamp, compacted(event.summary, history))
        self._answering = False
        self._show(stamp, ContextCompacted())
        if place is not None:
            self._record.kept(str(number), str(self._firsts[place]))
        if event.summary.strip():
            self._recent.add(len(self._tree), history[0])
        self._done(event, number, number, tokens(size) + max(0, kept_size))
        self._report.keep("compaction")

    def _summary(self, event: Summary) -> None:
        self._summary_noted(event)


def _marked(said: Said) -> Said:
    """A result of a call that failed, in words that say so."""
    first = said[0]
    if isinstance(first, Text):
        return [Text(text=FAILURE + first.text), *said[1:]]
    return [Text(text=FAILURE), *said]
