"""The second pass over a conversation record: messages become events, each at its first place, in its last version."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from panscript.readers.genai import command_run, is_known, parts_of, pieces, responded, said_block, unknown_in
from panscript.readers.rawjson import InnerItems, clean_raw
from panscript.readers.recordings.rows import Place, Versions
from panscript.readers.recordings.survey import (
    COMPACTED,
    COUNTED,
    MADE_UP,
    RENAMED,
    Survey,
    as_message,
    has_result,
    kind_of,
)
from panscript.readers.recordings.usage import Billing, tokens_of
from panscript.readers.speaking import BranchSpeaker
from panscript.readers.tolerant import repaired
from panscript.schemas import timestamps
from panscript.schemas.events import (
    AGENT_NOTICE,
    COMPACTION_SUMMARY,
    NO_RAW,
    TASK,
    Block,
    Compaction,
    Event,
    Meta,
    Opaque,
    Shell,
    Status,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    Usage,
)
from panscript.schemas.genai import FunctionResponse, Part, PartList
from panscript.schemas.packed import PackedMap
from panscript.schemas.recordings import ANSWERS, NOTICES, Change, Line, MessageRecord, Thought, ToolCallRecord
from panscript.schemas.records import RecordClass
from panscript.schemas.report import FileReport

__all__ = ["Translator"]

_EMPTY = msgspec.Raw(b"{}")
_STATUS: dict[str, Status] = {"success": "ok", "error": "error", "cancelled": "error"}
_MESSAGES = ("$set", "messages"), ("messages",)
_PARTS = ("parts",), ("content",)
_ANSWER = ("functionResponse", "parts")
_CALLS = ("toolCalls",)
_RESULT = ("result",)
_COMMANDS = ("/", "?")


class Translator(BranchSpeaker):
    """Turns one record after the other into its class and its events."""

    def __init__(
        self,
        survey: Survey,
        versions: Versions,
        report: FileReport,
        billing: Billing | None,
        thoughts_apart: bool | None,
        *,
        child: bool,
    ) -> None:
        """`child`: the session is a sub-agent's, so nobody typed its prompts."""
        super().__init__(survey.branches, report)
        self._survey, self._versions = survey, versions
        self._billing, self._child = billing, child
        self._thoughts_apart = thoughts_apart
        self._slot = 0
        self._given = PackedMap()
        """Ids of calls whose result was told."""
        self._kept: dict[int, str | None] = {}
        self._waiting: list[int] = []
        self._carrier = b"", -1
        self._carried = InnerItems()
        self._taken: tuple[tuple[bytes, int], bytes] | None = None
        """What was carried, as asked for last: `InnerItems` know a text they have seen by its identity."""

    def row(self, number: int, row: Line, place: Place, text: bytes, line: int) -> tuple[RecordClass, list[Event]]:
        """The class of this record and what it says. `text` is its JSON."""
        events: list[Event] = []
        kind = kind_of(row)
        where = f"{place.file}:{line}" if place.file else str(line)
        where = f"{where}.{place.turn}" if place.turn else where
        if kind in ("meta", "set"):
            said = row.set if kind == "set" and row.set is not None else row
            title = (said.summary or "").strip()
            self._learn({"title": title}, events, id=f"meta:line:{where}", time=_written(said))
        slots = self._survey.slot_records
        while self._slot < len(slots) and slots[self._slot] == number:
            events.extend(self._message(self._slot, row, place, text))
            self._slot += 1
        if events:
            return "used", events
        if kind is None:
            data = text.strip(b"\0\xef\xbb\xbf \t\r\n")
            if repaired(data) is None:
                # The beginning of a document that does not say whose it is.
                return "state", events
            name = row.type or row.role or "(no type)"
            self._report.see_unknown(name)
            return "opaque", [Opaque(id=f"line:{where}", name=name, data=clean_raw(data))]
        return ("twin" if kind in ("message", "content") else "used" if kind == "rewind" else "state"), events

    def begin(self, said: dict[str, str | None], time: int | None) -> list[Event]:
        """What is known of the session before its first record."""
        events: list[Event] = []
        self._learn(said, events, id="meta:header", time=time)
        return events

    def _message(self, slot: int, row: Line, place: Place, text: bytes) -> Iterator[Event]:
        survey = self._survey
        flags = survey.flags[slot]
        compaction = survey.compactions.get(slot)
        message = self._version(slot if compaction is None else compaction[0], row, place, text)
        if message is None:
            self._report.warn("file_changed", "the file changed while it was read")
            return
        named = message.id if compaction is None or compaction[0] == slot else None
        base = named or f"{'compaction' if flags & COMPACTED else 'content'}:{slot}"
        base = f"{base}#{slot}" if flags & RENAMED else base
        time = timestamps.parse(message.timestamp)
        self._number = slot
        self._begin(base, time=time, live=survey.branches.live(slot), late=slot in survey.clock.late)
        events: list[Event] = []
        if compaction is not None:
            self._compaction(message, compaction[1], events)
        elif message.type in ANSWERS:
            self._answer(message, flags, events)
        elif message.type == "user":
            self._user(message, events)
        elif message.type in NOTICES:
            self._notice(message, events)
        else:
            self._unknown(message.type or "(no type)", clean_raw(self._json().strip()), events)
        self._keep(slot, events)
        survey.branches.passed(slot)
        yield from events

    def _version(self, slot: int, row: Line, place: Place, text: bytes) -> MessageRecord | None:
        """The message as it was at last; `_json` then gives its JSON."""
        last = self._survey.place(slot)
        found: Line | None = row
        if last._replace(item=-1) != place:
            found, text = self._versions.at(last)
        self._carrier = text, last.item
        if found is None or last.item < 0:
            return as_message(found) if found is not None else None
        carried = found.set.messages if found.set is not None else found.messages
        return carried[last.item] if carried is not None and last.item < len(carried) else None

    def _json(self) -> bytes:
        """The JSON of the message at hand."""
        text, item = self._carrier
        if item < 0:
            return text
        if self._taken is None or self._taken[0] is not self._carrier:
            self._taken = self._carrier, self._carried.item(text, item, *_MESSAGES) or b"null"
        return self._taken[1]

    def _keep(self, slot: int, events: list[Event]) -> None:
        """Remember which event stands for a message that a compaction keeps first."""
        first = next((event.id for event in events if not isinstance(event, Meta | Usage)), None)
        if first is not None and self._waiting:
            self._kept.update(dict.fromkeys(self._waiting, first))
            self._waiting.clear()
        if slot in self._survey.kept:
            self._kept[slot] = first
            if first is None:
                self._waiting.append(slot)

    def _compaction(self, message: MessageRecord, kept: int | None, events: list[Event]) -> None:
        name, parent = self._next()
        found = [piece for piece in pieces(parts_of(message.content)) if piece.injected in (None, COMPACTION_SUMMARY)]
        text = "\n\n".join(block.text for piece in found for block in piece.blocks if isinstance(block, Text))
        first = self._kept.get(kept) if kept is not None else None
        events.append(Compaction(id=name, parent=parent, summary=text, first_kept=first, **self._common))

    def _user(self, message: MessageRecord, events: list[Event]) -> None:
        parts = parts_of(message.content)
        for piece in pieces(parts):
            run = command_run(piece) if piece.injected is None else None
            if run is not None:
                name, parent = self._next()
                events.append(Shell(id=name, parent=parent, command=run[0], output=run[1], **self._common))
                continue
            injected = piece.injected
            if injected is None and self._child:
                injected = TASK
            elif injected is None and _is_command(piece.blocks):
                injected = "command"
            self._say("user" if injected is None else "system", piece.blocks, events, injected=injected)
        for number, part in enumerate(parts):
            response = part.function_response
            if response is not None and self._given.get(response.id or "") is None:
                blocks, failed = responded(response)
                self._strange_inside([(number, place) for place in unknown_in(response)], _PARTS, (_ANSWER,), events)
                self._result(response.id or "", response.name, blocks, "error" if failed else "ok", NO_RAW, events)
        self._strange(parts, events)

    def _notice(self, message: MessageRecord, events: list[Event]) -> None:
        blocks = [block for part in parts_of(message.content) if (block := said_block(part)) is not None]
        fault = "error" if message.type == "error" else None
        self._say("assistant", blocks, events, injected=AGENT_NOTICE, fault=fault)

    def _answer(self, message: MessageRecord, flags: int, events: list[Event]) -> None:
        parts = parts_of(message.content)
        calls = {call.id: call for call in message.tool_calls or () if call.id}
        blocks: list[Block] = []
        if not any(part.thought and part.text for part in parts):
            blocks.extend(Thinking(text=text) for each in message.thoughts or () if (text := _thought(each)))
        told: set[str] = set()
        for part in parts:
            call = part.function_call
            if call is None:
                block = said_block(part)
                if block is not None:
                    blocks.append(block)
                continue
            name = call.id or ""
            if name in told:
                continue
            told.add(name)
            logged = calls.get(name)
            blocks.append(self._call(name, call.name or (logged.name if logged is not None else None), call.args))
        for record in message.tool_calls or ():
            if record.id is None or record.id not in told:
                blocks.append(self._call(record.id or "", record.name, record.args))
                told.add(record.id or "")
        if message.model:
            self._learn({"model": message.model}, events)
        tokens = None
        if message.tokens is not None:
            tokens = tokens_of(message.tokens, thoughts_apart=self._thoughts_apart)
        made_up = flags & MADE_UP
        self._say(
            "assistant",
            blocks,
            events,
            message_id=message.id,
            model=message.model,
            tokens=tokens if tokens is not None and tokens.total else None,
            injected=AGENT_NOTICE if made_up else None,
        )
        for number, record in enumerate(message.tool_calls or ()):
            if has_result(record) and (not record.id or self._given.get(record.id) is None):
                self._call_result(number, record, events)
        for number, part in enumerate(parts):
            # Agents of this family log results on the side of the model, too.
            if part.function_response is not None and self._given.get(part.function_response.id or "") is None:
                found, failed = responded(part.function_response)
                called = part.function_response
                self._strange_inside([(number, place) for place in unknown_in(called)], _PARTS, (_ANSWER,), events)
                self._result(called.id or "", called.name, found, "error" if failed else "ok", NO_RAW, events)
        self._strange(parts, events)
        if self._billing is not None and message.tokens is not None and not flags & COUNTED:
            billed = self._billing.event(message, self._base, self._json, self._common)
            if billed is not None:
                events.append(billed)

    def _call(self, name: str, tool: str | None, args: msgspec.Raw) -> ToolCall:
        answered = self._survey.answered.get(name) is not None
        arguments = clean_raw(args) if bytes(args) else _EMPTY
        return ToolCall(id=name, name=tool or "", arguments=arguments, answered=answered)

    def _call_result(self, number: int, call: ToolCallRecord, events: list[Event]) -> None:
        blocks, failed, strange = _result_of(call.id, call.result)
        shown = bytes(call.result_display)
        if not blocks and call.result is None and shown.startswith(b'"'):
            blocks = [Text(text=text)] if (text := _string(call.result_display)) else []
        status = _STATUS.get(call.status or "", "unknown" if call.status is not None else "ok")
        details = clean_raw(call.result_display) if shown.startswith((b"{", b"[")) else NO_RAW
        logged = timestamps.parse(call.timestamp)
        common = self._common
        self._common = {**common, "time": logged if logged is not None else common["time"]}
        self._strange_inside([(number, *places) for places in strange], (_CALLS,), (_RESULT, _ANSWER), events)
        self._result(call.id or "", call.name, blocks, "error" if failed else status, details, events)
        self._common = common

    def _result(
        self,
        call: str,
        tool: str | None,
        blocks: list[Block],
        status: Status,
        details: msgspec.Raw,
        events: list[Event],
    ) -> None:
        if call:
            self._given.put(call, 0)
        name, parent = self._next()
        events.append(
            ToolResult(
                id=name,
                parent=parent,
                call_id=call,
                name=tool,
                content=tuple(blocks),
                status=status,
                details=details,
                **self._common,
            )
        )

    def _strange(self, parts: list[Part], events: list[Event]) -> None:
        """Parts of a kind that is not known."""
        strange = [number for number, part in enumerate(parts) if not is_known(part)]
        text = self._json() if strange else b""
        for number in strange:
            self._unknown("part", self._inner.clean(text, number, *_PARTS), events)

    def _strange_inside(
        self,
        strange: list[tuple[int, ...]],
        ways: tuple[tuple[str, ...], ...],
        within: tuple[tuple[str, ...], ...],
        events: list[Event],
    ) -> None:
        """The same in a result. `within`: where the lists are that hold them."""
        text = self._json() if strange else b""
        for places in strange:
            self._unknown("part", self._inner.deep(text, places, ways, *within), events)


