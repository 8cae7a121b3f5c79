"""The second pass over a Pi session: entries become events."""

from __future__ import annotations

import msgspec

from panscript.readers.imported import Imported
from panscript.readers.pi.content import answer_block, said_block
from panscript.readers.pi.survey import RENAMED, Survey, begins, is_context, is_hollow, time_of
from panscript.readers.pi.usage import tokens_of
from panscript.readers.rawjson import clean_raw
from panscript.readers.restoring import Restorer
from panscript.readers.speaking import BranchSpeaker
from panscript.schemas import timestamps
from panscript.schemas.events import (
    NO_RAW,
    TASK,
    Compaction,
    Event,
    Meta,
    Shell,
    Summary,
    Text,
    ToolCall,
    ToolResult,
)
from panscript.schemas.events import Block as Content
from panscript.schemas.naming import billing_provider
from panscript.schemas.pi.lean import STATE_TYPES, Block, Entry, ServerBlock
from panscript.schemas.pi.lean import Message as PiMessage
from panscript.schemas.pi.record_names import HEAD_TYPE, RESULT_TYPE, SUMMARY_PREFIX, SUMMARY_TYPE
from panscript.schemas.records import RecordClass
from panscript.schemas.report import FileReport

__all__ = ["Translator"]

_CONTENTS = ("message", "content"), ("content",)
_STRAY_RESULT = "orphan_result"
_SYSTEM_PROMPT = "system_prompt"
_SIGNING = {"anthropic": ("anthropic-messages",)}
"""Vendor -> interfaces whose signatures are its own."""
_FAULTS = frozenset({"error", "aborted"})
_USED_STATE = frozenset({"usage", "model_usage", "session_info", "title_change"})
_MOST = 1 << 53


