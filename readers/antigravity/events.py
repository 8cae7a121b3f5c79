"""The second pass over a conversation: steps become events."""

from __future__ import annotations

from panscript.readers.antigravity.forms import Piece
from panscript.readers.antigravity.pairing import Pairing
from panscript.readers.antigravity.steps import PLANNER, USER, Step
from panscript.readers.antigravity.survey import PASSED, Survey, is_tool, name_of, typed
from panscript.readers.rawjson import clean_raw
from panscript.readers.speaking import Speaker
from panscript.schemas.events import (
    TASK,
    Block,
    Event,
    Meta,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
)
from panscript.schemas.packed import PackedMap
from panscript.schemas.records import RecordClass
from panscript.schemas.report import FileReport

__all__ = ["Translator"]

_FAILED = frozenset({"ERROR", "CANCELED", "INTERRUPTED", "INVALID"})
_AROUND = "additional_metadata"
"""`Message.injected` of what stands around a prompt."""
_SYSTEM = frozenset({"SYSTEM", "SYSTEM_SDK", "USER_IMPLICIT"})
_USER = frozenset({"USER", "USER_EXPLICIT"})


class Translator(Speaker):
    """Turns one step after the other into its class and its events."""

    def __init__(self, survey: Survey, report: FileReport, *, child: bool) -> None:
        """`child`: the conversation is a sub-agent's, so nobody typed its prompts."""
        super().__init__(report)
        self._survey = survey
        self._child = child
        self._pairing = Pairing(survey.known)
        self._names = PackedMap()
        self._model: str | None = None

    def step(self, number: int, piece: Piece, step: Step) -> tuple[RecordClass, list[Event]]:
        """The class of this record and what it says. `number` is that of the record, from 0."""
        base = f"step:{step.index}" if step.index is not None else f"line:{piece.line}"
        if self._names.get(base) is not None:
            base = f"{base}#{piece.line}"
        self._names.put(base, 0)
        self._begin(base, time=step.time, late=number in self._survey.clock.late)
        events: list[Event] = []
        if step.kind in PASSED:
            return "state", events
        if step.kind == PLANNER:
            self._planner(piece, step, events)
        elif step.kind == USER or step.source in _USER:
            self._user(step, events)
        elif is_tool(step):
            self._result(piece, step, events)
        elif step.source in _SYSTEM or step.kind in ("CHECKPOINT", "SYSTEM_MESSAGE", "ERROR_MESSAGE"):
            self._notice(step, events)
        else:
            name = step.kind or "(no type)"
            data = clean_raw(piece.trouble.raws[0] if piece.trouble and piece.trouble.raws else piece.raw.strip())
            self._unknown(name, data, events)
            return "opaque", events
        return "used" if events else "state", events

    def _user(self, step: Step, events: list[Event]) -> None:
        said, added = typed(step)
        blocks: list[Block] = [Text(text=said)] if said else []
        blocks.extend(step.images)
        if blocks and self._child:
            self._say("system", blocks, events, injected=TASK)
        elif blocks and step.source == "USER_IMPLICIT":
            self._say("system", blocks, events, injected="user_implicit")
        elif blocks:
            self._say("user", blocks, events)
        if added:
            self._say("system", [Text(text=added)], events, injected=_AROUND, hidden=True)

    def _notice(self, step: Step, events: list[Event]) -> None:
        if step.text:
            hidden = step.kind != "ERROR_MESSAGE"
            self._say("system", [Text(text=step.text)], events, injected=step.kind.lower() or "system", hidden=hidden)

    def _planner(self, piece: Piece, step: Step, events: list[Event]) -> None:
        blocks: list[Block] = []
        if step.thinking or step.signature:
            blocks.append(Thinking(text=step.thinking, signature=step.signature))
        if step.text:
            blocks.append(Text(text=step.text))
        ids = self._pairing.asked(step, name_of(step, piece.line))
        for identity, call in zip(ids, step.calls, strict=True):
            answered = identity in self._survey.answered
            name = call.name
            if call.text is not None:
                blocks.append(ToolCall(id=identity, name=name, text=call.text, answered=answered))
            else:
                blocks.append(ToolCall(id=identity, name=name, arguments=call.arguments, answered=answered))
        if not blocks:
            return
        billed = self._survey.billed.get(step.index) if step.index is not None else None
        model = billed.model if billed is not None else None
        if model is not None and model != self._model:
            self._model = model
            events.append(Meta(id=f"meta:{self._base}", time=step.time, model=model))
        self._say(
            "assistant",
            blocks,
            events,
            message_id=billed.name if billed is not None else None,
            model=model or self._model,
            tokens=billed.tokens if billed is not None else None,
            fault="error" if step.status in ("ERROR", "INVALID") else "aborted" if step.status in _FAILED else None,
        )

    def _result(self, piece: Piece, step: Step, events: list[Event]) -> None:
        call = self._pairing.answered(step, name_of(step, piece.line))
        failed = step.status in _FAILED or self._pairing.failed(step)
        name, parent = self._next()
        result = ToolResult(
            id=name,
            parent=parent,
            call_id=call,
            name=step.kind.lower() or None,
            content=(Text(text=step.text),) if step.text else (),
            status="error" if failed else "ok" if step.status == "DONE" else "unknown",
            **self._common,
        )
        events.append(result)
