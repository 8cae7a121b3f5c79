"""The first pass over a Claude Code transcript: what only the end of the file tells."""

from __future__ import annotations

from array import array

from msgspec import UNSET

from panscript.readers.branches import Branches
from panscript.readers.calls import Calls
from panscript.readers.claude.content import CALLS, is_result
from panscript.readers.claude.files import is_record
from panscript.readers.claude.injected import injected_by, without_reminders
from panscript.readers.clock import Clock
from panscript.readers.imported import head_of
from panscript.readers.jsonl import rows
from panscript.schemas import timestamps
from panscript.schemas.claude.lean import STATE_PREFIXES, STATE_TYPES, Block, Row, UsageRow, row_decoder
from panscript.schemas.claude.record_names import HEAD_TYPE, PART_TYPE
from panscript.schemas.events import SHELL
from panscript.schemas.import_lean import Head
from panscript.schemas.packed import PackedMap
from panscript.schemas.records import Source

__all__ = ["CHAIN", "OPEN", "RENAMED", "TWIN", "Survey", "copied_from", "is_hollow", "survey"]

_OPEN_RESPONSES = 64
"""A response that has had no record for this many other responses is over."""
_SUMMARY_BYTES = 1 << 20
_PROMPTS = 64
_PROMPT = 1 << 16
_TYPED = frozenset({None, "human"})
OPEN, TWIN, RENAMED = 1, 2, 4
"""The response goes on in a later record; the record repeats an earlier one; its uuid stands on an earlier record
with other content."""
CHAIN = frozenset({"user", "assistant", "system", "attachment", "progress"})


def is_hollow(row: Row | UsageRow) -> bool:
    """Whether the row should say something, but has no message."""
    return row.message is None and row.type in ("user", "assistant")


