"""What a conversation record was billed, from one pass over its lines that steps over what was said.

The log is replayed as in `survey`, but for summaries: what they say does not matter, and no summary is billed.
"""

from __future__ import annotations

from collections.abc import Iterator

from panscript.readers.billing import of_full_read
from panscript.readers.jsonl import rows
from panscript.readers.recordings import MARKER, Kind
from panscript.readers.recordings.rows import is_document, is_record
from panscript.readers.recordings.survey import as_message, kind_of
from panscript.readers.recordings.usage import Billing
from panscript.readers.scan import Scan
from panscript.schemas import timestamps
from panscript.schemas.billing import Billed
from panscript.schemas.events import Usage
from panscript.schemas.naming import encodable
from panscript.schemas.recordings import ANSWERS, MessageRecord, UsageChange, UsageLine, UsageMessage, usage_decoder
from panscript.schemas.records import Source
from panscript.schemas.report import FileReport

__all__ = ["billed"]


def billed(source: Source, kind: Kind, cwd: str | None, *, report: FileReport) -> Iterator[Billed]:
    """What was billed, in the order of the messages. Documents of the older form are read in full.

    `cwd` is the project's folder, where something beside the session tells it. Raises `SourceError`s.
    """
    paths = [file.path for file in source.transcripts]
    if any(map(is_document, paths)):
        yield from of_full_read(source, report=report)
        return
    scan, found = Scan(source, report, MARKER), _Conversation()
    for parsed in scan.readable(rows(paths, usage_decoder, is_record)):
        scan.understood = found.row(parsed.row) or scan.understood
    scan.judge(f"nothing in it is a {kind.name} message")
    if found.is_doubtful():
        yield from of_full_read(source, report=report)
        return
    if cwd is None and found.kind == "subagent" and found.directories:
        cwd = found.directories[0]
    billing = Billing(
        report=report,
        provider=kind.provider,
        cwd=cwd,
        thoughts_apart=kind.thoughts_apart,
        single_request=kind.single_request,
    )
    report.session_id = found.session_id or encodable(source.id)
    yield from scan.billed((_event(message, billing) for message in found.paid()), report.session_id)


def _event(message: UsageMessage, billing: Billing) -> Usage | None:
    record = MessageRecord(id=message.id, model=message.model, tokens=message.tokens)
    return billing.event(record, "", bytes, {"time": timestamps.parse(message.timestamp), "live": True})


class _Conversation:
    """Feed it every record: it keeps each message in its last version, in the slots of a survey."""

    def __init__(self) -> None:
        self.session_id: str | None = None
        self.kind: str | None = None
        self.directories: list[str] = []
        self._messages: list[UsageMessage] = []
        self._alive = bytearray()
        self._billed = bytearray()
        """1 where some version of the message was billed, 2 where what it cost stands on an earlier slot."""
        self._slots: dict[str, int] = {}
        self._now: list[int] = []
        self._summaries: set[int] = set()
        """Slots that may be summaries."""

    def row(self, row: UsageLine) -> bool:
        """The next record; whether it is one of the agent's."""
        kind = kind_of(row)
        if kind == "rewind":
            slot = self._slot(row.rewind_to)
            self._cut(self._now.index(slot) if slot is not None and slot in self._now else 0)
        elif kind == "message":
            slot = self._slot(row.id)
            if slot is None:
                self._now.append(self._new(row))
            else:
                self._again(slot, row)
        elif kind == "set" and row.set is not None:
            self._state(row.set)
            if row.set.messages is not None:
                self._replace(row.set.messages)
        elif kind == "meta":
            self._state(row)
            if row.messages:
                self._replace(row.messages)
        elif kind == "content":
            self._now.append(self._new(as_message(row)))
        return kind is not None

    def _state(self, said: UsageLine | UsageChange) -> None:
        self.session_id = said.session_id or self.session_id
        self.kind = said.kind or self.kind
        self.directories = said.directories or self.directories

    def _slot(self, name: str | None) -> int | None:
        slot = self._slots.get(name) if name is not None else None
        return slot if slot is not None and self._alive[slot] else None

    def _new(self, row: UsageMessage) -> int:
        slot = len(self._messages)
        earlier = self._slots.get(row.id) if row.id is not None else None
        if row.id is not None:
            self._slots[row.id] = slot
        self._messages.append(row)
        self._alive.append(1)
        self._billed.append(2 if earlier is not None and self._billed[earlier] else 0)
        self._again(slot, row)
        return slot

    def _again(self, slot: int, row: UsageMessage) -> None:
        self._messages[slot] = row
        if row.type in ANSWERS and row.tokens is not None:
            self._billed[slot] |= 1

    def _cut(self, keep: int) -> None:
        for slot in self._now[keep:]:
            self._alive[slot] = 0
        del self._now[keep:]

    def _replace(self, messages: list[UsageMessage]) -> None:
        known = [self._slot(row.id) for row in messages]
        now = []
        for row, slot in zip(messages, known, strict=True):
            if slot is not None:
                self._again(slot, row)
                now.append(slot)
            elif row.id is not None:
                now.append(self._new(row))
                if row.type == "user":
                    self._summaries.add(now[-1])
        self._cut(0)
        for slot in now:
            self._alive[slot] = 1
        self._now = now

    def _paid(self, slot: int) -> bool:
        row = self._messages[slot]
        return row.type in ANSWERS and row.tokens is not None and not self._billed[slot] & 2

    def is_doubtful(self) -> bool:
        """Whether an answer took the id of what may be a summary: then only what was said tells what it is."""
        return any(map(self._paid, self._summaries))

    def paid(self) -> Iterator[UsageMessage]:
        """The messages that carry counts of their own."""
        return (row for slot, row in enumerate(self._messages) if self._paid(slot))
