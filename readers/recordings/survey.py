"""The first pass over a conversation record: which messages there are, where their last versions stand, which are live.

The log is replayed as the agent replays it. Every message that comes to stand in the conversation gets a slot, in the
order in which they come; what the model was told in place of earlier messages gets one, too.
"""

from __future__ import annotations

from array import array
from typing import TypeVar

from panscript.readers.branches import Branches
from panscript.readers.clock import Clock
from panscript.readers.genai import command_run, parts_of, pieces
from panscript.readers.recordings.rows import Place, records
from panscript.schemas import timestamps
from panscript.schemas.events import Text
from panscript.schemas.packed import PackedMap
from panscript.schemas.recordings import ANSWERS, Change, Line, MessageRecord, ToolCallRecord, UsageLine
from panscript.schemas.records import Source

__all__ = [
    "COMPACTED",
    "COUNTED",
    "MADE_UP",
    "RENAMED",
    "Survey",
    "as_message",
    "has_result",
    "kind_of",
    "survey",
]

AnyLine = TypeVar("AnyLine", Line, UsageLine)
RENAMED = 1
"""The id of the message stands on an earlier slot, or looks like one that the reader makes."""
COUNTED = 2
"""What the message cost stands on an earlier slot."""
COMPACTED = 4
"""The slot is a summary in place of what came before."""
MADE_UP = 8
"""The agent wrote this answer itself, to go with the summary."""
_ALIVE = 16
_SAID = 32
"""A person or a model said it."""
_BILLED = 64
_OWN = frozenset({"session", "end"})
_PROMPTS = 64
_DONE = frozenset({"success", "error", "cancelled"})


def kind_of(row: Line | UsageLine) -> str | None:
    """What a line is, judged in the order of the agent: `rewind`, `message`, `set`, `meta`; None for anything else."""
    if row.rewind_to is not None:
        return "rewind"
    if row.id is not None:
        return "message"
    if row.set is not None:
        return "set"
    if row.session_id is not None and (row.project_hash is not None or row.start_time is not None):
        return "meta"
    return "content" if row.role is not None and row.parts is not None else None


def as_message(row: AnyLine) -> AnyLine:
    """A bare content of a saved chat as the message it was."""
    if row.id is None and row.role is not None and row.parts is not None:
        row.type = "user" if row.role == "user" else "gemini"
        if isinstance(row, Line):
            row.content = list(row.parts)
    return row


def has_result(call: ToolCallRecord) -> bool:
    """Whether the record of the call says how it ended."""
    return call.result is not None or call.status in _DONE