class Survey:
    """Facts of the whole file, with records counted from 0 over lines (a split line counts once)."""

    def __init__(self) -> None:
        self.branches = Branches()
        self.clock = Clock()
        self.flags = bytearray()
        """OPEN, TWIN and RENAMED for each record."""
        self.calls = Calls()
        self.session_id: str | None = None
        self.cwd: str | None = None
        self.title: str | None = None
        self.ai_title: str | None = None
        self.version: str | None = None
        self.git_branch: str | None = None
        self.model: str | None = None
        self.provider: str | None = None
        self.first_prompt: str | None = None
        self.head: Head | None = None
        """Head of the import record, when panscript wrote the file."""
        self.recorded = False
        """There is a record, if only of what was added to a session of the agent's own."""
        self.summaries: dict[int, list[tuple[int, str]]] = {}
        """Record of the leaf -> (record of the summary row, text)."""
        self.foreign_summaries: list[str] = []
        self.last_summary: str | None = None
        self.forked_from: str | None = None
        self.copied_to = -1
        """Last record that was copied from `forked_from`."""
        self.sidechains: dict[str, int] = {}
        """Sub-agents whose records stand in this file -> number of records."""
        self.orphaned = 0
        self.understood = 0
        """Rows of a known type."""
        self.strange = 0
        self.damaged = 0
        """Lines of which something was given up."""
        self._signs = array("I")
        self._sides: PackedMap | None = None
        self._responses: dict[tuple[str, str | None], int] = {}
        self._prompts: list[tuple[int, str]] = []
        self._pending_summaries: list[tuple[int, str, str]] = []
        self._boundary_jumps = False
        self._before: str | None = None
        """The last row of the conversation so far."""
        self._tip: int | None = None
        """What an imported notice hangs on that is the last row so far: the agent goes on from there."""
        self._head: tuple[int | None, bool, int] | None = None  # anchor, explicit, record of the row

    def row(self, number: int, row: Row, size: int, own: bool) -> None:
        """One row of the file. `own`: sub-agent rows are the conversation of this file."""
        kind = row.type
        if row.session_id and self.session_id is None and kind is not None:
            self.session_id = row.session_id
        if kind not in CHAIN:
            self.nothing()
            self._state(number, row)
            return
        if row.message is not None or row.uuid is not None:
            self.understood += 1
        else:
            self.strange += 1
        self.damaged += is_hollow(row)
        if row.is_sidechain and not own:
            self._side(number, row, size)
            return
        if kind in ("user", "assistant") and (time := timestamps.parse(row.timestamp)) is not None:
            self.clock.add(number, time)
        if self.cwd is None:
            self.cwd = row.cwd
        if self.version is None:
            self.version = row.version
        if self.git_branch is None:
            self.git_branch = row.git_branch
        self._chain(number, row, size)

    def nothing(self) -> None:
        """A record that is no part of the conversation."""
        self.flags.append(0)
        self._signs.append(0)
        self.branches.skip()

    def _side(self, number: int, row: Row, size: int) -> None:
        """A sub-agent's row inside its parent's file."""
        self.nothing()
        name = row.agent_id or "sidechain"
        self.sidechains[name] = self.sidechains.get(name, 0) + 1
        if self._sides is None:
            self._sides = PackedMap()
        sign = _sign(row, size)
        self.flags[number] = self._repeats(row.uuid, sign)
        self._signs[number] = sign
        if row.uuid is not None:
            self._sides.put(row.uuid, number)

    def _repeats(self, uuid: str | None, sign: int) -> int:
        """TWIN or RENAMED when the uuid stands on an earlier record, else 0."""
        if uuid is None:
            return 0
        earlier = self.branches.number(uuid)
        if earlier is None and self._sides is not None:
            earlier = self._sides.get(uuid)
        if earlier is None:
            return RENAMED if self.branches.knows(uuid) else 0
        return TWIN if self._signs[earlier] == sign else RENAMED

    def _state(self, number: int, row: Row) -> None:
        if row.type in STATE_TYPES or (row.type or "").startswith(STATE_PREFIXES):
            self.understood += 1
        else:
            self.strange += 1
        if row.custom_title:
            self.title = row.custom_title
        elif row.ai_title:
            self.ai_title = row.ai_title
        elif row.type == "summary" and row.summary:
            self.last_summary = row.summary
            kept = sum(len(text) for _, text, _ in self._pending_summaries)
            if kept < _SUMMARY_BYTES:
                self._pending_summaries.append((number, row.summary, row.leaf_uuid or ""))
        elif row.type == HEAD_TYPE and self.head is None:
            self.head = head_of(row.data)
            self.recorded = self.recorded or self.head is not None
        elif row.type == PART_TYPE:
            self.recorded = True
        elif row.type == "last-prompt" and (row.leaf_uuid or row.explicit):
            anchor = self.branches.number(row.leaf_uuid) if row.leaf_uuid else -1
            if anchor is not None and (anchor >= 0 or row.explicit):
                self._head = (anchor, bool(row.explicit), number)

    def _chain(self, number: int, row: Row, size: int) -> None:
        uuid = row.uuid
        sign = _sign(row, size)
        flag = self._repeats(uuid, sign)
        if flag == TWIN:
            self.flags.append(TWIN)
            self._signs.append(0)
            self.branches.skip()
            return
        self._signs.append(sign)
        self.flags.append(flag)
        parent = row.parent_uuid
        place, parent = self._place(number, row, parent if isinstance(parent, str) else None, parent is UNSET)
        if not self.branches.place(uuid, parent, place):  # type: ignore[arg-type]
            self.orphaned += 1
        self._before = uuid
        notice = row.type == "system" and row.imported_from is not None and place == "pass"
        self._tip = self.branches.number(uuid) if uuid and notice else None
        if (row.request_session_id is not None or row.forked_from is not None) and (origin := copied_from(row)):
            self.forked_from = self.forked_from or origin
            self.copied_to = number

    def _place(self, number: int, row: Row, parent: str | None, absent: bool) -> tuple[str, str | None]:
        message = row.message
        if row.type == "assistant" and message is not None:
            self._response(number, row)
            return ("branch" if self._jumps(row, parent) else "follow"), parent
        if row.type == "user" and message is not None:
            content = message.content
            results = [b for b in content if is_result(b.type)] if isinstance(content, list) else []
            for block in results:
                self._answer(block)
            if not results and (self._jumps(row, parent) or (row.is_compact_summary and self._boundary_jumps)):
                return "branch", parent
            if results or row.is_meta or row.is_compact_summary:
                return "follow", parent
            text = _text(content)
            if (text and injected_by(text)) or (row.origin is not None and row.origin.kind not in _TYPED):
                return "follow", parent
            self._prompt(number, text)
            return ("follow" if absent else "branch"), parent
        if row.type == "system" and row.subtype == "compact_boundary":
            # The boundary has no parent; what it follows is named beside it, or is simply the row before.
            self._boundary_jumps = self._jumps(row, row.logical_parent_uuid)
            return "pass", row.logical_parent_uuid or ""
        if row.attachment is not None and row.attachment.type == "queued_command":
            return "follow", parent
        if row.imported_from is not None and isinstance(row.content, str) and injected_by(row.content) == SHELL:
            # A command that the model did not see.
            return ("branch" if self._jumps(row, parent) else "follow"), parent
        return "pass", parent if parent is not None or number == 0 else ""

    def _jumps(self, row: Row, parent: str | None) -> bool:
        """Whether an imported row goes on from another than the row before it; what is imported hangs where it says."""
        return row.imported_from is not None and parent is not None and parent != self._before

    def _response(self, number: int, row: Row) -> None:
        message = row.message
        assert message is not None
        if message.model and message.model != "<synthetic>":
            self.model, self.provider = message.model, message.provider
        if isinstance(message.content, list):
            for block in message.content:
                if block.type in CALLS and block.id:
                    self.calls.asked(block.id)
                elif block.tool_use_id:
                    self._answer(block)
        if message.id is None:
            return
        key = (message.id, row.request_id)
        earlier = self._responses.pop(key, None)
        if earlier is not None:
            self.flags[earlier] |= OPEN
        self._responses[key] = number
        if len(self._responses) > _OPEN_RESPONSES:
            del self._responses[next(iter(self._responses))]

    def _answer(self, block: Block) -> None:
        if block.tool_use_id:
            self.calls.answered(block.tool_use_id)

    def _prompt(self, number: int, text: str) -> None:
        # Nobody answers on with the same response after the person said something else.
        self._responses.clear()
        if len(self._prompts) < _PROMPTS and (said := without_reminders(text[:_PROMPT])[0].strip()):
            self._prompts.append((number, said[:4000]))

    def end(self) -> None:
        """The file is over: decide the head, the first prompt, and where summaries belong."""
        branches = self.branches
        self.clock.end()
        for number, text, leaf in self._pending_summaries:
            anchor = branches.number(leaf) if leaf else None
            if anchor is None:
                self.foreign_summaries.append(text)
            else:
                self.summaries.setdefault(anchor, []).append((number, text))
        self._pending_summaries.clear()
        head = self._head
        if head is not None and (head[1] or head[2] > branches.placed):
            branches.choose(head[0], whole=not head[1])
        elif self._tip is not None:
            branches.choose(self._tip, whole=False)
        else:
            branches.choose()
        live = (text for number, text in self._prompts if branches.live(number))
        self.first_prompt = next(live, None)
        self._prompts.clear()
        self._responses.clear()
        self._signs = array("I")


def copied_from(row: Row | UsageRow) -> str | None:
    """The session that this row was copied from, when it says so."""
    if row.request_session_id and row.request_session_id != row.session_id:
        return row.request_session_id
    return row.forked_from.session_id or None if row.forked_from is not None else None


def _sign(row: Row, size: int) -> int:
    """Two records of one uuid are the same record when these agree."""
    return hash((row.timestamp, size)) & 0xFFFFFFFF


def _text(content: str | list[Block] | None) -> str:
    if isinstance(content, str):
        return content
    return "\n\n".join(b.text for b in content or () if b.type == "text" and b.text)


def survey(source: Source, *, own: bool) -> Survey:
    """Read the source once. `own`: sub-agent rows are the conversation of this file.

    Lines that cannot be read are only counted; the second pass reports them.
    """
    found = Survey()
    paths = [file.path for file in source.transcripts]
    for number, parsed in enumerate(rows(paths, row_decoder, is_record)):
        if parsed.trouble is not None and parsed.trouble.skip is not None:
            found.damaged += 1
        if parsed.row is None:
            found.nothing()
        else:
            found.row(number, parsed.row, len(parsed.raw), own)
    found.end()
    return found
