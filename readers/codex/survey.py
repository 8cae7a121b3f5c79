"""The first pass over a Codex thread: what only the end of the files tells."""

from __future__ import annotations

from array import array

from msgspec import UNSET

from panscript.readers.branches import Branches
from panscript.readers.calls import Calls
from panscript.readers.clock import Clock
from panscript.readers.codex.content import joined
from panscript.readers.codex.files import is_record
from panscript.readers.codex.injected import block_text, environment_cwd, injected_by, is_wrapper
from panscript.readers.codex.outcomes import outcome
from panscript.readers.codex.plan import FilePlan, Plan, plan
from panscript.readers.codex.recording import head_on
from panscript.readers.codex.usage import Copied, UsageCounter, is_marker
from panscript.readers.jsonl import Parsed, rows
from panscript.schemas import timestamps
from panscript.schemas.codex.lean import (
    BARE_ITEMS,
    CALLS,
    LINES,
    OUTPUTS,
    STATE_LINES,
    Line,
    Payload,
    line_decoder,
)
from panscript.schemas.codex.record_names import HEAD_KIND, ORIGINATOR, RECORD_KINDS
from panscript.schemas.import_lean import Head
from panscript.schemas.packed import PackedMap
from panscript.schemas.records import Source

__all__ = [
    "ABORTED",
    "BILLS_LAST",
    "BILLS_NEXT",
    "LAST",
    "NOT_TYPED",
    "Survey",
    "item_of",
    "name_of",
    "survey",
    "version_of",
]

LAST, NOT_TYPED, BILLS_LAST, BILLS_NEXT, ABORTED = 1, 2, 4, 8, 16
"""Last item of its response; a user message that no person typed; usage of the response before, and of the one that
follows; an item of a response that was aborted."""
_PROMPTS = 64
_RECENT = 16
_HEAD_LINE = 2
_LONGEST_DURATION = (1 << 30) - 1


def item_of(row: Line) -> Payload | None:
    """The response item that a line holds, in an envelope or bare."""
    if row.type == "response_item":
        return row.payload if isinstance(row.payload, Payload) else None
    return row if row.payload is UNSET and row.type in BARE_ITEMS else None


def name_of(item: Payload) -> str:
    """The id that pairs a call with its output; empty when there is none."""
    return item.call_id or item.id or ""


def version_of(meta: Payload) -> str | None:
    """Version of the Codex that began a thread; an imported one was begun by none."""
    return meta.cli_version if meta.originator != ORIGINATOR else None