class Survey:
    """Facts of the whole session, with slots counted from 0."""

    def __init__(self) -> None:
        self.branches = Branches(exact=True)
        self.clock = Clock()
        self.records = 0
        self.slot_records = array("I")
        """Number of the record that brought the slot."""
        self.flags = bytearray()
        self.answered = PackedMap()
        """Ids of calls that have a result."""
        self.compactions: dict[int, tuple[int, int | None]] = {}
        """Slot of a summary -> slot that has its text, slot of the first message that was kept."""
        self.kept: set[int] = set()
        self.session_id: str | None = None
        self.project_hash: str | None = None
        self.kind: str | None = None
        self.directories: list[str] = []
        self.created: int | None = None
        self.updated: int | None = None
        self.title: str | None = None
        self.model: str | None = None
        self.first_prompt: str | None = None
        self.seen = self.understood = self.headed = False
        self.damaged = self.repeated = 0
        self._files = bytearray()
        self._turns = bytearray()
        self._offsets, self._lengths, self._items = array("q"), array("q"), array("i")
        self._ids = PackedMap()
        self._now = array("I")
        """Slots of the conversation as it stands."""
        self._prompts: list[tuple[int, str]] = []

    def place(self, slot: int) -> Place:
        """Where the last version of this message stands."""
        return Place(self._files[slot], self._offsets[slot], self._lengths[slot], self._turns[slot], self._items[slot])

    def row(self, row: Line, place: Place) -> None:
        """One record that is JSON."""
        kind = kind_of(row)
        self.understood = self.understood or kind is not None
        if kind == "rewind":
            self._rewind(row.rewind_to or "")
        elif kind == "message":
            self._message(row, place)
        elif kind == "set":
            assert row.set is not None
            self._state(row.set)
            if row.set.messages is not None:
                self._replace(row.set.messages, place)
        elif kind == "meta":
            self.headed = True
            self._state(row)
            if row.messages:
                self._replace(row.messages, place)
        elif kind == "content":
            self._now.append(self._new(as_message(row), place))

    def _state(self, said: Line | Change) -> None:
        self.session_id = said.session_id or self.session_id
        self.project_hash = said.project_hash or self.project_hash
        self.kind = said.kind or self.kind
        self.title = (said.summary or "").strip() or self.title
        self.directories = said.directories or self.directories
        started, updated = timestamps.parse(said.start_time), timestamps.parse(said.last_updated)
        self.created = self.created if self.created is not None else started
        self.updated = updated if updated is not None else self.updated

    def _message(self, row: MessageRecord, place: Place) -> None:
        slot = self._slot(row.id)
        if slot is None:
            self._now.append(self._new(row, place))
        else:
            self._again(slot, row, place)

    def _slot(self, name: str | None) -> int | None:
        """The slot of a message that stands in the conversation."""
        slot = self._ids.get(name) if name is not None else None
        return slot if slot is not None and self.flags[slot] & _ALIVE else None

    def _new(self, row: MessageRecord | None, place: Place, flags: int = 0) -> int:
        slot = len(self.flags)
        name = row.id if row is not None else None
        if name is not None:
            if (earlier := self._ids.get(name)) is not None:
                self.repeated += 1
                flags |= RENAMED
                if self.flags[earlier] & (COUNTED | _BILLED):
                    flags |= COUNTED
            elif ":" in name or "#" in name or name in _OWN:
                flags |= RENAMED
            self._ids.put(name, slot)
        self.branches.place(None, "", "branch")
        self.slot_records.append(self.records)
        self.flags.append(flags | _ALIVE)
        self._files.append(0)
        self._turns.append(0)
        for packed in (self._offsets, self._lengths, self._items):
            packed.append(0)
        self._again(slot, row, place)
        return slot

    def _again(self, slot: int, row: MessageRecord | None, place: Place) -> None:
        """This is now the message's version that counts."""
        self._files[slot], self._turns[slot] = place.file & 255, place.turn & 255
        self._offsets[slot], self._lengths[slot], self._items[slot] = place.offset, place.length, place.item
        if row is None:
            return
        time = timestamps.parse(row.timestamp)
        if time is not None:
            self.clock.add(slot, time)
        if row.type in ANSWERS:
            self.flags[slot] |= _SAID if row.tokens is None else _SAID | _BILLED
            self.model = row.model or self.model
        for call in row.tool_calls or ():
            if call.id is not None and has_result(call):
                self.answered.put(call.id, 0)
        if row.type == "user" and not self.flags[slot] & COMPACTED:
            self._person(slot, row)

    def _person(self, slot: int, row: MessageRecord) -> None:
        parts = parts_of(row.content)
        for part in parts:
            if part.function_response is not None:
                self.answered.put(part.function_response.id or "", 0)
        text = _typed(row)
        if text and len(self._prompts) < _PROMPTS and (not self._prompts or self._prompts[-1][0] != slot):
            self._prompts.append((slot, text[:4000]))
        if text:
            self.flags[slot] |= _SAID

    def _rewind(self, name: str) -> None:
        slot = self._slot(name)
        keep = self._now.index(slot) if slot is not None and slot in self._now else 0
        self._cut(keep)

    def _cut(self, keep: int) -> None:
        """Only the first messages of the conversation stay."""
        if keep >= len(self._now):
            return
        for slot in self._now[keep:]:
            self.flags[slot] &= ~_ALIVE
        del self._now[keep:]
        self.branches.rewind(self._now[-1] if keep else -1)

    def _replace(self, messages: list[MessageRecord], place: Place) -> None:
        """These messages are the conversation from now on."""
        before = self._now
        known = [self._slot(row.id) for row in messages]
        stay = {slot for slot in known if slot is not None}
        gone = [slot for slot in before if slot not in stay]
        summary = self._summary(messages, known) if any(self.flags[slot] & _SAID for slot in gone) else None
        if gone and summary is None:
            said = [slot for slot in before if self.flags[slot] & _SAID]
            first = next((number for number, slot in enumerate(before) if slot in gone), len(before))
            tail = [slot for slot in said if slot not in stay]
            if tail and said[-len(tail) :] == tail and not any(slot in stay for slot in before[first:]):
                self._cut(first)
        now = array("I")
        for number, row in enumerate(messages):
            slot, here = known[number], place._replace(item=number)
            if number == summary:
                now.append(self._compact(row, slot, here, known[number + 1 :]))
            elif slot is not None:
                self._again(slot, row, here)
                now.append(slot)
            elif row.id is not None:
                made_up = summary is not None and row.type in ANSWERS and row.model is None and row.tokens is None
                now.append(self._new(row, here, MADE_UP if made_up else 0))
        for slot in before:
            self.flags[slot] &= ~_ALIVE
        for slot in now:
            self.flags[slot] |= _ALIVE
        self._now = now

    def _summary(self, messages: list[MessageRecord], known: list[int | None]) -> int | None:
        """Which of the messages that replace others tells of what they said: a new one before what was kept."""
        for number, row in enumerate(messages):
            if row.type in ANSWERS:
                return None
            if row.type != "user" or row.id is None:
                continue
            parts = pieces(parts_of(row.content))
            if not parts or all(piece.injected in ("session_context", "hook_context") for piece in parts):
                continue
            slot = known[number]
            later = [each for each in known[number + 1 :] if each is not None]
            # The agent may have written the summary down before it put it to the front.
            is_new = slot is None or (all(slot > each for each in later) and slot == self._now[-1])
            return number if is_new else None
        return None

    def _compact(self, row: MessageRecord, slot: int | None, here: Place, rest: list[int | None]) -> int:
        first = next((each for each in rest if each is not None), None)
        if first is not None:
            self.kept.add(first)
        if slot is None:
            summary = self._new(row, here, COMPACTED)
            self.compactions[summary] = summary, first
            return summary
        self._again(slot, row, here)
        self.compactions[self._new(None, here, COMPACTED)] = slot, first
        return slot

    def end(self) -> None:
        """The session is over: decide what is live, and the first prompt of that."""
        self.clock.end()
        self.branches.choose(whole=False)
        live = (text for slot, text in self._prompts if self.branches.live(slot))
        self.first_prompt = next(live, None)
        self._prompts.clear()
        self._ids = PackedMap()


def _typed(row: MessageRecord) -> str:
    """What a person typed for the model."""
    found = pieces(parts_of(row.content))
    said = [piece for piece in found if piece.injected is None and command_run(piece) is None]
    text = "\n\n".join(block.text for piece in said for block in piece.blocks if isinstance(block, Text)).strip()
    return "" if text.startswith(("/", "?")) else text


def survey(source: Source) -> Survey:
    """Read the session once. What cannot be read is only counted; the second pass reports it."""
    found = Survey()
    turn = 0
    before: tuple[int, int, int] | None = None
    for file, raw, offset, _, row, trouble, _ in records(source):
        if trouble is not None and trouble.skip is not None:
            found.damaged += 1
        if trouble is None or not trouble.blank:
            found.seen = True
        turn = 0 if raw or before is None else turn + 1
        before = (file, offset, len(raw)) if raw or before is None else before
        if row is not None:
            found.row(row, Place(before[0], before[1], before[2], turn))
        found.records += 1
    found.end()
    return found
