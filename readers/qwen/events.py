"""The second pass over a Qwen Code session: rows become events."""

from __future__ import annotations

import msgspec

from panscript.readers.genai import command_run, is_known, pieces, responded, said_block, text_of, unknown_in
from panscript.readers.options import ReadOptions
from panscript.readers.qwen.files import Beside
from panscript.readers.qwen.survey import RENAMED, Survey, is_hollow, is_typed
from panscript.readers.qwen.survey import is_known as is_row
from panscript.readers.qwen.usage import tokens_of
from panscript.readers.rawjson import clean_raw
from panscript.readers.speaking import BranchSpeaker
from panscript.schemas import timestamps
from panscript.schemas.counts import count
from panscript.schemas.events import (
    NO_RAW,
    TASK,
    Block,
    Compaction,
    Event,
    Meta,
    Shell,
    Status,
    Text,
    ToolCall,
    ToolResult,
    Usage,
)
from panscript.schemas.genai import Part
from panscript.schemas.naming import model_name
from panscript.schemas.qwen.lean import KNOWN_SUBTYPES, Row
from panscript.schemas.records import RecordClass, Source
from panscript.schemas.report import FileReport

__all__ = ["Translator"]

_PARTS = ("message", "parts")
_INNER = ("functionResponse", "parts")
_EMPTY = msgspec.Raw(b"{}")
_STATUS: dict[str, Status] = {"success": "ok", "error": "error", "cancelled": "error"}
_USED_STATE = frozenset({"custom_title", "parent_session", "rewind"})
_MOST = 1 << 53


