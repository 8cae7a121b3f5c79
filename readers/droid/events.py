"""The second pass over a Droid session: rows become events."""

from __future__ import annotations

from panscript.readers.droid.content import block_of, injected_by, result_content, without_reminders
from panscript.readers.droid.survey import RENAMED, Survey, is_context, is_hollow
from panscript.readers.speaking import BranchSpeaker
from panscript.schemas import timestamps
from panscript.schemas.droid.lean import STATE_TYPES, Block, Body, Row
from panscript.schemas.events import (
    AGENT_NOTICE,
    TASK,
    Compaction,
    Event,
    Meta,
    Opaque,
    Text,
    ToolResult,
)
from panscript.schemas.events import Block as Content
from panscript.schemas.records import RecordClass
from panscript.schemas.report import FileReport

__all__ = ["Translator"]

_CONTENT = ("message", "content")
_INNER = ("content",)


class Translator(BranchSpeaker):
    """Turns one row after the other into its class and its events."""

    def __init__(
        self, survey: Survey, report: FileReport, *, child: bool, provider: str | None, model: str | None
    ) -> None:
        """`child`: the session is a sub-agent's, so nobody typed its prompts. `provider`, `model`: who answers in it,
        as its settings say."""
        super().__init__(survey.branches, report)
        self._survey = survey
        self._child = child
        self._provider = provider
        self._default = model
        self._told: tuple[str, object] | None = None
        """The model that was said last, and whose it was."""
        self._started = False
        self._kept: dict[str, str | None] = {}
        """Row that a summary covers last -> the first event after it; None while that is awaited."""
        self._waiting: list[str] = []

    def row(self, number: int, row: Row, text: bytes, line: int, turn: int) -> tuple[RecordClass, list[Event]]:
        """The class of this record and what it says. `text` is its JSON, `turn` its number on the line, from 0."""
        survey = self._survey
        where = f"{line}.{turn}" if turn else str(line)
        base = row.id if row.id and row.type != "session_start" else f"line:{where}"
        if survey.flags[number] & RENAMED:
            base = f"{base}#{where}"
        self._number, self._text = number, text
        copied = number <= survey.copied_to
        self._begin(
            base,
            time=timestamps.parse(row.timestamp),
            live=survey.branches.live(number),
            inherited_from=survey.forked_from if copied else None,
            late=number in survey.clock.late,
        )
        events: list[Event] = []
        kind: RecordClass
        if is_hollow(row):
            self._report.skip_line("message_invalid_message", line)
            kind = "skipped"
        else:
            kind = self._context(row, events) if is_context(row) else self._aside(row, events, where)
        self._keep(row.id, events)
        if kind == "used" and copied and survey.forked_from is not None and is_context(row):
            kind = "inherited"
        return kind, events

    def _aside(self, row: Row, events: list[Event], where: str) -> RecordClass:
        """A row that the model never sees."""
        if row.type == "session_start" and not self._started:
            self._started = True
            self._header(events)
            return "used"
        if row.type in STATE_TYPES:
            return "state"
        self._report.see_unknown(row.type or "(no type)")
        # A row that is no part of the tree may have the id of one that is.
        events.append(
            Opaque(
                id=f"line:{where}:row",
                time=self._common["time"],
                name=row.type or "(no type)",
                data=self._whole(),
            )
        )
        return "opaque"

    def _header(self, events: list[Event]) -> None:
        """What the first line says, and the model from the settings where no message names one."""
        survey = self._survey
        model = self._default if survey.model is None else None
        if survey.cwd or survey.title or model:
            provider = self._provider if model else None
            events.append(Meta(id="meta:header", cwd=survey.cwd, title=survey.title, model=model, provider=provider))

    def _context(self, row: Row, events: list[Event]) -> RecordClass:
        if row.type == "compaction_state":
            anchor = row.anchor_message.id if row.anchor_message is not None else None
            name, parent = self._next()
            events.append(
                Compaction(
                    id=name,
                    parent=parent,
                    summary=row.summary_text or "",
                    first_kept=self._kept.get(anchor or ""),
                    trigger=None,
                    **self._common,
                )
            )
            return "used"
        body = row.message
        assert body is not None
        if body.role == "assistant":
            self._assistant(body, events)
        elif body.role in ("user", "tool", "system"):
            self._user(row, body, events)
        else:
            self._unknown(body.role or "(no role)", self._whole(), events)
            return "opaque"
        return "used"

    def _keep(self, row: str | None, events: list[Event]) -> None:
        """Remember which event is the first one after a row that a summary covers last."""
        first = next((event.id for event in events if not isinstance(event, Meta) and event.live), None)
        if first is not None and self._waiting:
            for name in self._waiting:
                self._kept[name] = first
            self._waiting.clear()
        if row is not None and row in self._survey.anchors and row not in self._kept:
            self._kept[row] = None
            self._waiting.append(row)

    def _user(self, row: Row, body: Body, events: list[Event]) -> None:
        """Results first, then what was put beside the prompt, then the prompt."""
        content = body.content
        blocks = [Block(type="text", text=content)] if isinstance(content, str) else content or []
        said: list[Content] = []
        for index, block in enumerate(blocks):
            if block.type == "tool_result":
                self._result(block, index, events)
                continue
            item = block_of(block, self._survey.unanswered)
            if item is None:
                self._unknown(block.type or "(no type)", self._inner.clean(self._text, index, _CONTENT), events)
            else:
                said.append(item)
        injected = injected_by(row, body) if body.role != "system" else ("system", False)
        if injected is not None:
            if said:
                self._say("system", said, events, injected=injected[0], hidden=injected[1])
            return
        typed: list[Content] = []
        reminders: list[Content] = []
        for item in said:
            if not isinstance(item, Text):
                typed.append(item)
                continue
            text, found = without_reminders(item.text)
            reminders.extend(Text(text=reminder) for reminder in found)
            if text or not found:
                typed.append(Text(text=text))
        if reminders:
            self._say("system", reminders, events, injected="reminder", hidden=True)
        if typed and self._child:
            self._say("system", typed, events, injected=TASK)
        elif typed:
            self._say("user", typed, events)

    def _result(self, block: Block, index: int, events: list[Event]) -> None:
        content, unknown = result_content(block)
        for place, kind in unknown:
            self._unknown(kind, self._inner.deep(self._text, (index, place), (_CONTENT,), _INNER), events)
        name, parent = self._next()
        events.append(
            ToolResult(
                id=name,
                parent=parent,
                call_id=block.tool_use_id or "",
                content=content,
                status="error" if block.is_error else "ok",
                **self._common,
            )
        )

    def _assistant(self, body: Body, events: list[Event]) -> None:
        content = body.content
        blocks: list[Content] = [Text(text=content)] if isinstance(content, str) else []
        results: list[tuple[int, Block]] = []
        for index, block in enumerate(content if isinstance(content, list) else ()):
            if block.type == "tool_result":
                results.append((index, block))
                continue
            item = block_of(block, self._survey.unanswered)
            if item is not None:
                blocks.append(item)
            else:
                self._unknown(block.type or "(no type)", self._inner.clean(self._text, index, _CONTENT), events)
        if body.visibility == "user_only":
            # The person was told something in the model's name.
            self._say("assistant", blocks, events, injected=AGENT_NOTICE)
            return
        if body.model_id and self._told != (told := (body.model_id, self._common["inherited_from"])):
            self._told = told
            events.append(
                Meta(
                    id=f"meta:{self._base}",
                    time=self._common["time"],
                    inherited_from=self._common["inherited_from"],
                    model=body.model_id,
                    provider=self._provider,
                )
            )
        self._say(
            "assistant",
            blocks,
            events,
            message_id=body.openai_message_id,
            model=body.model_id,
            provider=self._provider,
        )
        for index, block in results:
            self._result(block, index, events)
