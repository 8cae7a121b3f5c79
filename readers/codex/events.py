"""The second pass over a Codex thread: lines become events."""

from __future__ import annotations

import msgspec
from msgspec import UNSET

from panscript.readers.codex.compaction import summary_of
from panscript.readers.codex.content import call, joined, output, picture, spoken, thinking
from panscript.readers.codex.injected import block_text, developer_kind, injected_by, is_wrapper
from panscript.readers.codex.only_told import only_told
from panscript.readers.codex.originals import judged, kept_away, original, ran
from panscript.readers.codex.plan import FilePlan
from panscript.readers.codex.speaker import Speaker
from panscript.readers.codex.survey import (
    ABORTED,
    BILLS_LAST,
    BILLS_NEXT,
    LAST,
    NOT_TYPED,
    Survey,
    item_of,
    name_of,
    version_of,
)
from panscript.readers.codex.usage import UsageCounter, is_marker
from panscript.readers.imported import Imported
from panscript.readers.restoring import Restorer
from panscript.schemas import timestamps
from panscript.schemas.codex.lean import (
    CALLS,
    LINES,
    OUTPUTS,
    STATE_EVENTS,
    STATE_ITEMS,
    STATE_LINES,
    TWIN_EVENTS,
    Block,
    Line,
    Payload,
)
from panscript.schemas.codex.record_names import PART_KIND
from panscript.schemas.codex.texts import shell_parts
from panscript.schemas.events import (
    AGENT_NOTICE,
    SHELL,
    TASK,
    Compaction,
    Event,
    Image,
    Status,
    Text,
    Thinking,
    Usage,
)
from panscript.schemas.events import Block as Content
from panscript.schemas.import_lean import ContextText
from panscript.schemas.naming import billing_provider
from panscript.schemas.records import RecordClass
from panscript.schemas.report import FileReport

__all__ = ["Translator"]

_DONE: dict[str | None, Status] = {"completed": "ok", "failed": "error"}


_VENDOR = "openai"
_CONTENTS = ("payload", "content"), ("content",)
_OUTPUTS = ("payload", "output", "content"), ("output", "content"), ("payload", "output"), ("output",)


