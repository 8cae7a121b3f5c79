"""The second pass over a session of Kimi CLI: lines of its context and its wire become events.

The wire has times, usage and how calls ended, and it keeps what a compaction took out of the context; so it is
followed where it has all of the conversation, and the messages of the context are only said again there.
"""

from __future__ import annotations

from collections import deque
from pathlib import Path

import msgspec

from panscript.readers.kimi.cli_survey import CliSurvey, innermost, missing
from panscript.readers.kimi.content import (
    blocks_of,
    call_of,
    details_of,
    part_of,
    returned,
    text_of,
    without_wrapping,
)
from panscript.readers.kimi.contexts import KEPT, Summaries, summary_in
from panscript.readers.kimi.files import Elsewhere
from panscript.readers.speaking import Speaker
from panscript.schemas import timestamps
from panscript.schemas.events import TASK, Block, Compaction, Event, Opaque, Text, ToolResult
from panscript.schemas.kimi.lean import CliRow, Payload, WireMessage
from panscript.schemas.records import RecordClass
from panscript.schemas.report import FileReport

__all__ = ["CliTranslator"]

_STATE = frozenset(
    """
    TurnEnd StepBegin StepInterrupted StepRetry CompactionBegin StatusUpdate ApprovalRequest ApprovalResponse
    ApprovalRequestResolved QuestionRequest HookTriggered HookResolved HookRequest MCPLoadingBegin MCPLoadingEnd
    Notification PlanDisplay BtwBegin BtwEnd SubagentEvent MCPStatusSnapshot QuestionResponse
    """.split()
)
_TWINS = frozenset({"ToolCallPart", "ToolCallRequest"})
"""A call once more, in pieces or for another program to answer."""
_ERROR = "<system>ERROR"


