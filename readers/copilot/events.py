"""The second pass over an event log: its lines become events."""

from __future__ import annotations

from panscript.readers.copilot.content import answered, asked, call_block, thoughts, tokens_of
from panscript.readers.copilot.files import Workspace
from panscript.readers.copilot.survey import Survey, injected_as, missing
from panscript.readers.rawjson import clean_raw
from panscript.readers.speaking import Speaker
from panscript.schemas import timestamps
from panscript.schemas.copilot.lean import STATE_TYPES, Counts, Data, Failure, Row, ToolRequest
from panscript.schemas.events import (
    AGENT_NOTICE,
    NO_RAW,
    TASK,
    Block,
    Compaction,
    Event,
    Role,
    Text,
    Thinking,
    Tokens,
    ToolResult,
)
from panscript.schemas.packed import PackedMap
from panscript.schemas.records import RecordClass
from panscript.schemas.report import FileReport

__all__ = ["Translator"]

_AGENT = "agent"
_SIGNERS = {"anthropic-messages": "anthropic"}
"""Interface that reasoning came through -> the vendor whose signatures it carries. What OpenAI encrypts only the
account can use that it was made for, and that is Copilot's."""
_MOST_WAITING = 64
"""Counts that wait for their message; each is said just before it."""

_CONTENTS = ("data", "result", "contents")


