"""The first pass over a Pi session: what only the end of the file tells."""

from __future__ import annotations

from array import array

import msgspec
from msgspec import UNSET

from panscript.readers.branches import Branches
from panscript.readers.calls import Calls
from panscript.readers.clock import Clock
from panscript.readers.imported import head_of
from panscript.readers.jsonl import rows
from panscript.readers.pi.files import Header, header_of, is_known, is_record
from panscript.schemas import timestamps
from panscript.schemas.import_lean import Head
from panscript.schemas.packed import PackedMap
from panscript.schemas.pi.lean import (
    CONTEXT_TYPES,
    Block,
    Entry,
    Message,
    UsageEntry,
    entry_decoder,
)
from panscript.schemas.pi.record_names import HEAD_TYPE, PART_TYPE
from panscript.schemas.records import Source

__all__ = ["RENAMED", "Survey", "begins", "is_context", "is_hollow", "survey", "time_of"]

RENAMED = 1
"""The id of the record stands on an earlier record, or looks like one that the reader makes."""
_OWN = frozenset({"session", "end"})
_PROMPTS = 64
_LOST = 64


def begins(row: UsageEntry) -> bool:
    """Whether the line may stand before the header: omp writes the session's title there."""
    return row.type == "title"


def is_context(row: Entry) -> bool:
    """Whether the entry is a part of the conversation."""
    return row.type in CONTEXT_TYPES and not is_hollow(row)


def is_hollow(row: UsageEntry) -> bool:
    """Whether the entry should be a message, but holds none."""
    return row.type == "message" and row.message is None


def time_of(row: Entry) -> int | None:
    """When the entry was written, milliseconds since 1970 UTC; else when its message was made."""
    time = timestamps.parse(row.timestamp)
    return timestamps.parse(row.message.timestamp) if time is None and row.message is not None else time