class Translator(BranchSpeaker):
    """Turns one entry after the other into its class and its events."""

    def __init__(self, survey: Survey, report: FileReport, imported: Imported | None, *, child: bool) -> None:
        """`child`: the session is a sub-agent's, so nobody typed its prompts."""
        super().__init__(survey.branches, report)
        assert survey.header is not None
        self._survey = survey
        self._header = survey.header
        self._imported = imported
        self._restorer = Restorer(imported, self._chain) if imported is not None else None
        self._child = child
        self._started = False
        self._kept: dict[str, str | None] = {}
        """Entry that a compaction keeps first -> its event; None while the first event after it is awaited."""
        self._waiting: list[str] = []
        self._early = set(survey.calls.early)

    def row(self, number: int, row: Entry, text: bytes, line: int, turn: int) -> tuple[RecordClass, list[Event]]:
        """The class of this record and what it says. `text` is its JSON, `turn` its number on the line, from 0."""
        survey = self._survey
        where = f"{line}.{turn}" if turn else str(line)
        base = row.id or f"line:{where}"
        if survey.flags[number] & RENAMED:
            base = f"{base}#{where}"
        self._number, self._text = number, text
        events: list[Event] = []
        if not self._started:
            if begins(row):
                self._begin(base)
                self._learn({"title": row.title}, events)
                return "used", events
            self._started = True
            if row.type == "session":
                self._start(row, events)
                self._keep(f"line:{line}", events)
                return "used", events
        time = written = time_of(row)
        copied = self._header.is_copy(written)
        imported = self._imported
        if imported is not None:
            time = imported.time(row.id or "", written)
        self._begin(
            base,
            time=time,
            # The head of an import stands before everything, so it is on every path.
            live=survey.branches.live(number) or row.custom_type == HEAD_TYPE,
            inherited_from=self._header.parent if copied and self._header.parent_is_there else None,
            late=number in survey.clock.late,
        )
        self._relabelled = self._header.parent if copied and not self._header.parent_is_there else None
        kind: RecordClass
        if is_hollow(row):
            self._report.skip_line("message_invalid_message", line)
            kind = "skipped"
        else:
            kind = self._context(row, events) if is_context(row) else self._aside(row, events)
        self._keep(row.id or f"line:{line}", [] if kind in ("state", "opaque") else events)
        if imported is not None:
            late = imported.passed(row.id)
            if self._restorer is not None and row.id is not None:
                events.extend(self._restorer.after(row.id, self._common, late))
        if kind == "used" and self._common["inherited_from"] is not None:
            kind = "inherited"
        return kind, events

    def _start(self, row: Entry, events: list[Event]) -> None:
        header = self._header
        self._begin("header", time=timestamps.parse(row.timestamp))
        self._learn(
            {"cwd": header.cwd, "title": header.title, "model": header.model, "provider": header.provider}, events
        )

    def _keep(self, entry: str, events: list[Event]) -> None:
        """Remember which event stands for an entry that a compaction names as the first it keeps."""
        first = next((event.id for event in events if not isinstance(event, Meta)), None)
        if first is not None and self._waiting:
            for name in self._waiting:
                self._kept[name] = first
            self._waiting.clear()
        if entry in self._survey.kept:
            self._kept[entry] = first
            if first is None:
                self._waiting.append(entry)

    def _context(self, row: Entry, events: list[Event]) -> RecordClass:
        kind = row.type
        if kind == "message":
            assert row.message is not None
            return self._message(row, row.message, events)
        if kind == "custom_message":
            return self._custom_message(row.custom_type, row.content, row.display, events)
        if kind == "compaction":
            name, parent = self._next()
            kept = self._first_kept(row)
            self._compaction(name, parent, row.summary, kept, row.tokens_before, events)
            return "used"
        return self._summary(row.summary, events)

    def _compaction(
        self,
        name: str,
        parent: str | None,
        summary: str | None,
        kept: str | None,
        before: float | None,
        events: list[Event],
    ) -> None:
        events.append(
            Compaction(
                id=name,
                parent=parent,
                summary=summary or "",
                first_kept=kept,
                tokens_before=_whole(before),
                **self._common,
            )
        )

    def _first_kept(self, row: Entry) -> str | None:
        if row.first_kept_entry_id:
            return None if row.first_kept_entry_id == row.id else self._kept.get(row.first_kept_entry_id)
        return self._kept.get(self._survey.line_of(row.first_kept_entry_index) or "")

    def _summary(self, text: str | None, events: list[Event], prefix: str = "") -> RecordClass:
        if not text:
            return "state"
        name, parent = self._next()
        events.append(Summary(id=name, parent=parent, text=text.removeprefix(prefix), leaf=parent, **self._common))
        return "used"

    def _custom_message(
        self,
        kind: str | None,
        content: str | list[Block] | None,
        display: bool | None,
        events: list[Event],
    ) -> RecordClass:
        if self._imported is not None:
            if kind == SUMMARY_TYPE and isinstance(content, str) and content.startswith(SUMMARY_PREFIX):
                return self._summary(content, events, SUMMARY_PREFIX)
            if kind == RESULT_TYPE:
                kind = _STRAY_RESULT
        blocks = self._blocks(content, events)
        self._say("system", blocks, events, injected=kind or "custom", hidden=display is False)
        return "used"

    def _message(self, row: Entry, message: PiMessage, events: list[Event]) -> RecordClass:
        role = message.role
        if role == "assistant":
            self._assistant(row, message, events)
        elif role == "user":
            self._user(row, message, events)
        elif role == "toolResult":
            self._result(message, events)
        elif role in ("bashExecution", "pythonExecution"):
            self._shell(message, events)
        elif role in ("custom", "hookMessage"):
            return self._custom_message(message.custom_type, message.content, message.display, events)
        elif role == "system":
            return self._system(message, events)
        elif role == "developer":
            self._say("system", self._blocks(message.content, events), events, injected="developer")
        elif role == "fileMention":
            self._mention(message, events)
        elif role == "branchSummary":
            return self._summary(message.summary, events)
        elif role == "compactionSummary":
            name, parent = self._next()
            self._compaction(name, parent, message.summary, None, message.tokens_before, events)
        else:
            self._unknown(role or "(no role)", self._whole(), events)
            return "opaque"
        return "used"

    def _user(self, row: Entry, message: PiMessage, events: list[Event]) -> None:
        blocks = self._blocks(message.content, events)
        if self._child or (self._imported is not None and self._imported.is_task(row.id or "")):
            self._say("system", blocks, events, injected=TASK)
        elif message.synthetic:
            self._say("system", blocks, events, injected="synthetic")
        else:
            self._say("user", blocks, events)

    def _system(self, message: PiMessage, events: list[Event]) -> RecordClass:
        blocks = [block for block in self._blocks(message.content, events) if not _is_blank(block)]
        if not blocks:
            return "state"
        self._say("system", blocks, events, injected=_SYSTEM_PROMPT)
        return "used"

    def _mention(self, message: PiMessage, events: list[Event]) -> None:
        blocks: list[Content] = []
        for file in message.files or ():
            blocks.append(Text(text=f"{file.path or ''}\n{file.content or ''}".strip()))
            if file.image is not None and (picture := said_block(file.image)) is not None:
                blocks.append(picture)
        self._say("system", blocks, events, injected="file_mention")

    def _blocks(self, content: str | list[Block] | None, events: list[Event]) -> list[Content]:
        if isinstance(content, str):
            return [Text(text=content)]
        blocks: list[Content] = []
        for index, block in enumerate(content or ()):
            said = said_block(block)
            if said is not None:
                blocks.append(said)
            else:
                self._unknown(block.type or "(no type)", self._inner.clean(self._text, index, *_CONTENTS), events)
        return blocks

    def _assistant(self, row: Entry, message: PiMessage, events: list[Event]) -> None:
        content = message.content
        blocks: list[Content] = [Text(text=content)] if isinstance(content, str) else []
        results: list[ServerBlock] = []
        imported = self._imported if (message.api or "").startswith("imported-") else None
        for index, block in enumerate(content if isinstance(content, list) else ()):
            said = answer_block(block, self._survey.calls.unanswered, imported)
            if said is None and block.type == "anthropicServerTool" and block.block is not None:
                said = _server_call(block.block)
                if said is None and (block.block.type or "").endswith("_tool_result"):
                    results.append(block.block)
                    continue
            if said is not None:
                blocks.append(said)
            elif block.type != "fallback":
                self._unknown(block.type or "(no type)", self._inner.clean(self._text, index, *_CONTENTS), events)
        foreign = (message.api or "").startswith("imported-")
        usage = row.usage or message.usage
        tokens = tokens_of(usage) if usage is not None and not foreign else None
        if imported is not None:
            tokens = imported.tokens(row.id or "")
        self._learn({"model": message.model, "provider": message.provider}, events)
        self._say(
            "assistant",
            blocks,
            events,
            message_id=message.response_id,
            model=message.model,
            provider=message.provider,
            stop_reason=message.stop_reason,
            tokens=tokens,
            fault=message.stop_reason if message.stop_reason in _FAULTS else None,
            signer=_signer(message),
        )
        for result in results:
            name, parent = self._next()
            text = bytes(clean_raw(result.content)).decode("utf-8", "replace")
            events.append(
                ToolResult(
                    id=name,
                    parent=parent,
                    call_id=result.tool_use_id or "",
                    content=(Text(text=text),) if text else (),
                    **self._common,
                )
            )

    def _result(self, message: PiMessage, events: list[Event]) -> None:
        blocks = self._blocks(message.content, events)
        call, tool = message.tool_call_id or "", message.tool_name
        if self._imported is not None:
            call, tool = self._imported.original(call), self._imported.original(tool or "") or None
        details = bytes(message.details)
        name, parent = self._next()
        early = (message.tool_call_id or "") in self._early
        self._early.discard(message.tool_call_id or "")
        events.append(
            ToolResult(
                id=name,
                parent=parent,
                call_id=call,
                name=tool,
                content=tuple(block for block in blocks if not (isinstance(block, Text) and not block.text)),
                status="error" if message.is_error else "ok",
                duration_ms=_whole(message.duration_ms),
                details=clean_raw(message.details) if details and details != b"null" else NO_RAW,
                early=early,
                **self._common,
            )
        )

    def _shell(self, message: PiMessage, events: list[Event]) -> None:
        name, parent = self._next()
        events.append(
            Shell(
                id=name,
                parent=parent,
                command=message.command if message.command is not None else message.code or "",
                output=message.output or "",
                exit_code=_whole(message.exit_code, negative=True),
                cancelled=bool(message.cancelled),
                truncated=bool(message.truncated),
                excluded=bool(message.exclude_from_context),
                **self._common,
            )
        )

    def _aside(self, row: Entry, events: list[Event]) -> RecordClass:
        """An entry that the model never sees."""
        kind = row.type
        if kind == "model_change":
            provider, model = row.provider, row.model_id
            if model is None and row.model and row.role in (None, "default"):
                provider, _, model = row.model.rpartition("/") if row.model.count("/") < 2 else row.model.partition("/")
            self._learn({"model": model, "provider": provider}, events)
            return "state"
        if kind == "session_info":
            self._learn({"title": (row.name or "").strip()}, events)
        elif kind == "title_change":
            self._learn({"title": (row.title or "").strip()}, events)
        elif kind not in STATE_TYPES:
            self._report.see_unknown(kind or "(no type)")
            self._outside(kind or "(no type)", self._whole(), events)
            return "opaque"
        return "used" if kind in _USED_STATE else "state"


def _signer(message: PiMessage) -> str | None:
    """Whose signatures a message carries: other interfaces put words of their own there."""
    vendor = billing_provider(message.provider)
    return vendor if vendor is not None and message.api in _SIGNING.get(vendor, ()) else None


def _server_call(block: ServerBlock) -> Content | None:
    if block.type != "server_tool_use":
        return None
    arguments = clean_raw(block.input) if bytes(block.input) else msgspec.Raw(b"{}")
    return ToolCall(id=block.id or "", name=block.name or "", arguments=arguments)


def _is_blank(block: Content) -> bool:
    return isinstance(block, Text) and not block.text


def _whole(number: float | None, *, negative: bool = False) -> int | None:
    """A count, when it is one."""
    if number is None or not -_MOST < number < _MOST or (number < 0 and not negative):
        return None
    return int(number)