class Survey:
    """Facts of the whole session, with records counted from 0 over the records of all files."""

    def __init__(self, planned: Plan) -> None:
        self.plan = planned
        self.branches = Branches()
        self.clock = Clock()
        self.flags = bytearray()
        self.calls = Calls()
        self.outcomes = PackedMap()
        """Call id -> twice (milliseconds + 1, or 0 when no duration was logged), + 1 when it failed."""
        self.copied_from = self.copied_to = -1
        """First and last record of the part of the first own file that was copied from another thread."""
        self.copied_of: str | None = None
        self.sub_agent = planned.first.sub_agent or planned.first.parent is not None
        self.header = False
        self.cwd: str | None = None
        self.version: str | None = None
        self.git_branch: str | None = None
        self.provider: str | None = None
        self.model: str | None = None
        self.title: str | None = None
        self.first_prompt: str | None = None
        self.head: Head | None = None
        """Head of the import record, when panscript wrote the thread's first own file."""
        self.imported_to = -1
        """The last record of that file that is part of the import record: what follows came later."""
        self.said_by_user = self.said_by_model = self.thought = False
        """There are response items of this kind, so events that say the same are twins."""
        self.understood = 0
        self.damaged = 0
        self._copied = Copied(planned.thread)
        self._counter = UsageCounter(planned.thread)
        self._file: FilePlan | None = None
        self._in_group = self._has_group = self._billed = self._with_calls = False
        self._group_first = self._group_last = self._pending = -1
        self._usage_logged = False
        self._search = ""
        self._twins = False
        self._recent: list[tuple[int, int]] = []
        self._unproven = array("q")
        self._announced: list[int] = []
        self._turns = array("q")
        self._anchors = array("q")
        self._cuts: dict[int, tuple[int, int]] = {}
        self._crossed: set[int] = set()
        self._watched = sorted({f.goes_on_from for f in planned.files if f.goes_on_from is not None})
        self._prompts: list[tuple[int, str]] = []
        self._announced_prompts: list[tuple[int, str]] = []

    def open(self, file: FilePlan) -> None:
        """The records that follow stand in this file."""
        self._cross(None)
        self._boundary()
        self._file = file
        self._crossed.clear()
        if file.goes_on_from is not None and file.goes_on_from in self._cuts:
            placed, turns = self._cuts[file.goes_on_from]
            self.branches.rewind(placed)
            del self._turns[turns:], self._anchors[turns:]

    def row(self, number: int, row: Line) -> None:
        """One record."""
        self.flags.append(0)
        file = self._file
        assert file is not None
        if not file.used or (file.end is not None and row.ordinal is not None and row.ordinal >= file.end):
            self.branches.skip()
            self.understood += 1
            return
        if self._watched and row.ordinal is not None:
            self._cross(row.ordinal)
        time = timestamps.parse(row.timestamp)
        if time is None and row.payload is UNSET:
            time = file.time
        own = file.own and not self._inside_copy(number, row, time)
        item = item_of(row)
        if item is not None:
            self.understood += 1
            self._item(number, item, own)
            if time is not None and own:
                self.clock.add(number, time)
            return
        payload = row.payload
        if not isinstance(payload, Payload):
            self.damaged += row.type in LINES
            self.branches.skip()
            self._bare(row)
            return
        self.understood += row.type in LINES or row.type in STATE_LINES
        if row.type in RECORD_KINDS:
            self._close()
        if row.type == "compacted":
            self._boundary()
            self.branches.place(None, "", "follow")
            return
        if row.type == "event_msg":
            self._event(number, payload)
        elif row.type == "session_meta":
            self._boundary()
            if own and payload.id in (None, self.plan.thread):
                self._meta(payload)
        elif row.type == "turn_context" and own:
            self.model = payload.model or self.model
            self.cwd = self.cwd or payload.cwd
        elif row.type == "inter_agent_communication":
            self._close()
            self.branches.place(None, "", "follow")
            return
        if is_marker(row):
            self._usage(number, row, own=file.own)
        if row.type == "event_msg" and self._speaks(payload):
            self.branches.place(None, "", "follow")
        else:
            self.branches.skip()

    def record(self, number: int, parsed: Parsed) -> None:
        """A line of the import record. Its head is the second line, else the lines are not those it was written for."""
        if parsed.row.type == HEAD_KIND and parsed.line == _HEAD_LINE:
            self.head = head_on(parsed.json)
        if self.head is not None:
            self.imported_to = number

    def nothing(self) -> None:
        """A record that holds nothing."""
        self.flags.append(0)
        self.branches.skip()

    def _inside_copy(self, number: int, row: Line, time: int | None) -> bool:
        """Whether the record is known to be copied. Keeps account of where the copied part ends."""
        copied = self._copied
        file = self._file
        if not copied.active or file is None or file is not self.plan.files[self.plan.first_own]:
            return False
        if is_marker(row):
            before = copied.end
            if not copied.feed(row, time):
                if copied.suspected and copied.turns:
                    self.copied_to = number - 1
            elif copied.end > before:
                self.copied_to = number
        elif copied.suspected and copied.end:
            if copied.start_ordinal is not None:
                inside = row.ordinal is not None and row.ordinal < copied.start_ordinal
            else:
                inside = copied.turns or (self.copied_to == number - 1 and copied.in_run(time))
            if inside:
                self.copied_to = number
        if self.copied_to >= 0 and self.copied_from < 0:
            self.copied_from = number
            self.copied_of = copied.parent
        self.copied_of = self.copied_of or copied.parent
        return copied.active and copied.suspected and self.copied_to == number

    def _cross(self, ordinal: int | None) -> None:
        """Remember where the conversation stood when a record passes an ordinal that a later file goes on from."""
        file = self._file
        if file is None or not file.used:
            return
        for cut in self._watched:
            if file.first < cut and cut not in self._crossed and (ordinal is None or ordinal >= cut):
                self._cuts[cut] = (self.branches.placed, len(self._turns))
                self._crossed.add(cut)

    def _bare(self, row: Line) -> None:
        if row.record_type is not None:
            self.understood += 1
        elif row.type is None and row.id and row.payload is UNSET:
            self.understood += 1
            self.header = True
            time = timestamps.parse(row.timestamp)
            if time is not None:
                self.clock.add(0, time)
            self.git_branch = row.git.branch if row.git is not None else None

    def _meta(self, payload: Payload) -> None:
        self.header = True
        self.cwd = self.cwd or payload.cwd
        self.version = self.version or version_of(payload)
        self.provider = self.provider or payload.model_provider
        if payload.git is not None:
            self.git_branch = self.git_branch or payload.git.branch

    def _item(self, number: int, item: Payload, own: bool) -> None:
        kind = item.type
        if kind == "message":
            if item.role == "assistant":
                self.said_by_model = True
                self._in_response(number)
            else:
                self._close()
                if item.role == "user":
                    self._user(number, item, own)
        elif kind in CALLS or kind == "reasoning" or kind in ("compaction", "context_compaction"):
            self.thought = self.thought or kind == "reasoning"
            self._in_response(number)
            if kind in CALLS:
                self._with_calls = True
                name = name_of(item)
                if kind == "tool_search_call":
                    self._search = name
                if name and kind not in ("web_search_call", "image_generation_call"):
                    self.calls.asked(name)
        elif kind in OUTPUTS:
            self._close()
            self.calls.answered(name_of(item) if item.call_id or kind != "tool_search_output" else self._search)
        else:
            self.branches.skip()
            return
        self.branches.place(None, "", "follow")

    def _user(self, number: int, item: Payload, own: bool) -> None:
        """A message of role user: whether a person typed it may only be told by an event before or after it."""
        text = self._typed(item)
        if text is None:
            return
        said = item.internal_chat_message_metadata_passthrough
        told = said is not None and any((kind or "").startswith("user.") for kind in said.content_item_kinds or ())
        self.said_by_user = True
        self._boundary()
        sign = hash(text.strip())
        if sign in self._announced:
            self._announced.remove(sign)
            told = True
        elif self._announced and not self._recent and not told:
            self._announced.pop()
            told = True
        else:
            self._recent.append((-1 if told else number, sign))
            if len(self._recent) > _RECENT:
                self._forget(self._recent.pop(0)[0])
        self._turns.append(number if not told else -1)
        self._anchors.append(self.branches.placed)
        if text.strip() and len(self._prompts) < _PROMPTS and (own or not self.sub_agent):
            self._prompts.append((number, text[:4000]))

    def _typed(self, item: Payload) -> str | None:
        """The text that a person typed, as far as the message tells itself; None when it is injected as a whole."""
        content = item.content
        if not isinstance(content, list):
            return content if content is not None and injected_by(item, 0, content) is None else None
        typed: list[str] = []
        shown = not content
        for index, block in enumerate(content):
            text = block_text(block)
            if text is None:
                shown = shown or block.type is not None
            elif not is_wrapper(content, index):
                kind = injected_by(item, index, text)
                if kind is None:
                    typed.append(text)
                elif kind == "environment" and self.cwd is None:
                    self.cwd = environment_cwd(text)
        return "\n\n".join(typed) if typed or shown else None

    def _announce(self, text: str) -> None:
        """An event says what a person typed: the item that says the same, before it or after it, is proven."""
        self._settle()
        self._twins = True
        sign = hash(text.strip())
        place = next((n for n, (_, known) in enumerate(self._recent) if known == sign), None)
        if place is not None:
            del self._recent[place]
        else:
            self._announced.append(sign)
            del self._announced[:-_RECENT]

    def _settle(self) -> None:
        """No item says the same as the last event: it must have been the one before."""
        if self._announced:
            last = next((n for n in range(len(self._recent) - 1, -1, -1) if self._recent[n][0] >= 0), None)
            if last is not None:
                del self._recent[last]
                self._announced.pop()

    def _forget(self, number: int) -> None:
        if number >= 0:
            self._unproven.append(number)

    def _event(self, number: int, payload: Payload) -> None:
        kind = payload.type
        if kind == "user_message":
            text = payload.message or ""
            self._announce(text)
            if text.strip() and not self.said_by_user and len(self._announced_prompts) < _PROMPTS:
                self._announced_prompts.append((number, text[:4000]))
        elif kind == "item_completed":
            item = payload.item
            if item is None:
                return
            if item.type == "UserMessage":
                self._announce(joined(item.content))
            elif item.id and item.type not in ("AgentMessage", "Reasoning"):
                self._outcome(*outcome(item))
        elif payload.call_id is not None:
            self._outcome(*outcome(payload))
        elif kind == "thread_rolled_back":
            self._roll_back(payload.num_turns or 0)
        elif kind == "turn_aborted":
            self._close()
            if self._has_group and self._usage_logged and not self._billed and not self._with_calls:
                self.flags[self._group_first] |= ABORTED
                self.flags[self._group_last] |= ABORTED
            self._boundary()
        elif kind in ("task_started", "turn_started", "task_complete", "turn_complete"):
            self._boundary()
        elif kind == "thread_name_updated" and payload.thread_name:
            self.title = payload.thread_name

    def _outcome(self, name: str | None, bad: bool, took: int | None) -> None:
        if name and (bad or took is not None):
            self.outcomes.put(name, 2 * min((took + 1) if took is not None else 0, _LONGEST_DURATION) + bad)

    def _speaks(self, payload: Payload) -> bool:
        """Events that may become messages have a place in the conversation."""
        return payload.type in _SPEAKING

    def _roll_back(self, turns: int) -> None:
        """What was said in the last turns is no longer part of the conversation."""
        self._boundary()
        self._settle()
        untyped = {number for number, _ in self._recent} if self._twins else set()
        anchor = None
        while turns > 0 and self._turns:
            number, before = self._turns.pop(), self._anchors.pop()
            if number < 0 or number not in untyped:
                anchor = before
                turns -= 1
        if anchor is not None:
            self.branches.rewind(anchor)

    def _usage(self, number: int, row: Line, *, own: bool) -> None:
        if not own:
            return
        billed = self._counter.feed(number, row, b"")
        if row.type == "token_usage_record" or (isinstance(row.payload, Payload) and row.payload.type == "token_count"):
            self._close()
        if billed is None:
            return
        self._usage_logged = True
        if self._has_group and not self._billed:
            self.flags[number] |= BILLS_LAST
            self._billed = True
        else:
            self._pending = number

    def _in_response(self, number: int) -> None:
        if not self._in_group:
            self._settle()
            self._in_group = self._has_group = True
            self._with_calls = False
            self._group_first = number
            self._billed = self._pending >= 0
            if self._billed:
                self.flags[self._pending] |= BILLS_NEXT
                self._pending = -1
        self._group_last = number

    def _close(self) -> None:
        if self._in_group:
            self.flags[self._group_last] |= LAST
            self._in_group = False

    def _boundary(self) -> None:
        """What comes is no part of the response before, nor of its usage."""
        self._close()
        self._has_group = False
        self._pending = -1

    def end(self) -> None:
        """The files are over."""
        self._close()
        self._settle()
        if self._twins:
            for number in (*self._unproven, *(number for number, _ in self._recent if number >= 0)):
                self.flags[number] |= NOT_TYPED
        self.clock.end()
        self.branches.choose()
        if self.model is None and self.head is not None:
            self.model = self.head.original_model
        prompts = self._prompts if self.said_by_user else self._announced_prompts
        live = (t for n, t in prompts if self.branches.live(n) and not self.flags[n] & NOT_TYPED)
        self.first_prompt = next(live, None)
        self._prompts.clear()
        self._turns = self._anchors = self._unproven = array("q")


_SPEAKING = frozenset(
    {"user_message", "agent_message", "agent_reasoning", "item_completed", "error", "task_complete", "turn_complete"}
)


def survey(source: Source) -> Survey:
    """Read the files once. Lines that cannot be read are only counted; the second pass reports them."""
    found = Survey(plan(source))
    files = found.plan.files
    current = -1
    for number, parsed in enumerate(rows([file.path for file in source.files], line_decoder, is_record)):
        while current < parsed.file:
            current += 1
            found.open(files[current])
        if parsed.trouble is not None and parsed.trouble.skip is not None:
            found.damaged += 1
        if parsed.row is None:
            found.nothing()
        else:
            found.row(number, parsed.row)
            if parsed.row.type in RECORD_KINDS and parsed.file == found.plan.first_own:
                found.record(number, parsed)
    found.end()
    return found
