"""The first pass over a Droid session: what only the end of the file tells."""

from __future__ import annotations

import re
from collections.abc import Callable

from panscript.readers.branches import Branches
from panscript.readers.clock import Clock
from panscript.readers.droid.content import is_prompt, typed_text
from panscript.readers.droid.files import id_of, is_record
from panscript.readers.jsonl import rows
from panscript.schemas import timestamps
from panscript.schemas.droid.lean import STATE_TYPES, Row, row_decoder
from panscript.schemas.packed import PackedMap
from panscript.schemas.records import Source

__all__ = ["RENAMED", "Survey", "is_context", "is_hollow", "survey"]

RENAMED = 1
"""The id of the row stands on an earlier row, or looks like one that the reader makes."""
_PLAIN = re.compile(r"(?!(?:session|end)\Z|(?:meta|line|usage):)[^#]+?(?<!:\d)").fullmatch
_NUMBERED = re.compile(r".*:\d+", re.DOTALL).fullmatch
_MODEL = re.compile(r"^Model: *(\S.*?)\s*$", re.MULTILINE)
_EARLY = 16
_PROMPTS = 64
_SAID = 4000


def is_context(row: Row) -> bool:
    """Whether the row is a part of the conversation."""
    return (row.type == "message" and row.message is not None) or row.type == "compaction_state"


def is_hollow(row: Row) -> bool:
    """Whether the row should be a message, but holds none."""
    return row.type == "message" and row.message is None


class Survey:
    """Facts of the whole file, with records counted from 0."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self.branches = Branches()
        self.clock = Clock()
        self.flags = bytearray()
        self.header: Row | None = None
        self.unanswered: set[str] = set()
        self.anchors: set[str] = set()
        """Ids of the last messages that summaries stand for."""
        self.copied_to = -1
        """The last record that was copied from the session this one was forked from."""
        self.own_time: int | None = None
        """When the first message that was not copied was written."""
        self.model: str | None = None
        self.named_model: str | None = None
        """The model as the context before the first prompt names it."""
        self.first_prompt: str | None = None
        self.orphaned = self.damaged = 0
        self.seen = self.understood = False
        self._ids = PackedMap()
        self._prompts: list[tuple[int, str]] = []

    @property
    def session_id(self) -> str:
        """As the header says, else as the file is called."""
        return id_of(self.header) or self._source.id

    @property
    def cwd(self) -> str | None:
        """Where the session runs."""
        header = self.header
        if header is None:
            return None
        return header.cwd or (header.session.cwd if header.session is not None else None) or None

    @property
    def title(self) -> str | None:
        """As the header says."""
        return (self.header.title or self.header.session_title or None) if self.header is not None else None

    @property
    def forked_from(self) -> str | None:
        """The session that the first rows were copied from."""
        return (self.header.parent or None) if self.header is not None else None

    def row(self, number: int, row: Row) -> None:
        """One line that is JSON."""
        if row.type in STATE_TYPES or is_context(row):
            self.understood = True
        if row.type == "session_start" and self.header is None:
            self.header = row
        if is_hollow(row):
            self._hollow(number, row)
            return
        if not is_context(row):
            self.nothing()
            return
        self.flags.append(self._flag(row.id))
        time = timestamps.parse(row.timestamp)
        if time is not None:
            self.clock.add(number, time)
        # A row without a parent follows the row before it.
        if not self.branches.place(row.id, row.parent_id or "", "branch" if is_prompt(row) else "follow"):
            self.orphaned += 1
        if not self._is_last_copy(number, row) and time is not None and self.own_time is None and row.type == "message":
            self.own_time = time
        if row.anchor_message is not None and row.anchor_message.id:
            self.anchors.add(row.anchor_message.id)
        if row.message is not None:
            self._message(number, row)

    def _hollow(self, number: int, row: Row) -> None:
        """A message that cannot be read: what names it as its parent follows what it follows."""
        self.damaged += 1
        self._is_last_copy(number, row)
        if row.id is None or self._ids.get(row.id) is not None:
            self.nothing()
            return
        self.flags.append(0)
        self.orphaned += not self.branches.place(row.id, row.parent_id or "", "pass")

    def _is_last_copy(self, number: int, row: Row) -> bool:
        """Whether the session was forked at this row."""
        forked = self.header.forked_at_message_id if self.header is not None and self.header.parent else None
        if not forked or row.id != forked or self.copied_to >= 0:
            return False
        self.copied_to, self.own_time = number, None
        return True

    def _flag(self, name: str | None) -> int:
        if name is None:
            return 0
        if self._ids.get(name) is not None:
            return RENAMED
        self._ids.put(name, 0)
        return RENAMED if not _PLAIN(name) or _NUMBERED(name) else 0

    def _message(self, number: int, row: Row) -> None:
        body = row.message
        assert body is not None
        if body.role == "assistant":
            self.model = body.model_id or self.model
        for block in body.content if isinstance(body.content, list) else ():
            if block.type == "tool_use" and block.id:
                self.unanswered.add(block.id)
            elif block.type == "tool_result":
                self.unanswered.discard(block.tool_use_id or "")
            elif number < _EARLY and self.named_model is None and block.text:
                found = _MODEL.search(block.text)
                self.named_model = found[1] if found else None
        if len(self._prompts) < _PROMPTS:
            text = typed_text(row)
            if text.strip():
                self._prompts.append((number, text[:_SAID]))

    def nothing(self) -> None:
        """A record that is no part of the conversation."""
        self.flags.append(0)
        self.branches.skip()

    def end(self) -> None:
        """The file is over: decide which branch is live, and the first prompt on it."""
        self.clock.end()
        self.branches.choose()
        self.first_prompt = next((text for number, text in self._prompts if self.branches.live(number)), None)
        self._prompts.clear()
        self._ids = PackedMap()


def survey(source: Source, enough: Callable[[Survey], bool] | None = None) -> Survey:
    """Read the rows once, or until there are `enough`. Lines that cannot be read are only counted; the second pass
    reports them."""
    found = Survey(source)
    for number, parsed in enumerate(rows([source.transcripts[-1].path], row_decoder, is_record)):
        if parsed.trouble is not None and parsed.trouble.skip is not None:
            found.damaged += 1
        if parsed.trouble is None or not parsed.trouble.blank:
            found.seen = True
        if parsed.row is None:
            found.nothing()
        else:
            found.row(number, parsed.row)
            if enough is not None and enough(found):
                break
    found.end()
    return found
