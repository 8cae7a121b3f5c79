"""The second pass over an agent of Kimi Code: records become events."""

from __future__ import annotations

from typing import Any

import msgspec

from panscript.readers.kimi.code_survey import ALIAS, CodeSurvey, alias_of, is_hollow, is_known, is_typed, summary_of
from panscript.readers.kimi.content import blocks_of, call_of, part_of, shell_parts, text_of, without_wrapping
from panscript.readers.speaking import BranchSpeaker
from panscript.schemas import timestamps
from panscript.schemas.counts import count
from panscript.schemas.events import (
    COMPACTION_SUMMARY,
    NO_RAW,
    SHELL,
    TASK,
    Block,
    Compaction,
    Event,
    Meta,
    Opaque,
    Shell,
    Text,
    Tokens,
    ToolResult,
    Usage,
)
from panscript.schemas.kimi.lean import CodeMessage, CodeRow, CodeUsage, LoopEvent, Origin, Result, UsageCodeRow
from panscript.schemas.naming import model_name
from panscript.schemas.records import RecordClass
from panscript.schemas.report import FileReport

__all__ = ["CodeTranslator", "spent_of", "usage_of"]

_CONTENTS = ("message", "content"), ("event", "result", "output")
_PROVIDER = "moonshot"
_TWINS = frozenset({"turn.prompt", "turn.steer"})


def _tokens(usage: CodeUsage) -> Tokens:
    """The counts in disjoint buckets."""
    fresh, output = count(usage.input_other), count(usage.output)
    read, write = count(usage.input_cache_read), count(usage.input_cache_creation)
    return Tokens(input=fresh, output=output, cache_read=read, cache_write=write, total=fresh + output + read + write)


def spent_of(row: CodeRow | UsageCodeRow, time: int | None, report: FileReport) -> Tokens | None:
    """The counts of a record of usage; None, which is told, when there are none or nobody knows of when."""
    tokens = _tokens(row.usage) if row.usage is not None else None
    if tokens is None or not tokens.total:
        report.skip("no_token_usage")
        return None
    if time is None:
        report.skip("invalid_timestamp")
        return None
    return tokens


def usage_of(row: CodeRow | UsageCodeRow, time: int | None, tokens: Tokens, **more: Any) -> Usage:
    """The event of a record of usage; `more`: what stands beside it."""
    model = row.model.removeprefix(ALIAS) if row.model else None
    return Usage(time=time, tokens=tokens, model=model_name(model), provider=_PROVIDER, **more)


