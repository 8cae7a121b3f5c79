"""The second pass over an Amp thread: messages become events."""

from __future__ import annotations

from panscript.readers.amp.content import block_of, exit_code, result_of
from panscript.readers.amp.survey import Survey
from panscript.readers.amp.usage import tokens_of
from panscript.readers.rawjson import clean_raw
from panscript.readers.speaking import Speaker
from panscript.schemas import timestamps
from panscript.schemas.amp.lean import Block, Message
from panscript.schemas.events import COMPACTION_SUMMARY, TASK, Compaction, Event, Meta, Shell, Text, ToolResult
from panscript.schemas.events import Block as Content
from panscript.schemas.records import RecordClass
from panscript.schemas.report import FileReport

__all__ = ["Translator"]

_CONTENT = ("content",)
_ENDED = {"cancelled": "aborted", "error": "error"}


class Translator(Speaker):
    """Turns one message after the other into its class and its events."""

    def __init__(self, survey: Survey, report: FileReport) -> None:
        super().__init__(report)
        self._survey = survey
        self._told: tuple[str, object] | None = None
        """The model that was said last, and whose it was."""
        self._names: set[str] = set()
        self._text = b""

    def message(self, element: int, message: Message, text: bytes) -> tuple[RecordClass, list[Event]]:
        """The class of a message and what it says; `text` is its JSON."""
        survey = self._survey
        number = message.message_id if message.message_id is not None else message.id
        base = f"message:{number}" if isinstance(number, int) else f"element:{element}"
        if base in self._names:
            base = f"element:{element}"
        self._names.add(base)
        copied = survey.order[element] <= survey.copied_to
        spent = message.usage
        stated = [
            message.meta.sent_at if message.meta is not None else None,
            spent.timestamp if spent is not None else None,
            message.timestamp,
        ]
        self._text = text
        time = next((time for time in map(timestamps.parse, stated) if time is not None), None)
        self._begin(base, time=time, inherited_from=survey.forked_from if copied else None)
        events: list[Event] = []
        if message.role == "assistant":
            self._assistant(message, events)
        elif message.role in ("user", "info"):
            self._user(message, events)
        else:
            self._unknown(message.role or "(no role)", clean_raw(text), events)
            return "opaque", events
        return "inherited" if copied else "used", events

    def _assistant(self, message: Message, events: list[Event]) -> None:
        blocks: list[Content] = [Text(text=message.content)] if isinstance(message.content, str) else []
        results: list[Block] = []
        for index, block in enumerate(message.content if isinstance(message.content, list) else ()):
            item = block_of(block, self._survey.unanswered)
            if item is not None:
                blocks.append(item)
            elif block.type == "tool_result":
                results.append(block)
            else:
                self._unknown(block.type or "(no type)", self._inner.clean(self._text, index, _CONTENT), events)
        model = (message.usage.model if message.usage is not None else None) or message.model
        if model and self._told != (told := (model, self._common["inherited_from"])):
            self._told = told
            events.append(Meta(id=f"meta:{self._base}", model=model, **self._common))
        state = message.state
        self._say(
            "assistant",
            blocks,
            events,
            message_id=str(message.message_id) if message.message_id is not None else None,
            model=model,
            stop_reason=state.stop_reason if state is not None else None,
            tokens=tokens_of(message),
            fault=_ENDED.get(state.type or "") if state is not None else None,
        )
        for block in results:
            self._result(block, events)

    def _user(self, message: Message, events: list[Event]) -> None:
        """Results first, then what Amp put before the model, then the prompt."""
        content = message.content
        blocks = [Block(type="text", text=content)] if isinstance(content, str) else content or []
        typed: list[Content] = []
        hidden: list[Content] = []
        for index, block in enumerate(blocks):
            if block.type == "tool_result":
                self._result(block, events)
            elif block.type == "summary":
                self._compaction(block, events)
            elif block.type == "manual_bash_invocation":
                self._shell(block, events)
            elif (item := block_of(block, self._survey.unanswered)) is not None:
                (hidden if block.hidden else typed).append(item)
            else:
                self._unknown(block.type or "(no type)", self._inner.clean(self._text, index, _CONTENT), events)
        if hidden:
            self._say("system", hidden, events, injected="context", hidden=True)
        if not typed:
            return
        if message.role == "info":
            self._say("system", typed, events, injected="info")
        elif self._survey.main is not None:
            self._say("system", typed, events, injected=TASK)
        else:
            number = message.message_id
            self._say("user", typed, events, message_id=str(number) if number is not None else None)

    def _result(self, block: Block, events: list[Event]) -> None:
        content, status, details = result_of(block)
        name, parent = self._next()
        events.append(
            ToolResult(
                id=name,
                parent=parent,
                call_id=block.tool_use_id or "",
                content=content,
                status=status,
                details=details,
                **self._common,
            )
        )

    def _compaction(self, block: Block, events: list[Event]) -> None:
        text = (block.summary.summary if block.summary is not None else None) or ""
        name, parent = self._next()
        events.append(Compaction(id=name, parent=parent, summary=text, **self._common))
        if text:
            self._say("system", [Text(text=text)], events, injected=COMPACTION_SUMMARY)

    def _shell(self, block: Block, events: list[Event]) -> None:
        run = block.tool_run
        said, _, _ = result_of(Block(run=run)) if run is not None else ((), "unknown", None)
        name, parent = self._next()
        events.append(
            Shell(
                id=name,
                parent=parent,
                command=block.args.cmd if block.args is not None else None,
                output="".join(item.text for item in said if isinstance(item, Text)),
                exit_code=exit_code(run) if run is not None else None,
                cancelled=run is not None and run.status == "cancelled",
                excluded=bool(block.hidden),
                **self._common,
            )
        )
