"""From a session's records to its four projections: usage, messages, tool calls and session facts.

What a fork, a resume or a replay copied is left out: the original is told where it is read.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator

import msgspec

from panscript.schemas import timestamps
from panscript.schemas.events import (
    AGENT_NOTICE,
    NO_RAW,
    End,
    Event,
    Message,
    Meta,
    Session,
    Text,
    ToolCall,
    ToolResult,
    Usage,
)
from panscript.schemas.projections import (
    KINDS,
    MessageLine,
    Projection,
    SessionMetaLine,
    Told,
    ToolCallLine,
    UsageLine,
)
from panscript.schemas.records import Record
from panscript.schemas.report import FileReport

__all__ = ["project", "project_told"]

UNSET = msgspec.UNSET


def project(
    records: Iterable[Record],
    *,
    kinds: Collection[str] = KINDS,
    text: bool = False,
    raw: bool = False,
    report: FileReport | None = None,
) -> Iterator[Projection]:
    """The projections of one session in the order of its file.

    A call stands where its result is seen; calls without one come at the end, before usage that was held back.
    `text` adds what was said and titles, `raw` the native records: both may hold private data.
    """
    for told in project_told(records, kinds=kinds, text=text, raw=raw, report=report):
        yield told.line


def project_told(
    records: Iterable[Record],
    *,
    kinds: Collection[str] = KINDS,
    text: bool = False,
    raw: bool = False,
    report: FileReport | None = None,
    on_session: Callable[[Session], None] | None = None,
) -> Iterator[Told]:
    """The same projections, each with what tells copies in other files. `on_session` is told of the session first."""
    projector = _Projector(kinds, text=text, raw=raw, report=report)
    for record in records:
        projector.place += 1
        for event in record.events:
            if on_session is not None and isinstance(event, Session):
                on_session(event)
            yield from projector.event(event, record)
    yield from projector.end()


class _Projector:
    def __init__(self, kinds: Collection[str], *, text: bool, raw: bool, report: FileReport | None) -> None:
        self._usage, self._message = "usage" in kinds, "message" in kinds
        self._calls, self._meta = "tool_call" in kinds, "session_meta" in kinds
        self._text, self._raw = text, raw
        self._report = report
        self._agent = self._session = self._billed = ""
        self._time: int | None = None
        self._created: int | None = None
        self._timeless: list[Told] = []
        self._open: dict[tuple[str, str], tuple[ToolCallLine, str, int] | None] = {}
        self._nameless: set[tuple[str, str]] = set()
        self._ids: set[int] = set()
        self._said: dict[str, dict[str, str]] = {}
        self._parent: str | None = None
        self.place = 0
        """Number of the record that the events come from."""

    def event(self, event: Event, record: Record) -> Iterator[Told]:
        if event.time is not None:
            self._time = event.time
            yield from self._timed(event.time)
        if self._meta and isinstance(event, Message) and event.agent_id and event.inherited_from is None:
            yield from self._sub_agent(event, record)
        if isinstance(event, Usage):
            if self._usage and event.inherited_from is None:
                told = Told(self._usage_line(event), _said_beside(record), self.place)
                yield from self._out(told, event.time)
        elif isinstance(event, Message):
            yield from self._message_lines(event, record)
        elif isinstance(event, ToolResult):
            if self._calls:
                yield from self._result(event, record)
        elif isinstance(event, Meta):
            if self._meta and event.inherited_from is None:
                yield from self._meta_line(event, record)
        elif isinstance(event, Session):
            self._agent, self._session = event.agent, event.session_id
            self._billed = event.billed_to or event.session_id
            self._parent = event.parent_session_id
            self._time, self._created = None, event.created
            if self._meta and self._parent:
                yield from self._meta_line(Meta(id="", time=event.created, parent_session_id=self._parent), record)
        elif isinstance(event, End):
            yield from self._unanswered()

    def end(self) -> Iterator[Told]:
        yield from self._unanswered()
        if self._created is not None:
            # No record has a time, but the session itself does.
            yield from self._timed(self._created)
        for told in self._timeless:
            self._skip(f"{told.line.__struct_config__.tag}_invalid_timestamp")

    def _told(self, line: Projection, event: Event, said: int = 0) -> Told:
        return Told(line, event.id, self.place, said)

    def _out(self, told: Told, time: int | None) -> Iterator[Told]:
        """Give the line its time: its own, else the last one seen, else the next one."""
        time = time if time is not None else self._time
        if time is None:
            self._timeless.append(told)
            return
        told.line.timestamp = timestamps.iso(time)
        yield from self._timed(time)
        yield told

    def _timed(self, time: int) -> Iterator[Told]:
        """What waited for a time takes this one."""
        waiting, self._timeless = self._timeless, []
        for told in waiting:
            told.line.timestamp = timestamps.iso(time)
            yield told

    def _sub_agent(self, event: Message, record: Record) -> Iterator[Told]:
        """A sub-agent whose records stand in this file is a session of its own below this one."""
        facts = Meta(id="", time=event.time, agent_id=event.agent_id, parent_session_id=self._session)
        yield from self._meta_line(facts, record)

    def _skip(self, code: str) -> None:
        if self._report is not None:
            self._report.skip(code)

    def _of(self, event: Event) -> str:
        if isinstance(event, Message | Meta) and event.session_id is not None:
            return event.session_id
        return f"{self._session}/{event.agent_id}" if event.agent_id else self._session

    def _raw_of(self, record: Record) -> msgspec.Raw | msgspec.UnsetType:
        return _json(record.raw) if self._raw else UNSET

    def _usage_line(self, event: Usage) -> UsageLine:
        tokens = event.tokens
        return UsageLine(
            source=self._agent,
            session_id=event.session_id or self._billed,
            timestamp=None,
            agent_id=event.agent_id or UNSET,
            repo_root=event.cwd or UNSET,
            provider=event.provider or UNSET,
            model=event.model or UNSET,
            input_tokens=tokens.input,
            output_tokens=tokens.output,
            reasoning_tokens=tokens.reasoning,
            cache_read_tokens=tokens.cache_read,
            cache_write_tokens=tokens.cache_write,
            cache_write_1h_tokens=tokens.cache_write_1h,
            total_tokens=tokens.total,
            cost_usd=UNSET if tokens.cost is None else tokens.cost,
            cost_mode="estimated" if tokens.cost is None else "explicit",
            single_request=event.single_request,
            message_id=event.message_id or UNSET,
            request_id=event.request_id or UNSET,
            raw_provider=event.raw_provider or UNSET,
            raw=event.raw if self._raw and bytes(event.raw) else UNSET,
        )

    def _message_lines(self, event: Message, record: Record) -> Iterator[Told]:
        own = event.inherited_from is None
        if self._calls:
            for block in event.content:
                if isinstance(block, ToolCall):
                    self._call(event, block, record, own=own)
        if not (self._message and own) or event.hidden or event.injected == AGENT_NOTICE:
            return
        text = "\n\n".join(block.text for block in event.content if isinstance(block, Text))
        if not text:
            return
        line = MessageLine(
            source=self._agent,
            session_id=self._of(event),
            timestamp=None,
            role=event.role,
            text_length=len(text),
            message_id=event.message_id or UNSET,
            model=event.model.lower() if event.model and event.role == "assistant" else UNSET,
            text=text if self._text else UNSET,
            raw=self._raw_of(record),
        )
        yield from self._out(self._told(line, event, hash(text)), event.time)

    def _call(self, event: Message, block: ToolCall, record: Record, *, own: bool) -> None:
        key = (event.agent_id or "", block.id)
        if not block.id:
            if own:
                self._skip("tool_call_missing_id")
            return
        if not block.name:
            if own:
                self._skip("tool_call_missing_name")
            return
        if hash(key) in self._ids:
            if own:
                self._skip("tool_call_duplicate_id")
            return
        self._ids.add(hash(key))
        if not own:
            self._open[key] = None
            return
        time = event.time if event.time is not None else self._time
        line = ToolCallLine(
            source=self._agent,
            session_id=self._of(event),
            timestamp=timestamps.iso(time) if time is not None else None,
            name=block.name,
            status="unknown",
            tool_call_id=block.id,
            message_id=event.message_id or UNSET,
            raw={"call": _json(record.raw)} if self._raw else UNSET,
        )
        self._open[key] = (line, event.id, self.place)

    def _result(self, event: ToolResult, record: Record) -> Iterator[Told]:
        key = (event.agent_id or "", event.call_id)
        if not event.call_id:
            if event.inherited_from is None:
                self._skip("tool_call_result_missing_id")
            return
        if key not in self._open:
            if hash(key) not in self._ids and event.inherited_from is None:
                self._skip("tool_call_orphan_result")
            return
        waiting = self._open.pop(key)
        if waiting is None:
            return
        line = waiting[0]
        line.status = event.status
        time = event.time if event.time is not None else self._time
        if time is not None:
            line.completed_at = timestamps.iso(time)
        if event.duration_ms is not None:
            line.duration_ms = event.duration_ms
        if isinstance(line.raw, dict) and record.raw and _json(record.raw) != line.raw["call"]:
            line.raw["result"] = _json(record.raw)
        yield from self._out(Told(*waiting), timestamps.parse(line.timestamp))

    def _unanswered(self) -> Iterator[Told]:
        calls, self._open = self._open, {}
        for waiting in calls.values():
            if waiting is not None:
                yield from self._out(Told(*waiting), timestamps.parse(waiting[0].timestamp))

    def _meta_line(self, event: Meta, record: Record) -> Iterator[Told]:
        session = self._of(event)
        said = self._said.setdefault(session, {})
        facts = {
            "cwd": event.cwd,
            "title": event.title if self._text else None,
            "git_branch": event.git_branch,
            "agent_version": event.version,
            "parent_session_id": event.parent_session_id,
            "model": event.model,
            "raw_provider": event.provider,
        }
        new = {name: value for name, value in facts.items() if value and said.get(name) != value}
        if not new:
            return
        said.update(new)
        line = SessionMetaLine(
            source=self._agent,
            session_id=session,
            timestamp=None,
            raw=self._raw_of(record),
            **new,
        )
        yield from self._out(self._told(line, event), event.time)


def _said_beside(record: Record) -> str:
    """The id of what the record of a usage event says besides: unlike the event's own it is the same in copies."""
    return next((event.id for event in record.events if not isinstance(event, Usage | Meta)), "")


def _json(raw: bytes) -> msgspec.Raw:
    """The native record as JSON; as text when it is none."""
    text = raw.strip(b"\0\xef\xbb\xbf \t\r\n")
    try:
        msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return msgspec.Raw(msgspec.json.encode(text.decode("utf-8", "replace"))) if text else NO_RAW
    return msgspec.Raw(text)