class CodeTranslator(BranchSpeaker):
    """Turns one record after the other into its class and its events."""

    def __init__(
        self,
        survey: CodeSurvey,
        report: FileReport,
        agent_id: str | None,
        forked_from: str | None,
        *,
        usage: bool,
        told: bool,
    ) -> None:
        """`agent_id`: the sub-agent whose file it is, so nobody typed its prompts. `told`: usage that messages carry is
        given, too."""
        super().__init__(survey.branches, report)
        self._survey = survey
        self._agent = agent_id
        self._forked_from = forked_from
        self._usage, self._told = usage, told
        self._prompt: str | None = None
        self._model: str | None = None
        self._provider: str | None = None
        self._step: str | None = None
        self._spent: Tokens | None = None
        """Of the open step, until its message takes them."""
        self._kept = dict.fromkeys(survey.kept.values(), "")
        """Record that a compaction keeps first -> its first event."""
        self._inherited: str | None = None

    def row(self, number: int, row: CodeRow, text: bytes, place: str, line: int) -> tuple[RecordClass, list[Event]]:
        """The class of this record and what it says. `text` is its JSON, `place` names its `line`."""
        survey = self._survey
        self._number, self._text = number, text
        self._inherited = self._forked_from if number <= survey.copied_to else None
        self._begin(
            f"line:{place}",
            time=timestamps.parse(row.time),
            live=survey.branches.live(number),
            inherited_from=self._inherited,
            late=number in survey.clock.late,
        )
        events: list[Event] = []
        if is_hollow(row):
            self._report.skip_line("message_invalid_message", line)
            return "skipped", events
        kind = self._record(row, row.type or "", events)
        if kind == "used" and self._inherited is not None:
            kind = "inherited"
        if number in self._kept:
            self._kept[number] = next((event.id for event in events if not isinstance(event, Meta | Usage)), "")
        return kind, events

    def _record(self, row: CodeRow, kind: str, events: list[Event]) -> RecordClass:
        if row.kind == "event":
            # For observers: it says again what other records say.
            return "twin"
        if kind == "context.append_message" and row.message is not None:
            return self._message(row.message, events)
        if kind == "context.append_loop_event" and row.event is not None:
            return self._event(row.event, events)
        if kind == "context.apply_compaction":
            name, parent = self._next()
            kept = self._kept.get(self._survey.kept.get(self._number, -1)) or None
            before = row.tokens_before
            events.append(
                Compaction(
                    id=name,
                    parent=parent,
                    summary=summary_of(row),
                    first_kept=kept,
                    tokens_before=int(before) if before is not None and 0 < before < 1 << 53 else None,
                    **self._common,
                )
            )
            return "used"
        if kind == "usage.record":
            return self._billed(row, events)
        if kind == "profile.bind":
            return self._bind(row, events)
        if kind == "llm.request":
            self._model, self._provider = row.model or self._model, row.provider or self._provider
            self._learn({"model": row.model, "provider": row.provider}, events)
            return "used" if events else "state"
        if kind in _TWINS:
            return "twin"
        if kind == "metadata" or is_known(kind):
            return "state"
        self._odd(kind or "(no type)", events)
        return "opaque"

    def _bind(self, row: CodeRow, events: list[Event]) -> RecordClass:
        # A migrated session has no request that names the model.
        self._model = self._model or alias_of(row)
        where = row.environment_disclosure
        self._learn({"cwd": where.cwd if where is not None else None}, events)
        if row.system_prompt and row.system_prompt != self._prompt:
            self._prompt = row.system_prompt
            self._say("system", [Text(text=row.system_prompt)], events, injected="system_prompt", hidden=True)
        return "used" if events else "state"

    def _message(self, message: CodeMessage, events: list[Event]) -> RecordClass:
        role = message.role
        if role not in ("user", "assistant", "tool", "system"):
            self._odd(role or "(no role)", events, chained=True)
            return "opaque"
        blocks, unknown = blocks_of(message.content)
        self._strange(unknown, events)
        if role == "tool":
            self._result(message.tool_call_id, message.content, message.is_error, message.note, None, events)
        elif role == "assistant":
            for call in message.tool_calls or ():
                inner = call.function
                tool = call.name or (inner.name if inner is not None else None)
                arguments = call.arguments or (inner.arguments if inner is not None else None)
                blocks.append(call_of(call.id, tool, arguments, self._survey.unanswered))
            self._say(
                "assistant",
                blocks,
                events,
                message_id=message.provider_message_id,
                model=self._model,
                provider=self._provider,
            )
        elif blocks:
            self._spoken(message, blocks, events)
        return "used"

    def _spoken(self, message: CodeMessage, blocks: list[Block], events: list[Event]) -> None:
        origin = message.origin or Origin()
        wrapped = without_wrapping(text_of(message.content))
        if message.role == "system":
            self._say("system", blocks, events, injected=origin.kind or "system", hidden=True)
        elif origin.kind == "compaction_summary":
            self._say("system", blocks, events, injected=COMPACTION_SUMMARY, hidden=True)
        elif origin.kind == "shell_command":
            self._shell(origin.phase, text_of(message.content), blocks, events)
        elif origin.kind not in (None, "user"):
            hidden = origin.kind in ("injection", "hook_result", "system_trigger", "retry")
            self._say("system", blocks, events, injected=origin.kind, hidden=hidden)
        elif wrapped is not None and not is_typed_plainly(message):
            self._say("system", blocks, events, injected=wrapped[0], hidden=True)
        elif self._agent is not None:
            self._say("system", blocks, events, injected=TASK)
        else:
            self._say("user", blocks, events)

    def _shell(self, phase: str | None, text: str, blocks: list[Block], events: list[Event]) -> None:
        """A command that the person ran, or what it printed."""
        self._say("system", blocks, events, injected=SHELL)
        command, output = shell_parts(text, is_output=phase == "output")
        name, parent = self._next()
        events.append(Shell(id=name, parent=parent, command=command, output=output, **self._common))

    def _event(self, event: LoopEvent, events: list[Event]) -> RecordClass:
        kind = event.type
        if kind == "step.begin":
            self._step, self._spent = event.uuid, None
            return "state"
        if kind == "step.end":
            self._step, self._spent = None, None
            return "state"
        if kind == "content.part" and event.part is not None:
            block = part_of(event.part)
            if block is None:
                self._odd(event.part.type or "(no type)", events, chained=True)
                return "opaque"
            self._answer(event, [block], events)
        elif kind == "tool.call":
            self._answer(event, [call_of(event.tool_call_id, event.name, event.args, self._survey.unanswered)], events)
        elif kind == "tool.result":
            result = event.result or Result()
            self._strange(blocks_of(result.output)[1], events)
            duration = result.duration_ms
            whole = int(duration) if duration is not None and 0 <= duration < 1 << 53 else None
            self._result(event.tool_call_id, result.output, result.is_error, result.note, whole, events)
        else:
            self._odd(kind or "(no type)", events, chained=True)
            return "opaque"
        return "used"

    def _answer(self, event: LoopEvent, blocks: list[Block], events: list[Event]) -> None:
        closes = self._number in self._survey.closing
        response = event.step_uuid or self._step
        self._say(
            "assistant",
            blocks,
            events,
            response=response,
            closes=closes or response is None,
            model=self._model,
            provider=self._provider,
            tokens=self._spent if closes and response == self._step else None,
        )

    def _result(
        self,
        call: str | None,
        content: str | list[Any] | None,
        is_error: bool | None,
        note: str | None,
        duration: int | None,
        events: list[Event],
    ) -> None:
        blocks, _ = blocks_of(content)
        name, parent = self._next()
        events.append(
            ToolResult(
                id=name,
                parent=parent,
                call_id=call or "",
                content=tuple(blocks),
                status="error" if is_error else "ok",
                duration_ms=duration,
                details=msgspec.Raw(msgspec.json.encode({"note": note})) if note else NO_RAW,
                **self._common,
            )
        )

    def _billed(self, row: CodeRow, events: list[Event]) -> RecordClass:
        if row.usage_scope != "turn":
            # A total of what other records count.
            return "twin"
        tokens = spent_of(row, self._common["time"], self._report)
        if tokens is None:
            return "state"
        self._spent = tokens if self._step is not None else None
        # The message of the step comes after its counts, and carries them.
        told = self._step is not None and self._step in self._survey.answered
        if self._usage and (self._told or not told):
            events.append(
                usage_of(
                    row,
                    self._common["time"],
                    tokens,
                    id=f"usage:{self._base}",
                    inherited_from=self._inherited,
                    agent_id=self._agent,
                    raw_provider=self._provider,
                    response=self._step,
                    told=told,
                    raw=NO_RAW,
                )
            )
        return "used"

    def _strange(self, parts: list[tuple[int, str]], events: list[Event]) -> None:
        """Parts of a kind that is not known, of which the place and the type are given."""
        for index, kind in parts:
            self._unknown(kind, self._inner.clean(self._text, index, *_CONTENTS), events)

    def _odd(self, name: str, events: list[Event], *, chained: bool = False) -> None:
        data = self._whole()
        if chained:
            self._unknown(name, data, events)
            return
        self._report.see_unknown(name)
        time = self._common["time"]
        events.append(Opaque(id=f"{self._base}:row", name=name, data=data, time=time, inherited_from=self._inherited))


def is_typed_plainly(message: CodeMessage) -> bool:
    """Whether the record itself says that a person typed it."""
    return is_typed(message) and message.origin is not None