class Translator(BranchSpeaker):
    """Turns one row after the other into its class and its events."""

    def __init__(self, survey: Survey, source: Source, report: FileReport, options: ReadOptions, agent: str | None):
        """`agent`: id of the sub-agent whose session this is."""
        super().__init__(survey.branches, report)
        self._survey, self._options = survey, options
        self._beside = Beside(source.path)
        self._agent = agent
        self._durations: dict[str, int] = {}
        self._kept: dict[int, str | None] = {}
        self._waiting: list[int] = []

    def row(self, number: int, row: Row, text: bytes, where: str, line: int) -> tuple[RecordClass, list[Event]]:
        """The class of this record and what it says. `text` is its JSON, `where` names its place on `line`."""
        survey = self._survey
        base = row.uuid if row.uuid is not None and is_row(row) else f"line:{where}"
        if survey.flags[number] & RENAMED:
            base = f"{base}#{where}"
        self._number, self._text = number, text
        events: list[Event] = []
        side = row.agent_id or "sidechain" if row.is_sidechain and self._agent is None else None
        inherited = row.forked_from.session_id if row.forked_from is not None else None
        there = inherited is not None and self._beside.holds(inherited)
        self._begin(
            base,
            time=timestamps.parse(row.timestamp),
            live=survey.branches.live(number),
            inherited_from=inherited if there else None,
            late=number in survey.clock.late,
            agent_id=side,
        )
        kind = self._row(row, events, line)
        self._keep(number, events)
        survey.branches.passed(number)
        if kind == "used" and self._common["inherited_from"] is not None:
            kind = "inherited"
        return kind, events

    def passed(self, number: int) -> None:
        """A record that could not be read is done."""
        self._survey.branches.passed(number)

    def _row(self, row: Row, events: list[Event], line: int) -> RecordClass:
        if not is_row(row):
            self._report.see_unknown(row.type or "(no type)")
            self._outside(row.type or "(no type)", self._whole(), events)
            return "opaque"
        if is_hollow(row):
            self._report.skip_line("message_invalid_message", line)
            return "skipped"
        facts = {"cwd": row.cwd, "git_branch": row.git_branch, "version": row.version}
        if row.type == "assistant":
            facts["model"] = row.model
        self._learn(facts, events)
        if row.type == "system":
            return self._system(row, events)
        assert row.message is not None
        parts = row.message.parts or []
        if row.type == "user":
            self._user(row, parts, events)
        elif row.type == "assistant":
            self._assistant(row, parts, events)
        else:
            self._results(row, parts, events)
        for index, part in enumerate(parts):
            if not is_known(part):
                self._unknown("part", self._inner.clean(self._text, index, _PARTS), events)
        return "used"

    def _keep(self, number: int, events: list[Event]) -> None:
        """Remember which event stands for a row that a compression keeps first."""
        first = next((event.id for event in events if not isinstance(event, Meta | Usage)), None)
        if first is not None and self._waiting:
            self._kept.update(dict.fromkeys(self._waiting, first))
            self._waiting.clear()
        if number in self._survey.kept:
            self._kept[number] = first
            if first is None:
                self._waiting.append(number)

    def _user(self, row: Row, parts: list[Part], events: list[Event]) -> None:
        own = None if is_typed(row) else row.subtype or row.provenance or "user"
        if own is None and (self._agent is not None or row.is_sidechain):
            own = TASK
        for piece in pieces(parts):
            run = command_run(piece) if piece.injected is None else None
            if run is not None:
                name, parent = self._next()
                events.append(Shell(id=name, parent=parent, command=run[0], output=run[1], **self._common))
                continue
            injected = piece.injected or own
            self._say("user" if injected is None else "system", piece.blocks, events, injected=injected)
        self._results(row, parts, events)

    def _assistant(self, row: Row, parts: list[Part], events: list[Event]) -> None:
        blocks: list[Block] = []
        for part in parts:
            call = part.function_call
            if call is not None:
                answered = self._survey.answered.get(call.id or "") is not None
                arguments = clean_raw(call.args) if bytes(call.args) else _EMPTY
                blocks.append(ToolCall(id=call.id or "", name=call.name or "", arguments=arguments, answered=answered))
            elif (block := said_block(part)) is not None:
                blocks.append(block)
        tokens = tokens_of(row.usage_metadata, row.model) if row.usage_metadata is not None else None
        self._say(
            "assistant",
            blocks,
            events,
            response=row.uuid,
            closes=row.uuid is None or self._survey.last.get(row.uuid) == self._number,
            message_id=row.uuid,
            model=row.model,
            tokens=tokens if tokens is not None and tokens.total else None,
        )
        if tokens is not None and self._options.usage:
            self._bill(row, tokens.total, events)

    def _bill(self, row: Row, total: int, events: list[Event]) -> None:
        assert row.usage_metadata is not None
        if not total:
            self._report.skip("no_token_usage")
        elif self._common["time"] is None:
            self._report.skip("invalid_timestamp")
        elif self._options.told_usage:
            events.append(
                Usage(
                    id=f"usage:{self._base}",
                    tokens=tokens_of(row.usage_metadata, row.model),
                    model=model_name(row.model),
                    response=row.uuid,
                    message_id=row.uuid,
                    told=True,
                    raw=self._whole() if self._options.raw else NO_RAW,
                    **{**self._common, "agent_id": self._agent or self._common["agent_id"]},
                )
            )

    def _results(self, row: Row, parts: list[Part], events: list[Event]) -> None:
        logged = row.tool_call_result
        shown = bytes(logged.result_display) if logged is not None else b""
        beside: list[Block] = []
        if row.type == "tool_result":
            beside = [block for part in parts if (block := said_block(part)) is not None]
        answers = [(place, found) for place, part in enumerate(parts) if (found := part.function_response) is not None]
        for index, (place, response) in enumerate(answers):
            name = response.id or (logged.call_id if logged is not None else None) or ""
            blocks, failed = responded(response)
            if index == len(answers) - 1:
                blocks.extend(beside)
            if (
                not blocks
                and logged is not None
                and shown.startswith(b'"')
                and (text := _string(logged.result_display))
            ):
                blocks = [Text(text=text)]
            status: Status = "error" if failed else "ok"
            if logged is not None and logged.status is not None and not failed:
                status = _STATUS.get(logged.status, "unknown")
            for inner in unknown_in(response):
                self._unknown("part", self._inner.deep(self._text, (place, inner), (_PARTS,), _INNER), events)
            identity, parent = self._next()
            events.append(
                ToolResult(
                    id=identity,
                    parent=parent,
                    call_id=name,
                    name=response.name,
                    content=tuple(blocks),
                    status=status,
                    duration_ms=self._durations.pop(name, None),
                    details=clean_raw(logged.result_display)
                    if logged is not None and shown[:1] in (b"{", b"[")
                    else NO_RAW,
                    **self._common,
                )
            )
        if beside and not answers:
            self._say("system", beside, events, injected="tool_result")

    def _system(self, row: Row, events: list[Event]) -> RecordClass:
        kind, payload = row.subtype, row.system_payload
        if kind not in KNOWN_SUBTYPES:
            self._report.see_unknown(kind or "system")
            self._outside(kind or "system", self._whole(), events)
            return "opaque"
        if payload is not None:
            if kind == "custom_title":
                self._learn({"title": (payload.custom_title or "").strip()}, events)
            elif kind == "parent_session":
                self._learn({"parent_session_id": payload.parent_session_id}, events)
            elif kind == "chat_compression":
                self._compaction(row, events)
            elif kind == "ui_telemetry" and payload.ui_event is not None and payload.ui_event.call_id:
                took = payload.ui_event.duration_ms
                if took is not None and 0 <= took < _MOST and len(self._durations) < 1000:
                    self._durations[payload.ui_event.call_id] = int(took)
        spoken = any(not isinstance(event, Meta) for event in events)
        return "used" if spoken or kind in _USED_STATE else "twin" if kind == "ui_telemetry" else "state"

    def _compaction(self, row: Row, events: list[Event]) -> None:
        payload = row.system_payload
        assert payload is not None
        history = payload.compressed_history or []
        index, record = self._survey.compactions.get(self._number, (len(history), None))
        told = history[:index]
        # The model's part in it is a nod, unless what was kept could not be found again.
        texts = [text_of(each.parts or ()) for each in told if each.role != "model" or (record is None and index > 2)]
        first = self._kept.get(record) if record is not None else None
        before = count(payload.info.original_token_count) if payload.info is not None else 0
        name, parent = self._next()
        events.append(
            Compaction(
                id=name,
                parent=parent,
                summary="\n\n".join(text for text in texts if text),
                first_kept=first,
                tokens_before=before or None,
                **self._common,
            )
        )


def _string(raw: bytes) -> str:
    try:
        return msgspec.json.decode(clean_raw(raw), type=str)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return ""
