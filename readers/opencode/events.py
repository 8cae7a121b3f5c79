"""The second pass over a session of OpenCode: messages become events.

A message of the agent is one step since 2026; older ones hold several, each a request of its own. A result is a part
of the message that asked for it. A summary is a message like any other, marked as one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from panscript.readers.opencode.content import (
    SHELL_NOTE,
    STATE_TYPES,
    call_of,
    details_of,
    duration_of,
    file_of,
    is_answered,
    metadata_of,
    result_blocks,
    result_status,
    thinking_of,
    unknown_in,
)
from panscript.readers.opencode.facts import Facts, model_of
from panscript.readers.opencode.forms import Item, Turn
from panscript.readers.opencode.steps import Step, steps_of
from panscript.readers.opencode.survey import ROLES, Survey, typed
from panscript.readers.opencode.usage import Counter, tokens_of
from panscript.readers.rawjson import clean_raw
from panscript.readers.speaking import Speaker
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
    Shell,
    Text,
    Tokens,
    ToolResult,
    Usage,
)
from panscript.schemas.opencode.lean import Info, Part, State
from panscript.schemas.packed import PackedMap
from panscript.schemas.records import RecordClass
from panscript.schemas.report import FileReport

__all__ = ["Translator"]

SYNTHETIC = "synthetic"
"""`Message.injected` of what OpenCode adds to a prompt, such as the content of files named in it."""
IGNORED = "ignored"
"""`Message.injected` of what the person is shown and no model."""
_RESERVED = frozenset({"session", "end", "usage", "meta"})
_BESIDE = ("state", "attachments")
_ABORTED = "MessageAbortedError"
_COMMAND = msgspec.json.Decoder(dict[str, Any])


class Translator(Speaker):
    """Turns one message after the other into its class and its events."""

    def __init__(self, survey: Survey, facts: Facts, report: FileReport, counter: Counter | None) -> None:
        super().__init__(report)
        self._survey = survey
        self._stored = facts
        self._counter = counter
        self._names = PackedMap()
        self._reverted = False
        self._shell: str | None = None
        """The message behind which a command of the person comes."""
        self._compacted: tuple[str | None, str | None] = (None, None)
        """What is kept by the next compaction, and how that came about."""
        self._kept: dict[str, str] = {}
        self._told: dict[str, str | None] = {"cwd": facts.cwd}

    def turn(self, number: int, turn: Turn) -> tuple[RecordClass, list[Event]]:
        """The class of this message and what it says. `number` is that of the message among all that stands there."""
        info = turn.info
        if info is None:
            if not turn.items:
                return "skipped", []
            info = Info(role=_guessed(turn.items))
        self._open(number, turn)
        events: list[Event] = []
        if info.role not in ROLES:
            name = info.role or "(no role)"
            self._unknown(name, clean_raw(turn.piece.raw), events)
            return "opaque", events
        live, left = self._split(turn)
        whole = turn._replace(info=info)
        stepped = any(item.part is not None and item.part.type == "step-finish" for item in turn.items)
        for items, is_live in ((live, True), (left, False)):
            if items is None:
                continue
            self._common["live"] = is_live
            if info.role == "user":
                self._user(items, events)
            else:
                self._assistant(whole, info, items, events, stepped=stepped, ends=is_live == (left is None))
        if turn.name in self._survey.tails:
            first = next((event.id for event in events if not isinstance(event, Meta | Usage)), None)
            if first is not None:
                self._kept[turn.name] = first
        if turn.inherited is not None:
            return "inherited", events
        return ("used" if events else "state"), events

    def _open(self, number: int, turn: Turn) -> None:
        base = turn.name or f"line:{turn.piece.line}"
        if self._names.get(base) is not None or base in _RESERVED or ":" in turn.name or "#" in turn.name:
            base = f"{base}#{turn.piece.line}"
        self._names.put(base, 0)
        late = number in self._survey.clock.late
        self._begin(base, time=turn.time, late=late, inherited_from=turn.inherited)

    def _split(self, turn: Turn) -> tuple[Sequence[Item] | None, Sequence[Item] | None]:
        """The parts that stayed, and those that were taken back; None where it is all or nothing."""
        items = turn.items
        if self._reverted:
            return None, items
        if self._stored.reverted is None or turn.name != self._stored.reverted:
            return items, None
        self._reverted = True
        part = self._stored.reverted_part
        place = next((at for at, item in enumerate(items) if part and item.name == part), 0)
        return (items[:place], items[place:]) if place else (None, items)

    def _user(self, items: Sequence[Item], events: list[Event]) -> None:
        said: list[Block] = []
        added: list[Block] = []
        ignored: list[Block] = []
        for item in items:
            part = item.part
            if part is None or part.type in STATE_TYPES:
                if part is not None and part.type == "compaction":
                    self._compacted = (part.tail_start_id, "auto" if part.auto else "manual")
            elif (text := typed(item)) is not None:
                said.append(Text(text=text))
            elif part.type == "text" and part.text:
                if part.text == SHELL_NOTE and part.synthetic:
                    self._shell = self._base
                else:
                    (ignored if part.ignored else added).append(Text(text=part.text))
            elif part.type == "file":
                said.append(file_of(part))
            elif part.type not in ("text", "subtask"):
                self._odd(item, part, events)
        if said and self._stored.parent is not None:
            self._say("system", said, events, injected=TASK)
        elif said:
            self._say("user", said, events)
        if added:
            self._say("system", added, events, injected=SYNTHETIC, hidden=True)
        if ignored:
            self._say("system", ignored, events, injected=IGNORED)

    def _assistant(
        self, turn: Turn, info: Info, items: Sequence[Item], events: list[Event], *, stepped: bool, ends: bool
    ) -> None:
        """`stepped`: the message has steps that say what they used; `ends`: these are its last parts."""
        model, provider = model_of(info.model)
        model, provider = info.model_id or model, info.provider_id or provider
        self._meta(info, model, provider, events)
        found = steps_of(items)
        if bytes(info.summary) == b"true" and info.error is None and self._summary(found, info, events):
            self._bill(found, turn, info, None, events, stepped=stepped)
            return
        if info.parent_id is not None and info.parent_id == self._shell and self._command(items, events):
            self._bill(found, turn, info, None, events, stepped=stepped)
            return
        for place, step in enumerate(found):
            last = ends and place == len(found) - 1
            self._step(step, turn, info, (model, provider), events, stepped=stepped, last=last)
        error = info.error
        if ends and error is not None and error.name != _ABORTED and error.data is not None and error.data.message:
            self._say("assistant", (Text(text=error.data.message),), events, injected=AGENT_NOTICE)

    def _step(
        self,
        step: Step,
        turn: Turn,
        info: Info,
        model: tuple[str | None, str | None],
        events: list[Event],
        *,
        stepped: bool,
        last: bool,
    ) -> None:
        blocks: list[Block] = []
        calls: list[tuple[Item, Part]] = []
        for item in step.items:
            part = item.part
            if part is None or part.type in STATE_TYPES:
                continue
            if part.type == "text":
                blocks.append(Text(text=part.text or ""))
            elif part.type == "reasoning":
                blocks.append(thinking_of(part))
            elif part.type == "tool":
                blocks.append(call_of(part))
                calls.append((item, part))
            elif part.type == "file":
                blocks.append(file_of(part))
            elif part.type != "subtask":
                self._odd(item, part, events)
        fault = None if info.error is None or not last else "aborted" if info.error.name == _ABORTED else "error"
        response: str | None = None
        if blocks or fault is not None:
            response = self._base if not self._part else f"{self._base}:{self._part}"
            self._say(
                "assistant",
                blocks,
                events,
                response=response,
                message_id=turn.name or None,
                model=model[0],
                provider=model[1],
                stop_reason=(step.finish.reason if step.finish is not None else None) or info.finish,
                tokens=self._tokens(step, info, stepped=stepped),
                fault=fault,
            )
        for item, part in calls:
            if is_answered(part):
                self._result(item, part, part.state or State(), events)
        self._bill([step], turn, info, response, events, stepped=stepped)

    def _tokens(self, step: Step, info: Info, *, stepped: bool) -> Tokens | None:
        if step.finish is not None:
            return tokens_of(step.finish.tokens, step.finish.cost)
        return tokens_of(info.tokens, info.cost) if not stepped and info.tokens is not None else None

    def _bill(
        self,
        steps: Sequence[Step],
        turn: Turn,
        info: Info,
        response: str | None,
        events: list[Event],
        *,
        stepped: bool,
    ) -> None:
        """What these steps used; `response` where a message of the stream says the same."""
        if self._counter is None:
            return
        for step in steps:
            finish = step.finish
            if finish is None and (stepped or (info.tokens is None and info.cost is None)):
                continue
            own = step.name or f"{self._base}:{self._part}"
            name = f"usage:{own}" if finish is not None else f"usage:{self._base}"
            if self._names.get(name) is not None:
                name = f"usage:{self._base}#{turn.piece.line}:{len(events)}"
            self._names.put(name, 0)
            cost = info.cost if finish is None or (finish.cost is None and len(steps) == 1) else finish.cost
            tokens = tokens_of(finish.tokens if finish is not None else info.tokens, cost)
            billed = self._counter.response(
                name,
                info,
                tokens,
                turn.piece.raw,
                time=turn.time if turn.time is not None else step.time,
                told=response is not None,
                live=self._common["live"],
                inherited=turn.inherited,
                response=response or self._base,
                message=turn.name or None,
            )
            if billed is not None:
                events.append(billed)

    def _result(self, item: Item, part: Part, state: State, events: list[Event]) -> None:
        for place, kind in unknown_in(part):
            self._unknown(kind, self._inner.clean(item.text, place, _BESIDE), events)
        name, parent = self._next()
        ended = timestamps.parse(state.time.end) if state.time is not None else None
        common = {**self._common, "time": ended if ended is not None else self._common["time"]}
        events.append(
            ToolResult(
                id=name,
                parent=parent,
                call_id=part.call_id or "",
                name=part.tool or None,
                content=result_blocks(state),
                status=result_status(state),
                duration_ms=duration_of(state),
                details=details_of(state),
                **common,
            )
        )

    def _summary(self, steps: Sequence[Step], info: Info, events: list[Event]) -> bool:
        """The summary that takes the place of what was said before."""
        parts = [item.part for step in steps for item in step.items if item.part is not None]
        text = "\n\n".join(part.text for part in parts if part.type == "text" and part.text)
        if not text:
            return False
        (tail, trigger), self._compacted = self._compacted, (None, None)
        stated = tokens_of(info.tokens, None)
        before = stated.input + stated.cache_read + stated.cache_write
        name, parent = self._next()
        events.append(
            Compaction(
                id=name,
                parent=parent,
                summary=text,
                first_kept=self._kept.get(tail or ""),
                tokens_before=before or None,
                trigger=trigger,
                **self._common,
            )
        )
        self._say("system", (Text(text=text),), events, injected=COMPACTION_SUMMARY)
        return True

    def _command(self, items: Sequence[Item], events: list[Event]) -> bool:
        """A command that the person ran, which is told like a call of the model."""
        calls = [item.part for item in items if item.part is not None and item.part.type not in STATE_TYPES]
        state = calls[0].state if len(calls) == 1 and calls[0].type == "tool" else None
        if state is None:
            return False
        try:
            command = _COMMAND.decode(state.input).get("command")
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return False
        if not isinstance(command, str):
            return False
        self._shell = None
        told = metadata_of(state)
        output = state.output if state.output is not None else told.output
        name, parent = self._next()
        events.append(
            Shell(
                id=name,
                parent=parent,
                command=command,
                output=output if isinstance(output, str) else state.error,
                exit_code=told.exit if type(told.exit) is int else None,
                cancelled=state.status != "completed",
                **self._common,
            )
        )
        return True

    def _meta(self, info: Info, model: str | None, provider: str | None, events: list[Event]) -> None:
        """Facts that this message states otherwise than what was said before."""
        cwd = info.path.cwd if info.path is not None else None
        said = {"cwd": cwd, "model": model, "provider": provider}
        new = {name: value for name, value in said.items() if value and value != self._told.get(name)}
        if not new:
            return
        self._told.update(new)
        name = f"meta:{self._base}"
        if not any(event.id == name for event in events):
            events.append(
                Meta(
                    id=name,
                    time=self._common["time"],
                    inherited_from=self._common["inherited_from"],
                    **new,  # type: ignore[arg-type]
                )
            )

    def _odd(self, item: Item, part: Part, events: list[Event]) -> None:
        name = part.type or "(no type)"
        self._unknown(name, clean_raw(item.text) if item.text else NO_RAW, events)


def _guessed(items: Sequence[Item]) -> str:
    """Whose parts these are, where what says so is lost."""
    own = {"tool", "reasoning", "step-start", "step-finish", "patch"}
    return "assistant" if any(item.part is not None and item.part.type in own for item in items) else "user"
