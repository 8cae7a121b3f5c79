"""The first pass over a session of Kimi CLI: what only the ends of its files tell."""

from __future__ import annotations

from typing import NamedTuple, TypeVar

from panscript.readers.clock import Clock
from panscript.readers.jsonl import Parsed, rows
from panscript.readers.kimi.content import text_of, without_wrapping
from panscript.readers.kimi.contexts import summary_in
from panscript.readers.kimi.files import is_record
from panscript.schemas import timestamps
from panscript.schemas.counts import count
from panscript.schemas.events import Tokens
from panscript.schemas.kimi.lean import (
    CliRow,
    CliUsage,
    Payload,
    UsageCliRow,
    UsageMessage,
    WireMessage,
    cli_decoder,
)
from panscript.schemas.records import Source
from panscript.schemas.report import FileReport

__all__ = ["CliSurvey", "Spending", "Spent", "innermost", "missing", "survey_cli", "tokens_of"]

_SAID = 4000
_INSIDE = "SubagentEvent"
_SAYING = frozenset({"TurnBegin", "SteerInput", "ContentPart", "ToolCall", "ToolResult", _INSIDE})
"""What happens that is a part of the conversation."""
Message = TypeVar("Message", WireMessage, UsageMessage)


class Spent(NamedTuple):
    """A response that was billed."""

    record: int
    """The record that carries its counts."""
    place: str
    time: int
    tokens: Tokens
    message_id: str | None
    agent_id: str | None
    closing: int
    """The record that its message ends with; -1 where it has none."""


def innermost(message: Message) -> tuple[Message, str | None]:
    """What happened, and the id of the sub-agent in which it did; None for the session itself."""
    agent = None
    while message.type == _INSIDE and message.payload is not None and message.payload.event is not None:
        payload = message.payload
        agent = payload.agent_id or payload.parent_tool_call_id or payload.task_tool_call_id or agent or "subagent"
        message = message.payload.event
    return message, agent


def missing(row: CliRow | UsageCliRow) -> str | None:
    """The code for a line of the wire that holds nothing of what happened; None for any other line."""
    if row.role is not None:
        return None
    if row.message is None:
        return "message_invalid_message" if row.type is None and row.timestamp is not None else None
    inner: WireMessage | UsageMessage = row.message
    while inner.type == _INSIDE and inner.payload is not None and inner.payload.event is not None:
        inner = inner.payload.event
    return "invalid_payload" if inner.type in _SAYING and inner.payload is None else None


def tokens_of(usage: CliUsage) -> Tokens:
    """The counts in disjoint buckets."""
    fresh, output = count(usage.input_other), count(usage.output)
    read, write = count(usage.input_cache_read), count(usage.input_cache_creation)
    return Tokens(
        input=fresh,
        output=output,
        cache_read=read,
        cache_write=write,
        total=count(usage.total) or fresh + output + read + write,
    )


class Spending:
    """What the responses of a session were billed."""

    def __init__(self) -> None:
        self.empty = self.timeless = 0
        """Lines with usage that cannot be told: without tokens, without a time."""
        self._best: dict[tuple[str | None, str], Spent] = {}

    def add(
        self,
        number: int,
        place: str,
        time: int | None,
        usage: CliUsage,
        message_id: str | None,
        agent: str | None,
        closing: int = -1,
    ) -> None:
        """The counts of record `number`. Of several for one message the largest is right, then the newest."""
        tokens = tokens_of(usage)
        if not tokens.total:
            self.empty += 1
            return
        if time is None:
            self.timeless += 1
            return
        key = agent, message_id or f"#{number}"
        known = self._best.get(key)
        spent = Spent(number, place, time, tokens, message_id, agent, closing)
        if known is None:
            self._best[key] = spent
        elif (known.tokens.total, known.time) <= (tokens.total, time):
            # What the message ends with is known from the first of them.
            self._best[key] = spent._replace(closing=known.closing if known.closing >= 0 else closing)

    def spent(self) -> list[Spent]:
        """Each response once, in the order of the first counts of each."""
        return list(self._best.values())

    def tell(self, report: FileReport) -> None:
        """Count what cannot be told."""
        for code, times in (("no_token_usage", self.empty), ("invalid_timestamp", self.timeless)):
            if times:
                report.skip(code, times)


