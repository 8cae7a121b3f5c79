"""The second pass over a log: its lines become events."""

from __future__ import annotations

from array import array

from panscript.readers.dsh.chunks import Partial
from panscript.readers.dsh.content import call_block, is_rewrite, said_block, said_text, tokens_of
from panscript.readers.dsh.survey import CHUNKS, Survey, answered_call, missing, time_of
from panscript.readers.rawjson import clean_raw
from panscript.readers.speaking import Speaker
from panscript.schemas.dsh.lean import STATE_TYPES, Block, Data, Message, Operation, Route, Row, Usage, UsageMessage
from panscript.schemas.events import (
    COMPACTION_SUMMARY,
    NO_RAW,
    TASK,
    Compaction,
    Event,
    Text,
    ToolCall,
    ToolResult,
)
from panscript.schemas.events import Block as Content
from panscript.schemas.events import Usage as UsageEvent
from panscript.schemas.naming import billing_provider, model_name
from panscript.schemas.records import RecordClass
from panscript.schemas.report import FileReport

__all__ = ["CHECKPOINT", "ENDS", "Translator", "route_of"]

_CONTENTS = ("data", "message", "content"), ("data", "content")
_INNER = ("content",)

ENDS = frozenset({"step/end", "turn/end", "step/start", "turn/start"})
"""Lines after which no piece of the same response follows."""
CHECKPOINT = "compact-checkpoint"
"""What puts a message before the model that is not said again."""
_FAULTS = {"error": "error", "aborted": "aborted"}


