"""The first pass over a log: what only its end tells."""

from __future__ import annotations

from panscript.readers.clock import Clock
from panscript.readers.dsh.content import is_rewrite, said_text
from panscript.readers.dsh.files import Header, is_known, is_record, is_there, milliseconds, parsed_header
from panscript.readers.jsonl import rows
from panscript.schemas.dsh.lean import Event, Message, Route, Row, UsageRow, row_decoder
from panscript.schemas.records import Source

__all__ = ["CHUNKS", "Survey", "answered_call", "missing", "survey", "time_of"]

CHUNKS = frozenset({"assistant/chunk", "text-chunks", "reasoning-chunks", "tool-call-chunks"})
"""Lines that hold pieces of a response."""
_ANSWERED = frozenset({"system/message", "assistant/message", "tool/result"})
_SAID = _ANSWERED | {"user/message", "tool/call"}


def time_of(row: Event) -> int | None:
    """The time of an event; of packed chunks that of the first."""
    return milliseconds(row.time if row.time is not None else row.time0)


def missing(row: Row | UsageRow) -> str | None:
    """The code for a line of the conversation that holds nothing of it; None for any other."""
    kind, data = row.type, row.data
    if data is None:
        if kind in _SAID:
            return "message_invalid_message"
        return "invalid_payload" if kind in CHUNKS or kind == "compaction/summary" else None
    return "message_invalid_message" if kind in _ANSWERED and data.message is None else None


class Survey:
    """Feed it every record in file order, then `end` it."""

    def __init__(self, source: Source) -> None:
        self._path = source.files[-1].path
        self.header: Header | None = None
        self.records = 0
        self.damaged = 0
        self.seen = self.understood = False
        self.clock = Clock()
        self.boundary = -1
        """Number of the first record that is the session's own; -1 when all are."""
        self.parent_is_there = False
        self.title: str | None = None
        self.first_prompt: str | None = None
        self.model: str | None = None
        self.provider: str | None = None
        self.unanswered: set[str] = set()
        self._first = True

    def nothing(self) -> None:
        """A record that cannot be read."""
        self.records += 1

    def row(self, number: int, row: Row) -> None:
        """The next record."""
        self.records += 1
        self.understood = self.understood or is_known(row)
        if self._first:
            self._first = False
            self.header = parsed_header(self._path, row if row.type == "session" else None)
            if row.type == "session":
                return
        self.damaged += missing(row) is not None
        time = time_of(row)
        if time is not None:
            self.clock.add(number, time)
        header = self.header
        assert header is not None
        if header.seed_length and row.seq is not None and row.seq < header.seed_length:
            self.boundary = number + 1
        data = row.data
        if data is None:
            return
        kind = row.type
        if kind == "session/end-seed":
            if data.inherited and header.is_seeded:
                self.boundary = number
        elif kind == "assistant/message":
            self._answer(data.message)
        elif kind == "tool/call":
            self.unanswered.add(data.call_id or "")
        elif kind == "tool/result":
            self._result(data.message)
        elif kind == "session/title":
            self.title = (data.title or "").strip() or self.title
        elif kind == "user/message" and self.first_prompt is None and not is_rewrite(row):
            self._prompt(data)

    def _answer(self, message: Message | None) -> None:
        if message is None:
            return
        source = message.origin
        if source is not None and source.model:
            self.model = source.model.model if isinstance(source.model, Route) else source.model
            self.provider = source.provider
        if isinstance(message.content, list):
            self.unanswered.update(block.id for block in message.content if block.type == "tool-call" and block.id)

    def _result(self, message: Message | None) -> None:
        if message is not None:
            self.unanswered.discard(answered_call(message))

    def _prompt(self, message: Message) -> None:
        text = said_text(message.content)
        if (message.origin is None or message.origin.kind in (None, "user")) and text.strip():
            self.first_prompt = text[:4000]

    def end(self) -> None:
        """The log is over."""
        if self.header is None:
            self.header = parsed_header(self._path, None)
        self.clock.end()
        self.unanswered.discard("")
        if self.boundary >= 0 and self.header.parent is not None:
            self.parent_is_there = is_there(self._path, self.header.parent)


def answered_call(message: Message) -> str:
    """Id of the call that a result answers."""
    if message.tool_call_id:
        return message.tool_call_id
    if message.origin is not None and message.origin.call_id:
        return message.origin.call_id
    blocks = message.content if isinstance(message.content, list) else ()
    return next((block.tool_call_id for block in blocks if block.tool_call_id), "")


def survey(source: Source) -> Survey:
    """Read the log once. Lines that cannot be read are only counted; the second pass reports them."""
    found = Survey(source)
    for number, parsed in enumerate(rows([source.files[-1].path], row_decoder, is_record)):
        trouble = parsed.trouble
        if trouble is not None and trouble.skip is not None:
            found.damaged += 1
        found.seen = found.seen or trouble is None or not trouble.blank
        if parsed.row is None:
            found.nothing()
        else:
            found.row(number, parsed.row)
    found.end()
    return found