class CliSurvey:
    """Facts of the whole session, with the records of all its files counted from 0."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.records = 0
        self.turns = 0
        """Times a person spoke, as the wire has them."""
        self.spoken = 0
        """The same, as the context has them."""
        self.said = 0
        """Messages in the context."""
        self.compactions = 0
        self.closing: set[int] = set()
        """The records that the messages of responses end with."""
        self.interrupted: set[int] = set()
        self.unanswered: set[str] = set()
        self.failed: set[str] = set()
        """Calls that the wire says failed: the context does not tell."""
        self.spent: list[Spent] = []
        self.first_prompt: str | None = None
        self.seen = self.understood = False
        self.damaged = 0
        self.spending = Spending()
        self._context_prompt: str | None = None
        self._last: dict[str | None, int] = {}
        """The last record of the open response of the session (None) and of each sub-agent."""
        self._answered: set[str] = set()

    @property
    def from_context(self) -> bool:
        """The context tells more of the conversation than the wire: it does where the wire was begun later."""
        return self.said > 0 and self.turns < max(1, self.spoken)

    def row(self, number: int, parsed: Parsed) -> None:
        """One line that is JSON."""
        row: CliRow = parsed.row
        if row.role is not None:
            self.understood = True
            self._context(row)
        elif row.message is not None and row.message.type is not None:
            self.understood = True
            message, agent = innermost(row.message)
            time = timestamps.parse(row.timestamp)
            if time is not None:
                self.clock.add(number, time)
            if missing(row) is not None:
                # Nothing was said: a prompt that is lost here may stand in the context.
                self.damaged += 1
                return
            self._wire(number, message, agent, time, parsed.place)
        elif row.type == "metadata":
            self.understood = True
        else:
            self.damaged += missing(row) is not None

    def _context(self, row: CliRow) -> None:
        role = row.role or ""
        if role.startswith("_"):
            return
        self.said += 1
        for call in row.tool_calls or ():
            if call.id:
                self.unanswered.add(call.id)
        if role == "tool":
            self._answered.add(row.tool_call_id or "")
        elif role == "user" and summary_in(row) is None:
            text = text_of(row.content)
            if without_wrapping(text) is None:
                self.spoken += 1
                self._context_prompt = self._context_prompt or text[:_SAID] or None

    def _wire(self, number: int, message: WireMessage, agent: str | None, time: int | None, place: str) -> None:
        kind, payload = message.type, message.payload or Payload()
        if kind in ("TurnBegin", "SteerInput"):
            self._close(agent)
            if agent is None:
                self.turns += 1
                text = text_of(payload.user_input)
                self.first_prompt = self.first_prompt or text[:_SAID].strip() or None
        elif kind in ("StepBegin", "TurnEnd", "StepRetry"):
            self._close(agent)
        elif kind in ("ContentPart", "ToolCall"):
            self._last[agent] = number
            if kind == "ToolCall" and payload.id:
                self.unanswered.add(payload.id)
        elif kind == "ToolResult":
            self._answered.add(payload.tool_call_id or "")
            if payload.return_value is not None and payload.return_value.is_error:
                self.failed.add(payload.tool_call_id or "")
        elif kind == "StepInterrupted":
            if agent in self._last:
                self.interrupted.add(self._last[agent])
            self._close(agent)
        elif kind == "CompactionEnd" and agent is None:
            self.compactions += 1
        elif kind == "StatusUpdate" and payload.token_usage is not None:
            closing = self._last.get(agent, -1)
            self.spending.add(number, place, time, payload.token_usage, payload.message_id, agent, closing)

    def _close(self, agent: str | None) -> None:
        last = self._last.pop(agent, None)
        if last is not None:
            self.closing.add(last)

    def end(self) -> None:
        """The files are over."""
        for agent in list(self._last):
            self._close(agent)
        self.clock.end()
        self.unanswered -= self._answered
        self._answered.clear()
        self.spent = self.spending.spent()
        if self.from_context or self.first_prompt is None:
            self.first_prompt = self._context_prompt or self.first_prompt


def survey_cli(source: Source) -> CliSurvey:
    """Read the files once. Lines that cannot be read are only counted; the second pass reports them."""
    found = CliSurvey()
    for number, parsed in enumerate(rows([file.path for file in source.transcripts], cli_decoder, is_record)):
        found.records += 1
        if parsed.trouble is not None and parsed.trouble.skip is not None:
            found.damaged += 1
        if parsed.trouble is None or not parsed.trouble.blank:
            found.seen = True
        if parsed.row is not None:
            found.row(number, parsed)
    found.end()
    return found