class Translator(Speaker):
    """Turns one line after the other into its class and its events."""

    def __init__(
        self, survey: Survey, report: FileReport, imported: Imported | None, *, usage: bool, raw: bool
    ) -> None:
        super().__init__(survey, report)
        self._imported = imported
        self._restorer = Restorer(imported, self._chain) if imported is not None else None
        self._foreign: Imported | None = None
        """The import record, where the line at hand is one of those it is about."""
        self._parts_passed = 0
        self._counter = UsageCounter(survey.plan.thread, report, raw=raw)
        self._bills = usage
        self._model: str | None = None
        self._provider: str | None = None
        self._file = survey.plan.files[0]
        self._group: str | None = None
        self._closed = True
        self._closing = False
        self._held: Usage | None = None
        self._search = ""
        self._note = ""

    def open(self, file: FilePlan) -> None:
        """The records that follow stand in this file."""
        self._file = file

    def row(self, number: int, row: Line, raw: bytes, line: int, *, first: bool) -> tuple[RecordClass, list[Event]]:
        """The class of this record and what it says. `raw` is its JSON; `first`: it is the first one of its line."""
        survey, file = self._survey, self._file
        events: list[Event] = []
        if not file.used or (file.end is not None and row.ordinal is not None and row.ordinal >= file.end):
            return "inherited", events
        self._number, self._closing = number, False
        time = timestamps.parse(row.timestamp)
        if time is None and row.payload is UNSET:
            time = file.time
        self._line, self._foreign = str(line), None
        if self._imported is not None and number <= survey.imported_to and file.own:
            self._foreign = self._imported
            time = self._imported.time(self._line, time)
        inherited = None
        if not file.own:
            inherited = file.thread
        elif survey.copied_from <= number <= survey.copied_to:
            inherited = survey.copied_of or "unknown"
        self._begin(
            f"{file.tag}{line}" if first else f"{file.tag}{line}+{number}",
            time=time,
            live=survey.branches.live(number),
            inherited_from=inherited,
            late=number in survey.clock.late,
        )
        kind = self._row(row, raw, line, events)
        if self._foreign is not None and self._restorer is not None:
            late = self._next_part(self._foreign) if row.type == PART_KIND else []
            events.extend(self._restorer.after(self._line, self._common, late))
        if self._closing and self._held is not None:
            events.append(msgspec.structs.replace(self._held, response=self._group))
            self._held = None
        if is_marker(row) and file.own:
            self._usage(row, raw, events)
            if kind == "state" and events:
                kind = "used"
        if self._inherited is not None and kind != "skipped":
            kind = "inherited"
        return kind, events

    def passed(self, number: int) -> None:
        """The record is done."""
        self._survey.branches.passed(number)

    def _row(self, row: Line, raw: bytes, line: int, events: list[Event]) -> RecordClass:
        item = item_of(row)
        if item is not None:
            return self._item(item, raw, events)
        payload, kind = row.payload, row.type
        if kind is None:
            return self._bare(row, raw, events)
        if kind not in LINES:
            if kind in STATE_LINES:
                return "state"
            self._odd(kind, raw, events)
            return "opaque"
        if not isinstance(payload, Payload):
            self._report.skip_line("invalid_payload", line)
            return "skipped"
        if kind == "event_msg":
            return self._event(payload, raw, events)
        if kind == "session_meta":
            return self._meta(payload, events)
        if kind == "turn_context":
            self._model = payload.model or self._model
            return self._state(events, cwd=payload.cwd, model=payload.model)
        if kind == "compacted":
            return self._compaction(payload, events)
        if kind == "inter_agent_communication":
            return self._between_agents(payload, events)
        return "state"

    def _bare(self, row: Line, raw: bytes, events: list[Event]) -> RecordClass:
        if row.record_type is not None:
            return "state"
        if row.id and row.payload is UNSET:
            self._state(events, git_branch=row.git.branch if row.git is not None else None)
            return "used"
        self._odd("(no type)", raw, events)
        return "opaque"

    def _meta(self, payload: Payload, events: list[Event]) -> RecordClass:
        self._provider = payload.model_provider or self._provider
        if payload.id not in (None, self._survey.plan.thread):
            # Another thread's header without its records: nothing that this session says of itself.
            return "state"
        self._state(
            events,
            cwd=payload.cwd,
            git_branch=payload.git.branch if payload.git is not None else None,
            version=version_of(payload),
            provider=payload.model_provider,
        )
        return "used"

    def _next_part(self, imported: Imported) -> list[ContextText]:
        """A part of the record was passed; gives what it says of lines that were not met."""
        self._parts_passed += 1
        return imported.passed(str(self._parts_passed))

    def _usage(self, row: Line, raw: bytes, events: list[Event]) -> None:
        billed = self._counter.feed(self._number, row, raw, inherited=self._inherited is not None)
        if billed is None or not self._bills:
            return
        flags = self._survey.flags[self._number]
        billed = msgspec.structs.replace(
            billed,
            id=f"usage:{self._base}",
            live=self._common["live"],
            response=self._group if flags & BILLS_LAST else None,
        )
        if flags & BILLS_NEXT:
            # Some versions log the counts before the answer they are for.
            self._held = billed
        else:
            events.append(billed)

    def _item(self, item: Payload, raw: bytes, events: list[Event]) -> RecordClass:
        kind = item.type
        if kind == "message":
            return self._message_item(item, raw, events)
        if kind == "reasoning":
            self._respond([thinking(item)], events)
        elif kind in CALLS:
            self._call(item, events)
        elif kind in OUTPUTS:
            self._output(item, raw, events)
        elif kind in ("compaction", "context_compaction"):
            self._respond([Thinking(signature=item.encrypted_content, redacted=True)], events)
        elif kind == "agent_message":
            return self._between_agents(item, events)
        elif kind in STATE_ITEMS:
            return "state"
        else:
            self._odd(kind or "(no type)", raw, events)
            return "opaque"
        return "used"

    def _message_item(self, item: Payload, raw: bytes, events: list[Event]) -> RecordClass:
        content = item.content
        blocks = [Block(type="input_text", text=content)] if isinstance(content, str) else content or []
        if item.role == "assistant":
            said = self._blocks(blocks, raw, events)
            self._respond(said, events, message_id=item.id)
        elif item.role == "user" and self._foreign is not None:
            self._imported_user(self._foreign, item, blocks, raw, events)
        elif item.role == "user":
            self._user(item, blocks, raw, events)
        elif item.role in ("developer", "system"):
            said = self._blocks(blocks, raw, events)
            first = next((text for block in blocks if (text := block_text(block))), "")
            kind = developer_kind(item, 0, first) if item.role == "developer" else "system"
            if self._foreign is not None:
                kind = self._foreign.kind(self._line) or kind
            self._say("system", said, events, message_id=item.id, injected=kind)
        else:
            self._report.skip("message_invalid_message")
            self._odd("message", raw, events, known=True)
            return "opaque"
        return "used"

    def _blocks(self, blocks: list[Block], raw: bytes, events: list[Event]) -> list[Content]:
        found = (self._said(block, index, raw, events) for index, block in enumerate(blocks))
        return [block for block in found if block is not None]

    def _said(self, block: Block, index: int, raw: bytes, events: list[Event]) -> Content | None:
        found = spoken(block)
        if found is None:
            if block.type is not None:
                self._unknown(block.type, self._inner.clean(raw, index, *_CONTENTS), events)
            return None
        return None if isinstance(found, Text) and not found.text else found

    def _user(self, item: Payload, blocks: list[Block], raw: bytes, events: list[Event]) -> None:
        """What a person typed apart from what was put beside it."""
        typed: list[Content] = []
        injected: list[Content] = []
        why = None
        untyped = self._survey.flags[self._number] & NOT_TYPED
        for index, block in enumerate(blocks):
            text = block_text(block)
            if text is not None and is_wrapper(blocks, index):
                continue
            found = self._said(block, index, raw, events)
            if found is None:
                continue
            kind = injected_by(item, index, text) if text is not None else None
            if kind is None and untyped:
                kind = "unknown"
            if kind is None:
                typed.append(found)
            else:
                why = why or kind
                injected.append(found)
        if injected:
            self._say("system", injected, events, message_id=item.id, injected=why)
            if why == SHELL:
                for said in injected:
                    self._shell(said, events)
        if typed or not events:
            self._typed(typed, events, item.id)

    def _imported_user(
        self, imported: Imported, item: Payload, blocks: list[Block], raw: bytes, events: list[Event]
    ) -> None:
        """The same of an imported line: its words are taken as they are, the record says who put them there."""
        said = self._blocks(blocks, raw, events)
        first = said[0].text if said and isinstance(said[0], Text) else ""
        kind = imported.kind(self._line)
        if kind is None and injected_by(item, 0, first) == SHELL:
            self._say("system", said, events, injected=SHELL)
            self._ran(events, **ran(first, imported.command(self._line)))
        elif kind is not None:
            self._say("system", said, events, injected=kind)
        elif imported.is_task(self._line):
            self._say("system", said, events, injected=TASK)
        else:
            self._say("user", said, events)

    def _typed(self, blocks: list[Content], events: list[Event], message_id: str | None) -> None:
        """What a person typed; in a sub-agent's thread, what it was told to do."""
        if self._survey.sub_agent and self._inherited is None:
            self._say("system", blocks, events, message_id=message_id, injected=TASK)
        else:
            self._say("user", blocks, events, message_id=message_id)

    def _shell(self, block: Content, events: list[Event]) -> None:
        if isinstance(block, Text) and shell_parts(block.text).command is not None:
            self._ran(events, **ran(block.text))

    def _respond(self, blocks: list[Content], events: list[Event], *, message_id: str | None = None) -> None:
        """An item of a response."""
        flags = self._survey.flags[self._number]
        tokens = None
        if self._group is None or self._closed:
            self._group = f"r{self._base}"
            if self._foreign is not None:
                tokens = self._foreign.tokens(self._line)
                self._model = self._foreign.model(self._line) or self._model
        self._closed = self._closing = bool(flags & LAST)
        self._say(
            "assistant",
            blocks,
            events,
            response=self._group,
            closes=self._closed,
            message_id=message_id,
            model=self._model,
            provider=self._provider,
            signer=_VENDOR if billing_provider(self._provider) in (None, _VENDOR) else None,
            tokens=tokens,
            fault="aborted" if flags & ABORTED else None,
        )

    def _call(self, item: Payload, events: list[Event]) -> None:
        name = name_of(item)
        kind = item.type
        alone = kind in ("web_search_call", "image_generation_call")
        if alone or kind == "tool_search_call":
            name = name or f"{kind}:{self._base}"
        if kind == "tool_search_call":
            self._search = name
        asked = call(item, name, alone or name not in self._survey.calls.unanswered)
        self._respond([asked if self._foreign is None else original(asked, self._foreign)], events)
        if not alone:
            return
        shown: tuple[Content, ...] = ()
        if kind == "image_generation_call" and isinstance(item.result, str) and item.result:
            data = item.result
            shown = (picture(data) if data.startswith("data:") else Image(media_type="image/png", data=data),)
        self._result(name, shown, _DONE.get(item.status, "unknown"), events)

    def _output(self, item: Payload, raw: bytes, events: list[Event]) -> None:
        found = output(item, raw, foreign=self._foreign is not None)
        for place, kind in found.unknown:
            self._unknown(kind, self._inner.clean(raw, place, *_OUTPUTS), events)
        name = name_of(item) if item.call_id or item.type != "tool_search_output" else self._search
        told = self._survey.outcomes.get(name) or 0
        bad = found.failed or bool(told & 1) or item.status in ("failed", "incomplete")
        took = (told >> 1) - 1 if told >> 1 else None
        content = found.content
        if self._foreign is not None:
            name, took = self._foreign.original(name), took or None
            content, bad = judged(content, bad, self._foreign.outcome(self._line))
        self._result(name, content, "error" if bad else "ok", events, took, found.details)

    def _between_agents(self, item: Payload, events: list[Event]) -> RecordClass:
        """A message from agent to agent; it may stand as an item and as a line of its own."""
        text = joined(item.content)
        if not text or text == self._note:
            return "twin" if text else "state"
        self._note = text
        label = f"{item.author or 'agent'} to {item.recipient or 'agent'}:"
        self._say("system", [Text(text=label), Text(text=text)], events, injected="agent_message")
        return "used"

    def _compaction(self, payload: Payload, events: list[Event]) -> RecordClass:
        """What came before was replaced."""
        kept = None
        if self._foreign is not None:
            summary = payload.message or ""
            line = self._foreign.first_kept(self._line)
            kept = f"{self._file.tag}{line}" if line is not None else None
        else:
            summary, folded = summary_of(payload)
            if folded:
                self._report.change("compaction_folded")
        name, parent = self._next()
        events.append(
            Compaction(
                id=name,
                parent=parent,
                **self._common,
                summary=summary,
                first_kept=kept,
                tokens_before=self._counter.context or None,
            )
        )
        return "used"

    def _event(self, payload: Payload, raw: bytes, events: list[Event]) -> RecordClass:
        kind = payload.type
        if kind == "exec_command_end" and self._foreign is not None:
            facts = self._foreign.command(self._line)
            if facts is not None:
                self._ran(events, **kept_away(payload, facts))
                return "used"
        if kind in TWIN_EVENTS:
            return "used" if self._only_told(payload, events) else "twin"
        if kind == "thread_name_updated":
            return self._state(events, title=payload.thread_name)
        if kind == "error" or (kind in ("task_complete", "turn_complete") and payload.error is not None):
            said = payload.error if isinstance(payload.error, str) else payload.error and payload.error.message
            text = said or payload.message
            if text:
                notice: list[Content] = [Text(text=text)]
                self._say("assistant", notice, events, injected=AGENT_NOTICE, fault="error")
                return "used"
            return "state"
        if kind in STATE_EVENTS:
            return "state"
        self._odd(kind or "(no type)", raw, events)
        return "opaque"

    def _only_told(self, payload: Payload, events: list[Event]) -> bool:
        """Text of which the file holds no item at all, only the event that showed it. False for a twin."""
        found = only_told(payload, self._survey)
        if found is None:
            return False
        role, blocks = found
        if role == "user":
            self._typed(blocks, events, None)
        else:
            self._say("assistant", blocks, events, model=self._model, provider=self._provider)
        return True