class CliTranslator(Speaker):
    """Turns one line after the other into its class and its events."""

    def __init__(
        self, survey: CliSurvey, report: FileReport, summaries: Summaries, folder: Path, *, child: bool
    ) -> None:
        """`child`: the session is a sub-agent's, so nobody typed its prompts. `folder`: where sub-agents may have files
        of their own, so that what the wire says of them is said there."""
        super().__init__(report)
        self._survey = survey
        self._summaries = summaries
        self._child = child
        self._tips: dict[str | None, str] = {}
        self._answering: str | None = None
        """The response that the last message of the session is of."""
        self._steps: dict[str | None, str] = {}
        """The open response of the session (None) and of each sub-agent."""
        self._tokens = {spent.closing: spent for spent in survey.spent if spent.closing >= 0}
        self.elsewhere = Elsewhere(folder)
        self._compactions = 0
        self._begun: deque[str] = deque(maxlen=KEPT)
        """The events that the last messages of the session begin with."""
        self._agent: str | None = None
        self._number = 0
        self._message: WireMessage | None = None

    def row(self, number: int, row: CliRow, text: bytes, place: str, line: int) -> tuple[RecordClass, list[Event]]:
        """The class of this record and what it says. `text` is its JSON, `place` names its `line`."""
        self._number, self._text, self._agent = number, text, None
        late = number in self._survey.clock.late
        self._begin(place, time=timestamps.parse(row.timestamp), live=True, late=late)
        events: list[Event] = []
        if row.role is not None:
            return self._context(row, events), events
        if (code := missing(row)) is not None:
            self._report.skip_line(code, line)
            return "skipped", events
        if row.message is not None and row.message.type is not None:
            self._message = row.message
            message, self._agent = innermost(row.message)
            if self._agent is not None and self.elsewhere.tells(self._agent):
                return "twin", events
            self._common |= {"live": self._agent is None, "agent_id": self._agent}
            return self._wire(message, events), events
        if row.type == "metadata":
            return "state", events
        self._odd(row.type or "(no type)", events)
        return "opaque", events

    def _wire(self, message: WireMessage, events: list[Event]) -> RecordClass:
        kind, payload = message.type or "", message.payload or Payload()
        if kind == "StepBegin":
            self._steps[self._agent] = f"step:{self._base}"
        if self._survey.from_context and self._agent is None:
            return "state" if kind in _STATE else "twin"
        if kind in ("TurnBegin", "SteerInput"):
            self._typed(payload, events)
        elif kind == "ContentPart":
            block = part_of(payload)
            if block is None:
                self._odd(payload.type or "(no type)", events, chained=True)
                return "opaque"
            self._answer([block], events)
        elif kind == "ToolCall":
            called = payload.function
            tool, arguments = (called.name, called.arguments) if called is not None else (None, None)
            self._answer([call_of(payload.id, tool, arguments, self._survey.unanswered)], events)
        elif kind == "ToolResult":
            self._result(payload, events)
        elif kind == "CompactionEnd" and self._agent is None:
            return self._compacted(events)
        elif kind in _TWINS:
            return "twin"
        elif kind == "StatusUpdate" and payload.token_usage is not None:
            return "used"
        elif kind not in _STATE and kind != "CompactionEnd":
            self._odd(kind, events)
            return "opaque"
        else:
            return "state"
        return "used"

    def _chain(self, name: str) -> tuple[str, str | None]:
        parent = self._tips.get(self._agent)
        self._tips[self._agent] = name
        return name, parent

    def _typed(self, payload: Payload, events: list[Event]) -> None:
        blocks, unknown = blocks_of(payload.user_input)
        if unknown:
            self._strange(unknown, (*_way_to(self._message, payload), "user_input"), events)
        if not blocks:
            return
        if self._child or self._agent is not None:
            self._say("system", blocks, events, injected=TASK)
        else:
            self._begun.append(self._base)
            self._say("user", blocks, events)

    def _answer(self, blocks: list[Block], events: list[Event]) -> None:
        number = self._number
        if self._agent is None and self._steps.get(None) != self._answering:
            self._answering = self._steps.get(None)
            self._begun.append(self._base)
        closes = number in self._survey.closing
        spent = self._tokens.get(number)
        self._say(
            "assistant",
            blocks,
            events,
            response=self._steps.get(self._agent),
            closes=closes or self._steps.get(self._agent) is None,
            message_id=spent.message_id if spent is not None else None,
            tokens=spent.tokens if spent is not None else None,
            fault="aborted" if number in self._survey.interrupted else None,
        )
        if closes:
            self._steps.pop(self._agent, None)

    def _result(self, payload: Payload, events: list[Event]) -> None:
        value = payload.return_value
        if self._agent is None:
            self._begun.append(self._base)
        blocks, unknown = returned(value) if value is not None else ([], [])
        if unknown:
            self._strange(unknown, (*_way_to(self._message, payload), "return_value", "output"), events)
        name, parent = self._next()
        events.append(
            ToolResult(
                id=name,
                parent=parent,
                call_id=payload.tool_call_id or "",
                content=tuple(blocks),
                status="unknown" if value is None else "error" if value.is_error else "ok",
                details=details_of(value) if value is not None else msgspec.Raw(b""),
                **self._common,
            )
        )

    def _compacted(self, events: list[Event]) -> RecordClass:
        left = self._summaries.of(self._compactions)
        self._compactions += 1
        if left is None or not left.summary:
            # It failed, or what it left is gone: then nothing was replaced that could be shown.
            return "state"
        kept = self._begun[-left.kept] if 0 < left.kept <= len(self._begun) else None
        self._compact(left.summary, kept, events)
        self._begun.clear()
        return "used"

    def _compact(self, summary: str, kept: str | None, events: list[Event]) -> None:
        name, parent = self._next()
        events.append(Compaction(id=name, parent=parent, summary=summary, first_kept=kept, **self._common))

    def _context(self, row: CliRow, events: list[Event]) -> RecordClass:
        """A line of the context."""
        role = row.role or ""
        if role == "_system_prompt":
            text = text_of(row.content)
            if not text:
                return "state"
            self._say("system", [Text(text=text)], events, injected="system_prompt", hidden=True)
            return "used"
        if role in ("_checkpoint", "_usage"):
            return "state"
        if role not in ("user", "assistant", "tool", "system"):
            self._odd(role, events)
            return "opaque"
        if not self._survey.from_context:
            return "twin"
        if (summary := summary_in(row)) is not None:
            self._compact(summary, None, events)
            return "used"
        blocks, unknown = blocks_of(row.content)
        self._strange(unknown, ("content",), events)
        if role == "user":
            return self._context_user(row, blocks, events)
        if role == "tool":
            self._context_result(row, blocks, events)
        elif role == "assistant":
            for call in row.tool_calls or ():
                called = call.function
                tool, arguments = (called.name, called.arguments) if called is not None else (None, None)
                blocks.append(call_of(call.id, tool, arguments, self._survey.unanswered))
            self._say("assistant", blocks, events)
        elif blocks:
            self._say("system", blocks, events, injected="system")
        return "used"

    def _context_user(self, row: CliRow, blocks: list[Block], events: list[Event]) -> RecordClass:
        wrapped = without_wrapping(text_of(row.content))
        if wrapped is not None and wrapped[1].startswith("CHECKPOINT"):
            return "state"
        if wrapped is not None:
            self._say("system", blocks, events, injected=wrapped[0], hidden=True)
        elif blocks and self._child:
            self._say("system", blocks, events, injected=TASK)
        elif blocks:
            self._say("user", blocks, events)
        return "used"

    def _context_result(self, row: CliRow, blocks: list[Block], events: list[Event]) -> None:
        call = row.tool_call_id or ""
        failed = call in self._survey.failed or text_of(row.content).startswith(_ERROR)
        name, parent = self._next()
        events.append(
            ToolResult(
                id=name,
                parent=parent,
                call_id=call,
                content=tuple(blocks),
                status="error" if failed else "ok",
                **self._common,
            )
        )

    def _strange(self, parts: list[tuple[int, str]], way: tuple[str, ...], events: list[Event]) -> None:
        """Parts of a kind that is not known, of which the place and the type are given."""
        for index, kind in parts:
            self._unknown(kind, self._inner.clean(self._text, index, way), events)

    def _odd(self, name: str, events: list[Event], *, chained: bool = False) -> None:
        data = self._whole()
        if chained:
            self._unknown(name, data, events)
            return
        self._report.see_unknown(name)
        events.append(Opaque(id=f"{self._base}:row", name=name, data=data, **self._common))


def _way_to(message: WireMessage | None, payload: Payload) -> tuple[str, ...]:
    """Where this payload stands in a record: a sub-agent's is within another."""
    way = ["message", "payload"]
    while message is not None and message.payload is not None and message.payload is not payload:
        message = message.payload.event
        way += "event", "payload"
    return tuple(way)