class Translator(Speaker):
    """Turns one line after the other into its class and its events."""

    def __init__(self, survey: Survey, report: FileReport, *, raw: bool) -> None:
        assert survey.header is not None
        super().__init__(report)
        self._survey, self._header, self._raw = survey, survey.header, raw
        self._latest = -1
        self._begun = False
        self._partial: Partial | None = None
        self._calls: set[str] = set()
        """Calls that a message asked for and that have no result yet."""
        self._route: Route | None = None
        self._surface = array("q")
        """Numbers of the events that the model sees, in its order."""
        self._stand_in = dict[int, int]()
        """An event that was cut short for the model -> the one that was told here."""
        self._names = dict[int, str]()

    def row(self, number: int, row: Row, text: bytes, line: int, turn: int) -> tuple[RecordClass, list[Event]]:
        """The class of this record and what it says. `text` is its JSON, `turn` its number on the line, from 0."""
        self._text = text
        inherited = 0 < number < self._survey.boundary and self._header.parent is not None
        there = self._survey.parent_is_there
        self._relabelled = self._header.parent if inherited and not there else None
        self._begin(
            self._name(row, f"{line}.{turn}" if turn else str(line)),
            time=time_of(row),
            inherited_from=self._header.parent if inherited and there else None,
            late=number in self._survey.clock.late,
        )
        events: list[Event] = []
        kind = self._row(row, events, line)
        self._begun = True
        if kind == "used" and inherited and there:
            kind = "inherited"
        return kind, events

    def end(self) -> list[Event]:
        """What only the end of the log allows: a response that was never finished."""
        events: list[Event] = []
        self._base, self._part = "end:response", 0
        self._close(events)
        return events

    def _name(self, row: Row, line: str) -> str:
        """The id of what the record says: its number, which the harness counts up, else that of the line."""
        if row.seq is None or row.seq <= self._latest:
            return f"line:{line}"
        self._latest = row.seq
        return f"seq:{row.seq}"

    def _row(self, row: Row, events: list[Event], line: int) -> RecordClass:
        kind = row.type or ""
        data = row.data
        if kind == "session":
            if self._begun:
                return "state"
            header = self._header
            self._common = {"time": header.created}
            self._learn({"cwd": header.cwd}, events)
            return "used"
        if (code := missing(row)) is not None:
            self._report.skip_line(code, line)
            return "skipped"
        if kind in CHUNKS:
            self._partial = self._partial or Partial(line)
            self._partial.add(row)
            return "twin"
        if kind in ENDS:
            self._close(events)
            return "used" if events else "state"
        if data is None:
            return self._other(kind, events)
        if kind in ("user/message", "system/message", "assistant/message", "tool/result"):
            return self._message(kind, row, data, events)
        if kind == "tool/call":
            return self._call(data, events)
        if kind == "compaction/summary":
            return self._compaction(data, events)
        if kind == "session/title":
            self._learn({"title": (data.title or "").strip()}, events)
        elif kind == "request/header":
            route = data.header.config if data.header is not None else None
            if route is not None:
                self._learn({"model": route.model, "provider": route.provider}, events)
        elif kind == "session/title-llm-request":
            self._route = data.route or Route(provider=data.provider, model=data.model)
        else:
            return self._other(kind, events)
        return "used" if events else "state"

    def _other(self, kind: str, events: list[Event]) -> RecordClass:
        if kind in STATE_TYPES:
            return "state"
        self._report.see_unknown(kind or "(no type)")
        self._outside(kind or "(no type)", self._whole(), events)
        return "opaque"

    def _message(self, kind: str, row: Row, data: Data, events: list[Event]) -> RecordClass:
        message: Message | None = data if kind == "user/message" else data.message
        assert message is not None
        origin = message.origin.kind if message.origin is not None else None
        if is_rewrite(row) and origin != CHECKPOINT:
            # History told again for the model: what was said first is what was said.
            self._replace(row, 0)
            return "twin"
        if kind == "assistant/message":
            self._assistant(message, data.usage, events)
        elif kind == "tool/result":
            self._result(message, data, events)
        elif kind == "system/message":
            self._system(message, origin or "system-prompt", events)
        else:
            self._user(message, origin, events)
        self._show(row)
        return "used"

    def _show(self, row: Row) -> None:
        """The event of this record is what the model sees next, or in place of others."""
        if row.seq is None or not -(1 << 62) < row.seq < 1 << 62:
            return
        if self._base != f"seq:{row.seq}":
            self._names[row.seq] = self._base
        if is_rewrite(row):
            self._replace(row, row.seq)
        elif isinstance(row.surface_op, str):
            self._surface.append(row.seq)

    def _replace(self, row: Row, shown: int) -> None:
        """What stood from one event to another in the model's view is replaced by this one."""
        operation = row.surface_op
        assert isinstance(operation, Operation)
        place = self._range(
            operation.start_seq if operation.start_seq is not None else operation.start,
            operation.end_seq if operation.end_seq is not None else operation.end,
        )
        if place is None or row.seq is None or not -(1 << 62) < row.seq < 1 << 62:
            return
        first, last = place
        if not shown:
            told = self._surface[first]
            self._stand_in[row.seq] = self._stand_in.pop(told, told)
        self._surface[first : last + 1] = array("q", [row.seq])

    def _range(self, start: int | None, end: int | None) -> tuple[int, int] | None:
        if start is None or end is None:
            return None
        try:
            first = self._surface.index(start)
            return first, self._surface.index(end, first)
        except (ValueError, OverflowError):
            return None

    def _compaction(self, data: Data, events: list[Event]) -> RecordClass:
        kept = self._kept(data.shadowed_seqs or [])
        name, parent = self._next()
        before = data.shadowed_token_count
        events.append(
            Compaction(
                id=name,
                parent=parent,
                summary=said_text(data.summary),
                first_kept=kept,
                tokens_before=int(before) if before is not None and 0 <= before < 1 << 53 else None,
                **self._common,
            )
        )
        self._bill(data.usage, Route(provider=data.provider, model=data.model), None, events, told=False)
        return "used"

    def _kept(self, shadowed: list[int]) -> str | None:
        """The first event behind those that a summary stands for, as the model sees them."""
        place = self._range(shadowed[0], shadowed[-1]) if shadowed else None
        if place is None or place[1] + 1 >= len(self._surface):
            return None
        seq = self._surface[place[1] + 1]
        seq = self._stand_in.get(seq, seq)
        return self._names.get(seq, f"seq:{seq}")

    def _blocks(
        self, content: str | list[Block] | None, events: list[Event], around: tuple[int, ...] = ()
    ) -> list[Content]:
        """`around`: the place of the block that these are in."""
        if isinstance(content, str):
            return [Text(text=content)]
        blocks: list[Content] = []
        for index, block in enumerate(content or ()):
            blocks.extend(self._block(block, (*around, index), events))
        return blocks

    def _block(self, block: Block, places: tuple[int, ...], events: list[Event]) -> list[Content]:
        said = said_block(block, self._survey.unanswered)
        if said is not None:
            return [said]
        self._unknown(block.type or "(no type)", self._inner.deep(self._text, places, _CONTENTS, _INNER), events)
        return []

    def _system(self, message: Message, kind: str, events: list[Event]) -> None:
        blocks = self._blocks(message.content, events)
        injected = "system_prompt" if kind == "system-prompt" else kind
        self._say("system", blocks, events, message_id=message.id, injected=injected)

    def _user(self, message: Message, kind: str | None, events: list[Event]) -> None:
        if kind not in (None, "user"):
            injected = COMPACTION_SUMMARY if kind == CHECKPOINT else kind
        elif self._header.is_child and not (self._common["inherited_from"] or self._relabelled):
            injected = TASK
        else:
            injected = None
        blocks = self._blocks(message.content, events)
        self._say("user" if injected is None else "system", blocks, events, message_id=message.id, injected=injected)

    def _assistant(self, message: Message, usage: Usage | None, events: list[Event]) -> None:
        self._partial = None
        source = message.origin
        response = source.replay_state.response if source is not None and source.replay_state is not None else None
        route = route_of(message)
        blocks = self._blocks(message.content, events)
        if isinstance(message.content, list):
            self._calls.update(block.id for block in message.content if block.type == "tool-call" and block.id)
        self._learn({"model": route.model, "provider": route.provider}, events)
        stop = response.stop_reason if response is not None else None
        self._say(
            "assistant",
            blocks,
            events,
            message_id=message.id,
            request_id=response.response_id if response is not None else None,
            model=route.model,
            provider=route.provider,
            stop_reason=stop,
            tokens=tokens_of(usage) if usage is not None else None,
            fault=_FAULTS.get(stop or ""),
        )
        self._bill(usage, route, message.id, events, told=True)

    def _bill(self, usage: Usage | None, route: Route, message: str | None, events: list[Event], *, told: bool) -> None:
        """What the response cost, when it says so. A model that is not named is that of the last title."""
        if usage is None:
            return
        tokens = tokens_of(usage)
        if not (tokens.total or tokens.reasoning):
            self._report.skip("no_token_usage")
            return
        time = self._common["time"]
        if time is None:
            self._report.skip("invalid_timestamp")
            return
        provider = route.provider or (self._route.provider if self._route is not None else None)
        events.append(
            UsageEvent(
                id=f"usage:{self._base}",
                time=time,
                inherited_from=self._common["inherited_from"],
                tokens=tokens,
                model=model_name(route.model or (self._route.model if self._route is not None else None)),
                provider=billing_provider(provider),
                raw_provider=provider,
                message_id=message,
                cwd=self._header.cwd,
                told=told,
                session_id=self._relabelled,
                raw=self._whole() if self._raw else NO_RAW,
            )
        )

    def _close(self, events: list[Event]) -> None:
        """A response of which only pieces were written ended here."""
        partial, self._partial = self._partial, None
        if partial is None:
            return
        blocks = partial.blocks(self._survey.unanswered)
        self._calls.update(block.id for block in blocks if isinstance(block, ToolCall))
        tokens = tokens_of(partial.usage) if partial.usage is not None else None
        if blocks:
            self._say("assistant", blocks, events, fault="aborted", model=self._facts.get("model"), tokens=tokens)
        self._bill(partial.usage, Route(self._facts.get("provider"), self._facts.get("model")), None, events, told=True)

    def _call(self, data: Data, events: list[Event]) -> RecordClass:
        name = data.call_id or ""
        if name and name in self._calls:
            return "twin"
        self._close(events)
        if name and name in self._calls:
            return "used"
        self._calls.add(name)
        block = call_block(name, data.name, data.arguments, self._survey.unanswered)
        self._say("assistant", [block], events, model=self._facts.get("model"), provider=self._facts.get("provider"))
        return "used"

    def _result(self, message: Message, data: Data, events: list[Event]) -> None:
        call = answered_call(message)
        self._calls.discard(call)
        content = message.content
        failed = bool(message.is_error)
        blocks: list[Content] = []
        if isinstance(content, list) and any(block.type == "tool-result" for block in content):
            for index, block in enumerate(content):
                if block.type != "tool-result":
                    blocks.extend(self._block(block, (index,), events))
                    continue
                failed = failed or bool(block.is_error)
                blocks.extend(self._blocks(block.content, events, (index,)))
        else:
            blocks = self._blocks(content, events)
        failed = failed or bytes(data.error) not in (b"", b"null", b"false")
        details = bytes(data.meta)
        name, parent = self._next()
        events.append(
            ToolResult(
                id=name,
                parent=parent,
                call_id=call,
                content=tuple(block for block in blocks if not (isinstance(block, Text) and not block.text)),
                status="error" if failed else "ok",
                details=clean_raw(data.meta) if details not in (b"", b"null") else NO_RAW,
                **self._common,
            )
        )


def route_of(message: Message | UsageMessage) -> Route:
    """The model that gave a message, and who serves it."""
    source = message.origin
    if source is None:
        return Route()
    model = source.model
    if isinstance(model, Route):
        return Route(source.provider or model.provider, model.model)
    return Route(source.provider, model)