class Translator(Speaker):
    """Turns one line after the other into its class and its events."""

    def __init__(self, survey: Survey, workspace: Workspace, report: FileReport, known: dict[str, Tokens]) -> None:
        """`known`: what telemetry says of responses, by their id."""
        super().__init__(report)
        self._survey, self._workspace = survey, workspace
        self._known = known
        self._known_of: dict[str | None, dict[str, str | None]] = {}
        """What was said last of the conversation, and of each sub-agent."""
        self._ids = PackedMap()
        self._tips: dict[str | None, str] = {}
        """The last event of the conversation, and of each sub-agent."""
        self._calls: set[str] = set()
        self._counts: dict[str, Counts] = {}
        self._thought: dict[str | None, str] = {}
        self.told: set[str] = set()
        """Responses whose message carries its counts."""
        self._begun = False
        self._agent: str | None = None

    def row(self, number: int, row: Row, text: bytes, line: int, turn: int) -> tuple[RecordClass, list[Event]]:
        """The class of this record and what it says. `text` is its JSON, `turn` its number on the line, from 0."""
        where = f"{line}.{turn}" if turn else str(line)
        base = row.id
        if not base or ":" in base or "#" in base or base in ("session", "end"):
            base = f"line:{where}"
        elif self._ids.get(base) is not None:
            base = f"{base}#{where}"
        else:
            self._ids.put(base, 1)
        self._text, self._agent = text, row.agent_id or None
        self._facts = self._known_of.setdefault(self._agent, {})
        late = number in self._survey.clock.late
        self._begin(base, time=timestamps.parse(row.timestamp), agent_id=self._agent, late=late)
        events: list[Event] = []
        if (code := missing(row)) is not None:
            self._report.skip_line(code, line)
            return "skipped", events
        return self._row(row.type or "", row.data, events), events

    def _row(self, kind: str, data: Data | None, events: list[Event]) -> RecordClass:
        if data is None:
            if kind in STATE_TYPES:
                return "state"
            self._report.see_unknown(kind or "(no type)")
            self._outside(kind or "(no type)", self._whole(), events)
            return "opaque"
        if kind == "user.message":
            self._user(data, events)
        elif kind == "assistant.message":
            self._assistant(data, events)
        elif kind == "system.message":
            injected = "developer" if data.role == "developer" else "system_prompt"
            self._say("system", asked(data), events, injected=injected)
        elif kind == "tool.execution_complete":
            self._result(data, events)
        elif kind == "tool.execution_start":
            return self._started(data, events)
        elif kind == "assistant.reasoning":
            self._thought[self._agent] = data.content or ""
            self._say("assistant", [Thinking(text=data.content or "")], events)
        elif kind == "session.compaction_complete":
            self._compaction(data, events)
        elif kind in STATE_TYPES:
            self._state(kind, data, events)
        else:
            self._report.see_unknown(kind or "(no type)")
            self._outside(kind or "(no type)", self._whole(), events)
            return "opaque"
        return "used" if events else "state"

    def _chain(self, name: str) -> tuple[str, str | None]:
        parent = self._tips.get(self._agent)
        self._tips[self._agent] = name
        return name, parent

    def _state(self, kind: str, data: Data, events: list[Event]) -> None:
        if kind in ("session.start", "session.resume"):
            where = data.context
            said = {
                "cwd": where.cwd if where is not None else None,
                "git_branch": where.branch if where is not None else None,
                "version": data.copilot_version,
                "model": data.selected_model,
                "parent_session_id": data.detached_from_spawning_parent_session_id,
            }
            if not self._begun:
                self._begun = True
                beside = self._workspace
                said["cwd"], said["git_branch"] = said["cwd"] or beside.cwd, said["git_branch"] or beside.branch
                said["title"] = beside.title
            self._learn(said, events, agent_id=self._agent)
        elif kind == "session.model_change":
            self._learn({"model": data.new_model}, events, agent_id=self._agent)
        elif kind == "session.error" and isinstance(data.message, str) and data.message:
            blocks: list[Block] = [Text(text=data.message)]
            self._say("assistant", blocks, events, injected=AGENT_NOTICE, fault="error")
        elif kind == "session.title_changed":
            self._learn({"title": data.title}, events, agent_id=self._agent)
        elif kind == "session.usage_record" and data.usage is not None and data.usage.api_call_id:
            if len(self._counts) >= _MOST_WAITING:
                self._counts.clear()
            self._counts[data.usage.api_call_id] = data.usage

    def _user(self, data: Data, events: list[Event]) -> None:
        injected = injected_as(data)
        if injected == _AGENT or (self._agent is not None and injected is None):
            injected = TASK
        role: Role = "user" if injected is None else "system"
        self._say(role, asked(data), events, message_id=data.message_id, injected=injected)

    def _assistant(self, data: Data, events: list[Event]) -> None:
        blocks = thoughts(data)
        earlier = self._thought.pop(self._agent, None)
        if earlier is not None:
            blocks = [block for block in blocks if not (isinstance(block, Thinking) and block.text == earlier)]
        if data.content:
            blocks.append(Text(text=data.content))
        for request in data.tool_requests or ():
            blocks.append(call_block(request, self._survey.unanswered))
            if request.tool_call_id:
                self._calls.add(request.tool_call_id)
        response = data.api_call_id
        counts = self._counts.pop(response or "", None)
        provider = counts.model_provider if counts is not None else None
        self._learn({"model": data.model, "provider": provider}, events, agent_id=self._agent)
        tokens = tokens_of(counts) if counts is not None else self._known.get(response or "")
        if response and tokens is not None:
            self.told.add(response)
        self._say(
            "assistant",
            blocks,
            events,
            message_id=data.message_id,
            request_id=data.request_id or response,
            model=data.model,
            provider=provider,
            tokens=tokens,
            signer=_SIGNERS.get(data.reasoning_blocks.provider or "") if data.reasoning_blocks is not None else None,
        )

    def _started(self, data: Data, events: list[Event]) -> RecordClass:
        """A call that runs: the message that asked for it says so before, unless it is lost."""
        name = data.tool_call_id or ""
        if name and name in self._calls:
            return "twin"
        self._calls.add(name)
        request = ToolRequest(tool_call_id=name, name=data.tool_name, arguments=data.arguments)
        self._say("assistant", [call_block(request, self._survey.unanswered)], events, model=data.model)
        return "used"

    def _result(self, data: Data, events: list[Event]) -> None:
        call = data.tool_call_id or ""
        self._calls.discard(call)
        problem = data.error.message if isinstance(data.error, Failure) else data.error
        code = data.shell_execution.exit_code if data.shell_execution is not None else None
        failed = data.success is False or bool(code)
        details = data.result.detailed_content if data.result is not None else NO_RAW
        blocks, unknown = answered(data.result, problem)
        for place, kind in unknown:
            self._unknown(kind, self._inner.clean(self._text, place, _CONTENTS), events)
        name, parent = self._next()
        events.append(
            ToolResult(
                id=name,
                parent=parent,
                call_id=call,
                name=data.tool_name,
                content=tuple(blocks),
                status="error" if failed else "ok" if data.success else "unknown",
                details=clean_raw(details) if bytes(details) not in (b"", b"null") else NO_RAW,
                **self._common,
            )
        )

    def _compaction(self, data: Data, events: list[Event]) -> None:
        if not data.success or not data.summary_content:
            return
        before = data.pre_compaction_tokens
        name, parent = self._next()
        events.append(
            Compaction(
                id=name,
                parent=parent,
                summary=data.summary_content,
                tokens_before=int(before) if before is not None and 0 <= before < 1 << 53 else None,
                trigger=data.trigger,
                **self._common,
            )
        )
