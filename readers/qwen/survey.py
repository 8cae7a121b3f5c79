"""The first pass over a Qwen Code session: what only the end of the file tells."""

from __future__ import annotations

from collections.abc import Hashable

import msgspec
from msgspec import UNSET

from panscript.readers.branches import Branches, Place
from panscript.readers.clock import Clock
from panscript.readers.genai import command_run, pieces
from panscript.readers.jsonl import rows
from panscript.readers.qwen.files import is_record
from panscript.schemas import timestamps
from panscript.schemas.events import Text
from panscript.schemas.genai import Content
from panscript.schemas.packed import PackedMap
from panscript.schemas.qwen.lean import TYPED, Row, UsageRow, row_decoder
from panscript.schemas.records import Source

__all__ = ["RENAMED", "Survey", "is_hollow", "is_known", "is_typed", "survey"]

RENAMED = 1
"""The uuid of the row stands on an earlier row, or looks like one that the reader makes."""
_OWN = frozenset({"session", "end"})
_PROMPTS = 64
_PLACES: dict[str, Place] = {"user": "branch", "assistant": "follow", "tool_result": "follow", "system": "pass"}


def is_known(row: Row | UsageRow) -> bool:
    """Whether the line is Qwen Code's."""
    return row.type in _PLACES and (row.uuid is not None or row.session_id is not None)


def is_hollow(row: Row | UsageRow) -> bool:
    """Whether a row of the conversation has no message."""
    return row.message is None and row.type != "system"


def is_typed(row: Row) -> bool:
    """Whether a person typed what stands in this row of type `user`, as far as the row itself tells."""
    return row.subtype in TYPED and (row.provenance is None or row.provenance == "real_user")


def _key(content: Content) -> Hashable:
    """Equal for equal contents."""
    said = []
    for part in content.parts or ():
        call, response = part.function_call, part.function_response
        said.append((part.text, call.id if call is not None else None, response.id if response is not None else None))
    return content.role, tuple(said)


class Survey:
    """Facts of the whole file, with records counted from 0."""

    def __init__(self) -> None:
        self.branches = Branches()
        self.clock = Clock()
        self.flags = bytearray()
        self.answered = PackedMap()
        """Ids of calls that have a result."""
        self.last = PackedMap()
        """Uuid -> number of the last record that has it."""
        self.compactions: dict[int, tuple[int, int | None]] = {}
        """Record of a compression -> index of the first content that was kept, and the record that holds it."""
        self.kept: set[int] = set()
        self.session_id: str | None = None
        self.agent_id: str | None = None
        """Of the sub-agent whose session this is: it wrote the first row."""
        self.cwd: str | None = None
        self.version: str | None = None
        self.git_branch: str | None = None
        self.model: str | None = None
        self.title: str | None = None
        self.parent_session: str | None = None
        self.forked_from: str | None = None
        self.first_prompt: str | None = None
        self.seen = self.understood = False
        self.damaged = self.orphaned = self.repeated = 0
        self._contents = PackedMap()
        self._prompts: list[tuple[int, str]] = []
        self._head: int | None = None

    def nothing(self) -> None:
        """A record that is no part of the tree."""
        self.flags.append(0)
        self.branches.skip()

    def row(self, number: int, row: Row) -> None:
        """One line that is JSON."""
        if not is_known(row):
            self.nothing()
            return
        if not self.understood and row.is_sidechain:
            self.agent_id = row.agent_id
        self.understood = True
        self.damaged += is_hollow(row)
        self.session_id = self.session_id or row.session_id
        self.cwd = self.cwd or row.cwd
        self.version = self.version or row.version
        self.git_branch = row.git_branch or self.git_branch
        if row.forked_from is not None:
            self.forked_from = self.forked_from or row.forked_from.session_id
        self._place(number, row)
        time = timestamps.parse(row.timestamp)
        if time is not None:
            self.clock.add(number, time)
        if row.type == "system":
            self._system(number, row)
        elif row.message is not None:
            self._message(number, row, row.message)

    def _place(self, number: int, row: Row) -> None:
        branches, name = self.branches, row.uuid
        repeats = name is not None and branches.knows(name)
        self.repeated += repeats
        looks_own = name is not None and (":" in name or "#" in name or name in _OWN)
        self.flags.append(RENAMED if repeats or looks_own else 0)
        parent = "" if row.parent_uuid is UNSET else row.parent_uuid
        assert not isinstance(parent, msgspec.UnsetType)
        if parent is not None and parent == name:
            parent = ""
        place = "follow" if row.subtype == "chat_compression" else _PLACES[row.type or ""]
        if not branches.place(name, parent, place):
            self.orphaned += 1
        if name is not None:
            self.last.put(name, number)
        if row.subtype == "rewind" and row.type == "system":
            # Nothing may follow: then the conversation ended here.
            found = branches.number(parent) if parent else None
            self._head = found if found is not None else (branches.placed if parent == "" else -1)
        elif place != "pass":
            self._head = None

    def _message(self, number: int, row: Row, message: Content) -> None:
        self._contents.put(_key(message), number)
        for part in message.parts or ():
            if part.function_response is not None:
                self.answered.put(part.function_response.id or _called(row), 0)
        if row.type == "assistant":
            self.model = row.model or self.model
        elif row.type == "user" and is_typed(row) and len(self._prompts) < _PROMPTS:
            if row.is_sidechain and self.agent_id is None:
                return
            said = [p for p in pieces(message.parts or ()) if p.injected is None and command_run(p) is None]
            text = "\n\n".join(block.text for piece in said for block in piece.blocks if isinstance(block, Text))
            if text.strip():
                self._prompts.append((number, text[:4000]))

    def _system(self, number: int, row: Row) -> None:
        payload = row.system_payload
        if payload is None:
            return
        if row.subtype == "custom_title":
            self.title = (payload.custom_title or "").strip() or self.title
        elif row.subtype == "parent_session":
            self.parent_session = payload.parent_session_id or self.parent_session
        elif row.subtype == "chat_compression":
            history = payload.compressed_history or []
            found = ((index, self._contents.get(_key(content))) for index, content in enumerate(history) if index)
            first = next(((index, record) for index, record in found if record is not None), None)
            if first is not None:
                self.kept.add(first[1])
            self.compactions[number] = first if first is not None else (len(history), None)

    def end(self) -> None:
        """The file is over: decide which branch is live, and the first prompt on it."""
        self.clock.end()
        self.branches.choose(self._head, whole=self._head is None)
        live = (text for number, text in self._prompts if self.branches.live(number))
        self.first_prompt = next(live, None)
        self._prompts.clear()
        self._contents = PackedMap()


def _called(row: Row) -> str:
    return (row.tool_call_result.call_id if row.tool_call_result is not None else None) or ""


def survey(source: Source) -> Survey:
    """Read the source once. Lines that cannot be read are only counted; the second pass reports them."""
    found = Survey()
    for number, parsed in enumerate(rows([file.path for file in source.transcripts], row_decoder, is_record)):
        if parsed.trouble is not None and parsed.trouble.skip is not None:
            found.damaged += 1
        if parsed.trouble is None or not parsed.trouble.blank:
            found.seen = True
        if parsed.row is None:
            found.nothing()
        else:
            found.row(number, parsed.row)
    found.end()
    return found