class Survey:
    """Facts of the whole file, with records counted from 0."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self.branches = Branches(exact=True)
        self.clock = Clock()
        self.flags = bytearray()
        """RENAMED for each record."""
        self.header: Header | None = None
        self.calls = Calls()
        self.kept: set[str] = set()
        """Ids, or `line:<n>`, that compactions name as the first entry they keep."""
        self.lines = array("I")
        """Version 1: line of each entry, the header first; compactions name them by number."""
        self.title: str | None = None
        self.model: str | None = None
        self.provider: str | None = None
        self.first_prompt: str | None = None
        self.head: Head | None = None
        """Head of the import record, when panscript wrote the file."""
        self.recorded = False
        """There is a record, if only of what was added to a session of Pi's own."""
        self.copies = 0
        """Entries that were copied from the session this one was forked from."""
        self.orphaned = self.circles = self.repeated = 0
        self.seen = False
        """There is a line that is not blank."""
        self.understood = False
        self.damaged = 0
        self._slot: str | None = None
        self._roots: PackedMap | None = None
        """Entries that stand before anything was said on their path."""
        self._lost: dict[str, int] = {}
        self._prompts: list[tuple[int, str]] = []
        self._leaf: int | None = None

    def row(self, number: int, row: Entry, line: int) -> None:
        """One line that is JSON."""
        kind = row.type
        if is_known(row):
            self.understood = True
        self.damaged += is_hollow(row)
        if self.header is None:
            if begins(row):
                self._slot = row.title or None
                self.nothing()
                return
            is_header = kind == "session"
            self.header = header_of(self._source, row if is_header else None)
            self.model, self.provider = self.header.model, self.header.provider
            if self.header.title:
                self.title = self.header.title
            if self.header.version == 1:
                self.lines.append(line)
            if is_header:
                self.nothing()
                return
        elif self.header.version == 1 and row.id is None:
            self.lines.append(line)
        time = time_of(row)
        if self.header.is_copy(time):
            self.copies += 1
        if is_context(row):
            if time is not None:
                self.clock.add(number, time)
            self._place(number, row)
            if row.message is not None:
                self._message(number, row.message)
            if row.first_kept_entry_id:
                self.kept.add(row.first_kept_entry_id)
            elif (kept := self.line_of(row.first_kept_entry_index)) is not None:
                self.kept.add(kept)
        else:
            self._pass(row)
            self._state(row)

    def line_of(self, index: float | None) -> str | None:
        """Version 1: the name of the entry of this number, the header being the first."""
        if index is None or not 0 <= index < len(self.lines):
            return None
        return f"line:{self.lines[int(index)]}"

    def nothing(self) -> None:
        """A record that is no part of the tree."""
        self.flags.append(0)
        self.branches.skip()

    def _place(self, number: int, row: Entry) -> None:
        branches = self.branches
        name, parent = row.id, self._parent(row)
        self.flags.append(self._flag(name))
        if not branches.place(name, parent, "branch"):
            self._lose(number, parent)
        elif name is not None and self._lost and name in self._lost:
            self._found(number, name)
        self._leaf = number

    def _pass(self, row: Entry) -> None:
        """An entry that is no conversation: what names it as its parent follows what it follows."""
        branches = self.branches
        name, parent = row.id, self._parent(row)
        self.flags.append(self._flag(name))
        if parent is None:
            branches.skip()
            self._leaf = -1
        elif branches.place(name, parent, "pass"):
            anchor = branches.number(parent) if parent else branches.placed
            self._leaf = anchor if anchor is not None else branches.placed
            if name is not None and self._lost and name in self._lost and self._leaf >= 0:
                self._found(self._leaf, name)
        else:
            self._lose(len(self.flags) - 1, parent)
            self._leaf = branches.placed
        if name is not None and branches.number(name) is None:
            self._roots = self._roots or PackedMap()
            self._roots.put(name, 0)

    def _parent(self, row: Entry) -> str | None:
        """The id of the parent: None at the start of a conversation, "" for the record before."""
        parent = row.parent_id
        if parent is UNSET:
            # In version 1 the order of the file is the conversation.
            return "" if self._leaf is not None and self._leaf >= 0 else None
        assert not isinstance(parent, msgspec.UnsetType)
        if parent is None or parent == "":
            return None
        if parent == row.id:
            self.circles += 1
            if not self._repeats(parent, count=False):
                return "" if self._leaf is not None and self._leaf >= 0 else None
        if self._roots is not None and self._roots.get(parent) is not None and self.branches.number(parent) is None:
            return None
        return parent

    def _repeats(self, name: str | None, *, count: bool = True) -> int:
        if name is None:
            return 0
        if self.branches.number(name) is None and (self._roots is None or self._roots.get(name) is None):
            return 0
        self.repeated += count
        return RENAMED

    def _flag(self, name: str | None) -> int:
        if self._repeats(name):
            return RENAMED
        return RENAMED if name is not None and (":" in name or "#" in name or name in _OWN) else 0

    def _lose(self, number: int, parent: str | None) -> None:
        self.orphaned += 1
        if parent and len(self._lost) < _LOST:
            self._lost.setdefault(parent, number)

    def _found(self, number: int, name: str) -> None:
        """The parent that an earlier record names comes later, at record `number`: a circle if it hangs on that one."""
        child = self._lost.pop(name)
        if self.branches.leads_to(child, number):
            self.orphaned -= 1
            self.circles += 1

    def _message(self, number: int, message: Message) -> None:
        role, content = message.role, message.content
        if role == "assistant":
            if message.model:
                self.model, self.provider = message.model, message.provider
            if isinstance(content, list):
                for block in content:
                    if block.type == "toolCall" and block.id:
                        self.calls.asked(block.id)
        elif role == "toolResult":
            self.calls.answered(message.tool_call_id or "")
        elif role == "user" and not message.synthetic and len(self._prompts) < _PROMPTS:
            text = _text(content)
            if text.strip():
                self._prompts.append((number, text[:4000]))

    def _state(self, row: Entry) -> None:
        kind = row.type
        if kind == "session_info":
            self.title = (row.name or "").strip() or None
        elif kind == "title_change":
            self.title = (row.title or "").strip() or self.title
        elif kind == "custom" and row.custom_type == HEAD_TYPE and self.head is None:
            self._head(row)
        elif kind == "custom" and row.custom_type == PART_TYPE:
            self.recorded = True

    def _head(self, row: Entry) -> None:
        # Other programs use this name, too; ours names its writer.
        self.head = head_of(row.data)
        self.recorded = self.recorded or self.head is not None

    def end(self) -> None:
        """The file is over: decide which branch is live, and the first prompt on it."""
        if self.header is None:
            self.header = header_of(self._source, None)
        self.clock.end()
        self.branches.choose(self._leaf if self._leaf is not None else -1, whole=False)
        self._roots = None
        self.title = self._slot or self.title
        live = (text for number, text in self._prompts if self.branches.live(number))
        self.first_prompt = next(live, None)
        self._prompts.clear()
        self._lost.clear()


def _text(content: str | list[Block] | None) -> str:
    if isinstance(content, str):
        return content
    return "\n\n".join(block.text for block in content or () if block.type == "text" and block.text)


def survey(source: Source) -> Survey:
    """Read the source once. Lines that cannot be read are only counted; the second pass reports them."""
    found = Survey(source)
    for number, parsed in enumerate(rows([source.files[-1].path], entry_decoder, is_record)):
        if parsed.trouble is not None and parsed.trouble.skip is not None:
            found.damaged += 1
        if parsed.trouble is None or not parsed.trouble.blank:
            found.seen = True
        if parsed.row is None:
            found.nothing()
        else:
            found.row(number, parsed.row, parsed.line)
    found.end()
    return found