def _written(said: Line | Change) -> int | None:
    for time in (said.last_updated, said.start_time):
        if (found := timestamps.parse(time)) is not None:
            return found
    return None


def _is_command(blocks: list[Block]) -> bool:
    first = blocks[0] if blocks else None
    return isinstance(first, Text) and first.text.lstrip().startswith(_COMMANDS)


def _thought(thought: Thought) -> str:
    subject = f"**{thought.subject}**" if thought.subject else ""
    return f"{subject} {thought.description or ''}".strip()


def _result_of(call: str | None, result: PartList) -> tuple[list[Block], bool, list[tuple[int, ...]]]:
    """What the result of a call holds: the text in its response, and what stands beside it. Then whether it failed,
    and the ways to parts that are not known."""
    blocks: list[Block] = []
    strange: list[tuple[int, ...]] = []
    failed, own = False, True
    for number, part in enumerate(parts_of(result)):
        response: FunctionResponse | None = part.function_response
        if response is None:
            # What stands beside a response belongs to the one before it; results of parallel calls may come together.
            block = said_block(part) if own else None
            if block is not None:
                blocks.append(block)
            elif own and not is_known(part):
                strange.append((number,))
            continue
        own = response.id is None or call is None or response.id == call
        if own:
            found, wrong = responded(response)
            blocks.extend(found)
            failed = failed or wrong
            strange.extend((number, place) for place in unknown_in(response))
    return blocks, failed, strange


def _string(raw: msgspec.Raw) -> str:
    try:
        return msgspec.json.decode(clean_raw(raw), type=str)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return ""
