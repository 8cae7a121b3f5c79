"""The second pass over a Claude Code transcript: rows become events."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from panscript.readers.claude.content import Odd, is_error, is_result, result_content, spoken
from panscript.readers.claude.counting import SYNTHETIC, tokens_of
from panscript.readers.claude.injected import injected_by, shell_parts, unwrapped, without_reminders
from panscript.readers.claude.survey import CHAIN, OPEN, RENAMED, TWIN, Survey, is_hollow
from panscript.readers.imported import Imported
from panscript.readers.rawjson import clean_raw
from panscript.readers.restoring import Restorer
from panscript.readers.speaking import BranchSpeaker
from panscript.schemas import timestamps
from panscript.schemas.claude.lean import STATE_PREFIXES, STATE_TYPES, Block, Row
from panscript.schemas.claude.record_names import HEAD_TYPE, PART_TYPE, SUPPLIED
from panscript.schemas.events import (
    AGENT_NOTICE,
    COMPACTION_SUMMARY,
    NO_RAW,
    SHELL,
    TASK,
    Compaction,
    Event,
    Meta,
    Opaque,
    Shell,
    Summary,
    Text,
    ToolCall,
    ToolResult,
)
from panscript.schemas.events import Block as Content
from panscript.schemas.import_lean import Command
from panscript.schemas.records import RecordClass
from panscript.schemas.report import FileReport

__all__ = ["Translator"]

_PLAIN = re.compile(r"line:[\d.]+|(?!session$|end$)[^:#]+").fullmatch
"""Names that cannot be taken for one that is made here."""
_CONTENT = ("message", "content")
_INNER = ("content",)
_VENDOR = "anthropic"


class Translator(BranchSpeaker):
    """Turns one row after the other into its class and its events."""

    def __init__(self, survey: Survey, report: FileReport, imported: Imported | None = None, *, own: bool) -> None:
        super().__init__(survey.branches, report)
        self._survey = survey
        self._own = own
        self._titled = False
        self._boundary: Row | None = None
        self._side_tips: dict[str, str] = {}
        self._early = set(survey.calls.early)
        self._imported = imported
        self._restorer = Restorer(imported, self._chain) if imported is not None else None
        self._foreign: Imported | None = None
        """The record, where the row at hand was imported."""

    def row(self, number: int, row: Row, raw: bytes, place: str, line: int) -> tuple[RecordClass, list[Event]]:
        """The class of this record and what it says. `place` names it, `line` is where it stands."""
        kind = row.type
        if kind not in CHAIN:
            return self._state(number, row, raw, place)
        survey = self._survey
        flag = survey.flags[number]
        hollow = is_hollow(row)
        if hollow:
            self._report.skip_line(f"message_invalid_{kind}_message", line)
        if flag & TWIN:
            return ("skipped" if hollow else "twin"), []
        side = row.agent_id or "sidechain" if row.is_sidechain and not self._own else None
        base = row.uuid or f"line:{place}"
        if flag & RENAMED or not _PLAIN(base):
            base = f"{base}#{place}"
        self._number, self._side, self._uuid = number, side, row.uuid or ""
        self._foreign = self._imported if row.imported_from is not None else None
        time = timestamps.parse(row.timestamp)
        inherited = survey.forked_from if number <= survey.copied_to else None
        self._begin(
            base,
            time=time if self._foreign is None else self._foreign.time(self._uuid, time),
            live=side is None and survey.branches.live(number),
            inherited_from=inherited,
            agent_id=side,
            late=number in survey.clock.late,
        )
        events: list[Event] = []
        known: RecordClass
        if side is None and not hollow:
            self._meta(row, events)
        if hollow:
            known = "skipped"
        elif kind == "user":
            known = self._user(row, raw, events)
        elif kind == "assistant":
            known = self._assistant(row, raw, events, bool(flag & OPEN))
        elif kind == "system":
            known = self._system(row, events)
        elif kind == "attachment":
            known = self._attachment(row, events)
        else:
            known = "state"
        if side is None and number in survey.summaries:
            said = [event.id for event in events if not isinstance(event, Meta)]
            leaf = said[-1] if said else survey.branches.parent(number)
            events.extend(self._summary(where, text, leaf) for where, text in survey.summaries[number])
        if self._foreign is not None and self._restorer is not None:
            events.extend(self._restorer.after(self._uuid, self._common))
        if inherited is not None and known == "used":
            known = "inherited"
        return known, events

    def passed(self, number: int) -> None:
        """The record is done."""
        self._survey.branches.passed(number)

    def foreign_summaries(self) -> list[Event]:
        """Summaries whose leaf is in another file."""
        return [
            Summary(id=f"summary:{n}", text=text, live=True) for n, text in enumerate(self._survey.foreign_summaries)
        ]

    def _chain(self, name: str) -> tuple[str, str | None]:
        if self._side is None:
            return super()._chain(name)
        parent = self._side_tips.get(self._side)
        self._side_tips[self._side] = name
        return name, parent

    def _meta(self, row: Row, events: list[Event]) -> None:
        facts = self._facts
        message = row.message
        model = message.model if message is not None and message.model != SYNTHETIC else None
        provider = message.provider if message is not None else None
        if (
            row.cwd == facts.get("cwd")
            and row.version == facts.get("version")
            and row.git_branch == facts.get("git_branch")
            and (model is None or model == facts.get("model"))
            and (provider is None or provider == facts.get("provider"))
        ):
            return
        said = {
            "cwd": row.cwd,
            "git_branch": row.git_branch,
            "version": row.version,
            "model": model,
            "provider": provider,
        }
        self._learn(said, events, inherited_from=None)

    def _user(self, row: Row, raw: bytes, events: list[Event]) -> RecordClass:
        assert row.message is not None
        content = row.message.content
        if row.is_compact_summary:
            blank = self._foreign.kind(self._uuid) if self._foreign is not None else None
            self._compaction(_join(content) if blank is None else blank.removeprefix(SUPPLIED), events)
            return "used"
        if isinstance(content, str):
            if self._foreign is not None:
                self._imported_text(self._foreign, row, [Text(text=content)], events)
            else:
                self._said_by_user(row, [Text(text=content)], events)
            return "used"
        said: list[Content] = []
        results = sum(1 for block in content or () if is_result(block.type))
        for index, block in enumerate(content or ()):
            if is_result(block.type):
                self._result(row, block, raw, index, events, alone=results == 1)
                continue
            item = spoken(block, set())
            if item is None or isinstance(item, ToolCall):
                self._odd(block, raw, index, events)
            else:
                said.append(item)
        if said and self._foreign is not None:
            self._imported_text(self._foreign, row, said, events)
        elif said:
            self._said_by_user(row, said, events)
        return "used"

    def _imported_text(self, imported: Imported, row: Row, blocks: list[Content], events: list[Event]) -> None:
        """What stands in an imported row: its words are taken as they are, the record says who put them there."""
        if (command := imported.command(self._uuid)) is not None:
            self._imported_shell(command, blocks, events)
        elif (kind := imported.kind(self._uuid)) is not None:
            if kind != SUPPLIED:
                self._say("system", blocks, events, injected=kind)
        elif row.is_meta:
            self._say("system", blocks, events, injected="meta", hidden=True)
        elif imported.is_task(self._uuid):
            self._say("system", blocks, events, injected=TASK)
        else:
            self._typed(blocks, events)

    def _imported_shell(self, facts: Command, blocks: list[Content], events: list[Event]) -> None:
        text = blocks[0].text if blocks and isinstance(blocks[0], Text) else ""
        more: dict[str, Any] = {"command": unwrapped(text, "bash-input"), "excluded": facts.excluded}
        if facts.output:
            more = {
                "output": unwrapped(text.removesuffix("<bash-stderr></bash-stderr>"), "bash-stdout"),
                "exit_code": facts.exit_code,
                "cancelled": facts.cancelled,
                "truncated": facts.truncated,
                "excluded": facts.excluded,
            }
        name, parent = self._next()
        events.append(Shell(id=name, parent=parent, **self._common, **more))

    def _said_by_user(self, row: Row, blocks: list[Content], events: list[Event]) -> None:
        """Text and pictures of a user row: what the person typed apart from what was put beside it."""
        origin = row.origin.kind if row.origin is not None and row.origin.kind != "human" else None
        if row.is_meta:
            self._say("system", blocks, events, injected="meta", hidden=True)
            return
        typed: list[Content] = []
        for block in blocks:
            if not isinstance(block, Text):
                typed.append(block)
                continue
            text, reminders = without_reminders(block.text)
            kind = "reminder" if reminders and not text else injected_by(block.text) or origin
            if kind == SHELL:
                self._shell(block.text, events)
            elif kind is not None:
                self._say("system", [block], events, injected=kind)
            else:
                if reminders:
                    hidden: list[Content] = [Text(text=reminder) for reminder in reminders]
                    self._say("system", hidden, events, injected="reminder", hidden=True)
                typed.append(Text(text=text) if reminders else block)
        if typed and not (origin and all(isinstance(b, Text) for b in blocks)):
            self._typed(typed, events)

    def _typed(self, blocks: list[Content], events: list[Event]) -> None:
        """What a person typed; in a sub-agent's transcript, what its parent told it."""
        if self._own or self._side is not None:
            self._say("system", blocks, events, injected=TASK)
        else:
            self._say("user", blocks, events)

    def _shell(self, text: str, events: list[Event]) -> None:
        command, output = shell_parts(text)
        self._say("system", [Text(text=text)], events, injected=SHELL)
        name, parent = self._next()
        events.append(Shell(id=name, parent=parent, command=command, output=output, **self._common))

    def _result(self, row: Row, block: Block, raw: bytes, index: int, events: list[Event], *, alone: bool) -> None:
        outcome = row.tool_use_result
        duration = None
        if alone and isinstance(outcome, msgspec.Struct) and outcome.duration_ms is not None:
            duration = int(outcome.duration_ms)
        call = block.tool_use_id or ""
        early = call in self._early
        self._early.discard(call)
        if self._foreign is not None:
            call = self._foreign.original(call)
        odd: Odd = []
        content = result_content(block, odd)
        for way, kind in odd:
            self._unknown(kind, self._inner.deep(raw, (index, *way), (_CONTENT,), _INNER), events)
        name, parent = self._next()
        events.append(
            ToolResult(
                id=name,
                parent=parent,
                **self._common,
                call_id=call,
                content=content,
                status="error" if is_error(block) else "ok",
                duration_ms=duration,
                early=early,
            )
        )

    def _assistant(self, row: Row, raw: bytes, events: list[Event], goes_on: bool) -> RecordClass:
        message = row.message
        assert message is not None
        content = message.content
        blocks: list[Content] = []
        results: list[tuple[int, Block]] = []
        if isinstance(content, str):
            blocks.append(Text(text=content))
        else:
            unanswered = self._survey.calls.unanswered
            for index, block in enumerate(content or ()):
                item = spoken(block, unanswered)
                if item is not None:
                    blocks.append(item)
                elif is_result(block.type):
                    results.append((index, block))
                else:
                    self._odd(block, raw, index, events)
        made_up = message.model == SYNTHETIC or bool(row.is_api_error_message)
        tokens = tokens_of(message.usage) if message.usage is not None and not made_up else None
        if self._foreign is not None:
            blocks = self._foreign.with_thinking(self._uuid, [_original(b, self._foreign) for b in blocks])
            tokens = self._foreign.tokens(self._uuid)
        self._say(
            "assistant",
            blocks,
            events,
            response=message.id,
            closes=not goes_on,
            message_id=message.id,
            request_id=row.request_id or row.request_id_snake,
            model=None if made_up else message.model,
            provider=message.provider,
            stop_reason=message.stop_reason,
            tokens=tokens,
            injected=AGENT_NOTICE if made_up else None,
            signer=_VENDOR if message.provider in (None, _VENDOR) else None,
        )
        for index, block in results:
            self._result(row, block, raw, index, events, alone=False)
        return "used"

    def _system(self, row: Row, events: list[Event]) -> RecordClass:
        if row.subtype == "compact_boundary":
            self._boundary = row
            return "used"
        command = self._foreign.command(self._uuid) if self._foreign is not None else None
        if command is not None and isinstance(row.content, str):
            self._imported_shell(command, [Text(text=row.content)], events)
            return "used"
        return "state"

    def _compaction(self, text: str, events: list[Event]) -> None:
        boundary, self._boundary = self._boundary, None
        facts = boundary.compact_metadata if boundary is not None else None
        kept = None
        if facts is not None:
            if facts.preserved_segment is not None:
                kept = facts.preserved_segment.head_uuid
            elif facts.preserved_messages is not None and facts.preserved_messages.uuids:
                kept = facts.preserved_messages.uuids[0]
        name, parent = self._next()
        events.append(
            Compaction(
                id=name,
                parent=parent,
                **self._common,
                summary=text,
                first_kept=kept,
                tokens_before=facts.pre_tokens if facts is not None else None,
                trigger=facts.trigger if facts is not None else None,
            )
        )
        self._say("system", [Text(text=text)], events, injected=COMPACTION_SUMMARY)

    def _attachment(self, row: Row, events: list[Event]) -> RecordClass:
        """A prompt that was typed while the model worked stands in no user row."""
        attachment = row.attachment
        if attachment is None or attachment.type != "queued_command" or not attachment.prompt:
            return "state"
        kind = attachment.origin.kind if attachment.origin is not None else None
        prompt = attachment.prompt
        blocks = [Text(text=prompt)] if isinstance(prompt, str) else [spoken(b, set()) for b in prompt]
        text = _join(prompt)
        if kind not in (None, "human") or attachment.command_mode == "task-notification":
            self._say("system", [Text(text=text)], events, injected=kind or "queued_command", hidden=True)
            return "used"
        injected = injected_by(text)
        said = [block for block in blocks if block is not None]
        if injected == SHELL:
            self._shell(text, events)
        elif injected is not None:
            self._say("system", said, events, injected=injected)
        else:
            self._typed(said, events)
        return "used"

    def _state(self, number: int, row: Row, raw: bytes, place: str) -> tuple[RecordClass, list[Event]]:
        events: list[Event] = []
        kind = row.type
        if kind == "summary":
            return "used", events
        if row.custom_title and kind == "custom-title":
            self._titled = True
            self._called(row.custom_title, row, place, events)
            return "used", events
        if row.ai_title and kind == "ai-title":
            if not self._titled:
                self._called(row.ai_title, row, place, events)
            return "used", events
        if kind in (HEAD_TYPE, PART_TYPE) and self._imported is not None:
            self._number, self._side = number, None
            return "state", self._recorded(row, self._imported)
        if kind in STATE_TYPES or (kind or "").startswith(STATE_PREFIXES):
            return "state", events
        self._report.see_unknown(kind or "(no type)")
        live = self._survey.branches.live(number)
        events.append(Opaque(id=f"line:{place}", live=live, name=kind or "", data=_raw(raw)))
        return "opaque", events

    def _called(self, title: str, row: Row, place: str, events: list[Event]) -> None:
        name, time = f"meta:line:{place}", timestamps.parse(row.timestamp)
        self._learn({"title": title}, events, id=name, time=time, inherited_from=None)

    def _recorded(self, row: Row, imported: Imported) -> list[Event]:
        """After the head comes what stood before everything else, after a part what it says of rows not met."""
        assert self._restorer is not None
        late = imported.passed(row.id) if row.type == PART_TYPE else []
        events = list(self._restorer.after(None, {"live": True}, late))
        if self._foreign is not None:
            # The part that comes now may begin with what stood after the row before this one.
            events.extend(self._restorer.after(self._uuid, self._common))
        return events

    def _odd(self, block: Block, raw: bytes, index: int, events: list[Event]) -> None:
        self._unknown(block.type or "(no type)", self._inner.clean(raw, index, _CONTENT), events)

    def _summary(self, where: int, text: str, leaf: str | None) -> Summary:
        return Summary(id=f"summary:{self._base}:{where}", parent=leaf, text=text, leaf=leaf, **self._common)


def _original(block: Content, imported: Imported) -> Content:
    """A block as it was before it was imported."""
    if not isinstance(block, ToolCall):
        return block
    text, custom = imported.text_of(block.id, block.arguments)
    name, tool = imported.original(block.id), imported.original(block.name)
    arguments = block.arguments if text is None else NO_RAW
    return ToolCall(id=name, name=tool, arguments=arguments, text=text, custom=custom, answered=block.answered)


def _join(content: str | list[Block] | None) -> str:
    if isinstance(content, str):
        return content
    return "\n\n".join(block.text for block in content or () if block.text)


def _raw(raw: bytes) -> msgspec.Raw:
    """The row as JSON, when it is JSON as it stands."""
    text = raw.strip()
    return clean_raw(text) if text.startswith(b"{") else NO_RAW
